//! Which PSL properties are not checked, and why: a tree → NuSMV's words, before any translation.
//!
//! Three questions in this order: what ends NuSMV ([`Fault`]), what it reads but refuses, and whether
//! operators of LTL and of CTL are mixed.

use super::logic::Builder;
use super::sere::{MAX_STEPS, has_star, is_handled, number};
use super::{Count, Fault, ForallValue, Infix, Kind, Node, Prefix, Repeat, print};
use crate::ast::{ExprId, Name};
use crate::ops::BinOp;

/// Which logic the operators of a tree belong to.
#[derive(Clone, Copy, Default)]
pub(super) struct Operators {
    pub fl: bool,
    pub obe: bool,
    pub xnor: bool,
}

impl Builder<'_> {
    pub(super) fn operators(&self, root: Node, found: &mut Operators) {
        for n in self.preorder(root) {
            match self.tree.kind(n) {
                Kind::Prefix(op, _) => match op {
                    Prefix::Ax | Prefix::Af | Prefix::Ag => found.obe = true,
                    Prefix::Ex | Prefix::Ef | Prefix::Eg => found.obe = true,
                    _ => found.fl = true,
                },
                Kind::Infix(Infix::CtlU { .. }, ..) => found.obe = true,
                Kind::Infix(..) | Kind::Steps { .. } | Kind::Suffix { .. } => found.fl = true,
                Kind::Connective(BinOp::Xnor, ..) => found.xnor = true,
                _ => {}
            }
        }
    }

    /// What NuSMV says when it takes up a property that it will not check. Of several reasons it names
    /// the first, and then each `next` around it.
    pub(super) fn refusal(&self, n: Node) -> Option<Vec<String>> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.refusal_of(n))
    }

    fn refusal_of(&self, n: Node) -> Option<Vec<String>> {
        let shown = |n: Node, why: &str| {
            let text = print::property(self.ast, self.tree, n);
            Some(vec![format!("In PSL expression '{text}'"), why.to_owned()])
        };
        let sere = |r: Node| {
            if is_handled(self.ast, self.tree, r) {
                return None;
            }
            shown(r, "PSL SERE expression contains an unsupported feature.")
        };
        let within_next = |body: Node, unfit: bool| {
            let inner = self.refusal(body);
            if inner.is_none() && !unfit {
                return None;
            }
            let own = shown(n, "PSL next expression contains an unsupported feature.");
            Some([inner.unwrap_or_default(), own.unwrap_or_default()].concat())
        };
        match self.tree.kind(n) {
            Kind::Infix(Infix::Abort, ..) | Kind::Window { .. } => {
                shown(n, "PSL operator not currently supported.")
            }
            Kind::Prefix(Prefix::Next { .. } | Prefix::X { .. }, x) => within_next(*x, false),
            Kind::Steps {
                count, event, body, ..
            } => {
                let large = |e: ExprId| self.int(e).is_none_or(|n| n > MAX_STEPS);
                let temporal = |n: &Node| !matches!(self.tree.kind(*n), Kind::Value(_));
                let unfit = match *count {
                    None => false,
                    Some(Count::Number(n)) => {
                        let negative = self.int(n).is_some_and(|n| n < 0);
                        !self.is_typed(n) && (negative || large(n))
                    }
                    Some(Count::Range(low, high)) => large(low) || high.is_none_or(large),
                };
                within_next(*body, unfit || event.as_ref().is_some_and(temporal))
            }
            Kind::Suffix { strong: false, .. } => {
                shown(n, "Weak suffix implications are not currently supported.")
            }
            Kind::Suffix { premise, .. } if has_star(self.tree, *premise) => shown(
                n,
                "Premise in suffix implication contains an unsupported feature.",
            ),
            Kind::Suffix { premise, then, .. } => {
                let end = |then| match self.is_sere(then) {
                    true => sere(then),
                    false => self.refusal(then),
                };
                sere(*premise).or_else(|| end(*then))
            }
            Kind::Prefix(_, x) if self.is_sere(*x) => sere(*x),
            Kind::Forall { index: Some(_), .. } => {
                let why = "psl_node_get_replicator_normalized_value_set: Replicator range not \
                           yet handled.";
                Some(vec![why.to_owned()])
            }
            Kind::Forall { values, body, .. } => {
                let simple = |n: &Node| match self.tree.kind(*n) {
                    Kind::Value(e) => self.ast.expr(*e).kind.is_operand(),
                    _ => false,
                };
                let known = |v: &ForallValue| match v {
                    ForallValue::One(n) => simple(n),
                    ForallValue::Range(low, high) => {
                        self.int(*low).is_some() && high.is_some_and(|h| self.int(h).is_some())
                    }
                };
                match values.iter().flatten().all(known) {
                    true => self.refusal(*body),
                    false => Some(Vec::new()),
                }
            }
            Kind::List(_) => Some(Vec::new()),
            _ => self
                .parts(n)
                .into_iter()
                .find_map(|part| self.refusal(part)),
        }
    }

    /// What ends NuSMV: ranges without numbers, nested `forall` of one name.
    pub(super) fn fault(&self, n: Node, outer: &mut Vec<Name>) -> Result<(), Fault> {
        let mut inside = None;
        match self.tree.kind(n) {
            Kind::Steps {
                count: Some(count @ Count::Range(low, high)),
                ..
            } => {
                let high = high.and_then(|e| self.int(e));
                if self.int(*low).is_none() || high.is_none() {
                    let text = print::count(self.ast, self.tree, *count);
                    return Err(Fault::NoNumber(text));
                }
            }
            // Refused before anybody looks at its parts.
            Kind::Suffix { strong: false, .. } => return Ok(()),
            Kind::Repeat(_, Repeat::Star(Some(count))) if number(self.ast, *count).is_none() => {
                let text = print::property(self.ast, self.tree, n);
                return Err(Fault::NoNumber(text));
            }
            Kind::Forall { var, values, .. } => {
                if outer.contains(var) {
                    return Err(Fault::NestedForall);
                }
                for value in values.iter().flatten() {
                    if let ForallValue::Range(low, Some(high)) = value
                        && let (Some(low), Some(high)) = (self.int(*low), self.int(*high))
                        && low > high
                    {
                        return Err(Fault::EmptyRange { low, high });
                    }
                }
                inside = Some(*var);
            }
            _ => {}
        }
        outer.extend(inside);
        for part in self.parts(n) {
            stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.fault(part, outer))?;
        }
        if inside.is_some() {
            outer.pop();
        }
        Ok(())
    }
}
