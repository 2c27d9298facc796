//! The shell at a terminal: a pseudo-terminal whose screen is kept by an emulator (`vt100`), keys as a person
//! presses them. A step waits for what the screen must show, so nothing depends on how fast it comes.

use super::run::{product, scratch};
use libtest_mimic::{Failed, Trial};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

const MODEL: &str = "MODULE main\nVAR request : boolean; state_of_door : {open, shut};\n\
                     DEFINE ready := request & state_of_door = shut;\n\
                     SPEC NAME liveness := AG (request -> EF ready)\nSPEC AG request\n";

/// A model whose check takes longer than anyone waits.
const ENDLESS: &str = "MODULE main\nVAR a : unsigned word[40]; b : unsigned word[40];\n\
                       ASSIGN init(a) := 0ud40_1; next(a) := a * b + 0ud40_3;\n\
                       init(b) := 0ud40_7; next(b) := b * a;\nINVARSPEC a != 0ud40_5\n";

/// How long a screen may take to show what it must.
const LIMIT: Duration = Duration::from_secs(60);
const PROMPT: &str = "NuSMV >";

const TAB: &str = "\t";
const UP: &str = "\x1b[A";
const DOWN: &str = "\x1b[B";
const HOME: &str = "\x1b[H";
const END: &str = "\x1b[F";
const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";
const CTRL_K: &str = "\x0b";
const CTRL_R: &str = "\x12";
const CTRL_U: &str = "\x15";
const CTRL_W: &str = "\x17";
const ENTER: &str = "\r";

/// What the reading thread shares.
struct Seen {
    screen: Mutex<vt100::Parser>,
    changed: Condvar,
}

/// A shell at a terminal.
struct Terminal {
    seen: Arc<Seen>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    _master: Box<dyn MasterPty + Send>,
}

impl Terminal {
    fn start(dir: &Path, model: &str) -> Result<Terminal, Failed> {
        let size = PtySize {
            rows: 50,
            cols: 100,
            ..PtySize::default()
        };
        let pair = native_pty_system().openpty(size)?;
        let mut command = CommandBuilder::new(product());
        command.args(["-quiet", "-int", model]);
        command.cwd(dir);
        command.env("TERM", "xterm");
        command.env("HOME", dir);
        command.env("NO_COLOR", "1");
        command.env("NUSMV_RS_HISTORY", dir.join("history"));
        let child = pair.slave.spawn_command(command)?;
        let mut output = pair.master.try_clone_reader()?;
        let keys = pair.master.take_writer()?;
        let seen = Arc::new(Seen {
            screen: Mutex::new(vt100::Parser::new(
                size.rows.try_into()?,
                size.cols.try_into()?,
                0,
            )),
            changed: Condvar::new(),
        });
        let reader = Arc::clone(&seen);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = output.read(&mut bytes) {
                let mut screen = reader.screen.lock().unwrap_or_else(PoisonError::into_inner);
                screen.process(&bytes[..n]);
                reader.changed.notify_all();
            }
        });
        let terminal = Terminal {
            seen,
            keys,
            child,
            _master: pair.master,
        };
        terminal.line("")?;
        Ok(terminal)
    }

    fn press(&mut self, keys: &str) -> Result<(), Failed> {
        self.keys.write_all(keys.as_bytes())?;
        Ok(self.keys.flush()?)
    }

    /// Waits until the screen is as wished, or so long; then what it shows.
    fn within(&self, limit: Duration, wished: impl Fn(&str) -> bool) -> Option<String> {
        let since = Instant::now();
        let mut screen = self
            .seen
            .screen
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        loop {
            let text = screen.screen().contents();
            if wished(&text) {
                return None;
            }
            let Some(left) = limit.checked_sub(since.elapsed()) else {
                return Some(text);
            };
            let next = self.seen.changed.wait_timeout(screen, left);
            screen = next.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits until the screen is as wished.
    fn wait(&self, what: &str, wished: impl Fn(&str) -> bool) -> Result<(), Failed> {
        match self.within(LIMIT, wished) {
            None => Ok(()),
            Some(text) => Err(format!("the screen does not show {what}:\n{text}").into()),
        }
    }

    /// Waits until the last line is the prompt with this behind it.
    fn line(&self, text: &str) -> Result<(), Failed> {
        let wanted = format!("{PROMPT} {text}").trim_end().to_owned();
        self.wait(&format!("the line {wanted:?}"), |screen| {
            screen.trim_end().lines().next_back().map(str::trim_end) == Some(&wanted)
        })
    }

    /// Presses keys and waits for the line being edited.
    fn edit(&mut self, keys: &str, line: &str) -> Result<(), Failed> {
        self.press(keys)?;
        self.line(line)
    }

    /// Runs the line being edited and waits for what it prints, and for the next prompt.
    fn enter(&mut self, keys: &str, shows: &str) -> Result<(), Failed> {
        let prompts = |screen: &str| screen.lines().filter(|l| l.starts_with(PROMPT)).count();
        let before = prompts(&self.text());
        self.press(&format!("{keys}{ENTER}"))?;
        let what = format!("{shows:?} and a new prompt");
        self.wait(&what, |screen| {
            screen.contains(shows) && prompts(screen) > before
        })?;
        self.line("")
    }

    fn text(&self) -> String {
        let screen = self
            .seen
            .screen
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        screen.screen().contents()
    }

    /// Waits for the end.
    fn ends(mut self) -> Result<u32, Failed> {
        let since = Instant::now();
        while since.elapsed() < LIMIT {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status.exit_code());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Err("the shell does not end".into())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

fn folder(model: &str) -> std::io::Result<PathBuf> {
    let dir = scratch("terminal");
    std::fs::write(dir.join("traffic.smv"), model)?;
    Ok(dir)
}

/// Tab completes commands, options' arguments, settings, symbols, names of properties and of files.
fn completion() -> Result<(), Failed> {
    let dir = folder(MODEL)?;
    let mut t = Terminal::start(&dir, "")?;
    t.edit(&format!("read_m{TAB}"), "read_model")?;
    t.edit(&format!("-i tra{TAB}"), "read_model -i traffic.smv")?;
    t.enter("", PROMPT)?;
    t.enter("go", PROMPT)?;
    t.edit(&format!("print_form{TAB}"), "print_formula")?;
    t.edit(&format!("\"sta{TAB}"), "print_formula \"state_of_door")?;
    t.enter("= shut\"", "formula models: 2")?;
    t.edit(
        &format!("check_prop{TAB}-P live{TAB}"),
        "check_property -P liveness",
    )?;
    t.enter("", "AG (request -> EF ready)  is true")?;
    t.edit(
        &format!("check_ctlspec -p \"EF re{TAB}"),
        "check_ctlspec -p \"EF re",
    )?;
    // More than one fits: both are listed.
    t.press(TAB)?;
    t.wait("both symbols", |screen| {
        screen
            .lines()
            .any(|l| l.contains("request") && l.contains("ready") && !l.contains("AG"))
    })?;
    t.edit(&format!("a{TAB}"), "check_ctlspec -p \"EF ready")?;
    t.enter("\"", "EF ready  is true")?;
    t.edit(&format!("set on_fail{TAB}"), "set on_failure_script_quits")?;
    t.edit(CTRL_U, "")?;
    t.press(CTRL_D)?;
    assert_code(t, &dir)
}

/// Arrows, ^R; a later shell remembers.
fn history() -> Result<(), Failed> {
    let dir = folder(MODEL)?;
    let mut t = Terminal::start(&dir, "traffic.smv")?;
    t.enter("go", PROMPT)?;
    t.enter("echo one", "one")?;
    t.enter("check_ctlspec -n 0", "is true")?;
    t.edit(UP, "check_ctlspec -n 0")?;
    t.edit(UP, "echo one")?;
    t.edit(DOWN, "check_ctlspec -n 0")?;
    t.edit(CTRL_U, "")?;
    t.press(&format!("{CTRL_R}one"))?;
    t.wait("what ^R finds", |screen| {
        screen
            .lines()
            .next_back()
            .is_some_and(|l| l.contains("echo one"))
    })?;
    t.edit(END, "echo one")?;
    t.enter(" more", "one more")?;
    t.press(CTRL_D)?;
    if t.ends()? != 0 {
        return Err("the first shell fails".into());
    }
    let mut t = Terminal::start(&dir, "traffic.smv")?;
    t.edit(UP, "echo one more")?;
    t.press(&format!("{CTRL_U}quit{ENTER}"))?;
    assert_code(t, &dir)
}

/// Moving and deleting within a line.
fn editing() -> Result<(), Failed> {
    let dir = folder(MODEL)?;
    let mut t = Terminal::start(&dir, "traffic.smv")?;
    t.edit("cho b c", "cho b c")?;
    t.edit(&format!("{HOME}e"), "echo b c")?;
    t.edit(&format!("{END}d"), "echo b cd")?;
    t.edit("\x1b[D\x7f", "echo b d")?;
    t.edit(&format!("{END} more words"), "echo b d more words")?;
    t.edit(CTRL_W, "echo b d more")?;
    t.edit(&format!("{HOME}\x1b[C\x1b[C\x1b[C\x1b[C{CTRL_K}"), "echo")?;
    t.enter(" edited", "edited")?;
    // Lines that come at once are all run.
    t.press(&format!("echo first{ENTER}echo second{ENTER}ec"))?;
    t.wait("both echoes", |screen| {
        ["first", "second"]
            .iter()
            .all(|w| screen.lines().any(|l| l.trim() == *w))
    })?;
    // Keys between two lines may meet a terminal that edits by itself.
    t.edit("", "ec")?;
    t.edit(CTRL_U, "")?;
    // ^C drops the line, ^D on it deletes instead of leaving.
    t.edit("half a line", "half a line")?;
    t.edit(CTRL_C, "")?;
    t.edit(&format!("xecho{HOME}{CTRL_D}"), "echo")?;
    t.enter(" still here", "still here")?;
    t.press(CTRL_D)?;
    assert_code(t, &dir)
}

/// ^C ends the command, not the shell.
fn interrupt() -> Result<(), Failed> {
    let dir = folder(ENDLESS)?;
    let mut t = Terminal::start(&dir, "traffic.smv")?;
    t.enter(
        "read_model; flatten_hierarchy; encode_variables; echo encoded",
        "encoded",
    )?;
    t.press(&format!("echo starts; build_model; check_invar{ENTER}"))?;
    t.wait("the start of the command", |screen| {
        screen.lines().any(|l| l.trim() == "starts")
    })?;
    // A ^C between two commands of a line is nobody's: it is pressed until it is heard.
    let heard = |screen: &str| screen.contains("interrupted");
    for _ in 0..100 {
        t.press(CTRL_C)?;
        if t.within(Duration::from_millis(500), heard).is_none() {
            break;
        }
    }
    t.wait("interrupted", heard)?;
    t.line("")?;
    t.enter("echo goes on", "goes on")?;
    t.enter("reset; get_internal_status", "The internal status is: -1")?;
    t.press(CTRL_D)?;
    assert_code(t, &dir)
}

/// What is wrong comes with the place and a way out.
fn advice() -> Result<(), Failed> {
    let dir = folder("MODULE main\nVAR request : boolean;\nASSIGN next(request) := !reqest;\n")?;
    let mut t = Terminal::start(&dir, "traffic.smv")?;
    t.enter(
        "read_model; flatten_hierarchy",
        "help: did you mean `request`?",
    )?;
    t.enter("", "traffic.smv:3:26")?;
    t.press(CTRL_D)?;
    assert_code(t, &dir)
}

fn assert_code(t: Terminal, dir: &Path) -> Result<(), Failed> {
    match t.ends()? {
        0 => Ok(std::fs::remove_dir_all(dir)?),
        code => Err(format!("exit code {code}").into()),
    }
}

pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("terminal::completion", completion),
        Trial::test("terminal::history", history),
        Trial::test("terminal::editing", editing),
        Trial::test("terminal::interrupt", interrupt),
        Trial::test("terminal::advice", advice),
    ]
}
