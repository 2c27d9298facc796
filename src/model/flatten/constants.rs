//! Constant expressions: bounds of ranges and arrays, widths, indices, literal arguments.
//!
//! Evaluated on the source tree, before anything is flattened; DEFINEs and parameters are followed.

use super::scope::{DefId, PathId, Symbol};
use super::{Body, Flattener};
use crate::base::deep;
use crate::model::arith::{self, DivMode};
use crate::model::{Value, Word};
use smv_grammar::ast::{self, ExprKind};
use smv_grammar::ops::{BinOp, UnOp};

impl Flattener<'_> {
    /// The integer `e` stands for, if it is constant.
    pub(super) fn constant_int(&mut self, e: ast::ExprId, context: PathId) -> Option<i64> {
        match self.constant(e, context)? {
            Value::Int(i) => Some(i),
            Value::Word(w) => i64::try_from(arith::number(&w)).ok(),
            _ => None,
        }
    }

    /// The value of `e`, if it is constant: literals and operators on constants.
    pub(super) fn constant(&mut self, e: ast::ExprId, context: PathId) -> Option<Value> {
        deep(|| self.constant_inner(e, context))
    }

    fn constant_inner(&mut self, e: ast::ExprId, context: PathId) -> Option<Value> {
        let line = self.ast.expr(e).line;
        match &self.ast.expr(e).kind {
            ExprKind::Bool(b) => Some(Value::Bool(*b)),
            ExprKind::Int(i) => Some(arith::int(*i)),
            ExprKind::Word(w) => Some(Value::Word(Word {
                signed: w.signed,
                width: w.width,
                bits: w.value.clone(),
            })),
            ExprKind::Ident(_) | ExprKind::Dot(..) | ExprKind::Index(..) => {
                match self.resolve(e, context, 0)? {
                    super::names::Target::Symbol(Symbol::Define(d), _) => self.constant_define(d),
                    super::names::Target::Actual(p) => {
                        let p = &self.params[p.0 as usize];
                        let (actual, context) = (p.actual, p.context);
                        self.constant(actual, context)
                    }
                    _ => None,
                }
            }
            ExprKind::Unary(op @ (UnOp::Not | UnOp::Neg), a) => {
                let (op, a) = (*op, self.constant(*a, context)?);
                arith::unary(op, &a).ok()
            }
            ExprKind::Binary(BinOp::Union | BinOp::In, ..) => None,
            ExprKind::Binary(op, a, b) if !op.is_ctl() && !op.is_ltl() => {
                let (op, a, b) = (
                    *op,
                    self.constant(*a, context)?,
                    self.constant(*b, context)?,
                );
                if matches!(op, BinOp::Div | BinOp::Mod) {
                    return arith::division(op, &a, &b, line, DivMode::Truncate).ok();
                }
                arith::binary(op, &a, &b).ok()
            }
            ExprKind::Ite(c, a, b) => {
                let Value::Bool(c) = self.constant(*c, context)? else {
                    return None;
                };
                self.constant(if c { *a } else { *b }, context)
            }
            ExprKind::Case(branches) => {
                for arm in branches {
                    let Value::Bool(c) = self.constant(arm.cond, context)? else {
                        return None;
                    };
                    if c {
                        return self.constant(arm.value, context);
                    }
                }
                None
            }
            _ => None,
        }
    }

    fn constant_define(&mut self, d: DefId) -> Option<Value> {
        let def = &mut self.defs[d.0 as usize];
        if let Some(known) = &def.constant {
            return known.clone();
        }
        // A definition met again while it is evaluated is cyclic, hence no constant.
        def.constant = Some(None);
        let value = match def.body.clone() {
            Body::Const(v, _) => Some(v),
            Body::Expr(e, context) => self.constant(e, context),
            Body::Running(_) => None,
        };
        self.defs[d.0 as usize].constant = Some(value.clone());
        value
    }
}
