//! Numbers as C's `printf` writes them, which is how NuSMV prints counts.

use num_bigint::BigUint;
use num_traits::{FromPrimitive, ToPrimitive, Zero};

/// `%g`: six significant digits, no trailing zeros, exponent form below 1e-4 and from 1e6 on.
pub fn g(x: f64) -> String {
    if x.is_nan() {
        return if x.is_sign_negative() { "-nan" } else { "nan" }.to_owned();
    }
    if x.is_infinite() {
        return if x < 0.0 { "-inf" } else { "inf" }.to_owned();
    }
    let scientific = format!("{x:.5e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        return strip_zeros(&format!("{x:.*}", (5 - exponent) as usize)).to_owned();
    }
    with_exponent(mantissa, i64::from(exponent))
}

/// `%g` of a count too large for a double (where C prints `inf`, this goes on).
pub fn g_big(n: &BigUint) -> String {
    match n.to_f64() {
        Some(x) if x.is_finite() => g(x),
        _ => {
            let digits = n.to_string();
            let exponent = digits.len() as i64 - 1;
            let head: f64 = digits[..17].parse().unwrap_or(0.0);
            let scientific = format!("{head:.5e}");
            let (mantissa, e) = scientific.split_once('e').unwrap_or((&scientific, "16"));
            // Rounding may carry into a new digit.
            let carry = e.parse::<i64>().unwrap_or(16) - 16;
            with_exponent(mantissa, exponent + carry)
        }
    }
}

/// `%.{digits}g` of a count as a double has it: the nearest double, written exactly and then rounded
/// (half to even) to that many digits.
pub fn g_digits(n: &BigUint, digits: usize) -> String {
    let exact = match n.to_f64() {
        Some(x) if x.is_finite() => BigUint::from_f64(x).unwrap_or_default(),
        _ => return "inf".to_owned(),
    };
    let text = exact.to_string();
    let Some(extra) = text.len().checked_sub(digits).filter(|&n| n > 0) else {
        return text;
    };
    let unit = BigUint::from(10u32).pow(extra as u32);
    let (mut head, tail) = (&exact / &unit, (exact % &unit) * 2u32);
    if tail > unit || (tail == unit && head.bit(0)) {
        head += 1u32;
    }
    let head = head.to_string();
    // Rounding may carry into a new digit.
    let exponent = head.len() - 1 + extra;
    let mantissa = format!("{}.{}", &head[..1], &head[1..]);
    with_exponent(&mantissa, exponent as i64)
}

/// Base-2 logarithm; minus infinity for 0, as `log` gives it.
pub fn log2(n: &BigUint) -> f64 {
    if n.is_zero() {
        return f64::NEG_INFINITY;
    }
    let shift = n.bits().saturating_sub(1000);
    let head = (n >> shift).to_f64().unwrap_or(f64::MAX);
    head.log2() + shift as f64
}

/// `n (2^l)` with both numbers as `%g`.
pub fn count(n: &BigUint) -> String {
    format!("{} (2^{})", g_big(n), g(log2(n)))
}

fn with_exponent(mantissa: &str, exponent: i64) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", strip_zeros(mantissa), exponent.abs())
}

fn strip_zeros(s: &str) -> &str {
    if s.contains('.') {
        s.trim_end_matches('0').trim_end_matches('.')
    } else {
        s
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_c_prints_them() {
        let table = [
            (0.0, "0"),
            (1.0, "1"),
            (8.0, "8"),
            (100000.0, "100000"),
            (1e6, "1e+06"),
            (999999.5, "1e+06"),
            (123456.0, "123456"),
            (1234567.0, "1.23457e+06"),
            (2.321928, "2.32193"),
            (42.3219, "42.3219"),
            (5497558138880.0, "5.49756e+12"),
            (0.0001, "0.0001"),
            (0.00001234, "1.234e-05"),
            (1.5e300, "1.5e+300"),
            (f64::NEG_INFINITY, "-inf"),
        ];
        for (x, expected) in table {
            assert_eq!(g(x), expected);
        }
    }

    #[test]
    fn doubles_with_twenty_digits() {
        let power = |n: u32| g_digits(&(BigUint::from(1u32) << n), 20);
        assert_eq!(power(0), "1");
        assert_eq!(power(64), "18446744073709551616");
        assert_eq!(power(67), "1.4757395258967641293e+20");
        assert_eq!(power(84), "1.9342813113834066795e+25");
        assert_eq!(power(1024), "inf");
        assert_eq!(
            g_digits(&((BigUint::from(1u32) << 53u32) + 1u32), 20),
            "9007199254740992"
        );
    }

    #[test]
    fn counts_beyond_doubles() {
        let n = BigUint::from(1u32) << 2000u32;
        assert_eq!(count(&n), "1.14813e+602 (2^2000)");
        assert_eq!(count(&BigUint::from(8u32)), "8 (2^3)");
        assert_eq!(count(&BigUint::from(5u32)), "5 (2^2.32193)");
        assert_eq!(count(&BigUint::from(0u32)), "0 (2^-inf)");
    }
}
