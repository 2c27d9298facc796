//! A machine and what has been computed of it: reachable states and fair states once, when first needed.

use crate::cli::cones::Narrow;
use crate::dd::Bdd;
use crate::encode::{BddFsm, EncodeError};
use crate::engine::reach::Reach;
use crate::engine::{Checker, Suspended};
use std::rc::Rc;

/// A machine and what has been computed of it so far.
pub struct Work<'f> {
    pub fsm: &'f BddFsm,
    pub(super) reach: Reach,
    checker: Option<Checker<'f>>,
    /// The checker is one within the reachable states.
    within_reachable: bool,
    pub(super) narrow: Narrow,
    /// Whether there is a reachable deadlock, where a copy of this process has found out.
    pub deadlock: Option<bool>,
}

/// What has been computed of a machine, between two commands of the shell.
pub struct Kept {
    reach: Reach,
    checker: Option<Suspended>,
    within_reachable: bool,
    narrow: Narrow,
}

impl Kept {
    /// As of [`Work`].
    pub fn is_ready(&self, fair: bool, reachable: bool) -> bool {
        if fair {
            self.checker.is_some() && (self.within_reachable || !reachable)
        } else {
            self.reach.is_closed()
        }
    }

    /// The reachable states, if all are known.
    pub fn known_reach(&self) -> Option<&Bdd> {
        self.reach.is_closed().then(|| self.reach.states())
    }
}

impl<'f> Work<'f> {
    /// Goes on with what was computed before, if anything was.
    pub fn resume(fsm: &'f BddFsm, kept: Option<Kept>, verbosity: i32) -> Self {
        let Some(kept) = kept else {
            return Work::new(fsm, verbosity);
        };
        Work {
            fsm,
            reach: kept.reach,
            checker: kept.checker.map(|c| Checker::resume(fsm, c)),
            within_reachable: kept.within_reachable,
            narrow: kept.narrow,
            deadlock: None,
        }
    }

    /// What has been computed.
    pub fn suspend(self) -> Kept {
        Kept {
            reach: self.reach,
            checker: self.checker.map(Checker::suspend),
            within_reachable: self.within_reachable,
            narrow: self.narrow,
        }
    }

    pub fn new(fsm: &'f BddFsm, verbosity: i32) -> Self {
        let reach = if verbosity >= 2 {
            Reach::observed(fsm, Rc::new(tell_of_ring))
        } else {
            Reach::new(fsm)
        };
        Work {
            fsm,
            reach,
            checker: None,
            within_reachable: false,
            narrow: Narrow::default(),
            deadlock: None,
        }
    }

    /// All reachable states.
    pub fn reach(&mut self) -> Result<&Reach, EncodeError> {
        let (fsm, reach) = (self.fsm, &mut self.reach);
        fsm.manager.outside_budget(|| reach.finish(fsm))?;
        Ok(&self.reach)
    }

    /// The reachable states, after so many steps at most.
    pub fn reach_within(&mut self, steps: Option<u64>) -> Result<&Reach, EncodeError> {
        let Some(steps) = steps else {
            return self.reach();
        };
        for _ in 0..steps {
            if !self.reach.step(self.fsm)? {
                break;
            }
        }
        Ok(&self.reach)
    }

    /// A machine of a cone of which all reachable states are known, with these.
    pub fn known_in_cone(&self) -> Option<(Rc<BddFsm>, Bdd)> {
        self.narrow.known()
    }

    /// The reachable states, if all are known already.
    pub fn known_reach(&self) -> Option<&Bdd> {
        self.reach.is_closed().then(|| self.reach.states())
    }

    /// The machine with its fair states; within the reachable states if these are wanted.
    pub fn checker(&mut self, reachable: bool) -> Result<&Checker<'f>, EncodeError> {
        if self.checker.is_none() || (reachable && !self.within_reachable) {
            let (fsm, reach) = (self.fsm, &mut self.reach);
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
            self.within_reachable = reachable;
        }
        Ok(self.checker.as_ref().expect("just made"))
    }

    /// Whether [`Self::checker`] or, without fair states, the reachable states are there.
    pub(super) fn is_ready(&self, fair: bool, reachable: bool) -> bool {
        if fair {
            self.checker.is_some() && (self.within_reachable || !reachable)
        } else {
            self.reach.is_closed()
        }
    }
}

/// `-v 2`: a line on stderr for each step of the search.
fn tell_of_ring(depth: usize, ring: &Bdd) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "step {depth}: {} nodes", ring.size());
}
