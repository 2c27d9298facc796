//! Simulation: choosing an initial state, going on from it, going back to a state of a trace.
//!
//! The current state is the last one of a trace. A step goes to a state of
//! `image(current ∧ constraint)`; inputs are chosen for it afterwards. The choice is that of
//! counterexamples, random, or the user's ([`choice`](super::choice)).

use super::choice::{Offer, Way};
use super::formulas::Fault;
use super::input::Input;
use super::options::{Given, Opt, flag, with};
use super::registry::{Command, Run, command};
use super::session::{Place, Session, Stage};
use super::traces::counted;
use super::{Answer, Stop};
use crate::cli::inspect::first_value;
use crate::dd::Bdd;
use crate::encode::{BddFsm, EncodeError};
use crate::model::dependencies::coi::variables;
use crate::model::{ExprId, Value, VarId, VarKind};
use crate::trace::{self, Cell, Step, Trace, TraceKind};

const RANDOM: Opt = flag('r', "chooses at random");
const ASK: Opt = flag('i', "asks which one to choose");
const ALL: Opt = flag('a', "with -i: shows values that are as before, too");

pub const COMMANDS: &[Command] = &[
    command(
        "goto_state",
        "[-h] state",
        &[],
        "makes the state of a trace (like 2.3) the current one, in a new trace",
        goto_state,
    )
    .with_words(),
    Command {
        run: Run::Reading(pick_state),
        ..command(
            "pick_state",
            "[-h] [-v] [-r | -i [-a]] [-c \"constraint\" | -s trace.state]",
            &[
                flag('v', "shows the state"),
                RANDOM,
                ASK,
                ALL,
                with('c', "constraint", "what the state must satisfy"),
                with('s', "state", "takes this state of a trace"),
            ],
            "chooses an initial state, with which a new trace begins",
            nothing,
        )
    },
    command(
        "print_current_state",
        "[-h] [-v]",
        &[flag('v', "shows the values of all variables")],
        "shows which state is the current one",
        print_current_state,
    ),
    Command {
        run: Run::Reading(simulate),
        ..command(
            "simulate",
            "[-h] [-p | -v] [-r | -i [-a]] [[-c \"constraint\"] | [-t \"constraint\"]] [-k steps]",
            &[
                flag('p', "shows the new states: what changes"),
                flag('v', "shows the new states: all values"),
                RANDOM,
                ASK,
                ALL,
                with('c', "constraint", "what the new states must satisfy"),
                with('t', "constraint", "what the steps must satisfy (with next)"),
                with('k', "steps", "number of steps"),
            ],
            "goes on from the current state",
            nothing,
        )
        .with_words()
    },
];

fn nothing(_: &mut Session, _: &Given) -> Answer {
    Ok(())
}

/// `trace.state`, both from 1.
fn label(text: &str) -> Option<(i32, i32)> {
    let (trace, state) = text.split_once('.')?;
    Some((trace.trim().parse().ok()?, state.trim().parse().ok()?))
}

impl Session {
    /// The place that a label names.
    fn place_of(&self, (trace, state): (i32, i32)) -> Option<Place> {
        let trace = usize::try_from(trace).ok()?.checked_sub(1)?;
        let len = self.traces.get(trace)?.steps.len();
        let place = Place {
            trace,
            step: counted(state, len)?.checked_sub(1)?,
        };
        self.traces.get(place.trace)?.steps.get(place.step)?;
        Some(place)
    }

    /// Begins a new trace with what comes up to a place of another one.
    fn branch(&mut self, from: Place) {
        let steps = self.traces[from.trace].steps[..=from.step].to_vec();
        self.begin_trace(steps);
    }

    /// A new trace, whose last state is the current one.
    fn begin_trace(&mut self, steps: Vec<Step>) {
        self.current = Some(Place {
            trace: self.traces.len(),
            step: steps.len() - 1,
        });
        self.label_ahead = false;
        self.traces
            .push(Trace::new(TraceKind::Simulation, steps, None));
    }

    /// The values of the current state, one a line, behind `indent`; those of inputs, which a state
    /// has not, are the first ones, as NuSMV shows them.
    fn current_lines(&self, place: Place, indent: &str) -> Answer<String> {
        let model = self.model()?;
        let state = &self.traces[place.trace].steps[place.step].state;
        let lines = model.vars.iter().zip(state).map(|(var, value)| {
            let value = value.clone().unwrap_or_else(|| first_value(&var.ty));
            format!(
                "{indent}{} = {}\n",
                var.name,
                Cell::new(&value, &model.pool)
            )
        });
        Ok(lines.collect())
    }

    /// How NuSMV names the current state.
    fn current_label(&self, place: Place) -> String {
        // After pick_state -s it counts one trace too many.
        let ahead = usize::from(self.label_ahead);
        format!("{}.{}", place.trace + 1 + ahead, place.step + 1)
    }

    /// Shows a trace from a step on.
    fn show_from(&self, place: Place, first: usize, all: bool) -> Answer {
        let table = trace::build::table(self.model()?, &self.traces[place.trace]);
        let shown = table.select(&self.context.options.trace_symbols);
        let steps = first..=table.len - 1;
        self.out(&trace::text::write_steps(
            &shown,
            place.trace + 1,
            steps,
            all,
        ));
        Ok(())
    }

    /// A random bit.
    pub fn coin(&mut self) -> bool {
        // xorshift64
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random & 1 == 1
    }

    /// A constraint on states, which may not be over inputs.
    fn state_constraint(&mut self, text: &str) -> Answer<Bdd> {
        let e = self.constraint_expression(text, false)?;
        let model = self.model()?;
        let is_input = |v: &VarId| model.var(*v).kind == VarKind::Input;
        if variables(model, e).iter().any(is_input) {
            return self.fail("Parsing error: constraints cannot contain input variables.");
        }
        self.constraint_set(e)
    }

    /// A constraint, with NuSMV's complaint about one that cannot be read.
    pub fn constraint(&mut self, text: &str, next: bool) -> Answer<Bdd> {
        let e = self.constraint_expression(text, next)?;
        self.constraint_set(e)
    }

    fn constraint_expression(&mut self, text: &str, next: bool) -> Answer<ExprId> {
        match self.expression_in(text, next, "<command-line>") {
            Ok(e) => Ok(e),
            Err(Fault::Syntax(errors)) => {
                self.tell_but_next(&errors);
                self.fail("Parsing error: constraints must be \"simple expressions\".")
            }
            Err(Fault::Other) => Err(Stop::Failed),
        }
    }

    fn constraint_set(&self, e: ExprId) -> Answer<Bdd> {
        if self.model()?.type_of(e) != crate::model::Type::Bool {
            return self.fail("Type Error: constraints must be \"boolean expressions\".");
        }
        match self.fsm()?.boolean(e) {
            Ok(set) => Ok(set),
            Err(error) => self.failed("constraint", &error),
        }
    }
}

/// How to choose; fails for options that exclude each other.
fn way(session: &Session, given: &Given, command: &str) -> Answer<Way> {
    if (given.has('r') && given.has('i')) || (given.has('a') && !given.has('i')) {
        return session.bad_usage(command);
    }
    Ok(if given.has('r') {
        Way::Random
    } else if given.has('i') {
        Way::Ask {
            all: given.has('a'),
        }
    } else {
        Way::First
    })
}

fn pick_state(session: &mut Session, given: &Given, input: &mut Input) -> Answer {
    let way = way(session, given, "pick_state")?;
    session.need(Stage::Built)?;
    if given.has('c') && given.has('s') {
        return session.fail("Options -c and -s cannot be used at the same time");
    }
    if let Some(text) = given.value('s') {
        let Some(place) = label(text).and_then(|l| session.place_of(l)) else {
            return session.fail(format!("Label \"{text}\" is invalid"));
        };
        session.branch(place);
        session.label_ahead = true;
    } else {
        let constraint = match given.value('c') {
            Some(text) => Some(session.state_constraint(text)?),
            None => None,
        };
        let fsm = session.fsm()?;
        let states = match &constraint {
            Some(c) => fsm.init.and(c),
            None => Ok(fsm.init.clone()),
        };
        let states = match states {
            Ok(states) => states,
            Err(error) => return session.failed("initial states", &error.into()),
        };
        if states.is_zero() {
            session.err("The set of initial states is EMPTY. No state can be chosen.\n");
            let what = match constraint {
                Some(_) => "constraint and initial state are",
                None => "initial state is",
            };
            return session.fail(format!("No trace: {what} inconsistent"));
        }
        let Some(step) = session.choose(Offer::Initial(states), way, input)? else {
            return Err(Stop::Failed);
        };
        session.begin_trace(vec![step]);
    }
    match session.current {
        Some(place) if given.has('v') => session.show_from(place, 0, false),
        _ => Ok(()),
    }
}

fn print_current_state(session: &mut Session, given: &Given) -> Answer {
    let Some(place) = session.current else {
        session.out(
            "There is no trace actually stored in the system.\n\
             Use \"pick_state\" to define the current state.\n",
        );
        return Err(Stop::Failed);
    };
    session.out(&format!(
        "Current state is {}\n",
        session.current_label(place)
    ));
    if given.has('v') {
        session.out(&session.current_lines(place, "")?);
    }
    Ok(())
}

fn goto_state(session: &mut Session, given: &Given) -> Answer {
    let Some(text) = given.rest.first() else {
        return session.bad_usage("goto_state");
    };
    session.need(Stage::Built)?;
    let Some(label) = label(text) else {
        return session
            .fail("Parsing error: expected \"goto_state <trace_number>.<state_number>\".");
    };
    let Some(place) = session.place_of(label) else {
        // No failure in NuSMV either.
        session.err(&format!("The label {}.{} is invalid.\n", label.0, label.1));
        return Ok(());
    };
    session.branch(place);
    let Some(place) = session.current else {
        return Err(Stop::Failed);
    };
    let text = format!(
        "The current state for new trace is:\n-> State {} <-\n{}",
        session.current_label(place),
        session.current_lines(place, "    ")?
    );
    session.out(&text);
    Ok(())
}

/// The number of steps: of `-k`, of an argument as in old scripts, or the variable's.
fn steps(session: &Session, given: &Given) -> Answer<u64> {
    let text = match (given.value('k'), given.rest.first()) {
        (Some(k), _) => k,
        (None, Some(word)) => {
            session
                .err("*** Warning: Parameter \"steps\" is deprecated. Use option \"-k\" instead\n");
            word
        }
        (None, None) => session
            .variables
            .get("default_simulation_steps")
            .unwrap_or("10"),
    };
    let number = text.trim().parse::<i32>().ok();
    match number.and_then(|n| n.try_into().ok()) {
        Some(n) => Ok(n),
        None => session.fail(format!(
            "Error: string \"{text}\" is not valid. An integer was expected."
        )),
    }
}

fn simulate(session: &mut Session, given: &Given, input: &mut Input) -> Answer {
    let way = way(session, given, "simulate")?;
    if (given.has('p') && given.has('v')) || (given.has('c') && given.has('t')) {
        return session.bad_usage("simulate");
    }
    let n = steps(session, given)?;
    session.need(Stage::Built)?;
    let Some(place) = session.current else {
        return session.fail("No current state set. Use the \"pick_state\" command.");
    };
    let constraint = match (given.value('c'), given.value('t')) {
        (Some(text), _) => {
            let states = session.constraint(text, false)?;
            let fsm = session.fsm()?;
            match states.swap(fsm.swap()) {
                Ok(steps) => steps,
                Err(error) => return session.failed("constraint", &error.into()),
            }
        }
        (_, Some(text)) => session.constraint(text, true)?,
        _ => session.fsm()?.manager.one(),
    };
    session.out(&format!(
        "********  Simulation Starting From State {}   ********\n",
        session.current_label(place)
    ));
    session.label_ahead = false;
    // Being stuck is no failure, as in NuSMV.
    for i in 1..=n {
        let Some(at) = session.current else { break };
        let state = session.traces[at.trace].steps[at.step].state.clone();
        let found = successors(session.fsm()?, &state, &constraint);
        let (from, to) = match found {
            Ok(found) => found,
            Err(error) => return session.failed("simulation", &error),
        };
        if to.is_zero() {
            let nothing = if i == 1 { ": trace not built.\n" } else { "." };
            session.err(&format!(
                "No future state exists{nothing}Simulation stopped at step {i}.\n"
            ));
            break;
        }
        let offer = Offer::Next {
            from,
            to,
            constraint: constraint.clone(),
            before: state,
        };
        let Some(step) = session.choose(offer, way, input)? else {
            return Err(Stop::Failed);
        };
        session.traces[at.trace].steps.push(step);
        session.current = Some(Place {
            step: at.step + 1,
            ..at
        });
    }
    if n > 0 && (given.has('p') || given.has('v')) {
        session.show_from(place, place.step.saturating_sub(1), given.has('v'))?;
    }
    Ok(())
}

/// The current state as a set, and the states one step away.
fn successors(
    fsm: &BddFsm,
    state: &[Option<Value>],
    constraint: &Bdd,
) -> Result<(Bdd, Bdd), EncodeError> {
    let from = fsm.cube(state)?;
    let to = fsm.image_under(constraint, &from)?;
    Ok((from, to))
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn labels() {
        assert_eq!(label("2.3"), Some((2, 3)));
        assert_eq!(label("2"), None);
        assert_eq!(label("2.x"), None);
    }
}
