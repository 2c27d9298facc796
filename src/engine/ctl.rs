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
use crate::model::{ExprId, FlatModel, Node};
use smv_grammar::ops::{BinOp, UnOp};
use std::cell::RefCell;
use std::collections::HashMap;

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

/// The kept value of a formula, or the one computed now.
pub(super) fn kept(
    memo: &RefCell<HashMap<ExprId, Bdd>>,
    e: ExprId,
    compute: impl FnOnce() -> Result<Bdd>,
) -> Result<Bdd> {
    if let Some(known) = memo.borrow().get(&e) {
        return Ok(known.clone());
    }
    let value = deep(compute)?;
    memo.borrow_mut().insert(e, value.clone());
    Ok(value)
}

impl Checker<'_> {
    /// The states of the care set that satisfy a formula.
    pub fn sat(&self, e: ExprId) -> Result<Bdd> {
        kept(&self.memo, e, || self.compute(e))
    }

    fn compute(&self, e: ExprId) -> Result<Bdd> {
        if !self.fsm.model.pool.is_temporal(e) {
            return self.leaf(e);
        }
        if let Some(value) = self.of_operands(e, |e| self.sat(e))? {
            return Ok(value);
        }
        match *self.fsm.model.pool.node(e) {
            Node::Ite(c, a, b) => Ok(self.sat(c)?.ite(&self.sat(a)?, &self.sat(b)?)?),
            _ => self.leaf(e),
        }
    }

    /// The value of an operator from those of its operands; `None` for state formulas.
    pub(super) fn of_operands(
        &self,
        e: ExprId,
        sat: impl Fn(ExprId) -> Result<Bdd>,
    ) -> Result<Option<Bdd>> {
        let Some((op, a, b)) = operator(&self.fsm.model, e) else {
            return Ok(None);
        };
        let a = sat(a)?;
        let b = b.map(sat).transpose()?;
        let value = apply(&TwoValued(self), op, &a, b.as_ref(), Hint::NONE)?;
        Ok(Some(value))
    }

    /// Whether a formula holds at the model.
    pub fn holds(&self, e: ExprId) -> Result<bool> {
        let mut todo = vec![(e, Region::Initial)];
        while let Some((e, region)) = todo.pop() {
            match *self.fsm.model.pool.node(e) {
                Node::Binary(BinOp::And, a, b) if self.fsm.model.pool.is_temporal(e) => {
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
