//! Queries: which minterms, put for the placeholder of a formula, make it true?
//!
//! A *minterm* gives each variable of the placeholder a value. "The current values equal the fresh
//! bits" is put for the placeholder (Bobaru 2009, section 4.7.4), so that one bottom-up pass yields,
//! as a set of pairs (state, minterm), where which minterm makes the formula true. The fresh bits
//! belong to [`crate::encode::Layout`]; no constraint, quantification or fairness touches them.
//! Polarity does not matter: `!?` is the complement of the same set.
//!
//! | module | what |
//! |---|---|
//! | [`shape`] | where the placeholders stand, and in which polarity |
//! | [`pass`] | the bottom-up pass |
//! | [`forward`] | answers of sets of states, or bounds, from the top of the formula downwards |
//! | [`solve`] | both answers: for all initial states, and for some of them with which |
//! | [`starts`] | the first solutions with the initial states in which they hold |
//! | [`cubes`] | solutions as cubes: products of sets of values |
//! | [`mod@answer`] | all that was asked of one query |
//! | [`naive`] | each minterm by a check of its own: the yardstick |
//! | [`refine`] | single variables first, then pairs, and so on |
//! | [`strongest`] | the strongest propositional solutions, not minterms only |
//!
//! Deliberately absent: printing and options.

pub mod answer;
pub mod cubes;
pub mod forward;
pub mod naive;
pub mod pass;
pub mod refine;
pub mod shape;
pub mod solve;
pub mod starts;
pub mod strongest;
#[cfg(test)]
pub(crate) mod testing;

pub use answer::{Answer, Config, answer};
pub use cubes::{Cube, Listing, Values};
pub use shape::Shape;
pub use solve::Question;
