//! An asynchronous relation as events: each changes a few variables and leaves the others as they are.
//!
//! Two forms of models are understood:
//!
//! * one TRANS that is a disjunction; in each disjunct, conjuncts `next(x) = x` (definitions looked
//!   through) tell what stays;
//! * processes: for each value of the selector, the assignments that leave their variable alone.
//!
//! The relation is the disjunction of `local(current, next bits of what changes) ∧ (all else stays)`.
//! Events over state and frozen bits only; inputs are quantified. With INVAR there are no events, for
//! an event would have to look at everything.

use super::error::Result;
use super::fsm::{BddFsm, Conjuncts};
use super::wide::operands;
use crate::dd::{Bdd, VarIndex};
use crate::model::{ExprId, FlatModel, Node, Value, VarId, VarKind, VarType};
use smv_grammar::ops::{BinOp, UnOp};
use std::collections::{HashMap, HashSet};

/// Fewer disjuncts than this are no list of events.
const FEW: usize = 3;

/// Nodes beyond which a conjunction is no local step any more.
pub(super) const LARGE: usize = 10_000;

/// One event.
pub struct Event {
    /// What it reads of the current state and how it changes it: over all current bits and the next
    /// bits of `changed`.
    pub relation: Bdd,
    /// The cube of the current bits that it may change.
    pub changed: Bdd,
}

impl BddFsm {
    /// The relation as events, if it has that form.
    pub fn events(&self) -> Result<Option<&[Event]>> {
        if self.events.get().is_none() {
            let found = self.find_events()?;
            let _ = self.events.set(found);
        }
        Ok(self.known_events())
    }

    /// The events, if somebody asked for them and there are some.
    pub fn known_events(&self) -> Option<&[Event]> {
        self.events.get().and_then(|e| e.as_deref())
    }

    fn find_events(&self) -> Result<Option<Vec<Event>>> {
        if !self.invar.is_one() || !self.layout.extra_bits.is_empty() {
            return Ok(None);
        }
        let assigned = self.parts.trans.iter().filter(|c| c.assigned).count();
        match (self.model.process_selector, &self.parts.trans[..]) {
            (_, [_]) if assigned == 0 => self.of_disjunction(),
            (Some(selector), parts) if assigned == parts.len() => {
                self.of_processes(selector, &self.parts)
            }
            _ => Ok(None),
        }
    }

    /// The disjuncts of the only TRANS.
    fn of_disjunction(&self) -> Result<Option<Vec<Event>>> {
        let model = &*self.model;
        let [trans] = &model.trans[..] else {
            return Ok(None);
        };
        let disjuncts = operands(model, trans.expr, BinOp::Or);
        if disjuncts.len() < FEW {
            return Ok(None);
        }
        let mut known: HashMap<ExprId, Option<VarId>> = HashMap::new();
        let mut events = Vec::new();
        for d in disjuncts {
            let mut stays = vec![false; model.vars.len()];
            let mut local = self.manager.one();
            for c in operands(model, d, BinOp::And) {
                match *known.entry(c).or_insert_with(|| unchanged(model, c)) {
                    Some(v) => stays[v.0 as usize] = true,
                    None => match local.and_limit(&self.boolean(c)?, LARGE)? {
                        Some(more) => local = more,
                        None => return Ok(None),
                    },
                }
            }
            let changed = self.state_variables().filter(|v| !stays[v.0 as usize]);
            let changed: Vec<VarId> = changed.collect();
            events.push(self.event(&local, &changed)?);
        }
        Ok(Some(merged(events)?))
    }

    /// One event for each value of the selector.
    fn of_processes(&self, selector: VarId, parts: &Conjuncts) -> Result<Option<Vec<Event>>> {
        let selections = self.selections(selector)?;
        if selections.len() < 2 {
            return Ok(None);
        }
        let mut stay: Vec<(Bdd, VarId)> = Vec::new();
        for v in self.state_variables() {
            stay.push((self.stays(v)?, v));
        }
        let mut events = Vec::new();
        for chosen in selections {
            let mut left: Vec<bool> = vec![false; self.model.vars.len()];
            let mut local = self.manager.one();
            for c in &parts.trans {
                let c = c.set.cofactor(&chosen)?;
                match stay.iter().find(|(s, _)| *s == c) {
                    Some((_, v)) => left[v.0 as usize] = true,
                    None => match local.and_limit(&c, LARGE)? {
                        Some(more) => local = more,
                        None => return Ok(None),
                    },
                }
            }
            let changed = self.state_variables().filter(|v| !left[v.0 as usize]);
            let changed: Vec<VarId> = changed.collect();
            events.push(self.event(&local, &changed)?);
        }
        Ok(Some(events))
    }

    /// Each value of the process selector, as a set of inputs; nothing if it is outside the cone.
    pub(super) fn selections(&self, selector: VarId) -> Result<Vec<Bdd>> {
        let VarType::Enum(values) = &self.model.var(selector).ty else {
            return Ok(Vec::new());
        };
        if !self.layout.is_encoded(selector) {
            return Ok(Vec::new());
        }
        let mut cubes = Vec::new();
        for value in values {
            let mut chosen: Vec<Option<Value>> = vec![None; self.model.vars.len()];
            chosen[selector.0 as usize] = Some(value.clone());
            cubes.push(self.cube(&chosen)?);
        }
        Ok(cubes)
    }

    pub(super) fn event(&self, local: &Bdd, changed: &[VarId]) -> Result<Event> {
        let mut bits: Vec<VarIndex> = Vec::new();
        let mut moving: HashSet<VarIndex> = HashSet::new();
        for &v in changed {
            let of_variable = self.layout.bits(v);
            bits.extend(&of_variable.current);
            moving.extend(&of_variable.next);
        }
        // What stays may be read as `next(x)` by the rest.
        let read = local.support();
        let staying: Vec<(VarIndex, Bdd)> = (self.layout.state_bits.iter())
            .zip(&self.layout.next_bits)
            .filter(|(_, then)| !moving.contains(then) && read.binary_search(then).is_ok())
            .map(|(&now, &then)| (then, self.manager.var(now)))
            .collect();
        let inputs = self.manager.cube(&self.layout.input_bits)?;
        Ok(Event {
            relation: local.vector_compose(&staying)?.exists(&inputs)?,
            changed: self.manager.cube(&bits)?,
        })
    }

    pub(super) fn state_variables(&self) -> impl Iterator<Item = VarId> + '_ {
        let encoded = self.layout.encoded().iter().copied();
        encoded.filter(|&v| self.model.var(v).kind == VarKind::State)
    }

    /// `next(v) = v`, values that have several codes taken together.
    pub(super) fn stays(&self, v: VarId) -> Result<Bdd> {
        self.encoder.borrow_mut().stays(v)
    }
}

/// Events that change the same variables as one, as long as it stays small.
fn merged(events: Vec<Event>) -> Result<Vec<Event>> {
    let mut all: Vec<Event> = Vec::new();
    // The last event that changes these bits.
    let mut last: HashMap<Vec<VarIndex>, usize> = HashMap::new();
    for event in events {
        let changed = event.changed.support();
        if let Some(&at) = last.get(&changed) {
            let neither = all[at].relation.not();
            if let Some(neither) = neither.and_limit(&event.relation.not(), LARGE)? {
                all[at].relation = neither.not();
                continue;
            }
        }
        last.insert(changed, all.len());
        all.push(event);
    }
    Ok(all)
}

/// The variable of `next(x) = x`.
pub(super) fn unchanged(model: &FlatModel, e: ExprId) -> Option<VarId> {
    let Node::Binary(BinOp::Eq | BinOp::Iff, a, b) = *model.pool.node(e) else {
        return None;
    };
    let next_of = |e: ExprId| match *model.pool.node(e) {
        Node::Unary(UnOp::Next, x) => match *model.pool.node(x) {
            Node::Var(v) => Some(v),
            _ => None,
        },
        _ => None,
    };
    let var = |e: ExprId| match *model.pool.node(e) {
        Node::Var(v) => Some(v),
        _ => None,
    };
    let same = |x: Option<VarId>, y: Option<VarId>| x.filter(|_| x == y);
    same(next_of(a), var(b)).or_else(|| same(var(a), next_of(b)))
}
