//! PSL properties: their types, and the formulas that the grammar has made of them.
//!
//! NuSMV types a property operator by operator ([`smv_grammar::psl::Demand`]) in PSL's own words; what passes is
//! flattened as a formula of LTL or CTL. A property that it refuses is not typed, but its variables
//! count for the order of checking.

use super::scope::PathId;
use super::{Complaint, Fallible, Flattener};
use crate::base::deep;
use crate::diag::{Diagnostic, Severity};
use crate::model::types::Type;
use crate::model::{ExprId, Node, PropFormula, PropKind, PslFormula, Value};
use rustc_hash::FxHashMap;
use smv_grammar::ast::{self, ExprKind, Site, Spec};
use smv_grammar::ops::UnOp;
use smv_grammar::psl::{Demand, Fault, Logic, Meaning, Operand, PslId};

impl Flattener<'_> {
    pub(super) fn psl(&mut self, id: PslId, context: PathId, spec: &Spec) -> Fallible<PropFormula> {
        let ast = self.ast;
        let property = ast.psl.property(id);
        let (logic, formula) = match &property.meaning {
            Meaning::Wrong(fault) => return Err(self.fault(fault, spec)),
            Meaning::Unsupported(lines) => {
                let formula = PslFormula::Unsupported(lines.clone());
                let values = self.psl_values(&property.leaves, context);
                return Ok(PropFormula::Psl { formula, values });
            }
            Meaning::Formula(logic, formula) => (*logic, *formula),
        };
        for &name in &property.variables {
            let path = self.scope.child(context, name);
            if path.is_some_and(|p| self.scope.symbol(p).is_some()) {
                let text = format!("identifier '{}' is ambiguous", ast.name(name));
                self.complain_psl(text);
            }
        }
        for demand in &property.demands {
            self.demand_types(demand, context)?;
            if !property.variables.is_empty() {
                // Once for all values of a `forall`.
                let mut seen = rustc_hash::FxHashSet::default();
                self.complaints.retain(|c| seen.insert(c.text.clone()));
            }
        }
        self.forget_repeated();
        let is_psl_error = self.complaints.iter().any(|c| !c.warning);
        let flat = match property.value {
            Some(value) => self.property(value, context, "PSLSPEC")?,
            // Without types there is nothing to make of it.
            None if is_psl_error => {
                let node = Node::Const(Value::Bool(true));
                self.mk(node, spec.site())
            }
            None => self.psl_formula(formula, context, &mut FxHashMap::default())?,
        };
        let values = self.psl_values(&property.leaves, context);
        let formula = match logic {
            Logic::Ltl => PslFormula::Ltl(flat),
            Logic::Ctl => PslFormula::Ctl(flat),
        };
        Ok(PropFormula::Psl { formula, values })
    }

    /// Flattens what the translation has made: each shared part once.
    fn psl_formula(
        &mut self,
        id: ast::ExprId,
        context: PathId,
        done: &mut FxHashMap<ast::ExprId, ExprId>,
    ) -> Fallible<ExprId> {
        if let Some(&known) = done.get(&id) {
            return Ok(known);
        }
        let (kind, site) = (&self.ast.expr(id).kind, self.ast.site(id));
        let flat = match *kind {
            ExprKind::Unary(op, a) if op != UnOp::Next && op != UnOp::Neg => {
                let a = deep(|| self.psl_formula(a, context, done))?;
                self.mk(Node::Unary(op, a), site)
            }
            ExprKind::Binary(op, a, b) if op.is_connective() || op.is_ltl() || op.is_ctl() => {
                let a = deep(|| self.psl_formula(a, context, done))?;
                let b = deep(|| self.psl_formula(b, context, done))?;
                self.mk(Node::Binary(op, a, b), site)
            }
            _ => self.scalar(id, context)?,
        };
        done.insert(id, flat);
        Ok(flat)
    }

    /// The expressions of a property, as far as they have a meaning; nothing is said of the others.
    fn psl_values(&mut self, leaves: &[ast::ExprId], context: PathId) -> Vec<ExprId> {
        let said = self.complaints.len();
        let values = leaves.iter();
        let values = values.filter_map(|&e| self.scalar(e, context).ok());
        let values = values.collect();
        self.complaints.truncate(said);
        values
    }

    /// Complains unless all operands are Boolean.
    fn demand_types(&mut self, demand: &Demand, context: PathId) -> Fallible<()> {
        let mut text = demand.lead.clone();
        let mut fits = true;
        for (before, operand) in &demand.operands {
            text += before;
            match *operand {
                Operand::Formula => text += "boolean",
                Operand::Count { range, fits: fit } => {
                    text += if range { "integer-set" } else { "integer" };
                    fits &= fit;
                }
                Operand::Value(e) => {
                    let flat = self.scalar(e, context)?;
                    let ty = self.type_of(flat);
                    if *ty == Type::Error {
                        return Ok(());
                    }
                    fits &= *ty == Type::Bool;
                    text += &ty.to_string();
                }
            }
        }
        if !fits {
            self.complain_psl(text + demand.end);
        }
        Ok(())
    }

    /// A name that is not declared is reported once.
    fn forget_repeated(&mut self) {
        let mut seen = rustc_hash::FxHashSet::default();
        self.complaints
            .retain(|c| !c.text.starts_with("undefined") || seen.insert(c.text.clone()));
    }

    fn complain_psl(&mut self, text: String) {
        self.complaints.push(Complaint {
            warning: false,
            site: Site::of_line(self.property_line),
            text,
        });
    }

    fn fault(&mut self, fault: &Fault, spec: &Spec) -> Box<Diagnostic> {
        let site = Site::new(spec.span, self.line_before(spec));
        let mut before = |text: String| {
            self.messages.push(Diagnostic::bare(Severity::Error, text));
        };
        Box::new(match fault {
            Fault::NoNumber(text) => {
                before(format!("In expression {text}"));
                Diagnostic::tail(site, "A number was expected but not found.\n")
            }
            Fault::EmptyRange { low, high } => {
                before(format!("Error in: {low}:{high}"));
                let text = format!(
                    "Error: invalid numeric value: {high}\n\
                     Range with high bound greater than low bound."
                );
                Diagnostic::expression(site, text)
            }
            Fault::NestedForall => {
                let text = "Nested forall contains an ID that is already used by an outer forall.";
                Diagnostic::expression(site, text)
            }
        })
    }

    /// The line of what NuSMV has treated last before a property.
    fn line_before(&self, spec: &Spec) -> u32 {
        let m = &self.model;
        let property = m.properties.last().filter(|p| p.kind != PropKind::Invar);
        let lines = [
            property.map(|p| p.line),
            (self.assign_line > 0).then_some(self.assign_line),
            m.compassion.last().map(|(p, _)| p.line),
            m.justice.last().map(|c| c.line),
            m.invar.last().map(|c| c.line),
            m.trans.last().map(|c| c.line),
            m.init.last().map(|c| c.line),
        ];
        lines.into_iter().flatten().next().unwrap_or(spec.line)
    }

    /// Says that a property will not be checked.
    pub(super) fn refuse(&mut self, lines: &[String], text: &str) {
        let index = self.model.properties.len();
        let mut message: String = lines.iter().map(|l| l.clone() + "\n").collect();
        message += &crate::diag::block(&[
            "The following PSL property:",
            text.trim_end(),
            "requires features that are not yet available.",
            &format!("The property will be inserted in the properties database at index {index},"),
            "but the user will be not allowed to perform any model checking on it.",
            "Furthermore, no type nor definitions checking will be performed",
            "on this property.",
        ]);
        let message = message.trim_end_matches('\n');
        self.messages
            .push(Diagnostic::bare(Severity::Warning, message));
    }
}
