//! nusmv-rs: a symbolic model checker for SMV, drop-in for NuSMV 2.6.0.
//!
//! ```text
//! SMV text ─smv-grammar─▶ Ast ─model─▶ FlatModel ─encode─▶ BddFsm ─engine─▶ Verdict + Trace ─report─▶ text | json
//! ```

pub mod base;
pub mod cli;
pub mod dd;
pub mod diag;
pub mod encode;
pub mod engine;
pub mod logic;
pub mod model;
pub mod report;
pub mod trace;
