//! Questions about the machine as a whole: totality, reachable and fair states.

use super::admin::FRAME;
use super::options::{Given, flag, with};
use super::registry::{Command, command};
use super::session::{Session, Stage};
use super::{Answer, Stop};
use crate::base::cformat::count;
use crate::cli::exit::Exit;
use crate::cli::options::values;
use crate::dd::{Bdd, DdError};
use crate::encode::EncodeError;
use crate::engine::algebra::Machine as _;
use crate::model::{FlatModel, Value};
use crate::report::reachable;
use crate::trace::table::Selection;
use crate::trace::{self, Cell, Column, Step, Trace, TraceKind};
use std::collections::HashMap;
use std::time::Duration;

pub const COMMANDS: &[Command] = &[
    command(
        "check_fsm",
        "[-h] [-m | -o file]",
        &[
            flag('m', "shows the output in $PAGER"),
            with('o', "file", "writes the output to the file"),
        ],
        "checks that each state has a successor",
        check_fsm,
    ),
    command(
        "compute_reachable",
        "[-h] [-k number] [-t seconds]",
        &[
            with('k', "number", "takes so many steps at most"),
            with('t', "seconds", "takes so long at most"),
        ],
        "computes the reachable states",
        compute_reachable,
    ),
    command(
        "print_fair_states",
        "[-h] [-v]",
        &[flag('v', "lists the states")],
        "counts the fair states",
        print_fair_states,
    )
    .with_words(),
    command(
        "print_reachable_states",
        "[-h] [-v] [-d] [-f] [-o file]",
        &[
            flag('v', "lists the states"),
            flag('d', "lists DEFINEs too (with -v)"),
            flag('f', "prints them as a formula over the variables"),
            with('o', "file", "writes the output to the file"),
        ],
        "counts the reachable states",
        print_reachable_states,
    )
    .with_words(),
];

fn check_fsm(session: &mut Session, given: &Given) -> Answer {
    if given.has('m') && given.has('o') {
        return session.bad_usage("check_fsm");
    }
    session.redirected(given, |session| {
        session.need(Stage::Built)?;
        let exit = session.with_work(|parts, work| parts.context.check_totality(work))?;
        if exit == Exit::Evaluated {
            Ok(())
        } else {
            Err(Stop::Failed)
        }
    })
}

fn compute_reachable(session: &mut Session, given: &Given) -> Answer {
    for (letter, value) in given.options() {
        let what = if letter == 'k' { "k" } else { "time" };
        let fault = match values::leading_integer(value) {
            None => "valid integer number",
            Some((n, _)) if n <= 0 => "positive number",
            Some(_) => continue,
        };
        return session.fail(format!("You must specify a {fault} as {what}!"));
    }
    session.need(Stage::Built)?;
    let number = |letter| {
        let (n, _) = values::leading_integer(given.value(letter)?)?;
        Some(n.unsigned_abs().into())
    };
    session.tell_reachable(number('k'), number('t').map(Duration::from_secs))
}

impl Session {
    /// Computes the reachable states, up to a number of steps and for some time, and says so.
    pub fn tell_reachable(&mut self, steps: Option<u64>, time: Option<Duration>) -> Answer {
        let done = self.with_work(|_, work| {
            work.reach_within(steps, time).map(|r| {
                let diameter = if r.states().is_zero() {
                    0
                } else {
                    r.diameter()
                };
                (r.complete, diameter)
            })
        })?;
        match done {
            Ok((true, diameter)) => self.err(&format!(
                "The computation of reachable states has been completed.\n\
                 The diameter of the FSM is {diameter}.\n"
            )),
            Ok((false, diameter)) => self.err(&format!(
                "The computation of reachable states has not been completed yet.\n\
                 The number of performed steps is {diameter}.\n"
            )),
            Err(error) => return self.failed("reachable states", &error),
        }
        Ok(())
    }

    /// Lists states, numbered from 1; with DEFINEs if wished.
    pub fn list_states(&self, set: &Bdd, defines: bool) -> Answer {
        let fsm = self.fsm()?;
        let states = match fsm.states(set) {
            Ok(states) => states,
            Err(error) => return self.failed("states", &error.into()),
        };
        let mut number = 0;
        let mut chunk = Vec::new();
        for state in states {
            chunk.push(state);
            if chunk.len() == CHUNK {
                self.list(&fsm.model, std::mem::take(&mut chunk), &mut number, defines);
                if let Some(why) = self.context.token.reason() {
                    let error = EncodeError::Dd(DdError::Cancelled(why));
                    return self.failed("states", &error);
                }
            }
        }
        self.list(&fsm.model, chunk, &mut number, defines);
        self.out("  -------------------------\n");
        Ok(())
    }

    fn list(
        &self,
        model: &FlatModel,
        states: Vec<Vec<Option<Value>>>,
        number: &mut usize,
        defines: bool,
    ) {
        if states.is_empty() {
            return;
        }
        let mut text = String::new();
        for lines in rows(model, states, defines) {
            *number += 1;
            text += &format!("  ------- State {number:4} ------\n{lines}");
        }
        self.out(&text);
    }
}

/// States written at a time.
const CHUNK: usize = 256;

/// The lines `  name = value` of states, in NuSMV's order.
pub fn rows(model: &FlatModel, states: Vec<Vec<Option<Value>>>, defines: bool) -> Vec<String> {
    if !defines {
        let lines = |state: &Vec<Option<Value>>| {
            let (names, _) = named(model, state, &[]);
            let lines = names.iter().map(|(n, v)| format!("  {n} = {v}\n"));
            lines.collect()
        };
        return states.iter().map(lines).collect();
    }
    let steps: Vec<Step> = states
        .into_iter()
        .map(|state| Step {
            input: vec![None; state.len()],
            state,
        })
        .collect();
    let n = steps.len();
    let trace = Trace::new(TraceKind::Simulation, steps, None);
    let table = trace::build::table(model, &trace);
    let table = table.select(&Selection::default());
    let columns = by_instance(model, &table.state);
    (0..n)
        .map(|i| {
            let cells = columns
                .iter()
                .filter_map(|c| Some((c, c.cells[i].as_ref()?)));
            let lines = cells.map(|(c, v)| format!("  {} = {v}\n", c.name));
            lines.collect()
        })
        .collect()
}

/// Names with the text of their values.
pub type Names = Vec<(String, String)>;

/// Names and values of state and input variables, in order of declaration.
pub fn named(
    model: &FlatModel,
    state: &[Option<Value>],
    input: &[Option<Value>],
) -> (Names, Names) {
    let of = |values: &[Option<Value>]| {
        let known = model.vars.iter().zip(values);
        let known = known.filter_map(|(var, v)| Some((var, v.as_ref()?)));
        known
            .map(|(var, v)| (var.name.clone(), Cell::new(v, &model.pool).to_string()))
            .collect()
    };
    (of(state), of(input))
}

/// Columns as declared, the DEFINEs of each instance before its variables.
fn by_instance<'c>(model: &FlatModel, columns: &'c [Column]) -> Vec<&'c Column> {
    fn instance(name: &str) -> &str {
        name.rsplit_once('.').map_or("", |(instance, _)| instance)
    }
    // A DEFINE comes before the first variable of its instance, those of the main module come first.
    let mut first = HashMap::from([("", 0)]);
    let mut place = HashMap::new();
    for (i, var) in model.vars.iter().enumerate() {
        place.insert(var.name.as_str(), i);
        let mut inside = instance(&var.name);
        while !first.contains_key(inside) {
            first.insert(inside, i);
            inside = instance(inside);
        }
    }
    let mut sorted: Vec<&Column> = columns.iter().collect();
    sorted.sort_by_key(|c| match place.get(c.name.as_str()) {
        Some(&variable) => (variable, true),
        None => (
            first.get(instance(&c.name)).copied().unwrap_or(usize::MAX),
            false,
        ),
    });
    sorted
}

fn print_reachable_states(session: &mut Session, given: &Given) -> Answer {
    if given.has('d') && !given.has('v') {
        session.err("-d requires -v option!\n");
        return session.bad_usage("print_reachable_states");
    }
    let found = session.with_work(|_, work| {
        let fsm = work.fsm;
        let reach = work.reach()?;
        let diameter = if reach.states().is_zero() {
            0
        } else {
            reach.diameter()
        };
        let block = reachable::block(
            Some(diameter),
            &fsm.count(reach.states())?,
            &fsm.state_space(),
        );
        Ok((block, reach.states().clone()))
    })?;
    let (block, reached) = match found {
        Ok(found) => found,
        Err(error) => return session.failed("reachable states", &error),
    };
    session.out(FRAME);
    let answer = session.redirected_quietly(given, |session| {
        session.out(&block);
        if given.has('v') {
            session.list_states(&reached, given.has('d'))?;
        }
        if given.has('f') {
            session.print_formula(&reached)?;
        }
        Ok(())
    });
    session.out(FRAME);
    answer
}

fn print_fair_states(session: &mut Session, given: &Given) -> Answer {
    session.need(Stage::Built)?;
    let within = session.context.options.reachable;
    let found = session.with_work(|_, work| {
        let fsm = work.fsm;
        let fair = work.checker(within)?.fair().clone();
        Ok((fsm.count(&fair)?, fsm.state_space(), fair))
    })?;
    let (n, all, fair) = match found {
        Ok(found) => found,
        Err(error) => return session.failed("fair states", &error),
    };
    session.out(&format!(
        "{FRAME}fair states: {} out of {}\n",
        count(&n),
        count(&all)
    ));
    if given.has('v') {
        session.list_states(&fair, true)?;
    }
    session.out(FRAME);
    Ok(())
}
