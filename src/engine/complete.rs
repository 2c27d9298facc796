//! A trace of a cone of influence → a trace of the whole model.
//!
//! The machine of the cone is one that the rest of the model cannot hinder (see
//! [`BddFsm::narrowed`]), so each state has one of the model that agrees with it, step by step. A lasso
//! need not close when its part in the cone does; then its loop is gone through again until it
//! does, a bounded number of times.

use crate::dd::Bdd;
use crate::encode::BddFsm;
use crate::encode::error::Result;
use crate::trace::{Step, Trace};

/// How often a loop is gone through.
const ROUNDS: usize = 50;

/// The trace with values for all variables; `None` if its loop does not close.
pub fn complete(fsm: &BddFsm, partial: &Trace) -> Result<Option<Trace>> {
    let Some(first) = partial.steps.first() else {
        return Ok(None);
    };
    let start = fsm.init.and(&fsm.constraint(&first.state)?)?;
    let Some(mut state) = fsm.pick_state(&start)? else {
        return Ok(None);
    };
    let mut whole = Whole {
        fsm,
        steps: vec![Step {
            state: fsm.state_values(&state),
            input: vec![None; fsm.model.vars.len()],
        }],
    };
    let Some(loop_to) = partial.loop_to else {
        for step in &partial.steps[1..] {
            let Some(next) = whole.follow(&state, step, None)? else {
                return Ok(None);
            };
            state = next;
        }
        return Ok(Some(whole.trace(partial, None)));
    };
    for step in &partial.steps[1..=loop_to] {
        let Some(next) = whole.follow(&state, step, None)? else {
            return Ok(None);
        };
        state = next;
    }
    // States in which a round began, and the step at which they stand.
    let mut begun: Vec<(Bdd, usize)> = Vec::new();
    let round = &partial.steps[loop_to + 1..];
    for _ in 0..ROUNDS {
        begun.push((state.clone(), whole.steps.len() - 1));
        for (i, step) in round.iter().enumerate() {
            let closing = (i + 1 == round.len()).then_some(&begun);
            let Some(next) = whole.follow(&state, step, closing)? else {
                return Ok(None);
            };
            state = next;
        }
        if let Some((_, at)) = begun.iter().find(|(s, _)| *s == state) {
            return Ok(Some(whole.trace(partial, Some(*at))));
        }
    }
    Ok(None)
}

struct Whole<'f> {
    fsm: &'f BddFsm,
    steps: Vec<Step>,
}

impl Whole<'_> {
    /// A step to a state that agrees with `step`, under inputs that do; to one of `preferred`, if
    /// that can be.
    fn follow(
        &mut self,
        from: &Bdd,
        step: &Step,
        preferred: Option<&Vec<(Bdd, usize)>>,
    ) -> Result<Option<Bdd>> {
        let inputs = self.fsm.constraint(&step.input)?;
        let to = self.fsm.constraint(&step.state)?;
        let successors = self.fsm.image_under(&inputs, from)?.and(&to)?;
        let back = preferred.and_then(|all| all.iter().find(|(s, _)| s.intersects(&successors)));
        let next = match back {
            Some((state, _)) => Some(state.clone()),
            None => self.fsm.pick_state(&successors)?,
        };
        if let Some(next) = &next {
            self.steps.push(Step {
                state: self.fsm.state_values(next),
                input: self.fsm.input_values(from, next, &inputs)?,
            });
        }
        Ok(next)
    }

    fn trace(self, partial: &Trace, loop_to: Option<usize>) -> Trace {
        Trace {
            kind: partial.kind,
            steps: self.steps,
            loop_to,
            repeats: Vec::new(),
            label: partial.label.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::testing::machine;
    use crate::engine::checker::Checker;
    use crate::engine::reach::Reach;
    use crate::model::PropFormula;
    use crate::model::dependencies::coi::Cones;
    use crate::model::testing::flat;
    use crate::trace::TraceKind;
    use crate::trace::replay::replay;
    use std::rc::Rc;

    /// The counterexample of the only property, found in its cone, completed and replayed.
    fn completed(body: &str) -> Option<Trace> {
        let model = Rc::new(flat(body));
        let fsm = machine(&model);
        let p = &model.properties[0];
        let cone = Cones::new(&model).property_cone(p);
        let narrow = fsm.narrowed(&cone).unwrap()?;
        assert!(narrow.state_bits.len() < fsm.state_bits.len());
        let mut reach = Reach::new(&narrow);
        reach.close(&narrow).unwrap();
        let checker = Checker::new(&narrow, Some(reach)).unwrap();
        let PropFormula::Ctl(e) = p.formula else {
            panic!("a CTL property")
        };
        assert!(!checker.holds(e).unwrap());
        let partial = checker
            .counterexample(e, TraceKind::CtlCounterexample)
            .unwrap();
        let whole = complete(&fsm, &partial).unwrap().expect("a whole trace");
        replay(&model, p, &whole, false).unwrap();
        assert!(
            whole
                .steps
                .iter()
                .all(|s| s.state.iter().all(Option::is_some))
        );
        Some(whole)
    }

    #[test]
    fn paths_get_the_other_variables() {
        let trace = completed(
            "VAR n : 0..3; other : 0..4; copy : boolean;
             ASSIGN init(n) := 0; next(n) := (n + 1) mod 4;
               init(other) := {1, 2}; next(other) := n = 2 ? 4 : {0, 3}; copy := other = 4;
             SPEC AG n != 3",
        );
        assert_eq!(trace.unwrap().steps.len(), 4);
    }

    #[test]
    fn a_loop_is_unrolled_until_the_rest_repeats() {
        // The cone loops after 2 steps, the counter after 3.
        let trace = completed(
            "VAR b : boolean; k : 0..2;
             ASSIGN init(b) := FALSE; next(b) := !b; init(k) := 0; next(k) := (k + 1) mod 3;
             SPEC AF AG b",
        )
        .unwrap();
        assert_eq!(trace.loop_to, Some(0));
        assert_eq!(trace.steps.len(), 7);
    }

    #[test]
    fn a_constraint_outside_may_matter() {
        assert!(completed("VAR a : boolean; b : boolean; TRANS b -> next(b) SPEC AG a").is_none());
    }
}
