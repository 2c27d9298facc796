//! Formulas made from parts; what constants decide is not written.

use super::logic::Builder;
use crate::ast::{ExprId, ExprKind, Span};
use crate::ops::{BinOp, UnOp};

impl Builder<'_> {
    pub fn unary(&mut self, op: UnOp, x: ExprId) -> ExprId {
        match (op, self.truth(x)) {
            (UnOp::Not, Some(value)) => self.constant(!value),
            _ => self.push(ExprKind::Unary(op, x)),
        }
    }

    /// `X x` behind a step of a SERE, where NuSMV knows that `X TRUE` is true.
    pub fn later(&mut self, x: ExprId) -> ExprId {
        match self.truth(x) {
            Some(_) => x,
            None => self.unary(UnOp::X, x),
        }
    }

    /// An operator; `&` and `|` with constants vanish.
    pub fn binary(&mut self, op: BinOp, x: ExprId, y: ExprId) -> ExprId {
        match (op, self.truth(x), self.truth(y)) {
            (BinOp::And, Some(true), _) | (BinOp::Or, Some(false), _) => y,
            (BinOp::And, _, Some(true)) | (BinOp::Or, _, Some(false)) => x,
            (BinOp::And, Some(false), _) | (BinOp::Or, Some(true), _) => x,
            (BinOp::And, _, Some(false)) | (BinOp::Or, _, Some(true)) => y,
            (BinOp::And, ..) if self.excludes(x, y) || self.excludes(y, x) => self.constant(false),
            _ => self.push(ExprKind::Binary(op, x, y)),
        }
    }

    /// `x U y`, or its weak form.
    pub(super) fn until(&mut self, strong: bool, x: ExprId, y: ExprId) -> ExprId {
        if strong {
            return self.binary(BinOp::U, x, y);
        }
        let both = self.binary(BinOp::Or, x, y);
        let (none, end) = (self.not(both), self.not(y));
        let broken = self.binary(BinOp::U, end, none);
        self.not(broken)
    }

    /// `y` is the negation of `x`, or of a disjunction with `x`, as they are written.
    fn excludes(&self, x: ExprId, y: ExprId) -> bool {
        let ExprKind::Unary(UnOp::Not, y) = self.ast.expr(y).kind else {
            return false;
        };
        let mut todo = vec![y];
        while let Some(y) = todo.pop() {
            if self.same(x, y, &mut 50) {
                return true;
            }
            if let ExprKind::Binary(BinOp::Or, a, b) = self.ast.expr(y).kind {
                todo.extend([a, b]);
            }
        }
        false
    }

    /// Whether two expressions are written alike; large ones are not looked at.
    fn same(&self, x: ExprId, y: ExprId, fuel: &mut u32) -> bool {
        use ExprKind::*;
        if x == y || *fuel == 0 {
            return x == y;
        }
        *fuel -= 1;
        match (&self.ast.expr(x).kind, &self.ast.expr(y).kind) {
            (Unary(op, x), Unary(other, y)) => op == other && self.same(*x, *y, fuel),
            (Binary(op, a, b), Binary(other, c, d)) => {
                op == other && self.same(*a, *c, fuel) && self.same(*b, *d, fuel)
            }
            (Index(a, b), Index(c, d)) => self.same(*a, *c, fuel) && self.same(*b, *d, fuel),
            (Dot(x, name), Dot(y, other)) => name == other && self.same(*x, *y, fuel),
            (x, y) => x.is_operand() && x == y,
        }
    }

    pub(super) fn truth(&self, e: ExprId) -> Option<bool> {
        match self.ast.expr(e).kind {
            ExprKind::Bool(value) => Some(value),
            _ => None,
        }
    }

    pub fn constant(&mut self, value: bool) -> ExprId {
        self.push(ExprKind::Bool(value))
    }

    pub(super) fn not(&mut self, x: ExprId) -> ExprId {
        self.unary(UnOp::Not, x)
    }

    pub(super) fn push(&mut self, kind: ExprKind) -> ExprId {
        self.ast.push(kind, Span::default(), self.line)
    }
}
