//! Where else a loop might start: steps that NuSMV marks beside the start of the loop.
//!
//! `(formula, lasso) → steps`: those equal to the last one in the variables of the model and of NuSMV's
//! tableau, which holds a bit for each elementary formula,
//!
//! ```text
//! X f    X (f U g), so too for F and G    Y f, Z f    Y (f S g), so too for O and H    atoms that read a step
//! ```
//!
//! The lasso evaluator tells their values.

use crate::model::explicit::ExplicitError;
use crate::model::explicit::lasso::Lasso;
use crate::model::{ExprId, FlatModel, Node};
use crate::trace::Trace;
use rustc_hash::FxHashSet;
use smv_grammar::ops::{BinOp, BoundedOp, UnOp};

/// The steps but `loop_to` that are equal to the last step of a lasso.
pub fn repeats(model: &FlatModel, e: ExprId, trace: &Trace) -> Vec<usize> {
    let (Some(start), Some((last, earlier))) = (trace.loop_to, trace.steps.split_last()) else {
        return Vec::new();
    };
    let equal = |i: &usize| *i != start && earlier[*i].state == last.state;
    let mut steps: Vec<usize> = (0..earlier.len()).filter(equal).collect();
    if steps.is_empty() {
        return steps;
    }
    let mut lasso = trace.lasso(model, start);
    let n = earlier.len();
    for memory in elementary(model, e) {
        match memory.history(&mut lasso, n) {
            Ok(known) => steps.retain(|&i| known[i] == known[n]),
            Err(_) => return Vec::new(),
        }
    }
    steps
}

/// What a bit of the tableau says at a step: truth of an expression that many steps later (or, if
/// negative, earlier).
struct Memory {
    of: ExprId,
    distance: isize,
}

impl Memory {
    /// The bit at steps 0 to `n`; none before there is a past.
    fn history(&self, lasso: &mut Lasso, n: usize) -> Result<Vec<Option<bool>>, ExplicitError> {
        let ahead = self.distance.max(0).unsigned_abs();
        let values = lasso.prefix(self.of, n + 1 + ahead)?;
        let at = |i: usize| values.get(i.checked_add_signed(self.distance)?).copied();
        Ok((0..=n).map(at).collect())
    }
}

/// The bits of the tableau of `e`.
fn elementary(model: &FlatModel, e: ExprId) -> Vec<Memory> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut todo = vec![e];
    while let Some(e) = todo.pop() {
        if !seen.insert(e) {
            continue;
        }
        let mut bit = |of, distance| found.push(Memory { of, distance });
        let node = model.pool.node(e);
        match *node {
            _ if !model.pool.is_temporal(e) => {
                if model.reads_step(e) {
                    bit(e, 0);
                }
                continue;
            }
            Node::Unary(UnOp::X, a) => bit(a, 1),
            Node::Unary(UnOp::Y | UnOp::Z, a) => bit(a, -1),
            Node::Unary(UnOp::F | UnOp::G, _) | Node::Binary(BinOp::U, ..) => bit(e, 1),
            Node::Unary(UnOp::O | UnOp::H, _) | Node::Binary(BinOp::S, ..) => bit(e, -1),
            Node::Bounded { op, hi, a, .. } => {
                let sign = match op {
                    BoundedOp::LtlF | BoundedOp::LtlG => 1,
                    _ => -1,
                };
                (1..=hi as isize).for_each(|k| bit(a, sign * k));
            }
            _ => {}
        }
        node.for_each_operand(|o| todo.push(o));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::flat;
    use crate::model::{PropFormula, Value};
    use crate::trace::{Step, TraceKind};

    #[test]
    fn what_the_formula_tells_apart_is_not_a_repetition() {
        let cases: [(&str, &[usize]); 5] = [
            ("!(G F x = 1 & G F x = 2)", &[2]),
            ("!(G F x = 1 & X x = 2)", &[]),
            ("!G F (x = 1 & Y x = 0)", &[2]),
            ("!G F (x = 1 & Y Y x = 2)", &[]),
            ("!F (x = 0 & O x = 1)", &[]),
        ];
        for (formula, expected) in cases {
            let m = flat(&format!("VAR x : 0..2; LTLSPEC {formula};"));
            let PropFormula::Ltl(e) = m.properties[0].formula else {
                unreachable!("an LTLSPEC")
            };
            let steps = [0, 2, 0, 1, 0].map(|n| Step {
                state: vec![Some(Value::Int(n))],
                input: vec![None],
            });
            let trace = Trace::new(TraceKind::LtlCounterexample, steps.into(), Some(0));
            assert_eq!(repeats(&m, e, &trace), expected, "{formula}");
        }
    }
}
