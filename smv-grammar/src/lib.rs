//! The SMV language as NuSMV 2.6.0 reads it: lexer, grammar, source tree, printer.
//!
//! `text → `[`lexer`]` → tokens → `[`parse`]` → `[`ast::Ast`]` (or `[`SyntaxError`]`) → `[`print`]
//!
//! Deliberately absent: name resolution, types, evaluation.

pub mod ast;
pub mod ops;
pub mod psl;
