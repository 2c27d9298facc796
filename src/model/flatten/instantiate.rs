//! Instances: one walk over the module bodies that declares everything.
//!
//! Order matters to traces, messages and numbering and is NuSMV's: of each instance first its
//! DEFINEs (section by section, each section backwards), then all else in source order, an
//! instance or ISA being entered where it is declared.

use super::scope::{ArrayDecl, ArrayId, ParamId, PathId, ROOT, Symbol};
use super::{Body, Def, DefId, Fallible, Flattener, Param, Pending, Progress, RawAssign};
use crate::base::deep;
use crate::diag::{Diagnostic, Frame, Severity};
use crate::model::types::Type;
use crate::model::{Value, Var, VarId, VarType};
use smv_grammar::ast::{self, ExprKind, Item, Span, TypeExpr, VarDecl, VarKind};
use smv_grammar::print;

/// What is known about a declaration while its type is unfolded.
struct Decl<'d> {
    name: String,
    decl: &'d VarDecl,
    context: PathId,
}

impl<'a> Flattener<'a> {
    pub(super) fn instantiate_main(&mut self, module: usize) -> Fallible<()> {
        let m = &self.ast.modules[module];
        if !m.params.is_empty() {
            return Err(main_with_parameters(m.line));
        }
        self.instantiate_body(ROOT, module, 0, &mut vec![module])
    }

    /// Declares the body of `module` at `path` for the given process.
    fn instantiate_body(
        &mut self,
        path: PathId,
        module: usize,
        process: usize,
        stack: &mut Vec<usize>,
    ) -> Fallible<()> {
        let items: &'a [Item] = &self.ast.modules[module].items;
        self.declare_defines(path, items)?;
        for item in items {
            match item {
                Item::Define { .. } => {}
                Item::Var(decl) => match &decl.ty {
                    TypeExpr::Instance {
                        process: own,
                        module,
                        args,
                        line,
                        span,
                    } => {
                        self.instance(
                            path,
                            process,
                            decl,
                            (*own, *module, args),
                            (*line, *span),
                            stack,
                        )?;
                    }
                    _ => self.declare_variable(path, decl)?,
                },
                Item::Constants(list) => {
                    for &c in list {
                        self.declare_constant(c)?;
                    }
                }
                Item::Isa(name, line) => {
                    self.model.has_isa = true;
                    let module = self.find_module(*name, *line, Span::default())?;
                    let m = &self.ast.modules[module];
                    if !m.params.is_empty() {
                        return Err(main_with_parameters(*line));
                    }
                    stack.push(module);
                    deep(|| self.instantiate_body(path, module, process, stack))?;
                    stack.pop();
                }
                _ => self.collect(path, process, item)?,
            }
        }
        Ok(())
    }

    /// Remembers a section that is flattened later.
    fn collect(&mut self, context: PathId, process: usize, item: &'a Item) -> Fallible<()> {
        let pending = |expr: ast::ExprId| Pending { context, expr };
        let s = &mut self.sections;
        match item {
            Item::Init(e, _) => s.init.push(pending(*e)),
            Item::Invar(e, _) => s.invar.push(pending(*e)),
            Item::Trans(e, _) => s.trans.push(pending(*e)),
            Item::Justice(e, _) => s.justice.push(pending(*e)),
            Item::Compassion(p, q, _) => s.compassion.push((pending(*p), pending(*q))),
            Item::Assign {
                kind,
                target,
                rhs,
                span,
                line,
            } => {
                let (kind, target, rhs) = (*kind, *target, *rhs);
                let (line, span) = (*line, *span);
                s.assigns.push(RawAssign {
                    process,
                    context,
                    kind,
                    target,
                    rhs,
                    line,
                    span,
                });
                self.last_line = line;
            }
            Item::Spec(spec) => {
                self.declare_property(context, spec)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn find_module(&self, name: ast::Name, line: u32, span: Span) -> Fallible<usize> {
        self.modules.get(&name).copied().ok_or_else(|| {
            let text = format!("\"{}\" undefined", self.ast.name(name));
            Box::new(Diagnostic::model(line, span, text))
        })
    }

    fn instance(
        &mut self,
        context: PathId,
        process: usize,
        decl: &'a VarDecl,
        (own_process, module, args): (bool, ast::Name, &'a [ast::ExprId]),
        (line, span): (u32, Span),
        stack: &mut Vec<usize>,
    ) -> Fallible<()> {
        let path = self.declare(context, decl.name, decl.line, decl.span)?;
        self.scope.set_symbol(path, Symbol::Instance);
        // Messages name the line at which the declaration begins.
        let line = line.min(decl.line);
        let index = self.find_module(module, line, span)?;
        let m = &self.ast.modules[index];
        if stack.contains(&index) {
            let text = format!(
                "module \"{}\" is recursively defined",
                self.ast.name(module)
            );
            return Err(Box::new(Diagnostic::model(line, span, text)));
        }
        if args.len() > m.params.len() {
            let text = "too many actual parameters";
            return Err(Box::new(Diagnostic::model(line, span, text)));
        }
        if args.len() < m.params.len() {
            let name = self.scope.full_name(path);
            let mut d = Diagnostic::model(line, span, "too few actual parameters");
            d.frame = Frame::Tail;
            let lead = Diagnostic::bare(Severity::Error, format!("While creating instance {name}"));
            self.messages.push(lead);
            return Err(Box::new(d));
        }
        for (&formal, &actual) in m.params.iter().zip(args) {
            let child = self.declare(path, formal, line, span)?;
            let id = ParamId(self.params.len() as u32);
            self.params.push(Param {
                path: child,
                actual,
                context,
                progress: Progress::Todo,
            });
            self.scope.set_symbol(child, Symbol::Param(id));
        }
        let process = if own_process {
            self.new_process(process, path)
        } else {
            process
        };
        self.last_line = line;
        stack.push(index);
        deep(|| self.instantiate_body(path, index, process, stack))?;
        stack.pop();
        Ok(())
    }

    /// Makes the path `context.name`; it must not denote anything yet.
    fn declare(
        &mut self,
        context: PathId,
        name: ast::Name,
        line: u32,
        span: Span,
    ) -> Fallible<PathId> {
        let segments = self.scope.segments(name);
        let last = segments.len() - 1;
        let mut path = context;
        for (i, &segment) in segments.iter().enumerate() {
            path = self.scope.make_child(path, segment);
            if let (true, Some(Symbol::Param(p))) = (i < last, self.scope.symbol(path)) {
                path = self.path_of_actual(p, 0).unwrap_or(path);
            }
        }
        let clash = match self.scope.symbol(path) {
            Some(Symbol::Param(_)) => {
                " (previously declared as parameter): ".to_owned() + &self.scope.full_name(path)
            }
            Some(_) => format!(": {}", self.scope.full_name(path)),
            None if self.scope.constant(name).is_some() => format!(": {}", self.scope.name(name)),
            None => return Ok(path),
        };
        let text = format!("multiple declaration of identifier{clash}");
        Err(Box::new(Diagnostic::model(line, span, text)))
    }

    /// The path an actual parameter names, made if it is declared only later: `above.x := e`
    /// defines `x` of the instance that `above` stands for.
    fn path_of_actual(&mut self, p: ParamId, depth: usize) -> Option<PathId> {
        let p = &self.params[p.0 as usize];
        let (actual, context) = (p.actual, p.context);
        (depth <= self.params.len()).then(|| self.path_of(actual, context, depth + 1))?
    }

    fn path_of(&mut self, e: ast::ExprId, context: PathId, depth: usize) -> Option<PathId> {
        let path = match &self.ast.expr(e).kind {
            ExprKind::SelfRef => return Some(context),
            ExprKind::Ident(n) => self.scope.make_child(context, *n),
            ExprKind::Dot(left, n) => {
                let left = deep(|| self.path_of(*left, context, depth))?;
                self.scope.make_child(left, *n)
            }
            ExprKind::Index(left, i) => {
                let left = deep(|| self.path_of(*left, context, depth))?;
                let i = self.constant_int(*i, context)?;
                let name = self.scope.intern(&format!("[{i}]"));
                self.scope.make_child(left, name)
            }
            _ => return None,
        };
        match self.scope.symbol(path) {
            Some(Symbol::Param(p)) => deep(|| self.path_of_actual(p, depth)),
            _ => Some(path),
        }
    }

    fn declare_defines(&mut self, path: PathId, items: &'a [Item]) -> Fallible<()> {
        let mut i = 0;
        while i < items.len() {
            let mut end = i;
            while matches!(items.get(end), Some(Item::Define { first, .. }) if end == i || !first) {
                end += 1;
            }
            for item in items[i..end].iter().rev() {
                if let Item::Define {
                    name,
                    body,
                    span,
                    line,
                    ..
                } = item
                {
                    let child = self.declare(path, *name, *line, *span)?;
                    let full = self.scope.full_name(child);
                    let symbol = self.declare_define(full, *body, path, *line, *span);
                    self.scope.set_symbol(child, symbol);
                    self.last_line = *line;
                }
            }
            i = end.max(i + 1);
        }
        Ok(())
    }

    /// A DEFINE, or the cells of an array DEFINE.
    fn declare_define(
        &mut self,
        name: String,
        body: ast::ExprId,
        context: PathId,
        line: u32,
        span: Span,
    ) -> Symbol {
        if let ExprKind::ArrayLit(cells) = &self.ast.expr(body).kind {
            let id = self.reserve_array(0);
            for (i, &cell) in cells.iter().enumerate() {
                let e = self.ast.expr(cell);
                let (line, span) = (e.line, e.span);
                let cell_name = format!("{name}[{i}]");
                let symbol = deep(|| self.declare_define(cell_name, cell, context, line, span));
                self.arrays[id.0 as usize].cells.push(symbol);
            }
            return Symbol::Array(id);
        }
        Symbol::Define(self.new_def(name, Body::Expr(body, context), line, span))
    }

    pub(super) fn new_def(&mut self, name: String, body: Body, line: u32, span: Span) -> DefId {
        let name_line = self.last_line;
        let (id, progress, constant) = (None, Progress::Todo, None);
        self.defs.push(Def {
            name,
            body,
            id,
            line,
            span,
            name_line,
            progress,
            constant,
        });
        DefId(self.defs.len() as u32 - 1)
    }

    fn reserve_array(&mut self, lo: i64) -> ArrayId {
        self.arrays.push(ArrayDecl {
            lo,
            cells: Vec::new(),
        });
        ArrayId(self.arrays.len() as u32 - 1)
    }

    fn declare_constant(&mut self, e: ast::ExprId) -> Fallible<Option<Value>> {
        let e = self.ast.expr(e);
        let error = |text: String| Err(Box::new(Diagnostic::expression(e.line, e.span, text)));
        match &e.kind {
            ExprKind::Ident(name) => {
                let text = self.ast.name(*name).to_owned();
                if text.contains('.') {
                    return error("unexpected \".\" in a costant name ".to_owned());
                }
                let sym = self.model.pool.symbol(&text);
                if self.scope.constant(*name).is_none() {
                    self.scope.add_constant(*name, sym);
                    self.model.constants.push(text);
                }
                Ok(Some(Value::Sym(sym)))
            }
            ExprKind::Dot(..) => error("unexpected \".\" in a costant name ".to_owned()),
            _ => Ok(None),
        }
    }

    fn declare_variable(&mut self, context: PathId, decl: &'a VarDecl) -> Fallible<()> {
        let path = self.declare(context, decl.name, decl.line, decl.span)?;
        let d = Decl {
            name: self.scope.full_name(path),
            decl,
            context,
        };
        let symbol = self.declare_type(&d, d.name.clone(), &decl.ty)?;
        self.scope.set_symbol(path, symbol);
        self.last_line = decl.line;
        Ok(())
    }

    fn declare_type(&mut self, d: &Decl<'_>, name: String, ty: &TypeExpr) -> Fallible<Symbol> {
        let fail = |text: String| Err(Box::new(Diagnostic::model(d.decl.line, d.decl.span, text)));
        let ty = match ty {
            TypeExpr::Boolean => VarType::Bool,
            TypeExpr::Range(lo, hi) => {
                let (a, b) = (
                    self.constant_int(*lo, d.context),
                    self.constant_int(*hi, d.context),
                );
                let (Some(a), Some(b)) = (a, b) else {
                    let (lo, hi) = (print::expr(self.ast, *lo), print::expr(self.ast, *hi));
                    return fail(format!("Invalid subrange: {lo} .. {hi}"));
                };
                if a > b {
                    return fail(format!("empty range type {a}..{b} for {name}"));
                }
                VarType::Range { lo: a, hi: b }
            }
            TypeExpr::Enum(values) => VarType::Enum(self.enumeration(d, &name, values)?),
            TypeExpr::Word { signed, width } => {
                let Some(n) = self.constant_int(*width, d.context) else {
                    return fail(format!(
                        "the width of a word variable {name} is not a constant"
                    ));
                };
                self.word_type(d, &name, *signed, n)
            }
            TypeExpr::Array(lo, hi, cell) => {
                let bound = |f: &mut Self, e: ast::ExprId| {
                    f.constant_int(e, d.context).ok_or_else(|| {
                        let text = print::expr(f.ast, e);
                        let text = format!("Unexpected value at token '{text}'\n");
                        f.messages
                            .push(Diagnostic::bare(Severity::Error, text.trim_end()));
                        let text = "A number was expected but not found.";
                        Box::new(Diagnostic::expression(d.decl.line, d.decl.span, text))
                    })
                };
                let (lo, hi) = (bound(self, *lo)?, bound(self, *hi)?);
                if lo > hi {
                    return fail(format!("empty range type {lo}..{hi} for {name}"));
                }
                let id = self.reserve_array(lo);
                for i in lo..=hi {
                    let symbol = deep(|| self.declare_type(d, format!("{name}[{i}]"), cell))?;
                    self.arrays[id.0 as usize].cells.push(symbol);
                }
                return Ok(Symbol::Array(id));
            }
            TypeExpr::WordArray { .. } => {
                self.infinite = true;
                VarType::Bool
            }
            TypeExpr::Instance { .. } => {
                return fail("array of modules is no supported".to_owned());
            }
        };
        Ok(self.add_variable(d.decl.kind, name, ty, d.decl.line, d.decl.span))
    }

    fn word_type(&mut self, d: &Decl<'_>, name: &str, signed: bool, width: i64) -> VarType {
        match u32::try_from(width) {
            Ok(width) if width > 0 && width <= crate::model::MAX_WORD_WIDTH => {
                VarType::Word { signed, width }
            }
            _ => {
                let text = format!(
                    "in the declaration of '{name}' the Word width is not a positive number \
                     (from range [1..64])"
                );
                // NuSMV shows the line at which the number 0 first existed, which is 1.
                let line = if width == 0 { 1 } else { d.decl.line };
                self.declaration_errors
                    .push(Diagnostic::type_error(line, d.decl.span, text));
                VarType::Word { signed, width: 1 }
            }
        }
    }

    fn enumeration(
        &mut self,
        d: &Decl<'_>,
        name: &str,
        values: &[ast::ExprId],
    ) -> Fallible<Vec<Value>> {
        let mut out: Vec<Value> = Vec::with_capacity(values.len());
        let mut duplicate = false;
        for &v in values {
            let value = match self.declare_constant(v)? {
                Some(value) => value,
                None => match self.constant(v, d.context) {
                    Some(Value::Int(i)) => Value::Int(i),
                    _ => {
                        let text = print::expr(self.ast, v);
                        let text = format!("Invalid enumerative value: {text}");
                        let d = Diagnostic::model(d.decl.line, d.decl.span, text);
                        return Err(Box::new(d));
                    }
                },
            };
            duplicate |= out.contains(&value);
            out.push(value);
        }
        if duplicate {
            let text = format!("duplicate constants in the enum type of variable '{name}'");
            let d = Diagnostic::type_error(d.decl.line, d.decl.span, text);
            self.declaration_errors.push(d);
        }
        Ok(out)
    }

    /// A variable, or a constant DEFINE if it has a single value.
    pub(super) fn add_variable(
        &mut self,
        kind: VarKind,
        name: String,
        ty: VarType,
        line: u32,
        span: Span,
    ) -> Symbol {
        let single = match &ty {
            VarType::Range { lo, hi } if lo == hi => Some(Value::Int(*lo)),
            VarType::Enum(values) if values.len() == 1 => Some(values[0].clone()),
            _ => None,
        };
        if let Some(value) = single.filter(|_| !self.options.keep_single_value_vars) {
            let text =
                format!("WARNING: single-value variable '{name}' has been stored as a constant");
            self.warn(text);
            return Symbol::Define(self.new_def(name, Body::Const(value), line, span));
        }
        let id = VarId(self.model.vars.len() as u32);
        debug_assert!(Type::of_var(&ty) != Type::Error);
        self.model.vars.push(Var {
            name,
            kind,
            ty,
            span,
            line,
        });
        Symbol::Var(id)
    }
}

fn main_with_parameters(line: u32) -> Box<Diagnostic> {
    let text = "module 'main' cannot have formal parameters";
    Box::new(Diagnostic::model(line, Span::default(), text))
}
