//! Extended regular expressions of POSIX, by which traces choose the symbols that they show
//! (NuSMV's `traces_regexp`).
//!
//! Text → [`Pattern`]: written anew in the notation of the crate `regex`, which differs in brackets (no
//! escapes, no sets within sets), in repetitions of repetitions, and in what a letter behind `\` means.
//! Not there: references to groups (`\1`).

use regex::bytes::{Regex, RegexBuilder};
use std::iter::Peekable;
use std::str::Chars;

/// A text is no regular expression; NuSMV's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Error: could not parse '{0}' (Invalid regular expression)")]
pub struct BadPattern(String);

/// A regular expression.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    regex: Regex,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.text == other.text
    }
}

impl Eq for Pattern {}

impl Pattern {
    /// Reads an extended regular expression.
    pub fn new(text: &str) -> Result<Pattern, BadPattern> {
        let bad = || BadPattern(text.to_owned());
        let rewritten = rewrite(text).ok_or_else(bad)?;
        let regex = RegexBuilder::new(&rewritten).unicode(false).build();
        Ok(Pattern {
            text: text.to_owned(),
            regex: regex.map_err(|_| bad())?,
        })
    }

    /// Whether some part of `name` is described.
    pub fn is_in(&self, name: &str) -> bool {
        self.regex.is_match(name.as_bytes())
    }
}

/// What may stand within `[:` and `:]`.
const CLASSES: [&str; 12] = [
    "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
    "upper", "xdigit",
];

/// The expression in the notation of `regex`.
fn rewrite(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '[' => bracket(&mut rest, &mut out)?,
            '\\' => match rest.next()? {
                '1'..='9' => return None,
                c if c.is_ascii_alphanumeric() && !"bBwWsS".contains(c) => out.push(c),
                c => out.extend(['\\', c]),
            },
            // What begins groups of other kinds repeats nothing in POSIX.
            '(' if rest.peek() == Some(&'?') => return None,
            '*' | '+' | '?' => {
                let mut all = c;
                while let Some(&next @ ('*' | '+' | '?')) = rest.peek() {
                    all = if next == all { all } else { '*' };
                    rest.next();
                }
                out.push(all);
            }
            c => out.push(c),
        }
    }
    Some(out)
}

/// `[...]`, whose `[` has been read.
fn bracket(rest: &mut Peekable<Chars>, out: &mut String) -> Option<()> {
    out.push('[');
    if rest.next_if_eq(&'^').is_some() {
        out.push('^');
    }
    if rest.next_if_eq(&']').is_some() {
        out.push_str("\\]");
    }
    loop {
        match rest.next()? {
            ']' => break,
            '[' if rest.peek() == Some(&':') => {
                let class: String = rest.take_while(|&c| c != ']').collect();
                if !CLASSES.contains(&class.trim_matches(':')) {
                    return None;
                }
                *out += &format!("[{class}]");
            }
            '-' if rest.peek() == Some(&']') => out.push_str("\\-"),
            c @ ('[' | '\\' | '&' | '~' | '^') => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push(']');
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_a_name() {
        let cases = [
            ("x", "ax1", true),
            ("^x$", "ax", false),
            ("a|m", "cam", true),
            ("^(a|b)+$", "abba", true),
            ("a{2}", "ba", false),
            ("[]x]", "]", true),
            ("[^a-c]", "abc", false),
            ("[\\]", "\\", true),
            ("[[:digit:]]$", "x1", true),
            ("[a[]", "x[1]", true),
            ("a\\.b", "axb", false),
            ("\\d", "3", false),
            ("^ba+?$", "b", true),
            ("^a**$", "aa", true),
            ("X", "x", false),
        ];
        for (pattern, name, expected) in cases {
            let pattern = Pattern::new(pattern).unwrap();
            assert_eq!(pattern.is_in(name), expected, "{pattern:?} {name}");
        }
    }

    #[test]
    fn what_is_no_pattern() {
        for text in ["[", "(", "*", "a)", "\\", "(a)\\1", "(?i)a", "[[:x:]]"] {
            let error = Pattern::new(text).unwrap_err().to_string();
            assert!(error.contains(text), "{error}");
        }
    }
}
