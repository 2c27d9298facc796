//! All states of a set, one after the other, in NuSMV's order: down the variable order, true before
//! false.

use super::fsm::BddFsm;
use super::layout::Layout;
use crate::dd::{Bdd, DdResult, VarIndex};
use crate::model::{Value, VarKind};

/// The members of a set over some bits, as the bits that are true.
pub struct Members {
    /// From the top of the order.
    bits: Vec<VarIndex>,
    /// What is left to look at.
    todo: Vec<Branch>,
    on: Vec<bool>,
}

/// A part of the set: how many bits are decided, what remains, and the value of the last decided bit.
struct Branch(usize, Bdd, Option<(VarIndex, bool)>);

impl Members {
    fn new(fsm: &BddFsm, set: Bdd, mut bits: Vec<VarIndex>) -> Members {
        bits.sort_by_key(|&b| fsm.manager.level_of(b));
        Members {
            bits,
            todo: vec![Branch(0, set, None)],
            on: vec![false; fsm.manager.num_vars() as usize],
        }
    }
}

impl Iterator for Members {
    type Item = Vec<bool>;

    fn next(&mut self) -> Option<Vec<bool>> {
        while let Some(Branch(depth, set, decided)) = self.todo.pop() {
            if let Some((bit, value)) = decided {
                self.on[bit as usize] = value;
            }
            if set.is_zero() {
                continue;
            }
            let Some(&bit) = self.bits.get(depth) else {
                return Some(self.on.clone());
            };
            let (low, high) = match set.cofactors() {
                Some(both) if set.top() == Some(bit) => both,
                _ => (set.clone(), set),
            };
            self.todo.push(Branch(depth + 1, low, Some((bit, false))));
            self.todo.push(Branch(depth + 1, high, Some((bit, true))));
        }
        None
    }
}

impl BddFsm {
    /// The states of a set. The order of variables must not change meanwhile.
    pub fn states(&self, set: &Bdd) -> DdResult<impl Iterator<Item = Vec<Option<Value>>> + '_> {
        let codes = set.and(self.canonical())?;
        let members = Members::new(self, codes, self.state_bits.clone());
        Ok(members.map(|on| self.decode(&on, |kind| kind != VarKind::Input)))
    }

    /// The assignments to inputs in a set over input bits.
    pub fn inputs(&self, set: &Bdd) -> impl Iterator<Item = Vec<Option<Value>>> + '_ {
        let members = Members::new(self, set.clone(), self.layout.input_bits.clone());
        let mut seen = Vec::new();
        // Several codes may stand for one value.
        members
            .map(|on| self.decode(&on, |kind| kind == VarKind::Input))
            .filter(move |values| {
                let new = !seen.contains(values);
                if new {
                    seen.push(values.clone());
                }
                new
            })
    }

    /// The values of the variables of some kinds where the bits of `on` are true.
    fn decode(&self, on: &[bool], of: impl Fn(VarKind) -> bool) -> Vec<Option<Value>> {
        let mut values = vec![None; self.model.vars.len()];
        for &v in self.layout.encoded() {
            let var = self.model.var(v);
            if of(var.kind) {
                let bits = &self.layout.bits(v).current;
                let code: Vec<bool> = bits.iter().map(|&b| on[b as usize]).collect();
                values[v.0 as usize] = Some(Layout::decode(var, &code));
            }
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::CancelToken;
    use crate::encode::FsmConfig;
    use crate::model::testing::flat;
    use std::rc::Rc;

    #[test]
    fn each_state_once_true_first() {
        let m = Rc::new(flat("VAR b : boolean; x : 0..2;"));
        let config = FsmConfig::default();
        let fsm = BddFsm::build(&m, &config, None, CancelToken::default()).unwrap();
        let all: Vec<_> = fsm.states(&fsm.invar).unwrap().collect();
        assert_eq!(all.len(), 6);
        assert_eq!(all[0][0], Some(Value::Bool(true)));
        assert_eq!(all[5][0], Some(Value::Bool(false)));
        let mut xs: Vec<_> = all[..3].iter().map(|s| format!("{:?}", s[1])).collect();
        xs.sort();
        xs.dedup();
        assert_eq!(xs.len(), 3);
    }
}
