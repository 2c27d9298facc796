//! Traces: what they are, how they are replayed and printed.
//!
//! [`Trace`] → [`replay`](replay::replay) → [`table`](build::table) → [`text`] | [`json`]. Deliberately
//! absent: decision diagrams, and streams.

pub mod build;
pub mod json;
pub mod path;
pub mod replay;
pub mod table;
pub mod text;

pub use path::{Step, Trace, TraceKind};
pub use table::{Cell, Column, Table};
