//! Names: what they denote, and the values of definitions and parameters.
//!
//! A definition or parameter is flattened at its first use and remembered; one met again meanwhile
//! is defined by itself.

use super::ahead::DEEP;
use super::scope::{ArrayId, DefId, ParamId, PathId, Symbol};
use super::{Body, Fallible, Flat, FlatArray, Flattener, Progress};
use crate::base::deep;
use crate::diag::Diagnostic;
use crate::model::{Node, SymId, Value};
use smv_grammar::ast::{self, ExprKind, Site};
use smv_grammar::ops::UnOp;
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

impl Flattener<'_> {
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
    pub(super) fn resolve_prefix(
        &mut self,
        e: ast::ExprId,
        context: PathId,
        depth: usize,
    ) -> Option<Target> {
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
    pub(super) fn rank(&mut self, e: ast::ExprId, context: PathId, depth: usize) -> usize {
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

    pub(super) fn symbol_rank(&mut self, s: Symbol, depth: usize) -> usize {
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
    pub(super) fn name_text(&mut self, e: ast::ExprId, context: PathId) -> String {
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

    pub(super) fn undefined(&mut self, e: ast::ExprId, context: PathId) -> Fallible<Flat> {
        let name = self.name_text(e, context);
        if self.in_property {
            self.complain(e, format!("undefined identifier '{name}'"));
            if let Some(c) = self.complaints.last_mut() {
                c.site.line = self.kind_line;
            }
            return self.no_value(e);
        }
        self.error(e, format!("\"{name}\" undefined"))
    }

    /// An instance has no value. Where a parameter stands for it, that is said of the actual one.
    fn instance_as_value(
        &mut self,
        id: ast::ExprId,
        context: PathId,
        path: PathId,
    ) -> Fallible<Flat> {
        if let ExprKind::Ident(n) = &self.ast.expr(id).kind
            && let Some(own) = self.scope.child(context, *n)
            && let Some(Symbol::Param(p)) = self.scope.symbol(own)
        {
            let p = &self.params[p.0 as usize];
            let (actual, outer) = (p.actual, p.context);
            if self.ast.expr(actual).kind != ExprKind::SelfRef {
                return deep(|| self.name(actual, outer));
            }
        }
        let known = self.complaints.len();
        let flat = self.undefined(id, context)?;
        if let (Some(&line), Some(c)) = (
            self.instance_lines.get(&path),
            self.complaints.get_mut(known),
        ) {
            c.site.line = line;
        }
        Ok(flat)
    }

    pub(super) fn name(&mut self, id: ast::ExprId, context: PathId) -> Fallible<Flat> {
        let e = self.ast.expr(id);
        let site = e.site();
        let target = self.resolve(id, context, 0);
        self.refuse_ambiguous(id, context, &target)?;
        match target {
            Some(Target::Symbol(Symbol::Instance, path))
                if !matches!(e.kind, ExprKind::SelfRef) && self.is_process(path) =>
            {
                let sym = self.scope.full_name(path);
                let value = Value::Sym(self.model.pool.symbol(&sym));
                Ok(Flat::Scalar(self.mk(Node::Const(value), site)))
            }
            Some(Target::Symbol(Symbol::Instance, path)) => {
                self.instance_as_value(id, context, path)
            }
            Some(Target::Path(_)) | None => self.undefined(id, context),
            Some(Target::Symbol(s, _) | Target::Cell(s)) => self.symbol(s, site),
            Some(Target::Constant(c)) => {
                Ok(Flat::Scalar(self.mk(Node::Const(Value::Sym(c)), site)))
            }
            Some(Target::Actual(p)) => self.parameter(p, site),
        }
    }

    /// A name of a variable, definition or parameter that is a constant's too means nothing.
    pub(super) fn refuse_ambiguous(
        &self,
        id: ast::ExprId,
        context: PathId,
        target: &Option<Target>,
    ) -> Fallible<()> {
        let e = self.ast.expr(id);
        let (ExprKind::Ident(last) | ExprKind::Dot(_, last)) = &e.kind else {
            return Ok(());
        };
        let thing = match target {
            Some(Target::Symbol(s, _)) => *s != Symbol::Instance,
            Some(Target::Actual(_) | Target::Cell(_)) => true,
            _ => false,
        };
        if thing && self.scope.constant(*last).is_some() {
            let name = smv_grammar::print::expr(self.ast, id);
            return Err(self.ambiguous(&name, context, e.site()));
        }
        Ok(())
    }

    /// The only value of a variable must not be the name of something else beside it.
    fn refuse_ambiguous_value(&mut self, v: &Value, context: PathId, site: Site) -> Fallible<()> {
        let Value::Sym(sym) = v else {
            return Ok(());
        };
        let name = self.model.pool.symbol_name(*sym).to_owned();
        let interned = self.scope.intern(&name);
        let other = self.scope.child(context, interned);
        match other.and_then(|path| self.scope.symbol(path)) {
            None | Some(Symbol::Instance) => Ok(()),
            Some(_) => Err(self.ambiguous(&name, context, site)),
        }
    }

    pub(super) fn ambiguous(&self, name: &str, context: PathId, site: Site) -> Box<Diagnostic> {
        let within = self.scope.full_name(context);
        let text = format!("Symbol \"{name}\" is ambiguous in \"{within}\"");
        Box::new(Diagnostic::expression(site, text))
    }

    pub(super) fn symbol(&mut self, s: Symbol, site: Site) -> Fallible<Flat> {
        match s {
            Symbol::Var(v) => Ok(Flat::Scalar(self.mk(Node::Var(v), site))),
            Symbol::Define(d) => self.define(d, site),
            Symbol::Array(a) => self.array(a, site),
            Symbol::Param(p) => self.parameter(p, site),
            Symbol::Instance => Ok(Flat::Scalar(self.poison(site))),
        }
    }

    pub(super) fn array(&mut self, a: ArrayId, site: Site) -> Fallible<Flat> {
        let decl = self.arrays[a.0 as usize].clone();
        let cells = decl.cells.iter().map(|&c| self.symbol(c, site));
        let cells = cells.collect::<Fallible<Vec<_>>>()?;
        Ok(Flat::Array(Rc::new(FlatArray { lo: decl.lo, cells })))
    }

    pub(super) fn recursive(&self, name: &str, site: Site) -> Box<Diagnostic> {
        let text = format!("recursively defined: {name}");
        let make = if self.in_property {
            Diagnostic::model
        } else {
            Diagnostic::expression
        };
        Box::new(make(site, text))
    }

    /// A use of a definition; its body is flattened at the first.
    pub(super) fn define(&mut self, d: DefId, site: Site) -> Fallible<Flat> {
        self.settle(d, site)?;
        let def = &self.defs[d.0 as usize];
        let id = def.id;
        let Progress::Done(flat, _) = &def.progress else {
            return Err(self.recursive("", site));
        };
        match (flat.clone(), id) {
            (Flat::Scalar(_), Some(id)) => Ok(Flat::Scalar(self.mk(Node::Define(id), site))),
            (flat, _) => Ok(flat),
        }
    }

    /// Flattens the body of a definition that has not been used so far; the complaints are its own
    /// and the user's.
    pub(super) fn settle(&mut self, d: DefId, site: Site) -> Fallible<()> {
        let def = &mut self.defs[d.0 as usize];
        match std::mem::replace(&mut def.progress, Progress::Busy) {
            Progress::Busy => {
                let name = def.name.clone();
                return Err(self.recursive(&name, site));
            }
            Progress::Done(flat, complaints) => {
                self.complaints.extend(complaints.iter().cloned());
                def.progress = Progress::Done(flat, complaints);
            }
            Progress::Todo => {
                let (body, at) = (def.body.clone(), def.site);
                let outer = std::mem::take(&mut self.complaints);
                let in_property = std::mem::replace(&mut self.in_property, false);
                self.nesting += 1;
                let flat = match body {
                    Body::Expr(e, context) => {
                        if self.nesting > DEEP && !self.wrong_ahead {
                            self.flatten_ahead(e, context);
                        }
                        self.flat(e, context)
                    }
                    Body::Const(v, context) => self
                        .refuse_ambiguous_value(&v, context, at)
                        .map(|()| Flat::Scalar(self.mk(Node::Const(v), at))),
                    Body::Running(name) => Ok(Flat::Scalar(self.running(&name))),
                };
                self.nesting -= 1;
                self.in_property = in_property;
                let own = std::mem::replace(&mut self.complaints, outer);
                let def = &mut self.defs[d.0 as usize];
                let flat = flat.map_err(|mut err| {
                    def.progress = Progress::Todo;
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
        Ok(())
    }

    pub(super) fn parameter(&mut self, p: ParamId, site: Site) -> Fallible<Flat> {
        let param = &mut self.params[p.0 as usize];
        match std::mem::replace(&mut param.progress, Progress::Busy) {
            Progress::Busy => {
                let name = self.scope.full_name(param.path);
                Err(self.recursive(&name, site))
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
                    Ok(flat) if !self.in_property || own.is_empty() => {
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
}
