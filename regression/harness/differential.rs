//! Random models × random properties: our verdicts beside the real NuSMV's.
//!
//! One run of each checker per model, with all its properties. Compared: acceptance, exit code, all
//! lines on stdout but the steps of traces, and stderr. What disagrees is cut down and printed.
//! `FUZZ_SEED` and `FUZZ_MODELS` choose other models than the fixed ones of CI (`scripts/fuzz`).

use super::generate::{Settings, generate};
use super::output::{difference, strip_banner, verdicts, without_traces};
use super::peer::peer;
use super::run::{Finished, product, run, scratch};
use super::shrink::shrink;
use super::smv::Model;
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::Path;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(20);
/// The real NuSMV on `next` of constants, frozen variables and DEFINEs of them in LTL.
const BREAKDOWNS: [&str; 2] = [
    "reached invalid code",
    "An error occured during tableau construction",
];
const FILE: &str = "model.smv";

/// What two runs on one model say about each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Equal, with so many properties; and whether the traces are byte for byte the same.
    Agree(usize, bool),
    /// The peer gave no answer to compare with (it crashed or took too long).
    NoPeer,
    Differ(Difference, String),
}

/// The kinds of disagreement, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    Crash,
    Acceptance,
    Verdicts,
    Stdout,
    /// Both reject, with other words.
    Message,
    Stderr,
}

/// Runs both checkers with `options` on `model`; options of our own (`--name value`) are for ours only.
pub fn compare(model: &str, options: &[&str], dir: &Path, peer: &Path) -> Comparison {
    fs::write(dir.join(FILE), model).expect("write the model");
    let mut args = options.to_vec();
    args.push(FILE);
    let first = options.iter().position(|o| o.starts_with("--"));
    let mut theirs = options[..first.unwrap_or(options.len())].to_vec();
    theirs.push(FILE);
    let theirs = run(peer, &theirs, dir, b"", LIMIT);
    let gave_up = |text: &str| BREAKDOWNS.iter().any(|b| text.contains(b));
    if theirs.code.is_none() || gave_up(&theirs.err()) {
        return Comparison::NoPeer;
    }
    let ours = run(&product(), &args, dir, b"", LIMIT);
    compare_runs(&ours, &theirs, model.contains("PSLSPEC"))
}

/// That a formula is false in any state; for PSL it depends on how NuSMV has simplified it.
const EMPTY_TABLEAU: &str = "
********   WARNING   ********
The initial states set of the finite state machine is empty.
This might make results of model checking not trustable.
******** END WARNING ********
";

fn compare_runs(ours: &Finished, theirs: &Finished, psl: bool) -> Comparison {
    if let Some(what) = ours.crash() {
        return Comparison::Differ(Difference::Crash, what);
    }
    let (out, peer_out) = (ours.out(), theirs.out());
    let (out, peer_out) = (strip_banner(&out), strip_banner(&peer_out));
    if ours.code != theirs.code {
        let text = format!(
            "exit code {:?}, the real one {:?}\nours:  {}\ntheirs: {}",
            ours.code,
            theirs.code,
            ours.err().trim(),
            theirs.err().trim()
        );
        return Comparison::Differ(Difference::Acceptance, text);
    }
    let (mine, peers) = (verdicts(out), verdicts(peer_out));
    let values =
        |all: &[super::output::Verdict]| all.iter().map(|v| v.value.clone()).collect::<Vec<_>>();
    let same_traces = out == peer_out;
    let (out, peer_out) = (without_traces(out), without_traces(peer_out));
    if values(&mine) != values(&peers) {
        return Comparison::Differ(Difference::Verdicts, difference(&peer_out, &out));
    }
    if out != peer_out {
        return Comparison::Differ(Difference::Stdout, difference(&peer_out, &out));
    }
    let (mut err, mut peer_err) = (ours.err(), theirs.err());
    if psl {
        for text in [&mut err, &mut peer_err] {
            *text = text.replace(EMPTY_TABLEAU, "");
        }
    }
    if err != peer_err {
        let what = if ours.code == Some(0) {
            Difference::Stderr
        } else {
            Difference::Message
        };
        return Comparison::Differ(what, difference(&peer_err, &err));
    }
    Comparison::Agree(mine.len(), same_traces)
}

/// A batch of seeds under one choice of options.
struct Batch {
    name: &'static str,
    options: &'static [&'static str],
    settings: Settings,
    models: u64,
}

fn batches() -> Vec<Batch> {
    let settings = Settings::default();
    let batch = |name, options, models| Batch {
        name,
        options,
        settings: settings.clone(),
        models,
    };
    let ltl = |models| Batch {
        name: "ltl",
        options: &[],
        settings: Settings {
            ctl: 0,
            invar: 0,
            compute: 0,
            ltl: 10,
            ..Settings::default()
        },
        models,
    };
    let psl = Batch {
        name: "psl",
        options: &[],
        settings: Settings {
            ctl: 0,
            invar: 0,
            compute: 0,
            psl: 10,
            ..Settings::default()
        },
        models: 100,
    };
    vec![
        ltl(200),
        psl,
        batch("plain", &[], 150),
        batch("coi", &["-coi"], 40),
        batch("no_reachable", &["-df"], 40),
        batch("monolithic", &["-mono"], 25),
        batch("iwls95", &["-iwls95", "50"], 25),
        batch("dynamic", &["-dynamic"], 25),
        Batch {
            settings: Settings {
                ctl: 6,
                ltl: 4,
                bounded: false,
                ..Settings::default()
            },
            ..batch(
                "cones",
                &[
                    "--cone-from",
                    "0",
                    "--reorder-from",
                    "100",
                    "--rearrange-after",
                    "0",
                ],
                60,
            )
        },
    ]
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Compares a batch; fails with the first few disagreements, cut down.
fn run_batch(batch: &Batch) -> Result<(), Failed> {
    let peer = match peer() {
        Ok(path) => path,
        Err(why) => {
            eprintln!("skipped: {why}");
            return Ok(());
        }
    };
    let dir = scratch("differential");
    let first = number("FUZZ_SEED").unwrap_or(1) * 1_000_000;
    let models = number("FUZZ_MODELS").unwrap_or(batch.models);
    let (mut compared, mut no_peer, mut rejected, mut other_traces) = (0, 0, 0, 0);
    let mut faults = Vec::new();
    for seed in first..first + models {
        let model = generate(seed, &batch.settings);
        match compare(&model.to_string(), batch.options, &dir, peer) {
            Comparison::Agree(0, _) => rejected += 1,
            Comparison::Agree(n, same) => {
                compared += n;
                other_traces += usize::from(!same);
            }
            Comparison::NoPeer => no_peer += 1,
            Comparison::Differ(what, _) => {
                let report = report(&model, seed, what, batch, &dir, peer);
                eprintln!("{report}");
                faults.push(report);
                if faults.len() >= 5 {
                    break;
                }
            }
        }
    }
    fs::remove_dir_all(&dir)?;
    eprintln!(
        "differential::{}: {models} models, {compared} properties compared, \
         {rejected} models rejected by both, {no_peer} without an answer of the peer, \
         {other_traces} with other traces",
        batch.name
    );
    if rejected * 50 > models {
        return Err("the generator makes too many models that are rejected".into());
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults.join("\n").into())
    }
}

fn report(
    model: &Model,
    seed: u64,
    what: Difference,
    batch: &Batch,
    dir: &Path,
    peer: &Path,
) -> String {
    let same = |m: &Model| {
        matches!(compare(&m.to_string(), batch.options, dir, peer),
            Comparison::Differ(w, _) if w == what)
    };
    let small = shrink(model, Duration::from_secs(60), &same);
    let text = match compare(&small.to_string(), batch.options, dir, peer) {
        Comparison::Differ(_, text) => text,
        _ => "(does not happen again)".into(),
    };
    format!(
        "{what:?} differ, seed {seed}, options {:?}\n{text}\nmodel:\n{small}",
        batch.options
    )
}

/// How often the peer rejects what the generator makes, and why (a tool: `--ignored`).
fn rejections() -> Result<(), Failed> {
    let peer = peer().as_ref().map_err(|why| why.clone())?;
    let dir = scratch("rejections");
    let ltl = number("FUZZ_LTL").unwrap_or(0) as usize;
    let settings = Settings {
        ltl,
        bounded: ltl == 0,
        ..Settings::default()
    };
    let models = number("FUZZ_MODELS").unwrap_or(300);
    let first = number("FUZZ_SEED").unwrap_or(1) * 1_000_000;
    let (mut bad, mut yes, mut no) = (0, 0, 0);
    for seed in first..first + models {
        let model = generate(seed, &settings);
        fs::write(dir.join(FILE), model.to_string())?;
        let got = run(peer, &[FILE], &dir, b"", LIMIT);
        let found = verdicts(&got.out());
        yes += found.iter().filter(|v| v.value == "T").count();
        no += found.iter().filter(|v| v.value == "F").count();
        if got.code != Some(0) {
            bad += 1;
            let message = got
                .err()
                .lines()
                .find(|l| !l.is_empty())
                .unwrap_or("")
                .to_owned();
            // The same message but for numbers is taken for the same reason.
            let reason = |m: &str| m.replace(|c: char| c.is_ascii_digit(), "");
            let small = shrink(&model, Duration::from_secs(20), &|m| {
                fs::write(dir.join(FILE), m.to_string()).expect("write");
                let again = run(peer, &[FILE], &dir, b"", LIMIT);
                let text = again
                    .err()
                    .lines()
                    .find(|l| !l.is_empty())
                    .unwrap_or("")
                    .to_owned();
                again.code == got.code && reason(&text) == reason(&message)
            });
            eprintln!("seed {seed}: {:?} {message}\n{small}", got.code);
        }
    }
    eprintln!("{bad} of {models} rejected; {yes} properties true, {no} false");
    Ok(())
}

pub fn trials() -> Vec<Trial> {
    let mut trials: Vec<_> = batches()
        .into_iter()
        .map(|b| Trial::test(format!("differential::{}", b.name), move || run_batch(&b)))
        .collect();
    trials.push(Trial::test("tool::rejections", rejections).with_ignored_flag(true));
    trials
}
