//! Operations on values, as NuSMV defines them: Booleans, numbers and sets here, words in `words`.
//!
//! `(operator, operands) → value or` [`EvalError`]. Integers are 32-bit and wrap around like C's;
//! words are two's complement of any width. Operators applied to sets work on each member. Booleans
//! and numbers are different values also under `-old`, which only lets expressions pass that mix them.
//!
//! Used by constant folding while flattening and by the explicit evaluator; shares nothing with
//! the encoder.

mod words;

pub use words::{bit_select, cast_sign, extend, number, resize, word, word1};

use super::expr::FailKind;
use super::value::Value;
use num_traits::{ToPrimitive, Zero};
use smv_grammar::ops::{BinOp, UnOp};

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages tell")]
pub enum EvalError {
    #[error("no value for variable {0}")]
    NoValue(String),
    #[error("next value used where there is no next state")]
    NoNextState,
    #[error("line {line}: {}", fail_text(*kind))]
    Fail { kind: FailKind, line: u32 },
    #[error("shift distance out of range")]
    ShiftRange,
    #[error("operands do not fit the operator {0}")]
    Type(&'static str),
    /// Numbers are needed; `-old` lets others pass.
    #[error("operands do not fit the operator {op}")]
    NoNumbers {
        op: &'static str,
        a: Value,
        b: Option<Value>,
    },
    /// A truth value is needed; `-old` lets others pass.
    #[error("a Boolean expression is expected")]
    NoTruth(Value),
    #[error("temporal operator in a state expression")]
    Temporal,
    #[error("a placeholder where no query is asked")]
    Placeholder,
}

fn fail_text(kind: FailKind) -> &'static str {
    match kind {
        FailKind::CaseNotExhaustive => "case conditions are not exhaustive",
        FailKind::ArrayOutOfBounds => "array access out of bounds",
        FailKind::DivisionByZero => "division by zero",
        FailKind::ShiftRange { .. } => "shift distance out of range",
    }
}

type Result<T> = std::result::Result<T, EvalError>;

/// Semantics of integer `/` and `mod`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DivMode {
    /// C: the quotient is cut towards zero.
    #[default]
    Truncate,
    /// `-old_div_op`: a negative remainder is corrected by the divisor.
    Old,
}

/// An integer as NuSMV stores it: 32 bits, wrapping.
pub fn int(v: i64) -> Value {
    Value::Int(i64::from(v as i32))
}

/// Truth of a Boolean value.
pub fn truth(v: &Value) -> Result<bool> {
    match v {
        Value::Bool(b) => Ok(*b),
        other => Err(EvalError::NoTruth(other.clone())),
    }
}

/// The values of a set, or the value alone.
pub fn members(v: &Value) -> &[Value] {
    match v {
        Value::Set(s) => s,
        v => std::slice::from_ref(v),
    }
}

/// The set of `values`, or the value alone if there is one only.
pub fn set(mut values: Vec<Value>) -> Value {
    values.sort();
    values.dedup();
    if values.len() == 1 {
        values.remove(0)
    } else {
        Value::Set(values)
    }
}

/// The set of the values of both.
pub fn union(a: &Value, b: &Value) -> Value {
    set([members(a), members(b)].concat())
}

/// `f` applied to each member.
pub fn lift1(v: &Value, f: impl Fn(&Value) -> Result<Value>) -> Result<Value> {
    match v {
        Value::Set(s) => Ok(set(s.iter().map(f).collect::<Result<_>>()?)),
        v => f(v),
    }
}

/// `f` applied to each pair of members.
pub fn lift2(a: &Value, b: &Value, f: impl Fn(&Value, &Value) -> Result<Value>) -> Result<Value> {
    match (a, b) {
        (Value::Set(_), _) | (_, Value::Set(_)) => {
            let mut out = Vec::new();
            for x in members(a) {
                for y in members(b) {
                    out.push(f(x, y)?);
                }
            }
            Ok(set(out))
        }
        _ => f(a, b),
    }
}

/// `! v` and `- v`.
pub fn unary(op: UnOp, v: &Value) -> Result<Value> {
    match (op, v) {
        (UnOp::Not, Value::Word(w)) => Ok(Value::Word(words::not(w))),
        (UnOp::Not, v) => Ok(Value::Bool(!truth(v)?)),
        (UnOp::Neg, Value::Int(i)) => Ok(int(-i)),
        (UnOp::Neg, Value::Word(w)) => Ok(Value::Word(word(w.signed, w.width, &-number(w)))),
        (UnOp::Neg, other) => Err(EvalError::NoNumbers {
            op: "- (unary)",
            a: other.clone(),
            b: None,
        }),
        _ => Err(EvalError::Type(op.text())),
    }
}

/// All binary operators on scalars but `/`, `mod`, `union` and `in`.
pub fn binary(op: BinOp, a: &Value, b: &Value) -> Result<Value> {
    use BinOp::*;
    match (op, a, b) {
        (Eq, ..) => Ok(Value::Bool(a == b)),
        (Neq, ..) => Ok(Value::Bool(a != b)),
        (Lsh | Rsh | Lrot | Rrot, Value::Word(w), _) => words::shift(op, w, b),
        (_, Value::Word(x), Value::Word(y)) => words::binary(op, x, y),
        (And | Or | Xor | Xnor | Implies | Iff, ..) => {
            let (x, y) = (truth(a)?, truth(b)?);
            Ok(Value::Bool(match op {
                And => x && y,
                Or => x || y,
                Xor => x != y,
                Implies => !x || y,
                _ => x == y,
            }))
        }
        _ => {
            let (x, y) = integers(op, a, b)?;
            Ok(match op {
                Lt => Value::Bool(x < y),
                Le => Value::Bool(x <= y),
                Gt => Value::Bool(x > y),
                Ge => Value::Bool(x >= y),
                Add => int(x + y),
                Sub => int(x - y),
                Mul => int(x.wrapping_mul(y)),
                _ => return Err(EvalError::Type(op.text())),
            })
        }
    }
}

fn integers(op: BinOp, a: &Value, b: &Value) -> Result<(i64, i64)> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Ok((*x, *y)),
        _ => Err(EvalError::NoNumbers {
            op: op.text(),
            a: a.clone(),
            b: Some(b.clone()),
        }),
    }
}

/// `a / b` and `a mod b`.
pub fn division(op: BinOp, a: &Value, b: &Value, line: u32, mode: DivMode) -> Result<Value> {
    let zero = EvalError::Fail {
        kind: FailKind::DivisionByZero,
        line,
    };
    let quotient = op == BinOp::Div;
    match (a, b) {
        (Value::Word(x), Value::Word(y)) if x.width == y.width => {
            words::division(quotient, x, y).map(Value::Word).ok_or(zero)
        }
        (Value::Word(_), _) | (_, Value::Word(_)) => Err(EvalError::Type(op.text())),
        _ => {
            let (x, y) = integers(op, a, b)?;
            if y == 0 {
                return Err(zero);
            }
            let (mut q, mut r) = (x / y, x % y);
            if mode == DivMode::Old && r < 0 {
                q -= 1;
                r += y;
            }
            Ok(int(if quotient { q } else { r }))
        }
    }
}

/// `a in b`: every member of `a` is one of `b`.
pub fn contained(a: &Value, b: &Value) -> bool {
    members(a).iter().all(|x| members(b).contains(x))
}

/// `bool(v)` of a `word[1]`, an integer (nonzero is TRUE) or a Boolean.
pub fn to_bool(v: &Value) -> Result<Value> {
    match v {
        Value::Bool(b) => Ok(Value::Bool(*b)),
        Value::Int(i) => Ok(Value::Bool(*i != 0)),
        Value::Word(w) if w.width == 1 => Ok(Value::Bool(!w.bits.is_zero())),
        _ => Err(EvalError::Type("bool")),
    }
}

/// `toint(v)` of a word, an integer or a Boolean.
pub fn to_int(v: &Value) -> Result<Value> {
    match v {
        Value::Bool(b) => Ok(int(i64::from(*b))),
        Value::Int(i) => Ok(Value::Int(*i)),
        Value::Word(w) => number(w).to_i64().map(int).ok_or(EvalError::Type("toint")),
        _ => Err(EvalError::Type("toint")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_and_divide_like_c() {
        let max = Value::Int(i64::from(i32::MAX));
        assert_eq!(
            binary(BinOp::Add, &max, &Value::Int(1)),
            Ok(Value::Int(i32::MIN.into()))
        );
        let div = |a, b, m| {
            let f = |op| match division(op, &Value::Int(a), &Value::Int(b), 1, m) {
                Ok(Value::Int(i)) => i,
                other => panic!("{other:?}"),
            };
            (f(BinOp::Div), f(BinOp::Mod))
        };
        assert_eq!(div(-7, 2, DivMode::Truncate), (-3, -1));
        assert_eq!(div(7, -2, DivMode::Truncate), (-3, 1));
        assert_eq!(div(-7, 2, DivMode::Old), (-4, 1));
        assert_eq!(div(7, -2, DivMode::Old), (-3, 1));
        assert_eq!(div(-7, -2, DivMode::Old), (2, -3));
        assert!(division(BinOp::Mod, &max, &Value::Int(0), 1, DivMode::Old).is_err());
    }

    #[test]
    fn sets_are_lifted() {
        let s = set(vec![Value::Int(2), Value::Int(1), Value::Int(2)]);
        assert_eq!(s, Value::Set(vec![Value::Int(1), Value::Int(2)]));
        let twice = lift2(&s, &Value::Int(1), |a, b| binary(BinOp::Add, a, b));
        assert_eq!(twice, Ok(Value::Set(vec![Value::Int(2), Value::Int(3)])));
        assert!(contained(&Value::Int(2), &s) && !contained(&s, &Value::Int(2)));
    }
}
