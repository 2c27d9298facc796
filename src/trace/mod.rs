//! Traces: what they are, how they are replayed and printed.

pub mod json;
pub mod table;
pub mod text;
pub mod trace;

pub use table::{Cell, Column, Table};
pub use trace::{Step, Trace, TraceKind};
