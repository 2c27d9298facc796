//! Syntax errors in NuSMV's words.
//!
//! A [`SyntaxError`] knows its place and its text; [`SyntaxError::render`] gives the bytes that
//! NuSMV writes to stderr, so texts are byte strings (a wrong token may be Latin-1).

use crate::ast::{Pos, Span};
use thiserror::Error;

/// What is wrong; the kinds differ in how NuSMV prints them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the variants tell what their fields are")]
pub enum SyntaxErrorKind {
    /// `at token "X": message`
    Token { token: Vec<u8>, message: String },
    /// Raised by the lexer: illegal characters, malformed constants.
    Lexical(Vec<u8>),
    /// A preprocessor directive, with its line break.
    Directive(Vec<u8>),
    /// A well-formed expression where it may not stand: `: unexpected CTL operator`.
    Context(String),
    /// `PSL parse error line N: message`
    Psl(String),
    /// In a PSL property.
    PslCharacter(u8),
    /// `Type error: ...`: an operand that no property of PSL has; and the line where the property begins.
    PslType(String, u32),
    /// `=` between formulas of PSL.
    PslEquality,
}

/// A syntax error: where and what.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {}", self.message())]
pub struct SyntaxError {
    /// What is wrong.
    pub kind: SyntaxErrorKind,
    /// The line NuSMV names.
    pub line: u32,
    /// The token at which it shows.
    pub span: Span,
    /// Of the start of `span` (counts real lines, unlike `line`, which `# N` lines change).
    pub pos: Pos,
}

impl SyntaxError {
    /// The text behind `line N: `, without the trailing line break.
    pub fn message_bytes(&self) -> Vec<u8> {
        match &self.kind {
            SyntaxErrorKind::Token { token, message } => {
                [b"at token \"", &token[..], b"\": ", message.as_bytes()].concat()
            }
            SyntaxErrorKind::Lexical(text) | SyntaxErrorKind::Directive(text) => text.clone(),
            SyntaxErrorKind::Context(text) => format!(": {text}").into_bytes(),
            SyntaxErrorKind::Psl(text) => text.clone().into_bytes(),
            SyntaxErrorKind::PslCharacter(byte) => [b"Invalid character: ", &[*byte][..]].concat(),
            SyntaxErrorKind::PslType(text, _) => format!("Type error: {text}").into_bytes(),
            SyntaxErrorKind::PslEquality => b"Type error: unexpected expression type \
                'FL Property', used with operator '=' or '!=' or '=='."
                .to_vec(),
        }
    }

    /// [`Self::message_bytes`] for people: one line of valid UTF-8, without a leading colon.
    pub fn message(&self) -> String {
        let bytes = self.message_bytes();
        let text = String::from_utf8_lossy(&bytes);
        text.trim_start_matches(": ").trim_end().replace('\n', " ")
    }

    /// What NuSMV prints on stderr for this error, for a file given as `file`, up to and
    /// including the `Parser error` line (PSL errors have none).
    pub fn render(&self, file: &str) -> Vec<u8> {
        let line = self.line;
        let message = self.message_bytes();
        let psl = format!("PSL parse error line {line}: ");
        let start = match self.kind {
            SyntaxErrorKind::PslType(_, start) => start,
            _ => line,
        };
        let place = format!("file {file}: line {start}: Parser error\n");
        let parts: &[&[u8]] = match self.kind {
            SyntaxErrorKind::Psl(_) => &[psl.as_bytes(), &message, b"\n"],
            SyntaxErrorKind::PslCharacter(_) => &[
                psl.as_bytes(),
                &message,
                b"\n",
                psl.as_bytes(),
                b"syntax error\n",
            ],
            SyntaxErrorKind::PslType(..) => &[
                b"\n",
                &message,
                b"\n",
                psl.as_bytes(),
                b"wrong type.\n\n",
                place.as_bytes(),
            ],
            SyntaxErrorKind::PslEquality => &[b"\n", &message, b"\n", place.as_bytes()],
            _ => &[],
        };
        if !parts.is_empty() {
            return parts.concat();
        }
        let place = format!("\nfile {file}: line {line}: ");
        let gap: &[u8] = match self.kind {
            SyntaxErrorKind::Lexical(_) => b"\n",
            _ => b"\n\n",
        };
        [
            place.as_bytes(),
            &message,
            gap,
            place.as_bytes(),
            b"Parser error\n",
        ]
        .concat()
    }
}

/// Ends a parse; boxed so that `Result`s in the grammar's actions stay small.
#[derive(Debug)]
pub struct Abort(Box<SyntaxError>);

impl Abort {
    pub(crate) fn new(kind: SyntaxErrorKind, line: u32, span: Span) -> Abort {
        Abort(Box::new(SyntaxError {
            kind,
            line,
            span,
            pos: Pos::default(),
        }))
    }

    /// The error, with its column found in the text's `line_starts`.
    pub(crate) fn into_error(self, pos: impl Fn(u32) -> Pos) -> SyntaxError {
        let mut error = *self.0;
        error.pos = pos(error.span.start);
        error
    }
}
