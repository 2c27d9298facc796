//! The naive method: the witnesses of Kupferman and Vardi, checked one by one.
//!
//! Every witness is evaluated from its atoms upwards on the same machine, with the same reachable
//! and fair states and the same diagrams of the atoms; no value is taken over from one witness to the next. The
//! yardstick for correctness and speed of the others. For speed, [`Sharing`] says whether a
//! witness finds the computed table of those before it: the definition is of checks of their own.

use super::{Question, constants};
use crate::base::system::cpu_time;
use crate::dd::Bdd;
use crate::encode::error::Result;
use crate::engine::algebra::{Algebra, TwoValued};
use crate::engine::fixpoint::{Hint, apply};
use crate::engine::obligations::{Region, obligations};
use crate::logic::{NodeId, TreeKind};
use std::time::Duration;

/// The truth of the formula with some nodes replaced by constants.
pub fn truth(question: &Question, replaced: &[(NodeId, bool)]) -> Result<bool> {
    let Question { machine, tree, .. } = *question;
    let algebra = TwoValued(machine);
    let keep: Vec<NodeId> = replaced.iter().map(|r| r.0).collect();
    for o in obligations(tree, question.reachable, &keep) {
        let mut values: Vec<Option<Bdd>> = vec![None; tree.len()];
        for id in tree.descendants(o.node).map(NodeId) {
            let node = tree.node(id);
            let value = match (replaced.iter().find(|r| r.0 == id), node.kind) {
                (Some((_, true)), _) | (None, TreeKind::Const(true)) => machine.care().clone(),
                (Some((_, false)), _) | (None, TreeKind::Const(false)) => algebra.bottom()?,
                (None, TreeKind::Atom) => algebra.embed(&(question.leaf)(node.expr)?)?,
                _ => {
                    let op = tree.operator(id).expect("a node with operands");
                    let mut operands = tree.children(id).map(|c| values[c.0 as usize].take());
                    let a = operands.next().flatten().expect("operands come first");
                    let b = operands.next().flatten();
                    apply(&algebra, op, &a, b.as_ref(), Hint::NONE)?
                }
            };
            values[id.0 as usize] = Some(value);
        }
        let value = values[o.node.0 as usize].take().expect("evaluated");
        let region = match o.region {
            Region::Initial => question.initial,
            Region::Reachable => machine.fair(),
        };
        if !region.leq(&value) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What one witness may take over from those before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Nothing: each is a check of its own.
    Nothing,
    /// The computed table of the diagrams, as in one run over a file with all witnesses.
    ComputedTable,
}

/// Truth, and whether each target is vacuous, by `1 + 2n` witnesses; and the CPU time of these checks.
pub fn check(
    question: &Question,
    targets: &[NodeId],
    sharing: Sharing,
) -> Result<(bool, Vec<bool>, Duration)> {
    let mut time = Duration::ZERO;
    question.manager.forget_results();
    let mut timed = |replaced: &[(NodeId, bool)]| {
        if sharing == Sharing::Nothing {
            question.manager.forget_results();
        }
        let start = cpu_time();
        let answer = truth(question, replaced);
        time += cpu_time() - start;
        answer
    };
    let plain = timed(&[])?;
    let mut vacuous = Vec::with_capacity(targets.len());
    for &target in targets {
        let mut same = true;
        for constant in constants::BOTH {
            same &= timed(&[(target, constant)])? == plain;
        }
        vacuous.push(same);
    }
    Ok((plain, vacuous, time))
}
