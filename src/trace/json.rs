//! Traces in JSON: every step complete, nothing left out because it did not change.
//!
//! `{"kind":…,"steps":[{"state":{name:value},"input":{name:value}}],"loop":null|index}`. Booleans and integers
//! are JSON's own, symbols and words (NuSMV's notation) strings, sets arrays. A step's `input` is
//! that of the transition into it; DEFINEs over state and input stand under `combinatorial` of the
//! step they leave. `loop` is the index of the step that the last one repeats.

use super::table::{Cell, Column, Table};
use serde_json::{Map, Value, json};

/// The document's `trace` value.
pub fn write(table: &Table) -> Value {
    let steps: Vec<Value> = (0..table.len).map(|i| step(table, i)).collect();
    json!({
        "kind": table.description(),
        "steps": steps,
        "loop": table.loop_to,
    })
}

fn step(table: &Table, i: usize) -> Value {
    let mut step = Map::new();
    step.insert("state".to_owned(), columns(&table.state, i));
    step.insert("input".to_owned(), columns(&table.input, i));
    if !table.combinatorial.is_empty() {
        step.insert("combinatorial".to_owned(), columns(&table.combinatorial, i));
    }
    Value::Object(step)
}

fn columns(columns: &[Column], i: usize) -> Value {
    let known = columns
        .iter()
        .filter_map(|c| Some((c.name.clone(), cell(c.cells[i].as_ref()?))));
    Value::Object(known.collect())
}

fn cell(c: &Cell) -> Value {
    match c {
        Cell::Bool(b) => Value::Bool(*b),
        Cell::Int(n) => Value::from(*n),
        Cell::Symbol(s) | Cell::Word(s) => Value::from(s.as_str()),
        Cell::Set(values) => values.iter().map(cell).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::TraceKind;
    use crate::trace::table::ColumnKind;

    #[test]
    fn steps_are_complete() {
        let x = Column {
            name: "x".to_owned(),
            kind: ColumnKind::Variable,
            cells: vec![Some(Cell::Bool(true)), Some(Cell::Bool(true))],
        };
        let i = Column {
            name: "i".to_owned(),
            kind: ColumnKind::Variable,
            cells: vec![None, Some(Cell::Int(3))],
        };
        let table = Table {
            kind: TraceKind::CtlCounterexample,
            label: None,
            len: 2,
            state: vec![x],
            input: vec![i],
            combinatorial: vec![],
            has_inputs: true,
            marked: vec![true, false],
            loop_to: Some(0),
        };
        assert_eq!(
            write(&table).to_string(),
            r#"{"kind":"CTL Counterexample","steps":[{"state":{"x":true},"input":{}},{"state":{"x":true},"input":{"i":3}}],"loop":0}"#
        );
    }
}
