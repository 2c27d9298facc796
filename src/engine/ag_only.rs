//! `-AG`: formulas whose only temporal operator is AG, by forward search alone, fairness left aside.
//!
//! Conjunctions at the top, and those under an AG, are taken apart; `AG AG p` is `AG p`. What is then
//! an `AG p` with propositional `p` is searched for along the rings of reachable states and has
//! a trace. Other parts (`p`, `!AG p`) are decided on the initial states without a trace. NuSMV
//! answers "false" for some of those that are true; it is not followed there.

use super::checker::Checker;
use super::outcome::Verdict;
use super::paths::along_rings;
use super::reach::Reach;
use crate::encode::BddFsm;
use crate::encode::error::Result;
use crate::model::{ExprId, FlatModel, Node};
use crate::trace::TraceKind;
use smv_grammar::ops::UnOp;

/// The verdict, or `None` where the formula is not of that form.
pub fn check(fsm: &BddFsm, reach: &mut Reach, e: ExprId, trace: bool) -> Result<Option<Verdict>> {
    let checker = Checker::plain(fsm);
    let parts = checker.conjuncts(e);
    let allowed = |&(everywhere, p): &(bool, ExprId)| {
        !checker.fsm.model.pool.is_temporal(p) || (!everywhere && only_ag(&fsm.model, p))
    };
    if !parts.iter().all(allowed) {
        return Ok(None);
    }
    for (everywhere, p) in parts {
        let fails = if everywhere {
            let bad = fsm.boolean(p)?.not();
            reach.leads_to(fsm, &bad)?.then_some(Some(bad))
        } else {
            (!fsm.init.leq(&checker.sat(p)?)).then_some(None)
        };
        if let Some(bad) = fails {
            let trace = match bad {
                Some(bad) if trace => along_rings(fsm, &reach.rings, &bad)?
                    .map(|path| path.trace(fsm, TraceKind::AgOnlyCounterexample))
                    .transpose()?,
                _ => None,
            };
            return Ok(Some(Verdict::False(trace)));
        }
    }
    Ok(Some(Verdict::True))
}

/// Whether AG is the only temporal operator.
fn only_ag(model: &FlatModel, e: ExprId) -> bool {
    !model.any_node(e, |node| match node {
        Node::Unary(op, _) => op.is_ctl() && *op != UnOp::Ag,
        Node::Binary(op, ..) => op.is_ctl(),
        Node::Bounded { .. } => true,
        _ => false,
    })
}
