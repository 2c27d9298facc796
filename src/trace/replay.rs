//! Replay: is a trace really an execution, and does it show what it claims?
//!
//! The first state must be initial, each step a transition under its inputs, a closed loop must
//! close, and for properties whose violation shows in states (`AG p` and INVARSPEC with a
//! propositional `p`, or a propositional formula) the right state must violate it. A trace for an LTL
//! formula must be a fair lasso on which the formula is false. The evaluators share no code with the
//! encoder and the engines, so a mistake there is found here.

use super::Trace;
use crate::model::arith::EvalError;
use crate::model::eval::{Env, Evaluator};
use crate::model::explicit::lasso::Lasso;
use crate::model::{ExprId, FlatModel, Node, PropFormula, Property, PslFormula, Value};
use smv_grammar::ops::UnOp;

/// Why a trace is wrong. Steps count from 1, as they are printed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages tell")]
pub enum ReplayError {
    #[error("the trace has no states")]
    Empty,
    #[error("state 1 is not initial")]
    NotInitial,
    #[error("there is no transition from state {0} to state {next}", next = .0 + 1)]
    NoTransition(usize),
    #[error("the last state differs from state {0}, where the loop starts")]
    LoopOpen(usize),
    #[error("state {0} does not violate the property")]
    NotViolated(usize),
    #[error("the trace has no loop")]
    NoLoop,
    #[error("the fairness condition of line {0} is not met")]
    Unfair(u32),
    #[error("state {step}: {error}")]
    Evaluation { step: usize, error: EvalError },
}

/// Checks `trace`. With `partial`, constraints over variables without value are taken to hold
/// (the trace covers a cone of influence, outside of which nothing is known).
pub fn replay(
    model: &FlatModel,
    property: &Property,
    trace: &Trace,
    partial: bool,
) -> Result<(), ReplayError> {
    let steps = &trace.steps;
    let first = steps.first().ok_or(ReplayError::Empty)?;
    let judge = |step: usize, result: Result<bool, EvalError>| match result {
        Err(EvalError::NoValue(_)) if partial => Ok(true),
        other => other.map_err(|error| ReplayError::Evaluation { step, error }),
    };
    if !judge(1, model.is_initial(&first.state))? {
        return Err(ReplayError::NotInitial);
    }
    for (i, pair) in steps.windows(2).enumerate() {
        let (from, to) = (&pair[0], &pair[1]);
        if !judge(
            i + 1,
            model.is_transition(&from.state, &to.input, &to.state),
        )? {
            return Err(ReplayError::NoTransition(i + 1));
        }
    }
    if let Some(start) = trace.loop_to {
        let closes = steps
            .get(start)
            .is_some_and(|s| Some(&s.state) == steps.last().map(|l| &l.state))
            && start + 1 < steps.len();
        if !closes {
            return Err(ReplayError::LoopOpen(start + 1));
        }
        fair_loop(model, &mut trace.lasso(model, start), &judge)?;
    }
    violated(model, property, trace, &judge)
}

/// Where the violation can be seen in one state, looks at it.
fn violated(
    model: &FlatModel,
    property: &Property,
    trace: &Trace,
    judge: &dyn Fn(usize, Result<bool, EvalError>) -> Result<bool, ReplayError>,
) -> Result<(), ReplayError> {
    let last = trace.steps.len() - 1;
    let formula = match property.checked() {
        PropFormula::Psl { formula, .. } => match *formula {
            PslFormula::Ctl(e) => PropFormula::Ctl(e),
            PslFormula::Ltl(e) => PropFormula::Ltl(e),
            PslFormula::Unsupported(_) => return Ok(()),
        },
        other => other.clone(),
    };
    let (at, p, invariant) = match formula {
        PropFormula::Invar(e) => (last, e, true),
        PropFormula::Ctl(e) => match model.pool.node(e) {
            Node::Unary(UnOp::Ag, p) => (last, *p, false),
            _ => (0, e, false),
        },
        PropFormula::Ltl(e) => {
            return violated_on_lasso(model, e, trace, judge);
        }
        _ => return Ok(()),
    };
    if !is_propositional(model, p) {
        return Ok(());
    }
    if invariant && model.mentions_step(p) {
        return violated_by_some_step(model, p, trace);
    }
    let step = &trace.steps[at];
    let holds = |step: &super::Step| Evaluator::new(model, Env::state(&step.state)).holds(p);
    if judge(at + 1, holds(step))? {
        // An AG counterexample may go on after the violation, in a loop.
        let elsewhere = trace.steps[..at].iter().any(|s| holds(s) == Ok(false));
        if !elsewhere {
            return Err(ReplayError::NotViolated(at + 1));
        }
    }
    Ok(())
}

/// An invariant over inputs or next states is violated by a transition; the trace may end with
/// the state before it, so only a trace that shows more is judged.
fn violated_by_some_step(model: &FlatModel, p: ExprId, trace: &Trace) -> Result<(), ReplayError> {
    let empty: &[Option<Value>] = &[];
    let outcomes: Vec<_> = (0..trace.steps.len())
        .map(|i| {
            let next = trace.steps.get(i + 1);
            let env = Env {
                cur: &trace.steps[i].state,
                input: next.map_or(empty, |s| &s.input),
                next: next.map(|s| s.state.as_slice()),
            };
            Evaluator::new(model, env).holds(p)
        })
        .collect();
    if outcomes.iter().all(|o| *o == Ok(true)) {
        return Err(ReplayError::NotViolated(trace.steps.len()));
    }
    Ok(())
}

/// A loop meets all fairness constraints.
fn fair_loop(
    model: &FlatModel,
    lasso: &mut Lasso,
    judge: &dyn Fn(usize, Result<bool, EvalError>) -> Result<bool, ReplayError>,
) -> Result<(), ReplayError> {
    for c in &model.justice {
        if !judge(1, lasso.recurs(c.expr))? {
            return Err(ReplayError::Unfair(c.line));
        }
    }
    for (p, q) in &model.compassion {
        if judge(1, lasso.recurs(p.expr))? && !judge(1, lasso.recurs(q.expr))? {
            return Err(ReplayError::Unfair(p.line));
        }
    }
    Ok(())
}

/// A formula over paths must be false on the lasso.
fn violated_on_lasso(
    model: &FlatModel,
    e: ExprId,
    trace: &Trace,
    judge: &dyn Fn(usize, Result<bool, EvalError>) -> Result<bool, ReplayError>,
) -> Result<(), ReplayError> {
    let start = trace.loop_to.ok_or(ReplayError::NoLoop)?;
    let mut lasso = trace.lasso(model, start);
    match lasso.holds(e) {
        Ok(true) => Err(ReplayError::NotViolated(1)),
        other => judge(1, other).map(|_| ()),
    }
}

fn is_propositional(model: &FlatModel, e: ExprId) -> bool {
    !model.pool.is_temporal(e)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::flat;
    use crate::trace::{Step, TraceKind};

    fn check(values: &[i64], loop_to: Option<usize>) -> Result<(), ReplayError> {
        let m = flat("VAR x : 0..3; INIT x = 0; TRANS next(x) = (x + 1) mod 4; INVARSPEC x < 2;");
        let steps = values
            .iter()
            .map(|&n| Step {
                state: vec![Some(Value::Int(n))],
                input: vec![None],
            })
            .collect();
        let trace = Trace::new(TraceKind::AgAlphaCounterexample, steps, loop_to);
        replay(&m, &m.properties[0], &trace, false)
    }

    #[test]
    fn wrong_traces_are_found() {
        assert_eq!(check(&[0, 1, 2], None), Ok(()));
        assert_eq!(check(&[], None), Err(ReplayError::Empty));
        assert_eq!(check(&[1, 2], None), Err(ReplayError::NotInitial));
        assert_eq!(check(&[0, 2], None), Err(ReplayError::NoTransition(1)));
        assert_eq!(check(&[0, 1], None), Err(ReplayError::NotViolated(2)));
        assert_eq!(check(&[0, 1, 2, 3, 0], Some(0)), Ok(()));
        assert_eq!(check(&[0, 1, 2, 3], Some(0)), Err(ReplayError::LoopOpen(1)));
    }
}
