//! Invariants: `p` in all reachable states, fairness and deadlocks aside.
//!
//! Forward search over onion rings that stops at the first ring with a violation, so that
//! counterexamples are shortest and the other rings need not exist. An invariant may read inputs
//! and next states; then a state violates it if one of its steps does.

use super::checker::Checker;
use super::outcome::Verdict;
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
    reads_next: bool,
}

fn violation(fsm: &BddFsm, p: ExprId) -> Result<Violation> {
    let bad = fsm.boolean(p)?.not();
    let support = bad.support();
    let reads = |bits: &[u32]| support.iter().any(|v| bits.contains(v));
    let reads_next = reads(&fsm.layout.next_bits);
    if reads_next {
        let states = fsm
            .trans
            .preimage(&bad.and(&fsm.invar.swap(fsm.swap())?)?)?;
        return Ok(Violation {
            states,
            steps: Some(bad),
            reads_next,
        });
    }
    if reads(&fsm.layout.input_bits) {
        // Any inputs, whether or not a step takes them.
        let states = bad.exists(&fsm.manager.cube(&fsm.layout.input_bits)?)?;
        return Ok(Violation {
            states,
            steps: Some(bad),
            reads_next,
        });
    }
    Ok(Violation {
        states: bad,
        steps: None,
        reads_next,
    })
}

/// Checks an invariant; `reach` is used as far as it is known and extended as far as needed.
/// With `trace`, a false verdict has one.
pub fn check(fsm: &BddFsm, reach: &mut Reach, p: ExprId, trace: bool) -> Result<Verdict> {
    let violation = violation(fsm, p)?;
    let mut depth = 0;
    loop {
        if depth == reach.rings.len() && !reach.step(fsm)? {
            return Ok(Verdict::True);
        }
        if reach.rings[depth].intersects(&violation.states) {
            break;
        }
        depth += 1;
    }
    let trace = if trace {
        Some(build(fsm, reach, &violation)?)
    } else {
        None
    };
    Ok(Verdict::False(trace))
}

fn build(fsm: &BddFsm, reach: &Reach, violation: &Violation) -> Result<Trace> {
    let checker = Checker::plain(fsm);
    let kind = TraceKind::AgAlphaCounterexample;
    let mut states = checker
        .path_from_init(&reach.rings, &violation.states)?
        .expect("a violating ring");
    let mut last = None;
    if let (Some(bad), true) = (&violation.steps, violation.reads_next) {
        // One more step, which is the one that violates.
        let from = states.last().expect("not empty");
        let to = fsm.image_under(bad, from)?;
        if let Some(next) = fsm.pick_state(&to)? {
            let fixed = bad.cofactor(&next.swap(fsm.swap())?)?;
            states.push(next);
            last = Some(fixed);
        }
    }
    checker.trace_of(states, last, kind)
}
