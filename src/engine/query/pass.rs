//! The bottom-up pass: subformula → pairs (state, minterm), by the operators of CTL over state sets.
//!
//! The fresh bits are parameters: sets of pairs are diagrams over state bits and fresh bits, and the
//! fixpoints of [`crate::engine::fixpoint`] apply as they are. Subformulas without a placeholder are
//! the checker's, which keeps their values from one query to the next.

use super::shape::Shape;
use crate::dd::{Bdd, DdResult};
use crate::encode::error::Result;
use crate::engine::Checker;
use crate::engine::algebra::{Algebra, TwoValued};
use crate::engine::ctl::kept;
use crate::model::ExprId;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A pass with one value of the placeholder.
pub struct Pass<'a, 'f> {
    /// Values of parts without placeholders are kept there.
    pub checker: &'a Checker<'f>,
    /// Of the formula.
    pub shape: &'a Shape,
    /// Pairs (state, minterm) of which the state satisfies the minterm; or a set of states.
    pub placeholder: Bdd,
    memo: RefCell<HashMap<ExprId, Bdd>>,
    /// By region: what is reached from it, and a state that is among the last.
    pub(super) reached: Rc<RefCell<HashMap<Bdd, (Bdd, Bdd)>>>,
}

impl<'a, 'f> Pass<'a, 'f> {
    /// Nothing is evaluated yet.
    pub fn new(checker: &'a Checker<'f>, shape: &'a Shape, placeholder: Bdd) -> Self {
        Pass {
            checker,
            shape,
            placeholder,
            memo: RefCell::default(),
            reached: Rc::default(),
        }
    }

    /// The pass for some of the minterms only; for others it means nothing.
    pub fn within(&self, minterms: &Bdd) -> DdResult<Self> {
        Ok(Pass {
            placeholder: self.placeholder.and(minterms)?,
            memo: RefCell::default(),
            reached: Rc::clone(&self.reached),
            ..*self
        })
    }

    /// The pairs (state of the care set, minterm) that satisfy a subformula.
    pub fn sat(&self, e: ExprId) -> Result<Bdd> {
        if !self.shape.holds_placeholder(e) {
            return self.checker.sat(e);
        }
        kept(&self.memo, e, || {
            let value = self.checker.of_operands(e, |e| self.sat(e))?;
            // What holds a placeholder and is no operator is one.
            let hole = || TwoValued(self.checker).embed(&self.placeholder);
            Ok(value.map_or_else(hole, Ok)?)
        })
    }
}
