//! Operators of CTL.

use smv_grammar::ops::{BinOp, BoundedOp, UnOp};

/// An operator of CTL without its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum CtlOp {
    Not,
    /// `& | xor xnor -> <->`
    Bool(BinOp),
    /// `EX AX EF AF EG AG`
    Temporal(UnOp),
    /// `E[U] A[U]`
    Until(BinOp),
    Bounded {
        op: BoundedOp,
        lo: u32,
        hi: u32,
    },
}
