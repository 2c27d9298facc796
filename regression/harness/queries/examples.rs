//! The worked examples of `regression/queries`, and gene networks of ../shared, against what a real NuSMV found.

use super::{FILE, Solutions, answers, minterms};
use crate::run::{fields, root, scratch};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Of one model; a line of `expected.csv` has model, index, formula, all, some, solutions.
fn example(model: &str) -> Result<(), Failed> {
    let folder = root().join("regression/queries");
    let dir = scratch("queries");
    fs::copy(folder.join(model), dir.join(FILE))?;
    let expected = fs::read_to_string(folder.join("expected.csv"))?;
    let rows: Vec<Vec<String>> = expected.lines().skip(1).map(|l| fields(l, ',')).collect();
    let rows: Vec<_> = rows.iter().filter(|r| r[0] == model).collect();
    let found = answers(&["-query_minterms"], &dir)?;
    let cones = answers(&["-query_minterms", "-coi"], &dir)?;
    for (whole, part) in found.iter().zip(&cones) {
        // Initial states are those of the cone there.
        let same = |what: &str| {
            minterms(&whole[what])
                .keys()
                .eq(minterms(&part[what]).keys())
        };
        let counts = ["count", "count_some"].iter().all(|c| whole[c] == part[c]);
        if !(counts && same("cubes") && same("cubes_some")) {
            return Err(format!("{whole}\nwith -coi {part}").into());
        }
    }
    if rows.is_empty() || found.len() != rows.len() {
        return Err(format!("{} answers to {} queries", found.len(), rows.len()).into());
    }
    for (row, answer) in rows.iter().zip(&found) {
        let solutions = row[5].split(';').filter_map(|s| s.rsplit_once(':'));
        let known: Solutions = solutions
            .map(|(values, n)| {
                let mut parts: Vec<&str> = values.split(' ').collect();
                parts.sort_unstable();
                (parts.join(" "), n.to_owned())
            })
            .collect();
        let listed = minterms(&answer["cubes_some"]);
        let same_list = listed == known || row[5].is_empty();
        let right = answer["text"] == row[2].as_str()
            && answer["count"] == row[3].as_str()
            && answer["count_some"] == row[4].as_str()
            && same_list;
        if !right {
            return Err(format!("expected {row:?}\nfound {answer}").into());
        }
    }
    fs::remove_dir_all(&dir)?;
    Ok(())
}

/// The sizes of basins in a list of cubes, ascending.
fn basins(answer: &Value) -> Vec<u64> {
    let cubes = answer["cubes_some"].as_array().into_iter().flatten();
    let size = |c: &Value| c["initial_states"].as_str()?.parse().ok();
    let mut sizes: Vec<u64> = cubes.filter_map(size).collect();
    sizes.sort_unstable();
    sizes
}

/// The last numbers of the lines that begin with a state (15 digits), ascending.
fn known_basins(text: &str) -> Vec<u64> {
    let of = |line: &str| {
        let (state, size) = line.rsplit_once(' ')?;
        let state = state.replace("basin", "").replace(' ', "");
        let is_state = state.len() == 15 && state.bytes().all(|b| b.is_ascii_digit());
        size.parse().ok().filter(|_| is_state)
    };
    let mut sizes: Vec<u64> = text.lines().filter_map(of).collect();
    sizes.sort_unstable();
    sizes
}

/// Stable states of the flower network of ../shared and of its mutants, and the basins of these.
fn genes(folder: &Path) -> Result<(), Failed> {
    let dir = scratch("genes");
    let stable = |model: &str| -> Result<Value, Failed> {
        fs::write(dir.join(FILE), model)?;
        let found = answers(&["-query", "EF AG ?", "-query", "AG ?"], &dir)?;
        if found[0]["count_some"] != found[1]["count_some"] {
            return Err(format!("not the same stable states\n{found:?}").into());
        }
        Ok(found[0].clone())
    };
    let network = fs::read_to_string(folder.join("arabidopsis_bool.smv"))?;
    let mutants = fs::read_to_string(folder.join("bool_mutants.out"))?;
    let mut seen = 0;
    for line in mutants.lines() {
        let Some((lost, rest)) = line
            .strip_prefix("loss of ")
            .and_then(|l| l.split_once(" fixed "))
        else {
            continue;
        };
        let gene = lost.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let gene = if gene == "AG" { "gAG" } else { gene };
        let head = format!("next({gene}) :=");
        let model: Vec<String> = network
            .lines()
            .map(|l| match l.trim_start().starts_with(&head) {
                true => format!("{head} FALSE;"),
                false => l.to_owned(),
            })
            .collect();
        let number = rest.split(' ').next().unwrap_or("");
        let found = stable(&model.join("\n"))?;
        if found["count_some"] != number {
            return Err(format!("{line}\nfound {found}").into());
        }
        seen += 1;
    }
    let lifted = fs::read_to_string(folder.join("arabidopsis_ternary_synthetic.smv"))?;
    for (model, known) in [
        (&network, "check_bool.out"),
        (&lifted, "ternary_substitute.out"),
    ] {
        let known = known_basins(&fs::read_to_string(folder.join(known))?);
        let found = basins(&stable(model)?);
        if known.len() != 10 || found != known {
            return Err(format!("basins {known:?}, found {found:?}").into());
        }
    }
    fs::write(dir.join(FILE), &lifted)?;
    let reachable = answers(&["-query", "EF ?", "-query_limit", "1"], &dir)?;
    if reachable[0]["count_some"] != "559872" || seen != 16 {
        return Err(format!("{seen} networks, {}", reachable[0]).into());
    }
    fs::remove_dir_all(&dir)?;
    Ok(())
}

pub fn trials() -> Vec<Trial> {
    let folder = root().join("regression/queries");
    let mut names: Vec<String> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".smv"))
        .collect();
    names.sort();
    let examples = names.into_iter().map(|name| {
        let title = format!("queries::example::{}", name.trim_end_matches(".smv"));
        Trial::test(title, move || example(&name))
    });
    let folder = root().join("../shared/models/genes");
    let genes = folder
        .exists()
        .then(|| Trial::test("queries::genes", move || genes(&folder)));
    examples.chain(genes).collect()
}
