//! LTL formulas in negation normal form, hash-consed.
//!
//! `(expression, sign) → FormId`: negation is pushed down to atoms by duality (`!(a U b) = !a R !b`,
//! `!Y a = Z !a`, ...), `F`, `G`, `O` and `H` become `U`, `R`, `S` and `T`, and intervals are spelled
//! out with `X`, `Y` and `Z` as NuSMV does. What has no temporal operator is one atom.
//! Operands have smaller ids than the formulas that use them.

use crate::base::deep;
use crate::logic::{CtlTree, NodeId, TreeKind};
use crate::model::{ExprId, FlatModel, Node, Type, Value};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smv_grammar::ops::{BinOp, BoundedOp, UnOp};

/// A formula of a [`Forms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormId(u32);

/// One node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum Form {
    Const(bool),
    /// An expression without temporal operators (it may use `next` and inputs), or its negation.
    Atom(ExprId, bool),
    And(FormId, FormId),
    Or(FormId, FormId),
    X(FormId),
    U(FormId, FormId),
    /// `a R b = !(!a U !b)`
    R(FormId, FormId),
    Y(FormId),
    Z(FormId),
    S(FormId, FormId),
    /// `a T b = !(!a S !b)`
    T(FormId, FormId),
}

/// Arena of formulas.
#[derive(Default)]
pub struct Forms {
    nodes: IndexSet<Form, FxBuildHasher>,
    /// Whether a future operator occurs in a formula.
    future: Vec<bool>,
    duals: FxHashMap<FormId, FormId>,
}

impl Forms {
    /// The node of a formula.
    pub fn node(&self, f: FormId) -> Form {
        self.nodes[f.0 as usize]
    }

    /// Does the formula look ahead?
    pub fn looks_ahead(&self, f: FormId) -> bool {
        self.future[f.0 as usize]
    }

    /// The formula of a node, simplified by the laws of constants and idempotence.
    pub fn add(&mut self, node: Form) -> FormId {
        use Form::*;
        let constant = |f: FormId| match self.node(f) {
            Const(value) => Some(value),
            _ => None,
        };
        let node = match node {
            And(a, b) | Or(a, b) => {
                let neutral = matches!(node, And(..));
                match (constant(a), constant(b)) {
                    (Some(v), _) => return if v == neutral { b } else { a },
                    (_, Some(v)) => return if v == neutral { a } else { b },
                    _ if a == b => return a,
                    _ => node,
                }
            }
            X(a) if constant(a).is_some() => return a,
            Y(a) if constant(a) == Some(false) => return a,
            Z(a) if constant(a) == Some(true) => return a,
            U(_, b) | R(_, b) | S(_, b) | T(_, b) if constant(b).is_some() => return b,
            U(a, b) | S(a, b) if constant(a) == Some(false) || a == b => return b,
            R(a, b) | T(a, b) if constant(a) == Some(true) || a == b => return b,
            // F F a = F a, G G a = G a, and so for the past.
            U(a, b) | R(a, b) | S(a, b) | T(a, b)
                if constant(a).is_some() && same_shape(node, self.node(b), a) =>
            {
                return b;
            }
            other => other,
        };
        let future = match node {
            Const(_) | Atom(..) => false,
            X(_) | U(..) | R(..) => true,
            And(a, b) | Or(a, b) | S(a, b) | T(a, b) => self.looks_ahead(a) || self.looks_ahead(b),
            Y(a) | Z(a) => self.looks_ahead(a),
        };
        let (i, new) = self.nodes.insert_full(node);
        if new {
            self.future.push(future);
        }
        FormId(i as u32)
    }

    /// The negation.
    pub fn dual(&mut self, f: FormId) -> FormId {
        if let Some(&known) = self.duals.get(&f) {
            return known;
        }
        let node = self.node(f);
        let mut dual = |f: FormId| deep(|| self.dual(f));
        let node = match node {
            Form::Const(v) => Form::Const(!v),
            Form::Atom(e, positive) => Form::Atom(e, !positive),
            Form::And(a, b) => Form::Or(dual(a), dual(b)),
            Form::Or(a, b) => Form::And(dual(a), dual(b)),
            Form::X(a) => Form::X(dual(a)),
            Form::U(a, b) => Form::R(dual(a), dual(b)),
            Form::R(a, b) => Form::U(dual(a), dual(b)),
            Form::Y(a) => Form::Z(dual(a)),
            Form::Z(a) => Form::Y(dual(a)),
            Form::S(a, b) => Form::T(dual(a), dual(b)),
            Form::T(a, b) => Form::S(dual(a), dual(b)),
        };
        let g = self.add(node);
        self.duals.insert(f, g);
        self.duals.insert(g, f);
        g
    }
}

/// Whether two nodes are the same operator with the same first operand.
fn same_shape(outer: Form, inner: Form, first: FormId) -> bool {
    match (outer, inner) {
        (Form::U(..), Form::U(a, _))
        | (Form::R(..), Form::R(a, _))
        | (Form::S(..), Form::S(a, _))
        | (Form::T(..), Form::T(a, _)) => a == first,
        _ => false,
    }
}

/// An operator.
#[derive(Clone, Copy)]
enum Shape {
    Unary(UnOp),
    Binary(BinOp),
    Ite,
    Bounded(BoundedOp, u32, u32),
    Other,
}

type Connective = fn(FormId, FormId) -> Form;

/// The formula of an operand by its number, or with `false` of its negation.
type Operand<'o, T> = &'o mut dyn FnMut(&mut T, usize, bool) -> FormId;

/// No more steps than this in the bounds of a formula: each is a formula and mostly a state bit.
pub const MAX_STEPS: u64 = 1 << 22;

/// Expressions of a model → formulas.
pub struct Translator<'a> {
    model: &'a FlatModel,
    forms: Forms,
    /// Bounds of bounded operators so far.
    steps: u64,
    memo: FxHashMap<(ExprId, bool), FormId>,
    /// What is known of atoms that are constants.
    truth: Box<dyn Fn(ExprId) -> Option<bool> + 'a>,
}

impl<'a> Translator<'a> {
    /// `truth` may tell that an atom is a constant.
    pub fn new(model: &'a FlatModel, truth: impl Fn(ExprId) -> Option<bool> + 'a) -> Self {
        Translator {
            model,
            truth: Box::new(truth),
            forms: Forms::default(),
            steps: 0,
            memo: FxHashMap::default(),
        }
    }

    /// All formulas made, shared; `None` if bounds took more than [`MAX_STEPS`].
    pub fn finish(self) -> Option<Forms> {
        (self.steps <= MAX_STEPS).then_some(self.forms)
    }

    /// The formula of `e`, or of its negation.
    pub fn form(&mut self, e: ExprId, positive: bool) -> FormId {
        if let Some(&known) = self.memo.get(&(e, positive)) {
            return known;
        }
        let f = deep(|| self.translate(e, positive));
        self.memo.insert((e, positive), f);
        f
    }

    fn translate(&mut self, e: ExprId, positive: bool) -> FormId {
        let model = self.model;
        if !model.pool.is_temporal(e) {
            if let Some(known) = (self.truth)(e) {
                return self.forms.add(Form::Const(known == positive));
            }
            return self.forms.add(match model.pool.node(e) {
                Node::Const(Value::Bool(b)) => Form::Const(*b == positive),
                Node::Unary(UnOp::Not, a) if model.type_of(*a) == Type::Bool => {
                    Form::Atom(*a, !positive)
                }
                _ => Form::Atom(e, positive),
            });
        }
        let (shape, operands) = match *model.pool.node(e) {
            Node::Unary(op, a) => (Shape::Unary(op), vec![a]),
            Node::Binary(op, a, b) => {
                debug_assert!(
                    op != BinOp::Eq || model.type_of(a) == Type::Bool,
                    "{op:?} of formulas"
                );
                (Shape::Binary(op), vec![a, b])
            }
            Node::Ite(c, a, b) => (Shape::Ite, vec![c, a, b]),
            Node::Bounded { op, lo, hi, a, .. } => (Shape::Bounded(op, lo, hi), vec![a]),
            _ => (Shape::Other, Vec::new()),
        };
        let form = &mut |this: &mut Self, i: usize, positive| this.form(operands[i], positive);
        // The type checker lets no other operator have formulas as operands.
        self.combine(shape, positive, form)
            .unwrap_or_else(|| self.forms.add(Form::Atom(e, positive)))
    }

    /// The formula of a node of a tree with some nodes replaced by constants, or of its negation.
    pub fn form_with(
        &mut self,
        tree: &CtlTree,
        node: NodeId,
        replaced: &[(NodeId, bool)],
        positive: bool,
    ) -> FormId {
        if let Some(&(_, constant)) = replaced.iter().find(|r| r.0 == node) {
            return self.forms.add(Form::Const(constant == positive));
        }
        let below = tree.descendants(node);
        let shape = match tree.node(node).kind {
            _ if !replaced.iter().any(|r| below.contains(&r.0.0)) => Shape::Other,
            TreeKind::Not(_) => Shape::Unary(UnOp::Not),
            TreeKind::Temporal(op, _) => Shape::Unary(op),
            TreeKind::Bool(op, ..) | TreeKind::Until(op, ..) => Shape::Binary(op),
            TreeKind::Bounded { op, lo, hi, .. } => Shape::Bounded(op, lo, hi),
            TreeKind::Const(_) | TreeKind::Atom => Shape::Other,
        };
        let operands: Vec<NodeId> = tree.children(node).collect();
        let form = &mut |this: &mut Self, i: usize, positive| {
            deep(|| this.form_with(tree, operands[i], replaced, positive))
        };
        self.combine(shape, positive, form)
            .unwrap_or_else(|| self.form(tree.node(node).expr, positive))
    }

    /// The formula of an operator, or its negation, given the formulas of operands or of their negations; none
    /// for what is no operator.
    fn combine(&mut self, shape: Shape, positive: bool, operand: Operand<Self>) -> Option<FormId> {
        let always = self.forms.add(Form::Const(true));
        let never = self.forms.add(Form::Const(false));
        Some(match shape {
            Shape::Unary(UnOp::Not) => operand(self, 0, !positive),
            Shape::Unary(op) => {
                let a = operand(self, 0, positive);
                let node = match (op, positive) {
                    (UnOp::X, _) => Form::X(a),
                    (UnOp::F, true) | (UnOp::G, false) => Form::U(always, a),
                    (UnOp::G, _) | (UnOp::F, _) => Form::R(never, a),
                    (UnOp::Y, true) | (UnOp::Z, false) => Form::Y(a),
                    (UnOp::Z, _) | (UnOp::Y, _) => Form::Z(a),
                    (UnOp::O, true) | (UnOp::H, false) => Form::S(always, a),
                    (UnOp::H, _) | (UnOp::O, _) => Form::T(never, a),
                    _ => unreachable!("no other operator of one operand is over formulas"),
                };
                self.forms.add(node)
            }
            Shape::Binary(BinOp::Iff | BinOp::Xnor | BinOp::Eq) => self.equal(operand, positive),
            Shape::Binary(BinOp::Xor | BinOp::Neq) => self.equal(operand, !positive),
            Shape::Binary(op) => {
                let (op, dual): (Connective, Connective) = match op {
                    BinOp::U => (Form::U, Form::R),
                    BinOp::S => (Form::S, Form::T),
                    BinOp::And => (Form::And, Form::Or),
                    BinOp::Or | BinOp::Implies => (Form::Or, Form::And),
                    _ => return None,
                };
                let implies = matches!(shape, Shape::Binary(BinOp::Implies));
                let a = operand(self, 0, positive != implies);
                let b = operand(self, 1, positive);
                self.forms.add(if positive { op(a, b) } else { dual(a, b) })
            }
            Shape::Ite => {
                let (c, not_c) = (operand(self, 0, true), operand(self, 0, false));
                let (a, b) = (operand(self, 1, positive), operand(self, 2, positive));
                let (a, b) = (
                    self.forms.add(Form::And(c, a)),
                    self.forms.add(Form::And(not_c, b)),
                );
                self.forms.add(Form::Or(a, b))
            }
            Shape::Bounded(op, lo, hi) => {
                let a = operand(self, 0, positive);
                self.bounded(op, lo, hi, a, positive)
            }
            Shape::Other => return None,
        })
    }

    fn equal(&mut self, operand: Operand<Self>, same: bool) -> FormId {
        let (both_a, both_b) = (operand(self, 0, true), operand(self, 1, same));
        let (none_a, none_b) = (operand(self, 0, false), operand(self, 1, !same));
        let both = self.forms.add(Form::And(both_a, both_b));
        let none = self.forms.add(Form::And(none_a, none_b));
        self.forms.add(Form::Or(both, none))
    }

    /// `F [lo, hi] a = X^lo (a | X (a | ...))`, and so for the others; `a` is negated where the whole is.
    fn bounded(&mut self, op: BoundedOp, lo: u32, hi: u32, a: FormId, positive: bool) -> FormId {
        use BoundedOp::*;
        self.steps += u64::from(hi);
        if self.steps > MAX_STEPS {
            // Nobody will see it.
            return a;
        }
        let some = matches!(op, LtlF | LtlO) == positive;
        // As in NuSMV nothing holds before the first state, for H as for O.
        let step: fn(FormId) -> Form = match (op, positive) {
            (LtlF | LtlG, _) => Form::X,
            (_, true) => Form::Y,
            (_, false) => Form::Z,
        };
        let mut f = a;
        for _ in lo..hi {
            let next = self.forms.add(step(f));
            f = self.forms.add(if some {
                Form::Or(a, next)
            } else {
                Form::And(a, next)
            });
        }
        for _ in 0..lo {
            f = self.forms.add(step(f));
        }
        f
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::PropFormula;
    use crate::model::testing::flat;

    fn formulas(text: &str) -> (Forms, Vec<FormId>) {
        let m = flat(&format!("VAR a : boolean; b : boolean; {text}"));
        let mut t = Translator::new(&m, |_| None);
        let ids = m
            .properties
            .iter()
            .map(|p| match p.formula {
                PropFormula::Ltl(e) => t.form(e, true),
                _ => unreachable!("an LTLSPEC"),
            })
            .collect();
        (t.forms, ids)
    }

    #[test]
    fn laws_by_form() {
        let same = [
            ("F F a", "F a"),
            ("G a", "!F !a"),
            ("H a", "!O !a"),
            ("Z a", "!Y !a"),
            ("a V b", "!(!a U !b)"),
            ("F [1,2] a", "X (a | X a)"),
            ("G [0,1] a", "a & X a"),
            ("O [0,1] a", "a | Y a"),
            ("H [0,1] a", "a & Y a"),
            ("X TRUE", "TRUE"),
        ];
        for (x, y) in same {
            let (_, ids) = formulas(&format!("LTLSPEC {x}; LTLSPEC {y};"));
            assert_eq!(ids[0], ids[1], "{x} and {y}");
        }
    }

    #[test]
    fn negation_is_an_involution() {
        let (mut forms, ids) = formulas("LTLSPEC (a U X b) -> G (b S Y a);");
        let dual = forms.dual(ids[0]);
        assert_ne!(dual, ids[0]);
        assert_eq!(forms.dual(dual), ids[0]);
        assert!(forms.looks_ahead(dual));
    }
}
