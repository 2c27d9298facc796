//! Flattened expressions: hash-consed, names resolved, arrays expanded.
//!
//! The pool is shared by the model (constraints, assignments, defines) and the properties.
//! Modules, parameters, `self`, array accesses and instances are gone; DEFINEs stay symbolic
//! ([`Node::Define`]) so that shared bodies are evaluated once. Each node remembers the source
//! position at which it was first built, which is what NuSMV's messages show.
//!
//! Deliberately absent: decision diagrams, types (see `types`), evaluation.

use super::value::{SymId, Value};
use indexmap::IndexSet;
use smv_grammar::ast::{Site, Span};
use smv_grammar::ops::{BinOp, BoundedOp, UnOp};

/// An expression in an [`ExprPool`]. Operands always have smaller ids than the nodes that use them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// A variable of the flat model: index into [`super::FlatModel::vars`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

/// A scalar DEFINE (or one cell of an array DEFINE): index into [`super::FlatModel::defines`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DefineId(pub u32);

/// Why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the variants tell what their fields are")]
pub enum FailKind {
    /// No condition of a `case` holds.
    CaseNotExhaustive,
    /// A computed array index names no cell.
    ArrayOutOfBounds,
    /// Right operand of `/` or `mod` is zero.
    DivisionByZero,
    /// A word is shifted (to the left?) by less than nothing or by more than its width.
    ShiftRange { left: bool },
}

/// One node. `line` fields are part of a node's identity so that run-time failures name their place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum Node {
    Const(Value),
    Var(VarId),
    Define(DefineId),
    Unary(UnOp, ExprId),
    /// All binary operators but division and modulo.
    Binary(BinOp, ExprId, ExprId),
    /// `/` and `mod`, which can fail.
    Division {
        op: BinOp,
        a: ExprId,
        b: ExprId,
        line: u32,
    },
    /// Temporal operators with an interval; `b` only for `BU`.
    Bounded {
        op: BoundedOp,
        lo: u32,
        hi: u32,
        a: ExprId,
        b: Option<ExprId>,
    },
    /// `c ? a : b`, and `case` as a chain ending in [`Node::Fail`].
    Ite(ExprId, ExprId, ExprId),
    Fail {
        kind: FailKind,
        line: u32,
    },
    /// `w[hi:lo]`
    BitSelect {
        word: ExprId,
        hi: u32,
        lo: u32,
    },
    Bool(ExprId),
    Word1(ExprId),
    ToInt(ExprId),
    Signed(ExprId),
    Unsigned(ExprId),
    /// `extend(word, by)`: `by` more bits
    Extend {
        word: ExprId,
        by: u32,
    },
    /// `resize(word, width)`
    Resize {
        word: ExprId,
        width: u32,
    },
    Count(Vec<ExprId>),
    /// An array as a whole. Only operands of `=` and the like that the type checker rejects hold
    /// it: a model that passed `flatten` has none.
    Array {
        lo: i64,
        cells: Vec<ExprId>,
    },
    /// `?` of a query; what it ranges over is the query's.
    Placeholder,
}

/// Hash-consing arena of flattened expressions.
#[derive(Clone, Debug, Default)]
pub struct ExprPool {
    nodes: IndexSet<Node, rustc_hash::FxBuildHasher>,
    /// Of the first occurrence of each node.
    sites: Vec<Site>,
    /// Whether a temporal operator occurs in each node.
    temporal: Vec<bool>,
    /// `Ite` nodes first written as `case` rather than `? :`.
    cases: rustc_hash::FxHashSet<ExprId>,
    symbols: IndexSet<String, rustc_hash::FxBuildHasher>,
}

impl ExprPool {
    /// The id of `node`, new or known. `site` is kept if the node is new.
    pub fn add(&mut self, node: Node, site: Site) -> ExprId {
        if let Some(i) = self.nodes.get_index_of(&node) {
            return ExprId(i as u32);
        }
        let mut temporal = node.is_temporal();
        node.for_each_operand(|o| temporal |= self.is_temporal(o));
        let (i, _) = self.nodes.insert_full(node);
        self.sites.push(site);
        self.temporal.push(temporal);
        ExprId(i as u32)
    }

    /// The node of an id.
    pub fn node(&self, id: ExprId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// As [`Self::add`] for an `Ite` that stands for a branch of a `case`.
    pub fn add_case(&mut self, node: Node, site: Site) -> ExprId {
        let known = self.nodes.len();
        let id = self.add(node, site);
        if self.nodes.len() > known {
            self.cases.insert(id);
        }
        id
    }

    /// Was this `Ite` first written as `case`? Matters to messages and printing only.
    pub fn is_case(&self, id: ExprId) -> bool {
        self.cases.contains(&id)
    }

    /// The id of a node already there.
    pub fn find(&self, node: &Node) -> Option<ExprId> {
        self.nodes.get_index_of(node).map(|i| ExprId(i as u32))
    }

    /// Whether a temporal operator of CTL or LTL occurs in an expression. (None does in a DEFINE, nor below anything
    /// but connectives and other temporal operators: the parser sees to it.)
    pub fn is_temporal(&self, id: ExprId) -> bool {
        self.temporal[id.0 as usize]
    }

    /// Ids of all nodes, operands first.
    pub fn ids(&self) -> impl Iterator<Item = ExprId> + use<> {
        (0..self.nodes.len() as u32).map(ExprId)
    }

    /// Where a node first occurs.
    pub fn site(&self, id: ExprId) -> Site {
        self.sites[id.0 as usize]
    }

    /// Source span of the first occurrence.
    pub fn span(&self, id: ExprId) -> Span {
        self.site(id).span
    }

    /// Line of the first occurrence, as NuSMV counts it.
    pub fn line(&self, id: ExprId) -> u32 {
        self.site(id).line
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no expression.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Interns a symbolic constant by its full name.
    pub fn symbol(&mut self, name: &str) -> SymId {
        if let Some(i) = self.symbols.get_index_of(name) {
            return SymId(i as u32);
        }
        SymId(self.symbols.insert_full(name.to_owned()).0 as u32)
    }

    /// Gives all symbolic constants other names, which must differ from each other.
    pub fn rename_symbols(&mut self, name: impl FnMut(&String) -> String) {
        self.symbols = self.symbols.iter().map(name).collect();
    }

    /// The name of a symbolic constant.
    pub fn symbol_name(&self, id: SymId) -> &str {
        &self.symbols[id.0 as usize]
    }
}

/// Calls a function on each operand of a node, left to right, by reference or by mutable reference as the
/// node is borrowed.
macro_rules! visit_operands {
    ($node:expr, $f:ident) => {
        match $node {
            Node::Const(_)
            | Node::Var(_)
            | Node::Define(_)
            | Node::Fail { .. }
            | Node::Placeholder => {}
            Node::Unary(_, a)
            | Node::BitSelect { word: a, .. }
            | Node::Bool(a)
            | Node::Word1(a)
            | Node::ToInt(a)
            | Node::Signed(a)
            | Node::Unsigned(a)
            | Node::Extend { word: a, .. }
            | Node::Resize { word: a, .. } => $f(a),
            Node::Binary(_, a, b) | Node::Division { a, b, .. } => {
                $f(a);
                $f(b);
            }
            Node::Bounded { a, b, .. } => {
                $f(a);
                if let Some(b) = b {
                    $f(b);
                }
            }
            Node::Ite(c, a, b) => {
                $f(c);
                $f(a);
                $f(b);
            }
            Node::Count(v) | Node::Array { cells: v, .. } => v.into_iter().for_each($f),
        }
    };
}

impl Node {
    /// A temporal operator, of CTL or LTL? For whole expressions ask [`ExprPool::is_temporal`].
    pub fn is_temporal(&self) -> bool {
        match self {
            Node::Unary(op, _) => op.is_ctl() || op.is_ltl(),
            Node::Binary(op, ..) => op.is_ctl() || op.is_ltl(),
            Node::Bounded { .. } => true,
            _ => false,
        }
    }

    /// Replaces each operand, left to right.
    pub fn map_operands(&mut self, mut f: impl FnMut(ExprId) -> ExprId) {
        let mut replace = |o: &mut ExprId| *o = f(*o);
        visit_operands!(self, replace);
    }

    /// Calls `f` on each operand, left to right. [`Node::Define`] has none here.
    pub fn for_each_operand(&self, mut f: impl FnMut(ExprId)) {
        let mut call = |o: &ExprId| f(*o);
        visit_operands!(self, call);
    }
}
