//! Traces that show why a formula holds or fails.
//!
//! A trace is one path. Starting at a state where the formula has the value to be shown, it is
//! extended by what the outermost operator needs (a step for EX, a shortest path for EU, a fair
//! lasso for EG; the universal operators by duality), and goes on with the subformula at its end, if
//! that needs a path too (Clarke, Grumberg, McMillan, Zhao, DAC 1995). Values that hold on all
//! paths (a true AG, a false EF) need no path: the trace stays where it is.

use super::algebra::{Algebra, Machine, TwoValued};
use super::checker::Checker;
use crate::base::deep;
use crate::dd::{Bdd, DdResult};
use crate::encode::error::Result;
use crate::model::{ExprId, Node};
use crate::trace::{Step, Trace, TraceKind};
use smv_grammar::ops::{BinOp, BoundedOp, UnOp};

/// A path of single states, with the steps allowed between them (for inputs).
struct Path {
    states: Vec<Bdd>,
    /// Constraint on states and inputs of the step to state i + 1, if the path relies on one.
    steps: Vec<Option<Bdd>>,
    loop_to: Option<usize>,
}

impl Path {
    fn last(&self) -> &Bdd {
        self.states.last().expect("a path has a first state")
    }

    fn push(&mut self, state: Bdd, step: Option<Bdd>) {
        self.states.push(state);
        self.steps.push(step);
    }
}

impl Checker<'_, '_> {
    /// A counterexample to a formula that fails at the model.
    pub fn counterexample(&self, e: ExprId, kind: TraceKind) -> Result<Trace> {
        let mut path = match self.unreachable_start(e)? {
            Some(path) => path,
            None => {
                let bad = self.fair_init()?.diff(&self.sat(e)?)?;
                self.start(&bad)?
            }
        };
        // `unreachable_start` went to where the operand of AG fails; from there its parts explain.
        let target = self.under_ag(e, path.states.len());
        self.explain(&mut path, target, false)?;
        self.trace(&path, kind)
    }

    /// For a top-level AG over reachable states: a shortest path to a state where its operand fails.
    fn unreachable_start(&self, e: ExprId) -> Result<Option<Path>> {
        let (Node::Unary(UnOp::Ag, a), Some(reach)) = (self.fsm.model.pool.node(e), self.reach())
        else {
            return Ok(None);
        };
        let bad = self.fair().diff(&self.sat(*a)?)?;
        match self.path_from_init(&reach.rings, &bad)? {
            Some(states) => {
                let steps = vec![None; states.len() - 1];
                Ok(Some(Path {
                    states,
                    steps,
                    loop_to: None,
                }))
            }
            None => Ok(None),
        }
    }

    /// The formula to explain at the end of the first path.
    fn under_ag(&self, e: ExprId, _length: usize) -> ExprId {
        match self.fsm.model.pool.node(e) {
            Node::Unary(UnOp::Ag, a) if self.reach().is_some() => *a,
            _ => e,
        }
    }

    /// A shortest path along the rings to a state of `goal`.
    pub fn path_from_init(&self, rings: &[Bdd], goal: &Bdd) -> DdResult<Option<Vec<Bdd>>> {
        let Some(depth) = rings.iter().position(|r| r.intersects(goal)) else {
            return Ok(None);
        };
        let pick = |set: &Bdd| {
            self.fsm
                .pick_state(set)
                .map(|s| s.unwrap_or_else(|| set.clone()))
        };
        let mut path = vec![pick(&rings[depth].and(goal)?)?];
        for ring in rings[..depth].iter().rev() {
            let before = self.fsm.preimage(&path[path.len() - 1])?.and(ring)?;
            path.push(pick(&before)?);
        }
        path.reverse();
        Ok(Some(path))
    }

    fn start(&self, set: &Bdd) -> Result<Path> {
        let state = self.fsm.pick_state(set)?.unwrap_or_else(|| set.clone());
        Ok(Path {
            states: vec![state],
            steps: Vec::new(),
            loop_to: None,
        })
    }

    /// Extends the path by what shows that `e` has the value `value` in its last state.
    fn explain(&self, path: &mut Path, e: ExprId, value: bool) -> Result<()> {
        if path.loop_to.is_some() || !self.is_temporal(e) {
            return Ok(());
        }
        deep(|| self.explain_inner(path, e, value))
    }

    fn explain_inner(&self, path: &mut Path, e: ExprId, value: bool) -> Result<()> {
        use BinOp::*;
        let algebra = TwoValued(self);
        let side = |e: ExprId, value: bool| -> Result<Bdd> {
            let sat = self.sat(e)?;
            Ok(if value { sat } else { algebra.not(&sat)? })
        };
        match *self.fsm.model.pool.node(e) {
            Node::Unary(UnOp::Not, a) => self.explain(path, a, !value),
            Node::Unary(UnOp::Ex, a) if value => self.step_to(path, a, true),
            Node::Unary(UnOp::Ax, a) if !value => self.step_to(path, a, false),
            Node::Unary(UnOp::Ef, a) if value => {
                self.until(path, self.care(), &side(a, true)?)?;
                self.explain(path, a, true)
            }
            Node::Unary(UnOp::Ag, a) if !value => {
                self.until(path, self.care(), &side(a, false)?)?;
                self.explain(path, a, false)
            }
            Node::Unary(UnOp::Eg, a) if value => self.lasso(path, &side(a, true)?),
            Node::Unary(UnOp::Af, a) if !value => self.lasso(path, &side(a, false)?),
            Node::Binary(Eu, a, b) if value => {
                self.until(path, &side(a, true)?, &side(b, true)?)?;
                self.explain(path, b, true)
            }
            Node::Binary(Au, a, b) if !value => {
                let not_b = side(b, false)?;
                let neither = side(a, false)?.and(&not_b)?;
                if self.until(path, &not_b, &neither)? {
                    let part = if self.is_temporal(a) { a } else { b };
                    self.explain(path, part, false)
                } else {
                    self.lasso(path, &not_b)
                }
            }
            Node::Binary(And, a, b) => self.either(path, &[(a, value), (b, value)], value),
            Node::Binary(Or, a, b) => self.either(path, &[(a, value), (b, value)], !value),
            Node::Binary(Implies, a, b) => self.either(path, &[(a, !value), (b, value)], !value),
            Node::Binary(Xor | Xnor | Iff | Eq | Neq, a, b) => {
                let at = path.last().clone();
                let now = |e| -> Result<bool> { Ok(at.leq(&self.sat(e)?)) };
                let (x, y) = (now(a)?, now(b)?);
                self.either(path, &[(a, x), (b, y)], true)
            }
            Node::Ite(c, a, b) => {
                let branch = if path.last().leq(&self.sat(c)?) { a } else { b };
                self.explain(path, branch, value)
            }
            Node::Bounded { op, lo, hi, a, b } => self.bounded(path, op, (lo, hi), a, b, value),
            _ => Ok(()),
        }
    }

    /// Explains parts that have the given values in the last state: the first that does and needs
    /// a path, or, where `all` must have theirs, one after the other as long as the path stays.
    fn either(&self, path: &mut Path, parts: &[(ExprId, bool)], all: bool) -> Result<()> {
        let at = path.last().clone();
        let length = path.states.len();
        for &(e, value) in parts {
            if at.leq(&self.sat(e)?) == value && path.states.len() == length {
                self.explain(path, e, value)?;
                if !all {
                    break;
                }
            }
        }
        Ok(())
    }

    /// One step to a fair state where `e` has a value, explained there.
    fn step_to(&self, path: &mut Path, e: ExprId, value: bool) -> Result<()> {
        let sat = self.sat(e)?;
        let goal = if value {
            sat.and(self.fair())?
        } else {
            self.fair().diff(&sat)?
        };
        if let Some(next) = self.successor(path.last(), &goal)? {
            path.push(next, None);
            self.explain(path, e, value)?;
        }
        Ok(())
    }

    /// A successor in `goal`.
    fn successor(&self, state: &Bdd, goal: &Bdd) -> Result<Option<Bdd>> {
        Ok(self.fsm.pick_state(&self.fsm.image(state)?.and(goal)?)?)
    }

    /// A shortest path through `f` to a fair state of `g`; false if there is none.
    fn until(&self, path: &mut Path, f: &Bdd, g: &Bdd) -> Result<bool> {
        let goal = g.and(self.fair())?;
        self.walk(path, f, &goal)
    }

    /// A shortest path through `f` to `goal`, appended; false if there is none.
    fn walk(&self, path: &mut Path, f: &Bdd, goal: &Bdd) -> Result<bool> {
        let algebra = TwoValued(self);
        let at = path.last().clone();
        // layers[i]: states at distance i from the goal, up to the one with the current state
        let mut layers = vec![goal.clone()];
        let mut reached = goal.clone();
        while !at.leq(&reached) {
            let front = layers.last().expect("never empty");
            let layer = algebra.pre(front)?.and(f)?.diff(&reached)?;
            if layer.is_zero() {
                return Ok(false);
            }
            reached = reached.or(&layer)?;
            layers.push(layer);
        }
        layers.pop();
        while let Some(layer) = layers.pop() {
            let Some(next) = self.successor(path.last(), &layer)? else {
                return Ok(false);
            };
            path.push(next, None);
        }
        Ok(true)
    }

    /// A lasso within `f` that meets every justice constraint: a witness of EG.
    fn lasso(&self, path: &mut Path, f: &Bdd) -> Result<()> {
        let algebra = TwoValued(self);
        let core = super::fixpoint::eg(&algebra, f, super::fixpoint::Seed::None)?;
        if !path.last().leq(&core) {
            return Ok(());
        }
        loop {
            let start = path.states.len() - 1;
            let anchor = path.last().clone();
            let mut missing: Vec<usize> = (0..self.justice()).collect();
            // Visit each constraint: go to a state with a step in the core that satisfies it, take it.
            while let Some(&j) = missing.first() {
                let sources = self.pre_just(j, &core)?.and(&core)?;
                if !self.walk(path, &core, &sources)? {
                    return Ok(());
                }
                let justice = &self.fsm.justice[j];
                let at = path.last().clone();
                let next = if justice.reads_inputs {
                    self.step_under(&at, &justice.set, &core)?
                } else {
                    self.successor(&at, &core)?
                };
                let Some(next) = next else { return Ok(()) };
                let step = justice.reads_inputs.then(|| justice.set.clone());
                path.push(next, step);
                missing.retain(|&k| k != j);
            }
            if path.states.len() == start + 1 {
                // No constraint: any step within the core.
                let Some(next) = self.successor(path.last(), &core)? else {
                    return Ok(());
                };
                path.push(next, None);
            }
            if *path.last() == anchor || self.walk(path, &core, &anchor)? {
                path.loop_to = Some(start);
                return Ok(());
            }
            // The anchor cannot be reached again, so the path left its component for a later one.
        }
    }

    /// A successor in `goal` under the inputs of `steps`.
    fn step_under(&self, state: &Bdd, steps: &Bdd, goal: &Bdd) -> Result<Option<Bdd>> {
        let from = state.and(steps)?;
        Ok(self.fsm.pick_state(&self.fsm.image(&from)?.and(goal)?)?)
    }

    /// Bounded operators: a path of the right length. `BU` and universal forms by their duals.
    fn bounded(
        &self,
        path: &mut Path,
        op: BoundedOp,
        (lo, hi): (u32, u32),
        a: ExprId,
        b: Option<ExprId>,
        value: bool,
    ) -> Result<()> {
        use BoundedOp::*;
        let algebra = TwoValued(self);
        let negated = |e: ExprId| -> Result<Bdd> { Ok(algebra.not(&self.sat(e)?)?) };
        // What each of the `hi` steps keeps to, and where the path may end from step `lo` on.
        let (through, goal, always) = match (op, value, b) {
            (Ebf, true, _) => (self.care().clone(), self.sat(a)?, false),
            (Abg, false, _) => (self.care().clone(), negated(a)?, false),
            (Ebg, true, _) => (self.care().clone(), self.sat(a)?, true),
            (Abf, false, _) => (self.care().clone(), negated(a)?, true),
            (Ebu, true, Some(b)) => (self.sat(a)?, self.sat(b)?, false),
            _ => return Ok(()),
        };
        // stay[k]: states from which a path of k more steps does what is left to do
        let fair_goal = goal.and(self.fair())?;
        let mut stay = vec![fair_goal.clone()];
        for _ in lo..hi {
            let last = stay.last().expect("never empty");
            let next = algebra.pre(last)?;
            stay.push(if always {
                next.and(&goal)?
            } else {
                next.and(&through)?.or(&fair_goal)?
            });
        }
        for _ in 0..lo {
            let next = algebra
                .pre(stay.last().expect("never empty"))?
                .and(&through)?;
            stay.push(next);
        }
        let mut taken = 0;
        while let Some(here) = stay.pop() {
            let at = path.last().clone();
            if !at.leq(&here) || (!always && taken >= lo && at.leq(&fair_goal)) {
                break;
            }
            let Some(next) = stay.last() else { break };
            let Some(next) = self.successor(&at, next)? else {
                break;
            };
            path.push(next, None);
            taken += 1;
        }
        Ok(())
    }

    /// The trace of a path.
    fn trace(&self, path: &Path, kind: TraceKind) -> Result<Trace> {
        let nothing = || vec![None; self.fsm.model.vars.len()];
        let mut steps = Vec::with_capacity(path.states.len());
        for (i, state) in path.states.iter().enumerate() {
            let input = if i == 0 {
                nothing()
            } else {
                let one = self.fsm.manager.one();
                let allowed = path.steps[i - 1].as_ref().unwrap_or(&one);
                self.fsm.input_values(&path.states[i - 1], state, allowed)?
            };
            steps.push(Step {
                state: self.fsm.state_values(state),
                input,
            });
        }
        Ok(Trace {
            kind,
            steps,
            loop_to: path.loop_to,
        })
    }

    /// The trace of a path of single states, the last step under `last`.
    pub(super) fn trace_of(
        &self,
        states: Vec<Bdd>,
        last: Option<Bdd>,
        kind: TraceKind,
    ) -> Result<Trace> {
        let mut steps = vec![None; states.len().saturating_sub(1)];
        if let Some(s) = steps.last_mut() {
            *s = last;
        }
        self.trace(
            &Path {
                states,
                steps,
                loop_to: None,
            },
            kind,
        )
    }
}
