//! Invariants searched from the violations backwards, or from both ends.
//!
//! `F_0 = init`, `B_0 = violations`; one side at a time gets its next ring. All pairs of rings but the newest
//! are known to be apart, so the first meeting `F_d ∩ B_k ≠ ∅` lies on a shortest path, of `d + k` steps.

use super::paths::{Path, along_rings};
use super::reach::Reach;
use crate::dd::Bdd;
use crate::encode::BddFsm;
use crate::encode::error::Result;

/// Where the search for a violated invariant begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// From the initial states.
    #[default]
    Forward,
    /// From the violations.
    Backward,
    /// The side with the smaller diagram goes on.
    ForwardBackward,
}

/// A shortest path from an initial state to a state of `goal`; none if there is no path.
pub fn path_to(
    fsm: &BddFsm,
    reach: &mut Reach,
    goal: &Bdd,
    strategy: Strategy,
) -> Result<Option<Path>> {
    let goal = goal.and(&fsm.invar)?;
    let mut seen = goal.clone();
    let mut behind = vec![goal];
    let mut depth = 0;
    loop {
        let last = behind.last().expect("there is a first ring");
        if reach.rings[depth].intersects(last) {
            break;
        }
        let forward = match strategy {
            Strategy::Forward => true,
            Strategy::Backward => false,
            Strategy::ForwardBackward => reach.rings[depth].size() <= last.size(),
        };
        if forward {
            depth += 1;
            if reach.ring(fsm, depth)?.is_none() {
                return Ok(None);
            }
        } else {
            let ring = fsm.preimage(last)?.diff(&seen)?;
            if ring.is_zero() {
                return Ok(None);
            }
            seen = seen.or(&ring)?;
            behind.push(ring);
        }
    }
    let meeting = behind.pop().expect("there is a first ring");
    let Some(mut path) = along_rings(fsm, &reach.rings[..=depth], &meeting)? else {
        return Ok(None);
    };
    while let Some(ring) = behind.pop() {
        let successors = fsm.image(path.last())?.and(&ring)?;
        let Some(next) = fsm.pick_state(&successors)? else {
            return Ok(None);
        };
        path.push(next, None);
    }
    Ok(Some(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::testing::machine;
    use crate::model::testing::flat;
    use std::rc::Rc;

    #[test]
    fn all_strategies_find_shortest_paths() {
        let model = Rc::new(flat(
            "VAR x : 0..20; b : boolean; ASSIGN init(x) := {0, 3}; \
             next(x) := b ? (x + 1) mod 21 : {x, (x + 5) mod 21}; INVARSPEC x != 12; INVARSPEC x < 21;",
        ));
        let fsm = machine(&model);
        let strategies = [
            Strategy::Forward,
            Strategy::Backward,
            Strategy::ForwardBackward,
        ];
        for strategy in strategies {
            let lengths: Vec<_> = model
                .properties
                .iter()
                .map(|p| {
                    let crate::model::PropFormula::Invar(e) = p.formula else {
                        unreachable!("an INVARSPEC")
                    };
                    let goal = fsm.boolean(e).expect("a value").not();
                    let mut reach = Reach::new(&fsm);
                    let path = path_to(&fsm, &mut reach, &goal, strategy).expect("no limits");
                    path.map(|p| p.len())
                })
                .collect();
            // 0 -> 5 -> 10 -> 11 -> 12
            assert_eq!(lengths, [Some(5), None], "{strategy:?}");
        }
    }
}
