//! Verdict lines.
//!
//! The shell's variable `prop_print_method` says what stands there for a property: [`PropertyStyle`].
//!
//! NuSMV prints a property's text with the blank that ends it, then `IN instance` if it belongs to
//! one, then the verdict; hence two blanks before `is` in main and one elsewhere, and none before
//! `is` for COMPUTE.

use crate::engine::outcome::Quantity;
use crate::model::{PropKind, Property};
use smv_grammar::word::in_base_of_now;

/// `AG k ` in main, `AG k IN m` in an instance.
pub fn text(property: &Property) -> String {
    let text = formula(property);
    if property.context.is_empty() {
        text
    } else {
        format!("{text}IN {}", property.context)
    }
}

/// The formula, words in the base of now.
fn formula(property: &Property) -> String {
    match &property.words {
        Some(words) => in_base_of_now(words),
        None => property.text.clone(),
    }
}

/// What a line says for a property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PropertyStyle {
    /// Its text.
    #[default]
    Formula,
    /// The formula's first characters.
    Truncated,
    /// The name, where there is one, else the number.
    Name,
    /// Its number.
    Index,
}

impl PropertyStyle {
    /// The style of this name in NuSMV.
    pub fn named(name: &str) -> PropertyStyle {
        match name {
            "truncated" => PropertyStyle::Truncated,
            "name" => PropertyStyle::Name,
            "index" => PropertyStyle::Index,
            _ => PropertyStyle::Formula,
        }
    }

    /// What stands for the property, up to the word `is`; as in [`text`].
    pub fn text(self, property: &Property) -> String {
        match (self, &property.name) {
            (PropertyStyle::Formula, _) => text(property),
            (PropertyStyle::Truncated, _) => truncated(property),
            (PropertyStyle::Name, Some(name)) => format!("'{name}'"),
            (PropertyStyle::Name | PropertyStyle::Index, _) => format!("[{}] ", property.index),
        }
    }

    /// What the line calls a property: `specification AG k `.
    pub fn subject(self, property: &Property) -> String {
        let noun = match property.kind {
            PropKind::Invar => "invariant",
            _ => "specification",
        };
        format!("{noun} {}", self.text(property))
    }
}

/// Characters of a formula that is cut.
const CUT: usize = 40;

/// A formula of more than [`CUT`] characters loses the rest; the blank that ends it is lost in any case.
fn truncated(property: &Property) -> String {
    let text = formula(property);
    let text = text.strip_suffix(' ').unwrap_or(&text);
    let context = match property.context.as_str() {
        "" => String::new(),
        context => format!("IN {context}"),
    };
    match text.char_indices().nth(CUT) {
        Some((end, _)) => format!("{} [...]{context}", &text[..end]),
        None => format!("{text}{context}"),
    }
}

/// `-- specification AG k  is true`, with its line end.
pub fn truth(property: &Property, style: PropertyStyle, holds: bool) -> String {
    format!("-- {} is {holds}\n", style.subject(property))
}

/// The line between a verdict and its trace.
pub const DEMONSTRATED: &str = "-- as demonstrated by the following execution sequence\n";

/// `-- the result of MIN [ a , b ]  is 3`, with its line end.
pub fn quantity(property: &Property, style: PropertyStyle, result: Quantity) -> String {
    let text = style.text(property);
    format!("-- the result of {text}is {}\n", value(result))
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
pub fn unchecked(property: &Property, style: PropertyStyle, why: &str) -> String {
    let subject = style.subject(property);
    format!("-- {} not checked: {why}\n", subject.trim_end())
}

/// What `-v 1` says before a property is checked.
pub fn evaluating(property: &Property, style: PropertyStyle) -> String {
    let subject = style.subject(property);
    match property.kind {
        PropKind::Invar => format!("evaluating {subject}\n"),
        PropKind::Ltl => format!("evaluating LTL {subject}\n"),
        _ => format!("evaluating {subject} \n"),
    }
}

/// For `-AG`, when the formula has another form.
pub fn not_ag_only(property: &Property, style: PropertyStyle) -> String {
    super::warning::block(&[
        &format!("The specification {} ", style.text(property)),
        "is not an AG-only formula: Skipped",
    ])
}
