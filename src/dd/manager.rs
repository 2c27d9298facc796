//! The manager: variables, limits, cancellation, statistics.

use std::cell::{Cell, RefCell};
use std::ffi::{c_int, c_void};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::VarIndex;
use super::add::Add;
use super::bdd::{Bdd, SwapMap};
use super::error::{DdError, DdResult};
use super::ffi::{self, DdManager, DdNode, Node, cudd};
use super::handle::Handle;
use super::order::{Group, Method};
use super::watch;
use super::word::WordDd;
use crate::base::CancelToken;

/// Sizes and limits of a manager. The defaults fit the machine.
#[derive(Clone, Debug)]
pub struct Config {
    /// Bytes that nodes and tables may take; `None`: as much as there is.
    pub memory_limit: Option<usize>,
    /// Live nodes.
    pub node_limit: Option<usize>,
    /// Entries of the computed table at the start (32 bytes each); it grows by itself.
    pub cache_slots: usize,
    /// Upper bound for the entries of the computed table; `None`: a share of the memory.
    pub max_cache_slots: Option<usize>,
    /// Hash slots of each variable's table at the start (8 bytes each).
    pub unique_slots: usize,
    /// Nodes at which automatic reordering, if enabled, starts.
    pub first_reorder: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            memory_limit: None,
            node_limit: None,
            cache_slots: 1 << 15,
            max_cache_slots: None,
            unique_slots: 256,
            first_reorder: 4004,
        }
    }
}

/// Numbers about a manager, for reports.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Variables.
    pub vars: usize,
    /// Nodes referenced by someone.
    pub live_nodes: usize,
    /// Largest number of live nodes so far.
    pub peak_live_nodes: usize,
    /// Nodes that garbage collection would free.
    pub dead_nodes: usize,
    /// Bytes.
    pub memory: usize,
    /// Entries of the computed table.
    pub cache_slots: usize,
    /// Lookups in the computed table.
    pub cache_lookups: f64,
    /// Lookups that found their result.
    pub cache_hits: f64,
    /// Garbage collections.
    pub collections: usize,
    /// Time in garbage collection.
    pub collection_ms: u64,
    /// Reorderings.
    pub reorderings: usize,
    /// Time in reordering.
    pub reordering_ms: u64,
}

/// Hash slots of all tables up to which dead nodes, whose results may still be found, take four times the
/// room before they are collected; above, as many as slots. Not a share of the machine's memory: that
/// lets dead nodes fill many megabytes that no cache of the processor holds, and is rarely faster.
/// (With half of it, models that come back to results of dead nodes take up to twice the time.)
const LOOSE_UP_TO: u32 = 100_000;

/// By how much diagrams grow between two automatic reorderings, once they are large.
const GROWTH: u32 = 5;

/// Live nodes from which on reordering takes its time.
pub(super) const LARGE: u32 = 50_000;

/// Of automatic reordering.
#[derive(Clone, Copy)]
pub(super) struct Automatic {
    /// How many there were when the next one was put off.
    reorderings: u32,
    /// Live nodes from which on it waits until diagrams have grown by [`GROWTH`]; below, CUDD lets it begin
    /// when they have doubled.
    patient_from: u32,
}

/// The CUDD manager and what belongs to it.
pub(super) struct Inner {
    pub dd: *mut DdManager,
    interruption: Box<Interruption>,
    pub dynamic: Cell<Option<Method>>,
    /// Live nodes from which on reordering starts by itself.
    pub patience: Cell<Option<u32>>,
    /// While reordering is automatic.
    pub automatic: Cell<Option<Automatic>>,
    pub groups: RefCell<Vec<Group>>,
    swap_maps: Cell<u32>,
    /// Numbers of pairs (mask, value outside the relation), for keys of the computed table.
    word_pairs: RefCell<FxHashMap<(u64, u64), u64>>,
    valued_cubes: RefCell<FxHashMap<(Node, u64), Node>>,
}

impl Inner {
    /// Number of variables.
    pub fn size(&self) -> u32 {
        // SAFETY: `dd` is a live manager.
        unsafe { cudd::Cudd_ReadSize(self.dd) as u32 }
    }

    /// Level of a variable, 0 at the top.
    pub fn level(&self, index: VarIndex) -> u32 {
        // SAFETY: `dd` is a live manager; CUDD checks the range of the index.
        unsafe { cudd::Cudd_ReadPerm(self.dd, index as c_int) as u32 }
    }

    /// The BDD constant true.
    pub fn one(&self) -> Node {
        // SAFETY: `dd` is a live manager; its constants are always referenced.
        Node(unsafe { cudd::Cudd_ReadOne(self.dd) })
    }

    /// Runs something that recurses as deep as there are levels, on a stack large enough.
    pub fn deep<R>(&self, f: impl FnOnce() -> R) -> R {
        let need = 96 * 1024 + 512 * self.size() as usize;
        stacker::maybe_grow(need, 4 * need, f)
    }

    /// Runs an operation of CUDD's and takes a reference to its result.
    pub fn build(
        self: &Rc<Inner>,
        mut op: impl FnMut(*mut DdManager) -> *mut DdNode,
    ) -> DdResult<Handle> {
        self.check_token()?;
        self.lose_patience();
        let mut node = self.deep(|| op(self.dd));
        if node.is_null() && self.reordering_got_in_the_way() {
            watch::leave(self.dd);
            // SAFETY: live manager.
            unsafe { ffi::cmv_set_autodyn(self.dd, 0) };
            node = self.deep(|| op(self.dd));
            // SAFETY: live manager.
            unsafe { ffi::cmv_set_autodyn(self.dd, 1) };
        }
        if node.is_null() {
            return Err(self.failure());
        }
        Ok(Handle::new(self, Node(node)))
    }

    /// Switches automatic reordering on where somebody wanted this from so many live nodes on. (Not from
    /// the start, since it makes every operation a little slower.)
    fn lose_patience(&self) {
        if self.patience.get().is_none() && self.automatic.get().is_none() {
            return;
        }
        // SAFETY: live manager, no operation under way.
        unsafe {
            let live = cudd::Cudd_ReadKeys(self.dd).saturating_sub(cudd::Cudd_ReadDead(self.dd));
            let reorderings = cudd::Cudd_ReadReorderings(self.dd);
            if let Some(automatic) = self.automatic.get() {
                // It must not take most of the time.
                if automatic.reorderings != reorderings {
                    self.automatic.set(Some(Automatic {
                        reorderings,
                        ..automatic
                    }));
                    if live >= automatic.patient_from {
                        cudd::Cudd_SetNextReordering(self.dd, live.saturating_mul(GROWTH));
                    }
                }
                return;
            }
            let Some(limit) = self.patience.get() else {
                return;
            };
            if live < limit {
                return;
            }
            self.patience.set(None);
            self.enable_dynamic(Method::Sift, 0);
            cudd::Cudd_SetNextReordering(self.dd, limit.saturating_mul(2));
        }
    }

    /// Reorders from now on, as [`Automatic`] tells.
    pub fn enable_dynamic(&self, method: Method, patient_from: u32) {
        self.dynamic.set(Some(method));
        // SAFETY: live manager.
        let reorderings = unsafe {
            cudd::Cudd_AutodynEnable(self.dd, method.code());
            cudd::Cudd_ReadReorderings(self.dd)
        };
        self.automatic.set(Some(Automatic {
            reorderings,
            patient_from,
        }));
    }

    /// Did an operation fail without an error of its own? CUDD gives up an operation for a
    /// reordering which it then declines, because too few nodes are live, without telling the
    /// operation to start again.
    fn reordering_got_in_the_way(&self) -> bool {
        // SAFETY: live manager.
        let code = unsafe { cudd::Cudd_ReadErrorCode(self.dd) };
        self.dynamic.get().is_some() && code == cudd::Cudd_ErrorType_CUDD_NO_ERROR
    }

    /// Says why CUDD returned NULL and makes the manager ready for the next operation.
    pub fn failure(&self) -> DdError {
        // SAFETY: `dd` is a live manager.
        let code = unsafe {
            let code = cudd::Cudd_ReadErrorCode(self.dd);
            cudd::Cudd_ClearErrorCode(self.dd);
            // CUDD switches automatic reordering off when it is interrupted inside.
            ffi::cmv_set_autodyn(self.dd, c_int::from(self.dynamic.get().is_some()));
            code
        };
        watch::leave(self.dd);
        debug_assert_ne!(
            code,
            cudd::Cudd_ErrorType_CUDD_INVALID_ARG,
            "misuse of CUDD"
        );
        match self.interruption.token.reason() {
            Some(why) => DdError::Cancelled(why),
            None if code == cudd::Cudd_ErrorType_CUDD_TERMINATION
                && self.interruption.over_budget() =>
            {
                DdError::Budget
            }
            None if code == cudd::Cudd_ErrorType_CUDD_TOO_MANY_NODES => DdError::NodeLimit,
            None => DdError::OutOfMemory,
        }
    }

    /// The terminal with these bits.
    pub fn terminal(self: &Rc<Inner>, bits: u64) -> DdResult<Handle> {
        // SAFETY: live manager; the result is referenced at once by `build`.
        self.build(|dd| unsafe { ffi::cmv_const(dd, bits) })
    }

    /// The variables of a cube as a valued cube ending in a number for (mask, outside). Both are
    /// kept for the life of the manager.
    pub fn valued_cube(self: &Rc<Inner>, cube: &Bdd, mask: u64, outside: u64) -> DdResult<Node> {
        let number = {
            let mut pairs = self.word_pairs.borrow_mut();
            let next = pairs.len() as u64 + 1;
            *pairs.entry((mask, outside)).or_insert(next)
        };
        let node = cube.0.node;
        if let Some(&known) = self.valued_cubes.borrow().get(&(node, number)) {
            return Ok(known);
        }
        // SAFETY: live manager and operand; `build` references the result at once.
        let handle = self.build(|dd| unsafe { ffi::cmv_cube(dd, node.0, number) })?;
        let valued = handle.node;
        // SAFETY: live nodes; these references are never given back, so that the keys stay valid.
        // (Handles would keep the manager alive for ever.)
        unsafe {
            cudd::Cudd_Ref(node.0);
            cudd::Cudd_Ref(valued.0);
        }
        self.valued_cubes
            .borrow_mut()
            .insert((node, number), valued);
        Ok(valued)
    }

    /// Interrupted, or over the budget?
    pub fn check_token(&self) -> DdResult<()> {
        match self.interruption.token.reason() {
            Some(why) => Err(DdError::Cancelled(why)),
            None if self.interruption.over_budget() => Err(DdError::Budget),
            None => Ok(()),
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        watch::leave(self.dd);
        // SAFETY: the last handle is gone (each holds a share of this), so nothing refers to the
        // manager any more.
        unsafe { cudd::Cudd_Quit(self.dd) };
    }
}

/// What CUDD's termination callback gets.
pub(super) struct Interruption {
    pub token: CancelToken,
    dd: *mut DdManager,
    /// Lookups in the computed table after which operations fail.
    budget: Cell<f64>,
}

impl Interruption {
    fn over_budget(&self) -> bool {
        let budget = self.budget.get();
        // SAFETY: lives no longer than its manager.
        budget.is_finite() && unsafe { cudd::Cudd_ReadCacheLookUps(self.dd) } > budget
    }
}

/// Called by CUDD in the middle of operations: nonzero to give up.
unsafe extern "C" fn give_up(argument: *const c_void) -> c_int {
    // SAFETY: registered with the box of an `Inner`, which outlives its manager.
    let interruption = unsafe { &*argument.cast::<Interruption>() };
    let stop = interruption.token.reason().is_some() || interruption.over_budget();
    // SAFETY: CUDD calls this from within the live manager.
    c_int::from(stop || unsafe { ffi::cmv_exhausted(interruption.dd) } != 0)
}

/// A decision diagram manager; clones share it.
#[derive(Clone)]
pub struct Manager(pub(super) Rc<Inner>);

impl Manager {
    /// A manager without variables. Operations give up when `token` fires.
    pub fn new(config: &Config, token: CancelToken) -> DdResult<Manager> {
        // The argument from which CUDD derives eager buffers; the real limits are set below.
        const START_UP_MEMORY: u64 = 64 << 20;
        let memory = config.memory_limit.unwrap_or_else(physical_memory);
        let max_cache = config.max_cache_slots.unwrap_or(memory / 16 / 32);
        // SAFETY: plain calls; the result is checked before use.
        let dd = unsafe {
            ffi::cmv_survive_out_of_memory();
            cudd::Cudd_Init(
                0,
                0,
                saturate(config.unique_slots),
                saturate(config.cache_slots.min(max_cache)),
                START_UP_MEMORY,
            )
        };
        if dd.is_null() {
            return Err(DdError::OutOfMemory);
        }
        let limits = ffi::CmvLimits {
            soft_memory: (memory / 10 * 9) as u64,
            hard_memory: config.memory_limit.map_or(0, |limit| limit as u64),
            max_cache: saturate(max_cache),
            loose_up_to: LOOSE_UP_TO,
            max_live: config.node_limit.map_or(0, saturate),
            first_reorder: saturate(config.first_reorder),
        };
        let interruption = Box::new(Interruption {
            token,
            dd,
            budget: Cell::new(f64::INFINITY),
        });
        // SAFETY: `dd` was just made; the box is dropped after the manager (Inner::drop quits the
        // manager before its fields go).
        unsafe {
            ffi::cmv_configure(dd, &limits);
            let argument = std::ptr::from_ref(&*interruption)
                .cast_mut()
                .cast::<c_void>();
            cudd::Cudd_RegisterTerminationCallback(dd, Some(give_up), argument);
        }
        watch::install(dd);
        Ok(Manager(Rc::new(Inner {
            dd,
            interruption,
            dynamic: Cell::new(None),
            patience: Cell::new(None),
            automatic: Cell::new(None),
            groups: RefCell::new(Vec::new()),
            swap_maps: Cell::new(0),
            word_pairs: RefCell::default(),
            valued_cubes: RefCell::default(),
        })))
    }

    pub(super) fn from_inner(inner: &Rc<Inner>) -> Manager {
        Manager(Rc::clone(inner))
    }

    /// The token that interrupts operations of this manager.
    pub fn token(&self) -> &CancelToken {
        &self.0.interruption.token
    }

    /// A new variable at the bottom of the order.
    pub fn new_var(&self) -> DdResult<Bdd> {
        // SAFETY: live manager.
        self.0
            .build(|dd| unsafe { cudd::Cudd_bddNewVar(dd) })
            .map(Bdd)
    }

    /// The function of a variable. Panics if there is no such variable.
    pub fn var(&self, index: VarIndex) -> Bdd {
        assert!(index < self.num_vars(), "no variable {index}");
        // SAFETY: the variable exists, so this only reads its projection function.
        Bdd(Handle::new(
            &self.0,
            Node(unsafe { cudd::Cudd_bddIthVar(self.0.dd, index as c_int) }),
        ))
    }

    /// Number of variables.
    pub fn num_vars(&self) -> u32 {
        self.0.size()
    }

    /// True.
    pub fn one(&self) -> Bdd {
        Bdd(Handle::new(&self.0, self.0.one()))
    }

    /// False.
    pub fn zero(&self) -> Bdd {
        Bdd(Handle::new(&self.0, self.0.one().complement()))
    }

    /// `true` or `false` as a function.
    pub fn constant(&self, value: bool) -> Bdd {
        if value { self.one() } else { self.zero() }
    }

    /// The constant function to an interned value.
    pub fn leaf(&self, id: u32) -> DdResult<Add> {
        self.0.terminal(u64::from(id)).map(Add)
    }

    /// The constant function to a word.
    pub fn word(&self, bits: u64) -> DdResult<WordDd> {
        self.0.terminal(bits).map(WordDd)
    }

    /// The conjunction of variables, for quantification.
    pub fn cube(&self, vars: &[VarIndex]) -> DdResult<Bdd> {
        let mut vars: Vec<c_int> = vars.iter().map(|&v| v as c_int).collect();
        assert!(
            vars.iter().all(|&v| v < self.num_vars() as c_int),
            "no such variable"
        );
        let len = vars.len() as c_int;
        // SAFETY: the array holds `len` indices of existing variables.
        self.0
            .build(|dd| unsafe { cudd::Cudd_IndicesToCube(dd, vars.as_mut_ptr(), len) })
            .map(Bdd)
    }

    /// A renaming of variables that exchanges the two of each pair.
    pub fn swap_map(&self, pairs: &[(VarIndex, VarIndex)]) -> SwapMap {
        let id = self.0.swap_maps.get();
        self.0.swap_maps.set(id + 1);
        SwapMap::new(id, self.num_vars(), pairs)
    }

    /// Live nodes.
    pub fn live_nodes(&self) -> usize {
        // SAFETY: live manager.
        unsafe { cudd::Cudd_ReadNodeCount(self.0.dd).max(0) as usize }
    }

    /// Largest number of live nodes so far.
    pub fn peak_live_nodes(&self) -> usize {
        // SAFETY: live manager.
        unsafe { cudd::Cudd_ReadPeakLiveNodeCount(self.0.dd).max(0) as usize }
    }

    /// Bytes allocated by the manager.
    pub fn memory_bytes(&self) -> usize {
        // SAFETY: live manager.
        unsafe { cudd::Cudd_ReadMemoryInUse(self.0.dd) as usize }
    }

    /// Frees dead nodes (CUDD does so by itself when it pays).
    pub fn gc(&self) {
        // SAFETY: live manager; all nodes in use are referenced by handles.
        unsafe { ffi::cmv_collect(self.0.dd) }
    }

    /// Forgets all computed results: what follows is measured as if it came first.
    pub fn forget_results(&self) {
        // SAFETY: live manager, no operation under way.
        unsafe { ffi::cmv_forget(self.0.dd) }
    }

    /// Changes the limit on live nodes; `None` lifts it.
    pub fn set_node_limit(&self, limit: Option<usize>) {
        // SAFETY: live manager.
        unsafe { cudd::Cudd_SetMaxLive(self.0.dd, limit.map_or(u32::MAX, saturate)) }
    }

    /// Lookups in the computed table so far: a measure of the work done.
    pub fn lookups(&self) -> f64 {
        // SAFETY: live manager.
        unsafe { cudd::Cudd_ReadCacheLookUps(self.0.dd) }
    }

    /// Runs `search`, but gives it up once its operations have looked up the computed table so many
    /// times. None if it was given up. Within another such call the tighter budget counts; where that
    /// is the outer one, the error goes on to the outer call.
    pub fn with_budget<T, E>(
        &self,
        lookups: u64,
        search: impl FnOnce() -> Result<T, E>,
    ) -> Result<Option<T>, E> {
        let interruption = &self.0.interruption;
        let outer = interruption.budget.get();
        let own = self.lookups() + lookups as f64;
        interruption.budget.set(own.min(outer));
        let result = search();
        let over = result.is_err() && interruption.over_budget();
        // Work outside of all budgets has moved this one.
        let moved = interruption.budget.get() - own.min(outer);
        interruption.budget.set(outer + moved);
        if over && !interruption.over_budget() {
            return Ok(None);
        }
        result.map(Some)
    }

    /// Runs something whose results are kept in any case, so that it counts for no budget.
    pub fn outside_budget<R>(&self, work: impl FnOnce() -> R) -> R {
        let budget = &self.0.interruption.budget;
        let (outer, before) = (budget.replace(f64::INFINITY), self.lookups());
        let result = work();
        budget.set(outer + (self.lookups() - before));
        result
    }

    /// Numbers for reports.
    pub fn stats(&self) -> Stats {
        let dd = self.0.dd;
        // SAFETY: live manager; readers only.
        unsafe {
            Stats {
                vars: self.num_vars() as usize,
                live_nodes: self.live_nodes(),
                peak_live_nodes: self.peak_live_nodes(),
                dead_nodes: cudd::Cudd_ReadDead(dd) as usize,
                memory: self.memory_bytes(),
                cache_slots: cudd::Cudd_ReadCacheSlots(dd) as usize,
                cache_lookups: cudd::Cudd_ReadCacheLookUps(dd),
                cache_hits: cudd::Cudd_ReadCacheHits(dd),
                collections: cudd::Cudd_ReadGarbageCollections(dd).max(0) as usize,
                collection_ms: cudd::Cudd_ReadGarbageCollectionTime(dd).max(0) as u64,
                reorderings: cudd::Cudd_ReadReorderings(dd) as usize,
                reordering_ms: cudd::Cudd_ReadReorderingTime(dd).max(0) as u64,
            }
        }
    }

    /// CUDD's own consistency check of reference counts and tables (slow; for tests).
    #[cfg(test)]
    pub(super) fn is_consistent(&self) -> bool {
        // SAFETY: live manager, no operation under way.
        unsafe { cudd::Cudd_DebugCheck(self.0.dd) == 0 && cudd::Cudd_CheckKeys(self.0.dd) == 0 }
    }
}

fn saturate(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Bytes of main memory; 4 GB where the system does not say.
fn physical_memory() -> usize {
    // SAFETY: sysconf has no preconditions.
    let (pages, size) = unsafe {
        (
            libc::sysconf(libc::_SC_PHYS_PAGES),
            libc::sysconf(libc::_SC_PAGESIZE),
        )
    };
    match (usize::try_from(pages), usize::try_from(size)) {
        (Ok(pages), Ok(size)) if pages > 0 && size > 0 => pages.saturating_mul(size),
        _ => 4 << 30,
    }
}
