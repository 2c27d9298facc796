//! Questions about the whole machine: totality and deadlocks, reachable states.

use super::check::Work;
use super::context::Context;
use super::exit::Exit;
use crate::dd::Bdd;
use crate::encode::{BddFsm, EncodeError};
use crate::engine::algebra::Machine;
use crate::engine::totality as deadlocks;
use crate::model::{Value, VarType, Word};
use crate::report::totality::{self, Deadlock, Totality};
use crate::report::{Warning, reachable};
use crate::trace::Cell;

impl Context {
    /// `-ctt`
    pub fn check_totality(&self, work: &mut Work) -> Exit {
        self.say(1, "Checking totality and deadlock states.\n");
        let fsm = work.fsm;
        self.warn_of_empty_sets(fsm);
        let answer = self.totality(work);
        match answer {
            Ok((answer, fair)) => {
                if !fair {
                    self.warn(Warning::FairEmpty);
                }
                let mut console = self.console();
                console.out(&totality::block(&answer));
                if let Some(d) = console.document() {
                    d.totality(&answer);
                    if answer.deadlock() {
                        d.warning(Warning::Deadlock);
                    }
                }
                Exit::Evaluated
            }
            Err(error) => self.gave_up("totality", &error),
        }
    }

    /// The answer, and whether there are fair states.
    fn totality(&self, work: &mut Work) -> Result<(Totality, bool), EncodeError> {
        let fsm = work.fsm;
        let reachable = self.options.reachable;
        let fair = !work.checker(reachable)?.fair().is_zero();
        let reached = if reachable {
            Some(work.reach()?.states().clone())
        } else {
            None
        };
        let found = deadlocks::check(fsm, reached.as_ref())?;
        let show = |state: &Bdd| state_lines(fsm, state);
        let Some(any) = &found.any else {
            return Ok((Totality::Total, fair));
        };
        let deadlock = match &found.reachable {
            None => Deadlock::NotKnown,
            Some(None) => Deadlock::Unreachable,
            Some(Some(state)) => Deadlock::Reachable(show(state)),
        };
        Ok((
            Totality::NotTotal {
                without_successor: show(any),
                deadlock,
            },
            fair,
        ))
    }

    /// A reachable deadlock is named where somebody wants to know.
    pub fn warn_of_deadlock(&self, work: &mut Work) {
        if self.reachable_deadlock(work) == Some(true) {
            let mut console = self.console();
            console.err(format!("nusmv-rs: {}\n", Warning::Deadlock.message()));
            if let Some(d) = console.document() {
                d.warning(Warning::Deadlock);
            }
        }
    }

    /// Whether there is one, if somebody wants to know and the reachable states are known anyway.
    pub fn reachable_deadlock(&self, work: &mut Work) -> Option<bool> {
        let asked = {
            let mut console = self.console();
            console.document().is_some() || console.explains() || self.options.verbosity >= 1
        };
        if !asked || !self.options.reachable || work.deadlock.is_some() {
            return work.deadlock;
        }
        let found = match work.known_reach() {
            Some(reached) => deadlocks::check(work.fsm, Some(reached)),
            // The rest of the model cannot hinder a cone, so any of them tells.
            None => match work.known_in_cone() {
                Some((fsm, reached)) => deadlocks::check(&fsm, Some(&reached)),
                None => return None,
            },
        };
        work.deadlock = found.ok().map(|f| matches!(f.reachable, Some(Some(_))));
        work.deadlock
    }

    /// `-r`
    pub fn print_reachable(&self, work: &mut Work) -> Exit {
        let fsm = work.fsm;
        let reach = match work.reach() {
            Ok(reach) => reach,
            Err(error) => return self.gave_up("reachable states", &error),
        };
        let diameter = if reach.states().is_zero() {
            0
        } else {
            reach.diameter()
        };
        let states = match fsm.count(reach.states()) {
            Ok(states) => states,
            Err(error) => return self.gave_up("reachable states", &error.into()),
        };
        let all = fsm.state_space();
        let mut console = self.console();
        console.out(&reachable::block(Some(diameter), &states, &all));
        if let Some(d) = console.document() {
            d.reachable(Some(diameter), &states, &all);
        }
        Exit::Evaluated
    }
}

/// A state as lines `name = value`, all variables in order of declaration; inputs, which a state has
/// not, with their first value, as NuSMV shows them.
pub fn state_lines(fsm: &BddFsm, state: &Bdd) -> String {
    let values = fsm.state_values(state);
    let mut lines = String::new();
    for (var, value) in fsm.model.vars.iter().zip(values) {
        let value = value.unwrap_or_else(|| first_value(&var.ty));
        lines += &format!("{} = {}\n", var.name, Cell::new(&value, &fsm.model.pool));
    }
    lines
}

pub fn first_value(ty: &VarType) -> Value {
    match ty {
        VarType::Bool => Value::Bool(false),
        VarType::Range { lo, .. } => Value::Int(*lo),
        VarType::Enum(values) => values.first().cloned().unwrap_or(Value::Bool(false)),
        VarType::Word { signed, width } => Value::Word(Word {
            signed: *signed,
            width: *width,
            bits: 0u32.into(),
        }),
    }
}
