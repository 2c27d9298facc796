//! Vacuity detection: both engines against the naive method on random models, and the naive method
//! against the verdicts of formulas replaced in the text, by the real NuSMV where there is one.

use super::generate::{Settings, generate};
use super::output::verdicts;
use super::peer::peer;
use super::run::{product, run, scratch};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);
const FILE: &str = "model.smv";

/// The document of a run with `options`; `None` if the model is rejected.
fn document(options: &[&str], dir: &Path) -> Result<Option<Value>, Failed> {
    let mut args = vec!["--format", "json", "-dcx"];
    args.extend(options);
    args.push(FILE);
    let got = run(&product(), &args, dir, b"", LIMIT);
    if let Some(what) = got.crash() {
        return Err(what.into());
    }
    if got.code == Some(1) {
        return Ok(None);
    }
    let document: Value = serde_json::from_str(&got.out())?;
    Ok(Some(document))
}

/// Engines against the naive method: the program compares itself and says so in the document.
fn random(options: &'static [&'static str], models: u64) -> Result<(), Failed> {
    let dir = scratch("vacuity");
    let settings = Settings {
        compute: 0,
        ..Settings::default()
    };
    let (mut formulas, mut atoms, mut vacuous) = (0, 0, 0);
    for seed in 5_000_000..5_000_000 + models {
        let model = generate(seed, &settings).to_string();
        fs::write(dir.join(FILE), &model)?;
        let mut all = vec!["-vacuity_naive", "-vacuity_mutual", "-vacuity_refine"];
        all.extend(options);
        let Some(document) = document(&all, &dir)? else {
            continue;
        };
        for p in document["properties"].as_array().into_iter().flatten() {
            let v = &p["vacuity"];
            if v.is_null() {
                continue;
            }
            if v["naive_agrees"] != Value::Bool(true) {
                return Err(format!("seed {seed}, {options:?}: {}\n{model}", p["text"]).into());
            }
            formulas += 1;
            let list = v["atoms"].as_array().cloned().unwrap_or_default();
            atoms += list.len();
            vacuous += list
                .iter()
                .filter(|a| a["vacuous"] == Value::Bool(true))
                .count();
        }
    }
    fs::remove_dir_all(&dir)?;
    eprintln!("vacuity {options:?}: {formulas} formulas, {atoms} atoms, {vacuous} vacuous");
    if formulas < models as usize || vacuous == 0 || vacuous == atoms {
        return Err("too little was compared".into());
    }
    Ok(())
}

/// A model, a formula with `@` for the atom, the atom, and whether it is vacuous.
const REPLACED: &[(&str, &str, &str, bool)] = &[
    (LIGHT, "AG (light = red | @)", "light = green", true),
    (LIGHT, "AG (@ | light = green)", "light = red", false),
    (LIGHT, "AG (light = green -> AF @)", "b", true),
    (LIGHT, "AG ((@ <-> b) | !b | b)", "light = red", true),
    (LIGHT, "AG (@ xor b)", "light = red", true),
    (LIGHT, "EF (b & EX @)", "light = green", false),
    (LIGHT, "!E [ light = red U @ ]", "b", false),
    (TWO, "AG @", "p", false),
    (TWO, "AX @", "p", false),
    (TWO, "p & EX @", "p", true),
    (TWO, "EG (p | @)", "q", false),
    (TWO, "A [ p U @ ]", "q", false),
    (TWO, "ABF 0..2 @", "q", false),
    (TWO, "E [ p BU 1..2 @ ]", "q", true),
    (LIGHT, "LTLSPEC G (light = red | @)", "light = green", true),
    (LIGHT, "LTLSPEC G (light = green -> F @)", "b", true),
    (LIGHT, "LTLSPEC G ((@ <-> b) | !b | b)", "light = red", true),
    (LIGHT, "LTLSPEC F (@ xor b)", "light = red", true),
    (TWO, "LTLSPEC G F @", "q", false),
    (TWO, "LTLSPEC (X @) U q", "p", false),
    (TWO, "LTLSPEC G (n = 0 -> H @)", "n = 0", false),
    (TWO, "LTLSPEC G (q S @ -> O p)", "p", false),
];

const LIGHT: &str = "MODULE main
VAR light : {red, yellow, green}; b : boolean;
ASSIGN init(light) := red; next(light) := red;
";

/// Several initial states, of which some satisfy `p`; fairness; a deadlock without successor.
const TWO: &str = "MODULE main
VAR p : boolean; q : boolean; n : 0..3;
INIT n = 0
TRANS n < 3 & next(n) = n + 1 | n = 3 & next(n) = 0 & q
JUSTICE q
";

/// The atom's vacuity by three verdicts of `program` is what the analysis says, and what we know.
fn replaced(program: &Path) -> Result<(), Failed> {
    let dir = scratch("replaced");
    for (model, shape, atom, known) in REPLACED {
        let shape = if shape.starts_with("LTLSPEC") {
            (*shape).to_owned()
        } else {
            format!("SPEC {shape}")
        };
        let spec = |by: &str| shape.replace('@', by) + "\n";
        let text = format!("{model}{}", spec(atom));
        let mut answers = Vec::new();
        for by in [*atom, "TRUE", "FALSE"] {
            fs::write(dir.join(FILE), format!("{model}{}", spec(by)))?;
            let got = run(program, &["-dcx", FILE], &dir, b"", LIMIT);
            answers.extend(verdicts(&got.out()).into_iter().map(|v| v.value));
        }
        if answers.len() != 3 {
            return Err(format!("no three verdicts for\n{text}").into());
        }
        let by_verdicts = answers.iter().all(|a| *a == answers[0]);
        fs::write(dir.join(FILE), &text)?;
        for engine in ["words", "selectors"] {
            let options = ["-vacuity_naive", "-vacuity_engine", engine];
            let document = document(&options, &dir)?.ok_or("rejected")?;
            let v = &document["properties"][0]["vacuity"];
            let before = shape.split('@').next().unwrap_or("").len() + 1;
            let found = v["atoms"]
                .as_array()
                .into_iter()
                .flatten()
                .find(|a| a["column"] == before as u64)
                .ok_or_else(|| format!("no atom in column {before} of\n{text}{v}"))?;
            if found["vacuous"] != Value::Bool(by_verdicts) || v["naive_agrees"] != true {
                return Err(format!("{engine}: verdicts {answers:?}, {found}\n{text}").into());
            }
            if by_verdicts != *known {
                return Err(format!("known to be {known}: {answers:?}\n{text}").into());
            }
        }
    }
    fs::remove_dir_all(&dir)?;
    Ok(())
}

fn replaced_by_peer() -> Result<(), Failed> {
    match peer() {
        Ok(path) => replaced(path),
        Err(why) => {
            eprintln!("skipped: {why}");
            Ok(())
        }
    }
}

/// More atoms than a word holds: groups give the same answer as one pass over sets.
fn many_atoms() -> Result<(), Failed> {
    let dir = scratch("many_atoms");
    let mut model = String::from(
        "MODULE main\nVAR x : 0..99;\nASSIGN init(x) := 0; next(x) := x;\nSPEC AG (x = 0",
    );
    for i in 1..100 {
        model += &format!(" | x = {i}");
    }
    model += ")\n";
    fs::write(dir.join(FILE), &model)?;
    for options in [
        &["-vacuity_engine", "words"][..],
        &["-vacuity_engine", "words", "-vacuity_word", "32"],
        &["-vacuity_engine", "selectors"],
    ] {
        let document = document(options, &dir)?.ok_or("rejected")?;
        let atoms = document["properties"][0]["vacuity"]["atoms"]
            .as_array()
            .cloned();
        let atoms = atoms.unwrap_or_default();
        let vacuous: Vec<bool> = atoms.iter().map(|a| a["vacuous"] == true).collect();
        let expected: Vec<bool> = (0..100).map(|i| i > 0).collect();
        if vacuous != expected {
            return Err(format!("{options:?}: {vacuous:?}").into());
        }
    }
    fs::remove_dir_all(&dir)?;
    Ok(())
}

pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("vacuity::words", || {
            random(&["-vacuity_engine", "words"], 300)
        }),
        Trial::test("vacuity::words_df", || {
            random(&["-vacuity_engine", "words", "-df"], 60)
        }),
        Trial::test("vacuity::selectors", || {
            random(&["-vacuity_engine", "selectors"], 300)
        }),
        Trial::test("vacuity::selectors_df", || random(&["-df"], 60)),
        Trial::test("vacuity::dynamic", || {
            random(&["-vacuity_engine", "words", "-dynamic"], 30)
        }),
        Trial::test("vacuity::replaced", || replaced(&product())),
        Trial::test("vacuity::replaced_by_peer", replaced_by_peer),
        Trial::test("vacuity::many_atoms", many_atoms),
    ]
}
