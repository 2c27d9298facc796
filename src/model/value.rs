//! Values of SMV expressions.

use num_bigint::BigUint;
use serde::{Deserialize, Serialize};
use smv_grammar::word;

/// An interned symbolic constant (`red`, `m.busy`); see [`super::expr::ExprPool::symbol`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SymId(pub u32);

/// A word: the low `width` bits of `bits`; two's complement when `signed`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Word {
    /// How the bits are read as a number.
    pub signed: bool,
    /// In bits, at least 1.
    pub width: u32,
    /// Below 2^width.
    pub bits: BigUint,
}

impl Word {
    /// Whether it stands for a negative number.
    pub fn is_negative(&self) -> bool {
        word::is_negative(self.signed, self.width, &self.bits)
    }
}

/// A value of an expression. `Set` holds at least two distinct values, sorted; a set of one value
/// is that value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum Value {
    Bool(bool),
    Int(i64),
    Sym(SymId),
    Word(Word),
    Set(Vec<Value>),
}
