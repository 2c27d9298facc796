//! From the source tree to the flat model.
//!
//! `Ast` → [`flat::FlatModel`] → explicit evaluation. Submodules in the order of the pipeline.
//! Deliberately absent: decision diagrams (module `encode` joins the two).

pub mod arith;
pub mod dependencies;
mod domain;
pub mod eval;
pub mod explicit;
pub mod expr;
pub mod flat;
mod flatten;
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
pub use types::Type;
pub use value::{SymId, Value, Word};

/// Widest word accepted. NuSMV stops at 64 bits.
pub const MAX_WORD_WIDTH: u32 = 1 << 16;
