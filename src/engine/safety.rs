//! `AG p` of state formulas without fair states: by the rings of reachable states alone.
//!
//! Where no fairness constraint is declared, only deadlocks make a difference between `AG p` and the
//! invariant `p`: states from which no endless path starts count for nothing. If `p` holds in all reachable
//! states, one endless path is enough to know that there is something to hold for; if not, one from
//! the nearest violation. Such a path is looked for state by state, and mostly found in a few steps, where the
//! set of all states that start one may have a much larger diagram than the reachable states. The search ends
//! at the first ring with a violation.
//!
//! Verdicts and traces are those of [`Checker`], which is asked where this does not settle it.

use super::checker::Checker;
use super::outcome::Verdict;
use super::paths::along_rings;
use super::reach::Reach;
use crate::dd::Bdd;
use crate::encode::BddFsm;
use crate::encode::error::Result;
use crate::model::ExprId;
use crate::trace::TraceKind;

/// States that the search for an endless path looks at.
const STATES: usize = 300;

/// Whether [`check`] may settle the formula.
pub fn applies(fsm: &BddFsm, e: ExprId) -> bool {
    !parts(fsm, e).is_empty()
}

/// The verdict, with a trace of that kind if it is false and one is wanted; or `None` where fair
/// states have to be known.
pub fn check(
    fsm: &BddFsm,
    reach: &mut Reach,
    e: ExprId,
    trace: Option<TraceKind>,
) -> Result<Option<Verdict>> {
    let parts = parts(fsm, e);
    if parts.is_empty() {
        return Ok(None);
    }
    let mut bad = fsm.manager.zero();
    for p in parts {
        bad = bad.or(&fsm.boolean(p)?.not())?;
    }
    if !reach.meets(fsm, &bad)? {
        let sound = starts_endless_path(fsm, &fsm.init)?;
        return Ok(sound.then_some(Verdict::True));
    }
    // From several initial states the trace begins with the first that is doomed, not with the nearest.
    if trace.is_some() && !fsm.is_single(&fsm.init)? {
        return Ok(None);
    }
    let nearest = reach.rings.iter().find(|ring| ring.intersects(&bad));
    let nearest = nearest.expect("a ring with a violation").and(&bad)?;
    let violation = fsm.pick_state(&nearest)?.unwrap_or(nearest);
    if !starts_endless_path(fsm, &violation)? {
        return Ok(None);
    }
    let trace = match trace {
        Some(kind) => along_rings(fsm, &reach.rings, &violation)?
            .map(|path| path.trace(fsm, kind))
            .transpose()?,
        None => None,
    };
    Ok(Some(Verdict::False(trace)))
}

/// What must hold everywhere, if that is all the formula says and nothing but deadlocks makes paths unfair.
fn parts(fsm: &BddFsm, e: ExprId) -> Vec<ExprId> {
    if !fsm.justice.is_empty() || !fsm.compassion.is_empty() {
        return Vec::new();
    }
    let checker = Checker::plain(fsm);
    let parts = checker.invariants(e);
    if parts.iter().any(|&p| checker.fsm.model.pool.is_temporal(p)) {
        return Vec::new();
    }
    parts
}

/// Whether a path that never ends starts in one of `states`; false also where this takes too long
/// to find out.
fn starts_endless_path(fsm: &BddFsm, states: &Bdd) -> Result<bool> {
    if fsm.surely_total {
        return Ok(!states.is_zero());
    }
    let mut path: Vec<Bdd> = Vec::new();
    let mut on_path = fsm.manager.zero();
    let mut hopeless = fsm.manager.zero();
    let mut choices = states.clone();
    for _ in 0..STATES {
        if choices.intersects(&on_path) {
            return Ok(true);
        }
        match fsm.pick_state(&choices.diff(&hopeless)?)? {
            Some(state) => {
                on_path = on_path.or(&state)?;
                choices = fsm.image(&state)?;
                path.push(state);
            }
            None => {
                let Some(end) = path.pop() else {
                    return Ok(false);
                };
                on_path = on_path.diff(&end)?;
                hopeless = hopeless.or(&end)?;
                choices = match path.last() {
                    Some(last) => fsm.image(last)?,
                    None => states.clone(),
                };
            }
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::testing::machine;
    use crate::engine::algebra::Machine;
    use crate::model::PropFormula;
    use crate::model::testing::{Random, flat};
    use std::rc::Rc;

    /// Sixteen states, few steps, mostly one initial state and mostly some deadlocks.
    fn sparse(random: &mut Random) -> String {
        let state = ["p", "q", "r", "s"];
        let step = [
            "p", "q", "r", "s", "next(p)", "next(q)", "next(r)", "next(s)",
        ];
        let init = match random.below(3) {
            0 => random.table(&state, 3),
            _ => "p & q & !r & s".to_owned(),
        };
        let rarity = 4 + random.below(14);
        let mut text = format!(
            "VAR p : boolean; q : boolean; r : boolean; s : boolean;\nINIT {init};\nTRANS {};\n",
            random.table(&step, rarity)
        );
        for _ in 0..3 {
            let (a, b) = (random.table(&state, 8), random.table(&state, 8));
            text += &format!("SPEC AG !({a});\nSPEC AG (!({a}) & AG !({b}));\n");
        }
        text
    }

    #[test]
    fn verdicts_and_traces_are_those_of_the_checker() {
        let mut random = Random(5);
        let mut settled = [0; 3];
        for _ in 0..400 {
            let text = sparse(&mut random);
            let model = Rc::new(flat(&text));
            let fsm = machine(&model);
            let mut all = Reach::new(&fsm);
            all.finish(&fsm).unwrap();
            let checker = Checker::new(&fsm, Some(all)).unwrap();
            for p in &model.properties {
                let PropFormula::Ctl(e) = p.formula else {
                    unreachable!("only CTL")
                };
                let what = || format!("{} on\n{text}", p.text);
                let kind = TraceKind::CtlCounterexample;
                let mut reach = Reach::new(&fsm);
                match check(&fsm, &mut reach, e, Some(kind)).unwrap() {
                    None => settled[2] += 1,
                    Some(Verdict::True) => {
                        assert!(checker.holds(e).unwrap(), "{}", what());
                        assert!(!checker.fair().is_zero(), "{}", what());
                        settled[1] += 1;
                    }
                    Some(Verdict::False(Some(trace))) => {
                        assert!(!checker.holds(e).unwrap(), "{}", what());
                        assert_eq!(
                            trace,
                            checker.counterexample(e, kind).unwrap(),
                            "{}",
                            what()
                        );
                        settled[0] += 1;
                    }
                    Some(other) => panic!("{other:?} for {}", what()),
                }
            }
        }
        assert!(settled.iter().all(|&n| n > 100), "{settled:?}");
    }

    #[test]
    fn fairness_and_other_operators_are_left_to_the_checker() {
        let model = Rc::new(flat(
            "VAR p : boolean; SPEC AG EF p; SPEC p; SPEC AG p; SPEC !AG p",
        ));
        let fair = Rc::new(flat("VAR p : boolean; JUSTICE p; SPEC AG p"));
        let applied = |model| {
            let fsm = machine(model);
            let formulas = fsm.model.properties.iter().map(|p| match p.formula {
                PropFormula::Ctl(e) => applies(&fsm, e),
                _ => false,
            });
            formulas.collect::<Vec<_>>()
        };
        assert_eq!(applied(&model), [false, false, true, false]);
        assert_eq!(applied(&fair), [false]);
    }
}
