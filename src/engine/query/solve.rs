//! Both answers to a query.
//!
//! ```text
//! all  = { m | every fair initial state s satisfies f[m] }
//! some = { m | a fair initial state s satisfies f[m] }
//! ```
//! Both are bounded from the top of the formula ([`super::forward`]), from each of a few initial states,
//! or from all of many and from samples of these. Minterms between the bounds go through the
//! bottom-up pass. Which initial states belong to a minterm is a question of its own where there are many
//! ([`Question::pairs`]): only lists need it, and only of the minterms that are listed.
//!
//! As in a check, a model without fair initial states satisfies everything: `all` has all minterms,
//! `some` none.

use super::forward::Bounds;
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

/// Single initial states that are asked where there are more.
const SAMPLES: usize = 8;

/// Nodes up to which the relation is made one diagram for the bottom-up pass.
const RELATION: usize = 20_000;

/// A query and the machine it is put to.
#[derive(Clone, Copy)]
pub struct Question<'a, 'f> {
    /// The machine; values of subformulas are kept there.
    pub checker: &'a Checker<'f>,
    /// With placeholders.
    pub formula: ExprId,
    /// What is known of where the placeholders stand.
    pub shape: &'a Shape,
    /// The variables of the placeholder; each has fresh bits.
    pub over: &'a [VarId],
}

/// The answers, over fresh bits.
#[derive(Clone)]
pub struct Solutions {
    /// Minterms that make the formula true in every initial state.
    pub all: Bdd,
    /// Minterms that do in some initial state.
    pub some: Bdd,
    /// Pairs (initial state, minterm), over state and fresh bits, where they are known.
    pub pairs: Option<Bdd>,
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
        let holds = self.sampled(&pass, &initial, false)?;
        let fails = self.sampled(&pass, &initial, true)?;
        let open = holds.open()?.or(&fails.open()?)?;
        let (mut some, mut none) = (holds.lower, fails.lower);
        if !open.is_zero() {
            self.checker.tighten(RELATION)?;
            let rest = pass.within(&open)?;
            let found = rest.some(self.formula, &initial, false)?.and(&open)?;
            some = some.or(&found)?;
            let found = rest.some(self.formula, &initial, true)?.and(&open)?;
            none = none.or(&found)?;
        }
        Ok(Solutions {
            all: none.not(),
            some,
            pairs: None,
        })
    }

    /// Bounds of the minterms for which some of many states satisfies the formula, or does not if
    /// `negated`; single states may tell more.
    fn sampled(&self, pass: &Pass, states: &Bdd, negated: bool) -> Result<Bounds> {
        let fsm = self.fsm();
        let mut bounds = pass.bounds(self.formula, states, negated)?;
        let bits = fsm.manager.num_vars() as usize;
        for sample in 0..SAMPLES {
            if bounds.is_exact() {
                break;
            }
            let coins: Vec<bool> = (0..bits).map(|bit| coin(bit, sample)).collect();
            let Some(state) = fsm.random_state(states, &coins)? else {
                break;
            };
            let one = pass.bounds(self.formula, &state, negated)?;
            let more = bounds.lower.or(&one.lower)?;
            if more == bounds.lower {
                break;
            }
            bounds.lower = more;
        }
        bounds.upper = bounds.upper.or(&bounds.lower)?;
        Ok(bounds)
    }

    /// Solves from each initial state alone.
    fn solve_from_each(&self, pass: &Pass, states: &[Bdd]) -> Result<Solutions> {
        let manager = &self.fsm().manager;
        let mut open = manager.zero();
        let mut found = Vec::with_capacity(states.len());
        for state in states {
            let bounds = pass.bounds(self.formula, state, false)?;
            open = open.or(&bounds.open()?)?;
            found.push(bounds.lower);
        }
        if !open.is_zero() {
            self.checker.tighten(RELATION)?;
        }
        let rest = pass.within(&open)?;
        let (mut all, mut some, mut pairs) = (manager.one(), manager.zero(), manager.zero());
        for (state, mut found) in states.iter().zip(found) {
            if !open.is_zero() {
                found = found.or(&rest.some(self.formula, state, false)?.and(&open)?)?;
            }
            all = all.and(&found)?;
            some = some.or(&found)?;
            pairs = pairs.or(&found.and(state)?)?;
        }
        Ok(Solutions {
            all,
            some,
            pairs: Some(pairs),
        })
    }

    /// The pairs (initial state, minterm) for some of the minterms.
    pub fn pairs(&self, minterms: &Bdd) -> Result<Bdd> {
        self.checker.tighten(RELATION)?;
        let pass = Pass::new(self.checker, self.shape, self.placeholder(self.over)?);
        let pairs = pass.within(minterms)?.sat(self.formula)?;
        Ok(pairs.and(&self.checker.fair_init()?)?.and(minterms)?)
    }
}

/// A coin for a bit, as random as need be.
fn coin(bit: usize, sample: usize) -> bool {
    let mixed = (bit as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    (mixed.wrapping_mul(2 * sample as u64 + 1) >> 17) & 1 == 1
}
