//! Execution of traces: is a complete one a path of the machine, and can an incomplete one be completed?
//!
//! A complete trace is stepped through the flat model by the explicit evaluator. An incomplete one is a
//! sequence of sets: `S_1 = init ∩ c_1`, `S_{k+1} = image(S_k, i_k) ∩ c_{k+1}`, where `c_k` and `i_k`
//! are what the trace says of states and inputs; if none is empty, states are chosen from the last set
//! backwards.

use super::paths::Path;
use crate::dd::Bdd;
use crate::encode::BddFsm;
use crate::encode::error::Result;
use crate::model::arith::EvalError;
use crate::model::{FlatModel, VarId, VarKind};
use crate::trace::{Trace, TraceKind};

/// How far an execution comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<T> {
    /// To the end.
    Done(T),
    /// The first state is not initial.
    NotInitial,
    /// So many steps are possible, the next one is not.
    Stuck(usize),
    /// The last state is not the one of this number (from 0), to which the trace says it returns.
    OpenLoop(usize),
}

/// Steps (from 0) and variables that lack a value there, an input in the step into a state. As NuSMV reports
/// them: the first of the steps with its first variable, and from there on only the model's first variable.
pub fn missing(model: &FlatModel, trace: &Trace) -> Vec<(usize, VarId)> {
    let lacks = |v: VarId, i: usize| match model.var(v).kind {
        VarKind::Input => i > 0 && trace.steps[i].input_value(v).is_none(),
        _ => trace.steps[i].state_value(v).is_none(),
    };
    let mut found = Vec::new();
    for i in 0..trace.steps.len() {
        let asked = if found.is_empty() {
            model.vars.len()
        } else {
            1
        };
        let mut asked = (0..asked as u32).map(VarId);
        found.extend(asked.find(|&v| lacks(v, i)).map(|v| (i, v)));
    }
    found
}

/// Steps a complete trace through the model.
pub fn run(model: &FlatModel, trace: &Trace) -> std::result::Result<Outcome<()>, EvalError> {
    let Some(first) = trace.steps.first() else {
        return Ok(Outcome::NotInitial);
    };
    if !model.is_initial(&first.state)? {
        return Ok(Outcome::NotInitial);
    }
    for (i, pair) in trace.steps.windows(2).enumerate() {
        if !model.is_transition(&pair[0].state, &pair[1].input, &pair[1].state)? {
            return Ok(Outcome::Stuck(i));
        }
    }
    Ok(open_loop(trace).map_or(Outcome::Done(()), Outcome::OpenLoop))
}

/// The loop start that differs from the last state in what is known of both.
fn open_loop(trace: &Trace) -> Option<usize> {
    let last = trace.steps.last()?;
    let starts = match &trace.label {
        Some(label) => label.loops.clone(),
        None => trace.loop_to.into_iter().collect(),
    };
    starts.into_iter().find(|&start| {
        let here = trace.steps.get(start);
        here.is_none_or(|s| {
            let pairs = s.state.iter().zip(&last.state);
            pairs
                .into_iter()
                .any(|(a, b)| matches!((a, b), (Some(a), Some(b)) if a != b))
        })
    })
}

/// Completes a trace.
pub fn complete(fsm: &BddFsm, trace: &Trace) -> Result<Outcome<Trace>> {
    let mut sets: Vec<Bdd> = Vec::with_capacity(trace.steps.len());
    let mut inputs = Vec::with_capacity(trace.steps.len());
    for (i, step) in trace.steps.iter().enumerate() {
        let said = fsm.constraint(&step.state)?;
        let input = fsm.constraint(&step.input)?;
        let set = match sets.last() {
            None => fsm.init.and(&said)?,
            Some(before) => fsm.image_under(&input, before)?.and(&said)?,
        };
        if set.is_zero() {
            return Ok(match i {
                0 => Outcome::NotInitial,
                _ => Outcome::Stuck(i - 1),
            });
        }
        sets.push(set);
        inputs.push(input);
    }
    if let Some(start) = open_loop(trace) {
        return Ok(Outcome::OpenLoop(start));
    }
    let mut states: Vec<Bdd> = Vec::with_capacity(sets.len());
    for (i, set) in sets.iter().enumerate().rev() {
        let from = match states.last() {
            None => set.clone(),
            Some(next) => {
                let steps = next.swap(fsm.swap())?.and(&inputs[i + 1])?;
                fsm.trans.preimage(&steps)?.and(set)?
            }
        };
        states.extend(fsm.pick_state(&from)?);
    }
    states.reverse();
    let mut states = states.into_iter();
    let Some(first) = states.next() else {
        return Ok(Outcome::NotInitial);
    };
    let mut path = Path::new(first);
    for (state, input) in states.zip(inputs.into_iter().skip(1)) {
        path.push(state, Some(input));
    }
    path.trace(fsm, TraceKind::Execution).map(Outcome::Done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::CancelToken;
    use crate::encode::FsmConfig;
    use crate::model::Value;
    use crate::model::testing::flat;
    use crate::trace::Step;
    use std::rc::Rc;

    /// A trace over `x` and the input `i`.
    fn trace(steps: &[(Option<i64>, Option<bool>)], loop_to: Option<usize>) -> Trace {
        Trace::new(
            TraceKind::Simulation,
            steps
                .iter()
                .map(|&(x, i)| Step {
                    state: vec![x.map(Value::Int), None],
                    input: vec![None, i.map(Value::Bool)],
                })
                .collect(),
            loop_to,
        )
    }

    #[test]
    fn gaps_are_filled_and_contradictions_found() {
        let model = Rc::new(flat(
            "VAR x : 0..3; IVAR i : boolean; INIT x < 2; TRANS next(x) = (i ? x : (x + 1) mod 4);",
        ));
        let config = FsmConfig::default();
        let fsm = BddFsm::build(&model, &config, None, CancelToken::default()).unwrap();
        let partial = trace(&[(None, None), (None, Some(false)), (Some(3), None)], None);
        assert_eq!(missing(&model, &partial), [(0, VarId(0)), (1, VarId(0))]);
        let Outcome::Done(full) = complete(&fsm, &partial).unwrap() else {
            panic!("1, 2, 3")
        };
        assert_eq!(missing(&model, &full), []);
        assert_eq!(run(&model, &full), Ok(Outcome::Done(())));
        assert_eq!(full.steps[0].state[0], Some(Value::Int(1)));
        let end = |t: &Trace| complete(&fsm, t).unwrap();
        assert_eq!(end(&trace(&[(Some(2), None)], None)), Outcome::NotInitial);
        let jump = trace(&[(Some(0), None), (Some(2), None)], None);
        assert_eq!(end(&jump), Outcome::Stuck(0));
        let open = trace(&[(Some(0), None), (Some(1), Some(false))], Some(0));
        assert_eq!(end(&open), Outcome::OpenLoop(0));
        assert_eq!(run(&model, &open), Ok(Outcome::OpenLoop(0)));
    }
}
