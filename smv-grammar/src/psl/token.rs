//! Text of a PSL property → tokens.
//!
//! `[*`, `[+`, `[=` and `[->` are one token each, and so are the words that end in `!`, `_` or `!_`.

use super::comment_length;
use crate::ast::Span;
use crate::word;

/// A token; `Sign` covers signs and reserved words, by their text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    Sign(&'static str),
    Name(Span),
    Number(i64),
    /// A word constant.
    Word(Span),
    End,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    pub token: Token,
    pub span: Span,
    /// The line behind it.
    pub line: u32,
}

/// Why the text is no sequence of tokens.
pub struct BadCharacter {
    pub byte: u8,
    pub line: u32,
    pub span: Span,
}

/// Longest first.
const SIGNS: &[&str] = &[
    "[->", "|->", "|=>", "<->", "[*", "[+", "[=", "->", "<=", ">=", "!=", "==", "&&", "||", "<<",
    ">>", "::", ":=", "(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "?", "!", "&", "|", "=",
    "<", ">", "+", "-", "*", "/",
];

const WORDS: &[&str] = &[
    "always",
    "never",
    "eventually!",
    "next",
    "next!",
    "next_a",
    "next_a!",
    "next_e",
    "next_e!",
    "next_event",
    "next_event!",
    "next_event_a",
    "next_event_a!",
    "next_event_e",
    "next_event_e!",
    "until",
    "until!",
    "until_",
    "until!_",
    "before",
    "before!",
    "before_",
    "before!_",
    "whilenot",
    "whilenot!",
    "whilenot_",
    "whilenot!_",
    "within",
    "within!",
    "within_",
    "within!_",
    "abort",
    "forall",
    "in",
    "boolean",
    "inf",
    "case",
    "esac",
    "union",
    "mod",
    "xor",
    "xnor",
    "TRUE",
    "FALSE",
    "AX",
    "AG",
    "AF",
    "A",
    "EX",
    "EG",
    "EF",
    "E",
    "U",
    "W",
    "X",
    "X!",
    "F",
    "G",
    "bool",
    "word1",
    "extend",
    "resize",
    "signed",
    "unsigned",
    "swconst",
    "uwconst",
    "toint",
    "sizeof",
];

/// Splits `text`, which begins at byte `offset` of the file, in line `line`.
pub fn tokens(text: &[u8], offset: u32, mut line: u32) -> Result<Vec<Placed>, BadCharacter> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let comment = comment_length(text, at);
        if text[at].is_ascii_whitespace() || comment > 0 {
            // NuSMV swallows the character behind the keyword.
            line += u32::from(at > 0 && text[at] == b'\n');
            at += comment.max(1);
            continue;
        }
        let span = |length: usize| Span {
            start: offset + at as u32,
            end: offset + (at + length) as u32,
        };
        let rest = &text[at..];
        let (token, length) = match rest[0] {
            b'0'..=b'9' => number(rest, span),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => name(rest, span),
            b'"' => match rest[1..].iter().position(|&b| b == b'"') {
                Some(n) => (Token::Name(span(n + 2)), n + 2),
                None => return Err(bad(rest[0], line, span(1))),
            },
            byte => match SIGNS.iter().find(|s| rest.starts_with(s.as_bytes())) {
                Some(sign) => (Token::Sign(sign), sign.len()),
                None => return Err(bad(byte, line, span(1))),
            },
        };
        let span = span(length);
        line += rest[..length].iter().filter(|&&b| b == b'\n').count() as u32;
        out.push(Placed { token, span, line });
        at += length;
    }
    let end = offset + text.len() as u32;
    out.push(Placed {
        token: Token::End,
        span: Span { start: end, end },
        line,
    });
    Ok(out)
}

fn bad(byte: u8, line: u32, span: Span) -> BadCharacter {
    BadCharacter { byte, line, span }
}

fn number(rest: &[u8], span: impl Fn(usize) -> Span) -> (Token, usize) {
    if let Some(length) = word::literal_length(rest) {
        return (Token::Word(span(length)), length);
    }
    let length = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let value = rest[..length].iter().fold(0i64, |n, b| {
        n.saturating_mul(10).saturating_add(i64::from(b - b'0'))
    });
    (Token::Number(value), length)
}

fn name(rest: &[u8], span: impl Fn(usize) -> Span) -> (Token, usize) {
    let part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'#' | b'-');
    let length = rest.iter().take_while(|b| part(b)).count();
    // The longest of the words that have a sign in them.
    for suffix in ["!_", "!"] {
        let longer = length + suffix.len();
        if rest[length..].starts_with(suffix.as_bytes())
            && let Some(word) = WORDS.iter().find(|w| w.as_bytes() == &rest[..longer])
        {
            return (Token::Sign(word), longer);
        }
    }
    match WORDS.iter().find(|w| w.as_bytes() == &rest[..length]) {
        Some(word) => (Token::Sign(word), length),
        None => (Token::Name(span(length)), length),
    }
}
