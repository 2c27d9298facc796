//! From the source tree to the flat model, and what that means.
//!
//! `Ast` → [`flatten()`] (instances, names, [`types`], sections) → [`flat::FlatModel`] over a pool of hash-consed
//! [`expr`]essions → [`dependencies`] (assignments well formed, cones of influence).
//!
//! Its meaning without diagrams: [`arith`] on [`value`]s, [`eval`] of expressions (`needed`: without deep recursion),
//! `semantics` of states and steps, and [`explicit`], a checker that lists states: the oracle of replay and tests, which
//! shares nothing with `encode`.
//!
//! Deliberately absent: decision diagrams (module `encode` joins the two).

pub mod arith;
pub mod dependencies;
mod domain;
pub mod eval;
pub mod explicit;
pub mod expr;
pub mod flat;
mod flatten;
mod folding;
pub mod needed;
pub mod print;
mod semantics;
#[cfg(test)]
pub mod testing;
pub mod types;
pub mod value;

pub use expr::{DefineId, ExprId, ExprPool, FailKind, Node, VarId};
pub use flat::*;
pub use flatten::{Extra, FlattenOptions, extend, flatten};
pub use folding::Completed;
pub use types::Type;
pub use value::{SymId, Value, Word};

/// Widest word accepted. NuSMV stops at 64 bits.
pub const MAX_WORD_WIDTH: u32 = 1 << 16;
