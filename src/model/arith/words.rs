//! Operations on words: two's complement of any width, by way of the number a word stands for or of its bits.

use super::{EvalError, Result, truth};
use crate::model::MAX_WORD_WIDTH;
use crate::model::value::{Value, Word};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{ToPrimitive, Zero};
use smv_grammar::ops::BinOp;

/// A word of `width` bits, the lowest of `v` in two's complement.
pub fn word(signed: bool, width: u32, v: &BigInt) -> Word {
    let modulus = BigInt::from(1) << width;
    let mut r = v % &modulus;
    if r.sign() == Sign::Minus {
        r += modulus;
    }
    Word {
        signed,
        width,
        bits: r.magnitude().clone(),
    }
}

/// The number a word stands for.
pub fn number(w: &Word) -> BigInt {
    let v = BigInt::from(w.bits.clone());
    if w.is_negative() {
        v - (BigInt::from(1) << w.width)
    } else {
        v
    }
}

/// The word of this width with every bit set.
fn ones(width: u32) -> BigUint {
    (BigUint::from(1u8) << width) - 1u8
}

/// `! w`.
pub(super) fn not(w: &Word) -> Word {
    Word {
        bits: ones(w.width) ^ &w.bits,
        ..w.clone()
    }
}

/// All binary operators on words but shifts, `/` and `mod`.
pub(super) fn binary(op: BinOp, a: &Word, b: &Word) -> Result<Value> {
    use BinOp::*;
    if op == Concat {
        if a.width + b.width > MAX_WORD_WIDTH {
            return Err(EvalError::Type(op.text()));
        }
        return Ok(Value::Word(Word {
            signed: false,
            width: a.width + b.width,
            bits: (&a.bits << b.width) | &b.bits,
        }));
    }
    if a.width != b.width {
        return Err(EvalError::Type(op.text()));
    }
    let bits = |bits: BigUint| Ok(Value::Word(Word { bits, ..a.clone() }));
    let arith = |v: BigInt| Ok(Value::Word(word(a.signed, a.width, &v)));
    let order = |f: fn(std::cmp::Ordering) -> bool| Ok(Value::Bool(f(number(a).cmp(&number(b)))));
    match op {
        And => bits(&a.bits & &b.bits),
        Or => bits(&a.bits | &b.bits),
        Xor => bits(&a.bits ^ &b.bits),
        Xnor | Iff => bits(ones(a.width) ^ (&a.bits ^ &b.bits)),
        Implies => bits((ones(a.width) ^ &a.bits) | &b.bits),
        Add => arith(number(a) + number(b)),
        Sub => arith(number(a) - number(b)),
        Mul => arith(number(a) * number(b)),
        Lt => order(std::cmp::Ordering::is_lt),
        Le => order(std::cmp::Ordering::is_le),
        Gt => order(std::cmp::Ordering::is_gt),
        Ge => order(std::cmp::Ordering::is_ge),
        _ => Err(EvalError::Type(op.text())),
    }
}

/// `a / b` or `a mod b` of words of one width; none by zero.
pub(super) fn division(quotient: bool, a: &Word, b: &Word) -> Option<Word> {
    if b.bits.is_zero() {
        return None;
    }
    let (x, y) = (number(a), number(b));
    // BigInt division is cut towards zero, as C's.
    let v = if quotient { x / y } else { x % y };
    Some(word(a.signed, a.width, &v))
}

/// Shifts and rotations; the distance is at most the width. `>>` on signed words copies the sign.
pub(super) fn shift(op: BinOp, w: &Word, by: &Value) -> Result<Value> {
    let by = match by {
        Value::Int(i) => u32::try_from(*i).ok(),
        Value::Word(d) if !d.signed => d.bits.to_u32(),
        _ => return Err(EvalError::Type(op.text())),
    };
    let by = by.filter(|&d| d <= w.width).ok_or(EvalError::ShiftRange)?;
    let ones = ones(w.width);
    let rotate = |left: u32| ((&w.bits << left) | (&w.bits >> (w.width - left))) & &ones;
    let bits = match op {
        BinOp::Lsh => (&w.bits << by) & &ones,
        BinOp::Rsh => return Ok(Value::Word(word(w.signed, w.width, &(number(w) >> by)))),
        BinOp::Lrot => rotate(by),
        _ => rotate(w.width - by),
    };
    Ok(Value::Word(Word { bits, ..w.clone() }))
}

/// `w[hi:lo]`, unsigned.
pub fn bit_select(v: &Value, hi: u32, lo: u32) -> Result<Value> {
    match v {
        Value::Word(w) if lo <= hi && hi < w.width => {
            let width = hi - lo + 1;
            Ok(Value::Word(Word {
                signed: false,
                width,
                bits: (&w.bits >> lo) & ones(width),
            }))
        }
        _ => Err(EvalError::Type("[ : ]")),
    }
}

/// `extend(w, by)`.
pub fn extend(v: &Value, by: u32) -> Result<Value> {
    match v {
        Value::Word(w) => Ok(Value::Word(word(w.signed, w.width + by, &number(w)))),
        _ => Err(EvalError::Type("extend")),
    }
}

/// `resize(w, width)`: unsigned words are cut or filled; signed ones keep their sign bit.
pub fn resize(v: &Value, width: u32) -> Result<Value> {
    match v {
        Value::Word(w) if width > 0 => {
            if !w.signed || width >= w.width {
                return Ok(Value::Word(word(w.signed, width, &number(w))));
            }
            let mut bits = &w.bits & ones(width - 1);
            bits.set_bit(u64::from(width) - 1, w.bits.bit(u64::from(w.width) - 1));
            Ok(Value::Word(Word {
                signed: true,
                width,
                bits,
            }))
        }
        _ => Err(EvalError::Type("resize")),
    }
}

/// `signed(w)` and `unsigned(w)`: same bits.
pub fn cast_sign(v: &Value, signed: bool) -> Result<Value> {
    match v {
        Value::Word(w) => Ok(Value::Word(Word {
            signed,
            ..w.clone()
        })),
        _ => Err(EvalError::Type(if signed { "signed" } else { "unsigned" })),
    }
}

/// `word1(b)`.
pub fn word1(v: &Value) -> Result<Value> {
    Ok(Value::Word(Word {
        signed: false,
        width: 1,
        bits: u8::from(truth(v)?).into(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::arith::{self, DivMode};
    use smv_grammar::ops::UnOp;

    fn sw(v: i64, width: u32) -> Value {
        Value::Word(word(true, width, &v.into()))
    }

    fn uw(v: i64, width: u32) -> Value {
        Value::Word(word(false, width, &v.into()))
    }

    #[test]
    fn words_match_the_reference() {
        let c = BinOp::Concat;
        assert_eq!(arith::binary(c, &uw(9, 4), &uw(1, 2)), Ok(uw(37, 6)));
        assert_eq!(
            arith::binary(BinOp::Rsh, &sw(-7, 4), &Value::Int(1)),
            Ok(sw(-4, 4))
        );
        assert_eq!(
            arith::binary(BinOp::Lsh, &sw(-7, 4), &Value::Int(1)),
            Ok(sw(2, 4))
        );
        assert_eq!(
            arith::binary(BinOp::Lsh, &uw(9, 4), &Value::Int(5)),
            Err(EvalError::ShiftRange)
        );
        assert_eq!(
            arith::division(BinOp::Div, &sw(-8, 4), &sw(-1, 4), 1, DivMode::Truncate),
            Ok(sw(-8, 4))
        );
        assert_eq!(resize(&sw(-7, 4), 3), Ok(sw(-3, 3)));
        assert_eq!(resize(&sw(6, 4), 3), Ok(sw(2, 3)));
        assert_eq!(resize(&sw(-8, 4), 2), Ok(sw(-2, 2)));
        assert_eq!(resize(&uw(9, 4), 3), Ok(uw(1, 3)));
        assert_eq!(
            arith::binary(BinOp::Implies, &uw(3, 4), &uw(5, 4)),
            Ok(uw(13, 4))
        );
        assert_eq!(extend(&sw(-7, 4), 2), Ok(sw(-7, 6)));
        assert_eq!(arith::unary(UnOp::Neg, &uw(3, 4)), Ok(uw(13, 4)));
        assert_eq!(
            arith::binary(BinOp::Mul, &uw(9, 100), &uw(9, 100)),
            Ok(uw(81, 100))
        );
    }
}
