//! A trace as a table: symbols × steps, in the order in which NuSMV prints them.
//!
//! `FlatModel` + [`super::Trace`] → [`Table`] (built by `build`), which all writers read. A column holds
//! one value per step; `None` where the symbol has none (the inputs of the first step, what looks
//! at the next state in the last step, symbols outside the cone of influence).

use super::pattern::Pattern;
use super::{Label, TraceKind};
use crate::model::{ExprPool, Value};
use smv_grammar::word;
use std::borrow::Cow;
use std::fmt::Write;

/// A value ready for writing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// `TRUE` or `FALSE`.
    Bool(bool),
    /// A number.
    Int(i64),
    /// A symbolic constant.
    Symbol(String),
    /// A word in NuSMV's notation.
    Word(String),
    /// At least two values, in source order.
    Set(Vec<Cell>),
}

impl Cell {
    /// The cell for a value of the model to which `pool` belongs.
    pub fn new(value: &Value, pool: &ExprPool) -> Cell {
        match value {
            Value::Bool(b) => Cell::Bool(*b),
            Value::Int(n) => Cell::Int(*n),
            Value::Sym(s) => Cell::Symbol(pool.symbol_name(*s).to_owned()),
            Value::Word(w) => Cell::Word(word::text(w.signed, w.width, &w.bits)),
            Value::Set(values) => Cell::Set(values.iter().map(|v| Cell::new(v, pool)).collect()),
        }
    }
}

impl Cell {
    /// As `Display`, but a set is written as a `union` to its end, which is how NuSMV's tables show it.
    pub fn as_union(&self) -> String {
        match self {
            Cell::Set(values) => {
                let mut text = "(".repeat(values.len().saturating_sub(2));
                for (i, v) in values.iter().enumerate() {
                    let _ = match i {
                        0 => write!(text, "{v}"),
                        _ if i + 1 == values.len() => write!(text, " union {v}"),
                        _ => write!(text, " union {v})"),
                    };
                }
                text
            }
            other => other.to_string(),
        }
    }
}

impl std::fmt::Display for Cell {
    /// NuSMV's notation. A set is its last value after a comma, the others as a `union`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Cell::Bool(b) => f.write_str(if *b { "TRUE" } else { "FALSE" }),
            Cell::Int(n) => write!(f, "{n}"),
            Cell::Symbol(s) | Cell::Word(s) => f.write_str(s),
            Cell::Set(values) => match values.as_slice() {
                [] => Ok(()),
                [init @ .., last] => {
                    // ((a union b) union c), d  without the outermost parentheses
                    for _ in 2..init.len() {
                        f.write_str("(")?;
                    }
                    for (i, v) in init.iter().enumerate() {
                        if i > 0 {
                            f.write_str(" union ")?;
                        }
                        write!(f, "{v}")?;
                        if i > 0 && i + 1 < init.len() {
                            f.write_str(")")?;
                        }
                    }
                    if !init.is_empty() {
                        f.write_str(", ")?;
                    }
                    write!(f, "{last}")
                }
            },
        }
    }
}

/// What a column's symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Of any kind.
    Variable,
    /// A DEFINE over current values.
    Define,
    /// A DEFINE that looks at next values.
    DefineNext,
}

/// One symbol and its value in each step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// With its instance.
    pub name: String,
    /// Decides whether it is shown.
    pub kind: ColumnKind,
    /// By step; `None` where the symbol has no value.
    pub cells: Vec<Option<Cell>>,
}

/// Which symbols of a trace are shown (NuSMV's `traces_hiding_prefix`, `traces_regexp`, `traces_show_defines`,
/// `traces_show_defines_with_next`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Symbols whose own name (in their instance) begins so are not shown.
    pub hiding_prefix: String,
    /// If given, only symbols in whose own name it is found are shown.
    pub pattern: Option<Pattern>,
    /// DEFINEs over current values.
    pub defines: bool,
    /// DEFINEs that look at next values; not without `defines`.
    pub defines_with_next: bool,
}

impl Default for Selection {
    fn default() -> Self {
        Selection {
            hiding_prefix: "__".to_owned(),
            pattern: None,
            defines: true,
            defines_with_next: true,
        }
    }
}

impl Selection {
    fn shows(&self, column: &Column) -> bool {
        let own = column.name.rsplit('.').next().unwrap_or(&column.name);
        let kind = match column.kind {
            ColumnKind::Variable => true,
            ColumnKind::Define => self.defines,
            ColumnKind::DefineNext => self.defines && self.defines_with_next,
        };
        let named = self.pattern.as_ref().is_none_or(|p| p.is_in(own));
        kind && named && !own.starts_with(&self.hiding_prefix)
    }
}

/// The whole trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What the trace shows.
    pub kind: TraceKind,
    /// Of a trace that was read from a file.
    pub label: Option<Label>,
    /// Number of steps, at least 1.
    pub len: usize,
    /// Frozen variables, state variables, DEFINEs over the state.
    pub state: Vec<Column>,
    /// Input variables and DEFINEs over inputs only: of the transition into the step.
    pub input: Vec<Column>,
    /// DEFINEs over state and input, or with `next`: of the transition out of the step.
    pub combinatorial: Vec<Column>,
    /// Whether the model (or its cone of influence) has input variables.
    pub has_inputs: bool,
    /// Steps marked as the start of the loop; the last step never is.
    pub marked: Vec<bool>,
    /// The step that the last one repeats.
    pub loop_to: Option<usize>,
}

impl Table {
    /// What the description line says.
    pub fn description(&self) -> &str {
        match &self.label {
            Some(label) => &label.description,
            None => self.kind.description(),
        }
    }

    /// The type in XML.
    pub fn code(&self) -> u8 {
        self.label.as_ref().map_or(self.kind.code(), |l| l.code)
    }

    /// What the type line says.
    pub fn type_name(&self) -> &'static str {
        match self.code() {
            0 => "Counterexample",
            1 => "Simulation",
            _ => "Execution",
        }
    }

    /// The table of the symbols that are shown; this one, without a copy, if all are.
    pub fn select(&self, selection: &Selection) -> Cow<'_, Table> {
        let mut columns = (self.state.iter())
            .chain(&self.input)
            .chain(&self.combinatorial);
        if columns.all(|c| selection.shows(c)) {
            return Cow::Borrowed(self);
        }
        let shown = |columns: &[Column]| {
            let all = columns.iter().filter(|c| selection.shows(c));
            all.cloned().collect()
        };
        Cow::Owned(Table {
            state: shown(&self.state),
            input: shown(&self.input),
            combinatorial: shown(&self.combinatorial),
            marked: self.marked.clone(),
            label: self.label.clone(),
            ..*self
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_hidden_by_their_last_part() {
        let shows = |name: &str, kind| {
            let column = Column {
                name: name.to_owned(),
                kind,
                cells: vec![],
            };
            Selection::default().shows(&column)
        };
        assert!(!shows("c.__h", ColumnKind::Variable));
        assert!(!shows("__a[1]", ColumnKind::Variable));
        assert!(shows("__c.h", ColumnKind::Variable));
        assert!(shows("a__", ColumnKind::DefineNext));
    }

    #[test]
    fn sets_are_written_as_nusmv_does() {
        let ints = |n: i64| Cell::Set((1..=n).map(Cell::Int).collect());
        assert_eq!(ints(2).to_string(), "1, 2");
        assert_eq!(ints(3).to_string(), "1 union 2, 3");
        assert_eq!(ints(4).to_string(), "(1 union 2) union 3, 4");
        assert_eq!(ints(5).to_string(), "((1 union 2) union 3) union 4, 5");
        assert_eq!(ints(2).as_union(), "1 union 2");
        assert_eq!(ints(4).as_union(), "((1 union 2) union 3) union 4");
    }
}
