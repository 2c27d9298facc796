//! Traces that show why a formula holds or fails.
//!
//! A trace is one path. From a state where the formula has its value it is extended by what the
//! outermost operator needs: a step for EX, a shortest path for EU, a fair lasso for EG, and so
//! for the universal operators by duality; then the subformula at its end goes on. As in NuSMV,
//! of `|`, `->` and `<->` the first operand with a path is shown, of a true `&` the second one, and
//! a false `&` or a `xor` ends the trace; AGs in conjunctions are taken together.

use super::algebra::{Algebra, Machine, TwoValued};
use super::checker::Checker;
use super::fixpoint::{Hint, apply};
use super::paths::{self, Path};
use super::reach::Reach;
use crate::base::deep;
use crate::dd::Bdd;
use crate::encode::error::Result;
use crate::logic::CtlOp;
use crate::model::{ExprId, Node};
use crate::trace::{Trace, TraceKind};
use smv_grammar::ops::{BinOp, BoundedOp, UnOp};

/// Table lookups of a search backwards, after which a search forwards takes over.
const BACKWARDS: u64 = 10_000_000;

impl Checker<'_> {
    /// A counterexample to a formula that fails at the model.
    pub fn counterexample(&self, e: ExprId, kind: TraceKind) -> Result<Trace> {
        let invariants = self.invariants(e);
        let path = if invariants.is_empty() {
            let bad = self.fair_init()?.diff(&self.sat(e)?)?;
            let mut path = Path::new(self.fsm.pick_state(&bad)?.unwrap_or(bad));
            self.explain(&mut path, e)?;
            path
        } else {
            let bad = self.violations(&invariants)?;
            let mut path = self.to_violation(&self.fair().and(&bad)?)?;
            if let [p] = invariants[..] {
                self.explain(&mut path, p)?;
            }
            path
        };
        path.trace(self.fsm, kind)
    }

    /// The parts that must hold everywhere, of an AG, of a conjunction of AGs, and of AGs in the
    /// conjunction under an AG; nothing for other formulas.
    pub(super) fn invariants(&self, e: ExprId) -> Vec<ExprId> {
        let parts = self.conjuncts(e).into_iter();
        let invariants: Option<Vec<ExprId>> = parts
            .map(|(everywhere, p)| everywhere.then_some(p))
            .collect();
        invariants.unwrap_or_default()
    }

    /// A formula as a conjunction, taken apart at the top and under AG (`AG AG p` is `AG p`):
    /// `(true, p)` for `AG p`, `(false, p)` for others. State formulas stay whole.
    pub(super) fn conjuncts(&self, e: ExprId) -> Vec<(bool, ExprId)> {
        let mut found = Vec::new();
        let mut todo = vec![(false, e)];
        while let Some((everywhere, e)) = todo.pop() {
            match *self.fsm.model.pool.node(e) {
                Node::Unary(UnOp::Ag, p) => todo.push((true, p)),
                Node::Binary(BinOp::And, a, b) if self.fsm.model.pool.is_temporal(e) => {
                    todo.extend([(everywhere, b), (everywhere, a)]);
                }
                _ => found.push((everywhere, e)),
            }
        }
        found
    }

    /// Where one of the parts fails.
    fn violations(&self, invariants: &[ExprId]) -> Result<Bdd> {
        let mut good = self.care().clone();
        for &p in invariants {
            good = good.and(&self.sat(p)?)?;
        }
        Ok(self.care().diff(&good)?)
    }

    /// A path from an initial state to a state of `bad`, shortest from that state.
    fn to_violation(&self, bad: &Bdd) -> Result<Path> {
        let init = self.fair_init()?;
        let single = self.fsm.is_single(&init)?;
        if let (Some(reach), true) = (self.reach(), single)
            && let Some(path) = paths::along_rings(self.fsm, &reach.rings, bad)?
        {
            return Ok(path);
        }
        // Of several initial states the first of those from which the violation can be reached.
        let doomed = if single {
            None
        } else {
            let (algebra, ef) = (TwoValued(self), CtlOp::Temporal(UnOp::Ef));
            let search = || apply(&algebra, ef, bad, None, Hint::NONE);
            self.fsm.manager.with_budget(BACKWARDS, search)?
        };
        let Some(doomed) = doomed else {
            return self.path_from_any_initial_state(bad);
        };
        let start = init.and(&doomed)?;
        let mut path = Path::new(self.fsm.pick_state(&start)?.unwrap_or(start));
        self.walk(&mut path, self.care(), bad, 0, Some(&doomed))?;
        Ok(path)
    }

    /// A path from an initial state to a state of `bad`, shortest of all.
    fn path_from_any_initial_state(&self, bad: &Bdd) -> Result<Path> {
        let mut reach = Reach::new(self.fsm);
        reach.leads_to(self.fsm, bad)?;
        let path = paths::along_rings(self.fsm, &reach.rings, bad)?;
        Ok(path.expect("the violation can be reached"))
    }

    /// Extends the path by what shows the value of `e` in its last state; whether there was anything
    /// to show.
    fn explain(&self, path: &mut Path, e: ExprId) -> Result<bool> {
        if path.loop_to.is_some() || !self.fsm.model.pool.is_temporal(e) {
            return Ok(false);
        }
        deep(|| self.explain_inner(path, e))
    }

    fn explain_inner(&self, path: &mut Path, e: ExprId) -> Result<bool> {
        use BinOp::*;
        let fails = |e: ExprId| -> Result<Bdd> { Ok(self.care().diff(&self.sat(e)?)?) };
        let everywhere = self.care();
        let invariants = self.invariants(e);
        if !invariants.is_empty() {
            let bad = self.violations(&invariants)?;
            // A false conjunction is not explained.
            let part = if let [p] = invariants[..] {
                Some(p)
            } else {
                None
            };
            return self.until(path, everywhere, &bad, &fails(e)?, part);
        }
        match *self.fsm.model.pool.node(e) {
            Node::Unary(UnOp::Not, a) => self.explain(path, a),
            Node::Unary(UnOp::Ex, a) => self.next(path, &self.sat(a)?, a),
            Node::Unary(UnOp::Ax, a) => self.next(path, &fails(a)?, a),
            Node::Unary(UnOp::Ef, a) => {
                self.until(path, everywhere, &self.sat(a)?, &self.sat(e)?, Some(a))
            }
            Node::Unary(UnOp::Eg, _) => self.lasso_in(path, &self.sat(e)?),
            Node::Unary(UnOp::Af, _) => self.lasso_in(path, &fails(e)?),
            Node::Binary(Eu, a, b) => {
                self.until(path, &self.sat(a)?, &self.sat(b)?, &self.sat(e)?, Some(b))
            }
            Node::Binary(Au, a, b) => {
                let not_b = fails(b)?;
                let neither = not_b.diff(&self.sat(a)?)?;
                if !self.walk(
                    path,
                    &not_b,
                    &neither.and(self.fair())?,
                    0,
                    Some(&fails(e)?),
                )? {
                    return self.lasso(path, &not_b);
                }
                let before = path.len();
                if self.explain(path, b)? && path.len() == before {
                    self.explain(path, a)?;
                }
                Ok(true)
            }
            Node::Binary(And, _, b) => Ok(path.last().leq(&self.sat(e)?) && self.explain(path, b)?),
            Node::Binary(Or | Implies | Iff | Xnor | Eq, a, b) => {
                Ok(self.explain(path, a)? || self.explain(path, b)?)
            }
            Node::Ite(c, a, b) => {
                let branch = if path.last().leq(&self.sat(c)?) { a } else { b };
                self.explain(path, branch)
            }
            Node::Bounded { op, lo, hi, a, b } => {
                let holds = path.last().leq(&self.sat(e)?);
                self.bounded(path, op, (lo, hi), a, b, holds)
            }
            _ => Ok(false),
        }
    }

    /// One step to a fair state of `goal`, where `part` is explained.
    fn next(&self, path: &mut Path, goal: &Bdd, part: ExprId) -> Result<bool> {
        let found = self.step(path, &goal.and(self.fair())?)?;
        if found {
            self.explain(path, part)?;
        }
        Ok(found)
    }

    /// A shortest path through `f` to a fair state of `g`, where `part` is explained. `value` are
    /// the states with such a path.
    fn until(
        &self,
        path: &mut Path,
        f: &Bdd,
        g: &Bdd,
        value: &Bdd,
        part: Option<ExprId>,
    ) -> Result<bool> {
        if !path.last().leq(value) {
            return Ok(false);
        }
        let found = self.walk(path, f, &g.and(self.fair())?, 0, Some(value))?;
        if let (true, Some(part)) = (found, part) {
            self.explain(path, part)?;
        }
        Ok(found)
    }

    /// A path that shows that an existential bounded operator holds or a universal one fails.
    fn bounded(
        &self,
        path: &mut Path,
        op: BoundedOp,
        (lo, hi): (u32, u32),
        a: ExprId,
        b: Option<ExprId>,
        holds: bool,
    ) -> Result<bool> {
        use BoundedOp::*;
        let algebra = TwoValued(self);
        let fails = |e: ExprId| -> Result<Bdd> { Ok(algebra.not(&self.sat(e)?)?) };
        let everywhere = self.care().clone();
        // What each step keeps to, where the path may end from step `lo` on, and whether it must
        // stay there to the end.
        let (through, goal, always, part) = match (op, holds, b) {
            (Ebf, true, _) => (everywhere, self.sat(a)?, false, a),
            (Abg, false, _) => (everywhere, fails(a)?, false, a),
            (Ebg, true, _) => (everywhere, self.sat(a)?, true, a),
            (Abf, false, _) => (everywhere, fails(a)?, true, a),
            (Ebu, true, Some(b)) => (self.sat(a)?, self.sat(b)?, false, b),
            _ => return Ok(false),
        };
        // stay[k]: states from which a path of k more steps does what is left to do
        let goal = goal.and(self.fair())?;
        let mut stay = vec![goal.clone()];
        for k in 0..hi {
            let next = algebra.pre(&stay[k as usize])?;
            stay.push(match (k < hi - lo, always) {
                (true, true) => next.and(&goal)?,
                (true, false) => next.and(&through)?.or(&goal)?,
                (false, _) => next.and(&through)?,
            });
        }
        let mut taken = 0;
        while taken < hi && (always || taken < lo || !path.last().leq(&goal)) {
            taken += 1;
            if !self.step(path, &stay[(hi - taken) as usize])? {
                return Ok(false);
            }
        }
        if !always {
            self.explain(path, part)?;
        }
        Ok(true)
    }
}
