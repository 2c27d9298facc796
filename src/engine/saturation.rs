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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::testing::machine;
    use crate::engine::reach::Reach;
    use crate::model::testing::{Random, flat};
    use std::rc::Rc;

    /// Saturation and breadth-first search agree, and there are events.
    fn agree(body: &str) {
        let fsm = machine(&Rc::new(flat(body)));
        let events = fsm.events().unwrap().expect("events");
        let closed = closure(&fsm.manager, events, &fsm.init).unwrap();
        let mut reach = Reach::new(&fsm);
        reach.finish(&fsm).unwrap();
        assert!(closed == *reach.states());
        for e in events {
            let after = closed.event_image(&e.relation, &e.changed).unwrap();
            assert!(after.leq(&closed));
        }
        // Together the events are the relation, forwards and backwards.
        let goal = fsm.boolean(fsm.model.justice[0].expr).unwrap();
        let (mut after, mut before) = (fsm.manager.zero(), fsm.manager.zero());
        for e in events {
            after = after
                .or(&goal.event_image(&e.relation, &e.changed).unwrap())
                .unwrap();
            before = before
                .or(&goal.event_preimage(&e.relation, &e.changed).unwrap())
                .unwrap();
        }
        assert!(after == fsm.image(&goal).unwrap());
        assert!(before == fsm.preimage(&goal).unwrap());
    }

    /// A model whose TRANS lists events: guards on one variable, changes of up to two.
    fn random(seed: u64) -> String {
        let mut dice = Random(seed);
        let sizes: Vec<u64> = (0..3 + dice.below(3)).map(|_| 2 + dice.below(5)).collect();
        let n = sizes.len() as u64;
        let vars: Vec<String> = sizes
            .iter()
            .enumerate()
            .map(|(i, s)| format!("v{i} : 0..{};", s - 1))
            .collect();
        let mut events = Vec::new();
        for _ in 0..4 + dice.below(5) {
            let guard = dice.below(n) as usize;
            let mut parts = vec![format!(
                "v{guard} {} {}",
                dice.pick(&["=", "!=", "<"]),
                dice.below(sizes[guard])
            )];
            let changed = [dice.below(n) as usize, dice.below(n) as usize];
            for (i, size) in sizes.iter().enumerate() {
                parts.push(match (changed.contains(&i), dice.below(5)) {
                    (false, 0) => format!("next(v{i}) = v{i} & next(v{i}) != next(v{guard})"),
                    (false, _) => format!("next(v{i}) = v{i}"),
                    (true, 0) => format!("next(v{i}) in {{v{i}, {}}}", dice.below(*size)),
                    (true, 1) => format!("next(v{i}) = (v{i} + 1) mod {size}"),
                    (true, 2) => format!("next(v{i}) != v{guard}"),
                    (true, _) => format!(
                        "v{i} < {} & next(v{i}) = {}",
                        1 + dice.below(*size),
                        dice.below(*size)
                    ),
                });
            }
            events.push(format!("({})", parts.join(" & ")));
        }
        let start: Vec<String> = sizes
            .iter()
            .enumerate()
            .map(|(i, s)| format!("v{i} = {}", dice.below(*s)))
            .collect();
        format!(
            "VAR {} INIT {} TRANS {} JUSTICE v0 = 0 | v1 = 1",
            vars.join(" "),
            start.join(" & "),
            events.join(" | ")
        )
    }

    #[test]
    fn random_events() {
        for seed in 0..300 {
            agree(&random(seed));
        }
    }

    #[test]
    fn a_disjunction_of_local_steps() {
        agree(
            "VAR a : 0..4; b : {x, y, z}; c : boolean; d : 0..6;
             DEFINE stay_ab := next(a) = a & next(b) = b; stay_cd := c = next(c) & next(d) = d;
             INIT a = 0 & b = x & !c & d < 2
             TRANS (a < 4 & next(a) = a + 1 & next(b) = b & stay_cd)
                 | (a = 3 & b != z & next(b) = z & next(a) = a & next(c) = !c & next(d) = d)
                 | (c & next(d) in {d, 5} & next(c) = c & stay_ab)
                 | (b = z & next(b) = y & (next(a) = a & stay_cd))
             JUSTICE a > 1 & d != 3",
        );
    }

    #[test]
    fn what_stays_may_be_read_as_next() {
        agree(
            "VAR x : 0..3; y : 0..3; z : 0..2;
             INIT x = 0 & y = 0 & z = 0
             TRANS (next(x) = x & next(x) = 1 & next(y) = 2 & next(z) = z)
                 | (next(y) = y & next(x) = 1 + next(y) & next(z) = z)
                 | (next(z) = 1 & next(y) = y & next(x) = x & next(y) = next(z))
                 | (next(z) = 2 & next(y) = y & next(x) = x & next(x) = 1)
             JUSTICE x = 1 | y = 2",
        );
        agree(
            "VAR x : 0..2; y : 0..3; z : 0..2; p : process copy(x, y); q : process copy(y, z);
                 r : process any(x);
             ASSIGN init(x) := 0; init(y) := 0; init(z) := 0;
             JUSTICE x = 1 | z = 2
             MODULE copy(from, to)
             ASSIGN next(to) := next(from) mod 3;
             MODULE any(x)
             ASSIGN next(x) := {0, 1, 2};",
        );
    }

    #[test]
    fn what_nothing_mentions_is_free() {
        agree(
            "VAR a : 0..2; b : boolean; c : boolean;
             INIT a = 0 & !b & !c
             TRANS (a = 0 & next(a) = 1 & next(b) = b) | (a = 1 & next(a) = 2 & next(c) = c)
                 | (a = 2 & b & next(a) = 0 & next(b) = b & next(c) = c)
             JUSTICE b | a = 1",
        );
    }

    #[test]
    fn processes_are_events() {
        agree(
            "VAR s : 0..3; p : process user(s); q : process user(s);
             ASSIGN init(s) := 0;
             JUSTICE s = 1 | p.t
             MODULE user(s)
             VAR t : boolean; u : {idle, busy, done};
             ASSIGN init(t) := FALSE; init(u) := idle;
               next(t) := s = 2 | u = done; next(u) := case u = idle : {idle, busy}; TRUE : done; esac;
               next(s) := case s < 3 & u = busy : s + 1; TRUE : s; esac;",
        );
    }
}
