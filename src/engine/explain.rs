//! Traces that show why a formula holds or fails.
//!
//! A trace is one path. From a state where the formula has its value it is extended by what the
//! outermost operator needs: a step for EX, a shortest path for EU, a fair lasso for EG, and so
//! for the universal operators by duality; then the subformula at its end goes on. As in NuSMV,
//! of `|`, `->` and `<->` the first operand with a path is shown, of a true `&` the second one, and
//! a false `&` or a `xor` ends the trace.

use super::algebra::{Algebra, Machine, TwoValued};
use super::checker::Checker;
use super::fixpoint::{Seed, apply};
use super::paths::{self, Path};
use crate::base::deep;
use crate::dd::Bdd;
use crate::encode::error::Result;
use crate::logic::CtlOp;
use crate::model::{ExprId, Node};
use crate::trace::{Trace, TraceKind};
use smv_grammar::ops::{BinOp, BoundedOp, UnOp};

impl Checker<'_, '_> {
    /// A counterexample to a formula that fails at the model.
    pub fn counterexample(&self, e: ExprId, kind: TraceKind) -> Result<Trace> {
        let invariants = self.invariants(e);
        let path = if invariants.is_empty() {
            let bad = self.fair_init()?.diff(&self.sat(e)?)?;
            let mut path = Path::new(self.fsm.pick_state(&bad)?.unwrap_or(bad));
            self.explain(&mut path, e)?;
            path
        } else {
            let mut good = self.care().clone();
            for &p in &invariants {
                good = good.and(&self.sat(p)?)?;
            }
            let mut path = self.to_violation(&self.fair().diff(&good)?)?;
            if let [p] = invariants[..] {
                self.explain(&mut path, p)?;
            }
            path
        };
        path.trace(self.fsm, kind)
    }

    /// The operands of a formula that is an AG or a conjunction of AGs; else nothing.
    fn invariants(&self, e: ExprId) -> Vec<ExprId> {
        let mut found = Vec::new();
        let mut todo = vec![e];
        while let Some(e) = todo.pop() {
            match *self.fsm.model.pool.node(e) {
                Node::Unary(UnOp::Ag, p) => found.push(p),
                Node::Binary(BinOp::And, a, b) if self.is_temporal(e) => todo.extend([b, a]),
                _ => return Vec::new(),
            }
        }
        found
    }

    /// A path from an initial state to a state of `bad`, shortest from that state.
    fn to_violation(&self, bad: &Bdd) -> Result<Path> {
        let init = self.fair_init()?;
        let first = self.fsm.pick_state(&init)?.unwrap_or_else(|| init.clone());
        if let (Some(reach), true) = (self.reach(), self.fsm.is_single(&init)?)
            && let Some(path) = paths::along_rings(self.fsm, &reach.rings, bad)?
        {
            return Ok(path);
        }
        // Of several initial states the first of those from which the violation can be reached.
        let algebra = TwoValued(self);
        let doomed = apply(&algebra, CtlOp::Temporal(UnOp::Ef), bad, None, Seed::None)?;
        let first = self.fsm.pick_state(&init.and(&doomed)?)?.unwrap_or(first);
        let mut path = Path::new(first);
        self.walk(&mut path, self.care(), bad, 0, Some(&doomed))?;
        Ok(path)
    }

    /// Extends the path by what shows the value of `e` in its last state; whether there was anything
    /// to show.
    fn explain(&self, path: &mut Path, e: ExprId) -> Result<bool> {
        if path.loop_to.is_some() || !self.is_temporal(e) {
            return Ok(false);
        }
        deep(|| self.explain_inner(path, e))
    }

    fn explain_inner(&self, path: &mut Path, e: ExprId) -> Result<bool> {
        use BinOp::*;
        let fails = |e: ExprId| -> Result<Bdd> { Ok(self.care().diff(&self.sat(e)?)?) };
        let everywhere = self.care();
        match *self.fsm.model.pool.node(e) {
            Node::Unary(UnOp::Not, a) => self.explain(path, a),
            Node::Unary(UnOp::Ex, a) => self.next(path, &self.sat(a)?, a),
            Node::Unary(UnOp::Ax, a) => self.next(path, &fails(a)?, a),
            Node::Unary(UnOp::Ef, a) => {
                self.until(path, everywhere, &self.sat(a)?, Some(&self.sat(e)?), a)
            }
            Node::Unary(UnOp::Ag, a) => {
                self.until(path, everywhere, &fails(a)?, Some(&fails(e)?), a)
            }
            Node::Unary(UnOp::Eg, a) => self.lasso(path, &self.sat(a)?),
            Node::Unary(UnOp::Af, a) => self.lasso(path, &fails(a)?),
            Node::Binary(Eu, a, b) => {
                self.until(path, &self.sat(a)?, &self.sat(b)?, Some(&self.sat(e)?), b)
            }
            Node::Binary(Au, a, b) => {
                let not_b = fails(b)?;
                let neither = not_b.diff(&self.sat(a)?)?;
                Ok(self.until(path, &not_b, &neither, Some(&fails(e)?), b)?
                    || self.lasso(path, &not_b)?)
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
        value: Option<&Bdd>,
        part: ExprId,
    ) -> Result<bool> {
        if value.is_some_and(|v| !path.last().leq(v)) {
            return Ok(false);
        }
        let found = self.walk(path, f, &g.and(self.fair())?, 0, value)?;
        if found {
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
