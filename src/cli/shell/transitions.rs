//! The fair transitions: those from fair states, wherever they lead.

use super::admin::FRAME;
use super::machine::{Names, named};
use super::options::{Given, flag, with};
use super::registry::{Command, command};
use super::session::{Session, Stage};
use super::{Answer, Stop};
use crate::base::cformat::count;
use crate::dd::Bdd;
use crate::encode::BddFsm;
use crate::encode::error::Result;
use crate::engine::algebra::Machine as _;
use crate::model::{Value, VarKind};
use num_bigint::BigUint;
use std::fmt::Write;

pub const COMMANDS: &[Command] = &[command(
    "print_fair_transitions",
    "[-h] [-v [-f format] [-o file]]",
    &[
        flag('v', "lists the transitions"),
        with('f', "format", "smv, csv or dot: the form of the list"),
        with('o', "file", "writes the list to the file"),
    ],
    "counts the transitions from fair states",
    print_fair_transitions,
)
.with_words()];

fn print_fair_transitions(session: &mut Session, given: &Given) -> Answer {
    let format = given.value('f').unwrap_or("smv");
    if !matches!(format, "smv" | "csv" | "dot") {
        return session.fail("Invalid format. Valid formats are: smv, csv, dot");
    }
    session.need(Stage::Built)?;
    let within = session.context.options.reachable;
    let found = session.with_work(|_, work| {
        let fair = work.checker(within)?.fair().clone();
        triples(work.fsm, &fair)
    })?;
    let triples = match found {
        Ok(found) => found,
        Err(error) => return session.failed("fair transitions", &error),
    };
    let fsm = session.fsm()?;
    let all = fsm.state_space() * inputs(fsm);
    session.out(&format!(
        "{FRAME}Fair transitions: {} out of {}\n",
        count(&number(fsm, &triples)),
        count(&all)
    ));
    if given.has('v') || given.has('f') || given.has('o') {
        let steps = match list(fsm, &triples) {
            Ok(steps) => steps,
            Err(error) => return session.failed("fair transitions", &error),
        };
        let text = match format {
            "csv" => csv(&steps),
            "dot" => dot(&steps),
            _ => smv(&steps),
        };
        match given.value('o') {
            None => session.out(&text),
            Some(file) if std::fs::write(file, &text).is_ok() => {}
            Some(file) => {
                session.err(&format!("Unable to open file \"{file}\".\n"));
                return Err(Stop::Failed);
            }
        }
    }
    session.out(FRAME);
    Ok(())
}

/// Number of assignments to the inputs.
fn inputs(fsm: &BddFsm) -> BigUint {
    let model = &fsm.model;
    let sizes = model.vars_of(VarKind::Input).map(|v| {
        let ty = &model.var(v).ty;
        ty.size().map_or_else(
            || BigUint::from(2u32).pow(crate::encode::layout::width(ty)),
            BigUint::from,
        )
    });
    sizes.product()
}

/// The triples of a fair state, inputs and a state.
fn triples(fsm: &BddFsm, fair: &Bdd) -> Result<Bdd> {
    let next = fsm.one_code(&fsm.invar)?.swap(fsm.swap())?;
    let mut all = fsm.one_code(fair)?.and(&next)?;
    all = fsm.one_input_code(&all)?;
    for cluster in fsm.trans.clusters() {
        all = all.and(cluster)?;
    }
    Ok(all)
}

/// Number of the triples.
fn number(fsm: &BddFsm, all: &Bdd) -> BigUint {
    let bits = [
        fsm.state_bits.as_slice(),
        &fsm.layout.input_bits,
        &fsm.layout.next_bits,
    ]
    .concat();
    all.count_big(&bits).unwrap_or_default()
}

/// All transitions.
struct Steps {
    /// Variables and values of the states, by number less one.
    states: Vec<Names>,
    /// From, inputs, to.
    steps: Vec<(usize, Names, usize)>,
}

impl Steps {
    /// The number of a state, less one.
    fn id(&mut self, names: Names) -> usize {
        if let Some(i) = self.states.iter().position(|s| *s == names) {
            return i;
        }
        self.states.push(names);
        self.states.len() - 1
    }
}

/// The steps of a set of triples, by pairs of a state and inputs.
fn list(fsm: &BddFsm, triples: &Bdd) -> Result<Steps> {
    let pairs = triples.exists(&fsm.manager.cube(&fsm.layout.next_bits)?)?;
    let mut all = Steps {
        states: Vec::new(),
        steps: Vec::new(),
    };
    let no_values: &[Option<Value>] = &[];
    for (state, input) in fsm.pairs(&pairs) {
        let from = fsm.cube(&state)?;
        let under = fsm.cube(&input)?;
        let (names, values) = named(&fsm.model, &state, &input);
        let here = all.id(names);
        for next in fsm.states(&fsm.image_under(&under, &from)?)? {
            let (names, _) = named(&fsm.model, &next, no_values);
            let there = all.id(names);
            all.steps.push((here, values.clone(), there));
        }
    }
    Ok(all)
}

fn smv(all: &Steps) -> String {
    let mut out = String::new();
    for (i, (from, input, to)) in all.steps.iter().enumerate() {
        let _ = writeln!(
            out,
            "  ------- Trans: {:4} (Curr State ID: {}, Next State ID: {}) ------",
            i + 1,
            from + 1,
            to + 1
        );
        for (name, value) in &all.states[*from] {
            let _ = writeln!(out, "  {name} = {value}");
        }
        for (name, value) in input {
            let _ = writeln!(out, "    {name} = {value}");
        }
        for (name, value) in &all.states[*to] {
            let _ = writeln!(out, "  next({name}) = {value}");
        }
    }
    out
}

fn csv(all: &Steps) -> String {
    let Some((from, input, _)) = all.steps.first() else {
        return String::new();
    };
    let state = &all.states[*from];
    let quoted = |text: &str| format!("\"{text}\"\t");
    let mut out: String = state.iter().chain(input).map(|(n, _)| quoted(n)).collect();
    out.extend(state.iter().map(|(n, _)| quoted(&format!("next({n})"))));
    out += "CurrID\tNextID\n";
    for (from, input, to) in &all.steps {
        let cells = all.states[*from]
            .iter()
            .chain(input)
            .chain(&all.states[*to]);
        out.extend(cells.map(|(_, v)| quoted(v)));
        let _ = writeln!(out, "{}\t{}", from + 1, to + 1);
    }
    out
}

fn dot(all: &Steps) -> String {
    let mut out = String::from("strict digraph {\n");
    for (from, _, to) in &all.steps {
        let _ = writeln!(out, "{} -> {}", from + 1, to + 1);
    }
    out += "{ rank = sink;\n  Legend [shape=none, margin=0, label=<\n    \
            <TABLE BORDER=\"1\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"2\">\n     <TR>\n      \
            <TD COLSPAN=\"2\"><B>States Legend</B></TD>\n     </TR>\n";
    for (i, state) in all.states.iter().enumerate() {
        let values: Vec<String> = state.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        let _ = writeln!(
            out,
            "<TR><TD><FONT COLOR=\"blue\">{}:</FONT></TD><TD><FONT COLOR=\"black\">{}</FONT></TD></TR>",
            i + 1,
            values.join(", ")
        );
    }
    out + " </TABLE> >];\n}\n\n}"
}
