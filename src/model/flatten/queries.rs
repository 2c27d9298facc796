//! Queries: CTL formulas with placeholders, and the variables that these range over.

use super::names::Target;
use super::scope::{PathId, Symbol};
use super::{Body, Complaint, Fallible, Flat, Flattener};
use crate::diag::{Diagnostic, Severity};
use crate::model::{Node, Query, VarId, VarKind};
use smv_grammar::ast::{self, Spec, SpecKind};
use smv_grammar::print;

impl<'a> Flattener<'a> {
    /// Takes up a query; names must be unique among properties and queries.
    pub(super) fn declare_query(&mut self, context: PathId, spec: &'a Spec) -> Fallible<()> {
        self.declare_property_name(context, spec)?;
        self.sections.queries.push((context, spec));
        Ok(())
    }

    pub(super) fn flatten_queries(&mut self) -> Fallible<()> {
        for (outer, spec) in std::mem::take(&mut self.sections.queries) {
            let SpecKind::Query(e, text) = spec.kind else {
                continue;
            };
            let context = self.property_context(outer, spec);
            let text = self.ast.name(text).to_owned();
            (self.property_line, self.kind_line) = (spec.line, spec.line);
            self.placeholder = None;
            self.in_property = true;
            let formula = self.property(e, context, "QUERYSPEC");
            self.in_property = false;
            let formula = formula?;
            if let Some(within) = spec.context
                && self.scope.symbol(context) != Some(Symbol::Instance)
            {
                let name = print::expr(self.ast, within);
                self.complain_of_query(within, format!("there is no instance '{name}'"));
            }
            let over = self.placeholder.take();
            if over.is_none() && self.complaints.is_empty() {
                self.complain_of_query(e, "a query needs a placeholder: ? or ?{x, y}".to_owned());
            }
            let complaints = std::mem::take(&mut self.complaints);
            if self.report_complaints(complaints) {
                let text = format!("ERROR: Query \"{text}\" is not correct or not well typed.");
                return Err(Box::new(Diagnostic::bare(Severity::Error, text)));
            }
            self.forbid_next(formula, spec.line)?;
            if self.flags_of(formula).input {
                let text = format!("Query contains input variables: {text}");
                return Err(Box::new(Diagnostic::expression(spec.site(), text)));
            }
            let name = spec
                .name
                .map(|n| self.scope.qualified(outer, &print::expr(self.ast, n)));
            self.model.queries.push(Query {
                name,
                context: self.scope.full_name(context),
                formula,
                over: over.unwrap_or_default(),
                text,
                line: spec.line,
            });
        }
        Ok(())
    }

    fn complain_of_query(&mut self, e: ast::ExprId, text: String) {
        self.complaints.push(Complaint {
            warning: false,
            site: self.ast.site(e),
            text,
        });
    }

    /// A placeholder of the query at hand: all of one query range over the same variables.
    pub(super) fn placeholder(
        &mut self,
        e: ast::ExprId,
        names: &[ast::ExprId],
        context: PathId,
    ) -> Fallible<()> {
        let mut over = Vec::new();
        if names.is_empty() {
            let all = (0..self.model.vars.len() as u32).map(VarId);
            over.extend(all.filter(|&v| self.model.var(v).kind != VarKind::Input));
        }
        for &name in names {
            self.placeholder_name(name, context, &mut over)?;
        }
        over.sort();
        over.dedup();
        match &self.placeholder {
            Some(other) if *other != over => {
                let text = "all placeholders of a query must be of one kind".to_owned();
                self.complain_of_query(e, text);
            }
            _ => self.placeholder = Some(over),
        }
        Ok(())
    }

    /// The variables of a name: a variable, another name of one, an array, or an instance with all
    /// its variables.
    fn placeholder_name(
        &mut self,
        name: ast::ExprId,
        context: PathId,
        over: &mut Vec<VarId>,
    ) -> Fallible<()> {
        match self.resolve(name, context, 0) {
            Some(Target::Symbol(Symbol::Instance, path) | Target::Path(path)) => {
                let prefix = self.scope.qualified(path, "");
                let before = over.len();
                let all = (0..self.model.vars.len() as u32).map(VarId);
                over.extend(all.filter(|&v| {
                    let var = self.model.var(v);
                    var.kind != VarKind::Input && var.name.starts_with(&prefix)
                }));
                if over.len() == before {
                    let text = "has no variables, so that a placeholder cannot range over it";
                    self.complain_of_query(
                        name,
                        format!("'{}' {text}", print::expr(self.ast, name)),
                    );
                }
                Ok(())
            }
            // A variable that can have one value only has become a constant.
            Some(Target::Symbol(Symbol::Define(d), _) | Target::Cell(Symbol::Define(d)))
                if matches!(self.defs[d.0 as usize].body, Body::Const(..)) =>
            {
                Ok(())
            }
            _ => {
                let known = self.complaints.len();
                let flat = self.flat(name, context)?;
                if self.complaints.len() == known {
                    self.placeholder_cells(name, &flat, over);
                }
                Ok(())
            }
        }
    }

    fn placeholder_cells(&mut self, name: ast::ExprId, flat: &Flat, over: &mut Vec<VarId>) {
        let mut todo = vec![flat.clone()];
        while let Some(flat) = todo.pop() {
            let e = match flat {
                Flat::Array(array) => {
                    todo.extend(array.cells.iter().cloned());
                    continue;
                }
                Flat::Scalar(e) => e,
            };
            let what = match *self.model.pool.node(self.model.meant(e)) {
                Node::Var(v) if self.model.var(v).kind != VarKind::Input => {
                    over.push(v);
                    continue;
                }
                Node::Var(_) => "is an input variable",
                _ => "is no variable",
            };
            let text = print::expr(self.ast, name);
            self.complain_of_query(
                name,
                format!("'{text}' {what}, so that a placeholder cannot range over it"),
            );
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::model::testing::{errors, flat};
    use crate::model::{Query, VarId};

    #[test]
    fn names_in_placeholders() {
        let body = |names: &str| {
            format!(
                "MODULE m(y) VAR z : boolean; t : {{only}}; QUERYSPEC EF ?{{y}}
                 MODULE main VAR x : boolean; n : m(x); IVAR i : boolean;
                 DEFINE d := x; e := !x; QUERYSPEC EF ?{{{names}}}"
            )
        };
        let over = |names: &str| {
            let model = flat(&body(names));
            let names = |q: &Query| {
                let name = |&v: &VarId| model.var(v).name.as_str();
                q.over.iter().map(name).collect::<Vec<_>>().join(" ")
            };
            model
                .queries
                .iter()
                .map(names)
                .collect::<Vec<_>>()
                .join("; ")
        };
        assert_eq!(over("n.z, x"), "x; x n.z");
        assert_eq!(over("n, d, n.t"), "x; x n.z");
        for (names, complaint) in [
            ("i", "is an input variable"),
            ("e", "is no variable"),
            ("zz", "undefined identifier 'zz'"),
        ] {
            let found = errors(&body(names));
            assert!(found.contains(complaint), "{names}: {found}");
        }
        for (query, complaint) in [
            ("EF x", "needs a placeholder"),
            ("EF ?{x} & ?{n.z}", "of one kind"),
            ("EF (x & ?) & i", "input variables"),
            ("EF ?{z} IN k", "undefined"),
            ("EF ? IN k", "no instance 'k'"),
        ] {
            let found = errors(&(body("x") + " QUERYSPEC " + query));
            assert!(found.contains(complaint), "{query}: {found}");
        }
    }
}
