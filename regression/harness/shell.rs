//! The shell under strain: ^C during a check, a closed pipe, very many commands, errors in between.

use super::run::{Finished, product, run, scratch};
use libtest_mimic::{Failed, Trial};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(120);

const SMALL: &str = "MODULE main\nVAR b : boolean; x : 0..3;\nASSIGN next(x) := b ? x : (x + 1) mod 4;\n\
                     SPEC AG EF x = 0\nINVARSPEC x < 3\n";

/// A model whose check takes longer than anyone waits.
fn endless() -> String {
    let mut text = "MODULE main\nVAR a : unsigned word[40]; b : unsigned word[40];\n".to_owned();
    text += "ASSIGN init(a) := 0ud40_1; next(a) := a * b + 0ud40_3; init(b) := 0ud40_7; next(b) := b * a;\n";
    text + "INVARSPEC a != 0ud40_5\n"
}

fn folder(model: &str) -> std::path::PathBuf {
    let dir = scratch("shell");
    std::fs::write(dir.join("model.smv"), model).expect("the model is written");
    dir
}

/// Peak of resident memory in KB, as the command `usage` tells it.
fn peaks(out: &str) -> Vec<u64> {
    let lines = out
        .lines()
        .filter_map(|l| l.split_once("Maximum resident size"));
    lines
        .filter_map(|(_, rest)| {
            rest.trim_matches(|c: char| !c.is_ascii_digit())
                .parse()
                .ok()
        })
        .collect()
}

/// The shell on `model.smv` of a folder, with a script for its input.
fn session(dir: &Path, script: &str) -> Finished {
    run(
        &product(),
        &["-int", "model.smv"],
        dir,
        script.as_bytes(),
        LIMIT,
    )
}

/// Ten thousand commands take no more memory than a thousand.
fn many_commands() -> Result<(), Failed> {
    let round = "check_ctlspec -n 0\ncheck_fsm\nprint_reachable_states -v\nshow_property\nshow_vars\n\
                 echo again\nprint_formula \"b\"\ncompute_reachable\nnonsense\nset own 1\n";
    let script = format!(
        "go\n{}usage\n{}usage\nquit\n",
        round.repeat(100),
        round.repeat(1000)
    );
    let dir = folder(SMALL);
    let got = session(&dir, &script);
    std::fs::remove_dir_all(&dir)?;
    let peaks = peaks(&got.out());
    match peaks.as_slice() {
        [before, after] if got.code == Some(0) && *after < before + 4096 => Ok(()),
        other => Err(format!("exit {:?}, peaks {other:?} KB", got.code).into()),
    }
}

/// A model with errors, unknown commands and bad formulas leave the shell usable.
fn goes_on_after_errors() -> Result<(), Failed> {
    let script = "go\nread_model -i none.smv\nnonsense\nreset\nread_model -i good.smv\ngo\n\
                  check_ctlspec -p \"AG (\"\ncheck_ctlspec -p \"AG EF x = 0\"\nquit\n";
    let dir = folder("MODULE main\nVAR x : boolean;\nINIT x = 7\n");
    std::fs::write(dir.join("good.smv"), SMALL)?;
    let got = session(&dir, script);
    std::fs::remove_dir_all(&dir)?;
    if got.code == Some(0) && got.out().contains("AG (EF x = 0)  is true") {
        return Ok(());
    }
    Err(format!("{:?}\n{}\n{}", got.code, got.out(), got.err()).into())
}

fn start(dir: &Path) -> std::io::Result<std::process::Child> {
    Command::new(product())
        .args(["-int", "model.smv"])
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

fn ends(
    child: &mut std::process::Child,
    within: Duration,
) -> Result<std::process::ExitStatus, Failed> {
    let since = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if since.elapsed() > within {
            child.kill()?;
            return Err("the shell does not end".into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// ^C ends the check; the shell takes the next command.
fn interrupted() -> Result<(), Failed> {
    let dir = folder(&endless());
    let mut child = start(&dir)?;
    let mut input = child.stdin.take().expect("stdin is piped");
    input.write_all(b"read_model\nflatten_hierarchy\nencode_variables\necho begin\nbuild_model\ncheck_invar\necho after\nquit\n")?;
    input.flush()?;
    let mut out = BufReader::new(child.stdout.take().expect("stdout is piped"));
    let mut line = String::new();
    while !line.contains("begin") {
        line.clear();
        if out.read_line(&mut line)? == 0 {
            return Err("the shell ended early".into());
        }
    }
    // Building takes ^C as well as checking; each takes one.
    for _ in 0..6 {
        std::thread::sleep(Duration::from_millis(700));
        let pid = child.id().to_string();
        let _ = Command::new("kill").args(["-INT", &pid]).status()?;
        if child.try_wait()?.is_some() {
            break;
        }
    }
    let status = ends(&mut child, Duration::from_secs(30))?;
    let mut rest = String::new();
    out.read_to_string(&mut rest)?;
    std::fs::remove_dir_all(&dir)?;
    if status.success() && rest.contains("after") {
        Ok(())
    } else {
        Err(format!("{status}\n{rest}").into())
    }
}

/// Nobody reads on: the shell ends without a word.
fn closed_pipe() -> Result<(), Failed> {
    let dir = folder(SMALL);
    let mut child = start(&dir)?;
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("stdin is piped");
    let _ = input.write_all("go\ncheck_ctlspec\n".repeat(1000).as_bytes());
    drop(input);
    ends(&mut child, Duration::from_secs(30))?;
    let mut err = String::new();
    let mut stderr = child.stderr.take().expect("stderr is piped");
    stderr.read_to_string(&mut err)?;
    std::fs::remove_dir_all(&dir)?;
    if err.contains("panicked") || err.contains("internal error") {
        return Err(err.into());
    }
    Ok(())
}

pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("shell::many_commands", many_commands),
        Trial::test("shell::goes_on_after_errors", goes_on_after_errors),
        Trial::test("shell::interrupted", interrupted),
        Trial::test("shell::closed_pipe", closed_pipe),
    ]
}
