//! Replacing occurrences by constants: the witnesses of Kupferman and Vardi (STTT 2003).

use super::tree::{CtlTree, NodeId, TreeKind};
use crate::model::{ExprId, ExprPool, Node, Value};
use smv_grammar::ast::Site;
use smv_grammar::ops::UnOp;

impl CtlTree {
    /// The formula with every node of `replaced` read as a constant, as a pool expression.
    /// Later entries win; entries below a replaced node have no effect.
    pub fn replace(&self, pool: &mut ExprPool, replaced: &[(NodeId, bool)]) -> ExprId {
        let mut result: Vec<ExprId> = Vec::with_capacity(self.len());
        for id in self.ids() {
            let node = self.node(id);
            let site = Site::new(node.span, pool.line(node.expr));
            let get = |n: NodeId| result[n.0 as usize];
            let expr = match replaced.iter().rev().find(|r| r.0 == id) {
                Some(&(_, value)) => pool.add(Node::Const(Value::Bool(value)), site),
                None => {
                    if self.children(id).all(|c| get(c) == self.node(c).expr) {
                        node.expr
                    } else {
                        let rebuilt = match node.kind {
                            TreeKind::Const(_) | TreeKind::Atom => unreachable!("no operands"),
                            TreeKind::Not(a) => Node::Unary(UnOp::Not, get(a)),
                            TreeKind::Temporal(op, a) => Node::Unary(op, get(a)),
                            TreeKind::Bool(op, a, b) | TreeKind::Until(op, a, b) => {
                                Node::Binary(op, get(a), get(b))
                            }
                            TreeKind::Bounded { op, lo, hi, a, b } => Node::Bounded {
                                op,
                                lo,
                                hi,
                                a: get(a),
                                b: b.map(get),
                            },
                        };
                        pool.add(rebuilt, site)
                    }
                }
            };
            result.push(expr);
        }
        result[self.root().0 as usize]
    }
}
