//! Word constants: `0[u|s]{b|o|d|h}[width]_digits`.
//!
//! Text → [`WordLit`]. Underscores between digits are skipped; without a width each digit counts
//! 1, 3 or 4 bits. NuSMV stops at 64 bits, we do not.

use crate::ast::WordLit;
use num_bigint::BigUint;
use thiserror::Error;

/// Widest word we agree to build, so that a typing error does not eat the memory.
pub const MAX_WIDTH: u32 = 1 << 20;

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
