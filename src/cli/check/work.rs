//! A machine and what has been computed of it: reachable states and fair states once, when first needed.

use crate::cli::cones::Narrow;
use crate::dd::Bdd;
use crate::encode::{BddFsm, EncodeError};
use crate::engine::reach::Reach;
use crate::engine::{Checker, Suspended};
use crate::model::ExprId;
use crate::trace::Trace;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// A machine and what has been computed of it so far.
pub struct Work<'f> {
    /// Of the model or of a cone.
    pub fsm: &'f BddFsm,
    checker: Option<Checker<'f>>,
    pub(super) known: Findings,
    /// Whether there is a reachable deadlock, where a copy of this process has found out.
    pub deadlock: Option<bool>,
}

/// What has been computed of a machine while it is not in use: between two commands of the shell, or two
/// properties of one cone.
pub struct Kept {
    checker: Option<Suspended>,
    pub(super) known: Findings,
}

/// The part of both that does not borrow the machine.
pub(super) struct Findings {
    /// As far as the search has come.
    pub reach: Reach,
    checker: CareSet,
    /// Machines of cones, with theirs.
    pub narrow: Narrow,
    /// Counterexamples of CTL formulas that several properties are about.
    pub traces: FxHashMap<ExprId, Trace>,
}

/// The states that the checker knows, if there is one. What is known of more serves for less.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CareSet {
    NoChecker,
    All,
    Reachable,
}

impl CareSet {
    fn of(reachable: bool) -> Self {
        if reachable {
            CareSet::Reachable
        } else {
            CareSet::All
        }
    }
}

impl Findings {
    /// Whether [`Work::checker`] or, without fair states, [`Work::reach`] has nothing left to compute.
    pub fn is_ready(&self, fair: bool, reachable: bool) -> bool {
        if fair {
            self.checker >= CareSet::of(reachable)
        } else {
            self.reach.is_closed()
        }
    }

    fn all_reachable(&self) -> Option<&Bdd> {
        self.reach.is_closed().then(|| self.reach.states())
    }
}

impl Kept {
    /// The reachable states, if all are known.
    pub fn known_reach(&self) -> Option<&Bdd> {
        self.known.all_reachable()
    }
}

impl<'f> Work<'f> {
    /// Nothing is known yet. From verbosity 2 on each step of the search is told.
    pub fn new(fsm: &'f BddFsm, verbosity: i32) -> Self {
        let reach = if verbosity >= 2 {
            Reach::observed(fsm, Rc::new(tell_of_ring))
        } else {
            Reach::new(fsm)
        };
        Work {
            fsm,
            checker: None,
            known: Findings {
                reach,
                checker: CareSet::NoChecker,
                narrow: Narrow::default(),
                traces: FxHashMap::default(),
            },
            deadlock: None,
        }
    }

    /// Goes on with what was computed before, if anything was.
    pub fn resume(fsm: &'f BddFsm, kept: Option<Kept>, verbosity: i32) -> Self {
        let Some(kept) = kept else {
            return Work::new(fsm, verbosity);
        };
        Work {
            fsm,
            checker: kept.checker.map(|c| Checker::resume(fsm, c)),
            known: kept.known,
            deadlock: None,
        }
    }

    /// What has been computed.
    pub fn suspend(self) -> Kept {
        Kept {
            checker: self.checker.map(Checker::suspend),
            known: self.known,
        }
    }

    /// All reachable states.
    pub fn reach(&mut self) -> Result<&Reach, EncodeError> {
        let (fsm, reach) = (self.fsm, &mut self.known.reach);
        fsm.manager.outside_budget(|| reach.finish(fsm))?;
        Ok(reach)
    }

    /// The reachable states, after so many steps and so much time at most; the last step may take longer.
    pub fn reach_within(
        &mut self,
        steps: Option<u64>,
        time: Option<Duration>,
    ) -> Result<&Reach, EncodeError> {
        if steps.is_none() && time.is_none() {
            return self.reach();
        }
        let start = Instant::now();
        let mut left = steps;
        while left != Some(0)
            && time.is_none_or(|t| start.elapsed() < t)
            && self.known.reach.step(self.fsm)?
        {
            left = left.map(|n| n - 1);
        }
        Ok(&self.known.reach)
    }

    /// A machine of a cone of which all reachable states are known, with these.
    pub fn known_in_cone(&self) -> Option<(Rc<BddFsm>, Bdd)> {
        self.known.narrow.known()
    }

    /// The reachable states, if all are known already.
    pub fn known_reach(&self) -> Option<&Bdd> {
        self.known.all_reachable()
    }

    /// The machine with its fair states; within the reachable states if these are wanted.
    pub fn checker(&mut self, reachable: bool) -> Result<&Checker<'f>, EncodeError> {
        let wanted = CareSet::of(reachable);
        if self.known.checker < wanted {
            let (fsm, reach) = (self.fsm, &mut self.known.reach);
            // Serves all that follow, so no budget of one property is asked.
            let made = fsm.manager.outside_budget(|| {
                let care = if reachable {
                    reach.close(fsm)?;
                    Some(reach.clone())
                } else {
                    None
                };
                Ok::<_, EncodeError>(Checker::new(fsm, care)?)
            });
            self.checker = Some(made?);
            self.known.checker = wanted;
        }
        Ok(self.checker.as_ref().expect("just made"))
    }
}

/// `-v 2`: a line on stderr for each step of the search.
fn tell_of_ring(depth: usize, ring: &Bdd) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "step {depth}: {} nodes", ring.size());
}
