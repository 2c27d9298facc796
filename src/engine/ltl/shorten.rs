//! Lassos without detours.
//!
//! The search visits one constraint after the other and may walk in circles. Where two steps have the
//! same state, what lies between them can be left out or the loop can be closed there, and a stem that
//! ends like the loop can be rolled into it. Each candidate is judged by the lasso evaluator: the formula
//! must stay false and the loop fair. Shortest stem first, then shortest loop.

use crate::model::{ExprId, FlatModel};
use crate::trace::Trace;

/// How many candidates are judged at most.
const CANDIDATES: usize = 2000;

/// A part of a lasso that may go.
#[derive(Clone, Copy, Debug)]
enum Cut {
    /// Steps `i + 1 ..= j`.
    Between(usize, usize),
    /// Everything after step `j`; the loop is closed to step `i`.
    CloseAt(usize, usize),
}

/// A counterexample to `e` no longer than `trace`, which is one.
pub fn shorten(model: &FlatModel, e: ExprId, mut trace: Trace) -> Trace {
    let mut judged = 0;
    while let Some(shorter) = improve(model, e, &trace, &mut judged) {
        trace = shorter;
    }
    trace
}

/// The best valid candidate.
fn improve(model: &FlatModel, e: ExprId, trace: &Trace, judged: &mut usize) -> Option<Trace> {
    let start = trace.loop_to?;
    let n = trace.steps.len();
    let size = |t: &Trace| (t.loop_to, t.steps.len());
    let mut candidates = Vec::new();
    let mut consider = |cut| {
        let candidate = apply(trace, start, cut)?;
        (size(&candidate) < size(trace)).then(|| candidates.push(candidate))
    };
    let mut places: rustc_hash::FxHashMap<_, Vec<usize>> = rustc_hash::FxHashMap::default();
    for (j, step) in trace.steps.iter().enumerate() {
        let same = places.entry(&step.state).or_default();
        for &i in same.iter() {
            let _ = consider(Cut::Between(i, j));
            let _ = consider(Cut::CloseAt(i, j));
        }
        same.push(j);
        if same.len() > n.min(50) {
            same.remove(0);
        }
    }
    candidates.sort_by_key(size);
    candidates.into_iter().find(|candidate| {
        *judged += 1;
        *judged <= CANDIDATES && violates(model, e, candidate)
    })
}

/// The trace without a part; none where no lasso is left.
fn apply(trace: &Trace, start: usize, cut: Cut) -> Option<Trace> {
    let mut shorter = trace.clone();
    match cut {
        Cut::Between(i, j) => {
            if i < start && start < j || (i, j) == (start, trace.steps.len() - 1) {
                return None;
            }
            shorter.steps.drain(i + 1..=j);
            if j <= start {
                shorter.loop_to = Some(start - (j - i));
            }
        }
        Cut::CloseAt(i, j) => {
            shorter.steps.truncate(j + 1);
            shorter.loop_to = Some(i);
        }
    }
    Some(shorter)
}

fn violates(model: &FlatModel, e: ExprId, trace: &Trace) -> bool {
    let Some(start) = trace.loop_to.filter(|s| s + 1 < trace.steps.len()) else {
        return false;
    };
    let mut lasso = trace.lasso(model, start);
    lasso.is_fair() == Ok(true) && lasso.holds(e) == Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::flat;
    use crate::model::{PropFormula, Value};
    use crate::trace::{Step, TraceKind};

    fn shortened(formula: &str, values: &[i64], start: usize) -> (Vec<Value>, Option<usize>) {
        let m = flat(&format!("VAR x : 0..9; LTLSPEC {formula};"));
        let PropFormula::Ltl(e) = m.properties[0].formula else {
            unreachable!("an LTLSPEC")
        };
        let steps = values.iter().map(|&n| Step {
            state: vec![Some(Value::Int(n))],
            input: vec![None],
        });
        let trace = Trace::new(TraceKind::LtlCounterexample, steps.collect(), Some(start));
        let short = shorten(&m, e, trace);
        let values = short.steps.into_iter().filter_map(|s| s.state[0].clone());
        (values.collect(), short.loop_to)
    }

    #[test]
    fn detours_go_and_needs_stay() {
        let ints = |v: &[i64]| v.iter().map(|&n| Value::Int(n)).collect::<Vec<_>>();
        // formula, lasso, lasso without detours
        type Lasso = (&'static [i64], usize);
        let cases: [(&str, Lasso, Lasso); 5] = [
            ("G x = 0", (&[0, 1, 2, 1, 3, 1], 1), (&[0, 1, 3, 1], 1)),
            ("G x = 0", (&[0, 1, 0, 1, 0], 2), (&[0, 1, 0], 0)),
            ("F x = 9", (&[1, 2, 3, 2, 3, 2], 3), (&[1, 2, 3, 2], 1)),
            (
                "!(G F x = 2 & G F x = 3)",
                (&[1, 2, 1, 3, 1], 0),
                (&[1, 2, 1, 3, 1], 0),
            ),
            ("!X X x = 1", (&[1, 1, 1, 2, 1], 1), (&[1, 1], 0)),
        ];
        for (formula, (values, start), (expected, at)) in cases {
            let got = shortened(formula, values, start);
            assert_eq!(got, (ints(expected), Some(at)), "{formula}");
        }
    }
}
