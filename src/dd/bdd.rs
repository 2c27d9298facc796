//! Boolean functions.
//!
//! Operators that may build nodes return [`DdResult`]; complement, tests and reading do not fail.
//! A *cube* argument is a conjunction of variables made by [`super::Manager::cube`].

use std::ffi::c_int;
use std::rc::Rc;

use super::VarIndex;
use super::error::{DdError, DdResult};
use super::ffi::{self, DdManager, DdNode, cudd};
use super::handle::{Handle, diagram_methods};

/// A Boolean function. Equality and hashing are those of functions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bdd(pub(super) Handle);

diagram_methods!(Bdd);

/// A renaming of variables, made by [`super::Manager::swap_map`]. Results of renaming are kept in
/// the computed table under the map's number, so make a map once and keep it.
#[derive(Clone, Debug)]
pub struct SwapMap {
    pub(super) id: u32,
    /// `map[i]` is what variable i becomes; variables beyond the end stay.
    pub(super) map: Rc<[c_int]>,
}

impl SwapMap {
    pub(super) fn new(id: u32, num_vars: u32, pairs: &[(VarIndex, VarIndex)]) -> SwapMap {
        let mut map: Vec<c_int> = (0..num_vars as c_int).collect();
        for &(a, b) in pairs {
            map[a as usize] = b as c_int;
            map[b as usize] = a as c_int;
        }
        SwapMap {
            id,
            map: map.into(),
        }
    }
}

impl Bdd {
    fn build(&self, op: impl FnMut(*mut DdManager) -> *mut DdNode) -> DdResult<Bdd> {
        self.0.inner.build(op).map(Bdd)
    }

    fn ptr(&self) -> *mut DdNode {
        self.0.node.0
    }

    /// Tautology?
    pub fn is_one(&self) -> bool {
        self.0.node == self.0.inner.one()
    }

    /// Unsatisfiable?
    pub fn is_zero(&self) -> bool {
        self.0.node == self.0.inner.one().complement()
    }

    /// True or false?
    pub fn is_const(&self) -> bool {
        self.0.node.is_const()
    }

    /// Complement (constant time).
    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn not(&self) -> Bdd {
        Bdd(self.0.sibling(self.0.node.complement()))
    }

    /// Conjunction.
    pub fn and(&self, g: &Bdd) -> DdResult<Bdd> {
        // SAFETY (also for the operators below): live manager, operands referenced by handles of
        // the same manager; `build` references the result at once.
        self.build(|dd| unsafe { cudd::Cudd_bddAnd(dd, self.ptr(), g.ptr()) })
    }

    /// Disjunction.
    pub fn or(&self, g: &Bdd) -> DdResult<Bdd> {
        // SAFETY: see `and`.
        self.build(|dd| unsafe { cudd::Cudd_bddOr(dd, self.ptr(), g.ptr()) })
    }

    /// Exclusive or.
    pub fn xor(&self, g: &Bdd) -> DdResult<Bdd> {
        // SAFETY: see `and`.
        self.build(|dd| unsafe { cudd::Cudd_bddXor(dd, self.ptr(), g.ptr()) })
    }

    /// Equivalence.
    pub fn xnor(&self, g: &Bdd) -> DdResult<Bdd> {
        self.xor(g).map(|x| x.not())
    }

    /// `!self | g`
    pub fn implies(&self, g: &Bdd) -> DdResult<Bdd> {
        self.diff(g).map(|x| x.not())
    }

    /// `self & !g`
    pub fn diff(&self, g: &Bdd) -> DdResult<Bdd> {
        let not_g = g.0.node.complement();
        // SAFETY: see `and`; a complement shares its node's reference.
        self.build(|dd| unsafe { cudd::Cudd_bddAnd(dd, self.ptr(), not_g.0) })
    }

    /// `self ? g : h`
    pub fn ite(&self, g: &Bdd, h: &Bdd) -> DdResult<Bdd> {
        // SAFETY: see `and`.
        self.build(|dd| unsafe { cudd::Cudd_bddIte(dd, self.ptr(), g.ptr(), h.ptr()) })
    }

    /// `∃ cube. self`
    pub fn exists(&self, cube: &Bdd) -> DdResult<Bdd> {
        // SAFETY: see `and`.
        self.build(|dd| unsafe { cudd::Cudd_bddExistAbstract(dd, self.ptr(), cube.ptr()) })
    }

    /// `∀ cube. self`
    pub fn forall(&self, cube: &Bdd) -> DdResult<Bdd> {
        // SAFETY: see `and`.
        self.build(|dd| unsafe { cudd::Cudd_bddUnivAbstract(dd, self.ptr(), cube.ptr()) })
    }

    /// `∃ cube. self & g`, without building the conjunction.
    pub fn and_exists(&self, g: &Bdd, cube: &Bdd) -> DdResult<Bdd> {
        // SAFETY: see `and`.
        self.build(|dd| unsafe { cudd::Cudd_bddAndAbstract(dd, self.ptr(), g.ptr(), cube.ptr()) })
    }

    /// [`Bdd::and`] with a budget of about `nodes` new nodes; `None` when it is used up.
    pub fn and_limit(&self, g: &Bdd, nodes: usize) -> DdResult<Option<Bdd>> {
        let nodes = u32::try_from(nodes).unwrap_or(u32::MAX);
        // SAFETY: see `and`.
        within_budget(
            self.build(|dd| unsafe { cudd::Cudd_bddAndLimit(dd, self.ptr(), g.ptr(), nodes) }),
        )
    }

    /// Does `self` imply `g`? Builds no nodes.
    pub fn leq(&self, g: &Bdd) -> bool {
        let inner = &self.0.inner;
        // SAFETY: live manager and operands; nothing is built.
        inner.deep(|| unsafe { cudd::Cudd_bddLeq(inner.dd, self.ptr(), g.ptr()) != 0 })
    }

    /// Is `self & g` satisfiable? Builds no nodes.
    pub fn intersects(&self, g: &Bdd) -> bool {
        let inner = &self.0.inner;
        let not_g = g.0.node.complement();
        // SAFETY: live manager and operands; nothing is built.
        inner.deep(|| unsafe { cudd::Cudd_bddLeq(inner.dd, self.ptr(), not_g.0) == 0 })
    }

    /// A function that agrees with `self` on `care`, often smaller (sibling substitution; variables
    /// of `care` alone do not enter). `care` must not be false.
    pub fn restrict(&self, care: &Bdd) -> DdResult<Bdd> {
        debug_assert!(!care.is_zero());
        // SAFETY: see `and`.
        self.build(|dd| unsafe { cudd::Cudd_bddRestrict(dd, self.ptr(), care.ptr()) })
    }

    /// A small function between `self` and `upper` (`self` implies `upper`).
    pub fn squeeze(&self, upper: &Bdd) -> DdResult<Bdd> {
        // SAFETY: see `and`.
        self.build(|dd| unsafe { cudd::Cudd_bddSqueeze(dd, self.ptr(), upper.ptr()) })
    }

    /// Renames variables.
    pub fn swap(&self, map: &SwapMap) -> DdResult<Bdd> {
        let len = map.map.len() as u32;
        // SAFETY: see `and`; the map holds `len` indices of existing variables.
        self.build(|dd| unsafe {
            ffi::cmv_bdd_permute(dd, self.ptr(), map.map.as_ptr(), len, map.id)
        })
    }

    /// What `rel` leads to from this set: it changes the bits of the cube `changed`, over whose next
    /// bits (index + 1, right below) it is, and leaves all others as they are.
    pub fn event_image(&self, rel: &Bdd, changed: &Bdd) -> DdResult<Bdd> {
        self.event(rel, changed, 0)
    }

    /// From where `rel` leads into this set.
    pub fn event_preimage(&self, rel: &Bdd, changed: &Bdd) -> DdResult<Bdd> {
        self.event(rel, changed, 1)
    }

    fn event(&self, rel: &Bdd, changed: &Bdd, backward: c_int) -> DdResult<Bdd> {
        // SAFETY: see `and`.
        self.build(|dd| unsafe {
            ffi::cmv_event_image(dd, self.ptr(), rel.ptr(), changed.ptr(), backward)
        })
    }

    /// Puts functions for variables, all at once; the others stay.
    pub fn vector_compose(&self, substitution: &[(VarIndex, Bdd)]) -> DdResult<Bdd> {
        let inner = &self.0.inner;
        // SAFETY: live manager; each variable below its size has a projection function.
        let mut vector: Vec<*mut DdNode> = (0..inner.size())
            .map(|v| unsafe { cudd::Cudd_bddIthVar(inner.dd, v as c_int) })
            .collect();
        for (var, g) in substitution {
            vector[*var as usize] = g.ptr();
        }
        // SAFETY: see `and`; the vector has one function for each variable.
        self.build(|dd| unsafe { cudd::Cudd_bddVectorCompose(dd, self.ptr(), vector.as_mut_ptr()) })
    }

    /// Cofactor by a cube of literals (complemented ones allowed).
    pub fn cofactor(&self, cube: &Bdd) -> DdResult<Bdd> {
        // SAFETY: see `and`.
        self.build(|dd| unsafe { cudd::Cudd_Cofactor(dd, self.ptr(), cube.ptr()) })
    }

    /// The true side by the top variable; a constant itself.
    #[must_use]
    pub fn high(&self) -> Bdd {
        self.cofactors().map_or_else(|| self.clone(), |c| c.1)
    }

    /// The false side by the top variable; a constant itself.
    #[must_use]
    pub fn low(&self) -> Bdd {
        self.cofactors().map_or_else(|| self.clone(), |c| c.0)
    }

    /// Value under an assignment.
    pub fn eval(&self, value: impl Fn(VarIndex) -> bool) -> bool {
        let mut node = self.0.node;
        while let Some(var) = node.var() {
            let (t, e) = node.children();
            node = if value(var) { t } else { e };
        }
        !node.is_complement()
    }
}

/// A budget that is used up shows as the node limit.
fn within_budget(result: DdResult<Bdd>) -> DdResult<Option<Bdd>> {
    match result {
        Ok(bdd) => Ok(Some(bdd)),
        Err(DdError::NodeLimit) => Ok(None),
        Err(other) => Err(other),
    }
}
