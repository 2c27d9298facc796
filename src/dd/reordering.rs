//! Reordering: the methods, on demand, and automatically while diagrams grow.

use std::cell::Cell;
use std::str::FromStr;

use super::error::DdResult;
use super::ffi::cudd;
use super::manager::{Inner, Manager};

/// A reordering method, under the names NuSMV gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are CUDD's")]
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

/// By how much diagrams grow between two automatic reorderings, once they are large.
const GROWTH: u32 = 5;

/// Live nodes from which on reordering takes its time.
pub(super) const LARGE: u32 = 50_000;

/// With fewer live nodes than this per variable, automatic reordering does not start: most are the variables' own.
const NODES_PER_VARIABLE: u32 = 4;

/// When a manager reorders by itself.
#[derive(Default)]
pub(super) struct Schedule {
    /// The method, while reordering is automatic.
    pub method: Cell<Option<Method>>,
    /// Live nodes from which on it becomes automatic.
    starts_from: Cell<Option<u32>>,
    /// While it is automatic.
    automatic: Cell<Option<Automatic>>,
}

/// Of automatic reordering.
#[derive(Clone, Copy)]
struct Automatic {
    /// How many there were when the next one was put off.
    reorderings: u32,
    /// Live nodes from which on it waits until diagrams have grown by [`GROWTH`]; below, CUDD lets it begin
    /// when they have doubled.
    patient_from: u32,
}

impl Inner {
    /// Before each operation: lets automatic reordering begin where its time has come, and puts the next one
    /// off where one has just been. (Not switched on from the start, since it makes every operation a little
    /// slower.)
    pub fn tend_reordering(&self) {
        if let Some(automatic) = self.reordering.automatic.get() {
            self.put_off(automatic);
        } else if let Some(limit) = self.reordering.starts_from.get()
            && let limit = limit.max(self.size().saturating_mul(NODES_PER_VARIABLE))
            && self.live() >= limit
        {
            log::debug!("reordering becomes automatic from {limit} live nodes");
            self.reordering.starts_from.set(None);
            self.enable_dynamic(Method::Sift, 0);
            // SAFETY: live manager.
            unsafe { cudd::Cudd_SetNextReordering(self.dd, limit.saturating_mul(2)) };
        }
    }

    /// After a reordering, large diagrams grow by [`GROWTH`] before the next: it must not take most of the time.
    fn put_off(&self, automatic: Automatic) {
        // SAFETY: live manager.
        let reorderings = unsafe { cudd::Cudd_ReadReorderings(self.dd) };
        if automatic.reorderings == reorderings {
            return;
        }
        self.reordering.automatic.set(Some(Automatic {
            reorderings,
            ..automatic
        }));
        let live = self.live();
        if live >= automatic.patient_from {
            // SAFETY: live manager.
            unsafe { cudd::Cudd_SetNextReordering(self.dd, live.saturating_mul(GROWTH)) };
        }
    }

    /// Live nodes, terminals included.
    fn live(&self) -> u32 {
        // SAFETY: live manager.
        unsafe { cudd::Cudd_ReadKeys(self.dd).saturating_sub(cudd::Cudd_ReadDead(self.dd)) }
    }

    /// Reorders from now on, as [`Automatic`] tells.
    pub fn enable_dynamic(&self, method: Method, patient_from: u32) {
        self.reordering.method.set(Some(method));
        // SAFETY: live manager.
        let reorderings = unsafe {
            cudd::Cudd_AutodynEnable(self.dd, method.code());
            cudd::Cudd_ReadReorderings(self.dd)
        };
        self.reordering.automatic.set(Some(Automatic {
            reorderings,
            patient_from,
        }));
    }

    /// Did an operation fail without an error of its own? CUDD gives up an operation for a
    /// reordering which it then declines, because too few nodes are live, without telling the
    /// operation to start again.
    pub fn reordering_got_in_the_way(&self) -> bool {
        // SAFETY: live manager.
        let code = unsafe { cudd::Cudd_ReadErrorCode(self.dd) };
        self.reordering.method.get().is_some() && code == cudd::Cudd_ErrorType_CUDD_NO_ERROR
    }
}

impl Manager {
    /// Reorders now. The order found takes the place of one that was planned.
    pub fn reorder(&self, method: Method) -> DdResult<()> {
        self.0.plan.take();
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
            self.0.reordering.starts_from.set(Some(nodes));
        }
    }

    /// Runs something that makes many nodes which are soon gone: reordering does not start by itself
    /// before so many live.
    pub fn patiently<R>(&self, nodes: usize, f: impl FnOnce() -> R) -> R {
        let nodes = u32::try_from(nodes).unwrap_or(u32::MAX);
        let patience = self.0.reordering.starts_from.get();
        self.0
            .reordering
            .starts_from
            .set(patience.map(|n| n.max(nodes)));
        let result = f();
        if self.dynamic_enabled().is_none() {
            self.0.reordering.starts_from.set(patience);
        }
        result
    }

    /// Runs something that needs the levels to stay as they are.
    pub fn in_fixed_order<R>(&self, f: impl FnOnce() -> R) -> R {
        let (dynamic, automatic) = (self.dynamic_enabled(), self.0.reordering.automatic.get());
        if dynamic.is_some() {
            self.disable_dynamic();
        }
        let patience = self.0.reordering.starts_from.take();
        let result = self.without_plan(f);
        self.0.reordering.starts_from.set(patience);
        if let Some(method) = dynamic {
            self.enable_dynamic(method);
            self.0.reordering.automatic.set(automatic);
        }
        result
    }

    /// No automatic reordering.
    pub fn disable_dynamic(&self) {
        self.0.reordering.method.set(None);
        self.0.reordering.automatic.set(None);
        // SAFETY: live manager.
        unsafe { cudd::Cudd_AutodynDisable(self.0.dd) }
    }

    /// No reordering from now on but on demand, whatever was planned.
    pub fn keep_order(&self) {
        self.disable_dynamic();
        self.0.reordering.starts_from.set(None);
        self.0.plan.take();
    }

    /// The method of automatic reordering, if enabled.
    pub fn dynamic_enabled(&self) -> Option<Method> {
        self.0.reordering.method.get()
    }

    /// Number of nodes at which automatic reordering happens next.
    pub fn set_next_reordering(&self, nodes: usize) {
        let nodes = u32::try_from(nodes).unwrap_or(u32::MAX);
        // SAFETY: live manager.
        unsafe { cudd::Cudd_SetNextReordering(self.0.dd, nodes) }
    }
}
