//! Word operators, bit by bit. Words are vectors of BDDs, most significant bit first.

use crate::dd::{Bdd, DdResult, Manager};

/// A word whose bits are functions.
pub type Bits = Vec<Bdd>;

/// `a + b + carry`, modulo 2^width.
pub fn add(a: &[Bdd], b: &[Bdd], carry: Bdd) -> DdResult<Bits> {
    let mut carry = carry;
    let mut sum = Vec::with_capacity(a.len());
    for (x, y) in a.iter().zip(b).rev() {
        let half = x.xor(y)?;
        sum.push(half.xor(&carry)?);
        carry = half.ite(&carry, x)?;
    }
    sum.reverse();
    Ok(sum)
}

/// Bitwise complement.
pub fn not(a: &[Bdd]) -> Bits {
    a.iter().map(Bdd::not).collect()
}

/// `-a`
pub fn neg(manager: &Manager, a: &[Bdd]) -> DdResult<Bits> {
    let zero = vec![manager.zero(); a.len()];
    add(&not(a), &zero, manager.one())
}

/// `a - b`
pub fn sub(manager: &Manager, a: &[Bdd], b: &[Bdd]) -> DdResult<Bits> {
    add(a, &not(b), manager.one())
}

/// `c ? a : b`
pub fn ite(c: &Bdd, a: &[Bdd], b: &[Bdd]) -> DdResult<Bits> {
    a.iter().zip(b).map(|(x, y)| c.ite(x, y)).collect()
}

/// `a * b`, modulo 2^width.
pub fn mul(manager: &Manager, a: &[Bdd], b: &[Bdd]) -> DdResult<Bits> {
    let n = a.len();
    let mut product = vec![manager.zero(); n];
    for (shift, bit) in b.iter().rev().enumerate() {
        if bit.is_zero() {
            continue;
        }
        let mut row = vec![manager.zero(); n];
        for i in 0..n - shift {
            row[i] = a[i + shift].and(bit)?;
        }
        product = add(&product, &row, manager.zero())?;
    }
    Ok(product)
}

/// Quotient and remainder of unsigned words, by restoring division. Division by zero gives
/// whatever it gives; the caller excludes it.
pub fn divide(manager: &Manager, a: &[Bdd], b: &[Bdd]) -> DdResult<(Bits, Bits)> {
    let n = a.len();
    // One more bit than the divisor, for the shifted remainder.
    let mut rest = vec![manager.zero(); n + 1];
    let mut divisor = vec![manager.zero()];
    divisor.extend_from_slice(b);
    let mut quotient = Vec::with_capacity(n);
    for bit in a {
        rest.remove(0);
        rest.push(bit.clone());
        let fits = less(manager, &rest, &divisor, false)?.not();
        let reduced = sub(manager, &rest, &divisor)?;
        rest = ite(&fits, &reduced, &rest)?;
        quotient.push(fits);
    }
    rest.remove(0);
    Ok((quotient, rest))
}

/// Signed quotient and remainder as in C: truncated, the remainder with the sign of `a`.
pub fn divide_signed(manager: &Manager, a: &[Bdd], b: &[Bdd]) -> DdResult<(Bits, Bits)> {
    let (sign_a, sign_b) = (&a[0], &b[0]);
    let abs_a = ite(sign_a, &neg(manager, a)?, a)?;
    let abs_b = ite(sign_b, &neg(manager, b)?, b)?;
    let (q, r) = divide(manager, &abs_a, &abs_b)?;
    let quotient = ite(&sign_a.xor(sign_b)?, &neg(manager, &q)?, &q)?;
    let remainder = ite(sign_a, &neg(manager, &r)?, &r)?;
    Ok((quotient, remainder))
}

/// `a = b`
pub fn equal(manager: &Manager, a: &[Bdd], b: &[Bdd]) -> DdResult<Bdd> {
    let mut result = manager.one();
    for (x, y) in a.iter().zip(b).rev() {
        result = x.xnor(y)?.and(&result)?;
    }
    Ok(result)
}

/// `a < b`
pub fn less(manager: &Manager, a: &[Bdd], b: &[Bdd], signed: bool) -> DdResult<Bdd> {
    let mut result = manager.zero();
    for (i, (x, y)) in a.iter().zip(b).enumerate().rev() {
        // A set sign bit makes a signed number the smaller one.
        let smaller = if signed && i == 0 {
            x.diff(y)?
        } else {
            y.diff(x)?
        };
        result = x.xnor(y)?.ite(&result, &smaller)?;
    }
    Ok(result)
}

/// Shifts by a fixed distance to the left (positive) or right; `fill` comes in from outside.
pub fn shift(a: &[Bdd], left: i64, fill: &Bdd) -> Bits {
    let n = a.len() as i64;
    (0..n)
        .map(|i| {
            let from = i.saturating_add(left);
            if (0..n).contains(&from) {
                a[from as usize].clone()
            } else {
                fill.clone()
            }
        })
        .collect()
}

/// Rotates by a fixed distance to the left (positive) or right.
pub fn rotate(a: &[Bdd], left: i64) -> Bits {
    let n = a.len() as i64;
    (0..n)
        .map(|i| a[(i + left).rem_euclid(n) as usize].clone())
        .collect()
}

/// Applies `step(word, 2^i)` for each bit i of an unsigned distance: a barrel shifter.
pub fn by_distance(
    a: &[Bdd],
    distance: &[Bdd],
    step: &dyn Fn(&[Bdd], i64) -> Bits,
) -> DdResult<Bits> {
    let mut result = a.to_vec();
    for (i, bit) in distance.iter().rev().enumerate() {
        if bit.is_zero() {
            continue;
        }
        // Distances beyond the width all do the same, so large powers may saturate.
        let moved = step(&result, 1i64 << i.min(40));
        result = ite(bit, &moved, &result)?;
    }
    Ok(result)
}

/// `resize(w, width)`: unsigned words are cut or zero-extended; signed ones keep their sign bit.
pub fn resize(bits: &[Bdd], width: usize, signed: bool, zero: &Bdd) -> Bits {
    let n = bits.len();
    if width <= n {
        let mut out = bits[n - width..].to_vec();
        if signed && width > 0 {
            out[0] = bits[0].clone();
        }
        return out;
    }
    let fill = if signed { &bits[0] } else { zero };
    let mut out = vec![fill.clone(); width - n];
    out.extend_from_slice(bits);
    out
}
