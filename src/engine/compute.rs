//! COMPUTE MIN and MAX: lengths of paths between sets of states (Campos, Clarke, Marrero, Minea,
//! RTSS 1994), over reachable fair states.

use super::algebra::{Algebra, Machine, TwoValued};
use super::checker::Checker;
use super::outcome::Quantity;
use crate::dd::Bdd;
use crate::encode::error::Result;
use crate::model::{ExprId, MinMax};

/// The quantity with what NuSMV warns of when it asks for MAX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Computed {
    /// A number of steps.
    pub quantity: Quantity,
    /// No state starts a fair path.
    pub no_fair_state: bool,
    /// No fair reachable state (where nothing is fair, no reachable state) satisfies the first expression.
    pub no_start: bool,
    /// The same for the second.
    pub no_target: bool,
}

/// Shortest or longest distance from `start` to `target`. Without start or target states MAX is
/// undefined; without fair states it is 0, as in NuSMV.
///
/// Distances are those between states of `reachable`, even where `checker` looks at all states (-df).
pub fn compute(
    checker: &Checker,
    reachable: &Bdd,
    op: MinMax,
    start: ExprId,
    target: ExprId,
) -> Result<Computed> {
    let fair = checker.fair();
    let live = &fair.and(reachable)?;
    let start = checker.sat(start)?.and(reachable)?;
    let target = checker.sat(target)?.and(reachable)?;
    let mut done = Computed {
        quantity: Quantity::Undefined,
        no_fair_state: fair.is_zero(),
        no_start: start.is_zero(),
        no_target: target.is_zero(),
    };
    let (start, target) = (start.and(live)?, target.and(live)?);
    if !fair.is_zero() {
        done.no_start = start.is_zero();
        done.no_target = target.is_zero();
    }
    done.quantity = match op {
        MinMax::Min => {
            let mut reached = start.clone();
            let mut front = start;
            let mut n = 0;
            loop {
                if front.intersects(&target) {
                    break Quantity::Finite(n);
                }
                front = checker.fsm.image(&front)?.and(live)?.diff(&reached)?;
                if front.is_zero() {
                    break Quantity::Infinity;
                }
                reached = reached.or(&front)?;
                n += 1;
            }
        }
        MinMax::Max if done.no_start || done.no_target => Quantity::Undefined,
        MinMax::Max => {
            let algebra = TwoValued(checker);
            let outside = live.diff(&target)?;
            let mut y = outside.clone();
            let mut n = 0;
            loop {
                if !start.intersects(&y) {
                    break Quantity::Finite(n);
                }
                let next = algebra.pre(&y)?.and(&outside)?;
                if next == y {
                    break Quantity::Infinity;
                }
                y = next;
                n += 1;
            }
        }
    };
    Ok(done)
}
