//! What may be known or asked of the value of a CTL operator before it is computed.
//!
//! A [`Hint`] makes a fixpoint cheaper where the value is known for neighbouring operands, or where only
//! one question about the value is asked. With smaller operands `F_new ⊑ F_old`, so the old
//! `νZ.F_old(Z)` is above `νZ.F_new(Z)` and iterating from it descends to it; with larger operands, dually, for
//! least fixpoints. In the other two cases the old value is a bound whose being reached ends the iteration:
//!
//! * `E[f U g]` with `g ⊑ g_old`: once an approximation holds `g_old`, it holds `E[f U g_old]`.
//! * `EG f` with `f_old ⊑ f`: once an approximation is below `f_old`, it is below `EG f_old`, since
//!   the fair paths along `f` stay within `EG f`.

use super::algebra::Algebra;
use crate::dd::Bdd;

/// A value of the same operator, with its operands.
pub struct Kept<'a, V> {
    /// The result of the operator for `a` and `b`.
    pub value: &'a V,
    /// Its first operand.
    pub a: &'a V,
    /// Its second, if it has two.
    pub b: Option<&'a V>,
}

/// How a known value of the same operator lies to the present one.
pub enum Seed<'a, V> {
    /// Nothing is known.
    None,
    /// The present operands are smaller: the result is below this value.
    Below(Kept<'a, V>),
    /// The present operands are larger: the result is above this value.
    Above(Kept<'a, V>),
}

/// A question about a value.
#[derive(Clone, Copy, Debug)]
pub enum Need<'a> {
    /// Is it top on all these states?
    Top(&'a Bdd),
    /// Is it bottom on all these states?
    Bottom(&'a Bdd),
}

/// What is known and asked beforehand.
pub struct Hint<'a, V> {
    /// What is known.
    pub seed: Seed<'a, V>,
    /// The result may be any value with the same answer to this question.
    pub need: Option<Need<'a>>,
}

impl<V> Hint<'_, V> {
    /// Nothing is known or asked.
    pub const NONE: Self = Hint {
        seed: Seed::None,
        need: None,
    };
}

impl<'a> Need<'a> {
    /// The same question, about the negated value.
    pub fn dual(self) -> Need<'a> {
        match self {
            Need::Top(s) => Need::Bottom(s),
            Need::Bottom(s) => Need::Top(s),
        }
    }

    /// The answer.
    pub fn met_by<A: Algebra>(self, algebra: &A, value: &A::Value) -> bool {
        match self {
            Need::Top(s) => algebra.top_on(value, s),
            Need::Bottom(s) => algebra.bottom_on(value, s),
        }
    }

    /// The answer is the same for all values above this one.
    pub(super) fn settled_above<A: Algebra>(self, algebra: &A, value: &A::Value) -> bool {
        matches!(self, Need::Top(_)) == self.met_by(algebra, value)
    }

    /// The answer is the same for all values below this one.
    pub(super) fn settled_below<A: Algebra>(self, algebra: &A, value: &A::Value) -> bool {
        matches!(self, Need::Bottom(_)) == self.met_by(algebra, value)
    }
}

// Not derived, since that would ask the same of V.
impl<V> Copy for Kept<'_, V> {}
impl<V> Copy for Seed<'_, V> {}
impl<V> Copy for Hint<'_, V> {}

impl<V> Clone for Kept<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Clone for Seed<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Clone for Hint<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}
