//! Lines and scripts: one command after the other until one fails.

use super::input::Input;
use super::session::Session;
use super::words::{self, split};
use super::{Answer, Stop, registry};
use crate::cli::exit::Exit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;

/// How a script is run.
#[derive(Clone, Copy, Debug, Default)]
pub struct How {
    /// A prompt before each line.
    pub prompt: bool,
    /// No complaint about a file that is not there.
    pub silent: bool,
    /// Lines are shown as they are run.
    pub echo: bool,
}

/// How often an alias may stand for another.
const ALIASES: usize = 20;

/// How deep scripts may call scripts.
const DEPTH: usize = 200;

impl Session {
    /// Runs the commands of a line.
    pub fn line(&mut self, line: &str, input: &mut Input) -> Answer {
        if let Some(program) = line.trim_start().strip_prefix('!') {
            return self.program(program);
        }
        let mut rest = line;
        loop {
            let s = split(rest);
            if s.unbalanced {
                self.err("ignoring unbalanced quote ...\n");
            }
            self.words(s.words, 0, input)?;
            rest = s.rest;
            if rest.is_empty() {
                return Ok(());
            }
        }
    }

    /// Hands a line to the system's shell.
    fn program(&self, line: &str) -> Answer {
        let status = Command::new("sh").arg("-c").arg(line.trim_end()).status();
        match status {
            Ok(status) if status.success() => Ok(()),
            _ => Err(Stop::Failed),
        }
    }

    /// Runs one command, through aliases: the last command of what a name stands for gets the other words.
    fn words(&mut self, mut words: Vec<String>, mut replaced: usize, input: &mut Input) -> Answer {
        while let Some(text) = words.first().and_then(|name| self.aliases.get(name)) {
            replaced += 1;
            if replaced > ALIASES {
                return self.fail("error -- alias loop");
            }
            let text = text.clone();
            let mut s = split(&text);
            while !s.rest.is_empty() {
                self.words(s.words, replaced, input)?;
                s = split(s.rest);
            }
            // `alias echo echo x`: the same name again is the command.
            let again = s.words.first() == words.first();
            words.splice(..1, s.words);
            if again {
                break;
            }
        }
        let Some(name) = words.first() else {
            return Ok(());
        };
        let Some(command) = registry::find(name) else {
            return self.fail(format!("unknown command '{name}'"));
        };
        let arguments: Vec<String> = words[1..]
            .iter()
            .map(|w| words::expand(w, |name| self.variables.get(name)))
            .collect();
        self.context.begin();
        // A bug in one command leaves the shell at its prompt.
        let run = AssertUnwindSafe(|| command.call(self, &arguments, input));
        let answer = catch_unwind(run).unwrap_or(Err(Stop::Failed));
        self.context.end();
        answer
    }

    /// Runs a script. The first command that fails ends it.
    pub fn source_file(&mut self, file: &Path, how: How, input: &mut Input) -> Answer {
        let Ok(bytes) = std::fs::read(file) else {
            if how.silent {
                return Ok(());
            }
            return self.fail(format!("{}: No such file or directory", file.display()));
        };
        if self.depth >= DEPTH {
            return self.fail(format!(
                "{}: too many scripts within scripts",
                file.display()
            ));
        }
        self.depth += 1;
        let answer = self.script(&String::from_utf8_lossy(&bytes), how, input);
        self.depth -= 1;
        match answer {
            Err(Stop::Failed) => {
                self.err(&format!("aborting 'source {}'\n", file.display()));
                if self.variables.is_on("on_failure_script_quits") {
                    return Err(Stop::Quit(Exit::Script));
                }
                Err(Stop::Failed)
            }
            other => other,
        }
    }

    fn script(&mut self, text: &str, how: How, input: &mut Input) -> Answer {
        for line in text.lines() {
            if how.prompt {
                self.out(registry::PROMPT);
            }
            if how.echo {
                self.out(&format!("{line}\n"));
            }
            self.line(line, input)?;
        }
        if how.prompt {
            self.out(registry::PROMPT);
        }
        Ok(())
    }
}
