//! The interactive shell: lines → commands, from a terminal, a pipe, scripts or the command line.
//!
//! [`input`] reads lines, [`history`] replaces references to earlier ones, [`words`] splits them,
//! [`registry`] knows the commands, each family in a file of its own; [`session`] is what they share.
//! A command ends well, fails (its message has been written), or ends the shell.

mod absent;
mod admin;
mod analyses;
mod checking;
mod choice;
mod completion;
mod dumping;
mod executing;
mod explain;
mod formulas;
mod history;
mod input;
mod known;
mod machine;
mod options;
mod ordering;
mod output;
mod properties;
mod reading;
mod registry;
mod scripts;
mod session;
mod simulation;
mod statistics;
mod symbols;
mod traces;
mod transitions;
mod variables;
mod verdicts;
mod words;
mod writing;

use super::context::Context;
use super::exit::Exit;
use super::options::Plan;
use input::{Input, Line};
use session::Session;
use std::path::{Path, PathBuf};

/// Why a command does not end well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It failed and has said why.
    Failed,
    /// The shell ends.
    Quit(Exit),
}

/// How a command ends.
pub type Answer<T = ()> = Result<T, Stop>;

/// How often a pipe may end before the shell does.
const ENDS: usize = 5;

/// Runs the shell to its end.
pub fn run(context: Context) -> Exit {
    let plan = context.options.shell.clone();
    let mut session = Session::new(context);
    let mut input = Input::new();
    let done = start(&mut session, &mut input, &plan);
    input.save();
    match done {
        Err(Stop::Quit(exit)) => exit,
        Ok(()) => Exit::Evaluated,
        Err(Stop::Failed) => Exit::Model,
    }
}

fn start(session: &mut Session, input: &mut Input, plan: &Plan) -> Answer {
    if !plan.plain {
        let home = std::env::var_os("HOME").map(|h| Path::new(&h).join(".nusmvrc"));
        for file in home.into_iter().chain([PathBuf::from(".nusmvrc")]) {
            if file.exists() {
                go_on(session.source_file(&file, scripts::How::default(), input))?;
            }
        }
    }
    if let Some(commands) = &plan.commands {
        return session.line(commands, input);
    }
    if let Some(script) = &plan.script {
        go_on(session.source_file(script, scripts::How::default(), input))?;
    }
    let mut ends = 0;
    loop {
        match input.read(session, registry::PROMPT) {
            Line::Text(line) => {
                ends = 0;
                if line.trim().is_empty() {
                    continue;
                }
                let Some(line) = session.recall(&line) else {
                    continue;
                };
                match session.line(&line, input) {
                    Err(Stop::Failed) if session.variables.is_on("on_failure_script_quits") => {
                        return Err(Stop::Quit(Exit::Script));
                    }
                    answer => go_on(answer)?,
                }
            }
            Line::Interrupted => {}
            Line::End if input.is_terminal() || ends == ENDS => return Ok(()),
            Line::End => {
                ends += 1;
                session.err("\nUse \"quit\" to leave NuSMV.\n");
            }
        }
    }
}

/// A failed command does not end the shell.
fn go_on(answer: Answer) -> Answer {
    match answer {
        Err(Stop::Failed) => Ok(()),
        other => other,
    }
}
