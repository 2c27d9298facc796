//! COMPUTE MIN and MAX: lengths of paths between sets of states (Campos, Clarke, Marrero, Minea,
//! RTSS 1994), over reachable fair states.

use super::algebra::{Algebra, Machine, TwoValued};
use super::checker::Checker;
use super::outcome::Quantity;
use crate::encode::error::Result;
use crate::model::{ExprId, MinMax};

/// The quantity, and whether the set of final states is empty (NuSMV warns of that).
pub fn compute(
    checker: &Checker,
    op: MinMax,
    start: ExprId,
    target: ExprId,
) -> Result<(Quantity, bool)> {
    let live = checker.fair();
    let start = checker.sat(start)?.and(live)?;
    let target = checker.sat(target)?.and(live)?;
    let empty = target.is_zero();
    let quantity = match op {
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
        MinMax::Max if empty || start.is_zero() => Quantity::Undefined,
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
    Ok((quantity, empty))
}
