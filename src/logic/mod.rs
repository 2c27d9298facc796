//! Temporal formulas as trees: occurrences, atoms, polarity, replacement.
//!
//! The expression pool of `model` shares equal subexpressions; vacuity is about *occurrences*,
//! so here each occurrence is a node of its own with its place in the source.
//! Deliberately absent: decision diagrams and evaluation.

pub mod op;
pub mod polarity;
pub mod replace;
pub mod split;
pub mod tree;

pub use op::CtlOp;
pub use polarity::Polarity;
pub use tree::{CtlTree, NodeId, TreeKind};
