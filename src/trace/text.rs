//! The text layout of traces (NuSMV's trace plugins 0, "changes only", and 1, "all variables").
//!
//! For each step: the DEFINEs over state and input of the step before, without a header; the
//! inputs that led here; the loop marker; the state. A symbol is written only when its value
//! differs from the one last written, or, with "all", in each step.

use super::TraceKind;
use super::plugin::Steps;
use super::table::{Cell, Column, Table};
use std::fmt::Write;

impl TraceKind {
    /// What the description line says.
    pub fn description(self) -> &'static str {
        match self {
            TraceKind::CtlCounterexample => "CTL Counterexample",
            TraceKind::LtlCounterexample => "LTL Counterexample",
            TraceKind::PslCounterexample => "PSL Counterexample",
            TraceKind::AgAlphaCounterexample => "AG alpha Counterexample",
            TraceKind::AgOnlyCounterexample => "AG Only counterexample",
            TraceKind::Simulation => "Simulation Trace",
            TraceKind::Execution => "BDD Execution",
        }
    }

    /// The type in XML.
    pub fn code(self) -> u8 {
        match self {
            TraceKind::Simulation => 1,
            TraceKind::Execution => 2,
            _ => 0,
        }
    }
}

/// Writes some steps of a table as trace number `number`, headers included. With `all`, also values that are as before.
pub fn write_steps(table: &Table, number: usize, steps: Steps, all: bool) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "Trace Description: {} ", table.description());
    let _ = writeln!(out, "Trace Type: {} ", table.type_name());
    let mut state = Section::new(&table.state, all);
    let mut input = Section::new(&table.input, all);
    let mut combinatorial = Section::new(&table.combinatorial, all);
    for i in steps {
        if i > 0 {
            combinatorial.write(&mut out, i - 1);
            if table.has_inputs {
                let _ = writeln!(out, "  -> Input: {number}.{} <-", i + 1);
                input.write(&mut out, i);
            }
        }
        if table.marked[i] {
            out.push_str("  -- Loop starts here\n");
        }
        let _ = writeln!(out, "  -> State: {number}.{} <-", i + 1);
        state.write(&mut out, i);
    }
    out
}

/// Columns with the value last written of each.
struct Section<'a> {
    columns: &'a [Column],
    all: bool,
    shown: Vec<Option<&'a Cell>>,
}

impl<'a> Section<'a> {
    fn new(columns: &'a [Column], all: bool) -> Self {
        Section {
            columns,
            all,
            shown: vec![None; columns.len()],
        }
    }

    fn write(&mut self, out: &mut String, step: usize) {
        for (column, shown) in self.columns.iter().zip(&mut self.shown) {
            let Some(cell) = column.cells[step].as_ref() else {
                continue;
            };
            if self.all || *shown != Some(cell) {
                let _ = writeln!(out, "    {} = {cell}", column.name);
            }
            *shown = Some(cell);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Plugin;
    use crate::trace::table::{ColumnKind, Selection};

    fn column(name: &str, cells: &[Option<i64>]) -> Column {
        let cells = cells.iter().map(|c| c.map(Cell::Int)).collect();
        Column {
            name: name.to_owned(),
            kind: ColumnKind::Variable,
            cells,
        }
    }

    #[test]
    fn inputs_loop_marks_and_combinatorial_defines() {
        let table = Table {
            kind: TraceKind::AgAlphaCounterexample,
            label: None,
            len: 3,
            state: vec![
                column("x", &[Some(0), Some(1), Some(0)]),
                column("__hidden", &[Some(0), Some(1), Some(0)]),
                column("d", &[Some(7), Some(7), Some(7)]),
            ],
            input: vec![column("i", &[None, Some(1), Some(1)])],
            combinatorial: vec![column("nd", &[Some(1), Some(0), None])],
            has_inputs: true,
            marked: vec![true, false, false],
            loop_to: Some(0),
        };
        let expected = "Trace Description: AG alpha Counterexample \n\
            Trace Type: Counterexample \n  -- Loop starts here\n  -> State: 4.1 <-\n    x = 0\n    \
            d = 7\n    nd = 1\n  -> Input: 4.2 <-\n    i = 1\n  -> State: 4.2 <-\n    x = 1\n    \
            nd = 0\n  -> Input: 4.3 <-\n  -> State: 4.3 <-\n    x = 0\n";
        let shown = table.select(&Selection::default());
        assert_eq!(Plugin::Changes.write(&shown, 4), expected);
    }
}
