//! Antecedent failure: an implication that holds since its left side never does.
//!
//! The most common cause of vacuity (Beer, Ben-David, Eisner, Rodeh, CAV 1997).

use crate::encode::error::Result;
use crate::logic::{CtlTree, NodeId, TreeKind};
use smv_grammar::ops::BinOp;

/// The implications whose antecedent holds in no relevant state, outermost first on equal start.
/// `never` tells whether a node holds in no reachable fair state, if that is known.
pub fn failures(
    tree: &CtlTree,
    never: &mut dyn FnMut(NodeId) -> Result<Option<bool>>,
) -> Result<Vec<NodeId>> {
    let mut found = Vec::new();
    for id in tree.ids() {
        if let TreeKind::Bool(BinOp::Implies, a, b) = tree.node(id).kind
            && tree.has_atoms(a)
            && tree.has_atoms(b)
            && never(a)? == Some(true)
        {
            found.push(id);
        }
    }
    Ok(found)
}
