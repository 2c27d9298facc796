//! `forall`: a conjunction over the values of its variable.

use super::logic::Builder;
use super::sere::MAX_STEPS;
use super::{ForallValue, Kind, Node};
use crate::ast::{Ast, CaseArm, ExprId, ExprKind, Name};
use crate::ops::BinOp;
use rustc_hash::FxHashMap;

impl Builder<'_> {
    /// Conjunction of a body over all values of its variable.
    pub(super) fn forall(&mut self, n: Node, each: fn(&mut Self, Node) -> ExprId) -> ExprId {
        let Kind::Forall {
            var, values, body, ..
        } = self.tree.kind(n)
        else {
            return self.constant(true);
        };
        let mut all = Vec::new();
        match values {
            None => all.extend([self.constant(true), self.constant(false)]),
            Some(values) => {
                for value in values {
                    match *value {
                        ForallValue::One(n) => all.push(self.formula(n)),
                        ForallValue::Range(low, high) => {
                            let low = self.int(low).unwrap_or(0);
                            let high = high.and_then(|e| self.int(e)).unwrap_or(low);
                            let high = high.min(low.saturating_add(MAX_STEPS));
                            all.extend((low..=high).map(|i| self.push(ExprKind::Int(i))));
                        }
                    }
                }
            }
        }
        let mut out = None;
        for value in all {
            self.values.push((*var, value));
            let one = each(self, *body);
            self.values.pop();
            out = Some(match out {
                None => one,
                Some(before) => self.binary(BinOp::And, before, one),
            });
        }
        out.unwrap_or_else(|| self.constant(true))
    }

    /// An expression with the variables of `forall` replaced by their values.
    pub(super) fn instance(&mut self, e: ExprId) -> ExprId {
        if self.values.is_empty() {
            return e;
        }
        let values = self.values.clone();
        let mut done = FxHashMap::default();
        copy(self.ast, e, &values, &mut done)
    }
}

/// A copy of `e` with names replaced; parts without them are shared.
fn copy(
    ast: &mut Ast,
    e: ExprId,
    values: &[(Name, ExprId)],
    done: &mut FxHashMap<ExprId, ExprId>,
) -> ExprId {
    if let Some(&known) = done.get(&e) {
        return known;
    }
    let new = stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
        let old = ast.expr(e).clone();
        let mut go = |x: ExprId, ast: &mut Ast| copy(ast, x, values, done);
        use ExprKind::*;
        let kind = match old.kind.clone() {
            Ident(name) => match values.iter().rev().find(|(n, _)| *n == name) {
                Some((_, value)) => return *value,
                None => return e,
            },
            Dot(x, name) => Dot(go(x, ast), name),
            Index(x, i) => Index(go(x, ast), go(i, ast)),
            Unary(op, x) => Unary(op, go(x, ast)),
            Binary(op, x, y) => Binary(op, go(x, ast), go(y, ast)),
            Ite(c, x, y) => Ite(go(c, ast), go(x, ast), go(y, ast)),
            Case(arms) => Case(
                arms.iter()
                    .map(|arm| CaseArm {
                        cond: go(arm.cond, ast),
                        value: go(arm.value, ast),
                        line: arm.line,
                    })
                    .collect(),
            ),
            Call(func, args) => Call(func, args.iter().map(|&x| go(x, ast)).collect()),
            other => other,
        };
        match kind == old.kind {
            true => e,
            false => ast.push(kind, old.span, old.line),
        }
    });
    done.insert(e, new);
    new
}
