//! SEREs → LTL, by continuations: "the rest of the path satisfies K".
//!
//! `after(r, K)` holds at a step if some word of `r` begins there and `K` holds at the step behind it;
//! `until_last(r, L)` if `L` holds at its last step (fusion and overlapping implication need that).
//! A star of one step is an until; `&` and `&&` are made by listing the words of both sides, which
//! NuSMV also allows only without repetitions. What it refuses is refused here: [`is_handled`].

use super::logic::Builder;
use super::{Compound, Count, Kind, Node, Repeat, Tree};
use crate::ast::{Ast, ExprId, ExprKind};
use crate::ops::{BinOp, UnOp};

/// More words are not listed.
const MAX_WORDS: usize = 4096;
/// More steps are not unrolled.
pub const MAX_STEPS: i64 = 1 << 16;

/// The number of a count.
pub fn number(ast: &Ast, count: Count) -> Option<i64> {
    match count {
        Count::Number(e) => match ast.expr(e).kind {
            ExprKind::Int(n) => Some(n),
            _ => None,
        },
        Count::Range(..) => None,
    }
}

/// Whether the empty word is in a SERE.
fn is_nullable(tree: &Tree, r: Node) -> bool {
    match tree.kind(r) {
        Kind::Concat(x, y) => is_nullable(tree, *x) && is_nullable(tree, *y),
        Kind::Compound(Compound::Or, x, y) => is_nullable(tree, *x) || is_nullable(tree, *y),
        Kind::Repeat(_, Repeat::Star(None)) => true,
        _ => false,
    }
}

/// Whether a SERE has repetitions other than by a number.
pub fn has_star(tree: &Tree, r: Node) -> bool {
    match tree.kind(r) {
        Kind::Concat(x, y) | Kind::Compound(_, x, y) => has_star(tree, *x) || has_star(tree, *y),
        Kind::Repeat(_, Repeat::Star(Some(_))) => match tree.kind(r) {
            Kind::Repeat(Some(x), _) => has_star(tree, *x),
            _ => false,
        },
        Kind::Repeat(..) => true,
        _ => false,
    }
}

fn has_repeat(tree: &Tree, r: Node) -> bool {
    match tree.kind(r) {
        Kind::Concat(x, y) | Kind::Compound(_, x, y) => {
            has_repeat(tree, *x) || has_repeat(tree, *y)
        }
        Kind::Repeat(..) => true,
        _ => false,
    }
}

/// Whether NuSMV checks a property with this SERE.
pub fn is_handled(ast: &Ast, tree: &Tree, r: Node) -> bool {
    !is_nullable(tree, r) && parts_handled(ast, tree, r)
}

fn parts_handled(ast: &Ast, tree: &Tree, r: Node) -> bool {
    let handled = |x: Node| parts_handled(ast, tree, x);
    match tree.kind(r) {
        Kind::Concat(x, y) | Kind::Compound(Compound::Or, x, y) => handled(*x) && handled(*y),
        Kind::Compound(Compound::Fusion, x, y) => {
            let full = |x: Node| !is_nullable(tree, x) && handled(x);
            full(*x) && full(*y)
        }
        Kind::Compound(_, x, y) => !has_repeat(tree, *x) && !has_repeat(tree, *y),
        Kind::Repeat(None, repeat) => matches!(repeat, Repeat::Star(None) | Repeat::Plus),
        Kind::Repeat(Some(x), Repeat::Star(None) | Repeat::Plus) => {
            matches!(tree.kind(*x), Kind::Step(_))
        }
        Kind::Repeat(Some(x), Repeat::Star(Some(count))) => {
            let fits = number(ast, *count).is_some_and(|n| (1..=MAX_STEPS).contains(&n));
            fits && !is_nullable(tree, *x) && handled(*x)
        }
        Kind::Repeat(..) => false,
        _ => true,
    }
}

impl Builder<'_> {
    /// Some word of `r` begins here, with `next` at the step behind it.
    pub fn after(&mut self, r: Node, next: ExprId) -> ExprId {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.after_word(r, next))
    }

    fn after_word(&mut self, r: Node, next: ExprId) -> ExprId {
        match *self.tree.kind(r) {
            Kind::Concat(x, y) => {
                let rest = self.after(y, next);
                self.after(x, rest)
            }
            Kind::Compound(Compound::Or, x, y) => {
                let (x, y) = (self.after(x, next), self.after(y, next));
                self.binary(BinOp::Or, x, y)
            }
            Kind::Compound(Compound::Fusion, x, y) => {
                let rest = self.after(y, next);
                self.until_last(x, rest)
            }
            Kind::Compound(op, x, y) => {
                let next = self.later(next);
                self.listed(op, x, y, next)
            }
            Kind::Repeat(x, repeat) => match (x, repeat) {
                (None, Repeat::Star(_)) => self.unary(UnOp::F, next),
                (None, _) => {
                    let later = self.unary(UnOp::F, next);
                    self.later(later)
                }
                (Some(x), Repeat::Star(Some(count))) => {
                    let n = number(self.ast, count).unwrap_or(0);
                    (0..n).fold(next, |rest, _| self.after(x, rest))
                }
                (Some(x), Repeat::Star(None)) => {
                    let step = self.step(x);
                    self.binary(BinOp::U, step, next)
                }
                (Some(x), _) => {
                    let step = self.step(x);
                    let rest = self.binary(BinOp::U, step, next);
                    let rest = self.later(rest);
                    self.binary(BinOp::And, step, rest)
                }
            },
            _ => {
                let step = self.step(r);
                let next = self.later(next);
                self.binary(BinOp::And, step, next)
            }
        }
    }

    /// Some word of `r`, not the empty one, begins here, with `last` at its last step.
    pub fn until_last(&mut self, r: Node, last: ExprId) -> ExprId {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.until_last_step(r, last))
    }

    fn until_last_step(&mut self, r: Node, last: ExprId) -> ExprId {
        match *self.tree.kind(r) {
            Kind::Concat(x, y) => {
                let rest = self.until_last(y, last);
                let all = self.after(x, rest);
                match is_nullable(self.tree, y) {
                    true => {
                        let short = self.until_last(x, last);
                        self.binary(BinOp::Or, short, all)
                    }
                    false => all,
                }
            }
            Kind::Compound(Compound::Or, x, y) => {
                let (x, y) = (self.until_last(x, last), self.until_last(y, last));
                self.binary(BinOp::Or, x, y)
            }
            Kind::Compound(Compound::Fusion, x, y) => {
                let rest = self.until_last(y, last);
                self.until_last(x, rest)
            }
            Kind::Compound(op, x, y) => self.listed(op, x, y, last),
            Kind::Repeat(x, repeat) => match (x, repeat) {
                (None, _) => self.unary(UnOp::F, last),
                (Some(x), Repeat::Star(Some(count))) => {
                    let n = number(self.ast, count).unwrap_or(1);
                    let rest = self.until_last(x, last);
                    (1..n).fold(rest, |rest, _| self.after(x, rest))
                }
                (Some(x), _) => {
                    let step = self.step(x);
                    let end = self.binary(BinOp::And, step, last);
                    self.binary(BinOp::U, step, end)
                }
            },
            _ => {
                let step = self.step(r);
                self.binary(BinOp::And, step, last)
            }
        }
    }

    /// The formula of one step.
    fn step(&mut self, r: Node) -> ExprId {
        match *self.tree.kind(r) {
            Kind::Step(x) => self.formula(x),
            _ => self.constant(true),
        }
    }

    /// `&` and `&&`: the words of both sides laid over each other; `last` at the last step.
    fn listed(&mut self, op: Compound, x: Node, y: Node, last: ExprId) -> ExprId {
        let words = self.overlaid(op, x, y);
        let mut any = None;
        for word in words {
            let mut formula = last;
            for (i, &step) in word.iter().rev().enumerate() {
                if i > 0 {
                    formula = self.later(formula);
                }
                formula = self.binary(BinOp::And, step, formula);
            }
            any = Some(match any {
                None => formula,
                Some(before) => self.binary(BinOp::Or, before, formula),
            });
        }
        any.unwrap_or_else(|| self.constant(false))
    }

    fn overlaid(&mut self, op: Compound, x: Node, y: Node) -> Vec<Vec<ExprId>> {
        let (xs, ys) = (self.words(x), self.words(y));
        let mut out = Vec::new();
        for a in &xs {
            for b in &ys {
                if (op == Compound::Both && a.len() != b.len()) || self.overflow(out.len()) {
                    continue;
                }
                let length = a.len().max(b.len());
                let steps = (0..length).map(|i| match (a.get(i), b.get(i)) {
                    (Some(&a), Some(&b)) => self.binary(BinOp::And, a, b),
                    (Some(&a), None) => a,
                    (_, b) => *b.unwrap_or(&a[0]),
                });
                out.push(steps.collect());
            }
        }
        out
    }

    fn overflow(&mut self, words: usize) -> bool {
        self.too_large |= words >= MAX_WORDS;
        self.too_large
    }

    /// All words of a SERE without repetitions.
    fn words(&mut self, r: Node) -> Vec<Vec<ExprId>> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match *self.tree.kind(r) {
            Kind::Concat(x, y) => self.joined(x, y, false),
            Kind::Compound(Compound::Fusion, x, y) => self.joined(x, y, true),
            Kind::Compound(Compound::Or, x, y) => {
                let mut words = self.words(x);
                words.extend(self.words(y));
                words
            }
            Kind::Compound(op, x, y) => self.overlaid(op, x, y),
            _ => vec![vec![self.step(r)]],
        })
    }

    fn joined(&mut self, x: Node, y: Node, fused: bool) -> Vec<Vec<ExprId>> {
        let (xs, ys) = (self.words(x), self.words(y));
        let mut out = Vec::new();
        for a in &xs {
            for b in &ys {
                if self.overflow(out.len()) {
                    return out;
                }
                let mut word = a.clone();
                let mut rest = &b[..];
                if fused && let (Some(last), Some((&first, more))) = (word.pop(), b.split_first()) {
                    word.push(self.binary(BinOp::And, last, first));
                    rest = more;
                }
                word.extend_from_slice(rest);
                out.push(word);
            }
        }
        out
    }
}
