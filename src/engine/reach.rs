//! Reachable states, as onion rings.
//!
//! `R_0 = init`, `R_{i+1} = image(R_i) \ (R_0 ∪ ... ∪ R_i)`. The image is taken of some set between
//! the last ring and all states so far, whichever has the smaller diagram.
//!
//! Where the relation is a list of events and nobody asks for distances, all reachable states come from
//! [`saturation`] instead; where every variable may stay, so does most of them, and steps of the
//! whole relation do the rest.

use super::saturation;
use crate::dd::{Bdd, DdResult};
use crate::encode::error::Result;
use crate::encode::{BddFsm, Moves};
use std::rc::Rc;

/// Table lookups that single moves may take.
const MOVES: u64 = 50_000_000;

/// Told of each ring: its distance from the initial states, and the ring.
pub type RingObserver = Rc<dyn Fn(usize, &Bdd)>;

/// The rings so far, and whether they are all.
#[derive(Clone)]
pub struct Reach {
    /// Disjoint; ring i holds the states at distance i from the initial ones.
    pub rings: Vec<Bdd>,
    /// The states in the rings.
    reached: Bdd,
    /// Whether the rings are all.
    pub complete: bool,
    /// All reachable states, if they are known without the rings.
    closed: Option<Bdd>,
    observer: Option<RingObserver>,
}

impl Reach {
    /// The initial states; nothing is searched yet.
    pub fn new(fsm: &BddFsm) -> Reach {
        Reach {
            rings: vec![fsm.init.clone()],
            reached: fsm.init.clone(),
            complete: fsm.init.is_zero(),
            closed: None,
            observer: None,
        }
    }

    /// The same, with someone to tell of progress.
    pub fn observed(fsm: &BddFsm, observer: RingObserver) -> Reach {
        Reach {
            observer: Some(observer),
            ..Reach::new(fsm)
        }
    }

    /// Computes the next ring; false when there is none.
    pub fn step(&mut self, fsm: &BddFsm) -> DdResult<bool> {
        if self.complete {
            return Ok(false);
        }
        let last = self.rings.last().expect("there is a first ring");
        let from = if self.rings.len() == 1 {
            last.clone()
        } else {
            last.squeeze(&self.reached)?
        };
        let ring = fsm.image(&from)?.diff(&self.reached)?;
        if ring.is_zero() {
            self.complete = true;
            return Ok(false);
        }
        self.reached = self.reached.or(&ring)?;
        if let Some(tell) = &self.observer {
            tell(self.rings.len(), &ring);
        }
        self.rings.push(ring);
        Ok(true)
    }

    /// The ring at a distance, none if there is none. It serves all who ask later, so its making counts for no
    /// budget.
    pub fn ring(&mut self, fsm: &BddFsm, distance: usize) -> DdResult<Option<&Bdd>> {
        while self.rings.len() <= distance {
            if !fsm.manager.outside_budget(|| self.step(fsm))? {
                return Ok(None);
            }
        }
        Ok(Some(&self.rings[distance]))
    }

    /// Whether a state of `goal` is reachable; the rings go at least as far as the nearest one.
    pub fn leads_to(&mut self, fsm: &BddFsm, goal: &Bdd) -> DdResult<bool> {
        let mut distance = 0;
        while let Some(ring) = self.ring(fsm, distance)? {
            if ring.intersects(goal) {
                return Ok(true);
            }
            distance += 1;
        }
        Ok(false)
    }

    /// The same, where the rings matter only if there is such a state: with local steps all states come cheaper than
    /// the first rings.
    pub fn meets(&mut self, fsm: &BddFsm, goal: &Bdd) -> Result<bool> {
        let leapt = fsm.manager.outside_budget(|| self.leap(fsm))?;
        if leapt && !self.states().intersects(goal) {
            return Ok(false);
        }
        Ok(self.leads_to(fsm, goal)?)
    }

    /// The reachable states found so far; all of them after [`Self::close`] or [`Self::finish`].
    pub fn states(&self) -> &Bdd {
        self.closed.as_ref().unwrap_or(&self.reached)
    }

    /// Whether [`Self::states`] are all.
    pub fn is_closed(&self) -> bool {
        self.complete || self.closed.is_some()
    }

    /// Finds all reachable states, with or without their distances.
    pub fn close(&mut self, fsm: &BddFsm) -> Result<()> {
        if !self.leap(fsm)? {
            self.finish(fsm)?;
        }
        Ok(())
    }

    /// Finds all reachable states without their distances, if the machine has local steps and that takes no
    /// excessive work; whether they are all known now.
    pub fn leap(&mut self, fsm: &BddFsm) -> Result<bool> {
        if self.is_closed() || self.observer.is_some() {
            return Ok(self.is_closed());
        }
        let manager = &fsm.manager;
        if let Some(events) = fsm.events()? {
            let all = || saturation::closure(manager, events, &fsm.init);
            log::debug!("reachable states: {} events are saturated", events.len());
            self.closed = Some(manager.in_planned_order(all)?);
        } else if let Some(moves) = fsm.moves()? {
            let all = || by_moves(fsm, moves, &fsm.init);
            let found = manager.in_planned_order(|| manager.with_budget(MOVES, all))?;
            self.closed = found.flatten();
            log::debug!("reachable states: by single moves: {}", self.is_closed());
        }
        Ok(self.is_closed())
    }

    /// Computes all rings.
    pub fn finish(&mut self, fsm: &BddFsm) -> DdResult<()> {
        while self.step(fsm)? {}
        log::debug!("reachable states: {} rings", self.rings.len());
        Ok(())
    }

    /// Number of rings: NuSMV's "system diameter".
    pub fn diameter(&self) -> usize {
        self.rings.len()
    }
}

/// What can be reached from `from`: single moves as far as they lead, then a step of everything, in
/// turns. None if moves lead to where not all may stay.
fn by_moves(fsm: &BddFsm, moves: &Moves, from: &Bdd) -> DdResult<Option<Bdd>> {
    let mut reached = fsm.manager.zero();
    let mut front = from.clone();
    while !front.is_zero() {
        let moved = saturation::closure(&fsm.manager, &moves.events, &reached.or(&front)?)?;
        if !moves.apply_to(&moved) {
            return Ok(None);
        }
        front = fsm.image(&moved.diff(&reached)?)?.diff(&moved)?;
        reached = moved;
    }
    Ok(Some(reached))
}

/// `from` and all that `step` leads to from it, front by front.
pub fn closure(from: Bdd, step: impl Fn(&Bdd) -> DdResult<Bdd>) -> DdResult<Bdd> {
    let mut reached = from;
    let mut front = reached.clone();
    while !front.is_zero() {
        front = step(&front)?.diff(&reached)?;
        reached = reached.or(&front)?;
    }
    Ok(reached)
}
