//! What NuSMV does not have: the commands that analyse vacuity and answer queries.

use super::checking::{FILE, NAME, NUMBER, PAGER};
use super::options::{Given, flag, with};
use super::registry::{Command, command};
use super::session::{Record, Session, Stage};
use super::{Answer, Stop};
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::engine::vacuity::Sharing;
use crate::model::{PropKind, Source};
use smv_grammar::ast::{Item, SpecKind};
use std::rc::Rc;

pub const COMMANDS: &[Command] = &[
    command(
        "check_query",
        "[-h] [-m | -o file] [-p \"query\"]",
        &[
            PAGER,
            FILE,
            with(
                'p',
                "query",
                "this query; else those of the model and of the command line",
            ),
        ],
        "answers temporal-logic queries (not in NuSMV)",
        check_query,
    ),
    command(
        "check_vacuity",
        "[-h] [-o file] [-n number | -p \"formula\" | -P \"name\"] [-r] [-m] [-w] [-N]",
        &[
            FILE,
            NUMBER,
            with(
                'p',
                "formula",
                "this CTL formula, which is added to the list",
            ),
            NAME,
            flag('r', "finds the largest parts that do not matter"),
            flag('m', "finds the sets of atoms that can be replaced together"),
            flag(
                'w',
                "shows why the atoms of true formulas matter, on a machine built anew",
            ),
            flag('N', "compares with the naive method"),
        ],
        "tells which parts of CTL and LTL formulas and invariants do not matter (not in NuSMV)",
        check_vacuity,
    )
    .with_words(),
];

fn check_vacuity(session: &mut Session, given: &Given) -> Answer {
    let picked = session.picked(given, "check_vacuity")?;
    session.need(Stage::Built)?;
    let mut chosen = Vec::new();
    if let Some(text) = given.value('p') {
        chosen.push(session.add_property(PropKind::Ctl, text, None)?);
    } else if let Some(i) = picked {
        chosen.push(i);
    } else {
        for kind in [PropKind::Ctl, PropKind::Ltl, PropKind::Invar] {
            chosen.extend(session.in_order(Some(kind))?);
        }
    }
    session.redirected_quietly(given, |session| {
        // Known verdicts are found again on the way.
        for &i in &chosen {
            session.records[i] = Record::default();
        }
        let options = &mut session.context.options;
        let before = (options.vacuity.clone(), options.witnesses);
        let config = options.vacuity.get_or_insert_default();
        config.refine |= given.has('r');
        config.mutual |= given.has('m');
        if given.has('N') {
            config.naive.get_or_insert(Sharing::Nothing);
        }
        options.witnesses |= given.has('w');
        let answer = session.check(&chosen);
        (
            session.context.options.vacuity,
            session.context.options.witnesses,
        ) = before;
        answer
    })
}

fn check_query(session: &mut Session, given: &Given) -> Answer {
    if given.has('m') && given.has('o') {
        return session.bad_usage("check_query");
    }
    session.need(Stage::Encoded)?;
    session.redirected(given, |session| {
        let mut source = session.source.clone().ok_or(Stop::Failed)?;
        let before = session.context.options.query.clone();
        if let Some(text) = given.value('p') {
            let is_query =
                |item: &Item| matches!(item, Item::Spec(s) if matches!(s.kind, SpecKind::Query(..)));
            for module in &mut source.ast.modules {
                module.items.retain(|item| !is_query(item));
            }
            session.context.options.query.texts = vec![text.to_owned()];
            session.context.options.query.files.clear();
        }
        let answer = answer_queries(&session.context, source);
        session.context.options.query = before;
        match answer {
            Ok(Exit::Evaluated) => Ok(()),
            _ => Err(Stop::Failed),
        }
    })
}

/// Answers the queries of a source and of the options, on a machine of their own.
fn answer_queries(context: &Context, source: Source) -> Result<Exit, Exit> {
    let source = context.with_queries(&source)?.unwrap_or(source);
    let model = Rc::new(context.flatten_with_queries(&source)?);
    context.answer_queries(&source, &model)
}
