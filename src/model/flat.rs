//! The flat model: what modules and instances amount to.
//!
//! Produced by `flatten` and checked by `types` and `dependencies`; read by the encoder, the
//! explicit evaluator and the printers.

use super::expr::{DefineId, ExprId, ExprPool, Node, VarId};
use super::value::Value;
use smv_grammar::ast::{self, Ast, Span};
pub use smv_grammar::ast::{AssignKind, MinMax, VarKind};
use smv_grammar::ops::UnOp;

/// Type of a flat variable. A range `lo..hi` is an `Enum` of integers in NuSMV as here; it keeps
/// its own form since 0..1000000 should not be spelled out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum VarType {
    Bool,
    /// `lo..=hi`
    Range {
        lo: i64,
        hi: i64,
    },
    /// Values in declaration order: integers and symbols.
    Enum(Vec<Value>),
    Word {
        signed: bool,
        width: u32,
    },
}

/// A variable with its full name (`m.sub.x`, `a[2]`).
#[derive(Clone, Debug)]
pub struct Var {
    /// With the path of its instance.
    pub name: String,
    /// State, input or frozen.
    pub kind: VarKind,
    /// Its values.
    pub ty: VarType,
}

/// A DEFINE with its full name, or one cell of an array DEFINE (`arr[0]`), or a single-value
/// variable that became a constant, or the `running` symbol of a process.
#[derive(Clone, Debug)]
pub struct Define {
    /// With the path of its instance.
    pub name: String,
    /// Over current values, unless it holds `next`.
    pub body: ExprId,
}

/// `x := e`, `init(x) := e` or `next(x) := e`.
#[derive(Clone, Debug)]
pub struct Assign {
    /// When it counts.
    pub kind: AssignKind,
    /// The left side.
    pub var: VarId,
    /// Of any type that fits the variable; a set is a choice.
    pub rhs: ExprId,
    /// Line NuSMV names in "cannot assign value": that of the operator on the right side, or where
    /// there is none that of the last property.
    pub line: u32,
}

/// A conjunct of INIT, INVAR or TRANS, or a JUSTICE condition.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// Boolean.
    pub expr: ExprId,
    /// Of the expression, as NuSMV counts.
    pub line: u32,
}

/// Kind of a property, in the order in which NuSMV numbers and checks them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum PropKind {
    Ctl,
    Compute,
    Ltl,
    Psl,
    Invar,
}

/// The flattened formula of a property.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum PropFormula {
    Ctl(ExprId),
    Ltl(ExprId),
    Invar(ExprId),
    Compute {
        op: MinMax,
        start: ExprId,
        target: ExprId,
    },
    Psl {
        formula: PslFormula,
        /// The expressions in it, which may mention more variables than the formula.
        values: Vec<ExprId>,
    },
}

/// What a PSL property says.
#[derive(Clone, Debug)]
pub enum PslFormula {
    /// It was translated to LTL.
    Ltl(ExprId),
    /// It was translated to CTL.
    Ctl(ExprId),
    /// NuSMV refuses to check it, with these lines.
    Unsupported(Vec<String>),
}

/// A property of the model.
#[derive(Clone, Debug)]
pub struct Property {
    /// Number in the property list (-lp, -n).
    pub index: u32,
    /// Full name given with NAME.
    pub name: Option<String>,
    /// Instance it belongs to; empty for main.
    pub context: String,
    /// As in `formula`; the order of numbers and of checking.
    pub kind: PropKind,
    /// Over the pool of the model.
    pub formula: PropFormula,
    /// As NuSMV prints it, without the context: `AG (a -> AF b) ` (trailing blanks are part of it).
    pub text: String,
    /// The text with words in hexadecimal, which tells `-` from negative words; if there are words in it.
    pub words: Option<String>,
    /// The formula in the source tree, for reports that point at occurrences (vacuity).
    pub source: ast::SpecKind,
    /// From the keyword to the end of the formula.
    pub span: Span,
    /// Of the keyword.
    pub line: u32,
    /// The LTL formula as NuSMV checks it, where that differs.
    pub completed: Option<super::Completed>,
}

impl Property {
    /// The formula to check.
    pub fn checked(&self) -> &PropFormula {
        self.completed
            .as_ref()
            .map_or(&self.formula, |c| &c.formula)
    }

    /// Whether NuSMV has no way to check it.
    pub fn is_unsupported(&self) -> bool {
        matches!(
            self.formula,
            PropFormula::Psl {
                formula: PslFormula::Unsupported(_),
                ..
            }
        )
    }
}

/// A CTL formula with [`Node::Placeholder`]s: which values of some variables make it true?
#[derive(Clone, Debug)]
pub struct Query {
    /// Full name given with NAME.
    pub name: Option<String>,
    /// Instance it belongs to; empty for main.
    pub context: String,
    /// CTL, with [`Node::Placeholder`] where the question mark stands.
    pub formula: ExprId,
    /// State and frozen variables that all placeholders range over, in declaration order.
    pub over: Vec<VarId>,
    /// As the printer writes it.
    pub text: String,
    /// Of the keyword.
    pub line: u32,
}

/// A model after flattening. Vectors are in the order of flattening: depth first, in declaration
/// order, so that printing them in order is NuSMV's order.
#[derive(Clone, Debug, Default)]
pub struct FlatModel {
    /// All expressions, shared.
    pub pool: ExprPool,
    /// State, input and frozen variables together.
    pub vars: Vec<Var>,
    /// In the order in which traces print them (per instance, reversed inside a module).
    pub defines: Vec<Define>,
    /// Also of all processes; each variable at most once of each kind.
    pub assigns: Vec<Assign>,
    /// INIT, not the assignments.
    pub init: Vec<Constraint>,
    /// INVAR, not the assignments.
    pub invar: Vec<Constraint>,
    /// TRANS, not the assignments.
    pub trans: Vec<Constraint>,
    /// FAIRNESS and JUSTICE.
    pub justice: Vec<Constraint>,
    /// Pairs (infinitely often this, then infinitely often that).
    pub compassion: Vec<(Constraint, Constraint)>,
    /// Sorted by index.
    pub properties: Vec<Property>,
    /// In the order of the file, then those of the command line.
    pub queries: Vec<Query>,
    /// Whether the model has processes or ISA (NuSMV prints a note).
    pub has_process: bool,
    /// See `has_process`.
    pub has_isa: bool,
    /// The input that chooses the process to move.
    pub process_selector: Option<VarId>,
    /// Symbolic constants in order of declaration.
    pub constants: Vec<String>,
    /// Semantics of integer `/` and `mod` (`-old_div_op`).
    pub div_mode: super::arith::DivMode,
    /// Types of the expressions of the pool; read it through [`Self::type_of`].
    pub(super) types: Vec<super::types::Type>,
    /// What [`Self::folded`] knows; expressions never change their meaning.
    pub(super) truths: std::cell::RefCell<rustc_hash::FxHashMap<ExprId, Option<bool>>>,
    /// What flattening had to say, in order, for stderr.
    pub warnings: Vec<crate::diag::Diagnostic>,
}

impl FlatModel {
    /// The variable of an id.
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0 as usize]
    }

    /// The definition of an id.
    pub fn define(&self, id: DefineId) -> &Define {
        &self.defines[id.0 as usize]
    }

    /// Whether `f` holds for a node of `e`, DEFINEs included.
    pub fn any_node(&self, e: ExprId, f: impl Fn(&Node) -> bool) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut todo = vec![e];
        while let Some(e) = todo.pop() {
            if !seen.insert(e) {
                continue;
            }
            let node = self.pool.node(e);
            if f(node) {
                return true;
            }
            if let Node::Define(d) = node {
                todo.push(self.define(*d).body);
            }
            node.for_each_operand(|o| todo.push(o));
        }
        false
    }

    /// The largest parts of a formula without temporal operators, from left to right.
    pub fn atoms(&self, e: ExprId) -> Vec<ExprId> {
        let mut atoms = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut todo = vec![e];
        while let Some(e) = todo.pop() {
            if !seen.insert(e) {
                continue;
            }
            if self.pool.is_temporal(e) {
                let from = todo.len();
                self.pool.node(e).for_each_operand(|o| todo.push(o));
                todo[from..].reverse();
            } else {
                atoms.push(e);
            }
        }
        atoms
    }

    /// Whether `e` is about a step: it reads inputs, or the next value of a state variable (that of
    /// a constant or a frozen variable is no other than the current one). By its text, not by what
    /// it depends on, as NuSMV decides it.
    pub fn reads_step(&self, e: ExprId) -> bool {
        let is = |node: &Node, kind| matches!(node, Node::Var(v) if self.var(*v).kind == kind);
        self.any_node(e, |node| match node {
            Node::Unary(UnOp::Next, a) => self.any_node(*a, |n| is(n, VarKind::State)),
            node => is(node, VarKind::Input),
        })
    }

    /// Whether inputs or `next` occur in `e`, even where they do not matter.
    pub fn mentions_step(&self, e: ExprId) -> bool {
        self.any_node(e, |node| match node {
            Node::Var(v) => self.var(*v).kind == VarKind::Input,
            Node::Unary(op, _) => *op == UnOp::Next,
            _ => false,
        })
    }

    /// Ids of the variables of one kind, in order.
    pub fn vars_of(&self, kind: VarKind) -> impl Iterator<Item = VarId> + '_ {
        (0..self.vars.len() as u32)
            .map(VarId)
            .filter(move |&v| self.var(v).kind == kind)
    }
}

/// A parsed file with its name as given on the command line.
#[derive(Clone, Debug)]
pub struct Source {
    /// For messages.
    pub file: String,
    /// After preprocessing.
    pub text: std::sync::Arc<str>,
    /// Of `text`.
    pub ast: Ast,
}
