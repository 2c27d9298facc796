//! A diagram as a list of nodes, for writers of pictures.
//!
//! Complemented edges are resolved: a function and its negation are different nodes here, and the constants
//! of a Boolean diagram are the leaves 0 and 1.

use super::VarIndex;
use super::add::Add;
use super::bdd::Bdd;
use super::ffi::Node;
use super::handle::Handle;
use rustc_hash::FxHashMap;

/// A node; branches lead to places in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphNode {
    /// 0 and 1, or the id of a value.
    Leaf(u32),
    /// A variable and the nodes that decide where it is 1 and where it is 0; they come earlier.
    Branch {
        /// Its number, not its level.
        var: VarIndex,
        /// Where it is 1.
        then: usize,
        /// Where it is 0.
        otherwise: usize,
    },
}

/// All nodes of a diagram, below before above; the last one is the root.
fn graph(handle: &Handle, leaf: impl Fn(Node) -> u32) -> Vec<GraphNode> {
    let mut nodes = Vec::new();
    let mut number: FxHashMap<Node, usize> = FxHashMap::default();
    let mut stack = vec![handle.node];
    while let Some(&node) = stack.last() {
        if number.contains_key(&node) {
            stack.pop();
            continue;
        }
        let made = match node.var() {
            None => GraphNode::Leaf(leaf(node)),
            Some(var) => {
                let (t, e) = node.children();
                match (number.get(&t), number.get(&e)) {
                    (Some(&then), Some(&otherwise)) => GraphNode::Branch {
                        var,
                        then,
                        otherwise,
                    },
                    _ => {
                        stack.extend([e, t]);
                        continue;
                    }
                }
            }
        };
        number.insert(node, nodes.len());
        nodes.push(made);
        stack.pop();
    }
    nodes
}

impl Bdd {
    /// Its nodes, the root last.
    pub fn graph(&self) -> Vec<GraphNode> {
        graph(&self.0, |node| u32::from(!node.is_complement()))
    }
}

impl Add {
    /// Its nodes, the root last.
    pub fn graph(&self) -> Vec<GraphNode> {
        graph(&self.0, |node| node.bits() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::CancelToken;
    use crate::dd::{Config, Manager};

    #[test]
    fn complements_are_resolved() {
        let m = Manager::new(&Config::default(), CancelToken::default()).unwrap();
        let x = m.new_var().unwrap();
        let y = m.new_var().unwrap();
        assert_eq!(m.zero().graph(), [GraphNode::Leaf(0)]);
        let nodes = x.xor(&y).unwrap().graph();
        // x, y, !y, 0, 1
        assert_eq!(nodes.len(), 5);
        let Some(GraphNode::Branch { var: 0, .. }) = nodes.last() else {
            panic!("the root is last: {nodes:?}");
        };
        let three = m.leaf(3).unwrap();
        let add = Add::ite(&x, &three, &m.leaf(7).unwrap()).unwrap();
        assert_eq!(add.graph().len(), 3);
        assert!(add.graph().contains(&GraphNode::Leaf(7)));
    }
}
