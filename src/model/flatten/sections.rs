//! Constraints, assignments and DEFINEs: flattening and the checks on them, in NuSMV's order.

use super::cells::array_of;
use super::scope::{DefId, ROOT, Symbol};
use super::{Complaint, Fallible, Flat, Flattener, Pending, Progress, RawAssign};
use crate::base::deep;
use crate::diag::{Diagnostic, Frame};
use crate::model::dependencies::assignments::{self, ProcessAssign};
use crate::model::types::{Type, rules};
use crate::model::{Assign, Constraint, ExprId, Node, VarKind};
use smv_grammar::ast::{self, AssignKind, ExprKind, Site};
use smv_grammar::ops::BinOp;
use smv_grammar::print;
use std::rc::Rc;

/// Complaints per kind of section, in the order in which NuSMV reports them.
#[derive(Default)]
struct Reports {
    init: Vec<Complaint>,
    trans: Vec<Complaint>,
    invar: Vec<Complaint>,
    assign: Vec<Complaint>,
    justice: Vec<Complaint>,
    compassion: Vec<Complaint>,
}

/// Outside of sections NuSMV says of an ambiguous name only that, at the line `line` (0 for none).
pub(super) fn ambiguous_alone(err: &mut Diagnostic, line: u32) -> bool {
    let Some((name, _)) = err
        .text
        .strip_prefix("Symbol \"")
        .and_then(|rest| rest.split_once("\" is ambiguous in "))
    else {
        return false;
    };
    let text = format!("\"{name}\" ambiguous");
    let site = Site::new(err.span.unwrap_or_default(), line);
    *err = Diagnostic::model(site, text);
    true
}

impl Flattener<'_> {
    pub(super) fn flatten_sections(&mut self) -> Fallible<()> {
        let s = std::mem::take(&mut self.sections);
        let mut r = Reports::default();
        self.model.init = self.conditions(&s.init, "INIT", &mut r.init)?;
        self.model.trans = self.conditions(&s.trans, "TRANS", &mut r.trans)?;
        self.model.invar = self.conditions(&s.invar, "INVAR", &mut r.invar)?;
        self.model.justice = self.conditions(&s.justice, "JUSTICE", &mut r.justice)?;
        for &(p, q) in &s.compassion {
            let p = self.condition(p, "COMPASSION", &mut r.compassion)?;
            let q = self.condition(q, "COMPASSION", &mut r.compassion)?;
            self.model.compassion.push((p, q));
        }
        let mut assigns = Vec::with_capacity(s.assigns.len());
        for a in &s.assigns {
            assigns.push(self.assignment(a, &mut r.assign)?);
        }
        self.assign_line = assigns.last().map_or(0, |a| a.site.line);
        assignments::check_repeated(&self.model, &assigns)?;
        self.check_next()?;
        self.sections.specs = s.specs;
        self.sections.queries = s.queries;
        self.forbid_circular_arrays()?;
        self.flatten_defines()?;
        self.check_property_next()?;
        self.check_types(r)?;
        self.check_inputs(&assigns)?;
        assignments::check_targets(&self.model, &assigns)?;
        // What the option lets pass still has a meaning: assignments are constraints.
        if !self.options.disable_syntactic_checks {
            assignments::check_circular(&self.model, &self.define_lines(), &assigns)?;
            assignments::check_mixed(&self.model, &assigns)?;
        }
        self.add_assigns(&assigns);
        Ok(())
    }

    fn conditions(
        &mut self,
        list: &[Pending],
        what: &str,
        report: &mut Vec<Complaint>,
    ) -> Fallible<Vec<Constraint>> {
        list.iter()
            .map(|&p| self.condition(p, what, report))
            .collect()
    }

    /// A Boolean section; its conjuncts are judged one by one.
    fn condition(
        &mut self,
        p: Pending,
        what: &str,
        report: &mut Vec<Complaint>,
    ) -> Fallible<Constraint> {
        let expr = self.conjunction(p.expr, p, what, p.line)?;
        report.append(&mut self.complaints);
        Ok(Constraint {
            expr,
            line: self.ast.expr(p.expr).line,
        })
    }

    /// `above` is the line of the `&` or of the keyword that `e` belongs to.
    fn conjunction(
        &mut self,
        e: ast::ExprId,
        p: Pending,
        what: &str,
        above: u32,
    ) -> Fallible<ExprId> {
        let site = self.ast.site(e);
        if let ExprKind::Binary(BinOp::And, a, b) = self.ast.expr(e).kind {
            let a = deep(|| self.conjunction(a, p, what, site.line))?;
            let b = deep(|| self.conjunction(b, p, what, site.line))?;
            let known = self.complaints.len();
            let both = self.mk(Node::Binary(BinOp::And, a, b), site);
            self.complaints.truncate(known);
            return Ok(both);
        }
        let flat = self.scalar(e, p.context)?;
        let site = Site {
            line: above,
            ..site
        };
        self.demand_boolean(flat, what, site);
        Ok(flat)
    }

    /// Complains unless `e` is Boolean.
    pub(super) fn demand_boolean(&mut self, e: ExprId, what: &str, site: Site) {
        let mut issues = Vec::new();
        rules::condition(what, self.type_of(e), self.options.old, &mut issues);
        self.complain_all(issues, site);
    }

    pub(super) fn complain_all(&mut self, issues: Vec<rules::Issue>, site: Site) {
        for rules::Issue { warning, text } in issues {
            self.complaints.push(Complaint {
                warning,
                site,
                text,
            });
        }
    }

    fn assignment(
        &mut self,
        a: &RawAssign,
        report: &mut Vec<Complaint>,
    ) -> Fallible<ProcessAssign> {
        let var = match self.target(a)? {
            Some(var) => var,
            None => {
                let target = print::expr(self.ast, a.target);
                let rhs = print::expr(self.ast, a.rhs);
                let shown = match a.kind {
                    AssignKind::Current => format!("{target} := {rhs}"),
                    AssignKind::Init => format!("init({target}) := {rhs}"),
                    AssignKind::Next => format!("next({target}) := {rhs}"),
                };
                let text =
                    format!("A variable is expected in left-hand-side of assignment:\n{shown}");
                return Err(Box::new(Diagnostic::expression(a.site, text)));
            }
        };
        let rhs = self.scalar(a.rhs, a.context)?;
        let var_type = Type::of_var(&self.model.var(var).ty);
        let mut issues = Vec::new();
        rules::assignment(&var_type, self.type_of(rhs), self.options.old, &mut issues);
        self.complain_all(issues, a.site);
        report.append(&mut self.complaints);
        let value_line = match self.ast.expr(a.rhs) {
            e if e.kind.is_operand() => match self.model.pool.node(rhs) {
                Node::Var(v) => self.name_lines.get(v).copied().unwrap_or(0),
                _ => 0,
            },
            e => e.line,
        };
        Ok(ProcessAssign {
            process: a.process,
            kind: a.kind,
            var,
            rhs,
            site: a.site,
            value_line,
        })
    }

    /// The variable an assignment is to, or `None` if its left side is no variable.
    fn target(&mut self, a: &RawAssign) -> Fallible<Option<crate::model::VarId>> {
        use super::names::Target;
        let fail = |text: &str| Err(Box::new(Diagnostic::expression(a.site, text)));
        let target = self.resolve(a.target, a.context, 0);
        self.refuse_ambiguous(a.target, a.context, &target)?;
        match target {
            Some(Target::Symbol(Symbol::Var(v), _) | Target::Cell(Symbol::Var(v))) => Ok(Some(v)),
            Some(Target::Symbol(Symbol::Array(_), _) | Target::Cell(Symbol::Array(_))) => {
                fail("left hand side of index sub-scripting is not an array")
            }
            Some(
                Target::Symbol(Symbol::Define(_), _) | Target::Constant(_) | Target::Actual(_),
            ) => Ok(None),
            Some(Target::Cell(_)) => Ok(None),
            _ => {
                if let ExprKind::Index(_, index) = self.ast.expr(a.target).kind
                    && self.constant_int(index, a.context).is_none()
                {
                    return fail(
                        "Expressions not allowed in array subscripts on left hand side of \
                             assignments",
                    );
                }
                // Finds out what is wrong: an unknown name or an index out of bounds.
                self.scalar(a.target, a.context).map(|_| None)
            }
        }
    }

    /// `next` where it may not be. NuSMV looks at all INITs together and names the last line.
    fn check_next(&self) -> Fallible<()> {
        let last = |list: &[Constraint]| list.last().map_or(0, |c| c.line);
        for list in [&self.model.init, &self.model.invar] {
            for c in list {
                self.forbid_next(c.expr, last(list))?;
            }
        }
        for c in &self.model.trans {
            self.forbid_nested_next(c.expr, last(&self.model.trans))?;
        }
        let pairs = self.model.compassion.iter().flat_map(|(p, q)| [p, q]);
        for c in self.model.justice.iter().chain(pairs) {
            self.forbid_next(c.expr, c.line)?;
        }
        Ok(())
    }

    /// Flattens the definitions that nothing has used so far.
    fn flatten_defines(&mut self) -> Fallible<()> {
        for i in 0..self.defs.len() {
            if matches!(self.defs[i].progress, Progress::Done(..)) {
                continue;
            }
            let site = self.defs[i].site;
            let shown = self.defs[i].name_line;
            let done = self
                .refuse_ambiguous_define(DefId(i as u32))
                .and_then(|()| self.define(DefId(i as u32), site));
            self.complaints.clear();
            done.map_err(|mut err| {
                if ambiguous_alone(&mut err, shown)
                    && let Some(earlier) = self.ambiguous_in_property()
                {
                    return earlier;
                }
                if err.text.starts_with("recursively defined") {
                    err.text
                        .truncate(err.text.find('\n').unwrap_or(err.text.len()));
                    err.frame = Frame::Model;
                }
                err
            })?;
        }
        for i in 0..self.model.defines.len() {
            let body = self.model.defines[i].body;
            self.forbid_nested_next(body, 0)?;
            self.forbid_next_input(body, true)?;
        }
        self.check_array_defines();
        Ok(())
    }

    /// A definition with the name of a constant cannot be used.
    fn refuse_ambiguous_define(&mut self, d: DefId) -> Fallible<()> {
        let def = &self.defs[d.0 as usize];
        let site = def.site;
        let last = def.name.rsplit('.').next().unwrap_or_default().to_owned();
        let last = self
            .scope
            .intern(last.split('[').next().unwrap_or_default());
        if self.scope.constant(last).is_some() {
            let name = self.defs[d.0 as usize].name.clone();
            return Err(self.ambiguous(&name, ROOT, site));
        }
        Ok(())
    }

    /// Cells of an array DEFINE must have one type; NuSMV rejects others without a word.
    fn check_array_defines(&mut self) {
        for array in &self.arrays {
            let types: Vec<Type> = array.cells.iter().map(|&c| self.cell_type(c)).collect();
            self.mixed_array |= types
                .windows(2)
                .any(|w| w[0] != w[1] && !w.contains(&Type::Error));
        }
    }

    fn cell_type(&self, cell: Symbol) -> Type {
        match cell {
            Symbol::Define(d) => match &self.defs[d.0 as usize].progress {
                Progress::Done(Flat::Scalar(e), _) => self.type_of(*e).clone(),
                _ => Type::Error,
            },
            Symbol::Array(a) => {
                let a = &self.arrays[a.0 as usize];
                let cell = a.cells.first().map_or(Type::Error, |&c| self.cell_type(c));
                let hi = a.lo + a.cells.len() as i64 - 1;
                Type::Array {
                    lo: a.lo,
                    hi,
                    cell: Box::new(cell),
                }
            }
            _ => Type::Any,
        }
    }

    fn check_types(&mut self, r: Reports) -> Fallible<()> {
        let declarations = std::mem::take(&mut self.declaration_errors);
        let mut failed = !declarations.is_empty() || self.mixed_array;
        self.messages.extend(declarations);
        for i in 0..self.defs.len() {
            if let Progress::Done(_, complaints) = &self.defs[i].progress {
                let complaints: Rc<[Complaint]> = complaints.clone();
                failed |= self.report_complaints(complaints.to_vec());
                if array_of(&self.defs[i].name).is_some() {
                    // NuSMV types the cell, and the array.
                    self.report_complaints(complaints.to_vec());
                }
            }
        }
        let assigned = |c: &&Complaint| c.warning && c.text.contains("\":=\"");
        let warnings = r.assign.iter().filter(assigned);
        self.old_warnings = warnings.map(|c| c.text.clone()).collect();
        let sections = [r.init, r.trans, r.invar, r.assign, r.justice, r.compassion];
        // Where definitions are wrong NuSMV looks no further.
        if !failed {
            for list in sections {
                failed |= self.report_complaints(list);
            }
        }
        if failed {
            let text = "Type System Violation detected";
            return Err(Box::new(Diagnostic::expression(Site::default(), text)));
        }
        Ok(())
    }

    /// Input variables where they may not be.
    fn check_inputs(&self, assigns: &[ProcessAssign]) -> Fallible<()> {
        let m = &self.model;
        // NuSMV names the line at which its type checker stopped.
        let last = m.compassion.last().map(|(p, _)| p.line);
        let last = last.or(m.justice.last().map(|c| c.line));
        let last = last.or(assigns.last().map(|a| a.site.line));
        let last = [&m.invar, &m.trans, &m.init]
            .iter()
            .fold(last, |last, list| last.or(list.last().map(|c| c.line)));
        for (what, list) in [("INIT", &m.init), ("INVAR", &m.invar)] {
            if let Some(c) = list.iter().find(|c| self.flags_of(c.expr).input) {
                let shown: Vec<String> = list.iter().map(|c| m.text(c.expr)).collect();
                let shown = shown.into_iter().reduce(|a, b| format!("({a} & {b})"));
                let shown = shown.unwrap_or_default();
                let text = format!("{what} expression contains input variables:\n{shown}");
                let d = Diagnostic::model(Site::new(self.place(c.expr), last.unwrap_or(0)), text);
                return Err(Box::new(d));
            }
        }
        for c in &m.trans {
            self.forbid_next_input(c.expr, false)?;
        }
        for a in assigns.iter().filter(|a| a.kind == AssignKind::Next) {
            self.forbid_next_input(a.rhs, false)?;
        }
        for a in assigns.iter().filter(|a| a.kind != AssignKind::Next) {
            let is_state = m.var(a.var).kind != VarKind::Input;
            if is_state && self.flags_of(a.rhs).input {
                let shown = assignments::label(m, a.kind, a.var);
                let text = format!(
                    "Assignment of {shown} contains input variables, which is not allowed."
                );
                return Err(Box::new(Diagnostic::model(a.site, text)));
            }
        }
        Ok(())
    }

    /// For each definition the line NuSMV shows in "in definition of".
    fn define_lines(&self) -> Vec<u32> {
        let mut lines = vec![0; self.model.defines.len()];
        for d in &self.defs {
            if let Some(id) = d.id {
                lines[id.0 as usize] = d.name_line;
            }
        }
        lines
    }

    /// Stores the assignments, those of processes merged.
    fn add_assigns(&mut self, assigns: &[ProcessAssign]) {
        let mut merged = rustc_hash::FxHashSet::default();
        for a in assigns {
            let mut rhs = a.rhs;
            if a.kind == AssignKind::Next && self.model.has_process {
                if !merged.insert(a.var) {
                    continue;
                }
                let same = assigns
                    .iter()
                    .filter(|b| b.kind == AssignKind::Next && b.var == a.var);
                let values: Vec<_> = same.map(|b| (b.process, b.rhs)).collect();
                rhs = self.merge_next(a.var, &values);
            }
            let (kind, var, line) = (a.kind, a.var, a.value_line);
            self.model.assigns.push(Assign {
                kind,
                var,
                rhs,
                line,
            });
        }
    }
}
