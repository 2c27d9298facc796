//! `-ctt`: states without successor, and whether they can be reached.

use crate::dd::{Bdd, DdResult};
use crate::encode::BddFsm;

/// What was found; single states.
pub struct Deadlocks {
    /// A state without successor that satisfies the invariant.
    pub any: Option<Bdd>,
    /// A reachable one, if reachable states are known.
    pub reachable: Option<Option<Bdd>>,
}

/// Looks for states without successor.
pub fn check(fsm: &BddFsm, reached: Option<&Bdd>) -> DdResult<Deadlocks> {
    if fsm.surely_total {
        return Ok(Deadlocks {
            any: None,
            reachable: reached.map(|_| None),
        });
    }
    let dead = fsm.invar.diff(&fsm.preimage(&fsm.invar)?)?;
    let reachable = match reached {
        None => None,
        Some(r) => Some(fsm.pick_state(&dead.and(r)?)?),
    };
    Ok(Deadlocks {
        any: fsm.pick_state(&dead)?,
        reachable,
    })
}
