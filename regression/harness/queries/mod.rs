//! Queries: solutions against brute force ([`brute`]) on all small structures and on random ones, minterm
//! by minterm with the number of initial states; refinement, lists of cubes and the naive method against
//! these; and the worked examples against what a real NuSMV found ([`examples`]).

mod brute;
mod examples;

use super::kripke::{Ctl, Kripke, Set};
use super::rng::Rng;
use super::run::{product, run, scratch};
use brute::{expected, read_strongest, strongest};
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

/// What a placeholder ranges over: the name, and the variables.
const PLACEHOLDERS: &[(&str, &[&str])] = &[
    ("?", &["p", "q", "s"]),
    ("?{s}", &["s"]),
    ("?{p}", &["p"]),
    ("?{q, p}", &["p", "q"]),
];

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

pub fn trials() -> Vec<Trial> {
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
    tests.into_iter().chain(examples::trials()).collect()
}
