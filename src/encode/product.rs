//! A machine in parallel with an observer: bits that belong to no variable of the model.
//!
//! The product shares variables, diagrams and encoder with the machine it extends. Its states are
//! over the bits of the model and of the observer; what is shown of them is the model's part.

use super::fsm::{BddFsm, Justice};
use crate::dd::{Bdd, DdResult, GroupKind, Manager, SwapMap, VarIndex};
use std::cell::OnceCell;
use std::rc::Rc;

/// A bit of an observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtraBit {
    /// Just above `next` in the first order.
    pub current: VarIndex,
    /// Just below `current` in the first order.
    pub next: VarIndex,
}

impl ExtraBit {
    /// A fresh pair of adjacent bits at the bottom of the order.
    pub fn new(manager: &Manager) -> DdResult<ExtraBit> {
        let current = manager.num_vars();
        manager.new_var()?;
        manager.new_var()?;
        manager.group(current, 2, GroupKind::Fixed)?;
        Ok(ExtraBit {
            current,
            next: current + 1,
        })
    }
}

/// What an observer adds to a machine.
#[derive(Clone, Debug)]
pub struct Observer {
    /// Those of the observer alone.
    pub bits: Vec<ExtraBit>,
    /// Over current bits: where the product starts.
    pub init: Bdd,
    /// Conjuncts over the current bits, inputs and next bits of the product.
    pub trans: Vec<Bdd>,
    /// Over current bits, and inputs where they say so.
    pub justice: Vec<Justice>,
    /// Those of the machine, over current bits.
    pub compassion: Vec<(Bdd, Bdd)>,
}

impl BddFsm {
    /// The bit number `i` for observers, which share them.
    pub fn extra_bit(&self, i: usize) -> DdResult<ExtraBit> {
        let mut extra = self.extra.borrow_mut();
        while extra.len() <= i {
            extra.push(ExtraBit::new(&self.manager)?);
        }
        Ok(extra[i])
    }

    /// Current bits ↔ next bits, of the machine and of an observer.
    pub fn swap_with(&self, bits: &[ExtraBit]) -> SwapMap {
        let (current, next) = (&self.layout.state_bits, &self.layout.next_bits);
        let own = current.iter().copied().zip(next.iter().copied());
        let extra = bits.iter().map(|b| (b.current, b.next));
        self.manager.swap_map(&own.chain(extra).collect::<Vec<_>>())
    }

    /// The machine in parallel with an observer.
    pub fn product(&self, observer: &Observer) -> DdResult<BddFsm> {
        let mut layout = (*self.layout).clone();
        for bit in &observer.bits {
            layout.extra_bits.push(bit.current);
            layout.state_bits.push(bit.current);
            layout.next_bits.push(bit.next);
        }
        let of_states = |set: &Bdd| Justice {
            set: set.clone(),
            reads_inputs: false,
        };
        let mut justice = self.justice.clone();
        for j in &observer.justice {
            if !justice.iter().any(|known| known.set == j.set) {
                justice.push(j.clone());
            }
        }
        let compassion = observer.compassion.iter();
        Ok(BddFsm {
            model: Rc::clone(&self.model),
            manager: self.manager.clone(),
            init: self.init.and(&observer.init)?,
            declared_init: self.declared_init.clone(),
            init_contradictory: self.init_contradictory,
            invar: self.invar.clone(),
            trans: self.trans.extended(&observer.trans, &layout)?,
            justice,
            state_bits: layout.all_state_bits(),
            compassion: compassion
                .map(|(p, q)| (of_states(p), of_states(q)))
                .collect(),
            canonical: Rc::clone(&self.canonical),
            swap: layout.swap_map(&self.manager),
            surely_total: false,
            extra: Rc::clone(&self.extra),
            parts: Rc::clone(&self.parts),
            events: OnceCell::new(),
            moves: OnceCell::new(),
            encoder: Rc::clone(&self.encoder),
            layout: Rc::new(layout),
        })
    }
}
