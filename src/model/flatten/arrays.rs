//! Arrays as wholes: choice, comparison, `next` and indexing.
//!
//! All of them end as operations on cells. Where an operator cannot take an array, it sees a
//! [`Node::Array`], which the typing rules refuse.

use super::names::Target;
use super::scope::PathId;
use super::sections::ambiguous_alone;
use super::{Fallible, Flat, FlatArray, Flattener};
use crate::base::deep;
use crate::diag::Diagnostic;
use crate::model::types::Type;
use crate::model::{ExprId, FailKind, Node, Value};
use smv_grammar::ast::{self, ExprKind, Site};
use smv_grammar::ops::{BinOp, UnOp};
use std::rc::Rc;

impl Flattener<'_> {
    pub(super) fn collapse(&mut self, flat: &Flat, site: Site) -> ExprId {
        match flat {
            Flat::Scalar(e) => *e,
            Flat::Array(a) => {
                let cells = a
                    .cells
                    .iter()
                    .map(|c| deep(|| self.collapse(c, site)))
                    .collect();
                self.mk(Node::Array { lo: a.lo, cells }, site)
            }
        }
    }

    pub(super) fn next_of(&mut self, a: &Flat, site: Site) -> Flat {
        match a {
            Flat::Scalar(e) if matches!(self.model.pool.node(*e), Node::Const(_)) => {
                Flat::Scalar(*e)
            }
            Flat::Scalar(e) => Flat::Scalar(self.mk(Node::Unary(UnOp::Next, *e), site)),
            Flat::Array(a) => {
                let cells = a
                    .cells
                    .iter()
                    .map(|c| deep(|| self.next_of(c, site)))
                    .collect();
                Flat::Array(Rc::new(FlatArray { lo: a.lo, cells }))
            }
        }
    }

    /// `a = b` and `a != b`; arrays are compared cell by cell.
    pub(super) fn equation(&mut self, id: ast::ExprId, context: PathId) -> Fallible<Flat> {
        let e = self.ast.expr(id);
        let ExprKind::Binary(op, a, b) = e.kind else {
            return self.undefined(id, context);
        };
        let site = e.site();
        let (x, y) = (self.flat(a, context)?, self.flat(b, context)?);
        match (&x, &y) {
            (Flat::Array(p), Flat::Array(q)) if p.lo == q.lo && p.cells.len() == q.cells.len() => {
                let all = self.array_equal(p, q, site);
                let out = match op {
                    BinOp::Neq => self.mk(Node::Unary(UnOp::Not, all), site),
                    _ => all,
                };
                return Ok(Flat::Scalar(out));
            }
            (Flat::Array(_), Flat::Scalar(_)) if !self.in_property => {
                return self.error(id, "left hand side of index sub-scripting is not an array");
            }
            _ => {}
        }
        let (a, b) = (self.collapse(&x, site), self.collapse(&y, site));
        Ok(Flat::Scalar(self.mk(Node::Binary(op, a, b), site)))
    }

    pub(super) fn array_equal(&mut self, p: &FlatArray, q: &FlatArray, site: Site) -> ExprId {
        let mut all = None;
        for (x, y) in p.cells.iter().zip(&q.cells) {
            let eq = match (x, y) {
                (Flat::Array(x), Flat::Array(y)) if x.cells.len() == y.cells.len() => {
                    deep(|| self.array_equal(x, y, site))
                }
                _ => {
                    let (x, y) = (self.collapse(x, site), self.collapse(y, site));
                    self.mk(Node::Binary(BinOp::Eq, x, y), site)
                }
            };
            all = Some(match all {
                None => eq,
                Some(all) => self.mk(Node::Binary(BinOp::And, all, eq), site),
            });
        }
        all.unwrap_or_else(|| self.mk(Node::Const(Value::Bool(true)), site))
    }

    /// `c ? a : b`; arrays choose cell by cell. The condition has been judged already.
    pub(super) fn ite(&mut self, c: ExprId, a: &Flat, b: &Flat, case: bool, site: Site) -> Flat {
        match (a, b) {
            (Flat::Array(p), Flat::Array(q)) if p.lo == q.lo && p.cells.len() == q.cells.len() => {
                let cells = p.cells.iter().zip(&q.cells);
                let cells = cells
                    .map(|(x, y)| deep(|| self.ite(c, x, y, case, site)))
                    .collect();
                Flat::Array(Rc::new(FlatArray { lo: p.lo, cells }))
            }
            (Flat::Array(p), Flat::Scalar(f)) if *self.type_of(*f) == Type::Any => {
                let cells = p.cells.iter();
                let cells = cells
                    .map(|x| deep(|| self.ite(c, x, b, case, site)))
                    .collect();
                Flat::Array(Rc::new(FlatArray { lo: p.lo, cells }))
            }
            _ => {
                let (a, b) = (self.collapse(a, site), self.collapse(b, site));
                Flat::Scalar(self.mk_either(Node::Ite(c, a, b), case, site))
            }
        }
    }

    pub(super) fn index(
        &mut self,
        id: ast::ExprId,
        base: ast::ExprId,
        index: ast::ExprId,
        context: PathId,
    ) -> Fallible<Flat> {
        let site = self.ast.site(id);
        if matches!(
            self.ast.expr(base).kind,
            ExprKind::Ident(_) | ExprKind::Dot(..)
        ) {
            let array = self.resolve(base, context, 0);
            self.refuse_ambiguous(base, context, &array)
                .map_err(|mut err| {
                    ambiguous_alone(&mut err, site.line);
                    err
                })?;
        }
        match self.resolve(id, context, 0) {
            Some(Target::Cell(s) | Target::Symbol(s, _)) => return self.symbol(s, site),
            Some(Target::Actual(p)) => return self.parameter(p, site),
            _ => {}
        }
        let array = match self.flat(base, context)? {
            Flat::Array(array) => array,
            Flat::Scalar(e) if *self.type_of(e) == Type::Error => return Ok(Flat::Scalar(e)),
            Flat::Scalar(_) => {
                let text = "left hand side of index sub-scripting is not an array";
                return self.error(id, text);
            }
        };
        if let Some(i) = self.constant_int(index, context) {
            let cell = usize::try_from(i - array.lo)
                .ok()
                .and_then(|i| array.cells.get(i));
            return cell.cloned().ok_or_else(|| {
                let hi = array.lo + array.cells.len() as i64 - 1;
                let text = format!(
                    "array index has value {i} which is outside of allowed range [{}, {hi}]\n",
                    array.lo
                );
                Box::new(Diagnostic::expression(site, text))
            });
        }
        let index = self.scalar(index, context)?;
        let word = match self.type_of(index) {
            Type::Word { signed, width } => Some((*signed, *width)),
            _ => None,
        };
        let (kind, line) = (FailKind::ArrayOutOfBounds, site.line);
        let mut out = Flat::Scalar(self.mk(Node::Fail { kind, line }, site));
        let mut first = true;
        for (i, cell) in array.cells.iter().enumerate().rev() {
            let value = array.lo + i as i64;
            let constant = match word {
                Some((signed, width)) => {
                    let w = crate::model::arith::word(signed, width, &value.into());
                    if crate::model::arith::number(&w) != value.into() {
                        continue;
                    }
                    Value::Word(w)
                }
                None => Value::Int(value),
            };
            let constant = self.mk(Node::Const(constant), site);
            let before = self.complaints.len();
            let hit = self.mk(Node::Binary(BinOp::Eq, index, constant), site);
            if !first {
                // One complaint about the index is enough.
                self.complaints.truncate(before);
            }
            first = false;
            out = self.ite(hit, cell, &out, true, site);
        }
        Ok(out)
    }
}
