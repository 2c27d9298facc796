//! Decision diagrams: CUDD 2.5.1 and our operators of `vendor/cudd-mv` behind safe types.
//!
//! | type | what it is |
//! |---|---|
//! | [`Manager`] | one CUDD manager: variables, limits, order, statistics (shared by `Rc`) |
//! | [`Bdd`] | Boolean function, complement edges |
//! | [`Add`] | function to `u32` leaves, the ids of interned values |
//! | [`WordDd`] | function to 64-bit vacuity words, with the lattice operators |
//!
//! All three live in one manager and one variable order; a handle owns one reference to its root
//! and keeps the manager alive. Equality is equality of functions (canonicity). Handles are
//! neither `Send` nor `Sync`.
//!
//! Files: `ffi` raw bindings and node access; `error`; `config` limits from the memory; `manager`, `budget`
//! operations that end early, `stats`; `order` levels and groups; `reordering` on demand and automatic,
//! `watch` one at a time, `plan` an order for later; `handle` reference counting; `bdd`, `count`, `cubes`, `print` Boolean diagrams;
//! `add`, `word` valued ones; `graph` nodes for writers; `parameters` CUDD's own.
//!
//! Invariants
//! - This module holds the only unsafe code of the project but `base::fork`'s, and knows nothing of models.
//! - Running out of nodes or memory, and cancellation, are values ([`DdError`]); the manager stays
//!   usable. The token is polled inside operations, so that they end soon after it fires; while
//!   it is set, every operation that could build nodes returns [`DdError::Cancelled`].
//! - Terminals are compared by their 64 bits. CUDD's arithmetic on terminals (doubles with a
//!   tolerance) is never called on them.
//! - Results do not depend on the variable order except where stated (`cubes`, `dot`), so dynamic
//!   reordering cannot change what is printed.
//! - CUDD keeps some state of its reordering in static variables: a process-wide lock is held
//!   while any manager reorders, so that managers on different threads do not meet there.
#![allow(unsafe_code)]

mod add;
mod bdd;
mod budget;
mod config;
mod count;
mod cubes;
mod error;
mod ffi;
mod graph;
mod handle;
mod manager;
mod order;
mod parameters;
mod plan;
mod print;
mod reordering;
mod stats;
mod watch;
mod word;

#[cfg(test)]
mod tests;

pub use add::{Add, OpTag};
pub use bdd::{Bdd, SwapMap};
pub use config::Config;
pub use error::{DdError, DdResult};
pub use graph::GraphNode;
pub use manager::Manager;
pub use order::GroupKind;
pub use parameters::ParameterError;
pub use reordering::Method;
pub use stats::Stats;
pub use watch::calm;
pub use word::{Word, WordDd, word_meet};

/// Number of a variable, fixed at its creation (0, 1, 2, ...); its level may change.
pub type VarIndex = u32;
