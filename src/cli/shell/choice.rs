//! Choosing a state, or a state and the inputs that lead there: the first, a random one, or the user's.

use super::input::{Input, Line};
use super::session::Session;
use super::{Answer, Stop};
use crate::base::cformat::g_digits;
use crate::dd::Bdd;
use crate::encode::{BddFsm, EncodeError};
use crate::model::{FlatModel, Value};
use crate::trace::table::{ColumnKind, Selection};
use crate::trace::{self, Step, Table, Trace, TraceKind};
use num_bigint::BigUint;
use std::fmt::Write;

/// How to choose.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    /// As counterexamples do.
    First,
    Random,
    /// Asks; `all` shows values that are as before, too.
    Ask {
        all: bool,
    },
}

/// What to choose from.
pub enum Offer {
    Initial(Bdd),
    Next {
        from: Bdd,
        to: Bdd,
        /// On the step.
        constraint: Bdd,
        /// The values in `from`.
        before: Vec<Option<Value>>,
    },
}

impl Offer {
    fn states(&self) -> &Bdd {
        let (Offer::Initial(set) | Offer::Next { to: set, .. }) = self;
        set
    }

    fn states_mut(&mut self) -> &mut Bdd {
        let (Offer::Initial(set) | Offer::Next { to: set, .. }) = self;
        set
    }
}

impl Session {
    /// The chosen step; `None` if the user chose none.
    pub fn choose(&mut self, offer: Offer, way: Way, input: &mut Input) -> Answer<Option<Step>> {
        let chosen = match way {
            Way::First => take(self.fsm()?, &offer, None),
            Way::Random => {
                let bits = self.fsm()?.manager.num_vars();
                let coins: Vec<bool> = (0..bits).map(|_| self.coin()).collect();
                take(self.fsm()?, &offer, Some(&coins))
            }
            Way::Ask { all } => return self.ask(offer, all, input),
        };
        match chosen {
            Ok(step) => Ok(step),
            Err(error) => self.failed("simulation", &error),
        }
    }

    /// Asks for constraints until few states are left; the states (with inputs) that are.
    fn narrow(&mut self, offer: &mut Offer, input: &mut Input) -> Answer<Vec<Choice>> {
        let shown = self.variables.number("shown_states").unwrap_or(25);
        loop {
            let n = match self.fsm()?.count(offer.states()) {
                Ok(n) => n,
                Err(error) => return self.failed("simulation", &error.into()),
            };
            if n <= BigUint::from(shown.max(0) as u64) {
                return match choices(self.fsm()?, offer) {
                    Ok(choices) => Ok(choices),
                    Err(error) => self.failed("simulation", &error),
                };
            }
            self.out(&format!(
                "Too many ({}) future states to visualize. Please specify further constraints: \n",
                g_digits(&n, 1)
            ));
            let left = loop {
                let text = match input.read(self, "> ") {
                    Line::Text(text) => text,
                    Line::End | Line::Interrupted => return Err(Stop::Failed),
                };
                match self.further(text.trim(), offer.states()) {
                    Ok(Some(set)) if !set.is_zero() => break set,
                    Ok(Some(_)) => self
                        .err("Set of future states is EMPTY: constraints too strong? Try again.\n"),
                    Ok(None) => self
                        .err("Entered constraints are equivalent to the empty set. Try again.\n"),
                    Err(Stop::Failed) => self.err("Try again\n"),
                    Err(stop) => return Err(stop),
                }
            };
            *offer.states_mut() = left;
        }
    }

    /// The states that satisfy a constraint; `None` if nothing at all does.
    fn further(&mut self, text: &str, states: &Bdd) -> Answer<Option<Bdd>> {
        let constraint = self.constraint(text, false)?;
        if constraint.is_zero() {
            return Ok(None);
        }
        match states.and(&constraint) {
            Ok(set) => Ok(Some(set)),
            Err(error) => self.failed("constraint", &error.into()),
        }
    }

    /// Shows what there is and lets the user choose.
    fn ask(&mut self, mut offer: Offer, all: bool, input: &mut Input) -> Answer<Option<Step>> {
        let choices = self.narrow(&mut offer, input)?;
        let offer = &offer;
        let before = match offer {
            Offer::Initial(_) => None,
            Offer::Next { before, .. } => Some(before),
        };
        self.out(&listing(self.model()?, &choices, before, all));
        let flat: Vec<Step> = choices
            .into_iter()
            .flat_map(|c| {
                let state = c.state;
                c.inputs.into_iter().map(move |input| Step {
                    state: state.clone(),
                    input,
                })
            })
            .collect();
        let last = flat.len() - 1;
        let question = if last == 0 {
            "There's only one available state. Press Return to Proceed.".to_owned()
        } else {
            format!("Choose a state from the above (0-{last}): ")
        };
        let index = loop {
            match input.read(self, &question) {
                Line::Text(_) if last == 0 => break 0,
                Line::Text(text) => match text.trim().parse::<usize>() {
                    Ok(i) if i <= last => break i,
                    _ => {}
                },
                Line::End | Line::Interrupted => return Err(Stop::Failed),
            }
        };
        self.out(&format!("\nChosen state is: {index}\n"));
        Ok(flat.into_iter().nth(index))
    }
}

/// A state and the inputs under which it is reached (one without values for an initial state).
struct Choice {
    state: Vec<Option<Value>>,
    inputs: Vec<Vec<Option<Value>>>,
}

/// The first choice, or the one that `coins` lead to.
fn take(fsm: &BddFsm, offer: &Offer, coins: Option<&[bool]>) -> Result<Option<Step>, EncodeError> {
    let set = offer.states();
    // NuSMV's simulation chooses among codes of which each value has one.
    let state = match coins {
        None => fsm.pick_state(&fsm.one_code(set)?)?,
        Some(coins) => fsm.random_state(set, coins)?,
    };
    let Some(state) = state else { return Ok(None) };
    // The constraint has had its say when the state was chosen, as in NuSMV.
    let any = fsm.manager.one();
    let input = match (offer, coins) {
        (Offer::Initial(_), _) => vec![None; fsm.model.vars.len()],
        (Offer::Next { from, .. }, None) => fsm.one_code_input(from, &state, &any)?,
        (Offer::Next { from, .. }, Some(coins)) => fsm.random_input(from, &state, &any, coins)?,
    };
    Ok(Some(Step {
        state: fsm.state_values(&state),
        input,
    }))
}

/// All choices.
fn choices(fsm: &BddFsm, offer: &Offer) -> Result<Vec<Choice>, EncodeError> {
    let mut all = Vec::new();
    for state in fsm.states(offer.states())? {
        let inputs = match offer {
            Offer::Initial(_) => vec![vec![None; state.len()]],
            Offer::Next {
                from, constraint, ..
            } => {
                let to = fsm.cube(&state)?;
                let set = fsm.inputs_between(from, &to, constraint)?;
                fsm.inputs(&set)?.collect()
            }
        };
        all.push(Choice { state, inputs });
    }
    Ok(all)
}

/// The names and values of a table's columns in a step: DEFINEs, variables, and which process runs.
fn lines(model: &FlatModel, columns: &[trace::Column], i: usize) -> Vec<(String, String)> {
    let runs = |c: &&trace::Column| c.name.rsplit('.').next() == Some("running");
    let of = |define: bool| {
        columns
            .iter()
            .filter(move |c| matches!(c.kind, ColumnKind::Variable) != define)
    };
    let place = |c: &trace::Column| model.vars.iter().position(|v| v.name == c.name);
    let mut variables: Vec<_> = of(false).collect();
    variables.sort_by_key(|c| place(c));
    of(true)
        .filter(|c| !runs(c))
        .chain(variables)
        .chain(of(true).filter(runs))
        .filter_map(|c| Some((c.name.clone(), c.cells[i].as_ref()?.to_string())))
        .collect()
}

/// The text of all choices.
fn listing(
    model: &FlatModel,
    choices: &[Choice],
    before: Option<&Vec<Option<Value>>>,
    all: bool,
) -> String {
    let mut out = String::from("\n***************  AVAILABLE STATES  *************\n");
    let mut known: Vec<(String, String)> = Vec::new();
    let mut number = 0;
    let with_inputs = before.is_some() && model.vars_of(crate::model::VarKind::Input).count() > 0;
    for choice in choices {
        let table = table(model, choice, before);
        let state = lines(model, &table.state, table.len - choice.inputs.len());
        out += "  \n  ================= State =================\n";
        if !with_inputs {
            let _ = writeln!(out, "  {number}) -------------------------");
            number += 1;
        }
        for line in &state {
            if all || !known.contains(line) {
                let _ = writeln!(out, "  {} = {}", line.0, line.1);
            }
        }
        known = state;
        if with_inputs {
            out += "    \n    This state is reachable through:\n";
            let mut shown: Vec<(String, String)> = Vec::new();
            for i in 0..choice.inputs.len() {
                if i > 0 {
                    out += "    \n";
                }
                let _ = writeln!(out, "    {number}) -------------------------");
                number += 1;
                let input = lines(model, &table.input, table.len - choice.inputs.len() + i);
                for line in &input {
                    if all || !shown.contains(line) {
                        let _ = writeln!(out, "    {} = {}", line.0, line.1);
                    }
                }
                shown = input;
            }
        }
        out += "  \n";
    }
    out + "\n"
}

/// A table with a step for each input of a choice, behind the state before.
fn table(model: &FlatModel, choice: &Choice, before: Option<&Vec<Option<Value>>>) -> Table {
    let nothing = vec![None; model.vars.len()];
    let first = before.map(|state| Step {
        state: state.clone(),
        input: nothing.clone(),
    });
    let rest = choice.inputs.iter().map(|input| Step {
        state: choice.state.clone(),
        input: input.clone(),
    });
    let trace = Trace::new(
        TraceKind::Simulation,
        first.into_iter().chain(rest).collect(),
        None,
    );
    let table = trace::build::table(model, &trace);
    table.select(&Selection::default()).into_owned()
}
