//! `-j`: what is printed depends neither on how many processes check the properties nor on which of them
//! checks what.
//!
//! * `parallel::cases`: every batch case of `regression/cases`, with `-j 1` and `-j 3`: equal streams and
//!   exit codes, as text and as JSON (times aside).
//! * `parallel::written`: models of many properties of all kinds, under options that matter.

use super::goldens::{arguments, copy_inputs, folders, read};
use super::output::difference;
use super::run::{Finished, product, root, run, scratch};
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::Path;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

/// Options after which `-j` has no meaning, or that change what the program is.
const NOT_BATCH: [&str; 6] = ["-int", "-source", "-load", "--cmd", "-h", "-help"];

/// The text without the times of a JSON document and of vacuity.
fn without_times(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("_ms\":") {
        let (before, after) = rest.split_at(at + 5);
        out += before;
        let number = |c: char| c.is_ascii_digit() || ".e-+".contains(c);
        rest = after.trim_start_matches(number);
    }
    out += rest;
    super::goldens::without_times(&out)
}

fn compare(dir: &Path, args: &[&str], what: &str) -> Result<(), Failed> {
    let with = |jobs: &'static str| -> Finished {
        let all: Vec<&str> = ["-j", jobs].iter().chain(args).copied().collect();
        run(&product(), &all, dir, b"", LIMIT)
    };
    let (one, three) = (with("1"), with("3"));
    if let Some(crash) = three.crash() {
        return Err(format!("{what}: {crash}").into());
    }
    if (one.code, one.signal) != (three.code, three.signal) {
        return Err(format!("{what}: exit {:?}, then {:?}", one.code, three.code).into());
    }
    for (a, b) in [(one.out(), three.out()), (one.err(), three.err())] {
        let (a, b) = (without_times(&a), without_times(&b));
        if a != b {
            return Err(format!("{what} with -j 3:\n{}", difference(&a, &b)).into());
        }
    }
    Ok(())
}

fn cases() -> Result<(), Failed> {
    for dir in folders(&root().join("regression/cases")) {
        let cmd = read(&dir.join("cmd"));
        let args = arguments(&cmd);
        if args.iter().any(|a| NOT_BATCH.contains(a)) {
            continue;
        }
        let work = scratch("parallel");
        copy_inputs(&dir, &work);
        let name = dir.display().to_string();
        compare(&work, &args, &name)?;
        let json: Vec<&str> = ["--format", "json"].iter().chain(&args).copied().collect();
        compare(&work, &json, &name)?;
        fs::remove_dir_all(&work)?;
    }
    Ok(())
}

/// A model of `n` properties of each kind about a counter, a follower and a free variable, many of them
/// false; with `wide` it is large enough for cones of influence.
fn many(n: u32, wide: bool) -> String {
    let mut text = String::from(
        "MODULE main
VAR c : 0..15; d : 0..15; free : boolean; mode : {idle, busy, done};
IVAR in : boolean;
ASSIGN
  init(c) := 0; next(c) := case in : (c + 1) mod 16; TRUE : c; esac;
  init(d) := 0; next(d) := case free : c; TRUE : d; esac;
  init(mode) := idle;
  next(mode) := case mode = idle & c > 3 : {idle, busy}; mode = busy : {busy, done}; TRUE : idle; esac;
JUSTICE in
",
    );
    if wide {
        for i in 0..40 {
            text += &format!("VAR w{i} : boolean; ASSIGN next(w{i}) := ");
            text += &match i {
                0 => "{TRUE, FALSE};\n".to_owned(),
                _ => format!("w{};\n", i - 1),
            };
        }
    }
    for i in 0..n {
        let (k, last) = (i % 16, if wide { "w5" } else { "free" });
        text += &format!(
            "SPEC AG (c = {k} -> EF d = {k})
SPEC AG !(c = {k} & d = {})
SPEC AF mode = done | AG (c < {k})
COMPUTE MIN [c = 0, d = {k}]
COMPUTE MAX [c = {k}, c = 0]
LTLSPEC G (c = {k} -> F d = {k})
LTLSPEC G F c = {k}
INVARSPEC !(c = {k} & d > {k} & {last})
INVARSPEC c + d <= {}
",
            (k + 3) % 16,
            k + 14
        );
    }
    text
}

fn written() -> Result<(), Failed> {
    let work = scratch("parallel");
    for wide in [false, true] {
        fs::write(work.join("model.smv"), many(6, wide))?;
        for args in [
            &["model.smv"][..],
            &["-coi", "model.smv"],
            &["-df", "-dynamic", "model.smv"],
            &["-vacuity", "-vacuity_witness", "model.smv"],
            &["-ctt", "-r", "model.smv"],
            &["-AG", "model.smv"],
            &["--format", "json", "--cone-from", "0", "model.smv"],
        ] {
            compare(&work, args, &format!("{args:?}"))?;
        }
    }
    fs::remove_dir_all(&work)?;
    Ok(())
}

pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("parallel::cases", cases),
        Trial::test("parallel::written", written),
    ]
}
