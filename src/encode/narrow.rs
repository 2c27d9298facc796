//! The machine of a cone of influence, where the rest of the model cannot hinder it.
//!
//! If everything left out is assignments, each step of the cone extends to a step of the model: the
//! other variables get some value, whatever happens in the cone, and fairness conditions are in
//! every cone. So the paths of the cone are those of the model seen through its variables, and a
//! formula over these has the same verdict in both. With INIT, INVAR or TRANS outside the cone this
//! need not be so (they may block), and there is no narrower machine.

use super::fsm::{BddFsm, Conjunct, Conjuncts, conjunction, sets};
use crate::dd::{Bdd, DdResult};
use crate::encode::trans::TransRel;
use crate::model::dependencies::coi::VarSet;
use std::cell::OnceCell;
use std::rc::Rc;

impl BddFsm {
    /// Bits of the state and input variables of a cone.
    pub fn bits_of(&self, cone: &VarSet) -> usize {
        let encoded = self.layout.encoded().iter();
        encoded
            .filter(|&&v| cone.contains(v))
            .map(|&v| self.layout.bits(v).current.len())
            .sum()
    }

    /// The machine of a cone, over the same bits of the same manager; `None` where the rest of the model
    /// may matter.
    pub fn narrowed(&self, cone: &VarSet) -> DdResult<Option<BddFsm>> {
        let layout = self.layout.narrowed(&self.model, cone);
        let mut inside = vec![false; self.manager.num_vars() as usize];
        let bits = [layout.forward_bits(), layout.backward_bits()].concat();
        for v in bits.iter().chain(&layout.frozen_bits) {
            inside[*v as usize] = true;
        }
        let within = |set: &Bdd| set.support().iter().all(|&v| inside[v as usize]);
        let parts = |conjuncts: &[Conjunct]| -> Option<Vec<Conjunct>> {
            let mut kept = Vec::new();
            for c in conjuncts {
                if within(&c.set) {
                    kept.push(c.clone());
                } else if !c.assigned {
                    return None;
                }
            }
            Some(kept)
        };
        let (Some(init), Some(invar), Some(trans)) = (
            parts(&self.parts.init),
            parts(&self.parts.invar),
            parts(&self.parts.trans),
        ) else {
            return Ok(None);
        };
        let declared_init = conjunction(&self.manager, sets(&init))?;
        let of_invar = conjunction(&self.manager, sets(&invar))?;
        let canonical = self.canonical.iter().filter(|c| within(c)).cloned();
        Ok(Some(BddFsm {
            model: Rc::clone(&self.model),
            manager: self.manager.clone(),
            init: declared_init.and(&of_invar)?,
            init_contradictory: declared_init.is_zero(),
            declared_init,
            invar: of_invar,
            trans: TransRel::new(
                &self.manager,
                sets(&trans),
                &self.parts.clustering,
                &layout.forward_bits(),
                &layout.backward_bits(),
            )?,
            justice: self.justice.clone(),
            compassion: self.compassion.clone(),
            state_bits: layout.all_state_bits(),
            canonical: canonical.collect(),
            swap: layout.swap_map(&self.manager),
            surely_total: self.surely_total
                || (invar.is_empty() && trans.iter().all(|c| c.assigned)),
            extra: Rc::clone(&self.extra),
            encoder: Rc::clone(&self.encoder),
            parts: Rc::new(Conjuncts {
                init,
                invar,
                trans,
                clustering: self.parts.clustering,
            }),
            events: OnceCell::new(),
            moves: OnceCell::new(),
            layout: Rc::new(layout),
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::encode::testing::machine;
    use crate::engine::reach::Reach;
    use crate::model::dependencies::coi::Cones;
    use crate::model::testing::flat;
    use std::rc::Rc;

    #[test]
    fn a_cone_without_the_process_selector() {
        let model = flat(
            "MODULE main VAR x : boolean; free : 0..2; p : process toggle(x); FROZENVAR f : 1..4;
             SPEC f = 1 | AX free = 2
             MODULE toggle(x) ASSIGN next(x) := !x;",
        );
        let model = Rc::new(model);
        let whole = machine(&model);
        let cone = Cones::new(&model).property_cone(&model.properties[0]);
        let fsm = whole.narrowed(&cone).unwrap().expect("a narrower machine");
        assert_eq!(fsm.layout.encoded().len(), 2);
        let mut reach = Reach::new(&fsm);
        reach.close(&fsm).unwrap();
        assert_eq!(fsm.count(reach.states()).unwrap(), 12u32.into());
    }
}
