//! CTL with fairness: the states that satisfy a formula, and truth at the model.
//!
//! Formulas of the pool are evaluated bottom-up; values are kept by formula, so that specifications
//! share what they have in common. A formula holds iff all fair initial states satisfy it; the
//! conjunctions and AGs at its top are taken apart as in [`super::obligations`].

use super::algebra::{Machine, TwoValued};
use super::checker::Checker;
use super::fixpoint::{Hint, apply};
use super::obligations::Region;
use crate::base::deep;
use crate::dd::Bdd;
use crate::encode::error::Result;
use crate::logic::CtlOp;
use crate::model::{ExprId, FlatModel, Node, Type};
use smv_grammar::ops::{BinOp, UnOp};

/// The operator of a formula node with its operands; `None` for state formulas without temporal
/// operators below.
pub(super) fn operator(model: &FlatModel, e: ExprId) -> Option<(CtlOp, ExprId, Option<ExprId>)> {
    use BinOp::*;
    match *model.pool.node(e) {
        Node::Unary(UnOp::Not, a) => Some((CtlOp::Not, a, None)),
        Node::Unary(op, a) if op.is_ctl() => Some((CtlOp::Temporal(op), a, None)),
        Node::Binary(op @ (And | Or | Xor | Xnor | Implies | Iff), a, b) => {
            Some((CtlOp::Bool(op), a, Some(b)))
        }
        Node::Binary(Eq, a, b) => Some((CtlOp::Bool(Iff), a, Some(b))),
        Node::Binary(Neq, a, b) => Some((CtlOp::Bool(Xor), a, Some(b))),
        Node::Binary(op @ (Eu | Au), a, b) => Some((CtlOp::Until(op), a, Some(b))),
        Node::Bounded { op, lo, hi, a, b } => Some((CtlOp::Bounded { op, lo, hi }, a, b)),
        _ => None,
    }
}

impl Checker<'_> {
    /// Whether a temporal operator occurs in a formula.
    pub fn is_temporal(&self, e: ExprId) -> bool {
        let model = &*self.fsm.model;
        if model.type_of(e) != Type::Bool {
            return false;
        }
        deep(|| match operator(model, e) {
            Some((CtlOp::Temporal(_) | CtlOp::Until(_) | CtlOp::Bounded { .. }, ..)) => true,
            Some((_, a, b)) => self.is_temporal(a) || b.is_some_and(|b| self.is_temporal(b)),
            None => match *model.pool.node(e) {
                Node::Ite(c, a, b) => [c, a, b].into_iter().any(|x| self.is_temporal(x)),
                _ => false,
            },
        })
    }

    /// The states of the care set that satisfy a formula.
    pub fn sat(&self, e: ExprId) -> Result<Bdd> {
        if let Some(known) = self.memo.borrow().get(&e) {
            return Ok(known.clone());
        }
        let value = deep(|| self.compute(e))?;
        self.memo.borrow_mut().insert(e, value.clone());
        Ok(value)
    }

    fn compute(&self, e: ExprId) -> Result<Bdd> {
        if !self.is_temporal(e) {
            return self.leaf(e);
        }
        let algebra = TwoValued(self);
        if let Some((op, a, b)) = operator(&self.fsm.model, e) {
            let a = self.sat(a)?;
            let b = b.map(|b| self.sat(b)).transpose()?;
            return Ok(apply(&algebra, op, &a, b.as_ref(), Hint::NONE)?);
        }
        match *self.fsm.model.pool.node(e) {
            Node::Ite(c, a, b) => Ok(self.sat(c)?.ite(&self.sat(a)?, &self.sat(b)?)?),
            _ => self.leaf(e),
        }
    }

    /// Whether a formula holds at the model.
    pub fn holds(&self, e: ExprId) -> Result<bool> {
        let mut todo = vec![(e, Region::Initial)];
        while let Some((e, region)) = todo.pop() {
            match *self.fsm.model.pool.node(e) {
                Node::Binary(BinOp::And, a, b) if self.is_temporal(e) => {
                    todo.push((b, region));
                    todo.push((a, region));
                }
                Node::Unary(UnOp::Ag, a) if self.reach().is_some() => {
                    todo.push((a, Region::Reachable));
                }
                _ => {
                    let states = match region {
                        Region::Initial => self.fair_init()?,
                        Region::Reachable => self.fair().clone(),
                    };
                    if states.is_zero() || states.leq(&self.sat(e)?) {
                        continue;
                    }
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}
