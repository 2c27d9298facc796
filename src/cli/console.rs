//! The two output streams.
//!
//! Results go to stdout, flushed after each; messages go to stderr. With `--format json` stdout
//! carries the document only, written by [`Console::finish`]. The console is shared with the
//! watchdog, which ends the run when the engines do not.

use super::exit::Exit;
use super::options::{ColorChoice, Format};
use crate::report::{Document, Warning};
use serde::{Deserialize, Serialize};
use std::io::{self, IsTerminal, Write};

/// Both streams and the document, if there is one.
pub struct Console {
    stdout: io::BufWriter<io::Stdout>,
    document: Option<Document>,
    /// `--format csv`
    table: bool,
    color: bool,
    terminal: bool,
    finished: bool,
    /// Where results go instead of stdout, for one command of the shell.
    elsewhere: Option<Box<dyn Write + Send>>,
    /// What was said since [`Console::keep_notes`].
    notes: Option<Vec<Note>>,
}

/// Something said while a property is evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Note {
    Message(Vec<u8>),
    Warning(Warning),
}

impl Console {
    pub fn new(format: Format, color: ColorChoice) -> Self {
        let terminal = io::stderr().is_terminal();
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
        Console {
            stdout: io::BufWriter::new(io::stdout()),
            document: (format == Format::Json).then(Document::default),
            table: format == Format::Csv,
            color: match color {
                ColorChoice::Auto => terminal && !no_color,
                ColorChoice::Always => true,
                ColorChoice::Never => false,
            },
            terminal,
            finished: false,
            elsewhere: None,
            notes: None,
        }
    }

    /// Whether stderr is read by a person: then source lines and hints are shown.
    pub fn explains(&self) -> bool {
        self.terminal
    }

    pub fn color(&self) -> bool {
        self.color
    }

    /// Writes results in text form; nothing under another `--format`.
    pub fn out(&mut self, text: &str) {
        if let Some(other) = &mut self.elsewhere {
            // A full disk or a closed pager is the command's loss, not the shell's.
            let _ = other.write_all(text.as_bytes());
            return;
        }
        if self.document.is_none() && !self.table {
            self.write(text);
        }
    }

    /// Writes rows of a table, under `--format csv`.
    pub fn csv(&mut self, rows: &str) {
        if self.table {
            self.write(rows);
        }
    }

    /// Writes to standard output even while results go elsewhere.
    pub fn out_past(&mut self, text: &str) {
        if self.document.is_none() && !self.table {
            self.write(text);
        }
    }

    fn write(&mut self, text: &str) {
        let result = self
            .stdout
            .write_all(text.as_bytes())
            .and_then(|()| self.stdout.flush());
        check(result);
    }

    /// Writes a message.
    pub fn err(&mut self, text: impl AsRef<[u8]>) {
        if let Some(notes) = &mut self.notes {
            notes.push(Note::Message(text.as_ref().to_owned()));
            return;
        }
        // A closed stderr is nobody's concern: the exit code still tells.
        let _ = io::stderr().write_all(text.as_ref());
    }

    /// Gives a warning: NuSMV's block as a message, an entry in the document.
    pub fn warn(&mut self, w: Warning) {
        if let Some(notes) = &mut self.notes {
            notes.push(Note::Warning(w));
            return;
        }
        if let Some(block) = w.nusmv() {
            self.err(block);
        }
        if let Some(d) = &mut self.document {
            d.warning(w);
        }
    }

    /// From now on messages and warnings are kept.
    pub fn keep_notes(&mut self) {
        self.notes.get_or_insert_default();
    }

    /// What was kept; from now on nothing is.
    pub fn take_notes(&mut self) -> Vec<Note> {
        self.notes.take().unwrap_or_default()
    }

    /// Writes what was kept.
    pub fn write_notes(&mut self, notes: Vec<Note>) {
        for note in notes {
            match note {
                Note::Message(text) => self.err(text),
                Note::Warning(w) => self.warn(w),
            }
        }
    }

    /// Sends results elsewhere.
    pub fn redirect(&mut self, to: Box<dyn Write + Send>) {
        self.elsewhere = Some(to);
    }

    /// Sends results to stdout again.
    pub fn restore(&mut self) {
        if let Some(mut other) = self.elsewhere.take() {
            let _ = other.flush();
        }
    }

    /// The document under `--format json`.
    pub fn document(&mut self) -> Option<&mut Document> {
        self.document.as_mut()
    }

    /// Records why the run fails (for the document; the message itself goes to stderr).
    pub fn fail(&mut self, exit: Exit, message: &str, place: Option<(u32, u32)>) {
        if let Some(d) = &mut self.document {
            d.error(exit.word(), message, place);
        }
    }

    /// Writes the document. Further calls do nothing.
    pub fn finish(&mut self) {
        if std::mem::replace(&mut self.finished, true) {
            return;
        }
        if let Some(d) = &self.document {
            let text = d.text();
            check(self.stdout.write_all(text.as_bytes()));
        }
        check(self.stdout.flush());
    }
}

/// A reader that went away ends the program as it ends NuSMV, by SIGPIPE; a full disk is an error.
fn check(result: io::Result<()>) {
    match result {
        Ok(()) => {}
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => {
            let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGPIPE);
            std::process::exit(141);
        }
        Err(e) => {
            let _ = writeln!(io::stderr(), "Error: cannot write to standard output: {e}");
            std::process::exit(Exit::Model.code());
        }
    }
}
