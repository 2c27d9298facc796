//! The document of `--format json`, and its traces judged by the real NuSMV.
//!
//! A trace of states s₀…sₙ is certified thus: the model gets a step counter k, `INVAR k = i -> sᵢ`
//! and `TRANS k = i-1 & next(k) = i -> inputs`, and `INVARSPEC k != n`, which the real NuSMV must
//! find false. Our own replay has no part in this.

use super::generate::{Settings, generate};
use super::output::{strip_banner, verdicts};
use super::peer::peer;
use super::run::{product, run, scratch};
use super::smv::Model;
use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(20);
const FILE: &str = "model.smv";
const MODELS: u64 = 40;

/// The document that our program prints for the model in `dir`.
fn document(dir: &Path) -> Result<Value, String> {
    let got = run(&product(), &["--format", "json", FILE], dir, b"", LIMIT);
    if let Some(crash) = got.crash() {
        return Err(crash);
    }
    serde_json::from_slice(&got.stdout).map_err(|e| format!("{e}\n{}{}", got.out(), got.err()))
}

/// Schema, and agreement with what the text output says.
fn check_document(document: &Value, text: &str) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("{what}\n{document}\n{text}"));
    if document["schema"] != 1 || document["model"] != FILE || !document["warnings"].is_array() {
        return wrong("head of the document");
    }
    let Some(properties) = document["properties"].as_array() else {
        return wrong("properties");
    };
    let found = verdicts(strip_banner(text));
    if found.len() != properties.len() {
        return wrong("number of properties");
    }
    for (p, verdict) in properties.iter().zip(&found) {
        let value = match (p["verdict"].as_str(), &p["value"]) {
            (Some("true"), _) => "T".to_owned(),
            (Some("false"), _) => "F".to_owned(),
            (_, Value::String(s)) => s.clone(),
            (_, v) => v.to_string(),
        };
        if value != verdict.value {
            return wrong(&format!("verdict of property {}", p["index"]));
        }
        for key in ["index", "line", "column", "time_ms"] {
            if !p[key].is_number() {
                return wrong(key);
            }
        }
        let trace = &p["trace"];
        if trace.is_object() != (value == "F") {
            return wrong("a trace for each false property and no other");
        }
        let steps = trace["steps"].as_array().map_or(&[][..], Vec::as_slice);
        let keys = |s: &Value| {
            s["state"]
                .as_object()
                .map(|o| o.keys().cloned().collect::<Vec<_>>())
        };
        if steps.iter().any(|s| keys(s) != keys(&steps[0])) {
            return wrong("complete states in every step");
        }
    }
    Ok(())
}

/// `name = value & ...` for the variables among `values`; the generator's DEFINEs are called `d0`,
/// `md0`, ...
fn equations(values: &Value) -> String {
    let is_define = |name: &str| {
        let last = name.rsplit('.').next().expect("not empty");
        let digits = last.trim_start_matches('m').strip_prefix('d');
        last == "running" || digits.is_some_and(|d| d.starts_with(|c: char| c.is_ascii_digit()))
    };
    let all = values
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, _)| !is_define(name));
    let tests: Vec<_> = all
        .map(|(name, value)| match value {
            Value::Bool(b) => format!("{name} = {}", b.to_string().to_uppercase()),
            Value::String(s) => format!("{name} = {s}"),
            other => format!("{name} = {other}"),
        })
        .collect();
    if tests.is_empty() {
        "TRUE".into()
    } else {
        tests.join(" & ")
    }
}

/// The model with its properties replaced by the certificate of `steps`.
fn certificate(model: &Model, steps: &[Value]) -> String {
    let mut bare = model.clone();
    for module in &mut bare.modules {
        module.items.retain(|i| !i.is_property());
    }
    let last = steps.len() - 1;
    let mut lines = format!(
        "MODULE main\nVAR cert__k : 0..{};\nINIT cert__k = 0;\n\
         TRANS next(cert__k) = case cert__k < {last} : cert__k + 1; TRUE : cert__k; esac;\n\
         INVARSPEC cert__k != {last};\n",
        last.max(1)
    );
    for (i, step) in steps.iter().enumerate() {
        lines += &format!("INVAR cert__k = {i} -> ({});\n", equations(&step["state"]));
        if i > 0 {
            let before = i - 1;
            lines += &format!(
                "TRANS cert__k = {before} & next(cert__k) = {i} -> ({});\n",
                equations(&step["input"])
            );
        }
    }
    bare.to_string().replacen("MODULE main\n", &lines, 1)
}

fn certified(model: &Model, trace: &Value, dir: &Path, peer: &Path) -> Result<(), String> {
    let steps = trace["steps"].as_array().ok_or("no steps")?;
    if let Some(to) = trace["loop"].as_u64() {
        let last = steps.last().ok_or("no steps")?;
        if last["state"] != steps[to as usize]["state"] {
            return Err(format!("the loop does not close: {trace}"));
        }
    }
    let text = certificate(model, steps);
    fs::write(dir.join("certificate.smv"), &text).map_err(|e| e.to_string())?;
    let got = run(peer, &["-dcx", "certificate.smv"], dir, b"", LIMIT);
    let found = verdicts(strip_banner(&got.out()));
    match found.as_slice() {
        [v] if v.value == "F" => Ok(()),
        _ => Err(format!(
            "no path of the model: {trace}\n{}{}\n{text}",
            got.out(),
            got.err()
        )),
    }
}

fn traces() -> Result<(), Failed> {
    let dir = scratch("certify");
    let settings = Settings {
        ctl: 6,
        depth: 3,
        compute: 1,
        ..Settings::default()
    };
    if let Err(why) = peer() {
        eprintln!("traces are not certified: {why}");
    }
    let mut count = 0;
    for seed in 7_000_000..7_000_000 + MODELS {
        let model = generate(seed, &settings);
        fs::write(dir.join(FILE), model.to_string())?;
        let text = run(&product(), &[FILE], &dir, b"", LIMIT).out();
        let document = document(&dir)?;
        check_document(&document, &text).map_err(|e| format!("seed {seed}: {e}\n{model}"))?;
        let Ok(peer) = peer() else { continue };
        let properties = document["properties"].as_array().expect("checked");
        for p in properties.iter().filter(|p| p["trace"].is_object()) {
            count += 1;
            certified(&model, &p["trace"], &dir, peer)
                .map_err(|e| format!("seed {seed}, property {}: {e}\n{model}", p["index"]))?;
        }
    }
    fs::remove_dir_all(&dir)?;
    eprintln!("certify: {count} traces of {MODELS} models are paths for the real NuSMV");
    Ok(())
}

pub fn trials() -> Vec<Trial> {
    vec![Trial::test("certify::traces", traces)]
}
