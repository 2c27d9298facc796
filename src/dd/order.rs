//! Variable order: levels, groups, reordering on demand and automatically.

use std::ffi::c_int;
use std::str::FromStr;

use super::VarIndex;
use super::error::{DdError, DdResult};
use super::ffi::{self, cudd};
use super::manager::{LARGE, Manager};

/// A reordering method, under the names NuSMV gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Method {
    Sift,
    SiftConverge,
    Random,
    RandomPivot,
    SymmetrySift,
    SymmetrySiftConverge,
    Window2,
    Window3,
    Window4,
    Window2Converge,
    Window3Converge,
    Window4Converge,
    GroupSift,
    GroupSiftConverge,
    Annealing,
    Genetic,
    Exact,
    Linear,
    LinearConverge,
}

/// Names, and CUDD's numbers (`Cudd_ReorderingType`).
const METHODS: [(Method, &str, u32); 19] = [
    (Method::Sift, "sift", 4),
    (Method::SiftConverge, "sift_converge", 5),
    (Method::Random, "random", 2),
    (Method::RandomPivot, "random_pivot", 3),
    (Method::SymmetrySift, "symmetry_sift", 6),
    (Method::SymmetrySiftConverge, "symmetry_sift_converge", 7),
    (Method::Window2, "window2", 8),
    (Method::Window3, "window3", 9),
    (Method::Window4, "window4", 10),
    (Method::Window2Converge, "window2_converge", 11),
    (Method::Window3Converge, "window3_converge", 12),
    (Method::Window4Converge, "window4_converge", 13),
    (Method::GroupSift, "group_sift", 14),
    (Method::GroupSiftConverge, "group_sift_converge", 15),
    (Method::Annealing, "annealing", 16),
    (Method::Genetic, "genetic", 17),
    (Method::Exact, "exact", 21),
    (Method::Linear, "linear", 18),
    (Method::LinearConverge, "linear_converge", 19),
];

impl Method {
    /// NuSMV's name.
    pub fn name(self) -> &'static str {
        METHODS.iter().find(|m| m.0 == self).map_or("", |m| m.1)
    }

    /// All methods with their names, in NuSMV's order.
    pub fn all() -> impl Iterator<Item = Method> {
        METHODS.iter().map(|m| m.0)
    }

    pub(super) fn code(self) -> u32 {
        METHODS.iter().find(|m| m.0 == self).map_or(0, |m| m.2)
    }
}

/// The text names no reordering method.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown reordering method \"{0}\"")]
pub struct UnknownMethod(pub String);

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(text: &str) -> Result<Method, UnknownMethod> {
        METHODS
            .iter()
            .find(|m| m.1 == text)
            .map(|m| m.0)
            .ok_or_else(|| UnknownMethod(text.to_owned()))
    }
}

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
    pub fn set_order(&self, order: &[VarIndex]) -> DdResult<()> {
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
        // SAFETY: live manager; `order` is a permutation of all variables (checked above). The
        // group tree is taken away first, since CUDD refuses orders that break groups.
        let done = unsafe {
            ffi::cmv_ungroup(self.0.dd);
            cudd::Cudd_ShuffleHeap(self.0.dd, order.as_mut_ptr())
        };
        let groups = std::mem::take(&mut *self.0.groups.borrow_mut());
        for group in groups {
            self.add_group(group)?;
        }
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

    /// Dissolves all groups.
    pub fn ungroup_all(&self) {
        self.0.groups.borrow_mut().clear();
        // SAFETY: live manager.
        unsafe { ffi::cmv_ungroup(self.0.dd) }
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

    /// Reorders now.
    pub fn reorder(&self, method: Method) -> DdResult<()> {
        self.0.check_token()?;
        // SAFETY: live manager, no operation under way; all nodes in use are referenced.
        let done = self
            .0
            .deep(|| unsafe { cudd::Cudd_ReduceHeap(self.0.dd, method.code(), 0) });
        if done == 0 || self.0.check_token().is_err() {
            return Err(self.0.failure());
        }
        Ok(())
    }

    /// Reorders whenever the number of nodes has doubled, later when it has grown fivefold.
    pub fn enable_dynamic(&self, method: Method) {
        self.0.enable_dynamic(method, LARGE);
    }

    /// Reorders automatically from the moment at which so many nodes live, unless it does already.
    pub fn reorder_from(&self, nodes: usize) {
        if self.dynamic_enabled().is_none() {
            let nodes = u32::try_from(nodes).unwrap_or(u32::MAX);
            self.0.patience.set(Some(nodes));
        }
    }

    /// Runs something that makes many nodes which are soon gone: reordering does not start by itself
    /// before so many live.
    pub fn patiently<R>(&self, nodes: usize, f: impl FnOnce() -> R) -> R {
        let nodes = u32::try_from(nodes).unwrap_or(u32::MAX);
        let patience = self.0.patience.get();
        self.0.patience.set(patience.map(|n| n.max(nodes)));
        let result = f();
        if self.dynamic_enabled().is_none() {
            self.0.patience.set(patience);
        }
        result
    }

    /// Runs something that needs the levels to stay as they are.
    pub fn in_fixed_order<R>(&self, f: impl FnOnce() -> R) -> R {
        let (dynamic, automatic) = (self.dynamic_enabled(), self.0.automatic.get());
        if dynamic.is_some() {
            self.disable_dynamic();
        }
        let patience = self.0.patience.take();
        let result = f();
        self.0.patience.set(patience);
        if let Some(method) = dynamic {
            self.enable_dynamic(method);
            self.0.automatic.set(automatic);
        }
        result
    }

    /// Whether variables are where they were created.
    pub fn is_in_first_order(&self) -> bool {
        (0..self.num_vars()).all(|v| self.level_of(v) == v)
    }

    /// No automatic reordering.
    pub fn disable_dynamic(&self) {
        self.0.dynamic.set(None);
        self.0.automatic.set(None);
        // SAFETY: live manager.
        unsafe { cudd::Cudd_AutodynDisable(self.0.dd) }
    }

    /// The method of automatic reordering, if enabled.
    pub fn dynamic_enabled(&self) -> Option<Method> {
        self.0.dynamic.get()
    }

    /// Number of nodes at which automatic reordering happens next.
    pub fn set_next_reordering(&self, nodes: usize) {
        let nodes = u32::try_from(nodes).unwrap_or(u32::MAX);
        // SAFETY: live manager.
        unsafe { cudd::Cudd_SetNextReordering(self.0.dd, nodes) }
    }
}
