//! The table of options: name, argument, help text, relations to others, effect.
//!
//! The order is that of `-h`: NuSMV's options ([`mod@super::nusmv`]), then ours ([`mod@super::ours`]).

use super::values::BadValue;
use super::{Options, nusmv, ours};
use std::ffi::{OsStr, OsString};

/// What an option does to the result.
#[derive(Clone, Copy)]
pub enum Effect {
    /// Prints the help text and ends.
    Help,
    /// Takes no argument.
    Flag(fn(&mut Options)),
    /// Takes an argument, which must be text in UTF-8.
    Value(&'static str, fn(&mut Options, &str) -> Result<(), BadValue>),
    /// Takes the name of a file.
    File(&'static str, fn(&mut Options, OsString)),
    /// Takes the name of a command file, which must exist.
    Script(&'static str),
}

/// All options, in the order of `-h`.
pub fn options() -> impl Iterator<Item = &'static Opt> {
    nusmv::OPTIONS.iter().chain(ours::OPTIONS)
}

/// One row of the table.
pub struct Opt {
    /// As typed, with its dashes.
    pub name: &'static str,
    /// Another name of the same option.
    pub alias: Option<&'static str>,
    /// What it sets, and whether it takes a value.
    pub effect: Effect,
    /// Lines of help; the printer indents but does not wrap them.
    pub help: &'static [&'static str],
    /// Works, and a note says what to use.
    pub deprecated: bool,
    /// Each occurrence counts.
    pub repeatable: bool,
    /// The option without which this one says nothing.
    pub requires: Option<&'static str>,
    /// Options that must not stand beside it.
    pub excludes: &'static [&'static str],
    /// For options that do not work yet: the nearest thing that does.
    pub refused: Option<&'static str>,
}

pub(super) const BASE: Opt = Opt {
    name: "",
    alias: None,
    effect: Effect::Help,
    help: &[],
    deprecated: false,
    repeatable: false,
    requires: None,
    excludes: &[],
    refused: None,
};

pub(super) const fn flag(
    name: &'static str,
    help: &'static [&'static str],
    set: fn(&mut Options),
) -> Opt {
    Opt {
        name,
        effect: Effect::Flag(set),
        help,
        ..BASE
    }
}

pub(super) const fn value(
    name: &'static str,
    argument: &'static str,
    help: &'static [&'static str],
    set: fn(&mut Options, &str) -> Result<(), BadValue>,
) -> Opt {
    Opt {
        name,
        effect: Effect::Value(argument, set),
        help,
        ..BASE
    }
}

pub(super) const fn file(
    name: &'static str,
    argument: &'static str,
    help: &'static [&'static str],
    set: fn(&mut Options, OsString),
) -> Opt {
    Opt {
        name,
        effect: Effect::File(argument, set),
        help,
        ..BASE
    }
}

impl Opt {
    pub(super) const fn deprecated(self) -> Opt {
        Opt {
            deprecated: true,
            ..self
        }
    }

    pub(super) const fn repeatable(self) -> Opt {
        Opt {
            repeatable: true,
            ..self
        }
    }

    pub(super) const fn requires(self, other: &'static str) -> Opt {
        Opt {
            requires: Some(other),
            ..self
        }
    }

    pub(super) const fn excludes(self, others: &'static [&'static str]) -> Opt {
        Opt {
            excludes: others,
            ..self
        }
    }

    pub(super) const fn refused(self, nearest: &'static str) -> Opt {
        Opt {
            refused: Some(nearest),
            ..self
        }
    }

    /// The argument's name in the help text.
    pub fn argument(&self) -> Option<&'static str> {
        match self.effect {
            Effect::Help | Effect::Flag(_) => None,
            Effect::Value(a, _) | Effect::File(a, _) | Effect::Script(a) => Some(a),
        }
    }

    /// Whether `word` is this option.
    pub fn is(&self, word: &OsStr) -> bool {
        word == self.name || self.alias.is_some_and(|a| word == a)
    }
}
