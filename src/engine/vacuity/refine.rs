//! The largest vacuous subformulas (Bobaru 2009, section 4.6.5).
//!
//! Breadth first over the parse tree: the nodes of one level are checked as if they were atoms (a
//! temporal subformula is a state formula); vacuous ones are reported and not entered, the others
//! make room for their operands.

use crate::encode::error::Result;
use crate::logic::{CtlTree, NodeId, TreeKind};

/// The maximal vacuous subformulas, left to right. `vacuous` tells for each of a set of
/// non-overlapping nodes whether it is vacuous.
pub fn largest_vacuous(
    tree: &CtlTree,
    vacuous: &mut dyn FnMut(&[NodeId]) -> Result<Vec<bool>>,
) -> Result<Vec<NodeId>> {
    let mut found = Vec::new();
    let mut level = vec![tree.root()];
    while !level.is_empty() {
        let answers = vacuous(&level)?;
        let mut next = Vec::new();
        for (&node, vacuous) in level.iter().zip(answers) {
            if vacuous {
                found.push(node);
            } else {
                next.extend(
                    tree.children(node)
                        .filter(|&c| !matches!(tree.node(c).kind, TreeKind::Const(_))),
                );
            }
        }
        level = next;
    }
    found.sort();
    Ok(found)
}
