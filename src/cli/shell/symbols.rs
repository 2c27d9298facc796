//! Variables, DEFINEs and expressions: what there is, what depends on what, how many states satisfy what.

use super::admin::FRAME;
use super::formulas::Fault;
use super::options::{Given, flag, with};
use super::registry::{Command, command};
use super::session::{Session, Stage};
use super::{Answer, Stop};
use crate::base::cformat::count;
use crate::dd::Bdd;
use crate::encode::layout;
use crate::model::dependencies::coi::Cones;
use crate::model::{ExprId, FlatModel, Type, Var, VarKind, VarType};
use crate::report::formula;
use crate::trace::Cell;
use std::collections::HashMap;
use std::fmt::Write;
use std::fs;

pub const COMMANDS: &[Command] = &[
    command(
        "clean_sexp2bdd_cache",
        "[-h]",
        &[],
        "forgets diagrams of expressions",
        clean_cache,
    ),
    command(
        "dump_fsm",
        "[-h] -o file [-i] [-I] [-t] [-F] [-r] [-e expression]",
        &[
            with('o', "file", "writes to the file"),
            with('e', "expression", "the expression's diagram"),
            flag('i', "the initial states"),
            flag('I', "the states that INVAR allows"),
            flag('t', "the transition relation"),
            flag('F', "the fair states"),
            flag('r', "the reachable states"),
        ],
        "writes diagrams in the language of Graphviz",
        dump_fsm,
    )
    .with_words(),
    command(
        "print_formula",
        "[-h] | [-v] | [-f] expression",
        &[
            flag('v', "lists the values that satisfy it"),
            flag('f', "prints it as a formula over the variables"),
        ],
        "counts the states (with inputs) that satisfy an expression",
        print_formula,
    )
    .with_words(),
    command(
        "show_dependencies",
        "[-h] [-k number] -e expression",
        &[
            with('k', "number", "goes so many steps at most"),
            with('e', "expression", "the expression, which may use next"),
        ],
        "shows the variables on which an expression depends",
        show_dependencies,
    ),
    command(
        "show_vars",
        "[-h] [-s] [-f] [-i] [-v] [-t | -V | -D] [-m | -o file]",
        &[
            flag('s', "state variables"),
            flag('f', "frozen variables"),
            flag('i', "input variables"),
            flag('t', "only how many there are of each type"),
            flag('V', "only the list"),
            flag('D', "only the DEFINEs"),
            flag('v', "shows all values of large types"),
            flag('m', "shows the output in $PAGER"),
            with('o', "file", "writes the output to the file"),
        ],
        "shows the variables and their types",
        show_vars,
    ),
];

fn clean_cache(session: &mut Session, _: &Given) -> Answer {
    if session.encoded {
        return Ok(());
    }
    session
        .err("ERROR: BDD encoding has to be created before. Use \"encode_variables\" command.\n\n");
    session.bad_usage("clean_sexp2bdd_cache")
}

/// Room for values behind a name, and behind a number in summaries.
const ROOM: usize = 79;
const ROOM_IN_SUMMARY: usize = 73;

/// Values in braces; those for which there is no room are only counted, as NuSMV does it: the room
/// for that is reserved when a value does not fit, the last value without the comma behind it.
fn braces(values: &[String], room: Option<usize>) -> String {
    let all = format!("{{{}}}", values.join(", "));
    let Some(room) = room.filter(|&room| all.chars().count() > room) else {
        return all;
    };
    let width = |n: usize| {
        1 + values[..n]
            .iter()
            .map(|v| v.chars().count() + 2)
            .sum::<usize>()
    };
    let last_fails = width(values.len() - 1) <= room;
    let left = (room + 2 * usize::from(last_fails)).saturating_sub(20);
    let shown = (0..values.len())
        .rev()
        .find(|&n| width(n) <= left)
        .unwrap_or(0);
    let mut out = String::from("{");
    for value in &values[..shown] {
        let _ = write!(out, "{value}, ");
    }
    let _ = write!(out, "(other {} values)}}", values.len() - shown);
    out
}

/// A type with its values, as far as there is room.
fn type_text(model: &FlatModel, ty: &VarType, room: Option<usize>) -> String {
    let list = |values: Vec<String>| braces(&values, room);
    match ty {
        VarType::Range { lo, hi } => list((*lo..=*hi).map(|i| i.to_string()).collect()),
        VarType::Enum(values) => {
            let texts = values.iter().map(|v| Cell::new(v, &model.pool).to_string());
            list(texts.collect())
        }
        other => Type::of_var(other).to_string(),
    }
}

/// How many variables there are of each type: Booleans first, then as declared.
fn by_type(model: &FlatModel, vars: &[&Var], room: Option<usize>) -> String {
    let mut groups: Vec<(String, usize)> = Vec::new();
    for var in vars {
        let text = type_text(model, &var.ty, room);
        match groups.iter_mut().find(|g| g.0 == text) {
            Some(g) => g.1 += 1,
            None => groups.push((text, 1)),
        }
    }
    groups.sort_by_key(|g| g.0 != "boolean");
    groups
        .iter()
        .map(|(text, n)| format!("{n:5}: {text}\n"))
        .collect()
}

fn show_vars(session: &mut Session, given: &Given) -> Answer {
    let mut form = None;
    for letter in given.letters().filter(|l| matches!(l, 't' | 'V' | 'D')) {
        if form.is_some_and(|other| other != letter) {
            let others = match letter {
                't' => "-V or -D",
                'V' => "-t or -D",
                _ => "-V or -t",
            };
            return session.fail(format!("-{letter} is incompatible with options {others}."));
        }
        form = Some(letter);
    }
    if given.has('m') && given.has('o') {
        return session.bad_usage("show_vars");
    }
    session.redirected(given, |session| {
        let text = vars(session, given)?;
        session.out(&text);
        Ok(())
    })
}

/// What show_vars shows.
fn vars(session: &Session, given: &Given) -> Answer<String> {
    session.need(Stage::Flattened)?;
    let all = !(given.has('s') || given.has('f') || given.has('i'));
    let kinds = [
        (VarKind::Input, 'i', "Input"),
        (VarKind::State, 's', "State"),
        (VarKind::Frozen, 'f', "Frozen"),
    ];
    let model = session.model()?;
    let of = |kind| -> Vec<&Var> { model.vars_of(kind).map(|v| model.var(v)).collect() };
    let wanted = |kind| kinds.iter().any(|k| k.0 == kind && given.has(k.1));
    let vars = model.vars.iter();
    let chosen: Vec<&Var> = vars.filter(|v| all || wanted(v.kind)).collect();
    let mut out = String::new();
    let summary = (!given.has('v')).then_some(ROOM_IN_SUMMARY);
    let list = |out: &mut String| {
        for var in &chosen {
            let room = (!given.has('v')).then(|| ROOM.saturating_sub(var.name.chars().count()));
            let ty = type_text(model, &var.ty, room);
            let _ = writeln!(out, "  {} : {ty}\n  ", var.name);
        }
    };
    if given.has('D') {
        for d in &model.defines {
            let _ = writeln!(out, "  {} : {}", d.name, model.type_of(d.body));
        }
    } else if given.has('V') {
        list(&mut out);
    } else if given.has('t') {
        let _ = writeln!(out, "Number of all selected variables: {}", chosen.len());
        out += &by_type(model, &chosen, summary);
    } else {
        for (kind, _, name) in kinds {
            let vars = of(kind);
            let _ = writeln!(out, "Number of {name} Variables: {}", vars.len());
            out += &by_type(model, &vars, summary);
        }
        list(&mut out);
        let bits = |kind| of(kind).iter().map(|v| layout::width(&v.ty)).sum::<u32>();
        let [i, s, f] = kinds.map(|k| bits(k.0));
        let _ = writeln!(
            out,
            "Number of bits: {} ({f} frozen, {i} input, {s} state)",
            f + i + s
        );
    }
    Ok(out)
}

fn show_dependencies(session: &mut Session, given: &Given) -> Answer {
    let times = match given.value('k') {
        None => None,
        Some(k) => match k.trim().parse::<u64>() {
            Ok(k) => Some(k),
            Err(_) => {
                session.err(&format!("Error: '{k}' is not a valid fixpoint\n"));
                return session.bad_usage("show_dependencies");
            }
        },
    };
    let Some(text) = given.value('e') else {
        return session.bad_usage("show_dependencies");
    };
    session.need(Stage::Flattened)?;
    let file = session.file().to_owned();
    let e = match session.expression_in(text, true, &file) {
        Ok(e) => e,
        Err(fault) => {
            if let Fault::Syntax(errors) = fault {
                session.tell(&errors);
                session.err("Parsing error: expected an next expression.\n");
            }
            return session.bad_usage("show_dependencies");
        }
    };
    let model = session.model()?;
    let found = Cones::new(model).found_from([e], times);
    let names: Vec<&str> = found.iter().map(|&v| model.var(v).name.as_str()).collect();
    session.err(&format!("{{{}}}\n", names.join(", ")));
    Ok(())
}

/// A Boolean expression as a set of states and inputs.
fn set_of(session: &Session, e: ExprId) -> Answer<Bdd> {
    if session.model()?.type_of(e) != Type::Bool {
        return Err(Stop::Failed);
    }
    match session.fsm()?.boolean(e) {
        Ok(set) => Ok(set),
        Err(error) => session.failed("expression", &error),
    }
}

fn print_formula(session: &mut Session, given: &Given) -> Answer {
    let text = match given.rest.first() {
        Some(text) if !text.is_empty() => text,
        _ => {
            session.err("No expression given.\n\n");
            return session.bad_usage("print_formula");
        }
    };
    if given.has('v') && given.has('f') {
        return session.bad_usage("print_formula");
    }
    session.need(Stage::Built)?;
    let file = session.file().to_owned();
    let e = match session.expression_in(text, false, &file) {
        Ok(e) => e,
        Err(Fault::Syntax(errors)) => {
            session.tell(&errors);
            return session.fail("Parsing error: expected an expression.");
        }
        Err(Fault::Other) => return session.fail("expression is not a predicate."),
    };
    let Ok(set) = set_of(session, e) else {
        return session.fail("expression is not a predicate.");
    };
    let fsm = session.fsm()?;
    let bits = [fsm.state_bits.as_slice(), &fsm.layout.input_bits].concat();
    let n = set.count_big(&bits).unwrap_or_default();
    session.out(&format!("{FRAME}formula models: {}\n", count(&n)));
    if given.has('v') {
        let done = formula::models(fsm, &set, &mut |line| session.out(&line));
        if let Err(error) = done {
            return session.failed("formula", &error.into());
        }
    }
    if given.has('f') {
        session.print_formula(&set)?;
    }
    session.out(FRAME);
    Ok(())
}

impl Session {
    /// A set as a formula.
    pub fn print_formula(&self, set: &Bdd) -> Answer {
        match formula::text(self.fsm()?, set) {
            Ok(text) => {
                self.out(&format!("\nFORMULA = \n{text}"));
                Ok(())
            }
            Err(error) => self.failed("formula", &error.into()),
        }
    }
}

fn dump_fsm(session: &mut Session, given: &Given) -> Answer {
    session.need(Stage::Built)?;
    let Some(file) = given.value('o') else {
        return session.fail("Output file must be specified");
    };
    if !['e', 'i', 'I', 't', 'F', 'r'].iter().any(|&l| given.has(l)) {
        return session.fail("At least one option in 'eiItFr' must be specified.");
    }
    let extra = match given.value('e') {
        Some(text) => {
            let file = session.file().to_owned();
            match session.expression_in(text, false, &file) {
                Ok(e) => Some(set_of(session, e)?),
                Err(fault) => {
                    if let Fault::Syntax(errors) = fault {
                        session.tell_but_next(&errors);
                    }
                    return Err(Stop::Failed);
                }
            }
        }
        None => None,
    };
    let within = session.context.options.reachable;
    let found = session.with_work(|_, work| {
        let fsm = work.fsm;
        let mut roots = Vec::new();
        if given.has('i') {
            roots.push(("Init", fsm.init.clone()));
        }
        if given.has('I') {
            roots.push(("Invar", fsm.invar.clone()));
        }
        if given.has('t') {
            for c in fsm.trans.clusters() {
                roots.push(("Trans", c.clone()));
            }
        }
        if given.has('F') {
            use crate::engine::algebra::Machine as _;
            roots.push(("Fair", work.checker(within)?.fair().clone()));
        }
        if given.has('r') {
            roots.push(("Reachables", work.reach()?.states().clone()));
        }
        roots.extend(extra.map(|e| ("Expression", e)));
        Ok(roots)
    })?;
    let roots = match found {
        Ok(roots) => roots,
        Err(error) => return session.failed("diagrams", &error),
    };
    let fsm = session.fsm()?;
    let refs: Vec<(&str, &Bdd)> = roots.iter().map(|(n, b)| (*n, b)).collect();
    let names: HashMap<_, _> = fsm.layout.names(&fsm.model).into_iter().collect();
    let text = Bdd::dot(&refs, &|bit| names.get(&bit).cloned().unwrap_or_default());
    match fs::write(file, text) {
        Ok(()) => Ok(()),
        Err(_) => session.fail(format!("Problems opening output file '{file}'.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last values of `0..last` that are shown.
    fn shown(last: u32, room: usize) -> String {
        let values: Vec<String> = (0..=last).map(|i| i.to_string()).collect();
        let text = braces(&values, Some(room));
        text.rsplit(", ").next().unwrap_or_default().to_owned()
            + text.rsplit(", ").nth(1).unwrap_or_default()
    }

    #[test]
    fn what_has_no_room_is_counted() {
        // Taken from NuSMV: a name of three letters, then the summary.
        assert_eq!(shown(20, ROOM - 3), "20}19");
        assert_eq!(shown(21, ROOM - 3), "(other 6 values)}15");
        assert_eq!(shown(20, ROOM_IN_SUMMARY), "(other 5 values)}15");
        assert_eq!(shown(21, ROOM_IN_SUMMARY), "(other 7 values)}14");
        assert_eq!(shown(100, ROOM_IN_SUMMARY), "(other 86 values)}14");
        let names = ["x".repeat(100), "y".to_owned()];
        assert_eq!(braces(&names, Some(77)), "{(other 2 values)}");
        assert_eq!(braces(&names[1..], None), "{y}");
    }
}
