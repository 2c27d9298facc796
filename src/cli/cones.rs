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
use crate::model::dependencies::coi::{Cones, VarSet, formulas};
use crate::model::{ExprId, Property};
use std::collections::HashMap;
use std::rc::Rc;

/// The machines of cones.
#[derive(Default)]
pub struct Narrow {
    plan: Option<Plan>,
}

#[derive(Default)]
struct Plan {
    cones: Vec<Cone>,
    /// By the expressions of a property: its place among the cones.
    places: HashMap<Vec<ExprId>, Option<usize>>,
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
    /// Where to give back what was computed.
    pub at: usize,
    /// Of the cone.
    pub fsm: Rc<BddFsm>,
    /// What was computed of it before.
    pub kept: Option<Kept>,
}

impl Narrow {
    /// The place of the cone of a property, for which [`Self::lend`] has a machine or may make one, and what
    /// is known of that machine.
    pub fn place(
        &mut self,
        fsm: &BddFsm,
        p: &Property,
        least: usize,
    ) -> Option<(usize, Option<&Kept>)> {
        let plan = self.plan(fsm, least)?;
        let at = plan.place(fsm, p)?;
        match &plan.cones[at].machine {
            Machine::Unknown => Some((at, None)),
            Machine::None => None,
            Machine::Built(_, kept) => Some((at, kept.as_deref())),
        }
    }

    /// None where the whole machine is small.
    fn plan(&mut self, fsm: &BddFsm, least: usize) -> Option<&mut Plan> {
        let all = fsm.layout.forward_bits().len() + fsm.layout.frozen_bits.len();
        (all >= least).then(|| self.plan.get_or_insert_with(|| Plan::new(fsm, all)))
    }

    /// The machine for a property; `None` if it is that of the whole model, as for models of fewer
    /// than `least` bits.
    pub fn lend(&mut self, fsm: &BddFsm, p: &Property, least: usize) -> DdResult<Option<Borrowed>> {
        let Some(plan) = self.plan(fsm, least) else {
            return Ok(None);
        };
        let Some(at) = plan.place(fsm, p) else {
            return Ok(None);
        };
        let chosen = &mut plan.cones[at];
        if matches!(chosen.machine, Machine::Unknown) {
            let made = fsm.manager.outside_budget(|| fsm.narrowed(&chosen.vars));
            chosen.machine = match made? {
                None => Machine::None,
                Some(narrow) => Machine::Built(Rc::new(narrow), None),
            };
        }
        // The shell may have added formulas since: the machine has to know them.
        if let Machine::Built(narrow, _) = &mut chosen.machine
            && !Rc::ptr_eq(&narrow.model, &fsm.model)
        {
            if let Some(narrow) = Rc::get_mut(narrow) {
                narrow.extend(Rc::clone(&fsm.model));
            } else if let Some(anew) = fsm.narrowed(&chosen.vars)? {
                *narrow = Rc::new(anew);
            }
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
        self.plan
            .as_ref()?
            .cones
            .iter()
            .find_map(|c| match &c.machine {
                Machine::Built(fsm, Some(kept)) => {
                    Some((Rc::clone(fsm), kept.known_reach()?.clone()))
                }
                _ => None,
            })
    }

    /// Gives back what has been computed of a machine.
    pub fn give_back(&mut self, at: usize, computed: Kept) {
        if let Some(plan) = &mut self.plan
            && let Machine::Built(_, kept) = &mut plan.cones[at].machine
        {
            *kept = Some(Box::new(computed));
        }
    }
}

impl Plan {
    /// Cones that take in those of the properties, from the largest; those that are nearly the model
    /// are left out.
    fn new(fsm: &BddFsm, all: usize) -> Plan {
        let model = &fsm.model;
        let cones = Cones::new(model);
        let mut wanted: Vec<(usize, VarSet, Vec<ExprId>)> = model
            .properties
            .iter()
            .map(|p| {
                let vars = cones.property_cone(p);
                (fsm.bits_of(&vars), vars, formulas(p))
            })
            .collect();
        wanted.sort_by_key(|(bits, ..)| std::cmp::Reverse(*bits));
        let mut plan = Plan::default();
        let mut whole = false;
        for (bits, vars, _) in &wanted {
            if bits * 10 > all * 9 {
                whole = true;
                continue;
            }
            // The whole machine is needed anyway, and has to be much larger for another to pay.
            if whole && bits * 2 > all {
                continue;
            }
            let shared = plan
                .cones
                .iter()
                .any(|c| c.bits * 2 <= bits * 3 && c.holds(vars));
            if !shared {
                plan.cones.push(Cone {
                    vars: vars.clone(),
                    bits: *bits,
                    machine: Machine::Unknown,
                });
            }
        }
        for (_, vars, formulas) in wanted {
            let place = plan.smallest(&vars);
            plan.places.insert(formulas, place);
        }
        plan
    }

    /// The place of a property's cone; `None` for the whole model.
    fn place(&mut self, fsm: &BddFsm, p: &Property) -> Option<usize> {
        if self.cones.is_empty() {
            return None;
        }
        let formulas = formulas(p);
        if let Some(known) = self.places.get(&formulas) {
            return *known;
        }
        // The shell has added it.
        let place = self.smallest(&Cones::new(&fsm.model).property_cone(p));
        self.places.insert(formulas, place);
        place
    }

    fn smallest(&self, vars: &VarSet) -> Option<usize> {
        let fitting = self.cones.iter().enumerate().filter(|(_, c)| c.holds(vars));
        fitting.min_by_key(|(_, c)| c.bits).map(|(at, _)| at)
    }
}

impl Cone {
    fn holds(&self, vars: &VarSet) -> bool {
        vars.iter().all(|v| self.vars.contains(v))
    }
}
