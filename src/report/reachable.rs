//! The block of `-r`: diameter and number of reachable states.

use crate::base::cformat::count;
use num_bigint::BigUint;

/// `diameter` is the number of image steps plus one, as NuSMV counts it; absent if the forward
/// search did not run to its end.
pub fn block(diameter: Option<usize>, reachable: &BigUint, all: &BigUint) -> String {
    let mut out = String::new();
    if let Some(d) = diameter {
        out.push_str(&format!("system diameter: {d}\n"));
    }
    out.push_str(&format!(
        "reachable states: {} out of {}\n",
        count(reachable),
        count(all)
    ));
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn counts_are_printed_as_powers_too() {
        let text = super::block(Some(5), &5u32.into(), &8u32.into());
        assert_eq!(
            text,
            "system diameter: 5\nreachable states: 5 (2^2.32193) out of 8 (2^3)\n"
        );
    }
}
