//! Which operand the evaluation of an expression asks for next.
//!
//! Evaluators (on values, on diagrams) recurse over expressions and keep results. Chains of hundreds of
//! thousands of DEFINEs would need as many frames, so from [`DEEP`] levels on they walk with a stack of
//! their own: as long as an expression needs an operand that is not known yet, that comes first. What is
//! never asked for (branches not taken) is not evaluated here either.

use super::{ExprId, FlatModel, Node};
use smv_grammar::ops::{BinOp, UnOp};

/// Levels of expressions within each other that evaluators take by recursion.
pub const DEEP: usize = 500;

/// What is known of an operand: nothing, that it has a result, or its one truth value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// To be evaluated first.
    Unknown,
    /// Evaluated, to more than one truth value or none.
    Settled,
    /// Evaluated to this truth value.
    Truth(bool),
}

/// Something that evaluates expressions and keeps their results.
pub trait Evaluation {
    /// Why an expression cannot be settled.
    type Error;

    /// What is known of an expression (under `next`).
    fn known(&self, e: ExprId, next: bool) -> Operand;

    /// Evaluates an expression whose operands are known, and keeps the result.
    fn settle(&mut self, e: ExprId, next: bool) -> Result<(), Self::Error>;
}

impl FlatModel {
    /// Evaluates all that the evaluation of `e` needs, without recursion.
    pub fn settle_operands<E: Evaluation>(
        &self,
        evaluation: &mut E,
        e: ExprId,
        next: bool,
    ) -> Result<(), E::Error> {
        let mut todo = vec![(e, next)];
        while let Some(&(e, next)) = todo.last() {
            let needed = self.needed(e, next, |e, next| evaluation.known(e, next));
            todo.extend(needed);
            if needed.is_none() {
                todo.pop();
                if !todo.is_empty() {
                    evaluation.settle(e, next)?;
                }
            }
        }
        Ok(())
    }

    /// What a DEFINE stands for, through others.
    pub fn meant(&self, mut e: ExprId) -> ExprId {
        while let Node::Define(d) = *self.pool.node(e) {
            e = self.define(d).body;
        }
        e
    }

    /// The first operand that the evaluation of `e` (under `next`) needs and that is not known. Names
    /// and constants are never needed: they take no recursion.
    fn needed(
        &self,
        e: ExprId,
        next: bool,
        known: impl Fn(ExprId, bool) -> Operand,
    ) -> Option<(ExprId, bool)> {
        let look = |e: ExprId, next: bool| {
            let e = self.meant(e);
            let leaf = matches!(self.pool.node(e), Node::Const(_) | Node::Var(_));
            match known(e, next) {
                Operand::Unknown if leaf => Operand::Settled,
                found => found,
            }
        };
        let missing = |e: ExprId, next: bool| {
            (look(e, next) == Operand::Unknown).then(|| (self.meant(e), next))
        };
        match *self.pool.node(e) {
            Node::Unary(UnOp::Next, a) => missing(a, true),
            Node::Binary(op @ (BinOp::And | BinOp::Or | BinOp::Implies), a, b) => {
                match look(a, next) {
                    Operand::Unknown => missing(a, next),
                    Operand::Truth(value) if value == (op == BinOp::Or) => None,
                    _ => missing(b, next),
                }
            }
            Node::Ite(c, a, b) => match look(c, next) {
                Operand::Unknown => missing(c, next),
                Operand::Truth(true) => missing(a, next),
                Operand::Truth(false) => missing(b, next),
                Operand::Settled => missing(a, next).or_else(|| missing(b, next)),
            },
            ref node => {
                let mut first = None;
                node.for_each_operand(|a| first = first.or_else(|| missing(a, next)));
                first
            }
        }
    }
}
