//! Goldens: `regression/cases/NAME/{model.smv, cmd, expected.out, expected.err, expected.rc}`.
//!
//! `cmd` holds the arguments; lines that begin with `#` are remarks, two of them with a meaning:
//! `# bless: own` (the real NuSMV has no such output, or is wrong here: the next lines say why) and
//! `# traces: any` (the steps of counterexamples are free). `# FIXME why` marks a case that is known
//! to be wrong still: it fails once it is right, so that the mark goes. `stdin` is fed if present. The expected
//! files come from the real NuSMV, banner left out; `scripts/bless` writes them.

use super::output::{difference, strip_banner, without_traces};
use super::peer::peer;
use super::run::{Finished, product, root, run, scratch};
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

/// What a run is expected to print.
struct Expected {
    out: String,
    err: String,
    rc: String,
}

/// The one comparison; `traces_free` leaves the steps of traces out on both sides.
fn check(expected: &Expected, got: &Finished, traces_free: bool) -> Result<(), Failed> {
    let got_out = got.out();
    let mut out = (
        without_times(&expected.out),
        without_times(strip_banner(&got_out)),
    );
    if traces_free {
        out = (without_traces(&out.0), without_traces(&out.1));
    }
    // A usage error prints the banner on stderr.
    let got_err = got.err();
    let err = (expected.err.as_str(), strip_banner(&got_err));
    let rc = outcome(got);
    let mut message = String::new();
    if out.0 != out.1 {
        message += &format!("stdout differs\n{}", difference(&out.0, &out.1));
    }
    if err.0 != err.1 {
        message += &format!("stderr differs\n{}", difference(err.0, err.1));
    }
    if expected.rc.trim() != rc {
        message += &format!("exit code: expected {}, got {rc}\n", expected.rc.trim());
    }
    if message.is_empty() {
        Ok(())
    } else {
        Err(message.into())
    }
}

/// The text without what the summary of `-vacuity` says of times.
pub fn without_times(text: &str) -> String {
    let cut = |line: &str| match line.split_once(", one pass") {
        Some((before, _)) if line.starts_with("--   ") => before.to_owned() + "\n",
        _ => line.to_owned(),
    };
    text.split_inclusive('\n').map(cut).collect()
}

fn outcome(run: &Finished) -> String {
    match (run.code, run.signal) {
        (Some(code), _) => code.to_string(),
        (None, Some(signal)) => format!("-{signal}"),
        (None, None) => "time limit".into(),
    }
}

pub fn read(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned()
}

pub fn folders(of: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(of) else {
        return Vec::new();
    };
    let mut found: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    found.sort();
    found
}

/// Copies the input files of a case, so that what it writes leaves the repository alone.
pub fn copy_inputs(from: &Path, to: &Path) {
    for file in folders(from) {
        let name = file
            .file_name()
            .expect("a file")
            .to_string_lossy()
            .into_owned();
        if file.is_file() && !name.starts_with("expected.") {
            fs::copy(&file, to.join(name)).expect("copy of a case's input");
        }
    }
}

/// What a `cmd` file says beside remarks.
pub fn arguments(cmd: &str) -> Vec<&str> {
    cmd.lines()
        .filter(|l| !l.starts_with('#'))
        .flat_map(str::split_whitespace)
        .collect()
}

fn own_case(dir: &Path, bless: bool) -> Result<(), Failed> {
    let cmd = read(&dir.join("cmd"));
    let args = arguments(&cmd);
    let own = cmd.lines().any(|l| l == "# bless: own");
    let traces_free = cmd.lines().any(|l| l == "# traces: any");
    let stdin = fs::read(dir.join("stdin")).unwrap_or_default();
    let work = scratch("case");
    copy_inputs(dir, &work);
    if bless {
        let program = match (own, peer()) {
            (true, _) => product(),
            (false, Ok(path)) => path.clone(),
            (false, Err(why)) => return Err(why.into()),
        };
        let got = run(&program, &args, &work, &stdin, LIMIT);
        fs::write(dir.join("expected.out"), strip_banner(&got.out()))?;
        fs::write(dir.join("expected.err"), strip_banner(&got.err()))?;
        fs::write(dir.join("expected.rc"), format!("{}\n", outcome(&got)))?;
        return Ok(());
    }
    let expected = Expected {
        out: read(&dir.join("expected.out")),
        err: read(&dir.join("expected.err")),
        rc: read(&dir.join("expected.rc")),
    };
    let got = run(&product(), &args, &work, &stdin, LIMIT);
    fs::remove_dir_all(&work)?;
    let result = check(&expected, &got, traces_free);
    if let Some(why) = cmd.lines().find_map(|l| l.strip_prefix("# FIXME ")) {
        return match result {
            Ok(()) => Err(format!("is right now; remove the FIXME ({why})").into()),
            Err(_) => Ok(()),
        };
    }
    result
}

/// Cases of ../shared/nusmv/formats that differ on purpose, or not yet, and why.
fn explained(case: &str) -> Option<&'static str> {
    const LIST: &str = include_str!("formats_exceptions.txt");
    LIST.lines()
        .filter(|l| !l.starts_with('#'))
        .filter_map(|l| l.split_once(char::is_whitespace))
        .find(|(name, _)| *name == case)
        .map(|(_, reason)| reason.trim())
}

fn shared_case(folder: &Path, case: &str) -> Result<(), Failed> {
    let part = |ext: &str| folder.join(format!("{case}.{ext}"));
    let model = format!("{case}.smv");
    let args_text = read(&part("args"));
    let args: Vec<&str> = args_text
        .split_whitespace()
        .map(|a| if a == "F" { model.as_str() } else { a })
        .collect();
    let work = scratch("formats");
    for file in folders(folder) {
        let name = file
            .file_name()
            .expect("a file")
            .to_string_lossy()
            .into_owned();
        if name == model || name.ends_with(".ord") {
            fs::copy(&file, work.join(name))?;
        }
    }
    let rc = if part("rc").exists() {
        read(&part("rc"))
    } else {
        "1".into()
    };
    let expected = Expected {
        out: strip_banner(&read(&part("out"))).to_owned(),
        err: strip_banner(&read(&part("err"))).to_owned(),
        rc,
    };
    let got = run(&product(), &args, &work, b"", LIMIT);
    fs::remove_dir_all(&work)?;
    // Another counterexample is as good; that it is one, `certify` and the program's replay say.
    let result = check(&expected, &got, false).or_else(|_| check(&expected, &got, true));
    match (explained(case), result) {
        (None, result) => result,
        (Some(_), Err(_)) => Ok(()),
        (Some(why), Ok(())) => {
            Err(format!("agrees now; remove it from formats_exceptions.txt ({why})").into())
        }
    }
}

/// One trial per case of the project, and per case of ../shared where that folder is present.
pub fn trials() -> Vec<Trial> {
    let bless = std::env::var_os("BLESS").is_some();
    let mut trials = Vec::new();
    for dir in folders(&root().join("regression/cases")) {
        let name = dir
            .file_name()
            .expect("a folder")
            .to_string_lossy()
            .into_owned();
        trials.push(Trial::test(format!("golden::{name}"), move || {
            own_case(&dir, bless)
        }));
    }
    let shared = root().join("../shared/nusmv/formats");
    for args in folders(&shared) {
        if args.extension().is_none_or(|e| e != "args") || bless {
            continue;
        }
        let case = args
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let folder = shared.clone();
        trials.push(Trial::test(format!("formats::{case}"), move || {
            shared_case(&folder, &case)
        }));
    }
    trials
}
