//! Operators and functions: what the words mean, and how tightly they bind.

use super::class::Class;
use crate::ops::{BinOp, Func};
use crate::psl::{Infix, Prefix};

pub(super) const IMPLIES: u8 = 2;
pub(super) const NEXT: u8 = 3;
pub(super) const BEFORE: u8 = 4;
pub(super) const UNTIL: u8 = 5;
pub(super) const ABORT: u8 = 6;
pub(super) const UNARY: u8 = 7;
pub(super) const IN: u8 = 8;
pub(super) const ITE: u8 = 9;

pub(super) enum Op {
    Value(BinOp),
    Temporal(Infix),
}

/// Level and meaning of a binary operator.
pub(super) fn infix(sign: &str) -> Option<(u8, Op)> {
    use BinOp::*;
    let until = |strong, inclusive| Op::Temporal(Infix::Until { strong, inclusive });
    let before = |strong, inclusive| Op::Temporal(Infix::Before { strong, inclusive });
    Some(match sign {
        "->" => (IMPLIES, Op::Value(Implies)),
        "<->" => (IMPLIES, Op::Value(Iff)),
        "before" => (BEFORE, before(false, false)),
        "before!" => (BEFORE, before(true, false)),
        "before_" => (BEFORE, before(false, true)),
        "before!_" => (BEFORE, before(true, true)),
        "until" => (UNTIL, until(false, false)),
        "until!" => (UNTIL, until(true, false)),
        "until_" => (UNTIL, until(false, true)),
        "until!_" => (UNTIL, until(true, true)),
        "abort" => (ABORT, Op::Temporal(Infix::Abort)),
        "in" => (IN, Op::Value(In)),
        "union" => (IN, Op::Value(Union)),
        "|" | "||" => (10, Op::Value(Or)),
        "xor" => (11, Op::Value(Xor)),
        "xnor" => (11, Op::Value(Xnor)),
        "&" | "&&" => (12, Op::Value(And)),
        "=" | "==" => (13, Op::Value(Eq)),
        "!=" => (13, Op::Value(Neq)),
        "<" => (14, Op::Value(Lt)),
        "<=" => (14, Op::Value(Le)),
        ">" => (14, Op::Value(Gt)),
        ">=" => (14, Op::Value(Ge)),
        "<<" => (15, Op::Value(Lsh)),
        ">>" => (15, Op::Value(Rsh)),
        "+" => (16, Op::Value(Add)),
        "-" => (16, Op::Value(Sub)),
        "*" => (17, Op::Value(Mul)),
        "/" => (17, Op::Value(Div)),
        "mod" => (17, Op::Value(Mod)),
        "::" => (17, Op::Value(Concat)),
        _ => return None,
    })
}

/// Level and meaning of an operator in front.
pub(super) fn prefix(sign: &str) -> Option<(u8, Prefix)> {
    use Prefix::*;
    Some(match sign {
        "always" => (1, Always),
        "never" => (1, Never),
        "G" => (1, G),
        "eventually!" => (NEXT, Eventually),
        "next" => (NEXT, Next { strong: false }),
        "next!" => (NEXT, Next { strong: true }),
        "X" => (UNARY, X { strong: false }),
        "X!" => (UNARY, X { strong: true }),
        "F" => (UNARY, F),
        "AX" => (UNARY, Ax),
        "AF" => (UNARY, Af),
        "AG" => (UNARY, Ag),
        "EX" => (UNARY, Ex),
        "EF" => (UNARY, Ef),
        "EG" => (UNARY, Eg),
        _ => return None,
    })
}

pub(super) fn function(word: &str) -> Option<(Func, Class)> {
    use Func::*;
    Some(match word {
        "bool" => (Bool, Class::BOOLEAN),
        "word1" => (Word1, Class::WORD),
        "extend" => (Extend, Class::WORD),
        "resize" => (Resize, Class::WORD),
        "signed" => (Signed, Class::WORD),
        "unsigned" => (Unsigned, Class::WORD),
        "swconst" => (SwConst, Class::WORD),
        "uwconst" => (UwConst, Class::WORD),
        "toint" => (ToInt, Class::NUMERIC),
        "sizeof" => (SizeOf, Class::NUMERIC),
        _ => return None,
    })
}
