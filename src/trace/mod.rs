//! Traces: what they are, how they are replayed and printed.

pub mod json;
pub mod path;
pub mod table;
pub mod text;

pub use path::{Step, Trace, TraceKind};
pub use table::{Cell, Column, Table};
