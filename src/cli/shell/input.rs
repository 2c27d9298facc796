//! Where lines come from: a terminal, with editing, history and completion, or a pipe.

use super::completion::Words;
use super::session::Session;
use rustyline::Editor;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use std::io::{self, BufRead, IsTerminal};
use std::path::PathBuf;

/// What reading a line gave.
pub enum Line {
    /// With its line break, unless the input ends without.
    Text(String),
    End,
    /// ^C at the prompt.
    Interrupted,
}

/// The shell's input.
pub enum Input {
    Pipe,
    Terminal(Box<Terminal>),
}

/// A terminal with what is needed to edit lines.
pub struct Terminal {
    editor: Editor<Words, FileHistory>,
    file: Option<PathBuf>,
}

/// How many lines are kept between sessions.
const KEPT: usize = 1000;

impl Input {
    pub fn new() -> Input {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Input::Pipe;
        }
        let config = rustyline::Config::builder()
            .completion_type(rustyline::CompletionType::List)
            .auto_add_history(true)
            .max_history_size(KEPT)
            .map(rustyline::config::Builder::build);
        let Ok(config) = config else {
            return Input::Pipe;
        };
        let Ok(mut editor) = Editor::with_config(config) else {
            return Input::Pipe;
        };
        editor.set_helper(Some(Words::default()));
        let file = history_file();
        if let Some(file) = &file {
            let _ = editor.load_history(file);
        }
        Input::Terminal(Box::new(Terminal { editor, file }))
    }

    pub fn is_terminal(&self) -> bool {
        matches!(self, Input::Terminal(_))
    }

    /// Reads a line after a prompt.
    pub fn read(&mut self, session: &Session, prompt: &str) -> Line {
        match self {
            Input::Pipe => {
                session.out(prompt);
                read_line()
            }
            Input::Terminal(terminal) => {
                if let Some(words) = terminal.editor.helper_mut() {
                    words.learn(session);
                }
                match terminal.editor.readline(prompt) {
                    Ok(line) => Line::Text(line + "\n"),
                    Err(ReadlineError::Interrupted) => Line::Interrupted,
                    Err(_) => Line::End,
                }
            }
        }
    }

    /// Writes the history of a terminal to its file.
    pub fn save(&mut self) {
        if let Input::Terminal(terminal) = self
            && let Some(file) = &terminal.file
        {
            let _ = terminal.editor.save_history(file);
        }
    }
}

/// A line of standard input; bytes that are no UTF-8 become U+FFFD.
fn read_line() -> Line {
    let mut bytes = Vec::new();
    match io::stdin().lock().read_until(b'\n', &mut bytes) {
        Ok(0) | Err(_) => Line::End,
        Ok(_) => Line::Text(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// `$NUSMV_RS_HISTORY`, or a file of ours in the home directory; an empty name means none.
fn history_file() -> Option<PathBuf> {
    if let Some(file) = std::env::var_os("NUSMV_RS_HISTORY") {
        return (!file.is_empty()).then(|| file.into());
    }
    let home = std::env::var_os("HOME").filter(|h| !h.is_empty())?;
    Some(PathBuf::from(home).join(".nusmv_rs_history"))
}
