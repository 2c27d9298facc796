//! Reachable states of an asynchronous machine by saturation.
//!
//! Events are grouped by the topmost level that they touch. A set is saturated from the bottom up: below
//! the level of a group by the groups of deeper levels, then by the events of the group, each
//! followed by another round below, until nothing is added (Ciardo, Lüttgen, Siminiscu, "Saturation:
//! an efficient iteration strategy for symbolic state-space generation", TACAS 2001; for relations as
//! diagrams Meijer, van Dijk and others, "Read, write and copy dependencies", HVC 2014). Intermediate
//! sets stay small since each level is closed before those above it are looked at.

use crate::dd::{Bdd, DdResult, Manager};
use crate::encode::Event;
use std::collections::HashMap;

/// Kept results beyond which all are forgotten, so that their nodes can go.
const KEPT: usize = 1 << 20;

struct Saturation<'e> {
    manager: Manager,
    /// Top level and events of each group, from the topmost.
    groups: Vec<(u32, Vec<&'e Event>)>,
    known: HashMap<(Bdd, usize), Bdd>,
}

/// What can be reached from `from` by any number of events.
pub fn closure(manager: &Manager, events: &[Event], from: &Bdd) -> DdResult<Bdd> {
    let mut by_level: Vec<(u32, &Event)> = events
        .iter()
        .filter(|e| !e.relation.is_zero())
        .map(|e| (top(manager, e), e))
        .collect();
    by_level.sort_by_key(|(level, _)| *level);
    let mut groups: Vec<(u32, Vec<&Event>)> = Vec::new();
    for (level, event) in by_level {
        match groups.last_mut() {
            Some((l, group)) if *l == level => group.push(event),
            _ => groups.push((level, vec![event])),
        }
    }
    Saturation {
        manager: manager.clone(),
        groups,
        known: HashMap::new(),
    }
    .saturate(from, 0)
}

/// The topmost level of a current bit that an event reads or changes.
fn top(manager: &Manager, event: &Event) -> u32 {
    let of_cube = event.changed.top().map(|v| manager.level_of(v));
    let of_relation = event.relation.top().map(|v| manager.level_of(v));
    of_cube
        .into_iter()
        .chain(of_relation)
        .min()
        .unwrap_or(u32::MAX)
}

impl Saturation<'_> {
    /// The closure of `set` under the groups from `at` on.
    fn saturate(&mut self, set: &Bdd, at: usize) -> DdResult<Bdd> {
        crate::base::deep(|| self.step(set, at))
    }

    fn step(&mut self, set: &Bdd, at: usize) -> DdResult<Bdd> {
        let Some((level, _)) = self.groups.get(at) else {
            return Ok(set.clone());
        };
        let Some(top) = set.top() else {
            return Ok(set.clone());
        };
        let key = (set.clone(), at);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let result = if self.manager.level_of(top) < *level {
            let (low, high) = set
                .cofactors()
                .unwrap_or_else(|| (set.clone(), set.clone()));
            let (low, high) = (self.saturate(&low, at)?, self.saturate(&high, at)?);
            self.manager.var(top).ite(&high, &low)?
        } else {
            let mut set = set.clone();
            loop {
                let before = set.clone();
                set = self.saturate(&set, at + 1)?;
                for i in 0..self.groups[at].1.len() {
                    let event = self.groups[at].1[i];
                    let more = set.event_image(&event.relation, &event.changed)?;
                    set = set.or(&more)?;
                }
                if set == before {
                    break;
                }
            }
            set
        };
        if self.known.len() >= KEPT {
            self.known.clear();
        }
        self.known.insert(key, result.clone());
        Ok(result)
    }
}
