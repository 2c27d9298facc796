//! A CTL or LTL formula as a tree of occurrences.
//!
//! Source tree + flattened formula → [`CtlTree`]. The two are walked in parallel: the source tree
//! gives occurrences and spans, the pool gives the resolved meaning of each. Leaves are the
//! maximal subformulas without temporal and Boolean connectives: the *atoms* of Bobaru 2009,
//! section 4.1.1, and constants. An `=` or `!=` between formulas of which one holds a connective
//! counts as `<->` or `xor`; any other comparison, a `case` or a `?:` is an atom as a whole.

use super::op::CtlOp;
use crate::base::deep;
use crate::model::{ExprId, ExprPool, Node, Value};
use smv_grammar::ast::{self, Ast, ExprKind, Span};
use smv_grammar::ops::{BinOp, BoundedOp, UnOp};

/// A node of a [`CtlTree`]. Operands have smaller ids than the nodes that use them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// What an occurrence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum TreeKind {
    Const(bool),
    /// A state formula without connectives, see [`TreeNode::expr`].
    Atom,
    Not(NodeId),
    /// `& | xor xnor -> <->`
    Bool(BinOp, NodeId, NodeId),
    /// `EX AX EF AF EG AG`, `X F G Y Z H O`
    Temporal(UnOp, NodeId),
    /// `E [a U b]`, `A [a U b]`, `a U b`, `a S b`
    Until(BinOp, NodeId, NodeId),
    Bounded {
        op: BoundedOp,
        lo: u32,
        hi: u32,
        a: NodeId,
        b: Option<NodeId>,
    },
}

/// One occurrence.
#[derive(Clone, Debug)]
pub struct TreeNode {
    /// Operator and operands.
    pub kind: TreeKind,
    /// Its meaning in the pool.
    pub expr: ExprId,
    /// Its place in the source tree; `None` where the analysis added it (AG around an invariant).
    pub source: Option<ast::ExprId>,
    /// In the source text.
    pub span: Span,
}

/// A formula whose occurrences are nodes of their own.
#[derive(Clone, Debug)]
pub struct CtlTree {
    nodes: Vec<TreeNode>,
    root: NodeId,
}

impl CtlTree {
    /// The tree of a formula. `is_boolean` tells the type of a flattened expression: a `!` or `&`
    /// between words is no connective.
    pub fn new(
        ast: &Ast,
        source: ast::ExprId,
        pool: &ExprPool,
        expr: ExprId,
        is_boolean: &dyn Fn(ExprId) -> bool,
    ) -> CtlTree {
        let mut builder = Builder {
            ast,
            pool,
            is_boolean,
            nodes: Vec::new(),
        };
        let root = builder.build(source, expr);
        CtlTree {
            nodes: builder.nodes,
            root,
        }
    }

    /// The whole formula: the last node, since operands come first.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// The node of an id.
    pub fn node(&self, id: NodeId) -> &TreeNode {
        &self.nodes[id.0 as usize]
    }

    /// All nodes, operands first.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A tree has at least its root.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The operator of a node; none for leaves.
    pub fn operator(&self, id: NodeId) -> Option<CtlOp> {
        match self.node(id).kind {
            TreeKind::Const(_) | TreeKind::Atom => None,
            TreeKind::Not(_) => Some(CtlOp::Not),
            TreeKind::Bool(op, ..) => Some(CtlOp::Bool(op)),
            TreeKind::Temporal(op, _) => Some(CtlOp::Temporal(op)),
            TreeKind::Until(op, ..) => Some(CtlOp::Until(op)),
            TreeKind::Bounded { op, lo, hi, .. } => Some(CtlOp::Bounded { op, lo, hi }),
        }
    }

    /// The operands of a node, left to right.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + use<> {
        let (a, b) = match self.node(id).kind {
            TreeKind::Const(_) | TreeKind::Atom => (None, None),
            TreeKind::Not(a) | TreeKind::Temporal(_, a) => (Some(a), None),
            TreeKind::Bool(_, a, b) | TreeKind::Until(_, a, b) => (Some(a), Some(b)),
            TreeKind::Bounded { a, b, .. } => (Some(a), b),
        };
        a.into_iter().chain(b)
    }

    /// The raw ids of a node and all below it: they are contiguous, since operands are built
    /// just before the node that uses them.
    pub fn descendants(&self, id: NodeId) -> std::ops::RangeInclusive<u32> {
        let mut first = id;
        while let Some(child) = self.children(first).next() {
            first = child;
        }
        first.0..=id.0
    }

    /// The atom occurrences, left to right in the source. Nodes are built left to right, so this is
    /// the order of their ids.
    pub fn atoms(&self) -> Vec<NodeId> {
        self.ids()
            .filter(|&id| self.node(id).kind == TreeKind::Atom)
            .collect()
    }

    /// Whether `id` or a node below it is an atom.
    pub fn has_atoms(&self, id: NodeId) -> bool {
        self.descendants(id)
            .any(|n| self.node(NodeId(n)).kind == TreeKind::Atom)
    }

    /// Wraps the whole formula in one more operator, which has no place in the source.
    pub fn wrap(mut self, op: UnOp, expr: ExprId) -> CtlTree {
        let span = self.node(self.root).span;
        let kind = TreeKind::Temporal(op, self.root);
        self.nodes.push(TreeNode {
            kind,
            expr,
            source: None,
            span,
        });
        self.root = NodeId(self.nodes.len() as u32 - 1);
        self
    }
}

struct Builder<'a> {
    ast: &'a Ast,
    pool: &'a ExprPool,
    is_boolean: &'a dyn Fn(ExprId) -> bool,
    nodes: Vec<TreeNode>,
}

impl Builder<'_> {
    fn build(&mut self, source: ast::ExprId, expr: ExprId) -> NodeId {
        let kind = deep(|| self.kind(source, expr));
        let span = self.ast.expr(source).span;
        self.nodes.push(TreeNode {
            kind,
            expr,
            source: Some(source),
            span,
        });
        NodeId(self.nodes.len() as u32 - 1)
    }

    fn kind(&mut self, source: ast::ExprId, expr: ExprId) -> TreeKind {
        use BinOp::*;
        if let Node::Const(Value::Bool(b)) = *self.pool.node(expr)
            && matches!(self.ast.expr(source).kind, ExprKind::Bool(_))
        {
            return TreeKind::Const(b);
        }
        let ast = self.ast;
        match (&ast.expr(source).kind, self.pool.node(expr)) {
            (&ExprKind::Unary(op, a), &Node::Unary(flat_op, x)) if op == flat_op => {
                if op.is_ctl() || op.is_ltl() {
                    TreeKind::Temporal(op, self.build(a, x))
                } else if op == UnOp::Not && (self.is_boolean)(x) {
                    TreeKind::Not(self.build(a, x))
                } else {
                    TreeKind::Atom
                }
            }
            (&ExprKind::Binary(op, a, b), &Node::Binary(flat_op, x, y)) if op == flat_op => {
                match op {
                    And | Or | Xor | Xnor | Implies | Iff if (self.is_boolean)(x) => {
                        let a = self.build(a, x);
                        TreeKind::Bool(op, a, self.build(b, y))
                    }
                    Eq | Neq
                        if (self.is_boolean)(x)
                            && (self.is_boolean)(y)
                            && (self.has_connective(a, x) || self.has_connective(b, y)) =>
                    {
                        let a = self.build(a, x);
                        let b = self.build(b, y);
                        TreeKind::Bool(if op == Eq { Iff } else { Xor }, a, b)
                    }
                    Eu | Au | U | S => {
                        let a = self.build(a, x);
                        TreeKind::Until(op, a, self.build(b, y))
                    }
                    _ => TreeKind::Atom,
                }
            }
            (
                &ExprKind::Bounded { op, a, b, .. },
                &Node::Bounded {
                    op: flat_op,
                    lo,
                    hi,
                    a: x,
                    b: y,
                },
            ) if op == flat_op => {
                let a = self.build(a, x);
                let b = match (b, y) {
                    (Some(b), Some(y)) => Some(self.build(b, y)),
                    _ => None,
                };
                TreeKind::Bounded { op, lo, hi, a, b }
            }
            _ => TreeKind::Atom,
        }
    }

    /// Whether a Boolean subformula would be taken apart further.
    fn has_connective(&self, source: ast::ExprId, expr: ExprId) -> bool {
        use BinOp::*;
        deep(
            || match (&self.ast.expr(source).kind, self.pool.node(expr)) {
                (&ExprKind::Unary(op, _), &Node::Unary(_, x)) => {
                    op.is_ctl() || op.is_ltl() || op == UnOp::Not && (self.is_boolean)(x)
                }
                (&ExprKind::Binary(op, a, b), &Node::Binary(_, x, y)) => match op {
                    And | Or | Xor | Xnor | Implies | Iff => (self.is_boolean)(x),
                    Eu | Au | U | S => true,
                    Eq | Neq => {
                        (self.is_boolean)(x)
                            && (self.has_connective(a, x) || self.has_connective(b, y))
                    }
                    _ => false,
                },
                (&ExprKind::Bounded { .. }, _) => true,
                _ => false,
            },
        )
    }
}
