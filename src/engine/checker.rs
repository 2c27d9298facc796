//! What all checks of one machine share: reachable states, fair states, values of subformulas.

use super::algebra::{Machine, TwoValued};
use super::fixpoint;
use super::reach::Reach;
use crate::dd::{Bdd, DdResult, Word, WordDd};
use crate::encode::error::Result;
use crate::encode::fsm::Justice;
use crate::encode::{BddFsm, Observer, TransRel};
use crate::model::ExprId;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;

/// Nodes of conditions that are taken together before they meet a large set of states.
const GUARDS: usize = 10_000;

/// A machine with its care set and fair states.
pub struct Checker<'f> {
    /// What all sets are sets of.
    pub fsm: &'f BddFsm,
    /// Complete; none where reachable states are not to be computed.
    reach: Option<Reach>,
    care: Bdd,
    fair: Bdd,
    fair_is_exact: bool,
    /// The relation for preimages within the care set.
    backward: TransRel,
    /// The same as one diagram without inputs, from the care set into it, where somebody wanted that.
    tight: OnceCell<Option<Bdd>>,
    /// Those that count.
    compassion: &'f [(Justice, Justice)],
    /// Every state of the care set has a successor, where somebody asked.
    total: Cell<Option<bool>>,
    /// Kept values of formulas, within the care set.
    pub(super) memo: RefCell<HashMap<ExprId, Bdd>>,
    /// Those of [`Checker::apart`].
    apart: RefCell<HashMap<ExprId, Bdd>>,
}

/// A checker without its machine, to be taken up again.
pub struct Suspended {
    reach: Option<Reach>,
    care: Bdd,
    fair: Bdd,
    fair_is_exact: bool,
    backward: TransRel,
    memo: HashMap<ExprId, Bdd>,
}

impl<'f> Checker<'f> {
    /// Lets go of the machine but not of what was computed.
    pub fn suspend(self) -> Suspended {
        Suspended {
            reach: self.reach,
            care: self.care,
            fair: self.fair,
            fair_is_exact: self.fair_is_exact,
            backward: self.backward,
            memo: self.memo.into_inner(),
        }
    }

    /// Goes on with the machine of which `kept` was made.
    pub fn resume(fsm: &'f BddFsm, kept: Suspended) -> Self {
        Checker {
            fsm,
            reach: kept.reach,
            care: kept.care,
            fair: kept.fair,
            fair_is_exact: kept.fair_is_exact,
            backward: kept.backward,
            compassion: &fsm.compassion,
            tight: OnceCell::default(),
            total: Cell::default(),
            memo: RefCell::new(kept.memo),
            apart: RefCell::default(),
        }
    }

    /// Takes the reachable states (complete), or `None` for no care set but the invariant.
    pub fn new(fsm: &'f BddFsm, reach: Option<Reach>) -> DdResult<Self> {
        let care = reach.as_ref().map_or(&fsm.invar, |r| r.states()).clone();
        let backward = fsm.backward_within(&care)?;
        let mut this = Checker::with(fsm, reach, care, backward);
        if !(fsm.surely_total && fsm.justice.is_empty() && this.compassion.is_empty()) {
            this.fair = fixpoint::fair_states(&TwoValued(&this), &this.care, None)?;
        }
        Ok(this)
    }

    /// Takes a product of the machine of this checker with an observer. `care` lies within the care
    /// set of this checker, or is the invariant; `fair` finds the fair states.
    pub fn extended<'p>(
        &self,
        product: &'p BddFsm,
        observer: &Observer,
        care: Bdd,
        fair: impl FnOnce(&TwoValued) -> DdResult<Bdd>,
    ) -> DdResult<Checker<'p>> {
        let relation = if care.leq(&self.care) {
            &self.backward
        } else {
            &self.fsm.trans
        };
        let backward = relation.extended(&observer.trans, &product.layout)?;
        let mut this = Checker::with(product, None, care, backward);
        this.fair = fair(&TwoValued(&this))?;
        Ok(this)
    }

    /// All states count as fair until it is known which are.
    fn with(fsm: &'f BddFsm, reach: Option<Reach>, care: Bdd, backward: TransRel) -> Self {
        Checker {
            fsm,
            reach,
            fair: care.clone(),
            fair_is_exact: true,
            care,
            backward,
            compassion: &fsm.compassion,
            tight: OnceCell::default(),
            total: Cell::default(),
            memo: RefCell::default(),
            apart: RefCell::default(),
        }
    }

    /// A checker that only finds paths: no care set, and every state counts as fair.
    pub fn plain(fsm: &'f BddFsm) -> Self {
        Checker::all_fair(fsm, None, fsm.invar.clone())
    }

    /// A checker for which every reachable state counts as fair.
    pub fn unfair(fsm: &'f BddFsm, reach: Reach) -> Self {
        let care = reach.states().clone();
        Checker::all_fair(fsm, Some(reach), care)
    }

    fn all_fair(fsm: &'f BddFsm, reach: Option<Reach>, care: Bdd) -> Self {
        Checker {
            fsm,
            reach,
            fair: care.clone(),
            fair_is_exact: false,
            care,
            backward: fsm.trans.clone(),
            compassion: &[],
            tight: OnceCell::default(),
            total: Cell::default(),
            memo: RefCell::default(),
            apart: RefCell::default(),
        }
    }

    /// Makes one diagram of the relation between states of the care set, if that takes no more than
    /// so many nodes: for preimages of large sets of pairs, which meet nothing outside then.
    pub fn tighten(&self, nodes: usize) -> DdResult<()> {
        if self.tight.get().is_none() {
            let relation = self.one_relation(nodes)?;
            let _ = self.tight.set(relation);
        }
        Ok(())
    }

    fn one_relation(&self, nodes: usize) -> DdResult<Option<Bdd>> {
        let mut relation = self.care.clone();
        let next = self.care.swap(self.fsm.swap())?;
        for cluster in self.backward.clusters().iter().chain([&next]) {
            match relation.and_limit(cluster, nodes)? {
                Some(both) if both.size() <= nodes => relation = both,
                _ => return Ok(None),
            }
        }
        let inputs = self.fsm.manager.cube(&self.fsm.layout.input_bits)?;
        Ok(Some(relation.exists(&inputs)?))
    }

    /// The reachable states, if the care set is theirs.
    pub fn reach(&self) -> Option<&Reach> {
        self.reach.as_ref()
    }

    /// Initial states from which a fair path starts.
    pub fn fair_init(&self) -> DdResult<Bdd> {
        self.fsm.init.and(&self.fair)
    }

    /// Whether every state of the care set has a successor.
    fn is_total(&self) -> DdResult<bool> {
        if let Some(known) = self.total.get() {
            return Ok(known);
        }
        let total = self.fsm.surely_total
            || self
                .care
                .leq(&self.backward.preimage(&self.fsm.manager.one())?);
        self.total.set(Some(total));
        Ok(total)
    }

    /// Runs `f` with values of formulas of its own, kept from one call to the next, beside those of all
    /// others: for measurements.
    pub fn apart<T>(&self, f: impl FnOnce() -> T) -> T {
        self.memo.swap(&self.apart);
        let result = f();
        self.memo.swap(&self.apart);
        result
    }

    /// The set of states of a leaf formula.
    pub fn leaf(&self, e: ExprId) -> Result<Bdd> {
        Ok(self.fsm.boolean(e)?.and(&self.care)?)
    }
}

impl Machine for Checker<'_> {
    fn care(&self) -> &Bdd {
        &self.care
    }

    fn fair(&self) -> &Bdd {
        &self.fair
    }

    fn fair_is_exact(&self) -> bool {
        self.fair_is_exact
    }

    fn justice(&self) -> &[Justice] {
        &self.fsm.justice
    }

    fn compassion(&self) -> &[(Justice, Justice)] {
        self.compassion
    }

    fn pre(&self, target: &Bdd) -> DdResult<Bdd> {
        // No step that respects the invariant leaves the reachable states.
        if self.reach.is_some() && *target == self.care {
            let Some(events) = self.fsm.known_events() else {
                let valid = self.fsm.invar.swap(self.fsm.swap())?;
                return self.backward.preimage(&valid)?.and(&self.care);
            };
            // With events there is no invariant. What disables them is small before it meets the states.
            let any = self.fsm.manager.one();
            let (mut disabled, mut stuck) = (any.clone(), self.care.clone());
            for e in events {
                let not = any.event_preimage(&e.relation, &e.changed)?.not();
                disabled = match disabled.and_limit(&not, GUARDS)? {
                    Some(both) => both,
                    None => {
                        stuck = stuck.and(&disabled)?;
                        not
                    }
                };
            }
            return self.care.diff(&stuck.and(&disabled)?);
        }
        if let Some(Some(relation)) = self.tight.get() {
            let next = self.fsm.manager.cube(&self.fsm.layout.next_bits)?;
            return target.swap(self.fsm.swap())?.and_exists(relation, &next);
        }
        self.backward
            .preimage(&target.swap(self.fsm.swap())?)?
            .and(&self.care)
    }

    fn pre_under(&self, condition: &Justice, target: &Bdd) -> DdResult<Bdd> {
        if condition.reads_inputs {
            self.pre_by(&condition.set, target)
        } else {
            self.pre(target)?.and(&condition.set)
        }
    }

    fn pre_by(&self, steps: &Bdd, target: &Bdd) -> DdResult<Bdd> {
        let steps = target.swap(self.fsm.swap())?.and(steps)?;
        self.backward.preimage(&steps)?.and(&self.care)
    }

    fn pre_word(&self, target: &WordDd, mask: Word) -> DdResult<WordDd> {
        let total = self.is_total()?;
        self.backward
            .preimage_word(&target.swap(self.fsm.swap())?, mask, total)
    }

    fn pre_word_under(&self, condition: &Justice, target: &WordDd, mask: Word) -> DdResult<WordDd> {
        if condition.reads_inputs {
            let target = target.swap(self.fsm.swap())?.meet_bdd(&condition.set)?;
            let total = self.is_total()?;
            self.backward.preimage_word(&target, mask, total)
        } else {
            self.pre_word(target, mask)?.meet_bdd(&condition.set)
        }
    }

    fn pre_word_by(&self, steps: &WordDd, target: &WordDd, mask: Word) -> DdResult<WordDd> {
        let target = target.swap(self.fsm.swap())?.meet(steps, mask)?;
        let total = self.is_total()?;
        self.backward.preimage_word(&target, mask, total)
    }
}
