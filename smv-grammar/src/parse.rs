//! Entry points: text → [`Ast`], or [`SyntaxError`]s.
//!
//! As NuSMV these stop at the first error, so the list of errors has one element; [`lax`] goes on.

use crate::ast::{Ast, ExprId, Span, Spec, SpecKind};
use crate::builder::{Builder, Parsed};
use crate::error::{Abort, SyntaxError, SyntaxErrorKind};
use crate::grammar::StartParser;
use crate::lexer::{Lexer, Marks};
use crate::token::{Begin, K, Tok};
use crate::{lax, psl};
use lalrpop_util::ParseError;

/// How to read.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParseOptions {
    /// `-old`: backward compatibility.
    pub old: bool,
    /// After errors what can be read is read; they are in the tree.
    pub lax: bool,
}

/// Reads a whole file.
pub fn parse(text: &[u8], opts: &ParseOptions) -> Result<Ast, Vec<SyntaxError>> {
    if opts.lax {
        lax::parse(text)
    } else {
        parse_strictly(text)
    }
}

pub(crate) fn parse_strictly(text: &[u8]) -> Result<Ast, Vec<SyntaxError>> {
    let mut ast = Ast {
        line_starts: line_starts(text),
        ..Ast::default()
    };
    run(&mut ast, text, Begin::File)?;
    Ok(ast)
}

fn line_starts(text: &[u8]) -> Vec<u32> {
    let after_breaks = text.iter().enumerate().filter(|(_, b)| **b == b'\n');
    std::iter::once(0)
        .chain(after_breaks.map(|(i, _)| i as u32 + 1))
        .collect()
}

/// The error, with its place in the text.
pub(crate) fn located(abort: Abort, text: &[u8]) -> SyntaxError {
    let starts = Ast {
        line_starts: line_starts(text),
        ..Ast::default()
    };
    abort.into_error(|offset| starts.pos(offset))
}

/// Reads a property; its `context` tells of an `IN instance` behind it.
fn parse_spec(ast: &mut Ast, text: &[u8], begin: Begin) -> Result<Spec, Vec<SyntaxError>> {
    match run(ast, text, begin)? {
        Parsed::Spec(spec) => Ok(spec),
        _ => Err(Vec::new()),
    }
}

/// Reads a CTL formula, with an optional `IN context`.
pub fn parse_ctl(ast: &mut Ast, text: &[u8]) -> Result<Spec, Vec<SyntaxError>> {
    parse_spec(ast, text, Begin::Ctl)
}

/// Reads an LTL formula, with an optional `IN context`.
pub fn parse_ltl(ast: &mut Ast, text: &[u8]) -> Result<Spec, Vec<SyntaxError>> {
    parse_spec(ast, text, Begin::Ltl)
}

/// Reads an invariant, with an optional `IN context`.
pub fn parse_invar(ast: &mut Ast, text: &[u8]) -> Result<Spec, Vec<SyntaxError>> {
    parse_spec(ast, text, Begin::Invar)
}

/// Reads `MIN [p, q]` or `MAX [p, q]`, with an optional `IN context`.
pub fn parse_compute(ast: &mut Ast, text: &[u8]) -> Result<Spec, Vec<SyntaxError>> {
    parse_spec(ast, text, Begin::Compute)
}

/// Reads a PSL property, with an optional `IN context`. A name in it is dropped, as by NuSMV.
pub fn parse_psl(ast: &mut Ast, text: &[u8]) -> Result<Spec, Vec<SyntaxError>> {
    let line = 1;
    let read = psl::parse(ast, text, 0, line).map_err(|abort| vec![located(abort, text)])?;
    Ok(Spec {
        kind: SpecKind::Psl(read.id),
        name: None,
        context: read.context,
        span: Span {
            start: 0,
            end: text.len() as u32,
        },
        line,
        kind_line: line,
    })
}

/// An expression and the instance in which its names are to be looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InContext {
    /// In the tree of the source, after its own expressions.
    pub expr: ExprId,
    /// The instance; none: `main`.
    pub context: Option<ExprId>,
}

fn parse_expr(ast: &mut Ast, text: &[u8], begin: Begin) -> Result<InContext, Vec<SyntaxError>> {
    match run(ast, text, begin)? {
        Parsed::Expr(expr, context) => Ok(InContext { expr, context }),
        _ => Err(Vec::new()),
    }
}

/// Reads an expression without `next`, with an optional `IN context`.
pub fn parse_simple_expr(ast: &mut Ast, text: &[u8]) -> Result<InContext, Vec<SyntaxError>> {
    parse_expr(ast, text, Begin::Simple)
}

/// Reads an expression that may contain `next`, with an optional `IN context`.
pub fn parse_next_expr(ast: &mut Ast, text: &[u8]) -> Result<InContext, Vec<SyntaxError>> {
    parse_expr(ast, text, Begin::Next)
}

/// Reads a name, with dots and indices.
pub fn parse_name(ast: &mut Ast, text: &[u8]) -> Result<ExprId, Vec<SyntaxError>> {
    parse_expr(ast, text, Begin::Name).map(|read| read.expr)
}

/// Reads queries, each with an optional `QUERYSPEC` before it, with semicolons between.
pub fn parse_queries(ast: &mut Ast, text: &[u8]) -> Result<Vec<Spec>, Vec<SyntaxError>> {
    match run(ast, text, Begin::Queries)? {
        Parsed::Queries(all) => Ok(all),
        _ => Ok(Vec::new()),
    }
}

fn run(ast: &mut Ast, text: &[u8], begin: Begin) -> Result<Parsed, Vec<SyntaxError>> {
    let marks = Marks::default();
    let lexer = Lexer::new(text, 1, begin, &marks);
    let mut builder = Builder::new(ast, text, &marks);
    let outcome = StartParser::new().parse(&mut builder, lexer);
    let result = std::mem::replace(&mut builder.result, Parsed::Nothing);
    match outcome {
        Ok(()) => Ok(result),
        Err(error) => Err(vec![located(abort_of(error, text, &marks), text)]),
    }
}

/// NuSMV's words for an error of the generated parser.
fn abort_of(error: ParseError<u32, Tok, Abort>, text: &[u8], marks: &Marks) -> Abort {
    let (tok, expected) = match error {
        ParseError::User { error } => return error,
        ParseError::UnrecognizedToken {
            token: (_, tok, _),
            expected,
        } => (tok, expected),
        ParseError::ExtraToken { token: (_, tok, _) } => (tok, vec![]),
        ParseError::InvalidToken { .. } | ParseError::UnrecognizedEof { .. } => (Tok::End, vec![]),
    };
    let slice = |span: Span| &text[span.start as usize..span.end as usize];
    let last = slice(marks.last_span.get());
    let message = if expected == ["\"MODULE\""] && last.is_empty() {
        if is_command(tok) {
            "unexpected command encountered during parsing"
        } else {
            "unexpected expression encountered during parsing"
        }
    } else if expected == ["NEVER"] && last == b"FUN" {
        "functions definitions are not supported."
    } else if expected == ["NEVER"] {
        "unbounded arrays are not supported."
    } else {
        "syntax error"
    };
    let mut span = marks.span.get();
    if let Tok::PslSpec(property) = tok {
        // NuSMV reads the property before it sees that there should be none.
        let (start, line) = (property.start, marks.line.get());
        if let Err(abort) = psl::parse(&mut Ast::default(), slice(property), start, line) {
            return abort;
        }
        span.end = span.start + b"PSLSPEC".len() as u32;
    }
    let kind = SyntaxErrorKind::Token {
        token: slice(span).to_vec(),
        message: message.to_owned(),
    };
    Abort::new(kind, marks.line.get(), span)
}

/// Words that begin what NuSMV's shell sends to the same parser.
fn is_command(tok: Tok) -> bool {
    use K::*;
    let Tok::K(word, _) = tok else { return false };
    matches!(
        word,
        Init | Fairness
            | Constraint
            | SimpWff
            | NextWff
            | CtlWff
            | LtlWff
            | CompWff
            | CompId
            | IType
    )
}
