//! All Kripke structures of up to two states, and all transition relations over three states with
//! a choice of labels, × all operators: the program's verdicts beside the brute-force evaluator's
//! ([`super::kripke`]). On a failure the structure is printed with all its wrong verdicts.

use super::kripke::{Ctl, Kripke, Set};
use super::output::verdicts;
use super::run::{product, run, scratch};
use libtest_mimic::{Failed, Trial};
use std::path::Path;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(20);

/// One formula per operator and argument shape, and some nestings.
fn formulas() -> Vec<Ctl> {
    use Ctl::*;
    let p = || Box::new(P);
    let q = || Box::new(Q);
    let not = |a| Box::new(Not(a));
    let mut all = vec![P, *not(p()), True, And(p(), q())];
    for op in ["EX", "AX", "EF", "AF", "EG", "AG"] {
        all.push(Path(op, p()));
        for inner in ["EX", "AF", "EG"] {
            all.push(Path(op, Box::new(Path(inner, q()))));
        }
    }
    for quantifier in ['E', 'A'] {
        all.push(Until(quantifier, p(), q()));
        all.push(Until(quantifier, not(q()), Box::new(Path("EG", p()))));
        for (lo, hi) in [(0, 0), (0, 2), (1, 2)] {
            all.push(BoundedUntil(quantifier, lo, hi, p(), q()));
        }
    }
    for op in ["EBF", "ABF", "EBG", "ABG"] {
        for (lo, hi) in [(0, 1), (1, 1), (1, 3)] {
            all.push(Bounded(op, lo, hi, p()));
        }
    }
    all.push(Path(
        "AG",
        Box::new(Or(not(p()), Box::new(Path("AF", q())))),
    ));
    all.push(Not(Box::new(Path(
        "EX",
        Box::new(And(p(), Box::new(Path("AX", q())))),
    ))));
    all
}

/// The structures of a family: every relation over `states` states for each label choice.
fn structures(states: u32, labels: &[(Set, Set)], inits: &[Set], fair: bool) -> Vec<Kripke> {
    let mut all = Vec::new();
    let mask = (1u32 << states) - 1;
    for relation in 0..1u32 << (states * states) {
        for &(p, q) in labels {
            for &init in inits {
                let next = (0..states)
                    .map(|s| (relation >> (s * states) & mask) as Set)
                    .collect();
                let justice = if fair { vec![q] } else { Vec::new() };
                all.push(Kripke {
                    states,
                    next,
                    init,
                    p,
                    q,
                    justice,
                });
            }
        }
    }
    all
}

/// The formulas with the text by which the program calls them.
fn named(dir: &Path) -> Result<Vec<(Ctl, String)>, Failed> {
    let formulas = formulas();
    std::fs::write(
        dir.join("model.smv"),
        structures(1, &[(1, 1)], &[1], false)[0].smv() + &specs(),
    )?;
    let got = run(&product(), &["-lp", "model.smv"], dir, b"", LIMIT);
    let list = got.out();
    let texts: Vec<_> = list
        .lines()
        .filter_map(|l| l.split_once(" :").filter(|(n, _)| n.parse::<u32>().is_ok()))
        .map(|(_, text)| format!("-- specification {text} is "))
        .collect();
    if texts.len() != formulas.len() {
        return Err(format!("-lp does not list the properties\n{}{list}", got.err()).into());
    }
    Ok(formulas.into_iter().zip(texts).collect())
}

fn specs() -> String {
    formulas().iter().map(|f| format!("SPEC {f};\n")).collect()
}

fn check(structure: &Kripke, formulas: &[(Ctl, String)], dir: &Path) -> Result<(), String> {
    let model = structure.smv() + &specs();
    std::fs::write(dir.join("model.smv"), &model).expect("write the model");
    let got = run(&product(), &["-dcx", "model.smv"], dir, b"", LIMIT);
    let found = verdicts(&got.out());
    if got.code != Some(0) || found.len() != formulas.len() {
        return Err(format!("{model}\n{}{}", got.out(), got.err()));
    }
    let mut wrong = String::new();
    for (formula, text) in formulas {
        let expected = structure.holds(formula);
        let line = format!("{text}{expected}");
        if !found.iter().any(|v| v.line == line) {
            wrong += &format!("not found: {line}\n");
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(format!("{}{wrong}", structure.smv()))
    }
}

fn family(structures: &[Kripke]) -> Result<(), Failed> {
    let dir = scratch("worlds");
    let formulas = named(&dir)?;
    let mut wrong = Vec::new();
    for structure in structures {
        if let Err(text) = check(structure, &formulas, &dir) {
            wrong.push(text);
            if wrong.len() == 3 {
                break;
            }
        }
    }
    std::fs::remove_dir_all(&dir)?;
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.join("\n").into())
    }
}

pub fn trials() -> Vec<Trial> {
    let every = |states: u32| -> Vec<(Set, Set)> {
        let n: Set = 1 << states;
        (0..n).flat_map(|p| (0..n).map(move |q| (p, q))).collect()
    };
    let one = move || family(&structures(1, &every(1), &[0, 1], false));
    let two = move || family(&structures(2, &every(2), &[1, 3], false));
    let two_fair = move || family(&structures(2, &every(2), &[1], true));
    let three = || family(&structures(3, &[(0b001, 0b100)], &[0b001], false));
    let three_fair = || family(&structures(3, &[(0b011, 0b101)], &[0b111], true));
    vec![
        Trial::test("worlds::one_state", one),
        Trial::test("worlds::two_states", two),
        Trial::test("worlds::two_states_fair", two_fair),
        Trial::test("worlds::three_states", three),
        Trial::test("worlds::three_states_fair", three_fair),
    ]
}
