//! Single states and inputs: choosing them from sets, and their values.
//!
//! The choice is NuSMV's, so that traces come out the same: down the diagram, false where that leaves
//! everything, else true where that leaves anything; false where a variable does not matter.

use super::fsm::BddFsm;
use super::layout::Layout;
use crate::dd::{Bdd, DdResult, VarIndex};
use crate::model::{Value, VarId, VarKind};

impl BddFsm {
    /// One state of a set of states, as a cube: its canonical code, so that equal states are equal
    /// cubes.
    pub fn pick_state(&self, states: &Bdd) -> DdResult<Option<Bdd>> {
        if states.is_zero() {
            return Ok(None);
        }
        let mut state = self.cube(&self.state_values(states))?;
        if !self.layout.extra_bits.is_empty() {
            let on = self.chosen(states);
            for &bit in self.layout.extra_bits.iter().rev() {
                let literal = self.manager.var(bit);
                let literal = if on[bit as usize] {
                    literal
                } else {
                    literal.not()
                };
                state = state.and(&literal)?;
            }
        }
        Ok(Some(state))
    }

    /// The states of a set, as [`Self::pick_state`] gives them, if there are no more than `limit`.
    pub fn few_states(&self, states: &Bdd, limit: usize) -> DdResult<Option<Vec<Bdd>>> {
        let mut rest = self.one_code(states)?;
        let mut found = Vec::new();
        while let Some(state) = self.pick_state(&rest)? {
            if found.len() == limit {
                return Ok(None);
            }
            rest = rest.diff(&state)?;
            found.push(state);
        }
        Ok(Some(found))
    }

    /// Is the set a single state?
    pub fn is_single(&self, states: &Bdd) -> DdResult<bool> {
        Ok(match self.pick_state(states)? {
            None => false,
            Some(first) => self.one_code(states)? == first,
        })
    }

    /// The values of state and frozen variables in the chosen state of a set.
    pub fn state_values(&self, states: &Bdd) -> Vec<Option<Value>> {
        self.values(states, |kind| kind != VarKind::Input)
    }

    /// The values of inputs under which `from` steps to `to` within `steps` (a set of states, inputs
    /// and next states, or true).
    pub fn input_values(&self, from: &Bdd, to: &Bdd, steps: &Bdd) -> DdResult<Vec<Option<Value>>> {
        if self.layout.input_bits.is_empty() {
            return Ok(Vec::new());
        }
        let inputs = self.inputs_between(from, to, steps)?;
        Ok(self.values(&inputs, |kind| kind == VarKind::Input))
    }

    /// As [`Self::input_values`], chosen among inputs of which each value has one code.
    pub fn one_code_input(
        &self,
        from: &Bdd,
        to: &Bdd,
        steps: &Bdd,
    ) -> DdResult<Vec<Option<Value>>> {
        if self.layout.input_bits.is_empty() {
            return Ok(Vec::new());
        }
        let codes = self.one_input_code(&self.inputs_between(from, to, steps)?)?;
        Ok(self.values(&codes, |kind| kind == VarKind::Input))
    }

    /// The inputs under which `from` steps to `to` within `steps`, over input bits.
    pub fn inputs_between(&self, from: &Bdd, to: &Bdd, steps: &Bdd) -> DdResult<Bdd> {
        let both = from.and(&to.swap(self.swap())?)?;
        self.trans.restricted(&both)?.and(&steps.cofactor(&both)?)
    }

    /// A state of a set: where both ways lead on, the coin of the bit decides.
    pub fn random_state(&self, states: &Bdd, coins: &[bool]) -> DdResult<Option<Bdd>> {
        let codes = self.one_code(states)?;
        if codes.is_zero() {
            return Ok(None);
        }
        let on = walk(&codes, coins);
        self.cube(&self.decode(&on, |kind| kind != VarKind::Input))
            .map(Some)
    }

    /// As [`Self::input_values`], decided by coins.
    pub fn random_input(
        &self,
        from: &Bdd,
        to: &Bdd,
        steps: &Bdd,
        coins: &[bool],
    ) -> DdResult<Vec<Option<Value>>> {
        if self.layout.input_bits.is_empty() {
            return Ok(vec![None; self.model.vars.len()]);
        }
        let on = walk(&self.inputs_between(from, to, steps)?, coins);
        Ok(self.decode(&on, |kind| kind == VarKind::Input))
    }

    /// The states and inputs with some values, each by one of its codes.
    pub fn constraint(&self, values: &[Option<Value>]) -> DdResult<Bdd> {
        let encoded: Vec<Option<Value>> = (0..)
            .map(VarId)
            .zip(values)
            .map(|(v, value)| value.clone().filter(|_| self.layout.is_encoded(v)))
            .collect();
        self.cube(&encoded)
    }

    /// The cube of the codes of some values, over current bits.
    pub fn cube(&self, values: &[Option<Value>]) -> DdResult<Bdd> {
        let mut literals: Vec<(u32, VarIndex, bool)> = Vec::new();
        for (v, value) in (0..).map(VarId).zip(values) {
            let Some(value) = value else { continue };
            let Some(code) = Layout::code(self.model.var(v), value) else {
                continue;
            };
            let bits = &self.layout.bits(v).current;
            literals.extend(
                bits.iter()
                    .zip(code)
                    .map(|(&b, on)| (self.manager.level_of(b), b, on)),
            );
        }
        literals.sort_unstable();
        let mut cube = self.manager.one();
        for (_, bit, on) in literals.into_iter().rev() {
            let literal = self.manager.var(bit);
            cube = if on { literal } else { literal.not() }.and(&cube)?;
        }
        Ok(cube)
    }

    /// The bits that are true in the chosen member of a set that is not empty. The order of the
    /// choices is that in which the bits were created, whatever became of it by reordering.
    fn chosen(&self, set: &Bdd) -> Vec<bool> {
        if !self.manager.is_in_first_order()
            && let Ok(on) = self.chosen_in_first_order(set)
        {
            return on;
        }
        let mut on = vec![false; self.manager.num_vars() as usize];
        let mut rest = set.clone();
        while let (Some(top), Some((low, high))) = (rest.top(), rest.cofactors()) {
            let value = !low.is_one() && !high.is_zero();
            on[top as usize] = value;
            rest = if value { high } else { low };
        }
        on
    }

    fn chosen_in_first_order(&self, set: &Bdd) -> DdResult<Vec<bool>> {
        let mut on = vec![false; self.manager.num_vars() as usize];
        let mut rest = set.clone();
        while let Some(&first) = rest.support().first() {
            let literal = self.manager.var(first);
            let (low, high) = (rest.cofactor(&literal.not())?, rest.cofactor(&literal)?);
            let value = !low.is_one() && !high.is_zero();
            on[first as usize] = value;
            rest = if value { high } else { low };
        }
        Ok(on)
    }

    /// Values of the variables of some kinds in the chosen member of a set that is not empty.
    fn values(&self, set: &Bdd, of: impl Fn(VarKind) -> bool) -> Vec<Option<Value>> {
        self.decode(&self.chosen(set), of)
    }
}

/// The bits that are true on a way down a set that is not empty; coins decide, by bit, where there are two
/// ways and where a bit does not matter.
fn walk(set: &Bdd, coins: &[bool]) -> Vec<bool> {
    let mut on = coins.to_vec();
    let mut rest = set.clone();
    while let (Some(top), Some((low, high))) = (rest.top(), rest.cofactors()) {
        let value = low.is_zero() || (!high.is_zero() && coins[top as usize]);
        on[top as usize] = value;
        rest = if value { high } else { low };
    }
    on
}
