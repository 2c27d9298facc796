//! The tree of a PSL property → an expression of LTL or CTL, as on infinite paths.
//!
//! Weak and strong `next` are one there. `a until b` is `!(!b U !(a | b))`, `a before b` is
//! `!b until (a & !b)`; `next_event` searches its event by an until; `{r} |-> {s}!` says that no word of
//! `r` begins without one of `s` from its last step on. `forall` becomes a conjunction. What is
//! not translated is found before (`refusal`); what types the operands must have is asked after (`demand`).

use super::refusal::Operators;
use super::sere::number;
use super::{Count, Demand, Infix, Kind, Logic, Meaning, Node, Prefix, Property, Tree, Which};
use crate::ast::{Ast, ExprId, ExprKind, Name};
use crate::ops::{BinOp, UnOp};

/// Translates a property that was read.
pub fn property(ast: &mut Ast, tree: &Tree, root: Node, text: String, line: u32) -> Property {
    let value = match tree.kind(root) {
        Kind::Value(e) => Some(*e),
        _ => None,
    };
    let mut builder = Builder {
        ast,
        tree,
        line,
        values: Vec::new(),
        demands: Vec::new(),
        too_large: false,
    };
    let meaning = builder.meaning(root);
    let (mut leaves, mut variables) = (Vec::new(), Vec::new());
    for n in builder.preorder(root) {
        match tree.kind(n) {
            Kind::Value(e) => leaves.push(*e),
            Kind::Forall { var, .. } => variables.push(*var),
            _ => {}
        }
    }
    let demands = builder.demands;
    Property {
        text,
        meaning,
        demands,
        leaves,
        variables,
        value,
    }
}

/// Makes formulas in the arena of the source tree.
pub struct Builder<'a> {
    pub ast: &'a mut Ast,
    pub tree: &'a Tree,
    pub(super) line: u32,
    /// What the variables of `forall` stand for, innermost last.
    pub(super) values: Vec<(Name, ExprId)>,
    pub(super) demands: Vec<Demand>,
    /// A SERE has more words than can be listed.
    pub too_large: bool,
}

impl Builder<'_> {
    fn meaning(&mut self, root: Node) -> Meaning {
        if let Err(fault) = self.fault(root, &mut Vec::new()) {
            return Meaning::Wrong(fault);
        }
        if let Some(lines) = self.refusal(root) {
            return Meaning::Unsupported(lines);
        }
        let mut found = Operators::default();
        self.operators(root, &mut found);
        if found.obe && (found.fl || found.xnor) {
            return Meaning::Unsupported(Vec::new());
        }
        let formula = self.formula(root);
        self.demand(root);
        if self.too_large {
            return Meaning::Unsupported(Vec::new());
        }
        let logic = if found.obe { Logic::Ctl } else { Logic::Ltl };
        Meaning::Formula(logic, formula)
    }

    fn next(&mut self, steps: i64, x: ExprId) -> ExprId {
        (0..steps).fold(x, |x, _| self.unary(UnOp::X, x))
    }

    /// Parts of a node that are formulas, left to right.
    pub(super) fn parts(&self, n: Node) -> Vec<Node> {
        match self.tree.kind(n) {
            Kind::Value(_) | Kind::List(_) | Kind::Repeat(None, _) => vec![],
            Kind::Not(x) | Kind::Prefix(_, x) | Kind::Step(x) | Kind::Repeat(Some(x), _) => {
                vec![*x]
            }
            Kind::Connective(_, x, y)
            | Kind::Infix(_, x, y)
            | Kind::Concat(x, y)
            | Kind::Compound(_, x, y) => vec![*x, *y],
            Kind::Steps { event, body, .. } => event.iter().copied().chain([*body]).collect(),
            Kind::Suffix { premise, then, .. } => vec![*premise, *then],
            Kind::Window {
                from, until, body, ..
            } => from.iter().copied().chain([*until, *body]).collect(),
            Kind::Forall { body, .. } => vec![*body],
        }
    }

    /// All nodes of a tree, each before its parts.
    pub(super) fn preorder(&self, root: Node) -> Vec<Node> {
        let mut todo = vec![root];
        let mut out = Vec::new();
        while let Some(n) = todo.pop() {
            out.push(n);
            todo.extend(self.parts(n).into_iter().rev());
        }
        out
    }

    pub(super) fn is_sere(&self, n: Node) -> bool {
        let kind = self.tree.kind(n);
        matches!(
            kind,
            Kind::Step(_) | Kind::Concat(..) | Kind::Compound(..) | Kind::Repeat(..)
        )
    }

    pub(super) fn int(&self, e: ExprId) -> Option<i64> {
        match self.ast.expr(e).kind {
            ExprKind::Int(n) => Some(n),
            ExprKind::Unary(UnOp::Neg, n) => self.int(n).map(|n| -n),
            _ => None,
        }
    }

    /// The formula of a node that is no SERE.
    pub fn formula(&mut self, n: Node) -> ExprId {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.translate(n))
    }

    fn translate(&mut self, n: Node) -> ExprId {
        match *self.tree.kind(n) {
            Kind::Value(e) => self.instance(e),
            Kind::Not(x) => {
                let x = self.formula(x);
                self.not(x)
            }
            Kind::Connective(op, x, y) => {
                let (x, y) = (self.formula(x), self.formula(y));
                self.binary(op, x, y)
            }
            Kind::Prefix(op, x) => self.prefix(op, x),
            Kind::Infix(op, x, y) => {
                let (x, y) = (self.formula(x), self.formula(y));
                self.infix(op, x, y)
            }
            Kind::Steps {
                which,
                event,
                count,
                body,
                word,
            } => {
                let body = self.formula(body);
                let event = event.map(|e| self.formula(e));
                let (low, high) = self.bounds(count);
                match event {
                    Some(event) => {
                        let strong = word.ends_with('!');
                        self.events(strong, which, event, (low, high), body)
                    }
                    None => self.steps(which, low, high, body),
                }
            }
            Kind::Suffix {
                overlap,
                premise,
                then,
                ..
            } => {
                let mut end = match self.is_sere(then) {
                    true => self.somewhere(then),
                    false => self.formula(then),
                };
                if !overlap {
                    end = self.later(end);
                }
                let missed = self.not(end);
                let broken = self.until_last(premise, missed);
                self.not(broken)
            }
            Kind::Forall { .. } => self.forall(n, Self::formula),
            _ => self.constant(true),
        }
    }

    /// A word of the SERE begins here.
    fn somewhere(&mut self, r: Node) -> ExprId {
        let end = self.constant(true);
        self.until_last(r, end)
    }

    fn prefix(&mut self, op: Prefix, x: Node) -> ExprId {
        let x = match self.is_sere(x) {
            true => self.somewhere(x),
            false => self.formula(x),
        };
        let op = match op {
            Prefix::Always | Prefix::G => UnOp::G,
            Prefix::Never => {
                let x = self.not(x);
                return self.unary(UnOp::G, x);
            }
            Prefix::Eventually | Prefix::F => UnOp::F,
            Prefix::Next { .. } | Prefix::X { .. } => UnOp::X,
            Prefix::Ax => UnOp::Ax,
            Prefix::Af => UnOp::Af,
            Prefix::Ag => UnOp::Ag,
            Prefix::Ex => UnOp::Ex,
            Prefix::Ef => UnOp::Ef,
            Prefix::Eg => UnOp::Eg,
        };
        self.unary(op, x)
    }

    fn infix(&mut self, op: Infix, x: ExprId, y: ExprId) -> ExprId {
        match op {
            Infix::Until { strong, inclusive } => {
                let y = match inclusive {
                    true => self.binary(BinOp::And, x, y),
                    false => y,
                };
                self.until(strong, x, y)
            }
            Infix::Before { strong, inclusive } => {
                let no = self.not(y);
                let x = match inclusive {
                    true => x,
                    false => self.binary(BinOp::And, x, no),
                };
                self.until(strong, no, x)
            }
            Infix::U { weak } => self.until(!weak, x, y),
            Infix::CtlU { all: true } => self.binary(BinOp::Au, x, y),
            Infix::CtlU { all: false } => self.binary(BinOp::Eu, x, y),
            Infix::Abort => x,
        }
    }

    /// The first and the last of the steps that a count names; 1 without one.
    pub(super) fn bounds(&self, count: Option<Count>) -> (i64, i64) {
        match count {
            None => (1, 1),
            Some(Count::Range(low, Some(high))) => {
                (self.int(low).unwrap_or(1), self.int(high).unwrap_or(1))
            }
            Some(count) => {
                let n = number(self.ast, count).unwrap_or(1);
                (n, n)
            }
        }
    }

    /// `next[n]`, `next_a[i:j]`, `next_e[i:j]`.
    fn steps(&mut self, which: Which, low: i64, high: i64, body: ExprId) -> ExprId {
        let op = which.connective();
        let mut out = body;
        for _ in low..high {
            let later = self.unary(UnOp::X, out);
            out = self.binary(op, body, later);
        }
        self.next(low, out)
    }

    /// `next_event...`: from the last event to the first.
    fn events(
        &mut self,
        strong: bool,
        which: Which,
        event: ExprId,
        (low, high): (i64, i64),
        body: ExprId,
    ) -> ExprId {
        let no = self.not(event);
        let mut later: Option<ExprId> = None;
        for i in (1..=high.max(1)).rev() {
            let further = later.map(|l| self.unary(UnOp::X, l));
            let here = match (further, i >= low) {
                (None, _) => body,
                (Some(further), false) => further,
                (Some(further), true) => self.binary(which.connective(), body, further),
            };
            let found = self.binary(BinOp::And, event, here);
            later = Some(self.until(strong, no, found));
        }
        later.unwrap_or(body)
    }
}

impl Which {
    /// What joins the steps.
    fn connective(self) -> BinOp {
        match self {
            Which::Some => BinOp::Or,
            _ => BinOp::And,
        }
    }
}
