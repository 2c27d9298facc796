//! A better order that somebody knows of, taken once there is work enough to pay for it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::VarIndex;
use super::error::{DdError, DdResult};
use super::manager::{Inner, Manager};

/// In how many parts variables move: between them is time to turn back or to be interrupted.
const PARTS: usize = 16;

/// The square of the number of variables by this is the number of lookups that take about as long as moving all.
const SQUARE_BY: u64 = 4;

/// By what factor diagrams may grow while variables move, and nodes that are no trouble anyway.
const WORSE: usize = 10;
const SMALL: usize = 300_000;

/// Finds the order: all variables, top first; none if the present one is good.
type Finder = Box<dyn FnOnce(&Manager) -> Option<Vec<VarIndex>>>;

/// The plan of a manager, if it has one.
pub(super) struct Plan {
    /// Lookups in the computed table after which it is followed; infinite while there is none, or while
    /// the order must stay.
    due: Cell<f64>,
    finder: RefCell<Option<Finder>>,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            due: Cell::new(f64::INFINITY),
            finder: RefCell::default(),
        }
    }
}

impl Plan {
    /// Takes the plan away, to follow it or not.
    pub fn take(&self) -> Option<Finder> {
        self.due.set(f64::INFINITY);
        self.finder.take()
    }
}

impl Inner {
    /// Follows the plan if it is due. Between operations only.
    pub fn consider_plan(self: &Rc<Inner>) -> DdResult<()> {
        let due = self.plan.due.get();
        if due.is_finite() && Manager::from_inner(self).lookups() > due {
            Manager::from_inner(self).follow_plan()?;
        }
        Ok(())
    }
}

impl Manager {
    /// Has the variables brought into another order after so many lookups in the computed table, once; later where
    /// there are thousands of variables, since moving them takes time that grows with their square. The order is
    /// asked for at that moment.
    pub fn plan_order(
        &self,
        lookups: u64,
        finder: impl FnOnce(&Manager) -> Option<Vec<VarIndex>> + 'static,
    ) {
        let n = u64::from(self.num_vars());
        let lookups = lookups.max(n * n / SQUARE_BY);
        self.0.plan.due.set(self.lookups() + lookups as f64);
        *self.0.plan.finder.borrow_mut() = Some(Box::new(finder));
    }

    /// Follows the plan now.
    pub fn follow_plan(&self) -> DdResult<()> {
        match self.0.plan.take().and_then(|find| find(self)) {
            Some(order) => self.without_groups(|| self.rearrange(&order)),
            None => Ok(()),
        }
    }

    /// Brings the variables into this order, part by part from the top, and back where they were if
    /// diagrams grow too much on the way.
    fn rearrange(&self, order: &[VarIndex]) -> DdResult<()> {
        let first = self.order();
        let bound = (self.live_nodes() * WORSE).max(SMALL);
        let mut moved = vec![false; order.len()];
        let mut next = Vec::with_capacity(order.len());
        for part in order.chunks(order.len().div_ceil(PARTS).max(1)) {
            next.extend(part);
            part.iter().for_each(|&v| moved[v as usize] = true);
            let rest = first.iter().filter(|&&v| !moved[v as usize]);
            self.shuffle(&next.iter().chain(rest).copied().collect::<Vec<_>>())?;
            if self.live_nodes() > bound {
                log::debug!("order: back, over {bound} nodes on the way");
                return self.shuffle(&first);
            }
        }
        Ok(())
    }

    /// Runs something that needs the levels to stay as they are, with no regard to the plan.
    pub(super) fn without_plan<R>(&self, f: impl FnOnce() -> R) -> R {
        let due = self.0.plan.due.replace(f64::INFINITY);
        let result = f();
        self.0.plan.due.set(due);
        result
    }

    /// Runs something long that needs the levels to stay as they are. If that takes more lookups than the
    /// plan waits for, it begins again in the planned order.
    pub fn in_planned_order<T, E: From<DdError>>(
        &self,
        f: impl Fn() -> Result<T, E>,
    ) -> Result<T, E> {
        let left = self.0.plan.due.get() - self.lookups();
        if left.is_finite() {
            let lookups = left.max(0.0) as u64;
            let found = self.in_fixed_order(|| self.with_budget(lookups, &f))?;
            if let Some(found) = found {
                return Ok(found);
            }
            self.follow_plan()?;
        }
        self.in_fixed_order(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::CancelToken;
    use crate::dd::Config;

    /// A manager whose variables 0..2n are compared, i with n + i.
    fn comparison(n: u32) -> Manager {
        let manager = Manager::new(&Config::default(), CancelToken::default()).unwrap();
        for _ in 0..2 * n {
            manager.new_var().unwrap();
        }
        manager
    }

    fn compare(manager: &Manager, n: u32) -> DdResult<crate::dd::Bdd> {
        (0..n).try_fold(manager.one(), |all, i| {
            let equal = manager.var(i).xor(&manager.var(n + i))?.not();
            all.and(&equal)
        })
    }

    fn side_by_side(n: u32) -> Vec<VarIndex> {
        (0..n).flat_map(|i| [i, n + i]).collect()
    }

    #[test]
    fn followed_when_due_and_once() {
        let manager = comparison(8);
        let first = compare(&manager, 8).unwrap();
        let before = first.size();
        manager.plan_order(0, |_| Some(side_by_side(8)));
        let second = compare(&manager, 8).unwrap();
        assert!(first == second);
        assert!(second.size() < before / 10, "{} of {before}", second.size());
        assert_eq!(manager.order(), side_by_side(8));
        assert!(manager.is_consistent());
    }

    #[test]
    fn not_followed_early_or_where_levels_must_stay() {
        let manager = comparison(8);
        manager.plan_order(1 << 40, |_| Some(side_by_side(8)));
        compare(&manager, 8).unwrap();
        assert!(manager.is_in_first_order());
        manager.plan_order(0, |_| Some(side_by_side(8)));
        manager.in_fixed_order(|| compare(&manager, 8)).unwrap();
        assert!(manager.is_in_first_order());
        compare(&manager, 8).unwrap();
        assert_eq!(manager.order(), side_by_side(8));
    }

    #[test]
    fn groups_survive_whatever_parts_cut() {
        let manager = comparison(20);
        for i in 0..10 {
            manager
                .group(4 * i, 3, crate::dd::GroupKind::Fixed)
                .unwrap();
        }
        let blocks = [7, 2, 9, 0, 4, 8, 1, 6, 3, 5];
        let order: Vec<VarIndex> = blocks.iter().flat_map(|b| 4 * b..4 * b + 4).collect();
        manager.plan_order(0, move |_| Some(order));
        compare(&manager, 20).unwrap();
        assert!(!manager.is_in_first_order());
        assert_eq!(manager.0.groups.borrow().len(), 10);
        manager.reorder(crate::dd::Method::Sift).unwrap();
        for i in 0..10 {
            let levels = [0, 1, 2].map(|k| manager.level_of(4 * i + k));
            assert_eq!(levels, [levels[0], levels[0] + 1, levels[0] + 2]);
        }
    }

    #[test]
    fn back_if_it_gets_worse() {
        let manager = comparison(18);
        manager.set_order(&side_by_side(18)).unwrap();
        let good = compare(&manager, 18).unwrap();
        let size = good.size();
        manager.plan_order(0, |_| Some((0..36).collect()));
        compare(&manager, 18).unwrap();
        assert_eq!((manager.order(), good.size()), (side_by_side(18), size));
        assert!(manager.is_consistent());
    }

    #[test]
    fn long_work_begins_again() {
        let manager = comparison(12);
        manager.plan_order(100, |_| Some(side_by_side(12)));
        let begun = Cell::new(0);
        let found = manager.in_planned_order(|| {
            begun.set(begun.get() + 1);
            compare(&manager, 12)
        });
        assert_eq!(begun.get(), 2);
        assert_eq!(manager.order(), side_by_side(12));
        assert!(found.unwrap() == compare(&manager, 12).unwrap());
    }
}
