//! From the source tree to the flat model.
//!
//! `Ast` → [`flat::FlatModel`] → explicit evaluation. Submodules in the order of the pipeline.
//! Deliberately absent: decision diagrams (module `encode` joins the two).

pub mod arith;
pub mod expr;
pub mod flat;
pub mod value;

pub use expr::{DefineId, ExprId, ExprPool, FailKind, Node, VarId};
pub use flat::*;
pub use value::{SymId, Value, Word};
