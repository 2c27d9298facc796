//! [`Trace`] → [`Table`]: which symbols a trace shows, where, and their values.
//!
//! Variables come first, frozen before state, then DEFINEs in the model's order. A DEFINE stands
//! with the state if it reads state variables or none, with the input if it reads inputs only, and
//! between the steps ("combinatorial") if it reads both or uses `next`. Symbols that read a variable
//! the trace has no value for (outside the cone of influence) are left out. DEFINEs are evaluated
//! explicitly; one that has no value in a step has an empty cell there.

use super::table::{Cell, Column, ColumnKind, Table};
use super::{Step, Trace, TraceKind};
use crate::base::deep;
use crate::model::eval::{Env, Evaluator};
use crate::model::{Define, ExprId, FlatModel, Node, Value, VarId, VarKind};
use rustc_hash::FxHashMap;
use smv_grammar::ops::{BinOp, UnOp};

/// What an expression looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Reads {
    state: bool,
    input: bool,
    next: bool,
    /// A variable without value in this trace.
    absent: bool,
}

impl Reads {
    fn join(self, other: Reads) -> Reads {
        Reads {
            state: self.state | other.state,
            input: self.input | other.input,
            next: self.next | other.next,
            absent: self.absent | other.absent,
        }
    }

    fn part(self) -> Part {
        match self {
            Reads { next: true, .. } => Part::Combinatorial,
            Reads {
                state: true,
                input: true,
                ..
            } => Part::Combinatorial,
            Reads { input: true, .. } => Part::Input,
            _ => Part::State,
        }
    }
}

/// The table of `trace`.
pub fn table(model: &FlatModel, trace: &Trace) -> Table {
    let steps = &trace.steps;
    let valued = Valued::new(model, steps);
    let mut table = Table {
        kind: trace.kind,
        label: trace.label.clone(),
        len: steps.len(),
        state: Vec::new(),
        input: Vec::new(),
        combinatorial: Vec::new(),
        has_inputs: false,
        marked: marked(trace),
        loop_to: trace.loop_to,
    };
    let variable = |v: VarId, of: fn(&Step, VarId) -> Option<&Value>| Column {
        name: model.var(v).name.clone(),
        kind: ColumnKind::Variable,
        cells: steps
            .iter()
            .map(|s| of(s, v).map(|value| Cell::new(value, &model.pool)))
            .collect(),
    };
    for kind in [VarKind::Frozen, VarKind::State] {
        let vars = model.vars_of(kind).filter(|&v| valued.has(v));
        table
            .state
            .extend(vars.map(|v| variable(v, Step::state_value)));
    }
    let inputs: Vec<VarId> = model
        .vars_of(VarKind::Input)
        .filter(|&v| valued.has(v))
        .collect();
    table.has_inputs = !inputs.is_empty();
    table
        .input
        .extend(inputs.into_iter().map(|v| variable(v, Step::input_value)));
    defines(model, steps, &valued, &mut table);
    table
}

/// Steps equal to the last one; for LTL and PSL the engine says which (hidden variables count).
fn marked(trace: &Trace) -> Vec<bool> {
    let steps = &trace.steps;
    let Some((last, earlier)) = steps.split_last() else {
        return Vec::new();
    };
    if let Some(label) = &trace.label {
        return (0..steps.len()).map(|i| label.loops.contains(&i)).collect();
    }
    let mut marked: Vec<bool> = match trace.kind {
        TraceKind::Simulation => vec![false; earlier.len()],
        TraceKind::LtlCounterexample | TraceKind::PslCounterexample => (0..earlier.len())
            .map(|i| Some(i) == trace.loop_to || trace.repeats.contains(&i))
            .collect(),
        _ => earlier.iter().map(|s| s.state == last.state).collect(),
    };
    marked.push(false);
    marked
}

/// Where the symbols of a kind stand in a table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    State,
    Input,
    Combinatorial,
}

impl Part {
    fn columns(self, table: &mut Table) -> &mut Vec<Column> {
        match self {
            Part::State => &mut table.state,
            Part::Input => &mut table.input,
            Part::Combinatorial => &mut table.combinatorial,
        }
    }
}

/// The columns of the DEFINEs that have values.
fn defines(model: &FlatModel, steps: &[Step], valued: &Valued, table: &mut Table) {
    let places = declare_defines(model, steps, valued, table);
    for (i, step) in steps.iter().enumerate() {
        // A state, the inputs that led to it, and the transition out of it.
        let next = steps.get(i + 1);
        let cells = |input, next| Values {
            model,
            evaluator: Evaluator::new(
                model,
                Env {
                    cur: &step.state,
                    input,
                    next,
                },
            ),
        };
        let mut here = cells(&step.input, None);
        let empty: &[Option<Value>] = &[];
        let mut across = cells(
            next.map_or(empty, |s| &s.input),
            next.map(|s| s.state.as_slice()),
        );
        for &(body, part, column) in &places {
            let cell = match part {
                Part::State => here.cell(body),
                Part::Input if i > 0 => here.cell(body),
                Part::Combinatorial if next.is_some() => across.cell(body),
                Part::Input | Part::Combinatorial => None,
            };
            part.columns(table)[column].cells[i] = cell;
        }
    }
}

/// Empty columns of the DEFINEs that have values, and for each its body and its place.
fn declare_defines(
    model: &FlatModel,
    steps: &[Step],
    valued: &Valued,
    table: &mut Table,
) -> Vec<(ExprId, Part, usize)> {
    let mut reads = ReadsOf {
        model,
        valued,
        memo: FxHashMap::default(),
    };
    let mut shown: Vec<_> = model
        .defines
        .iter()
        .map(|d| (d, reads.of(d.body)))
        .filter(|(_, r)| !r.absent)
        .collect();
    // Those that look at next values come last, the more they read the later.
    shown.sort_by_key(|(_, r)| (r.next, r.next && r.input, r.next && r.state));
    let declare = |(d, r): (&Define, Reads)| {
        let columns = r.part().columns(table);
        columns.push(Column {
            name: d.name.clone(),
            kind: if r.next {
                ColumnKind::DefineNext
            } else {
                ColumnKind::Define
            },
            cells: vec![None; steps.len()],
        });
        (d.body, r.part(), columns.len() - 1)
    };
    shown.into_iter().map(declare).collect()
}

/// Which variables have values somewhere in the trace.
struct Valued(Vec<bool>);

impl Valued {
    fn new(model: &FlatModel, steps: &[Step]) -> Self {
        let has = |v: VarId| match model.var(v).kind {
            // A trace of one step has no inputs; nothing of them is written then.
            VarKind::Input => steps.len() == 1 || steps.iter().any(|s| s.input_value(v).is_some()),
            _ => steps.iter().any(|s| s.state_value(v).is_some()),
        };
        Valued(
            (0..model.vars.len() as u32)
                .map(|v| has(VarId(v)))
                .collect(),
        )
    }

    fn has(&self, v: VarId) -> bool {
        self.0[v.0 as usize]
    }
}

/// Memoised [`Reads`] of expressions.
struct ReadsOf<'a> {
    model: &'a FlatModel,
    valued: &'a Valued,
    memo: FxHashMap<ExprId, Reads>,
}

impl ReadsOf<'_> {
    fn of(&mut self, e: ExprId) -> Reads {
        if let Some(&known) = self.memo.get(&e) {
            return known;
        }
        // Guards against DEFINEs in a circle, which flattening has excluded.
        self.memo.insert(e, Reads::default());
        let reads = deep(|| self.compute(e));
        self.memo.insert(e, reads);
        reads
    }

    fn compute(&mut self, e: ExprId) -> Reads {
        let model = self.model;
        match model.pool.node(e) {
            Node::Var(v) => Reads {
                state: model.var(*v).kind != VarKind::Input,
                input: model.var(*v).kind == VarKind::Input,
                next: false,
                absent: !self.valued.has(*v),
            },
            Node::Define(d) => self.of(model.define(*d).body),
            node => {
                let mut operands = Vec::new();
                node.for_each_operand(|o| operands.push(o));
                let all = operands
                    .into_iter()
                    .fold(Reads::default(), |r, o| r.join(self.of(o)));
                if matches!(node, Node::Unary(UnOp::Next, _)) {
                    return Reads {
                        state: false,
                        input: false,
                        next: true,
                        ..all
                    };
                }
                all
            }
        }
    }
}

/// Cells of expressions at one place.
struct Values<'a> {
    model: &'a FlatModel,
    evaluator: Evaluator<'a>,
}

impl Values<'_> {
    fn cell(&mut self, e: ExprId) -> Option<Cell> {
        let value = self.evaluator.eval(e).ok()?;
        if let Value::Set(_) = value {
            let mut ordered = Vec::new();
            self.in_source_order(e, &mut ordered);
            return Some(match ordered.as_slice() {
                [one] => Cell::new(one, &self.model.pool),
                _ => Cell::Set(
                    ordered
                        .iter()
                        .map(|v| Cell::new(v, &self.model.pool))
                        .collect(),
                ),
            });
        }
        Some(Cell::new(&value, &self.model.pool))
    }

    /// The members of a set as they are written; sets that are computed come in their own order.
    fn in_source_order(&mut self, e: ExprId, out: &mut Vec<Value>) {
        let model = self.model;
        match model.pool.node(e) {
            Node::Binary(BinOp::Union, a, b) => deep(|| {
                self.in_source_order(*a, out);
                self.in_source_order(*b, out);
            }),
            Node::Define(d) => self.in_source_order(model.define(*d).body, out),
            Node::Ite(c, a, b) if self.evaluator.holds(*c).is_ok() => {
                let branch = if self.evaluator.holds(*c) == Ok(true) {
                    a
                } else {
                    b
                };
                deep(|| self.in_source_order(*branch, out));
            }
            _ => {
                let members = match self.evaluator.eval(e) {
                    Ok(Value::Set(members)) => members,
                    Ok(value) => vec![value],
                    Err(_) => Vec::new(),
                };
                for m in members {
                    if !out.contains(&m) {
                        out.push(m);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::flat;
    use crate::trace::{Plugin, Selection};

    fn state(values: &[i64]) -> Vec<Option<Value>> {
        values.iter().map(|&n| Some(Value::Int(n))).collect()
    }

    #[test]
    fn defines_stand_where_they_read() {
        let m = flat(
            "VAR x : 0..3; IVAR i : 0..1; DEFINE d := x + 1; nd := next(x); id := i + x; \
             k := {2, 1}; di := i + 1; s := x = 0 ? {3, 1, 2} : 0;",
        );
        let step = |x: i64, i: Option<i64>| Step {
            state: vec![Some(Value::Int(x)), None],
            input: vec![None, i.map(Value::Int)],
        };
        let trace = Trace::new(
            TraceKind::CtlCounterexample,
            vec![step(0, None), step(1, Some(1)), step(0, Some(0))],
            Some(0),
        );
        let text = Plugin::Changes.write(&table(&m, &trace).select(&Selection::default()), 1);
        let expected = "Trace Description: CTL Counterexample \nTrace Type: Counterexample \n  \
            -- Loop starts here\n  -> State: 1.1 <-\n    x = 0\n    s = 3 union 1, 2\n    k = 2, 1\n    \
            d = 1\n    id = 1\n    nd = 1\n  -> Input: 1.2 <-\n    i = 1\n    di = 2\n  \
            -> State: 1.2 <-\n    x = 1\n    s = 0\n    d = 2\n    nd = 0\n  -> Input: 1.3 <-\n    \
            i = 0\n    di = 1\n  -> State: 1.3 <-\n    x = 0\n    s = 3 union 1, 2\n    d = 1\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn what_has_no_value_is_left_out() {
        let m = flat("VAR x : 0..3; y : 0..3; DEFINE a := x; b := y; c := x + y;");
        let step = Step {
            state: vec![state(&[2])[0].clone(), None],
            input: vec![],
        };
        let trace = Trace::new(TraceKind::CtlCounterexample, vec![step], None);
        let t = table(&m, &trace);
        let names: Vec<&str> = t.state.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["x", "a"]);
    }
}
