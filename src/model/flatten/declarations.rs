//! Declarations of variables: types unfolded, constants collected, single values made DEFINEs.

use super::scope::{PathId, ROOT, Symbol};
use super::{Body, Fallible, Flattener};
use crate::base::deep;
use crate::diag::{Diagnostic, Severity};
use crate::model::types::Type;
use crate::model::{MAX_WORD_WIDTH, Value, Var, VarId, VarType};
use smv_grammar::ast::{self, ExprKind, Site, TypeExpr, VarDecl, VarKind};
use smv_grammar::print;
use std::collections::HashSet;

/// Arrays with more elements are refused: each element is a variable, which no memory would hold.
const MAX_CELLS: i64 = 1 << 22;

/// What is known about a declaration while its type is unfolded.
struct Decl<'d> {
    name: String,
    decl: &'d VarDecl,
    context: PathId,
}

/// The line of a type, where NuSMV has one for it.
fn line_of_type(ty: &TypeExpr) -> Option<u32> {
    match ty {
        TypeExpr::Range { line, .. }
        | TypeExpr::Enum { line, .. }
        | TypeExpr::Word { line, .. }
        | TypeExpr::Instance { line, .. } => Some(*line),
        _ => None,
    }
}

impl<'a> Flattener<'a> {
    pub(super) fn declare_constant(&mut self, e: ast::ExprId) -> Fallible<Option<Value>> {
        let e = self.ast.expr(e);
        let error = |text: String| Err(Box::new(Diagnostic::expression(e.site(), text)));
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

    pub(super) fn declare_variable(&mut self, context: PathId, decl: &'a VarDecl) -> Fallible<()> {
        let path = self.declare(context, decl.name, decl.site())?;
        let d = Decl {
            name: self.scope.full_name(path),
            decl,
            context,
        };
        if context == ROOT
            && let Some(line) = self.is_own_value(decl.name, &decl.ty)
        {
            let text = format!("\"{}\" ambiguous", d.name);
            return Err(Box::new(Diagnostic::model(
                Site::new(decl.span, line),
                text,
            )));
        }
        let symbol = self.declare_type(&d, d.name.clone(), &decl.ty)?;
        self.scope.set_symbol(path, symbol);
        self.last_line = decl.line;
        let type_line = line_of_type(&decl.ty).unwrap_or(decl.line);
        let name_line = std::mem::replace(&mut self.type_line, type_line);
        if let Symbol::Var(v) = symbol {
            let line = if name_line == 0 { decl.line } else { name_line };
            self.name_lines.insert(v, line);
        }
        Ok(())
    }

    /// The line of the enumeration that has `name` as a value, if one in `ty` does.
    fn is_own_value(&self, name: ast::Name, ty: &TypeExpr) -> Option<u32> {
        match ty {
            TypeExpr::Array(_, _, cell) => deep(|| self.is_own_value(name, cell)),
            TypeExpr::Enum { values, line, .. } => values
                .iter()
                .any(|&v| self.ast.expr(v).kind == ExprKind::Ident(name))
                .then_some(*line),
            _ => None,
        }
    }

    fn declare_type(&mut self, d: &Decl<'_>, name: String, ty: &TypeExpr) -> Fallible<Symbol> {
        let line = line_of_type(ty).unwrap_or(d.decl.line);
        let fail = |text: String| {
            Err(Box::new(Diagnostic::model(
                Site::new(d.decl.span, line),
                text,
            )))
        };
        let ty = match ty {
            TypeExpr::Boolean => VarType::Bool,
            TypeExpr::Range { lo, hi, .. } => {
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
            TypeExpr::Enum { values, .. } => {
                VarType::Enum(self.enumeration(d, line, &name, values)?)
            }
            TypeExpr::Word { signed, width, .. } => {
                let Some(n) = self.constant_int(*width, d.context) else {
                    return fail(format!(
                        "the width of a word variable {name} is not a constant"
                    ));
                };
                self.word_type(d, line, &name, *signed, n)
            }
            TypeExpr::Array(lo, hi, cell) => {
                let bound = |f: &mut Self, e: ast::ExprId| {
                    f.constant_int(e, d.context).ok_or_else(|| {
                        let text = print::expr(f.ast, e);
                        let text = format!("Unexpected value at token '{text}'\n");
                        f.messages
                            .push(Diagnostic::bare(Severity::Error, text.trim_end()));
                        let text = "A number was expected but not found.";
                        let site = Site::new(d.decl.span, f.ast.expr(e).line);
                        Box::new(Diagnostic::expression(site, text))
                    })
                };
                let (lo, hi) = (bound(self, *lo)?, bound(self, *hi)?);
                if lo > hi {
                    return fail(format!("empty range type {lo}..{hi} for {name}"));
                }
                if hi - lo >= MAX_CELLS {
                    return fail(format!("array {name} has more than {MAX_CELLS} elements"));
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
        let site = d.decl.site();
        Ok(self.add_variable(d.context, d.decl.kind, name, ty, site))
    }

    fn word_type(
        &mut self,
        d: &Decl<'_>,
        line: u32,
        name: &str,
        signed: bool,
        width: i64,
    ) -> VarType {
        match u32::try_from(width) {
            Ok(width) if width > 0 && width <= MAX_WORD_WIDTH => VarType::Word { signed, width },
            _ => {
                let text = format!(
                    "in the declaration of '{name}' the Word width is not a positive number \
                     (from range [1..64])"
                );
                // NuSMV shows the line at which the number 0 first existed, which is 1.
                let line = if width == 0 { 1 } else { line };
                self.declaration_errors
                    .push(Diagnostic::type_error(Site::new(d.decl.span, line), text));
                VarType::Word { signed, width: 1 }
            }
        }
    }

    fn enumeration(
        &mut self,
        d: &Decl<'_>,
        line: u32,
        name: &str,
        values: &[ast::ExprId],
    ) -> Fallible<Vec<Value>> {
        let mut out: Vec<Value> = Vec::with_capacity(values.len());
        for &v in values {
            let value = match self.declare_constant(v)? {
                Some(value) => value,
                None => match self.constant(v, d.context) {
                    Some(Value::Int(i)) => Value::Int(i),
                    _ => {
                        let text = print::expr(self.ast, v);
                        let text = format!("Invalid enumerative value: {text}");
                        let d = Diagnostic::model(Site::new(d.decl.span, line), text);
                        return Err(Box::new(d));
                    }
                },
            };
            out.push(value);
        }
        let distinct: HashSet<&Value> = out.iter().collect();
        if distinct.len() < out.len() {
            let text = format!("duplicate constants in the enum type of variable '{name}'");
            let d = Diagnostic::type_error(Site::new(d.decl.span, line), text);
            self.declaration_errors.push(d);
        }
        Ok(out)
    }

    /// A variable, or a constant DEFINE if it has a single value.
    pub(super) fn add_variable(
        &mut self,
        context: PathId,
        kind: VarKind,
        name: String,
        ty: VarType,
        site: Site,
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
            return Symbol::Define(self.new_def(name, Body::Const(value, context), site));
        }
        let id = VarId(self.model.vars.len() as u32);
        debug_assert!(Type::of_var(&ty) != Type::Error);
        self.model.vars.push(Var { name, kind, ty });
        Symbol::Var(id)
    }
}
