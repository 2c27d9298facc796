//! The actions of the grammar: they build the [`Ast`] and refuse what parses but may not stand.
//!
//! Lines: NuSMV gives an operator's node the line of the operator's token (kept by the lexer),
//! a `case` the line of its `esac`, an operand its own.

mod declarations;
mod expressions;
mod properties;

use crate::ast::*;
use crate::context::{self, Place};
use crate::error::{Abort, SyntaxErrorKind};
use crate::lexer::Marks;
use crate::ops::{BinOp, BoundedOp, Func, UnOp};
use crate::psl;
use crate::token::{At, Tok};
use crate::word;
use lalrpop_util::ParseError;

/// How the generated parser fails.
pub type Failure = ParseError<u32, Tok, Abort>;

/// An expression on the parser's stack.
#[derive(Clone, Copy, Debug)]
pub struct E {
    pub id: ExprId,
    pub span: Span,
}

/// A module whose sections are being read.
pub struct Body {
    name: Name,
    params: Vec<Name>,
    items: Vec<Item>,
    start: u32,
    line: u32,
}

/// What a text that is not a whole file was read as.
#[derive(Debug)]
pub enum Parsed {
    Nothing,
    Spec(Spec),
    Expr(ExprId, Option<ExprId>),
    Queries(Vec<Spec>),
}

/// State of one parse.
pub struct Builder<'a> {
    pub ast: &'a mut Ast,
    text: &'a [u8],
    marks: &'a Marks,
    body: Option<Body>,
    /// Has a DEFINE section begun of which nothing was read yet?
    new_section: bool,
    pub result: Parsed,
}

impl<'a> Builder<'a> {
    pub fn new(ast: &'a mut Ast, text: &'a [u8], marks: &'a Marks) -> Builder<'a> {
        Builder {
            ast,
            text,
            marks,
            body: None,
            new_section: false,
            result: Parsed::Nothing,
        }
    }

    /// The line of the lookahead token.
    pub fn here(&self) -> u32 {
        self.marks.line.get()
    }

    /// The line of the last token consumed.
    pub fn last(&self) -> u32 {
        self.marks.last_line.get()
    }

    fn end(&self) -> u32 {
        self.marks.last_span.get().end
    }

    fn slice(&self, span: Span) -> &'a [u8] {
        &self.text[span.start as usize..span.end as usize]
    }

    /// Interns the text of a token. Quoted identifiers may hold any bytes: Latin-1 is assumed
    /// where they are not UTF-8.
    pub fn name(&mut self, span: Span) -> Name {
        let bytes = self.slice(span);
        match std::str::from_utf8(bytes) {
            Ok(text) => self.ast.intern(text),
            Err(_) => {
                let text: String = bytes.iter().map(|&b| b as char).collect();
                self.ast.intern(&text)
            }
        }
    }

    // ------------------------------------------------------------------ errors

    /// `at token "X": message`, X being the last token consumed.
    pub fn unsupported_last<T>(&self, message: &str) -> Result<T, Failure> {
        let span = self.marks.last_span.get();
        let mut token = self.slice(span).to_vec();
        if token.starts_with(b"F'") {
            token[0] = b'f';
        }
        let kind = SyntaxErrorKind::Token {
            token,
            message: message.to_owned(),
        };
        Err(Abort::new(kind, self.last(), span).into())
    }

    /// `: message` at `at`.
    pub fn misplaced<T>(&self, at: At, message: &str) -> Result<T, Failure> {
        let kind = SyntaxErrorKind::Context(message.to_owned());
        Err(Abort::new(kind, at.line, self.span_from(at)).into())
    }

    fn check(&mut self, e: E, place: Place) -> Result<E, Failure> {
        match context::check(self.ast, e.id, place) {
            None => Ok(e),
            Some((id, message)) => {
                let expr = self.ast.expr(id);
                let kind = SyntaxErrorKind::Context(message.to_owned());
                Err(Abort::new(kind, expr.line, expr.span).into())
            }
        }
    }

    pub fn check_simple(&mut self, e: E) -> Result<E, Failure> {
        self.check(e, Place::Simple)
    }

    pub fn check_next(&mut self, e: E) -> Result<E, Failure> {
        self.check(e, Place::Next)
    }

    pub fn check_ctl(&mut self, e: E) -> Result<E, Failure> {
        self.check(e, Place::Ctl)
    }

    pub fn check_ltl(&mut self, e: E) -> Result<E, Failure> {
        self.check(e, Place::Ltl)
    }

    // ------------------------------------------------------------------ modules
}

fn ids(list: impl IntoIterator<Item = E>) -> Vec<ExprId> {
    list.into_iter().map(|e| e.id).collect()
}

fn hull(first: Span, last: Span) -> Span {
    Span {
        start: first.start,
        end: last.end,
    }
}
