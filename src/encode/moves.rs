//! Steps in which one variable moves and all others stay, of machines whose variables may always stay.
//!
//! Gates of self-timed circuits are written as `next(out) := f(inputs) union out`, for each may take its
//! time. A step of such a machine moves any number of variables, but most of what it reaches is
//! reached by moving one at a time, and these are local events. Their closure is a lower
//! bound that takes little; whoever asks for all states completes it with steps of the whole
//! relation.

use super::error::Result;
use super::events::{Event, LARGE};
use super::fsm::BddFsm;
use crate::dd::{Bdd, VarIndex};

/// Single moves, and what allows them.
pub struct Moves {
    /// One event for each variable (and running process) that moves alone.
    pub events: Vec<Event>,
    /// Conditions on a state under which all that does not move may stay. An event is a step of the machine
    /// from those states only that satisfy them all.
    pub others_may_stay: Vec<Bdd>,
}

impl Moves {
    /// Whether the events are steps of the machine from each of these states.
    pub fn apply_to(&self, states: &Bdd) -> bool {
        self.others_may_stay.iter().all(|c| states.leq(c))
    }
}

impl BddFsm {
    /// The single moves, if each assignment lets its variable stay, whatever the inputs are, and the
    /// initial states let all stay.
    pub fn moves(&self) -> Result<Option<&Moves>> {
        if self.moves.get().is_none() {
            let found = self.find_moves()?;
            let _ = self.moves.set(found);
        }
        Ok(self.moves.get().and_then(Option::as_ref))
    }

    fn find_moves(&self) -> Result<Option<Moves>> {
        if !self.invar.is_one() || !self.layout.extra_bits.is_empty() {
            return Ok(None);
        }
        let mut moves = Moves {
            events: Vec::new(),
            others_may_stay: Vec::new(),
        };
        let running = match self.model.process_selector {
            Some(selector) if self.layout.is_encoded(selector) => self.selections(selector)?,
            _ => vec![self.manager.one()],
        };
        for running in running {
            if !self.add_moves(&running, &mut moves)? {
                return Ok(None);
            }
        }
        moves.others_may_stay.sort_by_key(Bdd::size);
        Ok(Some(moves).filter(|m| !m.events.is_empty() && m.apply_to(&self.init)))
    }

    /// Adds what moves alone under one selection; false if something cannot stay.
    fn add_moves(&self, running: &Bdd, moves: &mut Moves) -> Result<bool> {
        let bits = self.layout.state_bits.iter().zip(&self.layout.next_bits);
        let stay: Vec<(VarIndex, Bdd)> = bits
            .map(|(&now, &then)| (then, self.manager.var(now)))
            .collect();
        let mut parts = Vec::new();
        for c in &self.parts.trans {
            let part = c.set.cofactor(running)?;
            let support = part.support();
            let idle = part.vector_compose(&stay)?;
            if (c.assigned && !idle.is_one()) || self.layout.reads_inputs(&idle) {
                return Ok(false);
            }
            if !idle.is_one() && !moves.others_may_stay.contains(&idle) {
                moves.others_may_stay.push(idle);
            }
            parts.push((part, support));
        }
        for v in self.state_variables() {
            let bits = self.layout.bits(v);
            let (here, rest): (Vec<_>, Vec<_>) = stay
                .iter()
                .cloned()
                .partition(|(then, _)| bits.next.contains(then));
            let mut local = self.manager.one();
            for (part, support) in &parts {
                if here.iter().any(|(then, _)| support.contains(then)) {
                    match local.and_limit(&part.vector_compose(&rest)?, LARGE)? {
                        Some(more) => local = more,
                        None => return Ok(false),
                    }
                }
            }
            if local != self.stays(v)? {
                moves.events.push(self.event(&local, &[v])?);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use crate::encode::testing::machine;
    use crate::engine::reach::Reach;
    use crate::engine::saturation::closure;
    use crate::model::testing::{Random, flat};
    use std::rc::Rc;

    /// Gates that may take their time, some also pairs that exclude each other.
    fn circuit(seed: u64) -> String {
        let mut dice = Random(seed);
        let n = 3 + dice.below(3);
        let processes = dice.below(3) == 0;
        let literal = |dice: &mut Random, of: u64| {
            let sign = dice.pick(&["", "!"]);
            format!("{sign}g{}", dice.below(of))
        };
        let mut text = String::from("VAR n : 0..3;");
        let (mut assigns, mut instances) = (String::new(), String::new());
        for i in 0..n {
            text += &format!("g{i} : boolean;");
            assigns += &format!("init(g{i}) := {};", dice.pick(&["TRUE", "FALSE"]));
            let (a, b) = (literal(&mut dice, n), literal(&mut dice, n));
            let op = dice.pick(&["&", "|", "xor"]);
            if processes && dice.below(2) == 0 {
                instances += &format!("p{i} : process gate(g{i}, {a}, {b});");
            } else if !processes {
                assigns += &format!("next(g{i}) := ({a} {op} {b}) union g{i};");
            }
        }
        if processes {
            text += &instances;
            text += "p : process gate(g0, g1, n = 2);";
        }
        assigns += "init(n) := 0; next(n) := case g0 & n < 3 : {n, n + 1}; TRUE : n; esac;";
        let exclusion = match dice.below(3) {
            0 => "TRANS !(next(g0) & next(g1))".to_string(),
            1 => format!("TRANS g0 -> ({} | next(n) = n)", literal(&mut dice, n)),
            _ => String::new(),
        };
        format!(
            "{text} ASSIGN {assigns} {exclusion}
             MODULE gate(out, a, b)
             ASSIGN next(out) := case a & b : {{TRUE, out}}; a | b : out; TRUE : {{FALSE, out}}; esac;"
        )
    }

    #[test]
    fn single_moves_are_steps_and_lead_to_all_states() {
        let (mut applied, mut completed) = (0, 0);
        for seed in 0..300 {
            let fsm = machine(&Rc::new(flat(&circuit(seed))));
            let mut rings = Reach::new(&fsm);
            rings.finish(&fsm).unwrap();
            let mut reach = Reach::new(&fsm);
            reach.close(&fsm).unwrap();
            assert!(reach.states() == rings.states(), "{}", circuit(seed));
            let Some(moves) = fsm.moves().unwrap() else {
                continue;
            };
            let alone = closure(&fsm.manager, &moves.events, &fsm.init).unwrap();
            if moves.apply_to(&alone) {
                assert!(alone.leq(rings.states()));
                applied += 1;
                completed += usize::from(alone != *rings.states());
            }
        }
        assert!(applied > 100 && completed > 10, "{applied} {completed}");
    }
}
