//! Has the product a fair path from an initial state?
//!
//! `(checker of the model, product) → checker of the product with its fair states`, or none. There are
//! three ways, none of which is always good:
//!
//! * forward: the reachable states of the product, the hull of its fair components among them
//!   ([`forward`]), and if that is not empty, back from there;
//! * backward among the reachable states of the model: Emerson and Lei's fixpoint
//!   ([`fixpoint`](crate::engine::fixpoint));
//! * backward whatever is reachable, as NuSMV does: the sets are larger, but often simpler.
//!
//! They are tried in turns with budgets that grow, so that what is spent is a small multiple of what the
//! best one needs. The answer is the same, and so is the lasso found with it: it only ever looks at
//! states that the initial ones lead to, where the three agree.

use super::Config;
use super::forward;
use crate::dd::{Bdd, DdResult};
use crate::encode::{BddFsm, Observer};
use crate::engine::Checker;
use crate::engine::algebra::{Machine, TwoValued};
use crate::engine::fixpoint::{fair_states, fair_states_by};
use crate::engine::reach::Reach;

/// Lookups in the computed table that the first attempts may take, and how this grows.
const FIRST_BUDGET: u64 = 1 << 20;
const GROWTH: u64 = 4;

/// A way to find the fair states of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Forward,
    /// Among the reachable states of the product (`-flt`).
    BackwardInProduct,
    BackwardInModel,
    Backward,
}

/// The question.
pub struct Search<'a, 'f, 'p> {
    checker: &'a Checker<'f>,
    product: &'p BddFsm,
    observer: &'a Observer,
    ways: &'static [Way],
}

impl<'a, 'f, 'p> Search<'a, 'f, 'p> {
    pub fn new(
        checker: &'a Checker<'f>,
        product: &'p BddFsm,
        observer: &'a Observer,
        config: &Config,
    ) -> Self {
        let ways: &[Way] = if config.forward {
            &[Way::Forward]
        } else if config.reach_product {
            &[Way::BackwardInProduct]
        } else if checker.reach().is_none() {
            &[Way::Backward]
        } else {
            &[Way::Forward, Way::BackwardInModel, Way::Backward]
        };
        Search {
            checker,
            product,
            observer,
            ways,
        }
    }

    /// A checker of the product, if an initial state of it starts a fair path.
    pub fn run(&self) -> DdResult<Option<Checker<'p>>> {
        if let [only] = self.ways {
            return self.attempt(*only);
        }
        let mut budget = FIRST_BUDGET;
        loop {
            for &way in self.ways {
                let attempt = || self.attempt(way);
                if let Some(found) = self.product.manager.with_budget(budget, attempt)? {
                    log::debug!("product: decided {way:?}");
                    return Ok(found);
                }
                log::debug!("product: {way:?} given up after {budget} lookups");
            }
            budget = budget.saturating_mul(GROWTH);
        }
    }

    pub(super) fn attempt(&self, way: Way) -> DdResult<Option<Checker<'p>>> {
        let wanted = Some(&self.product.init);
        let start = |care: Bdd| {
            (self.checker).extended(self.product, self.observer, care, |a| {
                fair_states(a, a.0.care(), wanted)
            })
        };
        let checker = match way {
            Way::Backward => start(self.product.invar.clone())?,
            Way::BackwardInModel => start(self.checker.fair().clone())?,
            Way::BackwardInProduct => start(self.reachable()?)?,
            Way::Forward => {
                let reached = self.reachable()?;
                let hull = forward::hull(self.product, reached.clone())?;
                if hull.is_zero() {
                    return Ok(None);
                }
                let fair = |a: &TwoValued| fair_states_by(a, &hull);
                (self.checker).extended(self.product, self.observer, reached, fair)?
            }
        };
        Ok((!checker.fair_init()?.is_zero()).then_some(checker))
    }

    fn reachable(&self) -> DdResult<Bdd> {
        let mut reach = Reach::new(self.product);
        reach.finish(self.product)?;
        Ok(reach.states().clone())
    }
}
