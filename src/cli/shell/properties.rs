//! The list of properties: adding to it, showing it.

use super::formulas::type_name;
use super::options::{Given, flag, with};
use super::registry::{Command, command};
use super::session::{Record, Session, Stage};
use super::{Answer, Stop};
use crate::cli::check::Status;
use crate::engine::outcome::Quantity;
use crate::model::{PropKind, Property};
use crate::report::{listing, verdict};
use std::fmt::Write;

pub const COMMANDS: &[Command] = &[
    command(
        "add_property",
        "[-h] [(-c | -l | -i | -s | -q) -p \"formula\" [IN context] ] [-n \"name\"]",
        &[
            flag('c', "a CTL formula"),
            flag('l', "an LTL formula"),
            flag('i', "an invariant"),
            flag('s', "a PSL formula"),
            flag('q', "MIN or MAX"),
            with(
                'p',
                "formula",
                "the formula; names are those of the context",
            ),
            with('n', "name", "the property's name"),
        ],
        "adds a property to the list",
        add_property,
    ),
    command(
        "convert_property_to_invar",
        "[-h] [-n index | -P \"name\" | -p \"formula\"]",
        &[
            with('n', "index", "only this property"),
            with('P', "name", "only the property of this name"),
            with(
                'p',
                "formula",
                "this formula, G p or AG p, which is added to the list too",
            ),
        ],
        "adds an invariant for each property of the form AG p or G p",
        convert,
    )
    .with_words(),
    command(
        "show_property",
        "[-h] [ [[-c | -l | -i | -q] [-u | -t | -f]] | [-n index] | [-P name] ] \n\t\t \
         [-m | -o file] [-F format]",
        &[
            flag('c', "only CTL formulas"),
            flag('l', "only LTL formulas"),
            flag('i', "only invariants"),
            flag('q', "only MIN and MAX"),
            flag('s', "only how many there are"),
            flag('u', "only what has not been checked"),
            flag('t', "only what was found true"),
            flag('f', "only what was found false"),
            with('n', "index", "only this property"),
            with('P', "name", "only the property of this name"),
            flag('m', "shows the output in $PAGER"),
            with('o', "file", "writes the output to the file"),
            with('F', "format", "tabular or xml; help lists them"),
        ],
        "lists the properties and what was found of them",
        show_property,
    ),
];

/// The kind an option stands for.
pub fn kind_of(letter: char) -> Option<PropKind> {
    Some(match letter {
        'c' => PropKind::Ctl,
        'l' => PropKind::Ltl,
        'i' => PropKind::Invar,
        's' => PropKind::Psl,
        'q' => PropKind::Compute,
        _ => return None,
    })
}

fn add_property(session: &mut Session, given: &Given) -> Answer {
    let name = given.value('n');
    if let Some(name) = name
        && session.doubt_name(name)
    {
        return session.bad_usage("add_property");
    }
    let kinds: Vec<PropKind> = given.letters().filter_map(kind_of).collect();
    let (&[kind], Some(text)) = (kinds.as_slice(), given.value('p')) else {
        return session.bad_usage("add_property");
    };
    session.need(Stage::Flattened)?;
    if let Some(name) = name
        && session.by_name(name).is_some()
    {
        return session.fail(format!(
            "The property database already contains a property named \"{name}\""
        ));
    }
    session.add_property(kind, text, name)?;
    Ok(())
}

/// Adds the invariants that `AG p` and `G p` amount to.
fn convert(session: &mut Session, given: &Given) -> Answer {
    let picked = session.picked(given, "convert_property_to_invar")?;
    if session.source.is_none() {
        return session.fail("A model must be read before. Use command read_model");
    }
    let Some(model) = session.model.clone() else {
        return Ok(());
    };
    if let Some(text) = given.value('p') {
        let kind = match text.trim_start().starts_with(['A', 'E']) {
            true => PropKind::Ctl,
            false => PropKind::Ltl,
        };
        let i = session.add_property(kind, text, None)?;
        return convert_these(session, vec![i]);
    }
    let chosen = match picked {
        None => (0..model.properties.len()).collect(),
        Some(i) => vec![i],
    };
    convert_these(session, chosen)
}

fn convert_these(session: &mut Session, chosen: Vec<usize>) -> Answer {
    let model = session.model.clone().ok_or(Stop::Failed)?;
    for i in chosen {
        let p = &model.properties[i];
        let always = match p.kind {
            PropKind::Ctl => "AG ",
            PropKind::Ltl => " G ",
            _ => continue,
        };
        let Some(body) = p.text.strip_prefix(always) else {
            continue;
        };
        let text = match p.context.as_str() {
            "" => body.to_owned(),
            context => format!("{body} IN {context}"),
        };
        // A body with temporal operators is no invariant: that is no error.
        if !["A", "E", "F ", "G ", "X ", "U ", "V "].iter().any(|op| {
            body.split(['(', ' ', '!'])
                .any(|w| w == op.trim() || is_temporal(w))
        }) {
            session.add_property(PropKind::Invar, &text, None)?;
        }
    }
    Ok(())
}

fn is_temporal(word: &str) -> bool {
    matches!(
        word,
        "AG" | "AF"
            | "AX"
            | "EG"
            | "EF"
            | "EX"
            | "A"
            | "E"
            | "F"
            | "G"
            | "X"
            | "U"
            | "V"
            | "H"
            | "O"
            | "Y"
            | "Z"
            | "S"
            | "T"
    )
}

impl Session {
    /// The property of a name.
    pub fn by_name(&self, name: &str) -> Option<usize> {
        let properties = &self.model.as_ref()?.properties;
        properties
            .iter()
            .position(|p| p.name.as_deref() == Some(name))
    }

    /// Says so if a text is no name. NuSMV looks for the property all the same.
    fn doubt_name(&self, text: &str) -> bool {
        let doubtful = !self.is_name(text);
        if doubtful {
            self.err("Parsing error: expected a property name.\n");
        }
        doubtful
    }

    /// The property of a name, or NuSMV's message.
    pub fn named(&self, name: &str) -> Answer<usize> {
        self.doubt_name(name);
        match self.by_name(name) {
            Some(i) => Ok(i),
            None => self.fail(format!("No property named \"{name}\"")),
        }
    }

    /// The property that `-n` or `-P` names, if any. What is wrong is told in the order in which NuSMV finds it:
    /// option by option, then words that are no options. Commands that check say on the way where their output goes.
    pub fn picked(&self, given: &Given, command: &str) -> Answer<Option<usize>> {
        let (mut found, mut ways, mut paged) = (None, 0, false);
        for (letter, value) in given.options() {
            paged |= letter == 'm' && command != "check_vacuity";
            if letter == 'o' && command.starts_with("check_") {
                if paged {
                    return self.bad_usage(command);
                }
                self.tell_file(value);
            }
            if !matches!(letter, 'n' | 'P' | 'p') {
                continue;
            }
            ways += 1;
            match letter {
                _ if ways > 1 => return self.bad_usage(command),
                'n' => found = Some(self.by_index(value)?),
                'P' => found = Some(self.named(value)?),
                _ => {}
            }
        }
        if !given.rest.is_empty() {
            return self.bad_usage(command);
        }
        Ok(found)
    }

    /// The property of a number, or NuSMV's message.
    pub fn by_index(&self, text: &str) -> Answer<usize> {
        if self.model.is_none() {
            return self.fail(
                "The hierarchy must be flattened before. Use the \"flatten_hierarchy\" command.",
            );
        }
        if self.records.is_empty() {
            return self.fail("Error: there isn't any property available.");
        }
        let text = text.trim();
        let number = if text.is_empty() {
            Ok(0)
        } else {
            text.parse::<i32>()
        };
        let Ok(n) = number else {
            return self.fail(format!(
                "Error: property index \"{text}\" is not a valid value (must be integer)."
            ));
        };
        match usize::try_from(n) {
            Ok(i) if i < self.records.len() => Ok(i),
            _ => self.fail(format!(
                "Error: property index \"{n}\" is not valid (must be in the range [0,{}]).",
                self.records.len() as i64 - 1
            )),
        }
    }
}

fn show_property(session: &mut Session, given: &Given) -> Answer {
    let kinds: Vec<PropKind> = given
        .letters()
        .filter(|&l| l != 's')
        .filter_map(kind_of)
        .collect();
    let states: Vec<char> = given
        .letters()
        .filter(|l| matches!(l, 'u' | 't' | 'f'))
        .collect();
    let only = match (given.value('n'), given.value('P')) {
        (Some(n), _) => Some(session.by_index(n)?),
        (_, Some(name)) => {
            session.doubt_name(name);
            match session.by_name(name) {
                Some(i) => Some(i),
                None => return session.fail(format!("No property named '{name}'")),
            }
        }
        _ => None,
    };
    if kinds.len() > 1
        || states.len() > 1
        || (given.has('n') && given.has('P'))
        || (only.is_some() && !(kinds.is_empty() && states.is_empty()))
        || (given.has('m') && given.has('o'))
    {
        return session.bad_usage("show_property");
    }
    match given.value('F') {
        None | Some("tabular" | "xml") => {}
        Some("help") => {
            session.err("Available formats are: xml, tabular\n");
            return Ok(());
        }
        Some(other) => {
            return session.fail(format!(
                "Format '{other}' is not valid, use '-F help'to see the valid formats."
            ));
        }
    }
    session.need(Stage::Flattened)?;
    if given.has('s') {
        let n = session.records.len();
        return session.redirected_quietly(given, |session| {
            session.out(&format!("Current number of stored properties: {n}\n"));
            Ok(())
        });
    }
    let model = session.model.clone().ok_or(Stop::Failed)?;
    let shown: Vec<(&Property, Record)> = model
        .properties
        .iter()
        .zip(session.records.iter().copied())
        .enumerate()
        .filter(|(i, (p, r))| {
            only.is_none_or(|o| o == *i)
                && kinds.first().is_none_or(|k| *k == p.kind)
                && states.first().is_none_or(|s| match s {
                    'u' => r.status == Status::Unchecked,
                    't' => r.status == Status::True,
                    _ => r.status == Status::False,
                })
        })
        .map(|(_, both)| both)
        .collect();
    let nothing = model.properties.is_empty() && kinds.is_empty() && states.is_empty();
    let text = match given.value('F') {
        Some("xml") => xml(&shown, nothing),
        _ => table(&shown) + if nothing { EMPTY_LINE } else { "" },
    };
    session.redirected_quietly(given, |s| {
        s.out(&text);
        Ok(())
    })
}

fn status_text(status: Status) -> String {
    match status {
        Status::Unchecked => "Unchecked".to_owned(),
        Status::True => "True".to_owned(),
        Status::False => "False".to_owned(),
        Status::Quantity(Quantity::Infinity) => "Infinite".to_owned(),
        Status::Quantity(Quantity::Undefined) => "Undefined".to_owned(),
        Status::Quantity(q) => verdict::value(q),
    }
}

fn table(shown: &[(&Property, Record)]) -> String {
    let mut out = listing::HEADER.to_owned();
    for (p, r) in shown {
        let _ = writeln!(out, "{:03} :{}", p.index, verdict::text(p));
        let trace = r.trace.map_or("N/A".to_owned(), |t| t.to_string());
        let name = p.name.as_deref().unwrap_or("N/A");
        let _ = writeln!(
            out,
            "  [{:<15}{:<15}{trace:<7}{name}]",
            listing::kind_name(p.kind),
            status_text(r.status)
        );
    }
    out
}

/// What stands in the place of properties.
const EMPTY: &str = "The properties DB is empty.";
const EMPTY_LINE: &str = "The properties DB is empty.\n";

fn xml(shown: &[(&Property, Record)], nothing: bool) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\"?>\n<properties xmlns=\"http://es.fbk.eu\"\n\
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"\n\
         xsi:schemaLocation=\"http://es.fbk.eu/xsd properties.xsd\">\n",
    );
    for (p, r) in shown {
        let _ = write!(
            out,
            "\n  <property>\n    <name>{}</name>\n    <index>{}</index>\n    \
             <formula><![CDATA[\n{}\n]]>\n</formula>\n    <type>{}</type>\n    \
             <status>{}</status>\n    <bound>-1</bound>\n    <trace>{}</trace>\n </property>\n",
            p.name.as_deref().unwrap_or(""),
            p.index,
            verdict::text(p),
            type_name(p.kind),
            match r.status {
                Status::Quantity(_) => "NUMBER".to_owned(),
                other => status_text(other).to_uppercase(),
            },
            r.trace.unwrap_or(0)
        );
    }
    if nothing {
        let _ = write!(out, "\n  <!-- {EMPTY} -->");
    }
    out + "\n</properties>\n"
}
