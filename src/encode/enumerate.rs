//! All members of a set, one after the other, in NuSMV's order.
//!
//! The paths of the diagram come as they are found when the else branch is followed first. The bits that a
//! path leaves open take all values, true before false, the topmost changing fastest; but where nothing is
//! decided at all, the topmost bit of all changes last.

use super::fsm::BddFsm;
use super::layout::Layout;
use crate::dd::{Bdd, DdResult, VarIndex};
use crate::model::{Value, VarId, VarKind};

/// By variable; absent where it is of another kind.
type Values = Vec<Option<Value>>;

/// The members of a set over some bits, as the bits that are true.
struct Members {
    /// From the top of the order.
    bits: Vec<VarIndex>,
    todo: Vec<Branch>,
    on: Vec<bool>,
    /// Of the path found last: the bits left open, the fastest first, if there are values left.
    open: Option<Vec<VarIndex>>,
}

/// A part of the set: what remains, how many bits are decided on the way there, and those that are open.
struct Branch {
    set: Bdd,
    depth: usize,
    /// The value of the last decided bit.
    decided: Option<(VarIndex, bool)>,
    open: Vec<VarIndex>,
}

impl Members {
    fn new(fsm: &BddFsm, set: Bdd, mut bits: Vec<VarIndex>) -> Members {
        bits.sort_by_key(|&b| fsm.manager.level_of(b));
        let on = vec![false; fsm.manager.num_vars() as usize];
        let start = Branch {
            set,
            depth: 0,
            decided: None,
            open: Vec::new(),
        };
        Members {
            bits,
            todo: vec![start],
            on,
            open: None,
        }
    }

    /// The next values of the open bits of the last path.
    fn advance(&mut self) -> bool {
        let Some(open) = &self.open else { return false };
        for &bit in open {
            let bit = bit as usize;
            self.on[bit] = !self.on[bit];
            if !self.on[bit] {
                return true;
            }
        }
        false
    }

    /// The next path, with all open bits true.
    fn path(&mut self) -> bool {
        while let Some(mut at) = self.todo.pop() {
            if let Some((bit, value)) = at.decided {
                self.on[bit as usize] = value;
            }
            if at.set.is_zero() {
                continue;
            }
            let rest = &self.bits[at.depth..];
            let steps = match at.set.top() {
                Some(top) => rest.iter().position(|&b| b == top),
                None => None,
            };
            let skipped = steps.unwrap_or(rest.len());
            at.open.extend(&rest[..skipped]);
            let depth = at.depth + skipped;
            let (Some(_), Some((low, high))) = (steps, at.set.cofactors()) else {
                if at.open.len() == self.bits.len() && !at.open.is_empty() {
                    at.open.rotate_left(1);
                }
                at.open.iter().for_each(|&b| self.on[b as usize] = true);
                self.open = Some(at.open);
                return true;
            };
            let bit = self.bits[depth];
            for (set, value) in [(high, true), (low, false)] {
                self.todo.push(Branch {
                    set,
                    depth: depth + 1,
                    decided: Some((bit, value)),
                    open: at.open.clone(),
                });
            }
        }
        self.open = None;
        false
    }
}

impl Iterator for Members {
    type Item = Vec<bool>;

    fn next(&mut self) -> Option<Vec<bool>> {
        (self.advance() || self.path()).then(|| self.on.clone())
    }
}

impl BddFsm {
    /// The states of a set. The order of variables must not change meanwhile.
    pub fn states(&self, set: &Bdd) -> DdResult<impl Iterator<Item = Vec<Option<Value>>> + '_> {
        let codes = self.one_code(set)?;
        let members = Members::new(self, codes, self.state_bits.clone());
        Ok(members.map(|on| self.decode(&on, |kind| kind != VarKind::Input)))
    }

    /// The assignments to inputs in a set over input bits.
    pub fn inputs(&self, set: &Bdd) -> DdResult<impl Iterator<Item = Vec<Option<Value>>> + '_> {
        let codes = self.one_input_code(set)?;
        let members = Members::new(self, codes, self.layout.input_bits.clone());
        Ok(members.map(|on| self.decode(&on, |kind| kind == VarKind::Input)))
    }

    /// The pairs of a state and inputs in a set that holds one code of each value.
    pub fn pairs(&self, set: &Bdd) -> impl Iterator<Item = (Values, Values)> + '_ {
        let bits = [self.state_bits.as_slice(), &self.layout.input_bits].concat();
        Members::new(self, set.clone(), bits).map(|on| {
            let state = self.decode(&on, |kind| kind != VarKind::Input);
            (state, self.decode(&on, |kind| kind == VarKind::Input))
        })
    }

    /// The set with one code for each value of inputs.
    pub fn one_input_code(&self, set: &Bdd) -> DdResult<Bdd> {
        let inputs: Vec<VarId> = self.model.vars_of(VarKind::Input).collect();
        self.layout
            .one_code(&self.model, &self.manager, set, &inputs, |b| &b.current)
    }

    fn value_of(&self, v: VarId, on: &[bool]) -> Value {
        let bits = &self.layout.bits(v).current;
        let code: Vec<bool> = bits.iter().map(|&b| on[b as usize]).collect();
        Layout::decode(self.model.var(v), &code)
    }

    /// The values of the variables of some kinds where the bits of `on` are true.
    pub(super) fn decode(&self, on: &[bool], of: impl Fn(VarKind) -> bool) -> Vec<Option<Value>> {
        let mut values = vec![None; self.model.vars.len()];
        for &v in self.layout.encoded() {
            if of(self.model.var(v).kind) {
                values[v.0 as usize] = Some(self.value_of(v, on));
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

    /// The states of a model without transitions, each as one word.
    fn listed(body: &str) -> Vec<String> {
        let m = Rc::new(flat(body));
        let config = FsmConfig::default();
        let fsm = BddFsm::build(&m, &config, None, CancelToken::default()).unwrap();
        let show = |v: &Option<Value>| match v {
            Some(Value::Bool(b)) => i64::from(*b).to_string(),
            Some(Value::Int(i)) => i.to_string(),
            _ => "?".to_owned(),
        };
        let states = fsm.states(&fsm.invar).unwrap();
        states.map(|s| s.iter().map(show).collect()).collect()
    }

    #[test]
    fn the_order_is_nusmvs() {
        let bits = "VAR a : boolean; b : boolean; c : boolean;";
        assert_eq!(listed(bits).join(" "), "111 101 110 100 011 001 010 000");
        let some = listed(&format!("{bits} INVAR a | b"));
        assert_eq!(some.join(" "), "011 010 111 101 110 100");
        assert_eq!(listed("VAR x : 0..3;").join(" "), "3 1 2 0");
        assert_eq!(listed("VAR x : 0..4;").join(" "), "4 0 2 3 1");
        let both = listed("VAR y : boolean; x : 0..2;");
        assert_eq!(both.join(" "), "12 02 10 00 11 01");
    }
}
