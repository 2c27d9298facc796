//! Invariants: `p` in all reachable states, fairness and deadlocks aside.
//!
//! Forward search over onion rings that stops at the first ring with a violation, so that
//! counterexamples are shortest and the other rings need not exist; or, if asked, backward search or both
//! ([`bidirectional`]). An invariant may read inputs
//! and next states; then a state violates it if one of its steps does.

use super::bidirectional::{self, Strategy};
use super::outcome::Verdict;
use super::paths::{Path, along_rings};
use super::reach::Reach;
use crate::dd::Bdd;
use crate::encode::BddFsm;
use crate::encode::error::Result;
use crate::model::ExprId;
use crate::trace::{Trace, TraceKind};

/// How an invariant is violated: the states where it is, and, if it reads a step, the steps.
struct Violation {
    states: Bdd,
    /// Over current, input and next bits.
    steps: Option<Bdd>,
}

fn violation(fsm: &BddFsm, p: ExprId) -> Result<Violation> {
    let bad = fsm.boolean(p)?.not();
    // As in NuSMV, inputs are those of a step: a state without successor violates nothing here.
    if fsm.model.reads_step(p) {
        let states = fsm
            .trans
            .preimage(&bad.and(&fsm.invar.swap(fsm.swap())?)?)?;
        return Ok(Violation {
            states,
            steps: Some(bad),
        });
    }
    Ok(Violation {
        states: bad,
        steps: None,
    })
}

/// Checks an invariant; `reach` is used as far as it is known and extended as far as needed.
/// With `trace`, a false verdict has one.
pub fn check(
    fsm: &BddFsm,
    reach: &mut Reach,
    p: ExprId,
    trace: bool,
    strategy: Strategy,
) -> Result<Verdict> {
    let violation = violation(fsm, p)?;
    if violation.states.is_zero() {
        return Ok(Verdict::True);
    }
    if strategy != Strategy::Forward {
        let path = bidirectional::path_to(fsm, reach, &violation.states, strategy)?;
        return Ok(match path {
            None => Verdict::True,
            Some(_) if !trace => Verdict::False(None),
            Some(path) => Verdict::False(Some(finish(fsm, path, &violation)?)),
        });
    }
    if !reach.meets(fsm, &violation.states)? {
        return Ok(Verdict::True);
    }
    let trace = if trace {
        Some(build(fsm, reach, &violation)?)
    } else {
        None
    };
    Ok(Verdict::False(trace))
}

fn build(fsm: &BddFsm, reach: &Reach, violation: &Violation) -> Result<Trace> {
    let mut goal = violation.states.clone();
    if let Some(steps) = &violation.steps
        && let Some(ring) = reach.rings.iter().find(|r| r.intersects(&goal))
        && let Some(first) = first_violation(fsm, &ring.and(steps)?)?
    {
        goal = first;
    }
    let path = along_rings(fsm, &reach.rings, &goal)?.expect("a ring with a violation");
    finish(fsm, path, violation)
}

/// The trace of a path to a violating state.
fn finish(fsm: &BddFsm, mut path: Path, violation: &Violation) -> Result<Trace> {
    if let Some(steps) = &violation.steps {
        // One more step, which shows the inputs and next values that violate.
        let successors = fsm.image(&path.last().and(steps)?)?;
        if let Some(next) = fsm.pick_state(&successors)? {
            path.push(next, Some(steps.clone()));
        }
    }
    path.trace(fsm, TraceKind::AgAlphaCounterexample)
}

/// The state of the first violating step: NuSMV chooses states, inputs and next states together,
/// in the order of the variables. `None` if the steps have too large a diagram.
fn first_violation(fsm: &BddFsm, steps: &Bdd) -> Result<Option<Bdd>> {
    let mut all = steps.and(&fsm.invar.swap(fsm.swap())?)?;
    for cluster in fsm.trans.clusters() {
        match all.and_limit(cluster, LIMIT)? {
            Some(more) => all = more,
            None => return Ok(None),
        }
    }
    Ok(fsm.pick_state(&all)?)
}

/// Nodes that the set of violating steps may have.
const LIMIT: usize = 100_000;

#[cfg(test)]
mod tests;
