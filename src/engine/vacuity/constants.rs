//! Which constants decide about an occurrence.

use crate::logic::Polarity;

/// Both constants.
pub const BOTH: [bool; 2] = [false, true];

/// The constants that can change a formula of truth value `truth`: by monotonicity one for an
/// occurrence of one polarity, both for a mixed one.
pub fn deciding(polarity: Polarity, truth: bool) -> &'static [bool] {
    match polarity.opposing(truth) {
        Some(true) => &[true],
        Some(false) => &[false],
        None => &BOTH,
    }
}
