//! Expressions of the source tree → nodes of the pool.
//!
//! Operands are flattened left to right and nodes typed as they are made, so that complaints come
//! in NuSMV's order. Names, arrays and functions have files of their own.

use super::scope::PathId;
use super::{Complaint, Fallible, Flat, FlatArray, Flattener};
use crate::base::deep;
use crate::diag::{Diagnostic, Frame};
use crate::model::types::{Type, rules};
use crate::model::{ExprId, FailKind, Node, Value, Word};
use smv_grammar::ast::{self, CaseArm, ExprKind, Site};
use smv_grammar::ops::{BinOp, UnOp};
use std::rc::Rc;

/// The largest `lo .. hi` that is spelled out as a set.
const MAX_RANGE: i64 = 1 << 22;

impl Flattener<'_> {
    pub(super) fn error<T>(&self, e: ast::ExprId, text: impl Into<String>) -> Fallible<T> {
        let e = self.ast.expr(e);
        Err(Box::new(Diagnostic::expression(e.site(), text)))
    }

    pub(super) fn complain(&mut self, e: ast::ExprId, text: String) {
        let site = self.ast.site(e);
        self.complaints.push(Complaint {
            warning: false,
            site,
            text,
        });
    }

    /// Flattens `e`, which must be a scalar.
    pub(super) fn scalar(&mut self, e: ast::ExprId, context: PathId) -> Fallible<ExprId> {
        let flat = self.flat(e, context)?;
        let site = self.ast.site(e);
        Ok(self.collapse(&flat, site))
    }

    /// Flattens `e` as seen from `context`.
    pub(super) fn flat(&mut self, e: ast::ExprId, context: PathId) -> Fallible<Flat> {
        if !self.shared.is_empty()
            && let Some(flat) = self.shared.get(&(e, context))
        {
            return Ok(flat.clone());
        }
        deep(|| self.flat_inner(e, context))
    }

    pub(super) fn flat_inner(&mut self, id: ast::ExprId, context: PathId) -> Fallible<Flat> {
        let ast = self.ast;
        let e = ast.expr(id);
        let site = e.site();
        let node = match &e.kind {
            ExprKind::Bool(b) => Node::Const(Value::Bool(*b)),
            ExprKind::Int(i) => Node::Const(Value::Int(*i)),
            ExprKind::Word(w) => Node::Const(Value::Word(Word {
                signed: w.signed,
                width: w.width,
                bits: w.value.clone(),
            })),
            ExprKind::SelfRef => {
                let text = "flattener_core_flatten: invalid usage of identifier \"self\"";
                let mut d = Diagnostic::expression(site, text);
                d.frame = Frame::Bare;
                d.text.push('\n');
                return Err(Box::new(d));
            }
            ExprKind::Ident(_) | ExprKind::Dot(..) => return self.name(id, context),
            ExprKind::Index(base, index) => return self.index(id, *base, *index, context),
            ExprKind::BitSelect(word, hi, lo) => {
                return self.bit_select(id, *word, (*hi, *lo), context);
            }
            ExprKind::Unary(UnOp::Next, a) => {
                let a = self.flat(*a, context)?;
                return Ok(self.next_of(&a, site));
            }
            ExprKind::Unary(op, a) => Node::Unary(*op, self.scalar(*a, context)?),
            ExprKind::Binary(BinOp::Eq | BinOp::Neq, ..) => return self.equation(id, context),
            ExprKind::Binary(BinOp::In, a, b) if self.wide_range(*b, context).is_some() => {
                let a = self.scalar(*a, context)?;
                let (lo, hi) = self.wide_range(*b, context).unwrap_or((0, 0));
                let lo = self.mk(Node::Const(Value::Int(lo)), site);
                let hi = self.mk(Node::Const(Value::Int(hi)), site);
                let above = self.mk(Node::Binary(BinOp::Ge, a, lo), site);
                let below = self.mk(Node::Binary(BinOp::Le, a, hi), site);
                Node::Binary(BinOp::And, above, below)
            }
            ExprKind::Binary(op, a, b) => {
                let (op, a, b) = (*op, self.scalar(*a, context)?, self.scalar(*b, context)?);
                match op {
                    BinOp::Div | BinOp::Mod => Node::Division {
                        op,
                        a,
                        b,
                        line: site.line,
                    },
                    _ => Node::Binary(op, a, b),
                }
            }
            ExprKind::Bounded { op, lo, hi, a, b } => {
                let a = self.scalar(*a, context)?;
                let b = b.map(|b| self.scalar(b, context)).transpose()?;
                let bound = |f: &mut Self, e| u32::try_from(f.constant_int(e, context)?).ok();
                match (bound(self, *lo), bound(self, *hi)) {
                    (Some(lo), Some(hi)) if lo <= hi => Node::Bounded {
                        op: *op,
                        lo,
                        hi,
                        a,
                        b,
                    },
                    _ => {
                        let shown = smv_grammar::print::expr(ast, id);
                        self.complain(id, format!("Invalid range in expression '{shown}'"));
                        return self.no_value(id);
                    }
                }
            }
            ExprKind::Ite(c, a, b) => return self.choice(id, *c, (*a, *b), context),
            ExprKind::Case(arms) => return self.case(arms, context, site),
            ExprKind::Range(lo, hi) => return self.range(id, *lo, *hi, context),
            ExprKind::Placeholder(names) => {
                self.placeholder(id, names, context)?;
                Node::Placeholder
            }
            ExprKind::Call(func, args) => return self.call(id, *func, args, context),
            ExprKind::ArrayLit(cells) => {
                let cells = cells
                    .iter()
                    .map(|&c| self.flat(c, context))
                    .collect::<Fallible<Vec<_>>>()?;
                return Ok(Flat::Array(Rc::new(FlatArray { lo: 0, cells })));
            }
        };
        Ok(Flat::Scalar(self.mk(node, site)))
    }

    /// `word[hi:lo]`.
    fn bit_select(
        &mut self,
        id: ast::ExprId,
        word: ast::ExprId,
        (hi, lo): (ast::ExprId, ast::ExprId),
        context: PathId,
    ) -> Fallible<Flat> {
        let word = self.scalar(word, context)?;
        let (hi, lo) = (
            self.constant_int(hi, context),
            self.constant_int(lo, context),
        );
        let (Some(hi), Some(lo)) = (hi, lo) else {
            let shown = smv_grammar::print::expr(self.ast, id);
            self.complain(id, format!("Expected constant expression in '{shown}'"));
            return self.no_value(id);
        };
        // What does not fit in 32 bits is out of any word's range.
        let clamp = |v: i64| u32::try_from(v).unwrap_or(u32::MAX);
        let (hi, lo) = (clamp(hi), clamp(lo));
        self.value(id, Node::BitSelect { word, hi, lo })
    }

    /// `c ? a : b`; of `min`, `max` and `abs` the operands are flattened once.
    fn choice(
        &mut self,
        id: ast::ExprId,
        c: ast::ExprId,
        (a, b): (ast::ExprId, ast::ExprId),
        context: PathId,
    ) -> Fallible<Flat> {
        let site = self.ast.site(id);
        let shared = self.ast.choice(id);
        let shared = shared.map_or(Vec::new(), |(_, operands)| operands);
        for &operand in &shared {
            let flat = self.flat(operand, context)?;
            self.shared.insert((operand, context), flat);
        }
        let c = self.scalar(c, context)?;
        let known = self.complaints.len();
        let (a, b) = (self.flat(a, context)?, self.flat(b, context)?);
        if *self.type_of(c) == Type::Error {
            // NuSMV looks no further.
            self.complaints.truncate(known);
        }
        for &operand in &shared {
            self.shared.remove(&(operand, context));
        }
        self.check_condition(c, site);
        Ok(self.ite(c, &a, &b, false, site))
    }

    pub(super) fn case(&mut self, arms: &[CaseArm], context: PathId, site: Site) -> Fallible<Flat> {
        let mut flat = Vec::with_capacity(arms.len());
        // NuSMV looks no further than the first arm that is ill-typed.
        let mut stop = None;
        for arm in arms {
            let at = Site {
                line: arm.line,
                ..site
            };
            let c = match self.ast.expr(arm.cond).kind {
                ExprKind::Int(1) if self.options.old => self.mk(Node::Const(Value::Bool(true)), at),
                _ => self.scalar(arm.cond, context)?,
            };
            let value = self.flat(arm.value, context)?;
            let broken = *self.type_of(c) == Type::Error
                || matches!(value, Flat::Scalar(e) if *self.type_of(e) == Type::Error)
                || !self.check_condition(c, at);
            if broken && stop.is_none() {
                stop = Some(self.complaints.len());
            }
            flat.push((c, value));
        }
        let always = |f: &Self, c: ExprId| {
            matches!(
                f.model.pool.node(c),
                Node::Const(Value::Bool(true) | Value::Int(1))
            )
        };
        let mut out = match flat.last() {
            Some((c, value)) if always(self, *c) => {
                let value = value.clone();
                flat.pop();
                value
            }
            _ => {
                let (kind, line) = (FailKind::CaseNotExhaustive, site.line);
                Flat::Scalar(self.mk(Node::Fail { kind, line }, site))
            }
        };
        for (c, value) in flat.iter().rev() {
            out = self.ite(*c, value, &out, true, site);
        }
        if let Some(stop) = stop {
            self.complaints.truncate(stop);
        }
        Ok(out)
    }

    /// Complains about a condition of `case` or `?:` that is not Boolean; whether it will do.
    pub(super) fn check_condition(&mut self, c: ExprId, site: Site) -> bool {
        let mut issues = Vec::new();
        let ok = rules::choice(self.type_of(c), self.options.old, &mut issues);
        self.complain_all(issues, site);
        ok
    }

    pub(super) fn range_bounds(&mut self, e: ast::ExprId, context: PathId) -> Option<(i64, i64)> {
        let ExprKind::Range(lo, hi) = self.ast.expr(e).kind else {
            return None;
        };
        Some((
            self.constant_int(lo, context)?,
            self.constant_int(hi, context)?,
        ))
    }

    /// A range too wide to be worth spelling out, as the right side of `in`.
    pub(super) fn wide_range(&mut self, e: ast::ExprId, context: PathId) -> Option<(i64, i64)> {
        self.range_bounds(e, context)
            .filter(|(lo, hi)| hi - lo >= 1 << 12)
    }

    pub(super) fn range(
        &mut self,
        id: ast::ExprId,
        lo: ast::ExprId,
        hi: ast::ExprId,
        context: PathId,
    ) -> Fallible<Flat> {
        let site = self.ast.site(id);
        let (lo, hi) = (
            self.constant_int(lo, context),
            self.constant_int(hi, context),
        );
        let (Some(lo), Some(hi)) = (lo, hi) else {
            let shown = smv_grammar::print::expr(self.ast, id);
            self.complain(id, format!("Expected constant expression in '{shown}'"));
            return Ok(Flat::Scalar(self.poison(site)));
        };
        if lo > hi || hi - lo >= MAX_RANGE {
            let what = if lo > hi {
                "empty range"
            } else {
                "range too large"
            };
            let text = format!("{what}: {lo}..{hi}");
            return Err(Box::new(Diagnostic::model(site, text)));
        }
        let value = crate::model::arith::set((lo..=hi).map(Value::Int).collect());
        Ok(Flat::Scalar(self.mk(Node::Const(value), site)))
    }
}
