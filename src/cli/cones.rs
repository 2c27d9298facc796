//! Which properties to check on the machine of a cone of influence without being asked to.
//!
//! NuSMV checks every property on the machine of the whole model unless `-coi` is given. Where the
//! rest of the model cannot hinder the cone of a property ([`BddFsm::narrowed`]), the verdict is the
//! same on the machine of the cone, which may be far smaller. Cones that differ little share a
//! machine; small models and cones that are nearly everything are not worth it. The choice depends on
//! the model and its properties only.

use super::check::Kept;
use crate::dd::{Bdd, DdResult};
use crate::encode::BddFsm;
use crate::model::dependencies::coi::{Cones, VarSet};
use crate::model::{FlatModel, Property};
use std::rc::Rc;

/// The machines of cones.
#[derive(Default)]
pub struct Narrow {
    plan: Option<Vec<Cone>>,
}

struct Cone {
    vars: VarSet,
    bits: usize,
    machine: Machine,
}

enum Machine {
    Unknown,
    /// The rest of the model may matter.
    None,
    Built(Rc<BddFsm>, Option<Box<Kept>>),
}

/// A machine in use, to be given back.
pub struct Borrowed {
    at: usize,
    pub fsm: Rc<BddFsm>,
    pub kept: Option<Kept>,
}

impl Narrow {
    /// The machine for a property; `None` if it is that of the whole model, as for models of fewer
    /// than `least` bits.
    pub fn lend(&mut self, fsm: &BddFsm, p: &Property, least: usize) -> DdResult<Option<Borrowed>> {
        let all = fsm.layout.forward_bits().len() + fsm.layout.frozen_bits.len();
        if all < least {
            return Ok(None);
        }
        let plan = self.plan.get_or_insert_with(|| plan(fsm, all));
        if plan.is_empty() {
            return Ok(None);
        }
        let cone = Cones::new(&fsm.model).property_cone(p);
        let fitting = plan.iter_mut().enumerate();
        let Some((at, chosen)) = fitting
            .filter(|(_, c)| cone.iter().all(|v| c.vars.contains(v)))
            .min_by_key(|(_, c)| c.bits)
        else {
            return Ok(None);
        };
        if matches!(chosen.machine, Machine::Unknown) {
            chosen.machine = match fsm.narrowed(&chosen.vars)? {
                None => Machine::None,
                Some(narrow) => Machine::Built(Rc::new(narrow), None),
            };
        }
        Ok(match &mut chosen.machine {
            Machine::Built(fsm, kept) => Some(Borrowed {
                at,
                fsm: Rc::clone(fsm),
                kept: kept.take().map(|k| *k),
            }),
            Machine::Unknown | Machine::None => None,
        })
    }

    /// A machine of which all reachable states are known, with these.
    pub fn known(&self) -> Option<(Rc<BddFsm>, Bdd)> {
        self.plan.iter().flatten().find_map(|c| match &c.machine {
            Machine::Built(fsm, Some(kept)) => Some((Rc::clone(fsm), kept.known_reach()?.clone())),
            _ => None,
        })
    }

    /// Gives back what has been computed of a machine.
    pub fn give_back(&mut self, at: usize, computed: Kept) {
        if let Some(plan) = &mut self.plan
            && let Machine::Built(_, kept) = &mut plan[at].machine
        {
            *kept = Some(Box::new(computed));
        }
    }
}

impl Borrowed {
    pub fn place(&self) -> usize {
        self.at
    }
}

/// Cones that take in those of the properties, from the largest; those that are nearly the model are
/// left out.
fn plan(fsm: &BddFsm, all: usize) -> Vec<Cone> {
    let model: &FlatModel = &fsm.model;
    let cones = Cones::new(model);
    let mut wanted: Vec<(usize, VarSet)> = model
        .properties
        .iter()
        .map(|p| cones.property_cone(p))
        .map(|vars| (fsm.bits_of(&vars), vars))
        .collect();
    wanted.sort_by_key(|(bits, _)| std::cmp::Reverse(*bits));
    let mut plan: Vec<Cone> = Vec::new();
    let mut whole = false;
    for (bits, vars) in wanted {
        if bits * 10 > all * 9 {
            whole = true;
            continue;
        }
        // The whole machine is needed anyway, and has to be much larger for another to pay.
        if whole && bits * 2 > all {
            continue;
        }
        let shared = plan
            .iter()
            .any(|c| c.bits * 2 <= bits * 3 && vars.iter().all(|v| c.vars.contains(v)));
        if !shared {
            plan.push(Cone {
                vars,
                bits,
                machine: Machine::Unknown,
            });
        }
    }
    plan
}
