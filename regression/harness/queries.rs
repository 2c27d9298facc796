//! Queries: solutions against brute force ([`super::kripke`]) on all small structures and on random
//! ones, minterm by minterm with the number of initial states; refinement, lists of cubes and the
//! naive method against these; and the worked examples against what a real NuSMV found.

use super::kripke::{Ctl, Kripke, Set};
use super::rng::Rng;
use super::run::{product, root, run, scratch};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);
const FILE: &str = "model.smv";
/// Pairs of a structure and a query in the random test.
const PAIRS: usize = 3000;
const SEED: u64 = 4_704;

/// Values of variables → number of initial states.
type Solutions = BTreeMap<String, String>;

/// Runs the program; the list `queries` of its document.
fn answers(options: &[&str], dir: &Path) -> Result<Vec<Value>, Failed> {
    let mut args = vec!["--format", "json"];
    args.extend(options);
    args.push(FILE);
    let got = run(&product(), &args, dir, b"", LIMIT);
    if got.code != Some(0) {
        return Err(format!("{}{}", got.out(), got.err()).into());
    }
    let document: Value = serde_json::from_str(&got.out())?;
    Ok(document["queries"].as_array().cloned().unwrap_or_default())
}

/// The single minterms of a list of cubes, variables by name, with initial states where there are any.
fn minterms(cubes: &Value) -> Solutions {
    let mut all = Solutions::new();
    for cube in cubes.as_array().into_iter().flatten() {
        let values = cube["values"].as_object().into_iter().flatten();
        let mut parts: Vec<String> = values
            .map(|(name, set)| format!("{name}={}", set[0].as_str().unwrap_or("")))
            .collect();
        parts.sort_unstable();
        let initial = cube["initial_states"].as_str().unwrap_or("");
        all.insert(parts.join(" "), initial.to_owned());
    }
    all
}

// ---------------------------------------------------------------------------- brute force

/// What a placeholder ranges over: the name, and the variables.
const PLACEHOLDERS: &[(&str, &[&str])] = &[
    ("?", &["p", "q", "s"]),
    ("?{s}", &["s"]),
    ("?{p}", &["p"]),
    ("?{q, p}", &["p", "q"]),
];

/// The minterms over some variables (by name), each with the states that satisfy it.
fn table(k: &Kripke, over: &[&str]) -> Vec<(String, Set)> {
    let all: Set = (1 << k.states) - 1;
    let mut table = vec![(Vec::new(), all)];
    for &name in over {
        let values: Vec<(String, Set)> = match name {
            "p" => vec![("FALSE".into(), all & !k.p), ("TRUE".into(), k.p)],
            "q" => vec![("FALSE".into(), all & !k.q), ("TRUE".into(), k.q)],
            _ => (0..k.states).map(|i| (i.to_string(), 1 << i)).collect(),
        };
        let mut wider = Vec::new();
        for (parts, set) in &table {
            for (value, states) in &values {
                let mut parts: Vec<String> = parts.clone();
                parts.push(format!("{name}={value}"));
                wider.push((parts, set & states));
            }
        }
        table = wider;
    }
    let join = |(parts, set): (Vec<String>, Set)| (parts.join(" "), set);
    table.into_iter().map(join).collect()
}

/// Solutions for all initial states, and for some with the number of these.
fn expected(k: &Kripke, query: &Ctl, over: &[&str]) -> (Solutions, Solutions) {
    let initial = k.init & k.fair();
    let (mut all, mut some) = (Solutions::new(), Solutions::new());
    for (minterm, states) in table(k, over) {
        let sat = k.sat(&query.filled(states)) & initial;
        if sat == initial {
            all.insert(minterm.clone(), String::new());
        }
        if sat != 0 {
            some.insert(minterm, sat.count_ones().to_string());
        }
    }
    (all, some)
}

/// The strongest solutions of a positive query: the minimal sets of minterms whose disjunction
/// solves it. `None` if there are too many to try.
fn strongest(k: &Kripke, query: &Ctl, over: &[&str]) -> Option<Vec<Vec<String>>> {
    let table = table(k, over);
    if table.len() > 6 || !query.is_positive(true) {
        return None;
    }
    let initial = k.init & k.fair();
    let solves = |chosen: u32| {
        let inside = (0..table.len()).filter(|i| chosen >> i & 1 == 1);
        let set = inside.map(|i| table[i].1).fold(0, |a, b| a | b);
        initial & !k.sat(&query.filled(set)) == 0
    };
    let all: Vec<u32> = (0..1 << table.len()).filter(|&c| solves(c)).collect();
    let minimal = all
        .iter()
        .filter(|&&c| !all.iter().any(|&d| d != c && d & c == d));
    let names = |&c: &u32| {
        let inside = (0..table.len()).filter(|i| c >> i & 1 == 1);
        let mut names: Vec<String> = inside.map(|i| table[i].0.clone()).collect();
        names.sort();
        names
    };
    let mut found: Vec<_> = minimal.map(names).collect();
    found.sort();
    Some(found)
}

/// The formulas of the document as sets of minterms.
fn read_strongest(list: &Value) -> Vec<Vec<String>> {
    let minterm = |text: &str| {
        let text = text.trim_matches(['(', ')']).replace(" = ", "=");
        let mut parts: Vec<&str> = text.split(" & ").collect();
        parts.sort_unstable();
        parts.join(" ")
    };
    let formula = |text: &str| {
        let mut all: Vec<String> = match text {
            "FALSE" => Vec::new(),
            text => text.split(" | ").map(minterm).collect(),
        };
        all.sort();
        all
    };
    let texts = list.as_array().into_iter().flatten();
    let mut all: Vec<_> = texts.filter_map(|t| t.as_str()).map(formula).collect();
    all.sort();
    all
}

/// The structure with its propositions as variables.
fn model(k: &Kripke) -> String {
    let text = k.smv();
    let text = text.replacen(
        "DEFINE p := ",
        "VAR p : boolean; q : boolean;\nINVAR p = (",
        1,
    );
    text.replacen("; q := ", ");\nINVAR q = (", 1)
        .replacen(";\nINIT", ");\nINIT", 1)
}

/// A query over one kind of placeholder.
type Query = (Ctl, usize);

fn text(query: &Query) -> String {
    query.0.to_string().replace('?', PLACEHOLDERS[query.1].0)
}

/// Puts queries to a structure and compares.
fn compare(k: &Kripke, queries: &[Query], extra: &[&str], dir: &Path) -> Result<(), Failed> {
    compare_copies(k, 1, queries, extra, dir)
}

/// The same, with so many copies of the structure that know nothing of each other.
fn compare_copies(
    k: &Kripke,
    copies: u64,
    queries: &[Query],
    extra: &[&str],
    dir: &Path,
) -> Result<(), Failed> {
    let mut smv = model(k);
    if copies > 1 {
        smv += &format!("FROZENVAR copy : 1..{copies};\n");
    }
    for q in queries {
        let over = PLACEHOLDERS[q.1].1.join(", ");
        let asked = match copies {
            1 => text(q),
            _ => q.0.to_string().replace('?', &format!("?{{{over}}}")),
        };
        smv += &format!("QUERYSPEC {asked};\n");
    }
    fs::write(dir.join(FILE), &smv)?;
    let options = [
        &["-query_minterms", "-query_naive", "-query_strongest"],
        extra,
    ]
    .concat();
    let found = answers(&options, dir)?;
    if found.len() != queries.len() {
        return Err(format!("{} answers\n{smv}", found.len()).into());
    }
    let mut wrong = String::new();
    for (query, answer) in queries.iter().zip(&found) {
        let (all, mut some) = expected(k, &query.0, PLACEHOLDERS[query.1].1);
        for starts in some.values_mut() {
            *starts = (starts.parse::<u64>()? * copies).to_string();
        }
        let counts = (all.len().to_string(), some.len().to_string());
        let right = minterms(&answer["cubes"]) == all
            && minterms(&answer["cubes_some"]) == some
            && answer["count"] == counts.0
            && answer["count_some"] == counts.1
            && answer["naive"]["differ"] == 0;
        let known = strongest(k, &query.0, PLACEHOLDERS[query.1].1);
        let right = right && known.is_none_or(|s| s == read_strongest(&answer["strongest"]));
        if !right {
            wrong += &format!("expected {all:?}, some {some:?}\nfound {answer}\n");
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(format!("{smv}{wrong}").into())
    }
}

/// One query per operator and shape.
fn shapes() -> Vec<Ctl> {
    use Ctl::*;
    let hole = || Box::new(Hole(0));
    let not = |a| Box::new(Not(a));
    let path = |op, a| Box::new(Path(op, a));
    let mut all = vec![*hole(), *not(hole())];
    for op in ["EX", "AX", "EF", "AF", "EG", "AG"] {
        all.push(Path(op, hole()));
        all.push(Path(op, not(hole())));
    }
    for (outer, inner) in [
        ("EF", "AG"),
        ("AG", "EF"),
        ("AF", "AG"),
        ("EX", "AF"),
        ("EG", "EX"),
    ] {
        all.push(Path(outer, path(inner, hole())));
    }
    for quantifier in ['E', 'A'] {
        all.push(Until(quantifier, Box::new(P), hole()));
        all.push(Until(quantifier, hole(), Box::new(Q)));
        all.push(Until(
            quantifier,
            not(hole()),
            Box::new(And(Box::new(Q), not(hole()))),
        ));
        all.push(BoundedUntil(quantifier, 1, 2, Box::new(P), hole()));
    }
    all.push(Bounded("EBF", 1, 2, hole()));
    all.push(Bounded("ABG", 0, 1, hole()));
    all.push(Path("EF", Box::new(And(hole(), path("AX", hole())))));
    all.push(Path(
        "AG",
        Box::new(Or(not(Box::new(P)), path("AF", hole()))),
    ));
    all.push(Path(
        "AG",
        Box::new(Or(not(hole()), path("AX", path("AG", not(hole()))))),
    ));
    all.push(And(path("EX", hole()), path("EX", Box::new(Q))));
    all.push(Or(
        path("AG", hole()),
        not(path("EF", Box::new(And(Box::new(P), hole())))),
    ));
    all
}

/// Every relation over `states` states.
fn every(states: u32, labels: &[(Set, Set)], inits: &[Set], fair: bool) -> Result<(), Failed> {
    let dir = scratch("queries");
    let shapes = shapes();
    let mask = (1u32 << states) - 1;
    for relation in 0..1u32 << (states * states) {
        for &(p, q) in labels {
            for &init in inits {
                let next = (0..states).map(|s| (relation >> (s * states) & mask) as Set);
                let k = Kripke {
                    states,
                    next: next.collect(),
                    init,
                    p,
                    q,
                    justice: if fair { vec![q] } else { Vec::new() },
                };
                // The kinds of placeholders in turn.
                let turn = relation as usize;
                let kinds = (0..shapes.len()).map(|i| (i + turn) % PLACEHOLDERS.len());
                let queries: Vec<Query> = shapes.iter().cloned().zip(kinds).collect();
                compare(&k, &queries, &[], &dir)?;
            }
        }
    }
    fs::remove_dir_all(&dir)?;
    Ok(())
}

// ---------------------------------------------------------------------------- random

fn random_formula(rng: &mut Rng, depth: usize) -> Ctl {
    use Ctl::*;
    if depth == 0 || rng.chance(10) {
        return match rng.below(5) {
            0 => P,
            1 => Q,
            _ => Hole(0),
        };
    }
    let op = *rng.pick(&["EX", "AX", "EF", "AF", "EG", "AG"]);
    let bounded = *rng.pick(&["EBF", "ABF", "EBG", "ABG"]);
    let quantifier = *rng.pick(&['E', 'A']);
    let mut sub = || Box::new(random_formula(rng, depth - 1));
    let (a, b) = (sub(), sub());
    match rng.below(12) {
        0 | 1 => Not(a),
        2 => And(a, b),
        3 => Or(a, b),
        4 => Until(quantifier, a, b),
        5 => Bounded(bounded, 1, 2, a),
        6 => BoundedUntil(quantifier, 0, 2, a, b),
        _ => Path(op, a),
    }
}

fn has_hole(formula: &Ctl) -> bool {
    formula.to_string().contains('?')
}

fn random_structure(rng: &mut Rng) -> Kripke {
    let states = rng.between(2, 6) as u32;
    let all = (1u64 << states) - 1;
    let mut set = |rare: bool| {
        let bits = rng.next() & if rare { rng.next() } else { u64::MAX };
        (bits & all) as Set
    };
    let next = (0..states).map(|_| set(true)).collect();
    let (init, p, q) = (set(false), set(false), set(false));
    let justice = if set(false) & 1 == 1 {
        vec![set(false)]
    } else {
        vec![]
    };
    Kripke {
        states,
        next,
        init,
        p,
        q,
        justice,
    }
}

/// Random structures with 30 random queries each; all again with refinement.
fn random() -> Result<(), Failed> {
    let dir = scratch("queries");
    let mut rng = Rng::new(SEED);
    for _ in 0..PAIRS / 30 {
        let k = random_structure(&mut rng);
        let mut queries = Vec::new();
        while queries.len() < 30 {
            let formula = random_formula(&mut rng, 3);
            if has_hole(&formula) {
                queries.push((formula, rng.below(PLACEHOLDERS.len())));
            }
        }
        compare(&k, &queries, &[], &dir)?;
        compare(&k, &queries, &["-query_refine"], &dir)?;
        compare(&k, &queries, &["-df"], &dir)?;
        // More initial states than are asked one by one.
        compare_copies(&k, 40, &queries, &[], &dir)?;
        with_and_without_cone(&mut rng, &k, &queries[..5], &dir)?;
    }
    fs::remove_dir_all(&dir)?;
    Ok(())
}

/// A structure and two variables that it does not depend on, one of which reads the other: the same
/// solutions on the cone as on the whole.
fn with_and_without_cone(
    rng: &mut Rng,
    k: &Kripke,
    queries: &[Query],
    dir: &Path,
) -> Result<(), Failed> {
    let start = rng.below(3);
    let mut smv = model(k);
    smv += &format!(
        "VAR beside : 0..2; behind : boolean;\nASSIGN init(beside) := {start}; init(behind) := FALSE;
         next(beside) := (beside + 1) mod 3; next(behind) := beside = 1 & !behind;\n"
    );
    for (formula, _) in queries {
        for over in ["?{s}", "?{q, p}", "?{s, behind}"] {
            smv += &format!("QUERYSPEC {};\n", formula.to_string().replace('?', over));
        }
    }
    fs::write(dir.join(FILE), &smv)?;
    let whole = answers(&["-query_minterms"], dir)?;
    let part = answers(&["-query_minterms", "-coi"], dir)?;
    for (whole, part) in whole.iter().zip(&part) {
        // The variables beside have one initial value each, so that even the initial states agree.
        let fields = ["text", "count", "count_some", "cubes", "cubes_some"];
        if fields.iter().any(|f| whole[f] != part[f]) || whole["text"].is_null() {
            return Err(format!("{smv}{whole}\nwith -coi {part}").into());
        }
    }
    Ok(())
}

// ---------------------------------------------------------------------------- examples

/// A line of `regression/queries/expected.csv`: model, index, formula, all, some, solutions.
fn fields(line: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => out.push(String::new()),
            c => out.last_mut().expect("never empty").push(c),
        }
    }
    out
}

fn example(model: &str) -> Result<(), Failed> {
    let folder = root().join("regression/queries");
    let dir = scratch("queries");
    fs::copy(folder.join(model), dir.join(FILE))?;
    let expected = fs::read_to_string(folder.join("expected.csv"))?;
    let rows: Vec<Vec<String>> = expected.lines().skip(1).map(fields).collect();
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

// ---------------------------------------------------------------------------- genes

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
    let two = || every(2, &[(1, 2), (3, 1)], &[1, 3], false);
    let two_fair = || every(2, &[(1, 2), (3, 1)], &[3], true);
    let three = || every(3, &[(0b001, 0b100)], &[0b001], false);
    let three_many = || every(3, &[(0b011, 0b110)], &[0b111], false);
    let three_fair = || every(3, &[(0b011, 0b101)], &[0b101], true);
    let tests = [
        Trial::test("queries::two_states", two),
        Trial::test("queries::two_states_fair", two_fair),
        Trial::test("queries::three_states", three),
        Trial::test("queries::three_states_all_initial", three_many),
        Trial::test("queries::three_states_fair", three_fair),
        Trial::test("queries::random", random),
    ];
    let folder = root().join("../shared/models/genes");
    let genes = folder
        .exists()
        .then(|| Trial::test("queries::genes", move || genes(&folder)));
    examples.chain(tests).chain(genes).collect()
}
