//! Paths of single states: shortest walks and fair lassos.
//!
//! A walk is found forwards, ring by ring, and its states are then chosen from the end backwards; a
//! lasso visits the justice constraints one after the other and closes with a shortest cycle
//! (Clarke, Grumberg, McMillan, Zhao, "Efficient generation of counterexamples and witnesses in
//! symbolic model checking", DAC 1995). The orders of choice are NuSMV's, so that most traces come
//! out the same.

use super::algebra::{Machine, TwoValued};
use super::checker::Checker;
use super::compassion::recurring;
use super::fixpoint::{self, Hint};
use super::reach::closure;
use crate::dd::{Bdd, DdResult};
use crate::encode::BddFsm;
use crate::encode::error::Result;
use crate::encode::fsm::Justice;
use crate::trace::{Step, Trace, TraceKind};

/// States as cubes, with what is known of the steps between them.
#[derive(Clone)]
pub struct Path {
    states: Vec<Bdd>,
    /// Before each state: a set of states, inputs and next states that the step into it is in.
    steps: Vec<Option<Bdd>>,
    /// The state that the last one repeats.
    pub loop_to: Option<usize>,
}

impl Path {
    /// A path of one state.
    pub fn new(first: Bdd) -> Path {
        Path {
            states: vec![first],
            steps: vec![None],
            loop_to: None,
        }
    }

    /// The state at its end.
    pub fn last(&self) -> &Bdd {
        self.states.last().expect("a path has a first state")
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// A path has at least one state.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Appends a state; `step` is a set of states, inputs and next states that the step into it is in.
    pub fn push(&mut self, state: Bdd, step: Option<Bdd>) {
        self.states.push(state);
        self.steps.push(step);
    }

    /// The trace, with inputs for its steps.
    pub fn trace(&self, fsm: &BddFsm, kind: TraceKind) -> Result<Trace> {
        let one = fsm.manager.one();
        let mut steps = Vec::with_capacity(self.states.len());
        for (i, state) in self.states.iter().enumerate() {
            let input = match i.checked_sub(1) {
                None => Vec::new(),
                Some(before) => {
                    let allowed = self.steps[i].as_ref().unwrap_or(&one);
                    fsm.input_values(&self.states[before], state, allowed)?
                }
            };
            steps.push(Step {
                state: fsm.state_values(state),
                input,
            });
        }
        Ok(Trace::new(kind, steps, self.loop_to))
    }
}

/// Where a walk may go.
struct Ways<'a> {
    /// The states before the last one.
    through: &'a Bdd,
    /// All states but the first.
    within: Option<&'a Bdd>,
    /// Of states and inputs.
    steps: Option<&'a Bdd>,
}

impl<'a> Ways<'a> {
    fn inside(states: &'a Bdd, steps: Option<&'a Bdd>) -> Self {
        Ways {
            through: states,
            within: Some(states),
            steps,
        }
    }
}

/// A shortest path along onion rings to a state of `goal`; none if no ring meets it.
pub fn along_rings(fsm: &BddFsm, rings: &[Bdd], goal: &Bdd) -> Result<Option<Path>> {
    let Some(depth) = rings.iter().position(|r| r.intersects(goal)) else {
        return Ok(None);
    };
    let end = rings[depth].and(goal)?;
    let mut states = backwards(fsm, &rings[..depth], &end, None)?.into_iter();
    let Some(first) = states.next() else {
        return Ok(None);
    };
    let mut path = Path::new(first);
    states.for_each(|s| path.push(s, None));
    Ok(Some(path))
}

/// Successors, by the steps in `steps`.
fn successors(fsm: &BddFsm, states: &Bdd, steps: Option<&Bdd>) -> DdResult<Bdd> {
    match steps {
        Some(steps) => fsm.image_under(steps, states),
        None => fsm.image(states),
    }
}

/// Predecessors, by the steps in `steps`.
fn predecessors(fsm: &BddFsm, states: &Bdd, steps: Option<&Bdd>) -> DdResult<Bdd> {
    match steps {
        Some(steps) => fsm.preimage_under(steps, states),
        None => fsm.preimage(states),
    }
}

/// One state of each ring and one of `end`, each a successor of the one before (by a step in `steps`);
/// chosen from the end backwards.
fn backwards(fsm: &BddFsm, rings: &[Bdd], end: &Bdd, steps: Option<&Bdd>) -> Result<Vec<Bdd>> {
    let mut states = Vec::with_capacity(rings.len() + 1);
    states.extend(fsm.pick_state(end)?);
    for ring in rings.iter().rev() {
        let Some(after) = states.last() else { break };
        let before = predecessors(fsm, after, steps)?.and(ring)?;
        states.extend(fsm.pick_state(&before)?);
    }
    states.reverse();
    Ok(states)
}

/// What one or more steps lead to from `from` within `within`.
fn beyond(from: &Bdd, within: &Bdd, step: impl Fn(&Bdd) -> DdResult<Bdd>) -> DdResult<Bdd> {
    let inside = |states: &Bdd| step(states)?.and(within);
    closure(inside(from)?, inside)
}

impl Checker<'_> {
    /// One step to a state of `goal`; whether there is one.
    pub(super) fn step(&self, path: &mut Path, goal: &Bdd) -> Result<bool> {
        let successors = self.fsm.image(path.last())?.and(goal)?;
        let Some(next) = self.fsm.pick_state(&successors)? else {
            return Ok(false);
        };
        path.push(next, None);
        Ok(true)
    }

    /// A shortest path of at least `least` steps (0 or 1) to `goal`, all states before which are in
    /// `through`; whether there is one. States outside `within`, if given, lead nowhere.
    pub(super) fn walk(
        &self,
        path: &mut Path,
        through: &Bdd,
        goal: &Bdd,
        least: usize,
        within: Option<&Bdd>,
    ) -> Result<bool> {
        let ways = Ways {
            through,
            within,
            steps: None,
        };
        self.walk_by(path, &ways, goal, least)
    }

    fn walk_by(&self, path: &mut Path, ways: &Ways, goal: &Bdd, least: usize) -> Result<bool> {
        let first = path.last().clone();
        if least == 0 && first.intersects(goal) {
            return Ok(true);
        }
        let mut seen = if least == 0 {
            first.clone()
        } else {
            self.fsm.manager.zero()
        };
        let mut front = first;
        let mut rings = Vec::new();
        let end = loop {
            let from = front.and(ways.through)?;
            let mut ring = successors(self.fsm, &from, ways.steps)?.diff(&seen)?;
            if let Some(within) = ways.within {
                ring = ring.and(within)?;
            }
            rings.push(from);
            if ring.is_zero() {
                return Ok(false);
            }
            if ring.intersects(goal) {
                break ring.and(goal)?;
            }
            seen = seen.or(&ring)?;
            front = ring;
        };
        let states = backwards(self.fsm, &rings, &end, ways.steps)?;
        for state in states.into_iter().skip(1) {
            path.push(state, ways.steps.cloned());
        }
        Ok(true)
    }

    /// A lasso within `f` that meets every justice constraint; whether there is one from here.
    pub(super) fn lasso(&self, path: &mut Path, f: &Bdd) -> Result<bool> {
        let core = fixpoint::eg(&TwoValued(self), f, Hint::NONE)?;
        self.lasso_in(path, &core)
    }

    /// A lasso that meets every justice constraint within `core`, the states that start a fair path
    /// within `core`.
    pub(super) fn lasso_in(&self, path: &mut Path, core: &Bdd) -> Result<bool> {
        if !path.last().leq(core) {
            return Ok(false);
        }
        if !self.compassion().is_empty() {
            return self.compassionate_lasso(path, core);
        }
        loop {
            let start = path.len() - 1;
            let anchor = path.last().clone();
            for j in self.justice().iter().rev() {
                self.visit(path, j, core, None)?;
            }
            if self.walk(path, core, &anchor, 1, Some(core))? {
                path.loop_to = Some(start);
                return Ok(true);
            }
            // There is no way back, so the rest of the path is in a later component.
            if !self.step(path, core)? {
                return Ok(false);
            }
        }
    }

    /// The same where there are compassion constraints: the loop goes through a terminal component
    /// of the states that recur, where each constraint can be fulfilled.
    fn compassionate_lasso(&self, path: &mut Path, core: &Bdd) -> Result<bool> {
        let recurring = recurring(&TwoValued(self), core, None)?;
        let steps = recurring.steps.as_ref();
        if !self.walk(path, core, &recurring.states, 0, Some(core))? {
            return Ok(false);
        }
        let ways = Ways::inside(&recurring.states, steps);
        let component = loop {
            let ahead = beyond(path.last(), ways.through, |s| {
                successors(self.fsm, s, steps)
            })?;
            let behind = beyond(path.last(), &ahead, |s| predecessors(self.fsm, s, steps))?;
            let lost = ahead.diff(&behind)?;
            if lost.is_zero() {
                break ahead;
            }
            // There is no way back from there, so it is nearer to a terminal component.
            self.walk_by(path, &ways, &lost, 1)?;
        };
        self.close_within(path, &component, steps)
    }

    /// A loop from the last state through a component (of the graph of `steps`) that meets all
    /// fairness constraints.
    pub(super) fn close_within(
        &self,
        path: &mut Path,
        component: &Bdd,
        steps: Option<&Bdd>,
    ) -> Result<bool> {
        let start = path.len() - 1;
        let anchor = path.last().clone();
        for j in self.justice().iter().rev() {
            self.visit(path, j, component, steps)?;
        }
        for (p, q) in self.compassion() {
            let met = match steps {
                Some(steps) => component.and(&p.set)?.intersects(steps),
                None => component.intersects(&p.set),
            };
            if met {
                self.visit(path, q, component, steps)?;
            }
        }
        let closed = self.walk_by(path, &Ways::inside(component, steps), &anchor, 1)?;
        path.loop_to = closed.then_some(start);
        Ok(closed)
    }

    /// Goes to the nearest state of `core` that satisfies a fairness condition, or takes the nearest step
    /// that does, if that depends on the inputs; by steps in `steps`.
    fn visit(
        &self,
        path: &mut Path,
        condition: &Justice,
        core: &Bdd,
        steps: Option<&Bdd>,
    ) -> Result<()> {
        let ways = Ways::inside(core, steps);
        if !condition.reads_inputs {
            let goal = core.and(&condition.set)?;
            self.walk_by(path, &ways, &goal, 0)?;
            return Ok(());
        }
        let wanted = match steps {
            Some(steps) => condition.set.and(steps)?,
            None => condition.set.clone(),
        };
        let goal = self.pre_by(&wanted, core)?.and(core)?;
        let inputs = self.fsm.manager.cube(&self.fsm.layout.input_bits)?;
        let any_input = condition.set.forall(&inputs)?;
        if self.walk_by(path, &ways, &goal, 0)? && !path.last().leq(&any_input) {
            let successors = self.fsm.image_under(&wanted, path.last())?.and(core)?;
            if let Some(next) = self.fsm.pick_state(&successors)? {
                path.push(next, Some(wanted));
            }
        }
        Ok(())
    }
}
