//! The SMV language as NuSMV 2.6.0 reads it: lexer, grammar, source tree, printer.
//!
//! `text → `[`lexer`]` → tokens → `[`mod@parse`]` → `[`ast::Ast`]` (or `[`SyntaxError`]`) → `[`mod@print`]
//!
//! Deliberately absent: name resolution, types, evaluation.

#![warn(missing_docs)]

pub mod ast;
mod builder;
mod context;
mod error;
mod lax;
mod lexer;
pub mod ops;
mod parse;
pub mod print;
pub mod psl;
mod token;
pub mod word;

pub use error::{SyntaxError, SyntaxErrorKind};
pub use parse::{
    InContext, ParseOptions, parse, parse_compute, parse_ctl, parse_invar, parse_ltl, parse_name,
    parse_next_expr, parse_psl, parse_queries, parse_simple_expr,
};

/// Whether a word is reserved, so that nothing can be named so.
pub fn is_reserved(word: &str) -> bool {
    token::keyword(word.as_bytes()).is_some()
}

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, clippy::pedantic, unused, missing_docs)]
    grammar
);
