//! The commands that check properties of a kind, or of all.

use super::Answer;
use super::formulas::type_name;
use super::options::{Given, Opt, flag, with};
use super::properties::kind_of;
use super::registry::{Command, command};
use super::session::{Session, Stage};
use super::variables::strategy;
use super::writing::NO_BOOLEAN_MODEL;
use crate::model::{PropFormula, PropKind, Property, PslFormula};

pub const PAGER: Opt = flag('m', "shows the output in $PAGER");
pub const FILE: Opt = with('o', "file", "writes the output to the file");
pub const NUMBER: Opt = with('n', "number", "only the property of this number");
pub const NAME: Opt = with('P', "name", "only the property of this name");
const FORMULA: Opt = with('p', "formula", "this formula, which is added to the list");

const FORM: &str = "[-h] [-m | -o file] [-n number | -p \"formula\" | -P \"name\"]";
const COMMON: &[Opt] = &[PAGER, FILE, NUMBER, FORMULA, NAME];

pub const COMMANDS: &[Command] = &[
    command(
        "check_compute",
        FORM,
        COMMON,
        "computes MIN and MAX",
        |s, g| check_kind(s, g, PropKind::Compute, "check_compute"),
    ).with_words(),
    Command {
        hidden: true,
        notices: ["", "\nWarning: command 'compute' is deprecated, use 'check_compute' instead.\n"],
        ..command(
            "compute",
            FORM,
            COMMON,
            "the old name of check_compute",
            |s, g| check_kind(s, g, PropKind::Compute, "check_compute"),
        ).with_words()
    },
    command(
        "check_ctlspec",
        "[-h] [-m | -o file] [-a] [-n number | -p \"formula\" | -P \"name\"]",
        &[
            PAGER,
            FILE,
            flag(
                'a',
                "shows initial and accepting states as formulas, with their numbers",
            ),
            NUMBER,
            FORMULA,
            NAME,
        ],
        "checks CTL formulas",
        check_ctlspec,
    ).with_words(),
    command(
        "check_invar",
        "[-h] [-m | -o file] [-n number | -p \"formula\" | -P \"name\"] [-s strategy] [-e heuristic] \
         [-t threshold] [-k length] [-j heuristic]",
        &[
            PAGER,
            FILE,
            NUMBER,
            FORMULA,
            NAME,
            with(
                's',
                "strategy",
                "forward, backward, forward-backward or bdd-bmc (here forward)",
            ),
            with('e', "heuristic", "zigzag or smallest (no effect here)"),
            with(
                't',
                "number",
                "when bdd-bmc goes over to BMC (no effect here)",
            ),
            with('k', "number", "length of BMC (no effect here)"),
            with('j', "heuristic", "steps or size (no effect here)"),
        ],
        "checks invariants",
        check_invar,
    ).with_words(),
    command(
        "check_ltlspec",
        FORM,
        COMMON,
        "checks LTL formulas",
        |s, g| check_kind(s, g, PropKind::Ltl, "check_ltlspec"),
    ).with_words(),
    command(
        "check_property",
        "[-h] [-n number | -P \"name\"] | [(-c | -l | -i | -s | -q) [-p \"formula\"]]",
        &[
            NUMBER,
            NAME,
            flag('c', "CTL formulas"),
            flag('l', "LTL formulas"),
            flag('i', "invariants"),
            flag('s', "PSL formulas"),
            flag('q', "MIN and MAX"),
            FORMULA,
        ],
        "checks properties of all kinds or of one",
        check_property,
    ).with_words(),
    command(
        "check_pslspec",
        FORM,
        COMMON,
        "checks PSL formulas",
        |s, g| check_kind(s, g, PropKind::Psl, "check_pslspec"),
    ).with_words(),
];

const STRATEGIES: [&str; 4] = ["forward", "backward", "forward-backward", "bdd-bmc"];

/// The options of check_invar that the others have not, in the order in which they come.
fn search_options(session: &Session, given: &Given) -> Answer {
    for (letter, value) in given.options() {
        let known = |words: &[&str]| words.contains(&value);
        let number = || value.trim().parse::<u32>().is_ok();
        let text = match letter {
            's' if !known(&STRATEGIES) => {
                "Wrong strategy specified; you must choose between \
                 {'forward', 'backward', 'forward-backward', 'bdd-bmc'}."
            }
            'e' if !known(&["zigzag", "smallest"]) => {
                "Wrong heuristic specified; you must choose between {'zigzag', 'smallest'}."
            }
            'j' if !known(&["steps", "size"]) => {
                "Wrong heuristic specified; you must choose between {'steps', 'size'}."
            }
            't' if !number() => "You must specify a valid number as threshold",
            'k' if !number() => "You must specify a valid integer number as BMC k",
            _ => continue,
        };
        return session.fail(text);
    }
    Ok(())
}

fn check_invar(session: &mut Session, given: &Given) -> Answer {
    search_options(session, given)?;
    let set = session.variables.get("check_invar_strategy");
    let chosen = given.value('s').or(set).unwrap_or("forward").to_owned();
    let before = session.context.options.invar_strategy;
    if let Some(word) = given.value('s') {
        session.context.options.invar_strategy = strategy(word);
    }
    let answer = checked_kind(session, given, PropKind::Invar, "check_invar", |session| {
        if given.has('e') && !matches!(chosen.as_str(), "forward-backward" | "bdd-bmc") {
            return session
                .fail("Unable to use an heuristic without forward-backward or bdd-bmc strategy.");
        }
        if chosen == "bdd-bmc" && !session.boolean_built {
            return session.fail(NO_BOOLEAN_MODEL);
        }
        Ok(())
    });
    session.context.options.invar_strategy = before;
    answer
}

fn check_ctlspec(session: &mut Session, given: &Given) -> Answer {
    session.context.options.accepting = given.has('a').then(|| "print".into());
    let answer = check_kind(session, given, PropKind::Ctl, "check_ctlspec");
    session.context.options.accepting = None;
    answer
}

/// NuSMV asks for other stages before LTL and PSL.
fn need_machine(session: &Session, kind: PropKind) -> Answer {
    if matches!(kind, PropKind::Ltl | PropKind::Psl) && session.source.is_some() {
        if kind == PropKind::Psl {
            session.need(Stage::Encoded)?;
        }
        if !session.encoded {
            return session
                .fail("The variables must be built before. Use the \"encode_variables\" command.");
        }
        if session.machine.is_none() {
            let method = session
                .variables
                .get("partition_method")
                .unwrap_or("Threshold");
            return session.fail(format!(
                "The current partition method {method} has not yet be computed.\n\
                 Use \t \"build_model -f -m {method}\"\nto build the transition relation."
            ));
        }
    }
    session.need(Stage::Built)
}

fn check_kind(session: &mut Session, given: &Given, kind: PropKind, command: &str) -> Answer {
    checked_kind(session, given, kind, command, |_| Ok(()))
}

/// Checks the properties of a kind, if `ready` has nothing against it.
fn checked_kind(
    session: &mut Session,
    given: &Given,
    kind: PropKind,
    command: &str,
    ready: impl FnOnce(&Session) -> Answer,
) -> Answer {
    let picked = session.picked(given, command)?;
    if given.has('m') && given.has('o') {
        return session.bad_usage(command);
    }
    if kind == PropKind::Psl
        && picked.is_none()
        && !given.has('p')
        && session.encoded
        && session.in_order(Some(kind))?.is_empty()
    {
        return Ok(());
    }
    if kind == PropKind::Psl {
        session.need(Stage::Encoded)?;
        right_kind(session, picked, kind)?;
    }
    need_machine(session, kind)?;
    session.redirected_quietly(given, |session| {
        ready(session)?;
        right_kind(session, picked, kind)?;
        let chosen = if let Some(text) = given.value('p') {
            vec![session.add_property(kind, text, None)?]
        } else if let Some(i) = picked {
            vec![i]
        } else {
            let mut all = session.in_order(Some(kind))?;
            if kind == PropKind::Psl {
                let model = session.model()?;
                all.retain(|&i| !is_branching(&model.properties[i]));
            }
            all
        };
        session.check(&chosen)
    })
}

/// NuSMV's check_pslspec leaves formulas of PSL's branching part to check_property, unless one is named.
fn is_branching(p: &Property) -> bool {
    matches!(
        p.formula,
        PropFormula::Psl {
            formula: PslFormula::Ctl(_),
            ..
        }
    )
}

/// Fails if the property that was named is of another kind.
fn right_kind(session: &Session, picked: Option<usize>, kind: PropKind) -> Answer {
    let Some(i) = picked else { return Ok(()) };
    let found = session.model()?.properties[i].kind;
    if found == kind {
        return Ok(());
    }
    session.fail(format!(
        "Error: specified property type is {}, but type {} was expected.",
        type_name(found),
        type_name(kind)
    ))
}

fn check_property(session: &mut Session, given: &Given) -> Answer {
    let picked = session.picked(given, "check_property")?;
    let kinds: Vec<PropKind> = given.letters().filter_map(kind_of).collect();
    if kinds.len() > 1
        || (picked.is_some() && !kinds.is_empty())
        || (given.has('p') && kinds.is_empty())
    {
        return session.bad_usage("check_property");
    }
    session.need(Stage::Built)?;
    let chosen = match (picked, given.value('p'), kinds.first()) {
        (Some(i), ..) => vec![i],
        (_, Some(text), Some(&kind)) => vec![session.add_property(kind, text, None)?],
        (_, _, Some(&kind)) => session.in_order(Some(kind))?,
        _ => session.by_size()?,
    };
    session.check(&chosen)
}
