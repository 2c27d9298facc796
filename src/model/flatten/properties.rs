//! Properties: numbering, flattening, checks.
//!
//! NuSMV checks kind by kind and stops at the first property that is not well typed.

use super::scope::PathId;
use super::sections::ambiguous_alone;
use super::{Complaint, Fallible, Flattener, ROOT};
use crate::diag::{Diagnostic, Severity};
use crate::model::folding::complete_cases;
use crate::model::{ExprId, PropFormula, PropKind, Property, PslFormula};
use smv_grammar::ast::{self, Site, Spec, SpecKind};
use smv_grammar::print;
use smv_grammar::word::{Base, printed_in};

/// A property on its way.
struct Draft {
    formula: PropFormula,
    complaints: Vec<Complaint>,
}

impl<'a> Flattener<'a> {
    /// Takes up a specification; names must be unique among properties.
    pub(super) fn declare_property(&mut self, context: PathId, spec: &'a Spec) -> Fallible<()> {
        self.declare_property_name(context, spec)?;
        self.last_line = spec.line;
        self.sections.specs.push((context, spec));
        Ok(())
    }

    /// Refuses a name that another property or query has.
    pub(super) fn declare_property_name(&mut self, context: PathId, spec: &Spec) -> Fallible<()> {
        if let Some(name) = spec.name {
            let name = self.scope.qualified(context, &print::expr(self.ast, name));
            if !self.property_names.insert(name.clone()) {
                let text = format!("multiple declaration of identifier: {name}");
                let line = spec.line;
                return Err(Box::new(Diagnostic::model(
                    Site::new(spec.span, line),
                    text,
                )));
            }
        }
        Ok(())
    }

    pub(super) fn kind_of(spec: &Spec) -> PropKind {
        match spec.kind {
            SpecKind::Ctl(_) => PropKind::Ctl,
            SpecKind::Compute(..) => PropKind::Compute,
            SpecKind::Ltl(_) => PropKind::Ltl,
            SpecKind::Psl(_) => PropKind::Psl,
            SpecKind::Query(..) => unreachable!("queries are no properties"),
            SpecKind::Invar(_) => PropKind::Invar,
        }
    }

    /// The formula, or the first of two; PSL has none.
    pub(super) fn first_expr(spec: &Spec) -> Option<ast::ExprId> {
        match spec.kind {
            SpecKind::Ctl(e) | SpecKind::Ltl(e) | SpecKind::Invar(e) | SpecKind::Query(e, _) => {
                Some(e)
            }
            SpecKind::Compute(_, e, _) => Some(e),
            SpecKind::Psl(_) => None,
        }
    }

    /// Where the names of a property are looked up that is declared in `outer`.
    pub(super) fn property_context(&mut self, outer: PathId, spec: &Spec) -> PathId {
        self.context_within(outer, spec.context)
    }

    /// The instance `within`, seen from `outer`.
    pub(super) fn context_within(&mut self, outer: PathId, within: Option<ast::ExprId>) -> PathId {
        let Some(within) = within else {
            return outer;
        };
        let name = self.scope.intern(&print::expr(self.ast, within));
        let segments = self.scope.segments(name);
        segments
            .into_iter()
            .fold(outer, |path, segment| self.scope.make_child(path, segment))
    }

    fn draft(&mut self, outer: PathId, spec: &Spec) -> Fallible<Draft> {
        let context = self.property_context(outer, spec);
        self.in_property = true;
        self.property_line = spec.kind_line;
        let formula = match &spec.kind {
            SpecKind::Ctl(e) => self.property(*e, context, "SPEC").map(PropFormula::Ctl),
            SpecKind::Ltl(e) => self.property(*e, context, "LTLSPEC").map(PropFormula::Ltl),
            SpecKind::Invar(e) => self
                .property(*e, context, "INVARSPEC")
                .map(PropFormula::Invar),
            SpecKind::Compute(op, start, target) => self.compute(*op, *start, *target, context),
            SpecKind::Psl(id) => self.psl(*id, context, spec),
            SpecKind::Query(..) => unreachable!("queries are no properties"),
        };
        self.in_property = false;
        let complaints = std::mem::take(&mut self.complaints);
        let line = match self.kind_line {
            0 => self.property_line,
            first => first,
        };
        let formula = formula.map_err(|mut err| {
            ambiguous_alone(&mut err, line);
            err
        })?;
        Ok(Draft {
            formula,
            complaints,
        })
    }

    pub(super) fn property(
        &mut self,
        e: ast::ExprId,
        context: PathId,
        what: &str,
    ) -> Fallible<ExprId> {
        let flat = self.scalar(e, context)?;
        let site = Site::new(self.ast.expr(e).span, self.property_line);
        self.demand_boolean(flat, what, site);
        Ok(flat)
    }

    fn compute(
        &mut self,
        op: ast::MinMax,
        start: ast::ExprId,
        target: ast::ExprId,
        context: PathId,
    ) -> Fallible<PropFormula> {
        use crate::model::types::Type;
        let (s, t) = (self.scalar(start, context)?, self.scalar(target, context)?);
        let (x, y) = (self.type_of(s).clone(), self.type_of(t).clone());
        let broken = x == Type::Error || y == Type::Error;
        if !broken && (x, y) != (Type::Bool, Type::Bool) {
            let name = if op == ast::MinMax::Min { "MIN" } else { "MAX" };
            let (x, y) = (self.type_of(s), self.type_of(t));
            let warning = self.options.old && x.is_enum_like() && y.is_enum_like();
            let lead = if warning {
                "potentially incorrect"
            } else {
                "illegal"
            };
            let text = format!("{lead} operand types of \"{name}\" : {x} and {y}");
            let site = Site::new(self.ast.expr(start).span, self.property_line);
            self.complaints.push(Complaint {
                warning,
                site,
                text,
            });
        }
        Ok(PropFormula::Compute {
            op,
            start: s,
            target: t,
        })
    }

    fn formula_parts(formula: &PropFormula) -> Vec<ExprId> {
        match formula {
            PropFormula::Ctl(e) | PropFormula::Ltl(e) | PropFormula::Invar(e) => vec![*e],
            PropFormula::Compute { start, target, .. } => vec![*start, *target],
            PropFormula::Psl { formula, values } => match formula {
                PslFormula::Ltl(e) | PslFormula::Ctl(e) => vec![*e],
                PslFormula::Unsupported(_) => values.clone(),
            },
        }
    }

    /// `next` hidden in DEFINEs is refused before anything is typed, at the line of the first
    /// property of the kind.
    pub(super) fn check_property_next(&mut self) -> Fallible<()> {
        let mut lines = rustc_hash::FxHashMap::default();
        for (_, spec) in &self.sections.specs {
            let Some(e) = Self::first_expr(spec) else {
                continue;
            };
            lines
                .entry(Self::kind_of(spec))
                .or_insert(self.ast.expr(e).line);
        }
        for i in 0..self.sections.specs.len() {
            let (context, spec) = self.sections.specs[i];
            let kind = Self::kind_of(spec);
            if kind == PropKind::Psl {
                continue;
            }
            // Other errors are reported when it is the property's turn.
            let Ok(draft) = self.draft(context, spec) else {
                continue;
            };
            for e in Self::formula_parts(&draft.formula) {
                match kind {
                    PropKind::Ctl | PropKind::Compute => self.forbid_next(e, lines[&kind])?,
                    _ => self.forbid_nested_next(e, lines[&kind])?,
                }
            }
        }
        Ok(())
    }

    /// The complaint about the first property with an ambiguous name.
    pub(super) fn ambiguous_in_property(&mut self) -> Option<Box<Diagnostic>> {
        for i in 0..self.sections.specs.len() {
            let (context, spec) = self.sections.specs[i];
            let same_kind = |s: &&(PathId, &Spec)| Self::kind_of(s.1) == Self::kind_of(spec);
            let first = self.sections.specs.iter().find(same_kind);
            self.kind_line = first.map_or(0, |(_, s)| s.kind_line);
            match self.draft(context, spec) {
                Err(err) if err.text.ends_with("\" ambiguous") => return Some(err),
                _ => {}
            }
        }
        None
    }

    pub(super) fn flatten_properties(&mut self) -> Fallible<()> {
        let specs = std::mem::take(&mut self.sections.specs);
        let kinds = [
            PropKind::Ctl,
            PropKind::Compute,
            PropKind::Ltl,
            PropKind::Psl,
            PropKind::Invar,
        ];
        for kind in kinds {
            let specs = || specs.iter().filter(|(_, s)| Self::kind_of(s) == kind);
            self.kind_line = specs().next().map_or(0, |(_, s)| s.kind_line);
            for &(context, spec) in specs() {
                self.flatten_property(kind, context, spec)?;
            }
        }
        Ok(())
    }

    pub(super) fn flatten_property(
        &mut self,
        kind: PropKind,
        outer: PathId,
        spec: &Spec,
    ) -> Fallible<()> {
        let context = self.property_context(outer, spec);
        let text = printed_in(Base::Decimal, || print::spec(self.ast, spec));
        let has_words = ["0ud", "0sd"].iter().any(|head| text.contains(head));
        let words =
            has_words.then(|| printed_in(Base::Hexadecimal, || print::spec(self.ast, spec)));
        let context_name = self.scope.full_name(context);
        let shown = match context {
            ROOT => text.clone(),
            _ => format!("{text}IN {context_name}"),
        };
        let draft = self.draft(outer, spec)?;
        if let PropFormula::Psl {
            formula: PslFormula::Unsupported(lines),
            ..
        } = &draft.formula
        {
            self.refuse(lines, &text);
        }
        if self.report_complaints(draft.complaints) {
            let text =
                format!("ERROR: Property \"{shown}\u{8}\" is not correct or not well typed.");
            return Err(Box::new(Diagnostic::bare(Severity::Error, text)));
        }
        self.last_line = self.property_line;
        let index = self.model.properties.len() as u32;
        let name = spec
            .name
            .map(|n| self.scope.qualified(outer, &print::expr(self.ast, n)));
        for e in Self::formula_parts(&draft.formula) {
            if matches!(kind, PropKind::Ctl | PropKind::Compute) && self.flags_of(e).input {
                let label = if kind == PropKind::Ctl {
                    "CTL"
                } else {
                    "Quantitative"
                };
                // NuSMV names a property once it is in its list.
                let name = "N/A";
                let text = format!(
                    "Property contains input variables:\n{index:03} :{shown}\n  \
                     [{label:<15}Unchecked      N/A    {name}]"
                );
                let line = spec.line;
                return Err(Box::new(Diagnostic::expression(
                    Site::new(spec.span, line),
                    text,
                )));
            }
            self.forbid_next_input(e, true)?;
        }
        let completed = match draft.formula {
            PropFormula::Ltl(e) if self.flags_of(e).open_case => {
                let completed = complete_cases(&mut self.model, e);
                self.extend_types();
                completed
            }
            _ => None,
        };
        self.model.properties.push(Property {
            index,
            name,
            context: context_name,
            kind,
            formula: draft.formula,
            text,
            words,
            source: spec.kind.clone(),
            span: spec.span,
            line: self.property_line,
            completed,
        });
        Ok(())
    }
}
