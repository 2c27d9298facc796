//! Instances: one walk over the module bodies that declares everything.
//!
//! Order matters to traces, messages and numbering and is NuSMV's: of each instance first its
//! DEFINEs (section by section, each section backwards), then all else in source order, an
//! instance or ISA being entered where it is declared.

use super::scope::{ArrayDecl, ArrayId, ParamId, PathId, ROOT, Symbol};
use super::{Body, Def, DefId, Fallible, Flattener, Param, Pending, Progress, RawAssign};
use crate::base::deep;
use crate::diag::{Diagnostic, Frame, Severity};
use smv_grammar::ast::{self, ExprKind, Item, Site, TypeExpr, VarDecl};

impl<'a> Flattener<'a> {
    pub(super) fn instantiate_main(&mut self, module: usize) -> Fallible<()> {
        let m = &self.ast.modules[module];
        if !m.params.is_empty() {
            return Err(main_with_parameters(0));
        }
        self.instantiate_body(ROOT, module, 0, &mut vec![module])
    }

    /// Declares the body of `module` at `path` for the given process.
    pub(super) fn instantiate_body(
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
                            Site::new(*span, *line),
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
                    let site = Site::of_line(*line);
                    let module = self.find_module(*name, site)?;
                    let m = &self.ast.modules[module];
                    self.refuse_recursion(module, stack, site)?;
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
    pub(super) fn collect(
        &mut self,
        context: PathId,
        process: usize,
        item: &'a Item,
    ) -> Fallible<()> {
        let pending = |expr: &ast::ExprId, line: &u32| Pending {
            context,
            expr: *expr,
            line: *line,
        };
        let s = &mut self.sections;
        match item {
            Item::Init(e, line) => s.init.push(pending(e, line)),
            Item::Invar(e, line) => s.invar.push(pending(e, line)),
            Item::Trans(e, line) => s.trans.push(pending(e, line)),
            Item::Justice(e, line) => s.justice.push(pending(e, line)),
            Item::Compassion(p, q, line) => {
                s.compassion.push((pending(p, line), pending(q, line)));
            }
            Item::Assign {
                kind,
                target,
                rhs,
                span,
                line,
            } => {
                s.assigns.push(RawAssign {
                    process,
                    context,
                    kind: *kind,
                    target: *target,
                    rhs: *rhs,
                    site: Site::new(*span, *line),
                });
                self.last_line = *line;
            }
            Item::Spec(spec) if matches!(spec.kind, ast::SpecKind::Query(..)) => {
                self.declare_query(context, spec)?;
            }
            Item::Spec(spec) => {
                self.declare_property(context, spec)?;
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn find_module(&self, name: ast::Name, site: Site) -> Fallible<usize> {
        self.modules.get(&name).copied().ok_or_else(|| {
            let text = format!("\"{}\" undefined", self.ast.name(name));
            Box::new(Diagnostic::model(site, text))
        })
    }

    fn refuse_recursion(&self, module: usize, stack: &[usize], site: Site) -> Fallible<()> {
        if !stack.contains(&module) {
            return Ok(());
        }
        let name = self.ast.name(self.ast.modules[module].name);
        let text = format!("module \"{name}\" is recursively defined");
        Err(Box::new(Diagnostic::model(site, text)))
    }

    pub(super) fn instance(
        &mut self,
        context: PathId,
        process: usize,
        decl: &'a VarDecl,
        (own_process, module, args): (bool, ast::Name, &'a [ast::ExprId]),
        site: Site,
        stack: &mut Vec<usize>,
    ) -> Fallible<()> {
        let path = self.declare(context, decl.name, decl.site())?;
        self.scope.set_symbol(path, Symbol::Instance);
        let before = std::mem::replace(&mut self.type_line, site.line);
        let shown = if before == 0 { decl.line } else { before };
        self.instance_lines.insert(path, shown);
        let index = self.find_module(module, site)?;
        let m = &self.ast.modules[index];
        self.refuse_recursion(index, stack, site)?;
        if args.len() > m.params.len() {
            let text = "too many actual parameters";
            return Err(Box::new(Diagnostic::model(site, text)));
        }
        if args.len() < m.params.len() {
            let name = self.scope.full_name(path);
            let mut d = Diagnostic::model(site, "too few actual parameters");
            d.frame = Frame::Tail;
            let lead = Diagnostic::bare(Severity::Error, format!("While creating instance {name}"));
            self.messages.push(lead);
            return Err(Box::new(d));
        }
        for (&formal, &actual) in m.params.iter().zip(args) {
            let child = self.declare_parameter(path, formal, site)?;
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
        self.last_line = site.line;
        stack.push(index);
        deep(|| self.instantiate_body(path, index, process, stack))?;
        stack.pop();
        Ok(())
    }

    /// A parameter may have the name of a constant, but then it cannot be used.
    fn declare_parameter(
        &mut self,
        instance: PathId,
        name: ast::Name,
        site: Site,
    ) -> Fallible<PathId> {
        let path = self.scope.make_child(instance, name);
        if self.scope.symbol(path).is_some() {
            let full = self.scope.full_name(path);
            let text = format!("multiple declaration of identifier: {full}");
            return Err(Box::new(Diagnostic::model(site, text)));
        }
        Ok(path)
    }

    /// Makes the path `context.name`; it must not denote anything yet.
    pub(super) fn declare(
        &mut self,
        context: PathId,
        name: ast::Name,
        site: Site,
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
        Err(Box::new(Diagnostic::model(site, text)))
    }

    /// The path an actual parameter names, made if it is declared only later: `above.x := e`
    /// defines `x` of the instance that `above` stands for.
    pub(super) fn path_of_actual(&mut self, p: ParamId, depth: usize) -> Option<PathId> {
        let p = &self.params[p.0 as usize];
        let (actual, context) = (p.actual, p.context);
        (depth <= self.params.len()).then(|| self.path_of(actual, context, depth + 1))?
    }

    pub(super) fn path_of(
        &mut self,
        e: ast::ExprId,
        context: PathId,
        depth: usize,
    ) -> Option<PathId> {
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

    pub(super) fn declare_defines(&mut self, path: PathId, items: &'a [Item]) -> Fallible<()> {
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
                    let site = Site::new(*span, *line);
                    let child = self.declare(path, *name, site)?;
                    let full = self.scope.full_name(child);
                    let symbol = self.declare_define(full, *body, path, site);
                    self.scope.set_symbol(child, symbol);
                    self.last_line = *line;
                }
            }
            i = end.max(i + 1);
        }
        Ok(())
    }

    /// A DEFINE, or the cells of an array DEFINE.
    pub(super) fn declare_define(
        &mut self,
        name: String,
        body: ast::ExprId,
        context: PathId,
        site: Site,
    ) -> Symbol {
        if let ExprKind::ArrayLit(cells) = &self.ast.expr(body).kind {
            let id = self.reserve_array(0);
            self.last_line = site.line;
            for (i, &cell) in cells.iter().enumerate() {
                let site = self.ast.site(cell);
                let cell_name = format!("{name}[{i}]");
                let symbol = deep(|| self.declare_define(cell_name, cell, context, site));
                self.arrays[id.0 as usize].cells.push(symbol);
            }
            return Symbol::Array(id);
        }
        Symbol::Define(self.new_def(name, Body::Expr(body, context), site))
    }

    pub(super) fn new_def(&mut self, name: String, body: Body, site: Site) -> DefId {
        let name_line = self.last_line;
        let (id, progress, constant) = (None, Progress::Todo, None);
        self.defs.push(Def {
            name,
            body,
            id,
            site,
            name_line,
            progress,
            constant,
        });
        DefId(self.defs.len() as u32 - 1)
    }

    pub(super) fn reserve_array(&mut self, lo: i64) -> ArrayId {
        self.arrays.push(ArrayDecl {
            lo,
            cells: Vec::new(),
        });
        ArrayId(self.arrays.len() as u32 - 1)
    }
}

fn main_with_parameters(line: u32) -> Box<Diagnostic> {
    let text = "module 'main' cannot have formal parameters";
    Box::new(Diagnostic::model(Site::of_line(line), text))
}
