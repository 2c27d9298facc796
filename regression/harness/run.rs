//! Running a program on a model: time limit, captured streams, exit code or signal.

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What a run left behind.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Exit code; `None` after a signal or the time limit.
    pub code: Option<i32>,
    pub signal: Option<i32>,
    pub timed_out: bool,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

impl Finished {
    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    /// A crash in the wide sense: a signal, no end in time, or a Rust panic message.
    pub fn crash(&self) -> Option<String> {
        if self.timed_out {
            return Some("does not end in time".into());
        }
        if let Some(s) = self.signal {
            return Some(format!("killed by signal {s}"));
        }
        let err = self.err();
        if err.contains("panicked at") || err.contains("overflowed its stack") {
            return Some(err.lines().take(4).collect::<Vec<_>>().join("\n"));
        }
        None
    }
}

/// The program under test: `NUSMV_RS_BIN`, else the binary of this build.
pub fn product() -> PathBuf {
    match std::env::var_os("NUSMV_RS_BIN") {
        Some(path) => PathBuf::from(path),
        None => PathBuf::from(env!("CARGO_BIN_EXE_nusmv-rs")),
    }
}

/// A line in parts; quotes keep separators together.
pub fn fields(line: &str, separator: char) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            c if c == separator && !quoted => all.push(String::new()),
            c => all.last_mut().expect("never empty").push(c),
        }
    }
    all
}

/// Root folder of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A fresh empty folder for one test.
pub fn scratch(name: &str) -> PathBuf {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let n = NEXT.fetch_add(1, Ordering::Relaxed);
    let pid = std::process::id();
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{pid}-{n}"));
    std::fs::create_dir_all(&dir).expect("scratch folder");
    dir
}

/// Runs `program args` in `dir` with `stdin` (empty: at end of file).
pub fn run(program: &Path, args: &[&str], dir: &Path, stdin: &[u8], limit: Duration) -> Finished {
    let mut child = Command::new(program)
        .args(args)
        .current_dir(dir)
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("cannot start {}: {e}", program.display()));
    let mut input = child.stdin.take().expect("stdin is piped");
    let stdin = stdin.to_vec();
    // A program that stops reading early closes the pipe: not an error here.
    let feeder = std::thread::spawn(move || drop(input.write_all(&stdin)));
    let stdout = collect(child.stdout.take().expect("stdout is piped"));
    let stderr = collect(child.stderr.take().expect("stderr is piped"));
    let start = Instant::now();
    let mut pause = Duration::from_micros(300);
    let mut timed_out = false;
    let status = loop {
        if let Some(status) = child.try_wait().expect("wait") {
            break status;
        }
        if start.elapsed() > limit {
            timed_out = true;
            child.kill().expect("kill");
            break child.wait().expect("wait");
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    };
    feeder.join().expect("feeder");
    Finished {
        code: if timed_out { None } else { status.code() },
        signal: if timed_out { None } else { status.signal() },
        timed_out,
        stdout: stdout.join().expect("reader"),
        stderr: stderr.join().expect("reader"),
    }
}

fn collect(mut from: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What came before a broken pipe is still what the program said.
        let _ = from.read_to_end(&mut bytes);
        bytes
    })
}
