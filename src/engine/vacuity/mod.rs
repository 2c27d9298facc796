//! Vacuity detection: which parts of a formula do not matter.
//!
//! An occurrence is *vacuous* in `f` on a model iff replacing it by TRUE and by FALSE leaves the
//! truth value of `f` as it is (Kupferman and Vardi, STTT 2003). Three engines answer the same
//! question about a set of non-overlapping occurrences (`targets`):
//!
//! | engine | method |
//! |---|---|
//! | [`naive`] | checks the `1 + 2n` witnesses one by one: the yardstick |
//! | [`words`] | one bottom-up pass over diagrams whose terminals are lattice words (Bobaru 2009, 4.6) |
//! | [`selectors`] | one bottom-up pass over two-valued diagrams, indexed by the occurrence replaced |
//!
//! On top of any of them: [`refine`] (largest vacuous subformulas), [`mutual`] (occurrences that
//! can be replaced together), [`antecedent`] failures. [`super::obligations`] says how the truth of a
//! formula at the model follows from its parts, so that `AG` at the top costs no fixpoint.
//!
//! [`ltl`] answers it for formulas about paths.
//!
//! Deliberately absent: printing and options.

pub mod analysis;
pub mod antecedent;
mod constants;
mod demand;
pub mod ltl;
pub mod mutual;
pub mod naive;
pub mod refine;
pub mod selectors;
pub mod words;

pub use analysis::{Analysis, Config, Engine, analyse};
pub use ltl::LtlQuestion;
pub use naive::Sharing;

use crate::dd::{Bdd, Manager};
use crate::encode::error::Result;
use crate::engine::algebra::Machine;
use crate::logic::CtlTree;
use crate::model::ExprId;

/// A formula and the machine it is asked about.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// Of the machine.
    pub manager: &'a Manager,
    /// Steps and fair states.
    pub machine: &'a dyn Machine,
    /// The formula, occurrence by occurrence.
    pub tree: &'a CtlTree,
    /// Initial states from which a fair path starts.
    pub initial: &'a Bdd,
    /// Whether the care set of the machine is the set of reachable states.
    pub reachable: bool,
    /// The states that satisfy an atom.
    pub leaf: &'a dyn Fn(ExprId) -> Result<Bdd>,
    /// The states of the care set that satisfy a formula; values are kept.
    pub sat: &'a dyn Fn(ExprId) -> Result<Bdd>,
}
