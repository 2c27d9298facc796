//! `show_traces` and `show_plugins`: stored traces, whole or in part, in any form.

use super::options::{Given, flag, with};
use super::registry::{Command, command};
use super::session::Session;
use super::{Answer, Stop};
use crate::cli::options::values;
use crate::trace::plugin::Steps;
use crate::trace::{Plugin, Table, anonymous, build, html};

pub const COMMANDS: &[Command] = &[
    command(
        "show_plugins",
        "[-h] [-n number | -a]",
        &[
            with('n', "number", "only the plugin of this number"),
            flag('a', "all plugins, those that NuSMV has not included"),
        ],
        "lists the forms in which traces can be written",
        show_plugins,
    )
    .with_words(),
    command(
        "show_traces",
        "[-h] [-v] [-t] [-A] [-d] [-m | -o file] [-p plugin] [-a | number[.from[:[to]]]]",
        &[
            flag('v', "also values that have not changed"),
            flag('a', "all stored traces"),
            flag('t', "only how many are stored"),
            flag('A', "with other names instead of those of the model"),
            flag('d', "without DEFINEs"),
            flag('m', "shows the output in $PAGER"),
            with(
                'p',
                "plugin",
                "in the form of this number (see show_plugins)",
            ),
            with('o', "file", "writes the output to the file"),
        ],
        "writes stored traces: the last one, all, or one from a state to another",
        show_traces,
    )
    .with_words(),
];

fn show_plugins(session: &mut Session, given: &Given) -> Answer {
    let default = session.context.options.trace_plugin;
    let line = |p: Plugin| {
        let mark = if p == default { "[D]" } else { "   " };
        format!("{mark}  {}\t {}\n", p.number(), p.description())
    };
    let only = match given.value('n') {
        None => None,
        Some(text) => match values::cut_integer(text) {
            Some(n) if n < 0 => None,
            Some(n) => match Plugin::from_number(i64::from(n)) {
                Some(p) => Some(p),
                None => {
                    return session.fail(format!("Error: Plugin {n} is not yet registered"));
                }
            },
            None => {
                session.err(&format!(
                    "Error: \"{text}\" is not a valid value for\"-show_plugins\" command line option.\n"
                ));
                return session.bad_usage("show_plugins");
            }
        },
    };
    let text: String = match only {
        Some(_) if given.has('a') => return session.bad_usage("show_plugins"),
        Some(p) => line(p),
        // Our own are listed when asked for, so that the usual list is NuSMV's.
        None => Plugin::ALL
            .into_iter()
            .filter(|p| given.has('a') || !p.is_ours() || *p == default)
            .map(line)
            .collect(),
    };
    session.out(&text);
    Ok(())
}

/// A number of a trace or a state is too large for NuSMV; its words.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum TooLarge {
    #[error("Error: \"{0}\" is not a valid trace number (must be a positive  integer).")]
    Trace(String),
    #[error("Error: \"{0}\" is not a valid state number (must be an integer).")]
    State(String),
}

/// A number at the beginning of a text, 0 without one, and what follows it; `None` beyond 32 bits.
fn leading(text: &str) -> Option<(i32, &str)> {
    let (number, rest) = values::split_number(text);
    match number.trim_start_matches(['+', '-']) {
        "" => Some((0, text)),
        _ => Some((number.parse().ok()?, rest)),
    }
}

/// `number[.from[:[to]]]`; what is left out is 0.
fn place(text: &str) -> Result<(i32, i32, Option<i32>), TooLarge> {
    let state = |text: &str| TooLarge::State(text.to_owned());
    let (number, rest) = leading(text).ok_or_else(|| TooLarge::Trace(text.to_owned()))?;
    let Some(rest) = rest.strip_prefix('.') else {
        return Ok((number, 0, Some(0)));
    };
    let (from, rest) = leading(rest).ok_or_else(|| state(rest))?;
    Ok(match rest.strip_prefix(':') {
        None if from == 0 => (number, 0, Some(0)),
        None => (number, from, None),
        Some(rest) => {
            let (to, _) = leading(rest).ok_or_else(|| state(rest))?;
            (number, from, Some(to))
        }
    })
}

/// The state of a number in a trace of `len` states: negative ones count from the end. `None` before the first.
pub fn counted(number: i32, len: usize) -> Option<usize> {
    let back = number.unsigned_abs() as usize;
    if number < 0 {
        (len + 1).checked_sub(back).filter(|&n| n > 0)
    } else {
        Some(back)
    }
}

fn show_traces(session: &mut Session, given: &Given) -> Answer {
    if given.has('m') && given.has('o') {
        return session.bad_usage("show_traces");
    }
    let default = session.context.options.trace_plugin;
    let named = match given.value('p') {
        None => None,
        Some(text) => match values::cut_integer(text).and_then(|n| Plugin::from_number(n.into())) {
            Some(p) => Some(p),
            None => {
                session.err(&format!(
                    "Error: \"{text}\" is not a valid trace plugin value for \"show_traces -p\" command line option.\n"
                ));
                return session.bad_usage("show_traces");
            }
        },
    };
    // The options count in the order in which they come: `-v` chooses a plugin, too.
    let mut plugin = default;
    for letter in given.letters() {
        match (letter, named) {
            ('p', Some(p)) => plugin = p,
            ('v', _) if plugin == Plugin::Changes => plugin = Plugin::All,
            ('v', _) => session.err("Warning: -v option ignored.\n"),
            _ => {}
        }
    }
    let stored = session.traces.len();
    if stored == 0 {
        return session.fail("There are no traces currently available.");
    }
    if given.has('a') && !given.rest.is_empty() && !given.has('t') {
        return session.bad_usage("show_traces");
    }
    if given.has('t') {
        let (verb, s) = if stored == 1 {
            ("is", "")
        } else {
            ("are", "s")
        };
        session.err(&format!(
            "There {verb} {stored} trace{s} currently available.\n"
        ));
        return Ok(());
    }
    if given.has('a') {
        return session.redirected_quietly(given, |session| {
            session.write_traces(given, plugin, 1..=stored)
        });
    }
    let (number, from, to) = match given.rest.first() {
        None => (None, 0, Some(0)),
        Some(text) => match place(text) {
            Ok((number, from, to)) => (Some(number), from, to),
            Err(error) => return session.fail(error),
        },
    };
    let number = number.map_or(stored, |n| usize::try_from(n).unwrap_or(0));
    if number == 0 || number > stored {
        return session.fail(format!(
            "Invalid trace number (valid values are 1-{stored})."
        ));
    }
    let len = session.traces[number - 1].steps.len();
    let Some(first) = counted(from, len) else {
        return session.fail(format!("    Invalid starting state specified: {from}"));
    };
    let first = first.max(1);
    let last = match to.map(|to| (to, counted(to, len))) {
        None => first,
        Some((_, Some(0))) => len,
        Some((_, Some(to))) => to,
        Some((to, None)) => {
            return session.fail(format!("    Invalid end state specified: {to}"));
        }
    };
    if first > len {
        return session.fail(format!("    Invalid starting state specified: {first}"));
    }
    if last > len {
        return session.fail(format!("    Invalid end state specified: {last}"));
    }
    if first > last {
        return session.fail(format!("    Invalid state range specified: {first}:{last}"));
    }
    session.redirected_quietly(given, |session| {
        let table = session.table(given, plugin, number, first - 1)?;
        session.announce(given, plugin, number);
        let text = plugin.write_steps(&table, number, first - 1..=last - 1);
        session.out(&text);
        Ok(())
    })
}

impl Session {
    /// The symbols of a trace that are shown.
    fn table(&self, given: &Given, plugin: Plugin, number: usize, first: usize) -> Answer<Table> {
        let model = self.model()?;
        let trace = self.traces.get(number - 1).ok_or(Stop::Failed)?;
        let mut symbols = self.context.options.trace_symbols.clone();
        symbols.defines &= !given.has('d');
        let table = build::table(model, trace);
        let table = table.select(&symbols);
        Ok(if given.has('A') {
            anonymous::rename(model, &table, plugin, first)
        } else {
            table.into_owned()
        })
    }

    /// The line before a trace, which stays on the screen where the trace goes to a file.
    fn announce(&self, given: &Given, plugin: Plugin, number: usize) {
        if !plugin.announced() {
            return;
        }
        let line = format!(
            "    <!-- ################### Trace number: {number} ################### -->\n"
        );
        let mut console = self.context.console();
        if given.has('o') {
            console.out_past(&line);
        } else {
            console.out(&line);
        }
    }

    fn write_traces(&self, given: &Given, plugin: Plugin, numbers: Steps) -> Answer {
        if plugin == Plugin::Html {
            let mut pages = Vec::new();
            for number in numbers {
                pages.push((number, self.table(given, plugin, number, 0)?));
            }
            self.out(&html::page(&pages));
            return Ok(());
        }
        if plugin == Plugin::Vcd && numbers.clone().count() > 1 {
            return self.fail("A value change dump holds one trace: please give its number.");
        }
        for number in numbers {
            let table = self.table(given, plugin, number, 0)?;
            self.announce(given, plugin, number);
            self.out(&plugin.write(&table, number));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{TooLarge, place};

    #[test]
    fn places() {
        assert_eq!(place("2"), Ok((2, 0, Some(0))));
        assert_eq!(place(" +2.3"), Ok((2, 3, None)));
        assert_eq!(place("2.3:"), Ok((2, 3, Some(0))));
        assert_eq!(place("2.3:5"), Ok((2, 3, Some(5))));
        assert_eq!(place("2:5"), Ok((2, 0, Some(0))));
        assert_eq!(place("2.x"), Ok((2, 0, Some(0))));
        assert_eq!(place("2.0:"), Ok((2, 0, Some(0))));
        assert_eq!(place("x"), Ok((0, 0, Some(0))));
        let large = "4294967297.1".to_owned();
        assert_eq!(place(&large), Err(TooLarge::Trace(large.clone())));
        let large = "2147483648:1".to_owned();
        assert_eq!(place(&format!("1.{large}")), Err(TooLarge::State(large)));
    }
}
