//! The values that the fixpoint code works over.
//!
//! [`Algebra`] is a finite distributive lattice with a negation, and its functions from states to
//! values. Two instances: state sets ([`TwoValued`]) and diagrams of lattice words ([`Words`]).
//! All values are normalised: outside the care set they are bottom, so that equal diagrams mean
//! equal functions on the states that count.

use crate::dd::{Bdd, DdResult, OpTag, Word, WordDd};
use crate::encode::fsm::Justice;

/// What both algebras need of a machine.
pub trait Machine {
    /// Reachable states, or all states where they are not computed.
    fn care(&self) -> &Bdd;
    /// States of the care set from which a fair path starts.
    fn fair(&self) -> &Bdd;
    /// Whether `fair` is just these states; some machines let every state count as fair.
    fn fair_is_exact(&self) -> bool;
    /// The justice constraints, one for each JUSTICE.
    fn justice(&self) -> &[Justice];
    /// Infinitely often the first only if the second.
    fn compassion(&self) -> &[(Justice, Justice)];
    /// States with a successor in `target`.
    fn pre(&self, target: &Bdd) -> DdResult<Bdd>;
    /// States with a step into `target` that satisfies a fairness condition.
    fn pre_under(&self, condition: &Justice, target: &Bdd) -> DdResult<Bdd>;
    /// States with a step into `target` that is in `steps`, a set of states and inputs.
    fn pre_by(&self, steps: &Bdd, target: &Bdd) -> DdResult<Bdd>;
    /// The join of the words of all successors; bottom where there is none.
    fn pre_word(&self, target: &WordDd, mask: Word) -> DdResult<WordDd>;
    /// The same over steps that satisfy a fairness condition.
    fn pre_word_under(&self, condition: &Justice, target: &WordDd, mask: Word) -> DdResult<WordDd>;
    /// The same with each successor's word met with the step's.
    fn pre_word_by(&self, steps: &WordDd, target: &WordDd, mask: Word) -> DdResult<WordDd>;
}

/// Functions from states to a lattice with negation.
pub trait Algebra {
    /// What a state is mapped to, for all states at once.
    type Value: Clone + PartialEq;

    /// The machine whose steps the operators go over.
    fn machine(&self) -> &dyn Machine;
    /// Bottom everywhere.
    fn bottom(&self) -> DdResult<Self::Value>;
    /// The greatest lower bound, state by state.
    fn meet(&self, a: &Self::Value, b: &Self::Value) -> DdResult<Self::Value>;
    /// The least upper bound, state by state.
    fn join(&self, a: &Self::Value, b: &Self::Value) -> DdResult<Self::Value>;
    /// Negation on the care set; bottom elsewhere.
    fn not(&self, a: &Self::Value) -> DdResult<Self::Value>;
    /// `a` on `states`, bottom elsewhere.
    fn on(&self, a: &Self::Value, states: &Bdd) -> DdResult<Self::Value>;
    /// Top on `states`, bottom elsewhere.
    fn embed(&self, states: &Bdd) -> DdResult<Self::Value>;
    /// Join over all successors, on the care set.
    fn pre(&self, a: &Self::Value) -> DdResult<Self::Value>;
    /// Join over all steps that satisfy a fairness condition, on the care set.
    fn pre_under(&self, condition: &Justice, a: &Self::Value) -> DdResult<Self::Value>;
    /// Join over all steps, each met with its value in `steps` (of states and inputs), on the care set.
    fn pre_by(&self, steps: &Self::Value, a: &Self::Value) -> DdResult<Self::Value>;
    /// Some value `d` with `old ⊔ d = new` (`old ⊑ new`), as small a diagram as is cheap.
    fn gain(&self, new: &Self::Value, old: &Self::Value) -> DdResult<Self::Value>;
    /// `a ⊑ b` everywhere. May answer no where this is not cheap to tell.
    fn leq(&self, a: &Self::Value, b: &Self::Value) -> bool;
    /// `a` is top on all of `states`.
    fn top_on(&self, a: &Self::Value, states: &Bdd) -> bool;
    /// `a` is bottom on all of `states`.
    fn bottom_on(&self, a: &Self::Value, states: &Bdd) -> bool;
}

/// State sets.
pub struct TwoValued<'a>(pub &'a dyn Machine);

impl Algebra for TwoValued<'_> {
    type Value = Bdd;

    fn machine(&self) -> &dyn Machine {
        self.0
    }

    fn bottom(&self) -> DdResult<Bdd> {
        self.0.care().diff(self.0.care())
    }

    fn meet(&self, a: &Bdd, b: &Bdd) -> DdResult<Bdd> {
        a.and(b)
    }

    fn join(&self, a: &Bdd, b: &Bdd) -> DdResult<Bdd> {
        a.or(b)
    }

    fn not(&self, a: &Bdd) -> DdResult<Bdd> {
        self.0.care().diff(a)
    }

    fn on(&self, a: &Bdd, states: &Bdd) -> DdResult<Bdd> {
        a.and(states)
    }

    fn embed(&self, states: &Bdd) -> DdResult<Bdd> {
        states.and(self.0.care())
    }

    fn pre(&self, a: &Bdd) -> DdResult<Bdd> {
        self.0.pre(a)
    }

    fn pre_under(&self, condition: &Justice, a: &Bdd) -> DdResult<Bdd> {
        self.0.pre_under(condition, a)
    }

    fn pre_by(&self, steps: &Bdd, a: &Bdd) -> DdResult<Bdd> {
        self.0.pre_by(steps, a)
    }

    fn gain(&self, new: &Bdd, old: &Bdd) -> DdResult<Bdd> {
        new.diff(old)
    }

    fn leq(&self, a: &Bdd, b: &Bdd) -> bool {
        a.leq(b)
    }

    fn top_on(&self, a: &Bdd, states: &Bdd) -> bool {
        states.leq(a)
    }

    fn bottom_on(&self, a: &Bdd, states: &Bdd) -> bool {
        !states.intersects(a)
    }
}

/// Diagrams whose terminals are words of the vacuity lattice; see [`super::vacuity::words`].
pub struct Words<'a> {
    /// Steps and fair states.
    pub machine: &'a dyn Machine,
    /// The bits of mixed occurrences, which follow the product lattice.
    pub mask: Word,
    /// Bottom: word 0 everywhere.
    pub bottom: WordDd,
    /// Top: word 1 everywhere (true, and vacuous in all).
    pub top: WordDd,
}

impl Algebra for Words<'_> {
    type Value = WordDd;

    fn machine(&self) -> &dyn Machine {
        self.machine
    }

    fn bottom(&self) -> DdResult<WordDd> {
        Ok(self.bottom.clone())
    }

    fn meet(&self, a: &WordDd, b: &WordDd) -> DdResult<WordDd> {
        a.meet(b, self.mask)
    }

    fn join(&self, a: &WordDd, b: &WordDd) -> DdResult<WordDd> {
        a.join(b, self.mask)
    }

    fn not(&self, a: &WordDd) -> DdResult<WordDd> {
        self.on(&a.not()?, self.machine.care())
    }

    fn on(&self, a: &WordDd, states: &Bdd) -> DdResult<WordDd> {
        WordDd::ite(states, a, &self.bottom)
    }

    fn embed(&self, states: &Bdd) -> DdResult<WordDd> {
        self.on(
            &WordDd::ite(states, &self.top, &self.bottom)?,
            self.machine.care(),
        )
    }

    fn pre(&self, a: &WordDd) -> DdResult<WordDd> {
        self.on(&self.machine.pre_word(a, self.mask)?, self.machine.care())
    }

    fn pre_under(&self, condition: &Justice, a: &WordDd) -> DdResult<WordDd> {
        self.on(
            &self.machine.pre_word_under(condition, a, self.mask)?,
            self.machine.care(),
        )
    }

    fn pre_by(&self, steps: &WordDd, a: &WordDd) -> DdResult<WordDd> {
        self.on(
            &self.machine.pre_word_by(steps, a, self.mask)?,
            self.machine.care(),
        )
    }

    fn gain(&self, new: &WordDd, old: &WordDd) -> DdResult<WordDd> {
        new.apply2(old, OpTag(1), &mut |new, old| {
            if new == old { 0 } else { new }
        })
    }

    fn leq(&self, a: &WordDd, b: &WordDd) -> bool {
        a == b
    }

    fn top_on(&self, a: &WordDd, states: &Bdd) -> bool {
        a.terminals_under(states).iter().all(|&w| w == 1)
    }

    fn bottom_on(&self, a: &WordDd, states: &Bdd) -> bool {
        a.terminals_under(states).iter().all(|&w| w == 0)
    }
}
