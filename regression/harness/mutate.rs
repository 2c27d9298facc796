//! Random damage to valid models: bytes flipped, tokens dropped, doubled, swapped or exchanged.
//!
//! Whatever comes out, the program ends by itself without a panic. Where a real NuSMV is at hand,
//! acceptance is compared too; the share of disagreements is printed, and bounded.

use super::generate::{Settings, generate};
use super::peer::peer;
use super::rng::Rng;
use super::run::{product, run, scratch};
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(10);

const TOKENS: [&str; 48] = [
    "MODULE",
    "VAR",
    "IVAR",
    "FROZENVAR",
    "DEFINE",
    "ASSIGN",
    "INIT",
    "TRANS",
    "INVAR",
    "SPEC",
    "LTLSPEC",
    "INVARSPEC",
    "next",
    "init",
    "case",
    "esac",
    "TRUE",
    "FALSE",
    "AG",
    "E",
    "U",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ":=",
    ":",
    ";",
    ",",
    "..",
    "::",
    "&",
    "|",
    "->",
    "=",
    "!",
    "-",
    "/",
    "mod",
    "union",
    "in",
    "word1",
    "0ud4_3",
    "self",
    "array",
    "5",
];

/// Words, numbers, single characters and blanks of a text, in order.
fn tokens(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut word = false;
    for c in text.chars() {
        let alphanumeric = c.is_alphanumeric() || c == '_';
        match found.last_mut() {
            Some(last) if word && alphanumeric => last.push(c),
            _ => found.push(c.to_string()),
        }
        word = alphanumeric;
    }
    found
}

fn damage(text: &str, rng: &mut Rng) -> Vec<u8> {
    if rng.chance(20) {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(bytes.len());
            match rng.below(3) {
                0 => bytes[at] = rng.next() as u8,
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, rng.next() as u8),
            }
        }
        return bytes;
    }
    let mut all = tokens(text);
    for _ in 0..1 + rng.below(2) {
        let at = rng.below(all.len());
        match rng.below(5) {
            0 => drop(all.remove(at)),
            1 => all.insert(at, format!(" {} ", rng.pick(&TOKENS))),
            2 => all[at] = format!(" {} ", rng.pick(&TOKENS)),
            3 => {
                let other = rng.below(all.len());
                all.swap(at, other);
            }
            _ => all[at] = all[rng.below(all.len())].clone(),
        }
    }
    all.concat().into_bytes()
}

fn damaged_models() -> Result<(), Failed> {
    let models = std::env::var("FUZZ_MODELS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(300);
    let first: u64 = std::env::var("FUZZ_SEED")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1);
    let dir = scratch("mutate");
    let settings = Settings {
        ctl: 3,
        invar: 1,
        compute: 1,
        ltl: 1,
        ..Settings::default()
    };
    let (mut crashes, mut compared, mut other) = (Vec::new(), 0, Vec::new());
    for seed in first * 1_000_000..first * 1_000_000 + models {
        let mut rng = Rng::new(seed);
        let bytes = damage(&generate(seed, &settings).to_string(), &mut rng);
        fs::write(dir.join("model.smv"), &bytes)?;
        let ours = run(&product(), &["model.smv"], &dir, b"", LIMIT);
        if let Some(crash) = ours.crash() {
            crashes.push(format!("{crash}\n{}", String::from_utf8_lossy(&bytes)));
            continue;
        }
        let Ok(peer) = peer() else { continue };
        let theirs = run(peer, &["model.smv"], &dir, b"", LIMIT);
        let Some(code) = theirs.code else { continue };
        compared += 1;
        // Verdicts and acceptance are one thing here: the message's first line tells most.
        let message = |text: String| {
            text.lines()
                .find(|l| !l.is_empty())
                .unwrap_or("")
                .to_owned()
        };
        if ours.code != Some(code) {
            let (mine, peers) = (message(ours.err()), message(theirs.err()));
            other.push(format!(
                "seed {seed}: {:?} {mine}\n  peer: {code} {peers}",
                ours.code
            ));
        }
    }
    fs::remove_dir_all(&dir)?;
    let shown = other
        .iter()
        .take(20)
        .cloned()
        .collect::<Vec<_>>()
        .join("\n");
    eprintln!(
        "mutate: acceptance differs in {} of {compared}\n{shown}",
        other.len()
    );
    if !crashes.is_empty() {
        crashes.truncate(3);
        return Err(crashes.join("\n----\n").into());
    }
    if other.len() * 20 > compared {
        return Err(format!(
            "acceptance differs in {} of {compared}\n{shown}",
            other.len()
        )
        .into());
    }
    Ok(())
}

pub fn trials() -> Vec<Trial> {
    vec![Trial::test("mutate::damaged_models", damaged_models)]
}
