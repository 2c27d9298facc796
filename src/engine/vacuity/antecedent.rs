//! Antecedent failure: an implication that holds since its left side never does.
//!
//! The most common cause of vacuity (Beer, Ben-David, Eisner, Rodeh, CAV 1997).

use crate::logic::{CtlTree, NodeId, TreeKind};
use smv_grammar::ops::BinOp;

/// The implications whose antecedent holds in no relevant state, outermost first on equal start.
/// `never` tells whether a node holds in no reachable fair state, if that is known.
pub fn failures(tree: &CtlTree, never: &dyn Fn(NodeId) -> Option<bool>) -> Vec<NodeId> {
    tree.ids()
        .filter(|&id| match tree.node(id).kind {
            TreeKind::Bool(BinOp::Implies, a, b) => {
                tree.has_atoms(a) && tree.has_atoms(b) && never(a) == Some(true)
            }
            _ => false,
        })
        .collect()
}
