//! Answers of sets of states, from the top of the formula downwards.
//!
//! `some(f, R)` is the set of minterms for which *some* state of R satisfies f. Where the formula
//! allows, the set of states moves forward instead of the pairs moving backward:
//!
//! ```text
//! some(EX f, R) = some(f, image(R) ∩ fair)       some(f | g, R) = some(f, R) ∪ some(g, R)
//! some(EF f, R) = some(f, reach(R) ∩ fair)       some(f & c, R) = some(f, R ∩ c)     c without ?
//! some(?, R)    = ∃ states. R ∧ placeholder      some(E[c U f], R) = some(f, reach_c(R) ∩ fair)
//! ```
//! and dually for AX, AG under a negation. A single state moreover distributes over everything:
//! `some(!f, {s}) = complement of some(f, {s})`. What is left is answered by the bottom-up pass.
//! So reachable states (`EF ?`) from one initial state cost no diagram of pairs, which could be
//! exponential (the transitive closure of the relation).

use super::pass::Pass;
use crate::base::deep;
use crate::dd::{Bdd, DdResult};
use crate::encode::error::Result;
use crate::engine::algebra::Machine;
use crate::engine::ctl::operator;
use crate::engine::reach::closure;
use crate::logic::CtlOp;
use crate::model::{ExprId, Node};
use smv_grammar::ops::{BinOp, UnOp};

impl Pass<'_, '_> {
    /// The minterms for which some state of `region` (within the care set) satisfies `e`, or does not
    /// if `negated`.
    pub fn some(&self, e: ExprId, region: &Bdd, negated: bool) -> Result<Bdd> {
        deep(|| self.some_inner(e, region, negated))
    }

    fn some_inner(&self, e: ExprId, region: &Bdd, negated: bool) -> Result<Bdd> {
        let manager = &self.checker.fsm.manager;
        if region.is_zero() {
            return Ok(manager.zero());
        }
        if !self.shape.holds_placeholder(e) {
            let set = self.checker.sat(e)?;
            let found = if negated {
                !region.leq(&set)
            } else {
                region.intersects(&set)
            };
            return Ok(manager.constant(found));
        }
        if let Some((op, a, b)) = operator(&self.checker.fsm.model, e)
            && let Some(found) = self.forward(op, a, b, region, negated)?
        {
            return Ok(found);
        }
        if *self.checker.fsm.model.pool.node(e) == Node::Placeholder {
            let set = if negated {
                self.placeholder.not()
            } else {
                self.placeholder.clone()
            };
            return self.project(region, &set);
        }
        let pairs = self.sat(e)?;
        self.project(region, &if negated { pairs.not() } else { pairs })
    }

    /// `∃ states. region ∧ pairs`
    pub fn project(&self, region: &Bdd, pairs: &Bdd) -> Result<Bdd> {
        let fsm = self.checker.fsm;
        Ok(pairs.and_exists(region, &fsm.manager.cube(&fsm.state_bits)?)?)
    }

    /// By the rules above; `None` if none applies.
    fn forward(
        &self,
        op: CtlOp,
        a: ExprId,
        b: Option<ExprId>,
        region: &Bdd,
        negated: bool,
    ) -> Result<Option<Bdd>> {
        match (op, b) {
            (CtlOp::Not, _) => return self.some(a, region, !negated).map(Some),
            (CtlOp::Bool(op), Some(b)) => return self.connective(op, a, b, region, negated),
            _ => {}
        }
        if let Some(found) = self.temporal(op, a, b, region, negated)? {
            return Ok(Some(found));
        }
        if self.checker.fsm.is_single(region)? {
            let other = self.temporal(op, a, b, region, !negated)?;
            return Ok(other.map(|found| found.not()));
        }
        Ok(None)
    }

    fn temporal(
        &self,
        op: CtlOp,
        a: ExprId,
        b: Option<ExprId>,
        region: &Bdd,
        negated: bool,
    ) -> Result<Option<Bdd>> {
        let fair = self.checker.fair();
        let target = match (op, negated) {
            (CtlOp::Temporal(UnOp::Ex), false) | (CtlOp::Temporal(UnOp::Ax), true) => {
                return self
                    .some(a, &self.image(region)?.and(fair)?, negated)
                    .map(Some);
            }
            (CtlOp::Temporal(UnOp::Ef), false) | (CtlOp::Temporal(UnOp::Ag), true) => {
                (a, self.reach(region, None)?)
            }
            (CtlOp::Until(BinOp::Eu), false) if !self.shape.holds_placeholder(a) => {
                let through = self.checker.sat(a)?;
                (b.unwrap_or(a), self.reach(region, Some(&through))?)
            }
            _ => return Ok(None),
        };
        self.some(target.0, &target.1.and(fair)?, negated).map(Some)
    }

    fn connective(
        &self,
        op: BinOp,
        a: ExprId,
        b: ExprId,
        region: &Bdd,
        negated: bool,
    ) -> Result<Option<Bdd>> {
        // As a disjunction or conjunction of operands, each negated or not.
        let (disjunction, x, y) = match op {
            BinOp::And => (negated, negated, negated),
            BinOp::Or => (!negated, negated, negated),
            BinOp::Implies => (!negated, !negated, negated),
            _ => return Ok(None),
        };
        if disjunction {
            let found = self.some(a, region, x)?.or(&self.some(b, region, y)?)?;
            return Ok(Some(found));
        }
        for (fixed, not_fixed, rest, not_rest) in [(a, x, b, y), (b, y, a, x)] {
            if !self.shape.holds_placeholder(fixed) {
                let set = self.checker.sat(fixed)?;
                let inside = if not_fixed {
                    region.diff(&set)?
                } else {
                    region.and(&set)?
                };
                return self.some(rest, &inside, not_rest).map(Some);
            }
        }
        if self.checker.fsm.is_single(region)? {
            let found = self.some(a, region, x)?.and(&self.some(b, region, y)?)?;
            return Ok(Some(found));
        }
        Ok(None)
    }

    /// Successors within the care set.
    fn image(&self, states: &Bdd) -> DdResult<Bdd> {
        self.checker.fsm.image(states)?.and(self.checker.care())
    }

    /// `region` and what can be reached from it, all states but the last being in `through`.
    fn reach(&self, region: &Bdd, through: Option<&Bdd>) -> Result<Bdd> {
        if let (Some(reach), None) = (self.checker.reach(), through)
            && self.checker.fsm.init.leq(region)
        {
            return Ok(reach.reached.clone());
        }
        let reached = closure(region.clone(), |front| match through {
            Some(set) => self.image(&front.and(set)?),
            None => self.image(front),
        })?;
        Ok(reached)
    }
}
