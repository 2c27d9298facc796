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
use smv_grammar::ast::{self, ExprKind, Span};
use smv_grammar::ops::{BinOp, UnOp};
use std::rc::Rc;

impl Flattener<'_> {
    pub(super) fn collapse(&mut self, flat: &Flat, span: Span, line: u32) -> ExprId {
        match flat {
            Flat::Scalar(e) => *e,
            Flat::Array(a) => {
                let cells = a
                    .cells
                    .iter()
                    .map(|c| deep(|| self.collapse(c, span, line)))
                    .collect();
                self.mk(Node::Array { lo: a.lo, cells }, span, line)
            }
        }
    }

    pub(super) fn next_of(&mut self, a: &Flat, span: Span, line: u32) -> Flat {
        match a {
            Flat::Scalar(e) if matches!(self.model.pool.node(*e), Node::Const(_)) => {
                Flat::Scalar(*e)
            }
            Flat::Scalar(e) => Flat::Scalar(self.mk(Node::Unary(UnOp::Next, *e), span, line)),
            Flat::Array(a) => {
                let cells = a
                    .cells
                    .iter()
                    .map(|c| deep(|| self.next_of(c, span, line)))
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
        let (span, line) = (e.span, e.line);
        let (x, y) = (self.flat(a, context)?, self.flat(b, context)?);
        match (&x, &y) {
            (Flat::Array(p), Flat::Array(q)) if p.lo == q.lo && p.cells.len() == q.cells.len() => {
                let all = self.array_equal(p, q, span, line);
                let out = match op {
                    BinOp::Neq => self.mk(Node::Unary(UnOp::Not, all), span, line),
                    _ => all,
                };
                return Ok(Flat::Scalar(out));
            }
            (Flat::Array(_), Flat::Scalar(_)) if !self.in_property => {
                return self.error(id, "left hand side of index sub-scripting is not an array");
            }
            _ => {}
        }
        let (a, b) = (self.collapse(&x, span, line), self.collapse(&y, span, line));
        Ok(Flat::Scalar(self.mk(Node::Binary(op, a, b), span, line)))
    }

    pub(super) fn array_equal(
        &mut self,
        p: &FlatArray,
        q: &FlatArray,
        span: Span,
        line: u32,
    ) -> ExprId {
        let mut all = None;
        for (x, y) in p.cells.iter().zip(&q.cells) {
            let eq = match (x, y) {
                (Flat::Array(x), Flat::Array(y)) if x.cells.len() == y.cells.len() => {
                    deep(|| self.array_equal(x, y, span, line))
                }
                _ => {
                    let (x, y) = (self.collapse(x, span, line), self.collapse(y, span, line));
                    self.mk(Node::Binary(BinOp::Eq, x, y), span, line)
                }
            };
            all = Some(match all {
                None => eq,
                Some(all) => self.mk(Node::Binary(BinOp::And, all, eq), span, line),
            });
        }
        all.unwrap_or_else(|| self.mk(Node::Const(Value::Bool(true)), span, line))
    }

    /// `c ? a : b`; arrays choose cell by cell. The condition has been judged already.
    pub(super) fn ite(
        &mut self,
        c: ExprId,
        a: &Flat,
        b: &Flat,
        case: bool,
        span: Span,
        line: u32,
    ) -> Flat {
        match (a, b) {
            (Flat::Array(p), Flat::Array(q)) if p.lo == q.lo && p.cells.len() == q.cells.len() => {
                let cells = p.cells.iter().zip(&q.cells);
                let cells = cells
                    .map(|(x, y)| deep(|| self.ite(c, x, y, case, span, line)))
                    .collect();
                Flat::Array(Rc::new(FlatArray { lo: p.lo, cells }))
            }
            (Flat::Array(p), Flat::Scalar(f)) if *self.type_of(*f) == Type::Any => {
                let cells = p.cells.iter();
                let cells = cells
                    .map(|x| deep(|| self.ite(c, x, b, case, span, line)))
                    .collect();
                Flat::Array(Rc::new(FlatArray { lo: p.lo, cells }))
            }
            _ => {
                let (a, b) = (self.collapse(a, span, line), self.collapse(b, span, line));
                Flat::Scalar(self.mk_either(Node::Ite(c, a, b), case, span, line))
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
        let (span, line) = (self.ast.expr(id).span, self.ast.expr(id).line);
        if matches!(
            self.ast.expr(base).kind,
            ExprKind::Ident(_) | ExprKind::Dot(..)
        ) {
            let array = self.resolve(base, context, 0);
            self.refuse_ambiguous(base, context, &array)
                .map_err(|mut err| {
                    ambiguous_alone(&mut err, line);
                    err
                })?;
        }
        match self.resolve(id, context, 0) {
            Some(Target::Cell(s) | Target::Symbol(s, _)) => return self.symbol(s, span, line),
            Some(Target::Actual(p)) => return self.parameter(p, span, line),
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
                Box::new(Diagnostic::expression(line, span, text))
            });
        }
        let index = self.scalar(index, context)?;
        let word = match self.type_of(index) {
            Type::Word { signed, width } => Some((*signed, *width)),
            _ => None,
        };
        let kind = FailKind::ArrayOutOfBounds;
        let mut out = Flat::Scalar(self.mk(Node::Fail { kind, line }, span, line));
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
            let constant = self.mk(Node::Const(constant), span, line);
            let before = self.complaints.len();
            let hit = self.mk(Node::Binary(BinOp::Eq, index, constant), span, line);
            if !first {
                // One complaint about the index is enough.
                self.complaints.truncate(before);
            }
            first = false;
            out = self.ite(hit, cell, &out, true, span, line);
        }
        Ok(out)
    }
}
