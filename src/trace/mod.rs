//! Traces: what they are, how they are replayed and printed.

pub mod trace;

pub use trace::{Step, Trace, TraceKind};
