//! The ways a trace can be written: NuSMV's trace plugins 0 to 7, and two of our own.
//!
//! [`Table`] of the shown symbols, number, steps → text. The numbers are those of `show_plugins` and
//! `set default_trace_plugin`.

use super::table::Table;
use super::{html, matrix, text, vcd, xml};
use std::ops::RangeInclusive;

/// Steps of a trace, from 0.
pub type Steps = RangeInclusive<usize>;

/// One way to write a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Plugin {
    /// Text, with the values that have changed.
    #[default]
    Changes,
    /// Text, with all values.
    All,
    /// A table with a row for each state, input and transition.
    Columns,
    /// The same with a column for each.
    Rows,
    /// An XML document.
    Xml,
    /// A table with a row for each step.
    Compact,
    /// An XML element.
    XmlElement,
    /// No text at all.
    Empty,
    /// Value changes for waveform viewers.
    Vcd,
    /// A page with a table.
    Html,
}

impl Plugin {
    /// All, in the order of their numbers.
    pub const ALL: [Plugin; 10] = [
        Plugin::Changes,
        Plugin::All,
        Plugin::Columns,
        Plugin::Rows,
        Plugin::Xml,
        Plugin::Compact,
        Plugin::XmlElement,
        Plugin::Empty,
        Plugin::Vcd,
        Plugin::Html,
    ];

    /// The plugin of a number of `show_traces -p`.
    pub fn from_number(number: i64) -> Option<Plugin> {
        let number = usize::try_from(number).ok()?;
        Plugin::ALL.get(number).copied()
    }

    /// A word for the command line.
    pub fn name(self) -> &'static str {
        match self {
            Plugin::Changes => "changes",
            Plugin::All => "all",
            Plugin::Columns => "columns",
            Plugin::Rows => "rows",
            Plugin::Xml => "xml",
            Plugin::Compact => "compact",
            Plugin::XmlElement => "element",
            Plugin::Empty => "none",
            Plugin::Vcd => "vcd",
            Plugin::Html => "html",
        }
    }

    /// The number of `show_traces -p`.
    pub fn number(self) -> usize {
        Plugin::ALL.iter().position(|&p| p == self).unwrap_or(0)
    }

    /// Not in NuSMV.
    pub fn is_ours(self) -> bool {
        matches!(self, Plugin::Vcd | Plugin::Html)
    }

    /// The line of `show_plugins`.
    pub fn description(self) -> &'static str {
        match self {
            Plugin::Changes => "BASIC TRACE EXPLAINER - shows changes only",
            Plugin::All => "BASIC TRACE EXPLAINER - shows all variables",
            Plugin::Columns => "TRACE TABLE PLUGIN - symbols on column",
            Plugin::Rows => "TRACE TABLE PLUGIN - symbols on row",
            Plugin::Xml => "TRACE XML DUMP PLUGIN - an xml document",
            Plugin::Compact => {
                "TRACE COMPACT PLUGIN - Shows the trace in a compact tabular fashion"
            }
            Plugin::XmlElement => "TRACE XML EMBEDDED DUMP PLUGIN - an xml element",
            Plugin::Empty => "Empty Trace Plugin",
            Plugin::Vcd => "VALUE CHANGE DUMP - for waveform viewers",
            Plugin::Html => "HTML PAGE - a table with changed values marked",
        }
    }

    /// Whether `show_traces` announces the trace with a line of its own: not where that would spoil the
    /// document.
    pub fn announced(self) -> bool {
        !matches!(
            self,
            Plugin::Xml | Plugin::XmlElement | Plugin::Vcd | Plugin::Html
        )
    }

    /// Writes all steps of a table of the shown symbols as trace number `number`.
    pub fn write(self, table: &Table, number: usize) -> String {
        self.write_steps(table, number, 0..=table.len - 1)
    }

    /// Writes some steps; they must be steps of the table.
    pub fn write_steps(self, table: &Table, number: usize, steps: Steps) -> String {
        match self {
            Plugin::Changes => text::write_steps(table, number, steps, false),
            Plugin::All => text::write_steps(table, number, steps, true),
            Plugin::Columns => matrix::symbols_on_columns(table, steps),
            Plugin::Rows => matrix::symbols_on_rows(table, steps),
            Plugin::Compact => matrix::compact(table, steps),
            Plugin::Xml => xml::document(table, number, steps),
            Plugin::XmlElement => xml::element(table, number, steps),
            Plugin::Empty => String::new(),
            Plugin::Vcd => vcd::write(table, number, steps),
            Plugin::Html => html::write(table, number, steps),
        }
    }
}
