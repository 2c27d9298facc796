//! What must hold where for a formula to be true at the model.
//!
//! "`f` holds in all fair initial states" is split from the top: a conjunction into its conjuncts,
//! and `AG g` over the initial states into `g` over all reachable fair states (`AG g` fails iff
//! a fair path from an initial state meets a `!g`; such a path exists iff some reachable fair state
//! violates `g`, since a finite prefix may precede any fair path). This needs no backward
//! fixpoint, for the formula as for each of its replacements, whose top is the same.

use crate::logic::{CtlTree, NodeId, TreeKind};
use smv_grammar::ops::{BinOp, UnOp};

/// A set of states over which an obligation ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Region {
    /// Fair initial states.
    Initial,
    /// Fair reachable states.
    Reachable,
}

/// `node` must hold everywhere in `region`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// A part of the formula.
    pub node: NodeId,
    /// Where.
    pub region: Region,
}

/// The obligations of a formula, left to right. With `reachable` unknown, `AG` is left whole.
/// A node of `keep` is never opened: it is to be replaced as a whole.
pub fn obligations(tree: &CtlTree, reachable: bool, keep: &[NodeId]) -> Vec<Obligation> {
    let mut result = Vec::new();
    let mut todo = vec![Obligation {
        node: tree.root(),
        region: Region::Initial,
    }];
    while let Some(o) = todo.pop() {
        if keep.contains(&o.node) {
            result.push(o);
            continue;
        }
        match tree.node(o.node).kind {
            TreeKind::Bool(BinOp::And, a, b) => {
                todo.push(Obligation { node: b, ..o });
                todo.push(Obligation { node: a, ..o });
            }
            TreeKind::Temporal(UnOp::Ag, a) if reachable => {
                todo.push(Obligation {
                    node: a,
                    region: Region::Reachable,
                });
            }
            _ => result.push(o),
        }
    }
    result
}
