//! Word constants: `0[u|s]{b|o|d|h}[width]_digits`.
//!
//! Text → [`WordLit`]. Underscores between digits are skipped; without a width each digit counts
//! 1, 3 or 4 bits. NuSMV stops at 64 bits, we do not.

use crate::ast::WordLit;
use num_bigint::BigUint;
use std::cell::Cell;
use thiserror::Error;

/// Widest word we agree to build, so that a typing error does not eat the memory.
pub const MAX_WIDTH: u32 = 1 << 20;

/// The base in which words are written (NuSMV's `output_word_format`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names tell")]
pub enum Base {
    Binary,
    Octal,
    #[default]
    Decimal,
    Hexadecimal,
}

impl Base {
    /// The base of this number.
    pub fn from_number(n: i64) -> Option<Base> {
        Some(match n {
            2 => Base::Binary,
            8 => Base::Octal,
            10 => Base::Decimal,
            16 => Base::Hexadecimal,
            _ => return None,
        })
    }
}

thread_local! {
    /// Like C's locale: what all printers of a thread obey, none has to hand on and no parser reads.
    static BASE: Cell<Base> = const { Cell::new(Base::Decimal) };
}

/// From now on this thread writes words in `base`.
pub fn write_in(base: Base) {
    BASE.set(base);
}

/// Whether bits stand for a negative number.
pub fn is_negative(signed: bool, width: u32, bits: &BigUint) -> bool {
    signed && width > 0 && bits.bit(u64::from(width) - 1)
}

/// The text of a word whose bits are `bits`. Only in decimal a negative one has a sign.
pub fn text(signed: bool, width: u32, bits: &BigUint) -> String {
    let sign = if signed { 's' } else { 'u' };
    match BASE.get() {
        Base::Binary => {
            let digits = bits.to_str_radix(2);
            format!(
                "0{sign}b{width}_{digits:0>length$}",
                length = width as usize
            )
        }
        Base::Octal => format!("0{sign}o{width}_{}", bits.to_str_radix(8)),
        Base::Decimal if is_negative(signed, width, bits) => {
            let magnitude = (BigUint::from(1u32) << width) - bits;
            format!("-0sd{width}_{magnitude}")
        }
        Base::Decimal => format!("0{sign}d{width}_{bits}"),
        Base::Hexadecimal => {
            let digits = bits.to_str_radix(16).to_uppercase();
            format!("0{sign}h{width}_{digits}")
        }
    }
}

/// What `print` prints if words are written in `base`.
pub fn printed_in<T>(base: Base, print: impl FnOnce() -> T) -> T {
    let before = BASE.replace(base);
    let printed = print();
    BASE.set(before);
    printed
}

/// A text whose words are hexadecimal, with its words in the base of now.
pub fn in_base_of_now(printed: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_$#\\".contains(c);
    let mut out = String::with_capacity(printed.len());
    let mut rest = printed;
    while let Some(first) = rest.chars().next() {
        // A number within a name is none: names and numbers go through whole.
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let piece = &rest[..end.max(first.len_utf8())];
        match literal_length(piece.as_bytes()) {
            Some(len) if len == piece.len() => match parse(piece.as_bytes()) {
                Ok(w) => out += &text(w.signed, w.width, &w.value),
                Err(_) => out += piece,
            },
            _ => out += piece,
        }
        rest = &rest[piece.len()..];
    }
    out
}

/// Why a word constant has no value; the texts are NuSMV's.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages tell")]
pub enum WordError {
    #[error("overflow or underflow in the width specifier of a Word constant")]
    WidthOverflow,
    #[error("width of a Word constant is out of range 1..{MAX_WIDTH}")]
    WidthRange,
    #[error("decimal Word constant without width specifier")]
    DecimalWithoutWidth,
    #[error("erroneous character '{0}' in a Word constant value")]
    Digit(char),
    #[error("value of a Word constant {0} is outside of its width")]
    Value(String),
    #[error("value of a decimal Signed Word constant {0} is outside of its width")]
    SignedValue(String),
}

/// Length of the word constant at the start of `text`, if there is one.
pub fn literal_length(text: &[u8]) -> Option<usize> {
    let mut len = 1;
    if text.first() != Some(&b'0') {
        return None;
    }
    if matches!(text.get(len), Some(b'u' | b's')) {
        len += 1;
    }
    if !matches!(
        text.get(len)?,
        b'b' | b'B' | b'o' | b'O' | b'd' | b'D' | b'h' | b'H'
    ) {
        return None;
    }
    len += 1;
    len += text[len..]
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .count();
    if text.get(len) != Some(&b'_') || !text.get(len + 1)?.is_ascii_hexdigit() {
        return None;
    }
    len += 1;
    let is_digit = |b: &&u8| b.is_ascii_hexdigit() || **b == b'_';
    Some(len + text[len..].iter().take_while(is_digit).count())
}

/// Reads the constant `text`, whose shape [`literal_length`] has accepted.
pub fn parse(text: &[u8]) -> Result<WordLit, WordError> {
    let name = || String::from_utf8_lossy(text).into_owned();
    let signed = text.get(1) == Some(&b's');
    let body = if matches!(text.get(1), Some(b'u' | b's')) {
        &text[2..]
    } else {
        &text[1..]
    };
    let (radix, bits) = match body.first().map(u8::to_ascii_lowercase) {
        Some(b'b') => (2, 1),
        Some(b'o') => (8, 3),
        Some(b'h') => (16, 4),
        _ => (10, 0),
    };
    let bar = body.iter().position(|&b| b == b'_').unwrap_or(body.len());
    let digits: Vec<u8> = body[bar..]
        .iter()
        .filter(|&&b| b != b'_')
        .copied()
        .collect();
    let width = width(&body[1..bar], digits.len(), bits)?;
    if let Some(&bad) = digits.iter().find(|&&b| !(b as char).is_digit(radix)) {
        return Err(WordError::Digit(bad as char));
    }
    let value = BigUint::parse_bytes(&digits, radix).unwrap_or_default();
    if value.bits() > u64::from(width) {
        return Err(WordError::Value(name()));
    }
    // `0sdN_V` is a magnitude: only the least value may use the sign bit.
    let least = BigUint::from(1u8) << (width - 1);
    if signed && radix == 10 && value > least {
        return Err(WordError::SignedValue(name()));
    }
    Ok(WordLit {
        signed,
        width,
        value,
    })
}

fn width(written: &[u8], digits: usize, bits: usize) -> Result<u32, WordError> {
    let width = if written.is_empty() {
        if bits == 0 {
            return Err(WordError::DecimalWithoutWidth);
        }
        (digits * bits) as u64
    } else {
        written
            .iter()
            .try_fold(0u64, |n, b| {
                n.checked_mul(10)?.checked_add(u64::from(b - b'0'))
            })
            .ok_or(WordError::WidthOverflow)?
    };
    u32::try_from(width)
        .ok()
        .filter(|w| (1..=MAX_WIDTH).contains(w))
        .ok_or(WordError::WidthRange)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_in_all_bases() {
        let all = |signed, bits: u32| {
            let bases = [Base::Binary, Base::Octal, Base::Decimal, Base::Hexadecimal];
            bases.map(|base| {
                write_in(base);
                text(signed, 5, &bits.into())
            })
        };
        assert_eq!(
            all(false, 10),
            ["0ub5_01010", "0uo5_12", "0ud5_10", "0uh5_A"]
        );
        assert_eq!(all(true, 7), ["0sb5_00111", "0so5_7", "0sd5_7", "0sh5_7"]);
        assert_eq!(
            all(true, 29),
            ["0sb5_11101", "0so5_35", "-0sd5_3", "0sh5_1D"]
        );
        assert_eq!(
            all(true, 16),
            ["0sb5_10000", "0so5_20", "-0sd5_16", "0sh5_10"]
        );
        let printed = "AG (a0uh5_A = 0uh5_A & é.b = -0sh5_3 + 0sh5_1D) ";
        let octal = "AG (a0uh5_A = 0uo5_12 & é.b = -0so5_3 + 0so5_35) ";
        assert_eq!(printed_in(Base::Octal, || in_base_of_now(printed)), octal);
        let decimal = "AG (a0uh5_A = 0ud5_10 & é.b = -0sd5_3 + -0sd5_3) ";
        write_in(Base::Decimal);
        assert_eq!(in_base_of_now(printed), decimal);
    }
}
