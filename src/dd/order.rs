//! Variable order: levels, and groups of variables that stay together.

use std::ffi::c_int;

use super::VarIndex;
use super::error::{DdError, DdResult};
use super::ffi::{self, cudd};
use super::manager::Manager;

/// How the variables of a group may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupKind {
    /// They keep their relative order (`MTR_FIXED`).
    Fixed,
    /// They are reordered inside the group too (`MTR_DEFAULT`).
    Free,
}

/// Variables `first .. first + len`, kept adjacent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    first: VarIndex,
    len: u32,
    kind: GroupKind,
}

impl Manager {
    /// Level of a variable, 0 at the top.
    pub fn level_of(&self, index: VarIndex) -> u32 {
        self.0.level(index)
    }

    /// Variable at a level.
    pub fn index_at(&self, level: u32) -> VarIndex {
        assert!(level < self.num_vars(), "no level {level}");
        // SAFETY: live manager, level in range.
        unsafe { cudd::Cudd_ReadInvPerm(self.0.dd, level as c_int) as u32 }
    }

    /// The variables from the top level down.
    pub fn order(&self) -> Vec<VarIndex> {
        (0..self.num_vars())
            .map(|level| self.index_at(level))
            .collect()
    }

    /// Brings the variables into this order, top first (a permutation of all of them). Groups
    /// whose variables are no longer adjacent are dissolved.
    #[cfg(test)]
    pub fn set_order(&self, order: &[VarIndex]) -> DdResult<()> {
        self.without_groups(|| self.shuffle(order))
    }

    /// Moves variables while there are no groups (CUDD refuses orders that break them); afterwards those are
    /// there again whose variables are adjacent.
    pub(super) fn without_groups(&self, moves: impl FnOnce() -> DdResult<()>) -> DdResult<()> {
        let mut groups = std::mem::take(&mut *self.0.groups.borrow_mut());
        // SAFETY: live manager.
        unsafe { ffi::cmv_ungroup(self.0.dd) };
        let done = moves();
        // From the bottom: CUDD looks for the place of a group from the top.
        groups.sort_by_key(|group| std::cmp::Reverse(self.level_of(group.first)));
        for group in groups {
            self.add_group(group)?;
        }
        done
    }

    /// Brings the variables into this order, where there are no groups.
    pub(super) fn shuffle(&self, order: &[VarIndex]) -> DdResult<()> {
        let n = self.num_vars() as usize;
        let mut seen = vec![false; n];
        for &v in order {
            assert!(
                !std::mem::replace(&mut seen[v as usize], true),
                "variable {v} twice"
            );
        }
        assert_eq!(order.len(), n, "the order must name every variable");
        self.0.check_token()?;
        let mut order: Vec<c_int> = order.iter().map(|&v| v as c_int).collect();
        // SAFETY: live manager; `order` is a permutation of all variables (checked above).
        let done = unsafe { cudd::Cudd_ShuffleHeap(self.0.dd, order.as_mut_ptr()) };
        if done == 0 {
            Err(self.0.failure())
        } else {
            Ok(())
        }
    }

    /// Keeps the variables `first .. first + len` adjacent under reordering. They must be adjacent
    /// now (else nothing happens), and the group must nest with those there are.
    pub fn group(&self, first: VarIndex, len: u32, kind: GroupKind) -> DdResult<()> {
        assert!(first + len <= self.num_vars(), "no such variables");
        self.add_group(Group { first, len, kind })
    }

    fn add_group(&self, group: Group) -> DdResult<()> {
        let levels = (group.first..group.first + group.len).map(|v| self.level_of(v));
        let (Some(top), Some(bottom)) = (levels.clone().min(), levels.max()) else {
            return Ok(());
        };
        if bottom - top + 1 != group.len {
            return Ok(());
        }
        // The tree node is addressed by the variable on top of the group.
        let first = self.index_at(top);
        let fixed = c_int::from(group.kind == GroupKind::Fixed);
        // SAFETY: live manager; the levels top .. top + len exist.
        if unsafe { ffi::cmv_group(self.0.dd, first, group.len, fixed) } == 0 {
            return Err(DdError::OutOfMemory);
        }
        self.0.groups.borrow_mut().push(group);
        Ok(())
    }

    /// Whether variables are where they were created.
    pub fn is_in_first_order(&self) -> bool {
        (0..self.num_vars()).all(|v| self.level_of(v) == v)
    }
}
