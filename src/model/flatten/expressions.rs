//! Expressions of the source tree → nodes of the pool.
//!
//! Operands are flattened left to right and nodes typed as they are made, so that complaints come
//! in NuSMV's order. Arrays exist only here, as [`Flat::Array`]; operators that cannot take them
//! see [`Node::Array`], which the typing rules refuse.

use super::scope::{ArrayId, DefId, ParamId, PathId, Symbol};
use super::{Body, Complaint, Fallible, Flat, FlatArray, Flattener, Progress};
use crate::base::deep;
use crate::diag::{Diagnostic, Frame};
use crate::model::types::{Type, rules};
use crate::model::{ExprId, FailKind, Node, SymId, Value, Word};
use smv_grammar::ast::{self, CaseArm, ExprKind, Span};
use smv_grammar::ops::{BinOp, Func, UnOp};
use std::rc::Rc;

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    Symbol(Symbol, PathId),
    /// A prefix of declared names, nothing itself.
    Path(PathId),
    Constant(SymId),
    /// A parameter whose actual is more than a name.
    Actual(ParamId),
    /// A cell of a declared array.
    Cell(Symbol),
}

/// The largest `lo .. hi` that is spelled out as a set.
const MAX_RANGE: i64 = 1 << 22;

impl Flattener<'_> {
    fn error<T>(&self, e: ast::ExprId, text: impl Into<String>) -> Fallible<T> {
        let e = self.ast.expr(e);
        Err(Box::new(Diagnostic::expression(e.line, e.span, text)))
    }

    fn complain(&mut self, e: ast::ExprId, text: String) {
        let e = self.ast.expr(e);
        let (line, span) = (e.line, e.span);
        self.complaints.push(Complaint {
            warning: false,
            line,
            span,
            text,
        });
    }

    /// What the name `e` denotes in `context`; `None` if it is no name or denotes nothing.
    pub(super) fn resolve(
        &mut self,
        e: ast::ExprId,
        context: PathId,
        depth: usize,
    ) -> Option<Target> {
        let from_path = |f: &mut Self, path: PathId| match f.scope.symbol(path) {
            Some(Symbol::Param(p)) => {
                // Cyclic parameters end as unresolved actuals and are reported when flattened.
                if depth > f.params.len() {
                    return Some(Target::Actual(p));
                }
                let (actual, outer) = {
                    let p = &f.params[p.0 as usize];
                    (p.actual, p.context)
                };
                let named = deep(|| f.resolve(actual, outer, depth + 1));
                Some(named.unwrap_or(Target::Actual(p)))
            }
            Some(s) => Some(Target::Symbol(s, path)),
            None => Some(Target::Path(path)),
        };
        match &self.ast.expr(e).kind {
            ExprKind::SelfRef => Some(Target::Symbol(Symbol::Instance, context)),
            ExprKind::Ident(n) => match self.scope.child(context, *n) {
                // Constants do not clash with instances, which are no values.
                Some(path)
                    if self.scope.symbol(path).is_some_and(|s| {
                        s != Symbol::Instance || self.scope.constant(*n).is_none()
                    }) =>
                {
                    from_path(self, path)
                }
                path => match self.scope.constant(*n) {
                    Some(c) => Some(Target::Constant(c)),
                    None => path.map(Target::Path),
                },
            },
            ExprKind::Dot(left, n) => match deep(|| self.resolve_prefix(*left, context, depth))? {
                Target::Symbol(_, path) | Target::Path(path) => {
                    let child = self.scope.child(path, *n)?;
                    from_path(self, child)
                }
                _ => None,
            },
            ExprKind::Index(left, index) => {
                let target = deep(|| self.resolve(*left, context, depth))?;
                match target {
                    Target::Symbol(Symbol::Array(a), _) | Target::Cell(Symbol::Array(a)) => {
                        let i = self.constant_int(*index, context)?;
                        let a = &self.arrays[a.0 as usize];
                        let i = usize::try_from(i - a.lo).ok()?;
                        a.cells.get(i).map(|&s| Target::Cell(s))
                    }
                    Target::Path(path) => {
                        let i = self.constant_int(*index, context)?;
                        let path = self.scope.indexed(path, i)?;
                        from_path(self, path)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// As [`Self::resolve`] for what stands before a dot: constants do not come into it.
    fn resolve_prefix(&mut self, e: ast::ExprId, context: PathId, depth: usize) -> Option<Target> {
        match self.resolve(e, context, depth) {
            Some(Target::Constant(_)) => match &self.ast.expr(e).kind {
                ExprKind::Ident(n) => self.scope.child(context, *n).map(Target::Path),
                _ => None,
            },
            other => other,
        }
    }

    /// Whether `e` has array values.
    pub(super) fn is_array(&mut self, e: ast::ExprId, context: PathId, depth: usize) -> bool {
        self.rank(e, context, depth) > 0
    }

    /// Number of indices that `e` takes before it is a scalar.
    fn rank(&mut self, e: ast::ExprId, context: PathId, depth: usize) -> usize {
        if depth > self.params.len() + self.defs.len() {
            return 0;
        }
        match &self.ast.expr(e).kind {
            ExprKind::Ident(_) | ExprKind::Dot(..) | ExprKind::Index(..) => {
                match self.resolve(e, context, 0) {
                    Some(Target::Symbol(s, _) | Target::Cell(s)) => {
                        return self.symbol_rank(s, depth);
                    }
                    Some(Target::Actual(p)) => {
                        let p = &self.params[p.0 as usize];
                        let (actual, context) = (p.actual, p.context);
                        return deep(|| self.rank(actual, context, depth + 1));
                    }
                    _ => {}
                }
                if let ExprKind::Index(left, _) = &self.ast.expr(e).kind {
                    return deep(|| self.rank(*left, context, depth)).saturating_sub(1);
                }
                0
            }
            ExprKind::Unary(UnOp::Next, a) => deep(|| self.rank(*a, context, depth)),
            ExprKind::Ite(_, a, _) => deep(|| self.rank(*a, context, depth)),
            ExprKind::Case(arms) => arms
                .first()
                .map_or(0, |a| deep(|| self.rank(a.value, context, depth))),
            _ => 0,
        }
    }

    fn symbol_rank(&mut self, s: Symbol, depth: usize) -> usize {
        match s {
            Symbol::Array(a) => {
                let cell = self.arrays[a.0 as usize].cells.first().copied();
                1 + cell.map_or(0, |c| self.symbol_rank(c, depth + 1))
            }
            Symbol::Define(d) => match self.defs[d.0 as usize].body {
                Body::Expr(e, context) => deep(|| self.rank(e, context, depth + 1)),
                _ => 0,
            },
            _ => 0,
        }
    }

    /// The full name that `e` would have in `context`.
    fn name_text(&mut self, e: ast::ExprId, context: PathId) -> String {
        match &self.ast.expr(e).kind {
            ExprKind::Ident(n) => self.scope.qualified(context, self.ast.name(*n)),
            ExprKind::SelfRef => self.scope.full_name(context),
            ExprKind::Dot(..) => self.dotted_text(e, context),
            _ => smv_grammar::print::expr(self.ast, e),
        }
    }

    /// [`Self::name_text`] of `a.b.c`: the full name of the longest prefix that denotes something,
    /// found from the left so that long names take linear time, then the names after it.
    fn dotted_text(&mut self, e: ast::ExprId, context: PathId) -> String {
        let mut prefixes = vec![e];
        let mut names = Vec::new();
        let mut base = e;
        while let ExprKind::Dot(left, n) = &self.ast.expr(base).kind {
            names.push(*n);
            base = *left;
            prefixes.push(base);
        }
        let mut text = self.name_text(base, context);
        let mut shown = 0;
        for (length, &prefix) in prefixes[1..].iter().rev().enumerate() {
            match self.resolve(prefix, context, 0) {
                Some(Target::Symbol(_, p) | Target::Path(p)) => text = self.scope.full_name(p),
                _ => break,
            }
            shown = length;
        }
        for &n in names.iter().rev().skip(shown) {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(self.ast.name(n));
        }
        text
    }

    fn undefined(&mut self, e: ast::ExprId, context: PathId) -> Fallible<Flat> {
        let name = self.name_text(e, context);
        if self.in_property {
            self.complain(e, format!("undefined identifier '{name}'"));
            if let Some(c) = self.complaints.last_mut() {
                c.line = self.kind_line;
            }
            let (span, line) = (self.ast.expr(e).span, self.ast.expr(e).line);
            return Ok(Flat::Scalar(self.poison(span, line)));
        }
        self.error(e, format!("\"{name}\" undefined"))
    }

    /// Flattens `e`, which must be a scalar.
    pub(super) fn scalar(&mut self, e: ast::ExprId, context: PathId) -> Fallible<ExprId> {
        let flat = self.flat(e, context)?;
        let (span, line) = (self.ast.expr(e).span, self.ast.expr(e).line);
        Ok(self.collapse(&flat, span, line))
    }

    fn collapse(&mut self, flat: &Flat, span: Span, line: u32) -> ExprId {
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

    /// Flattens `e` as seen from `context`.
    pub(super) fn flat(&mut self, e: ast::ExprId, context: PathId) -> Fallible<Flat> {
        deep(|| self.flat_inner(e, context))
    }

    fn flat_inner(&mut self, id: ast::ExprId, context: PathId) -> Fallible<Flat> {
        let ast = self.ast;
        let e = ast.expr(id);
        let (span, line) = (e.span, e.line);
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
                let mut d = Diagnostic::expression(line, span, text);
                d.frame = Frame::Bare;
                d.text.push('\n');
                return Err(Box::new(d));
            }
            ExprKind::Ident(_) | ExprKind::Dot(..) => return self.name(id, context),
            ExprKind::Index(base, index) => return self.index(id, *base, *index, context),
            ExprKind::BitSelect(word, hi, lo) => {
                let word = self.scalar(*word, context)?;
                let (hi, lo) = (
                    self.constant_int(*hi, context),
                    self.constant_int(*lo, context),
                );
                let (Some(hi), Some(lo)) = (hi, lo) else {
                    let shown = smv_grammar::print::expr(ast, id);
                    self.complain(id, format!("Expected constant expression in '{shown}'"));
                    return Ok(Flat::Scalar(self.poison(span, line)));
                };
                // What does not fit in 32 bits is out of any word's range.
                let clamp = |v: i64| u32::try_from(v).unwrap_or(u32::MAX);
                Node::BitSelect {
                    word,
                    hi: clamp(hi),
                    lo: clamp(lo),
                }
            }
            ExprKind::Unary(UnOp::Next, a) => {
                let a = self.flat(*a, context)?;
                return Ok(self.next_of(&a, span, line));
            }
            ExprKind::Unary(op, a) => Node::Unary(*op, self.scalar(*a, context)?),
            ExprKind::Binary(BinOp::Eq | BinOp::Neq, ..) => return self.equation(id, context),
            ExprKind::Binary(BinOp::In, a, b) if self.wide_range(*b, context).is_some() => {
                let a = self.scalar(*a, context)?;
                let (lo, hi) = self.wide_range(*b, context).unwrap_or((0, 0));
                let lo = self.mk(Node::Const(Value::Int(lo)), span, line);
                let hi = self.mk(Node::Const(Value::Int(hi)), span, line);
                let above = self.mk(Node::Binary(BinOp::Ge, a, lo), span, line);
                let below = self.mk(Node::Binary(BinOp::Le, a, hi), span, line);
                Node::Binary(BinOp::And, above, below)
            }
            ExprKind::Binary(op, a, b) => {
                let (op, a, b) = (*op, self.scalar(*a, context)?, self.scalar(*b, context)?);
                match op {
                    BinOp::Div | BinOp::Mod => Node::Division { op, a, b, line },
                    _ => Node::Binary(op, a, b),
                }
            }
            ExprKind::Bounded { op, lo, hi, a, b } => {
                let a = self.scalar(*a, context)?;
                let b = b.map(|b| self.scalar(b, context)).transpose()?;
                let (lo, hi) = (
                    self.constant_int(*lo, context),
                    self.constant_int(*hi, context),
                );
                let bound = |v: Option<i64>| v.and_then(|v| u32::try_from(v).ok());
                match (bound(lo), bound(hi)) {
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
                        return Ok(Flat::Scalar(self.poison(span, line)));
                    }
                }
            }
            ExprKind::Ite(c, a, b) => {
                let c = self.scalar(*c, context)?;
                let (a, b) = (self.flat(*a, context)?, self.flat(*b, context)?);
                self.check_condition(c, span, line);
                return Ok(self.ite(c, &a, &b, false, span, line));
            }
            ExprKind::Case(arms) => return self.case(arms, context, span, line),
            ExprKind::Range(lo, hi) => return self.range(id, *lo, *hi, context),
            ExprKind::Call(func, args) => return self.call(id, *func, args, context),
            ExprKind::ArrayLit(cells) => {
                let cells = cells
                    .iter()
                    .map(|&c| self.flat(c, context))
                    .collect::<Fallible<Vec<_>>>()?;
                return Ok(Flat::Array(Rc::new(FlatArray { lo: 0, cells })));
            }
        };
        Ok(Flat::Scalar(self.mk(node, span, line)))
    }

    fn name(&mut self, id: ast::ExprId, context: PathId) -> Fallible<Flat> {
        let e = self.ast.expr(id);
        let (span, line) = (e.span, e.line);
        let target = self.resolve(id, context, 0);
        if let (ExprKind::Ident(n), Some(Target::Symbol(..) | Target::Actual(_))) =
            (&e.kind, &target)
            && self.scope.constant(*n).is_some()
        {
            let text = format!("\"{}\" ambiguous", self.ast.name(*n));
            return Err(Box::new(Diagnostic::model(line, span, text)));
        }
        match target {
            Some(Target::Symbol(Symbol::Instance, _) | Target::Path(_)) | None => {
                self.undefined(id, context)
            }
            Some(Target::Symbol(s, _) | Target::Cell(s)) => self.symbol(s, span, line),
            Some(Target::Constant(c)) => Ok(Flat::Scalar(self.mk(
                Node::Const(Value::Sym(c)),
                span,
                line,
            ))),
            Some(Target::Actual(p)) => self.parameter(p, span, line),
        }
    }

    fn symbol(&mut self, s: Symbol, span: Span, line: u32) -> Fallible<Flat> {
        match s {
            Symbol::Var(v) => Ok(Flat::Scalar(self.mk(Node::Var(v), span, line))),
            Symbol::Define(d) => self.define(d, span, line),
            Symbol::Array(a) => self.array(a, span, line),
            Symbol::Param(p) => self.parameter(p, span, line),
            Symbol::Instance => Ok(Flat::Scalar(self.poison(span, line))),
        }
    }

    fn array(&mut self, a: ArrayId, span: Span, line: u32) -> Fallible<Flat> {
        let decl = self.arrays[a.0 as usize].clone();
        let cells = decl.cells.iter().map(|&c| self.symbol(c, span, line));
        let cells = cells.collect::<Fallible<Vec<_>>>()?;
        Ok(Flat::Array(Rc::new(FlatArray { lo: decl.lo, cells })))
    }

    fn recursive(&self, name: &str, span: Span, line: u32) -> Box<Diagnostic> {
        let text = format!("recursively defined: {name}");
        let make = if self.in_property {
            Diagnostic::model
        } else {
            Diagnostic::expression
        };
        Box::new(make(line, span, text))
    }

    /// A use of a definition; its body is flattened at the first.
    pub(super) fn define(&mut self, d: DefId, span: Span, line: u32) -> Fallible<Flat> {
        let def = &mut self.defs[d.0 as usize];
        match std::mem::replace(&mut def.progress, Progress::Busy) {
            Progress::Busy => {
                let name = def.name.clone();
                return Err(self.recursive(&name, span, line));
            }
            Progress::Done(flat, complaints) => {
                self.complaints.extend(complaints.iter().cloned());
                def.progress = Progress::Done(flat, complaints);
            }
            Progress::Todo => {
                let (body, at, def_line) = (def.body.clone(), def.span, def.line);
                let outer = std::mem::take(&mut self.complaints);
                let in_property = std::mem::replace(&mut self.in_property, false);
                let flat = match body {
                    Body::Expr(e, context) => self.flat(e, context),
                    Body::Const(v) => Ok(Flat::Scalar(self.mk(Node::Const(v), at, def_line))),
                    Body::Running(name) => Ok(Flat::Scalar(self.running(&name))),
                };
                self.in_property = in_property;
                let own = std::mem::replace(&mut self.complaints, outer);
                let def = &mut self.defs[d.0 as usize];
                let flat = flat.map_err(|mut err| {
                    err.text += &format!("\nin definition of {}", def.name);
                    if def.name_line > 0 {
                        err.text += &format!(" at line {}", def.name_line);
                    }
                    err
                })?;
                if let (Some(id), Flat::Scalar(e)) = (def.id, &flat) {
                    self.model.defines[id.0 as usize].body = *e;
                }
                self.complaints.extend(own.iter().cloned());
                self.defs[d.0 as usize].progress = Progress::Done(flat, own.into());
            }
        }
        let def = &self.defs[d.0 as usize];
        let id = def.id;
        let Progress::Done(flat, _) = &def.progress else {
            return Err(self.recursive("", span, line));
        };
        match (flat.clone(), id) {
            (Flat::Scalar(_), Some(id)) => Ok(Flat::Scalar(self.mk(Node::Define(id), span, line))),
            (flat, _) => Ok(flat),
        }
    }

    fn parameter(&mut self, p: ParamId, span: Span, line: u32) -> Fallible<Flat> {
        let param = &mut self.params[p.0 as usize];
        match std::mem::replace(&mut param.progress, Progress::Busy) {
            Progress::Busy => {
                let name = self.scope.full_name(param.path);
                Err(self.recursive(&name, span, line))
            }
            Progress::Done(flat, complaints) => {
                self.complaints.extend(complaints.iter().cloned());
                param.progress = Progress::Done(flat.clone(), complaints);
                Ok(flat)
            }
            Progress::Todo => {
                let (actual, context) = (param.actual, param.context);
                let outer = std::mem::take(&mut self.complaints);
                let flat = self.flat(actual, context);
                let own = std::mem::replace(&mut self.complaints, outer);
                self.complaints.extend(own.iter().cloned());
                match flat {
                    // In a property an unknown name is a complaint, in a section it is fatal: what
                    // was flattened for a property with complaints is not kept.
                    Ok(flat) if !(self.in_property && !own.is_empty()) => {
                        let done = Progress::Done(flat.clone(), own.into());
                        self.params[p.0 as usize].progress = done;
                        Ok(flat)
                    }
                    other => {
                        self.params[p.0 as usize].progress = Progress::Todo;
                        other
                    }
                }
            }
        }
    }

    fn next_of(&mut self, a: &Flat, span: Span, line: u32) -> Flat {
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
    fn equation(&mut self, id: ast::ExprId, context: PathId) -> Fallible<Flat> {
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

    fn array_equal(&mut self, p: &FlatArray, q: &FlatArray, span: Span, line: u32) -> ExprId {
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
    fn ite(&mut self, c: ExprId, a: &Flat, b: &Flat, case: bool, span: Span, line: u32) -> Flat {
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

    fn case(&mut self, arms: &[CaseArm], context: PathId, span: Span, line: u32) -> Fallible<Flat> {
        let mut flat = Vec::with_capacity(arms.len());
        // NuSMV looks no further than the first arm that is ill-typed.
        let mut stop = None;
        for arm in arms {
            let c = self.scalar(arm.cond, context)?;
            let value = self.flat(arm.value, context)?;
            let broken = *self.type_of(c) == Type::Error
                || matches!(value, Flat::Scalar(e) if *self.type_of(e) == Type::Error)
                || !self.check_condition(c, span, arm.line);
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
                let kind = FailKind::CaseNotExhaustive;
                Flat::Scalar(self.mk(Node::Fail { kind, line }, span, line))
            }
        };
        for (c, value) in flat.iter().rev() {
            out = self.ite(*c, value, &out, true, span, line);
        }
        if let Some(stop) = stop {
            self.complaints.truncate(stop);
        }
        Ok(out)
    }

    /// Complains about a condition of `case` or `?:` that is not Boolean; whether it will do.
    fn check_condition(&mut self, c: ExprId, span: Span, line: u32) -> bool {
        let mut issues = Vec::new();
        let ok = rules::choice(self.type_of(c), self.options.old, &mut issues);
        self.complain_all(issues, span, line);
        ok
    }

    fn index(
        &mut self,
        id: ast::ExprId,
        base: ast::ExprId,
        index: ast::ExprId,
        context: PathId,
    ) -> Fallible<Flat> {
        let (span, line) = (self.ast.expr(id).span, self.ast.expr(id).line);
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

    fn range_bounds(&mut self, e: ast::ExprId, context: PathId) -> Option<(i64, i64)> {
        let ExprKind::Range(lo, hi) = self.ast.expr(e).kind else {
            return None;
        };
        Some((
            self.constant_int(lo, context)?,
            self.constant_int(hi, context)?,
        ))
    }

    /// A range too wide to be worth spelling out, as the right side of `in`.
    fn wide_range(&mut self, e: ast::ExprId, context: PathId) -> Option<(i64, i64)> {
        self.range_bounds(e, context)
            .filter(|(lo, hi)| hi - lo >= 1 << 12)
    }

    fn range(
        &mut self,
        id: ast::ExprId,
        lo: ast::ExprId,
        hi: ast::ExprId,
        context: PathId,
    ) -> Fallible<Flat> {
        let (span, line) = (self.ast.expr(id).span, self.ast.expr(id).line);
        let (lo, hi) = (
            self.constant_int(lo, context),
            self.constant_int(hi, context),
        );
        let (Some(lo), Some(hi)) = (lo, hi) else {
            let shown = smv_grammar::print::expr(self.ast, id);
            self.complain(id, format!("Expected constant expression in '{shown}'"));
            return Ok(Flat::Scalar(self.poison(span, line)));
        };
        if lo > hi || hi - lo >= MAX_RANGE {
            let what = if lo > hi {
                "empty range"
            } else {
                "range too large"
            };
            let text = format!("{what}: {lo}..{hi}");
            return Err(Box::new(Diagnostic::model(line, span, text)));
        }
        let value = crate::model::arith::set((lo..=hi).map(Value::Int).collect());
        Ok(Flat::Scalar(self.mk(Node::Const(value), span, line)))
    }

    /// Built-in functions.
    fn call(
        &mut self,
        id: ast::ExprId,
        func: Func,
        args: &[ast::ExprId],
        context: PathId,
    ) -> Fallible<Flat> {
        let (span, line) = (self.ast.expr(id).span, self.ast.expr(id).line);
        if matches!(func, Func::SwConst | Func::UwConst) {
            let value = self.word_constant(id, func, args, context)?;
            return Ok(Flat::Scalar(self.mk(Node::Const(value), span, line)));
        }
        let Some(&first) = args.first() else {
            return self.error(id, format!("{} needs an argument", func.text()));
        };
        let a = self.scalar(first, context)?;
        let ty = self.type_of(a).clone();
        let shown = |f: &Self| f.model.text(a);
        let node = match func {
            Func::Word1 => Node::Word1(a),
            Func::Signed => Node::Signed(a),
            Func::Unsigned => Node::Unsigned(a),
            Func::Bool => {
                let ok = matches!(ty, Type::Bool | Type::Int | Type::Word { width: 1, .. });
                if !ok && ty != Type::Error {
                    let text =
                        "Invalid boolean cast (Expected word1, boolean or integer expression): ";
                    let what = format!("{text}{}", shown(self));
                    return self.cast_error(id, "bool", &ty, what);
                }
                Node::Bool(a)
            }
            Func::ToInt => {
                let text = match ty {
                    Type::Bool | Type::Int | Type::Error => None,
                    Type::Word {
                        signed: true,
                        width,
                    } if width <= 32 => None,
                    Type::Word {
                        signed: false,
                        width,
                    } if width <= 31 => None,
                    Type::Word { .. } => Some(
                        "Invalid word to int cast. (Max word width is 32 for signed words, 31 for \
                         unsigned words): ",
                    ),
                    _ => Some(
                        "Invalid integer cast (Expected word, boolean or integer expression): ",
                    ),
                };
                if let Some(text) = text {
                    let what = format!("{text}{}", shown(self));
                    return self.cast_error(id, "toint", &ty, what);
                }
                Node::ToInt(a)
            }
            Func::SizeOf => match ty.width() {
                Some(width) => Node::Const(Value::Int(width.into())),
                None => {
                    let complaints = std::mem::take(&mut self.complaints);
                    self.report_complaints(complaints);
                    let text = "sizeof operator applied to a non-word operand: ";
                    return self.error(id, format!("{text}{}", shown(self)));
                }
            },
            Func::Extend | Func::Resize => {
                let n = args.get(1).and_then(|&n| self.constant_int(n, context));
                let Some(n) = n else {
                    let n = args.get(1).map_or(Ok(a), |&n| self.scalar(n, context))?;
                    let text = format!(
                        "{} expression with non constant size specifier: {}",
                        func.text(),
                        self.model.text(n)
                    );
                    return self.error(id, text);
                };
                let least = i64::from(func == Func::Resize);
                let total = n + ty
                    .width()
                    .filter(|_| func == Func::Extend)
                    .map_or(0, i64::from);
                if n < least || total > i64::from(crate::model::MAX_WORD_WIDTH) {
                    let op = func.text();
                    self.complain(
                        id,
                        format!("word width is out of range [1..64] ('{op}' operator)"),
                    );
                    return Ok(Flat::Scalar(self.poison(span, line)));
                }
                match func {
                    Func::Extend => Node::Extend {
                        word: a,
                        by: n as u32,
                    },
                    _ => Node::Resize {
                        word: a,
                        width: n as u32,
                    },
                }
            }
            Func::Count => {
                let mut all = vec![a];
                for &arg in &args[1..] {
                    all.push(self.scalar(arg, context)?);
                }
                for &arg in &all {
                    let ty = self.type_of(arg).clone();
                    let old = self.options.old && ty.is_enum_like();
                    if ty != Type::Bool && ty != Type::Error && !old {
                        if self.in_property {
                            let text = "illegal non-boolean expressions for \"count\" operator";
                            self.complain(id, text.to_owned());
                            return Ok(Flat::Scalar(self.poison(span, line)));
                        }
                        let text = "Expected boolean expressions in count operator: ";
                        return self.error(id, format!("{text}{}", self.model.text(arg)));
                    }
                }
                Node::Count(all)
            }
            _ => {
                let text = format!("{}: word arrays are not supported", func.text());
                return self.error(id, text);
            }
        };
        Ok(Flat::Scalar(self.mk(node, span, line)))
    }

    fn cast_error(&mut self, id: ast::ExprId, op: &str, ty: &Type, text: String) -> Fallible<Flat> {
        if self.in_property {
            self.complain(id, format!("illegal operand type of \"{op}\" : {ty}"));
            let (span, line) = (self.ast.expr(id).span, self.ast.expr(id).line);
            return Ok(Flat::Scalar(self.poison(span, line)));
        }
        self.error(id, text)
    }

    fn word_constant(
        &mut self,
        id: ast::ExprId,
        func: Func,
        args: &[ast::ExprId],
        context: PathId,
    ) -> Fallible<Value> {
        let int = |f: &mut Self, i: usize| args.get(i).and_then(|&a| f.constant_int(a, context));
        let Some(value) = int(self, 0) else {
            return self.error(
                id,
                "value specifier of swconst/uwconst operator is not an integer constant",
            );
        };
        let Some(width) = int(self, 1) else {
            let text = "width specifier of swconst/uwconst operator is not a constant";
            return self.error(id, text);
        };
        if width < 1 || width > i64::from(crate::model::MAX_WORD_WIDTH) {
            return self.error(id, "width specifier is out of range [0, 64]");
        }
        let signed = func == Func::SwConst;
        let half = num_bigint::BigInt::from(1) << (width - 1);
        let limit = if signed { half.clone() } else { &half * 2 };
        let big = num_bigint::BigInt::from(value);
        if big < -half || big >= limit {
            let text = "value specifier of swconst/uwconst operator is not representable with \
                        provided width";
            return self.error(id, text);
        }
        Ok(Value::Word(crate::model::arith::word(
            signed,
            width as u32,
            &big,
        )))
    }
}
