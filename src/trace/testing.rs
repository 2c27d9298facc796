//! Tables for the tests of the writers.

use super::table::{Cell, Column, ColumnKind, Table};
use super::{TraceKind, plugin::Steps};

/// Two steps: state `x` and a set `d`, input `i`, and over both `id` and, with next values, `nd`.
pub fn with_inputs() -> Table {
    let column = |name: &str, kind, cells: [Option<Cell>; 2]| Column {
        name: name.to_owned(),
        kind,
        cells: cells.to_vec(),
    };
    let set = || Some(Cell::Set(vec![Cell::Int(1), Cell::Int(2)]));
    let bool = |b| Some(Cell::Bool(b));
    Table {
        kind: TraceKind::CtlCounterexample,
        label: None,
        len: 2,
        state: vec![
            column(
                "x",
                ColumnKind::Variable,
                [Some(Cell::Int(0)), Some(Cell::Int(1))],
            ),
            column("d", ColumnKind::Define, [set(), set()]),
        ],
        input: vec![column(
            "i",
            ColumnKind::Variable,
            [None, Some(Cell::Symbol("p".to_owned()))],
        )],
        combinatorial: vec![
            column("id", ColumnKind::Define, [bool(true), None]),
            column("nd", ColumnKind::DefineNext, [bool(false), None]),
        ],
        has_inputs: true,
        marked: vec![false, false],
        loop_to: None,
    }
}

/// All steps of [`with_inputs`].
pub const BOTH: Steps = 0..=1;
