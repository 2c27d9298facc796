//! The types that the operators of a PSL property ask of their operands, in NuSMV's words.
//!
//! A tree → [`Demand`]s, operands first; the model checks them when it knows the types of names.

use super::logic::Builder;
use super::{Count, Demand, Infix, Kind, Node, Operand, Prefix, print};
use crate::ast::{ExprId, ExprKind};

impl Builder<'_> {
    /// Types that NuSMV asks for, operands first.
    pub(super) fn demand(&mut self, n: Node) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.demand_of(n));
    }

    fn demand_of(&mut self, n: Node) {
        if let Kind::Forall { .. } = self.tree.kind(n) {
            self.forall(n, |b, body| {
                b.demand(body);
                let operand = b.operand(body);
                b.ask(
                    "illegal operand type of forall property:".to_owned(),
                    vec![(" ", operand)],
                    "",
                );
                b.constant(true)
            });
            return;
        }
        for part in self.parts(n) {
            self.demand(part);
        }
        let types = |name: &str| format!("illegal operand types of \"{name}\" :");
        match *self.tree.kind(n) {
            Kind::Connective(op, x, y) => {
                let (x, y) = (self.operand(x), self.operand(y));
                self.ask(types(op.text()), vec![(" ", x), (" and ", y)], "");
            }
            Kind::Prefix(op, x) => {
                if self.is_sere(x) {
                    return;
                }
                let x = self.operand(x);
                let (name, smv, round) = prefix_name(op);
                let lead = match smv {
                    true => format!("illegal operand type of \"{name}\" :"),
                    false => types(name),
                };
                match round {
                    true => self.ask(lead, vec![("  (", x)], ")"),
                    false => self.ask(lead, vec![(" ", x)], ""),
                }
            }
            Kind::Infix(op, x, y) => {
                let (x, y) = (self.operand(x), self.operand(y));
                self.ask(types(infix_name(op)), vec![(" ", x), (" and ", y)], "");
            }
            Kind::Steps {
                word,
                event,
                count,
                body,
                ..
            } => {
                let (low, high) = self.bounds(count);
                let least = i64::from(event.is_some());
                let count = count.map(|c| match c {
                    Count::Number(n) if self.is_typed(n) => Operand::Value(n),
                    _ => Operand::Count {
                        range: matches!(c, Count::Range(..)),
                        fits: low >= least && low <= high,
                    },
                });
                let event = event.map(|e| self.operand(e));
                let body = self.operand(body);
                let operands = match (event, count) {
                    (Some(event), Some(count)) => {
                        vec![("  (", event), (") [", count), ("] (", body)]
                    }
                    (Some(event), None) => vec![("  (", event), (") (", body)],
                    (None, Some(count)) => vec![("  [", count), ("] (", body)],
                    (None, None) => vec![("  (", body)],
                };
                self.ask(types(word), operands, ")");
            }
            Kind::Suffix { overlap, then, .. } if !self.is_sere(then) => {
                let then = self.operand(then);
                let lead = "illegal operand types of suffix implication:".to_owned();
                let arrow = if overlap { " |-> " } else { " |=> " };
                let operands = vec![(" ", Operand::Formula), (arrow, then)];
                self.ask(lead, operands, "");
            }
            Kind::Step(x) => {
                let text = print::property(self.ast, self.tree, n);
                let x = self.operand(x);
                self.ask(format!("illegal sere type of {text} :"), vec![(" ", x)], "");
            }
            _ => {}
        }
    }

    /// What NuSMV types where a number should be, rather than to crash at it.
    pub(super) fn is_typed(&self, e: ExprId) -> bool {
        match self.ast.expr(e).kind {
            ExprKind::Word(_) => true,
            ExprKind::Ident(name) => self.ast.name(name) == "inf",
            _ => false,
        }
    }

    fn operand(&mut self, n: Node) -> Operand {
        match *self.tree.kind(n) {
            Kind::Value(e) => Operand::Value(self.instance(e)),
            _ => Operand::Formula,
        }
    }

    fn ask(&mut self, lead: String, operands: Vec<(&'static str, Operand)>, end: &'static str) {
        let trivial =
            |o: &Operand| matches!(o, Operand::Formula | Operand::Count { fits: true, .. });
        if !operands.iter().all(|(_, o)| trivial(o)) {
            self.demands.push(Demand {
                lead,
                operands,
                end,
            });
        }
    }
}

/// Name; whether it is typed as SMV's operators are; whether the type stands in parentheses.
fn prefix_name(op: Prefix) -> (&'static str, bool, bool) {
    use Prefix::*;
    match op {
        Always => ("always", false, false),
        Never => ("never", false, false),
        Eventually => ("eventually!", false, false),
        Next { strong: false } => ("next", false, true),
        Next { strong: true } => ("next!", false, true),
        X { strong: false } => ("X", false, true),
        X { strong: true } => ("X!", false, true),
        F => ("F", true, false),
        G => ("G", true, false),
        Ax => ("AX", true, false),
        Af => ("AF", true, false),
        Ag => ("AG", true, false),
        Ex => ("EX", true, false),
        Ef => ("EF", true, false),
        Eg => ("EG", true, false),
    }
}

fn infix_name(op: Infix) -> &'static str {
    match op {
        Infix::CtlU { all: true } => "A-U",
        Infix::CtlU { all: false } => "E-U",
        other => print::infix_word(other),
    }
}
