//! Functions to interned values: multi-terminal diagrams whose leaves are `u32` ids.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::bdd::{Bdd, SwapMap};
use super::count;
use super::error::DdResult;
use super::ffi::{self, DdManager, DdNode};
use super::handle::{Handle, diagram_methods};

/// Names an operator in the computed table: applications under the same tag to the same operands
/// must mean the same function. Applying with one and with two operands, and applying and testing,
/// have name spaces of their own, and so have [`Add`] and [`super::WordDd`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OpTag(pub u32);

/// Name spaces in the computed table.
pub(super) mod space {
    pub const ADD: u32 = 0;
    pub const WORD: u32 = 1;
    /// The set where an `Add` has the leaf that is the operator's number.
    pub const LEAF: u32 = 2;
    /// The set where a word has the bit that is the operator's number.
    pub const BIT: u32 = 3;
}

/// A function to interned values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Add(pub(super) Handle);

diagram_methods!(Add);

impl Add {
    fn ptr(&self) -> *mut DdNode {
        self.0.node.0
    }

    /// `cond ? then : otherwise`
    pub fn ite(cond: &Bdd, then: &Add, otherwise: &Add) -> DdResult<Add> {
        ite(cond, &then.0, &otherwise.0).map(Add)
    }

    /// Applies `f` to the leaves. `f` must not use the manager; what it does for an operand may be
    /// remembered, so failures should be leaves of their own.
    pub fn apply1(&self, op: OpTag, f: &mut dyn FnMut(u32) -> u32) -> DdResult<Add> {
        apply1(&self.0, space::ADD, op.0, &mut |a| u64::from(f(a as u32))).map(Add)
    }

    /// Applies `f` to pairs of leaves; see [`Add::apply1`].
    pub fn apply2(
        &self,
        other: &Add,
        op: OpTag,
        f: &mut dyn FnMut(u32, u32) -> u32,
    ) -> DdResult<Add> {
        apply2(&self.0, &other.0, space::ADD, op.0, &mut |a, b| {
            u64::from(f(a as u32, b as u32))
        })
        .map(Add)
    }

    /// The set where `f` is true of the leaf; see [`Add::apply1`].
    pub fn test1(&self, op: OpTag, f: &mut dyn FnMut(u32) -> bool) -> DdResult<Bdd> {
        test1(&self.0, space::ADD, op.0, &mut |a| u64::from(f(a as u32)))
    }

    /// The set where `f` is true of the two leaves; see [`Add::apply1`].
    pub fn test2(
        &self,
        other: &Add,
        op: OpTag,
        f: &mut dyn FnMut(u32, u32) -> bool,
    ) -> DdResult<Bdd> {
        test2(&self.0, &other.0, space::ADD, op.0, &mut |a, b| {
            u64::from(f(a as u32, b as u32))
        })
    }

    /// The leaves that occur, ascending.
    pub fn leaves(&self) -> Vec<u32> {
        terminals(&self.0)
            .into_iter()
            .map(|bits| bits as u32)
            .collect()
    }

    /// The set where the function has this value.
    pub fn leaf_set(&self, id: u32) -> DdResult<Bdd> {
        test1(&self.0, space::LEAF, id, &mut |a| {
            u64::from(a == u64::from(id))
        })
    }

    /// A function that agrees with this one on `care` (sibling substitution).
    pub fn restrict(&self, care: &Bdd) -> DdResult<Add> {
        restrict(&self.0, care).map(Add)
    }

    /// Renames variables.
    pub fn swap(&self, map: &SwapMap) -> DdResult<Add> {
        swap(&self.0, map).map(Add)
    }

    /// Value under an assignment.
    pub fn eval(&self, value: impl Fn(u32) -> bool) -> u32 {
        eval(&self.0, value) as u32
    }

    /// The raw node of a function, for keys of tables.
    pub fn address(&self) -> usize {
        self.ptr().addr()
    }
}

// What Add and WordDd share, over terminals of 64 bits.

pub(super) fn ite(cond: &Bdd, then: &Handle, otherwise: &Handle) -> DdResult<Handle> {
    // SAFETY: live manager, operands referenced by handles of the same manager.
    cond.0
        .inner
        .build(|dd| unsafe { ffi::cmv_ite(dd, cond.0.node.0, then.node.0, otherwise.node.0) })
}

pub(super) fn restrict(f: &Handle, care: &Bdd) -> DdResult<Handle> {
    // SAFETY: live manager, operands referenced by handles of the same manager.
    f.inner
        .build(|dd| unsafe { ffi::cmv_restrict(dd, f.node.0, care.0.node.0) })
}

pub(super) fn swap(f: &Handle, map: &SwapMap) -> DdResult<Handle> {
    let len = map.map.len() as u32;
    // SAFETY: live manager and operand; the map holds `len` indices of existing variables.
    f.inner
        .build(|dd| unsafe { ffi::cmv_permute(dd, f.node.0, map.map.as_ptr(), len, map.id) })
}

/// The terminals that occur, ascending.
pub(super) fn terminals(f: &Handle) -> Vec<u64> {
    let mut found = Vec::new();
    count::visit(&[f], |node| {
        if node.is_const() {
            found.push(node.bits());
        }
    });
    found.sort_unstable();
    found
}

pub(super) fn eval(f: &Handle, value: impl Fn(u32) -> bool) -> u64 {
    let mut node = f.node;
    while let Some(var) = node.var() {
        let (t, e) = node.children();
        node = if value(var) { t } else { e };
    }
    node.bits()
}

pub(super) type Leaf1<'a> = &'a mut dyn FnMut(u64) -> u64;
pub(super) type Leaf2<'a> = &'a mut dyn FnMut(u64, u64) -> u64;

/// A leaf function on its way through C: a panic must not unwind across it.
struct Callback<F> {
    f: F,
    panic: Option<Box<dyn std::any::Any + Send>>,
}

impl<F> Callback<F> {
    fn call(&mut self, f: impl FnOnce(&mut F) -> u64) -> u64 {
        if self.panic.is_some() {
            return 0;
        }
        catch_unwind(AssertUnwindSafe(|| f(&mut self.f))).unwrap_or_else(|panic| {
            self.panic = Some(panic);
            0
        })
    }
}

unsafe extern "C" fn leaf1(context: *mut c_void, a: u64) -> u64 {
    // SAFETY: `context` is the Callback that apply1/test1 pass down, used by nobody else meanwhile.
    let callback = unsafe { &mut *context.cast::<Callback<Leaf1<'_>>>() };
    callback.call(|f| f(a))
}

unsafe extern "C" fn leaf2(context: *mut c_void, a: u64, b: u64) -> u64 {
    // SAFETY: as in leaf1, from apply2/test2.
    let callback = unsafe { &mut *context.cast::<Callback<Leaf2<'_>>>() };
    callback.call(|f| f(a, b))
}

/// Runs an operator with a leaf function.
fn with_callback<F>(
    f: &Handle,
    leaf: F,
    op: impl Fn(*mut DdManager, *mut c_void) -> *mut DdNode,
) -> DdResult<Handle> {
    let mut callback = Callback {
        f: leaf,
        panic: None,
    };
    let context = std::ptr::from_mut(&mut callback).cast::<c_void>();
    let result = f.inner.build(|dd| op(dd, context));
    match callback.panic {
        Some(panic) => resume_unwind(panic),
        None => result,
    }
}

pub(super) fn apply1(f: &Handle, space: u32, op: u32, leaf: Leaf1<'_>) -> DdResult<Handle> {
    // SAFETY (here and below): live manager and operands; the context is valid during the call
    // and of the type the C callback expects.
    with_callback(f, leaf, |dd, context| unsafe {
        ffi::cmv_apply1(dd, f.node.0, space, op, Some(leaf1), context)
    })
}

pub(super) fn apply2(
    f: &Handle,
    g: &Handle,
    space: u32,
    op: u32,
    leaf: Leaf2<'_>,
) -> DdResult<Handle> {
    // SAFETY: see apply1.
    with_callback(f, leaf, |dd, context| unsafe {
        ffi::cmv_apply2(dd, f.node.0, g.node.0, space, op, Some(leaf2), context)
    })
}

pub(super) fn test1(f: &Handle, space: u32, op: u32, leaf: Leaf1<'_>) -> DdResult<Bdd> {
    // SAFETY: see apply1.
    with_callback(f, leaf, |dd, context| unsafe {
        ffi::cmv_test1(dd, f.node.0, space, op, Some(leaf1), context)
    })
    .map(Bdd)
}

pub(super) fn test2(f: &Handle, g: &Handle, space: u32, op: u32, leaf: Leaf2<'_>) -> DdResult<Bdd> {
    // SAFETY: see apply1.
    with_callback(f, leaf, |dd, context| unsafe {
        ffi::cmv_test2(dd, f.node.0, g.node.0, space, op, Some(leaf2), context)
    })
    .map(Bdd)
}
