//! What NuSMV knows of expressions by their text, when it turns formulas into formulas over bits.
//!
//! [`FlatModel::folded`] tells the truth values it sees at once: connectives with a constant operand that
//! decides, something compared with itself, expressions without variables.
//!
//! [`complete_cases`]: a Boolean `case` of an LTL formula that does not end in TRUE and whose last value
//! folds to a constant k is completed by `TRUE : !k`, with a warning, since NuSMV makes `c | ...` or
//! `!c & ...` of its last branch. (Where the last value is no constant, or the formula reads inputs or next
//! values, a case that applies to no state stays an error.)

use super::eval::{Env, Evaluator};
use super::{ExprId, FailKind, FlatModel, Node, PropFormula, Type, Value};
use crate::base::deep;
use rustc_hash::FxHashMap;
use smv_grammar::ops::{BinOp, UnOp};

/// More warnings than these are not counted: occurrences multiply where DEFINEs use each other.
const MAX_WARNINGS: usize = 1000;

impl FlatModel {
    /// The truth value of `e` if its text tells it.
    pub fn folded(&self, e: ExprId) -> Option<bool> {
        let e = self.meant(e);
        if let Some(&known) = self.truths.borrow().get(&e) {
            return known;
        }
        let value = deep(|| self.fold(e));
        self.truths.borrow_mut().insert(e, value);
        value
    }

    fn fold(&self, e: ExprId) -> Option<bool> {
        use BinOp::*;
        match *self.pool.node(e) {
            Node::Const(Value::Bool(truth)) => Some(truth),
            Node::Unary(UnOp::Not, a) if self.type_of(a) == Type::Bool => {
                self.folded(a).map(|truth| !truth)
            }
            Node::Binary(op @ (And | Or | Implies | Iff | Xor | Xnor | Eq | Neq), a, b)
                if self.type_of(a) == Type::Bool && self.type_of(b) == Type::Bool =>
            {
                let same = self.meant(a) == self.meant(b);
                let (x, y) = (self.folded(a), self.folded(b));
                match (op, x, y) {
                    (And, Some(false), _) | (And, _, Some(false)) => Some(false),
                    (Or, Some(true), _) | (Or, _, Some(true)) => Some(true),
                    (Implies, Some(false), _) | (Implies, _, Some(true)) => Some(true),
                    (Implies | Iff | Xnor | Eq, ..) if same => Some(true),
                    (Xor | Neq, ..) if same => Some(false),
                    (And, Some(x), Some(y)) => Some(x && y),
                    (Or, Some(x), Some(y)) => Some(x || y),
                    (Implies, Some(x), Some(y)) => Some(!x || y),
                    (Iff | Xnor | Eq, Some(x), Some(y)) => Some(x == y),
                    (Xor | Neq, Some(x), Some(y)) => Some(x != y),
                    _ => None,
                }
            }
            Node::Ite(c, a, b) if self.type_of(e) == Type::Bool => match self.folded(c) {
                Some(true) => self.folded(a),
                Some(false) => self.folded(b),
                None => self.folded(a).filter(|_| self.meant(a) == self.meant(b)),
            },
            Node::Binary(Eq | Le | Ge, a, b) if self.meant(a) == self.meant(b) => Some(true),
            Node::Binary(Neq | Lt | Gt, a, b) if self.meant(a) == self.meant(b) => Some(false),
            _ if self.pool.is_temporal(e) || self.any_node(e, |n| matches!(n, Node::Var(_))) => {
                None
            }
            _ => Evaluator::new(self, Env::state(&[])).holds(e).ok(),
        }
    }
}

/// An LTL formula without the cases that NuSMV completes.
#[derive(Clone, Debug)]
pub struct Completed {
    /// An LTL formula.
    pub formula: PropFormula,
    /// The lines of these cases, once for each occurrence.
    pub lines: Vec<u32>,
}

/// Completes the cases of an LTL formula that has some which are not exhaustive; none if there is nothing to
/// complete.
pub fn complete_cases(model: &mut FlatModel, formula: ExprId) -> Option<Completed> {
    let mut completer = Completer {
        model,
        memo: FxHashMap::default(),
        lines: Vec::new(),
    };
    let formula = PropFormula::Ltl(completer.formula(formula));
    let lines = completer.lines;
    (!lines.is_empty()).then_some(Completed { formula, lines })
}

struct Completer<'a> {
    model: &'a mut FlatModel,
    /// What became of an expression, and the lines of its warnings.
    memo: FxHashMap<ExprId, (ExprId, Vec<u32>)>,
    lines: Vec<u32>,
}

impl Completer<'_> {
    /// A formula: what has no temporal operator and reads a step stays as it is.
    fn formula(&mut self, e: ExprId) -> ExprId {
        let e = self.model.meant(e);
        if !self.model.pool.is_temporal(e) {
            return if self.model.reads_step(e) {
                e
            } else {
                self.expression(e)
            };
        }
        let mut node = self.model.pool.node(e).clone();
        let before = self.lines.len();
        deep(|| node.map_operands(|o| self.formula(o)));
        if let Node::Bounded { lo, hi, .. } = node {
            // Spelled out, with an occurrence for each step.
            let once = self.lines[before..].to_vec();
            for _ in lo..hi {
                self.warn(&once);
            }
        }
        self.add(node, e)
    }

    fn warn(&mut self, lines: &[u32]) {
        let room = MAX_WARNINGS.saturating_sub(self.lines.len());
        self.lines.extend(lines.iter().take(room));
    }

    fn add(&mut self, node: Node, from: ExprId) -> ExprId {
        let site = self.model.pool.site(from);
        if self.model.pool.is_case(from) {
            self.model.pool.add_case(node, site)
        } else {
            self.model.pool.add(node, site)
        }
    }

    fn expression(&mut self, e: ExprId) -> ExprId {
        let e = self.model.meant(e);
        if let Some((known, lines)) = self.memo.get(&e).cloned() {
            self.warn(&lines);
            return known;
        }
        let before = self.lines.len();
        let new = deep(|| self.complete(e));
        let lines = self.lines[before.min(self.lines.len())..].to_vec();
        self.memo.insert(e, (new, lines));
        new
    }

    fn complete(&mut self, e: ExprId) -> ExprId {
        let mut node = self.model.pool.node(e).clone();
        if let Node::Ite(c, value, rest) = node
            && let Node::Fail {
                kind: FailKind::CaseNotExhaustive,
                line,
            } = *self.model.pool.node(self.model.meant(rest))
            && self.model.type_of(value) == Type::Bool
            && let Some(truth) = self.model.folded(value)
        {
            let c = self.expression(c);
            self.warn(&[line]);
            return if truth {
                c
            } else {
                self.add(Node::Unary(UnOp::Not, c), e)
            };
        }
        node.map_operands(|o| self.expression(o));
        self.add(node, e)
    }
}

#[cfg(test)]
mod tests {
    use crate::model::testing::flat;
    use crate::model::{FlatModel, PropFormula};

    const MODEL: &str =
        "VAR b : boolean; x : 0..3; DEFINE d := case x = 0 : b; x = 1 : FALSE; esac;";

    fn model(formulas: &[&str]) -> FlatModel {
        let specs: String = formulas.iter().map(|f| format!("LTLSPEC {f};")).collect();
        flat(&format!("{MODEL} {specs}"))
    }

    #[test]
    fn constants_are_seen_by_their_text() {
        let cases = [
            ("b | TRUE", Some(true)),
            ("b & (1 = 2)", Some(false)),
            ("x = x", Some(true)),
            ("b xor b", Some(false)),
            ("b | !b", None),
            ("x < 7", None),
            ("b -> (3 in {1, 3})", Some(true)),
        ];
        let formulas: Vec<&str> = cases.iter().map(|c| c.0).collect();
        let m = model(&formulas);
        for (p, (text, expected)) in m.properties.iter().zip(cases) {
            let PropFormula::Ltl(e) = p.formula else {
                unreachable!("an LTLSPEC")
            };
            assert_eq!(m.folded(e), expected, "{text}");
        }
    }

    #[test]
    fn cases_that_end_in_a_constant_are_completed() {
        let m = model(&[
            "F d",
            "F d & G (d -> b)",
            "F [1, 3] d",
            "F case x = 0 : FALSE; x = 1 : b; esac",
            "G (case x = 0 : 1; x = 1 : 2; esac = 1)",
            "G b",
        ]);
        let warnings = |i: usize| {
            let completed = &m.properties[i].completed;
            completed.as_ref().map_or(0, |c| c.lines.len())
        };
        let all: Vec<usize> = (0..m.properties.len()).map(warnings).collect();
        assert_eq!(all, [1, 2, 3, 0, 0, 0]);
    }
}
