//! What README.md and docs/queries.md show is what the program prints, and what documents name is there.
//!
//! A session is a block that begins with a line `$ nusmv-rs ARGUMENTS`; the lines after it are the whole
//! standard output. `...` at the end of a line stands for the rest of it.

use super::run::{fields, product, root, run, scratch};
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::Path;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

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
        let args = fields(command, ' ');
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

/// Modules (`a::b::c`) and files (`src/...`, `scripts/...`) that the documents name are there.
fn names() -> Result<(), Failed> {
    let mut documents = vec![
        root().join("ARCHITECTURE.md"),
        root().join("COMPATIBILITY.md"),
        root().join("README.md"),
    ];
    for entry in fs::read_dir(root().join("docs"))? {
        documents.push(entry?.path());
    }
    let mut checked = 0;
    for document in documents {
        let text = fs::read_to_string(&document)?;
        // Every other piece between backticks is code.
        for name in text.split('`').skip(1).step_by(2) {
            let path = if name.starts_with("src/") || name.starts_with("scripts/") {
                name.split_whitespace().next().unwrap_or(name).to_owned()
            } else if is_module(name) {
                format!("src/{}", name.replace("::", "/"))
            } else {
                continue;
            };
            checked += 1;
            let is_there = |suffix| root().join(format!("{path}{suffix}")).exists();
            if !is_there("") && !is_there(".rs") {
                return Err(format!("{}: no {name}", document.display()).into());
            }
        }
    }
    match checked {
        0 => Err("no names".into()),
        _ => Ok(()),
    }
}

/// `a::b`, of words in small letters, as modules are called.
fn is_module(name: &str) -> bool {
    let is_word =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    name.contains("::") && name.split("::").all(is_word)
}

pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("documentation::readme", || {
            sessions("README.md", shown_model)
        }),
        Trial::test("documentation::names", names),
        Trial::test("documentation::queries", || {
            sessions("docs/queries.md", model_of_queries)
        }),
    ]
}
