//! Traces: what they are, how they are replayed, printed and read.
//!
//! [`Trace`] → [`replay`](replay::replay) → [`table`](build::table) → [`json`], or one of the [`plugin`]s: [`text`],
//! [`matrix`], [`xml`], [`vcd`], [`html`]. [`xml_read`] goes the other way, [`anonymous`] takes other names.
//!
//! Deliberately absent: decision diagrams, and streams.

pub mod anonymous;
pub mod build;
pub mod html;
pub mod json;
pub mod matrix;
pub mod path;
pub mod pattern;
pub mod plugin;
pub mod replay;
pub mod table;
#[cfg(test)]
pub(crate) mod testing;
pub mod text;
pub mod vcd;
pub mod xml;
pub mod xml_read;

pub use path::{Label, Step, Trace, TraceKind};
pub use plugin::Plugin;
pub use table::{Cell, Column, Selection, Table};
