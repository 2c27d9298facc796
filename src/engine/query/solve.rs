//! Both answers to a query.
//!
//! From each of a few initial states the formula is taken apart from the top ([`super::forward`]); from
//! many the bottom-up pass yields the pairs (initial state, minterm), from which
//!
//! ```text
//! all  = { m | every fair initial state s satisfies f[m] }
//! some = { m | a fair initial state s satisfies f[m] }, with the set of these s
//! ```
//! As in a check, a model without fair initial states satisfies everything: `all` has all minterms,
//! `some` none.

use super::pass::Pass;
use super::shape::Shape;
use crate::dd::{Bdd, DdResult, VarIndex};
use crate::encode::error::Result;
use crate::encode::{BddFsm, Layout};
use crate::engine::Checker;
use crate::model::{ExprId, VarId};
use num_bigint::BigUint;

/// Initial states up to which each is asked alone.
const FEW: usize = 32;

/// A query and the machine it is put to.
#[derive(Clone, Copy)]
pub struct Question<'a, 'f> {
    pub checker: &'a Checker<'f>,
    pub formula: ExprId,
    pub shape: &'a Shape,
    /// The variables of the placeholder; each has fresh bits.
    pub over: &'a [VarId],
}

/// The answers, over fresh bits.
#[derive(Clone)]
pub struct Solutions {
    pub all: Bdd,
    pub some: Bdd,
    /// Pairs (initial state, minterm), over state and fresh bits.
    pub pairs: Bdd,
}

impl Question<'_, '_> {
    fn fsm(&self) -> &BddFsm {
        self.checker.fsm
    }

    /// The fresh bits of the placeholder.
    pub fn fresh_bits(&self) -> Vec<VarIndex> {
        let layout = &self.fsm().layout;
        let bits = |v: &VarId| layout.bits(*v).fresh.clone();
        self.over.iter().flat_map(bits).collect()
    }

    /// "The current values of these variables equal the fresh bits."
    pub fn placeholder(&self, over: &[VarId]) -> DdResult<Bdd> {
        let fsm = self.fsm();
        let mut same = fsm.manager.one();
        for &v in over {
            let bits = fsm.layout.bits(v);
            let var = fsm.model.var(v);
            let one = Layout::same_value(&fsm.manager, var, &bits.current, &bits.fresh)?;
            same = same.and(&one)?;
        }
        Ok(same)
    }

    /// Number of minterms in a set over fresh bits.
    pub fn count(&self, minterms: &Bdd) -> DdResult<BigUint> {
        let fsm = self.fsm();
        let codes = fsm
            .layout
            .one_code(&fsm.model, &fsm.manager, minterms, self.over, |b| &b.fresh)?;
        Ok(codes.count_big(&self.fresh_bits()).unwrap_or_default())
    }

    /// Solves the query.
    pub fn solve(&self) -> Result<Solutions> {
        let same = self.placeholder(self.over)?;
        self.solve_with(same)
    }

    /// Solves it with a set of pairs for the placeholder.
    pub fn solve_with(&self, placeholder: Bdd) -> Result<Solutions> {
        let fsm = self.fsm();
        let pass = Pass::new(self.checker, self.shape, placeholder);
        let initial = self.checker.fair_init()?;
        if let Some(states) = fsm.few_states(&initial, FEW)?
            && !states.is_empty()
        {
            return self.solve_from_each(&pass, &states);
        }
        let pairs = pass.sat(self.formula)?.and(&initial)?;
        let states = fsm.manager.cube(&fsm.state_bits)?;
        let fails = pairs.not().and_exists(&initial, &states)?;
        Ok(Solutions {
            all: fails.not(),
            some: pairs.exists(&states)?,
            pairs,
        })
    }

    /// Solves from each initial state alone.
    fn solve_from_each(&self, pass: &Pass, states: &[Bdd]) -> Result<Solutions> {
        let manager = &self.fsm().manager;
        let (mut all, mut some, mut pairs) = (manager.one(), manager.zero(), manager.zero());
        for state in states {
            let found = pass.some(self.formula, state, false)?;
            all = all.and(&found)?;
            some = some.or(&found)?;
            pairs = pairs.or(&found.and(state)?)?;
        }
        Ok(Solutions { all, some, pairs })
    }
}
