//! What README.md and docs/queries.md show is what the program prints.
//!
//! A session is a block that begins with a line `$ nusmv-rs ARGUMENTS`; the lines after it are the whole
//! standard output. `...` at the end of a line stands for the rest of it.

use super::run::{product, root, run, scratch};
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::Path;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

/// A command line in words; quotes keep blanks.
fn words(line: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ' ' if !quoted => all.push(String::new()),
            c => all.last_mut().expect("never empty").push(c),
        }
    }
    all
}

/// Runs the sessions of a document. `model` gives the text of the model that a session names last.
fn sessions(
    document: &str,
    model: impl Fn(&str, &str) -> Result<String, Failed>,
) -> Result<(), Failed> {
    let text = fs::read_to_string(root().join(document))?;
    let dir = scratch("documentation");
    let mut sessions = 0;
    for block in text.split("```text\n$ nusmv-rs ").skip(1) {
        let session = block.split("```").next().unwrap_or("");
        let (command, output) = session.split_once('\n').unwrap_or((session, ""));
        let args = words(command);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let name = args.last().copied().unwrap_or("");
        fs::write(dir.join(name), model(&text, name)?)?;
        let got = run(&product(), &args, &dir, b"", LIMIT);
        if !agree(&got.out(), output) || got.code != Some(0) {
            return Err(format!("{document}: {command}\n{}{}", got.out(), got.err()).into());
        }
        sessions += 1;
    }
    fs::remove_dir_all(&dir)?;
    match sessions {
        0 => Err("no sessions".into()),
        _ => Ok(()),
    }
}

fn agree(got: &str, shown: &str) -> bool {
    let same = |(got, shown): (&str, &str)| match shown.strip_suffix("...") {
        Some(start) => got.starts_with(start),
        None => got == shown,
    };
    got.lines().count() == shown.lines().count() && got.lines().zip(shown.lines()).all(same)
}

/// The only model that the document shows.
fn shown_model(text: &str, _: &str) -> Result<String, Failed> {
    let start = text.split("```smv\n").nth(1).ok_or("no model")?;
    Ok(start.split("```").next().unwrap_or("").to_owned())
}

/// A model of `regression/queries` without its own queries.
fn model_of_queries(_: &str, name: &str) -> Result<String, Failed> {
    let folder = Path::new("regression/queries");
    let source = fs::read_to_string(root().join(folder).join(name))?;
    let mut plain = String::new();
    let mut query = false;
    for line in source.lines() {
        query |= line.starts_with("QUERYSPEC");
        if !query {
            plain += line;
            plain.push('\n');
        }
        query &= !line.contains(';');
    }
    Ok(plain)
}

pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("documentation::readme", || {
            sessions("README.md", shown_model)
        }),
        Trial::test("documentation::queries", || {
            sessions("docs/queries.md", model_of_queries)
        }),
    ]
}
