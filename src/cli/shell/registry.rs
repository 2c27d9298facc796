//! All commands: names, options, usage texts, what they do.

use super::input::Input;
use super::options::{self, Given, Opt, OptionError};
use super::session::Session;
use super::{
    Answer, Stop, absent, admin, analyses, checking, dumping, executing, explain, machine,
    ordering, properties, reading, simulation, statistics, symbols, traces, transitions, writing,
};

/// What the shell writes before it reads.
pub const PROMPT: &str = "NuSMV > ";

/// A command of the shell.
pub struct Command {
    pub name: &'static str,
    /// The form of its arguments.
    pub synopsis: &'static str,
    pub options: &'static [Opt],
    /// What it does, for `help`.
    pub about: &'static str,
    /// Left out of the list of commands.
    pub hidden: bool,
    /// Whether there may be words that are no options; else they bring the usage text.
    pub words: bool,
    /// What it says on standard error before and after, whatever comes of it.
    pub notices: [&'static str; 2],
    pub run: Run,
}

/// What a command calls.
pub enum Run {
    Plain(fn(&mut Session, &Given) -> Answer),
    /// One that reads more lines.
    Reading(fn(&mut Session, &Given, &mut Input) -> Answer),
    /// One that is not there: why, and what works instead.
    Absent(&'static str),
}

/// A command without anything special.
pub const fn command(
    name: &'static str,
    synopsis: &'static str,
    options: &'static [Opt],
    about: &'static str,
    run: fn(&mut Session, &Given) -> Answer,
) -> Command {
    Command {
        name,
        synopsis,
        options,
        about,
        hidden: false,
        words: false,
        notices: [""; 2],
        run: Run::Plain(run),
    }
}

impl Command {
    /// The same command, which takes words that are no options.
    pub const fn with_words(self) -> Command {
        Command {
            words: true,
            ..self
        }
    }
}

const FAMILIES: &[&[Command]] = &[
    absent::COMMANDS,
    admin::COMMANDS,
    checking::COMMANDS,
    analyses::COMMANDS,
    dumping::COMMANDS,
    executing::COMMANDS,
    explain::COMMANDS,
    machine::COMMANDS,
    ordering::COMMANDS,
    properties::COMMANDS,
    reading::COMMANDS,
    simulation::COMMANDS,
    statistics::COMMANDS,
    symbols::COMMANDS,
    transitions::COMMANDS,
    traces::COMMANDS,
    writing::COMMANDS,
];

/// The command of a name.
pub fn find(name: &str) -> Option<&'static Command> {
    FAMILIES.iter().copied().flatten().find(|c| c.name == name)
}

/// All names, sorted.
pub fn names(hidden: bool) -> Vec<&'static str> {
    let all = FAMILIES.iter().copied().flatten();
    let mut names: Vec<_> = all.filter(|c| c.hidden == hidden).map(|c| c.name).collect();
    names.sort_unstable();
    names
}

impl Command {
    pub fn usage(&self) -> String {
        options::usage(self.name, self.synopsis, self.options)
    }

    /// Reads the options and runs the command.
    pub fn call(&self, session: &mut Session, words: &[String], input: &mut Input) -> Answer {
        let [before, after] = self.notices;
        session.err(before);
        let answer = self.call_quietly(session, words, input);
        session.err(after);
        answer
    }

    fn call_quietly(&self, session: &mut Session, words: &[String], input: &mut Input) -> Answer {
        if let Run::Absent(why) = self.run {
            let help = words.iter().any(|w| w.starts_with('-') && w.contains('h'));
            if help {
                session.err(&self.usage());
            }
            return session.fail(format!("nusmv-rs: {why}"));
        }
        let given = match options::parse(words, self.options) {
            Ok(given) => given,
            Err(error) => {
                if error == OptionError::Help {
                    session.err(&self.usage());
                    return Err(Stop::Failed);
                }
                session.err(&format!("{}: {error}\n", self.name));
                return self.bad(session);
            }
        };
        if !self.words && !given.rest.is_empty() {
            return self.bad(session);
        }
        match self.run {
            Run::Plain(run) => run(session, &given),
            Run::Reading(run) => run(session, &given, input),
            Run::Absent(_) => Err(Stop::Failed),
        }
    }

    /// Fails with the usage text.
    pub fn bad(&self, session: &Session) -> Answer {
        let usage = self.usage();
        match self.name {
            // Two commands that NuSMV leaves without a word.
            "dump_expr" | "dump_fsm" => {}
            // Another answers on standard output.
            "set" => {
                let (first, others) = usage.split_once('\n').unwrap_or((&usage, ""));
                session.out(&format!("{first}\n"));
                session.err(others);
            }
            _ => session.err(&usage),
        }
        Err(Stop::Failed)
    }
}

impl Session {
    /// Fails with the usage text of a command.
    pub fn bad_usage<T>(&self, name: &str) -> Answer<T> {
        if let Some(command) = find(name) {
            let _: Answer = command.bad(self);
        }
        Err(Stop::Failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        for hidden in [false, true] {
            let names = names(hidden);
            assert!(names.windows(2).all(|w| w[0] != w[1]));
        }
    }

    #[test]
    fn usage_has_nusmvs_form() {
        let c = find("check_ctlspec").unwrap();
        assert!(c.usage().starts_with("usage: check_ctlspec [-h]"));
    }
}
