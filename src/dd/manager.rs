//! The manager: variables, constants, and the one door through which operations go to CUDD.
//!
//! [`Inner::build`] runs an operation: it asks whether to go on (`budget`), lets a reordering begin that is due
//! (`reordering`), grows the stack, and turns a NULL into the reason for it.

use std::cell::{Cell, RefCell};
use std::ffi::c_int;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::VarIndex;
use super::add::Add;
use super::bdd::{Bdd, SwapMap};
use super::budget::Interruption;
use super::config::{Config, saturate};
use super::error::{DdError, DdResult};
use super::ffi::{self, DdManager, DdNode, Node, cudd};
use super::handle::Handle;
use super::order::Group;
use super::plan::Plan;
use super::reordering::Schedule;
use super::watch;
use super::word::WordDd;
use crate::base::CancelToken;

/// The CUDD manager and what belongs to it.
pub(super) struct Inner {
    /// Lives as long as this.
    pub dd: *mut DdManager,
    /// In a box, since CUDD has its address.
    pub interruption: Box<Interruption>,
    /// When it reorders by itself.
    pub reordering: Schedule,
    /// An order for later.
    pub plan: Plan,
    /// Those of CUDD's tree, to be made again after an order was set.
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
        self.consider_plan()?;
        self.tend_reordering();
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

    /// Says why CUDD returned NULL and makes the manager ready for the next operation.
    pub fn failure(&self) -> DdError {
        // SAFETY: `dd` is a live manager.
        let code = unsafe {
            let code = cudd::Cudd_ReadErrorCode(self.dd);
            cudd::Cudd_ClearErrorCode(self.dd);
            // CUDD switches automatic reordering off when it is interrupted inside.
            ffi::cmv_set_autodyn(self.dd, c_int::from(self.reordering.method.get().is_some()));
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
}

impl Drop for Inner {
    fn drop(&mut self) {
        watch::leave(self.dd);
        // SAFETY: the last handle is gone (each holds a share of this), so nothing refers to the
        // manager any more.
        unsafe { cudd::Cudd_Quit(self.dd) };
    }
}

/// A decision diagram manager; clones share it.
#[derive(Clone)]
pub struct Manager(pub(super) Rc<Inner>);

impl Manager {
    /// A manager without variables. Operations give up when `token` fires.
    pub fn new(config: &Config, token: CancelToken) -> DdResult<Manager> {
        // The argument from which CUDD derives eager buffers; the real limits are set below.
        const START_UP_MEMORY: u64 = 64 << 20;
        // SAFETY: plain calls; the result is checked before use.
        let dd = unsafe {
            ffi::cmv_survive_out_of_memory();
            cudd::Cudd_Init(
                0,
                0,
                saturate(config.unique_slots),
                saturate(config.cache_slots.min(config.max_cache_slots())),
                START_UP_MEMORY,
            )
        };
        if dd.is_null() {
            return Err(DdError::OutOfMemory);
        }
        // SAFETY: `dd` was just made.
        unsafe { ffi::cmv_configure(dd, &config.limits()) };
        let interruption = Interruption::install(dd, token);
        watch::install(dd);
        Ok(Manager(Rc::new(Inner {
            dd,
            interruption,
            reordering: Schedule::default(),
            plan: Plan::default(),
            groups: RefCell::new(Vec::new()),
            swap_maps: Cell::new(0),
            word_pairs: RefCell::default(),
            valued_cubes: RefCell::default(),
        })))
    }

    pub(super) fn from_inner(inner: &Rc<Inner>) -> Manager {
        Manager(Rc::clone(inner))
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

    /// CUDD's own consistency check of reference counts and tables (slow; for tests).
    #[cfg(test)]
    pub(super) fn is_consistent(&self) -> bool {
        // SAFETY: live manager, no operation under way.
        unsafe { cudd::Cudd_DebugCheck(self.0.dd) == 0 && cudd::Cudd_CheckKeys(self.0.dd) == 0 }
    }
}
