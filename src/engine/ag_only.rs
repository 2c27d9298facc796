//! `-AG`: formulas `AG p` with propositional `p`, by forward search alone.

use super::checker::Checker;
use super::outcome::Verdict;
use super::reach::Reach;
use crate::encode::BddFsm;
use crate::encode::error::Result;
use crate::model::{ExprId, Node};
use crate::trace::TraceKind;
use smv_grammar::ops::UnOp;

/// The verdict, or `None` where the formula is not of that form.
pub fn check(fsm: &BddFsm, reach: &mut Reach, e: ExprId, trace: bool) -> Result<Option<Verdict>> {
    let checker = Checker::plain(fsm);
    let p = match *fsm.model.pool.node(e) {
        Node::Unary(UnOp::Ag, p) if !checker.is_temporal(p) => p,
        _ => return Ok(None),
    };
    let bad = fsm.boolean(p)?.not();
    let mut depth = 0;
    loop {
        if depth == reach.rings.len() && !reach.step(fsm)? {
            return Ok(Some(Verdict::True));
        }
        if reach.rings[depth].intersects(&bad) {
            break;
        }
        depth += 1;
    }
    let trace = if trace {
        let states = checker
            .path_from_init(&reach.rings, &bad)?
            .expect("a violating ring");
        Some(checker.trace_of(states, None, TraceKind::AgOnlyCounterexample)?)
    } else {
        None
    };
    Ok(Some(Verdict::False(trace)))
}
