//! Verdict lines.
//!
//! NuSMV prints a property's text with the blank that ends it, then `IN instance` if it belongs to
//! one, then the verdict; hence two blanks before `is` in main and one elsewhere, and none before
//! `is` for COMPUTE.

use crate::engine::outcome::Quantity;
use crate::model::{PropKind, Property};

/// `AG k ` in main, `AG k IN m` in an instance.
pub fn text(property: &Property) -> String {
    if property.context.is_empty() {
        property.text.clone()
    } else {
        format!("{}IN {}", property.text, property.context)
    }
}

/// What the line calls a property: `specification AG k `.
pub fn subject(property: &Property) -> String {
    let noun = match property.kind {
        PropKind::Invar => "invariant",
        _ => "specification",
    };
    format!("{noun} {}", text(property))
}

/// `-- specification AG k  is true`, with its line end.
pub fn truth(property: &Property, holds: bool) -> String {
    format!("-- {} is {holds}\n", subject(property))
}

/// The line between a verdict and its trace.
pub const DEMONSTRATED: &str = "-- as demonstrated by the following execution sequence\n";

/// `-- the result of MIN [ a , b ]  is 3`, with its line end.
pub fn quantity(property: &Property, result: Quantity) -> String {
    format!("-- the result of {}is {}\n", text(property), value(result))
}

/// A COMPUTE result as a word.
pub fn value(result: Quantity) -> String {
    match result {
        Quantity::Finite(n) => n.to_string(),
        Quantity::Infinity => "infinity".to_owned(),
        Quantity::Undefined => "undefined".to_owned(),
    }
}

/// For stderr, when there is no verdict.
pub fn unchecked(property: &Property, why: &str) -> String {
    format!("-- {} not checked: {why}\n", subject(property).trim_end())
}

/// What `-v 1` says before a property is checked.
pub fn evaluating(property: &Property) -> String {
    match property.kind {
        PropKind::Invar => format!("evaluating {}\n", subject(property)),
        _ => format!("evaluating {} \n", subject(property)),
    }
}

/// For `-AG`, when the formula has another form.
pub fn not_ag_only(property: &Property) -> String {
    super::warning::block(&[
        &format!("The specification {} ", text(property)),
        "is not an AG-only formula: Skipped",
    ])
}
