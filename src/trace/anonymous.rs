//! Traces with other names (`show_traces -A`): to show what happens without showing the model.
//!
//! Variables get `f`, `s` or `i` (frozen, state, input), their type and a number within the type: `sb_0`,
//! `is_2`, `sw4_1`; elements of arrays `a0[1]`; DEFINEs `d`, their type and a common number; elements of
//! arrays that are DEFINEs `m0[1]`; symbolic constants `c_0` in the order in which they appear. Numbers and words stay.

use super::plugin::Plugin;
use super::table::{Cell, Column, ColumnKind, Table};
use crate::model::types::Type;
use crate::model::{FlatModel, VarKind, VarType};
use std::collections::BTreeMap;

/// The table with other names; they are given in the order in which `plugin` writes symbols from step
/// `first` on.
pub fn rename(model: &FlatModel, table: &Table, plugin: Plugin, first: usize) -> Table {
    let mut table = table.clone();
    let mut names = Names::new(model);
    let parts = [&mut table.state, &mut table.combinatorial, &mut table.input];
    let order = match plugin {
        Plugin::Compact => [2, 0, 1],
        Plugin::Columns | Plugin::Rows => [0, 1, 2],
        _ if first > 0 => [1, 2, 0],
        _ => [0, 1, 2],
    };
    for part in order {
        for column in parts[part].iter_mut() {
            column.name = names.of(column);
        }
    }
    let mut constants = BTreeMap::new();
    for step in first.saturating_sub(1)..table.len {
        // Into a slice leads the transition before it.
        let state = (step >= first).then_some(step);
        let parts = [
            (&mut table.state, state),
            (&mut table.combinatorial, Some(step)),
            (&mut table.input, Some(step + 1)),
        ];
        for (columns, at) in parts {
            let Some(at) = at else { continue };
            for column in columns.iter_mut() {
                if let Some(Some(cell)) = column.cells.get_mut(at) {
                    constant(cell, &mut constants);
                }
            }
        }
    }
    table
}

fn constant(cell: &mut Cell, known: &mut BTreeMap<String, usize>) {
    match cell {
        Cell::Symbol(name) => {
            let next = known.len();
            let number = *known.entry(std::mem::take(name)).or_insert(next);
            *name = format!("c_{number}");
        }
        Cell::Set(values) => values.iter_mut().for_each(|v| constant(v, known)),
        Cell::Bool(_) | Cell::Int(_) | Cell::Word(_) => {}
    }
}

/// Other names for the symbols of a model, numbered in the order in which they are asked for.
pub struct Names<'m> {
    model: &'m FlatModel,
    vars: BTreeMap<&'m str, usize>,
    defines: BTreeMap<&'m str, Type>,
    /// The next number of each kind of name.
    next: BTreeMap<char, usize>,
    /// Arrays of variables by the name of the whole.
    arrays: BTreeMap<String, usize>,
    /// DEFINEs of arrays.
    matrices: BTreeMap<String, usize>,
}

impl<'m> Names<'m> {
    /// No name is given away yet.
    pub fn new(model: &'m FlatModel) -> Self {
        let vars = model.vars.iter().enumerate();
        Names {
            model,
            vars: vars.map(|(i, v)| (v.name.as_str(), i)).collect(),
            defines: model
                .defines
                .iter()
                .map(|d| (d.name.as_str(), model.type_of(d.body)))
                .collect(),
            next: BTreeMap::new(),
            arrays: BTreeMap::new(),
            matrices: BTreeMap::new(),
        }
    }

    fn number(&mut self, kind: char) -> usize {
        let next = self.next.entry(kind).or_default();
        *next += 1;
        *next - 1
    }

    fn of(&mut self, column: &Column) -> String {
        match column.kind {
            ColumnKind::Variable => self.variable(&column.name),
            _ => self.define(&column.name),
        }
    }

    /// Another name for a DEFINE.
    pub fn define(&mut self, name: &str) -> String {
        if let Some((matrix, element)) = element(name) {
            return format!("m{}{element}", within(&mut self.matrices, matrix));
        }
        let number = self.number('d');
        let ty = match self.defines.get(name) {
            Some(Type::Bool) => "b".to_owned(),
            Some(Type::Int) => "i".to_owned(),
            Some(Type::Word { width, .. }) => format!("w{width}"),
            Some(Type::BoolSet | Type::IntSet | Type::SymSet | Type::MixedSet) => "u".to_owned(),
            _ => "s".to_owned(),
        };
        format!("d{ty}_{number}")
    }

    /// Another name for a variable.
    pub fn variable(&mut self, name: &str) -> String {
        if let Some((array, element)) = element(name) {
            return format!("a{}{element}", within(&mut self.arrays, array));
        }
        let Some(var) = self.vars.get(name).map(|&i| &self.model.vars[i]) else {
            return name.to_owned();
        };
        let kind = match var.kind {
            VarKind::Frozen => 'f',
            VarKind::State => 's',
            VarKind::Input => 'i',
        };
        match &var.ty {
            VarType::Bool => format!("{kind}b_{}", self.number('b')),
            VarType::Word { width, .. } => format!("{kind}w{width}_{}", self.number('w')),
            VarType::Range { .. } | VarType::Enum(_) => format!("{kind}s_{}", self.number('s')),
        }
    }
}

/// An array and the indices of one of its elements.
fn element(name: &str) -> Option<(&str, &str)> {
    let own = name.rfind('.').map_or(0, |dot| dot + 1);
    let bracket = name[own..].find('[')?;
    Some(name.split_at(own + bracket))
}

/// The number of an array, the next one when it is new.
fn within(numbers: &mut BTreeMap<String, usize>, array: &str) -> usize {
    let next = numbers.len();
    *numbers.entry(array.to_owned()).or_insert(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::flat;
    use crate::model::{Value, arith};
    use crate::trace::{Step, Trace, TraceKind, build};

    #[test]
    fn names_tell_kind_and_type() {
        let model = flat(
            "VAR x : 0..4; b : boolean; w : word[4]; a : array 0..1 of boolean; m : {p, q}; \
             IVAR i : boolean; DEFINE d := m; g := [x, 2]; e := {x, 1};",
        );
        let value = |name: &str| match &model.vars.iter().find(|v| v.name == name).unwrap().ty {
            VarType::Bool => Value::Bool(true),
            VarType::Range { .. } => Value::Int(3),
            VarType::Word { signed, width } => Value::Word(arith::word(*signed, *width, &5.into())),
            VarType::Enum(values) => values[1].clone(),
        };
        let of = |input: bool| {
            let each = model
                .vars
                .iter()
                .map(|v| ((v.kind == VarKind::Input) == input).then(|| value(&v.name)));
            each.collect::<Vec<_>>()
        };
        let trace = Trace::new(
            TraceKind::Simulation,
            vec![
                Step {
                    state: of(false),
                    input: vec![None; model.vars.len()],
                },
                Step {
                    state: of(false),
                    input: of(true),
                },
            ],
            None,
        );
        let table = rename(&model, &build::table(&model, &trace), Plugin::Changes, 0);
        let names = |columns: &[Column]| -> Vec<String> {
            columns.iter().map(|c| c.name.clone()).collect()
        };
        assert_eq!(
            names(&table.state),
            [
                "ss_0", "sb_0", "sw4_0", "a0[0]", "a0[1]", "ss_1", "du_0", "m0[0]", "m0[1]", "ds_1"
            ]
        );
        assert_eq!(names(&table.input), ["ib_1"]);
        assert_eq!(
            table.state[5].cells[0],
            Some(Cell::Symbol("c_0".to_owned()))
        );
    }
}
