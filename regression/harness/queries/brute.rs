//! The solutions of queries over small structures, found by trying each minterm and each set of them.

use super::Solutions;
use crate::kripke::{Ctl, Kripke, Set};
use serde_json::Value;

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
pub fn expected(k: &Kripke, query: &Ctl, over: &[&str]) -> (Solutions, Solutions) {
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
pub fn strongest(k: &Kripke, query: &Ctl, over: &[&str]) -> Option<Vec<Vec<String>>> {
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
pub fn read_strongest(list: &Value) -> Vec<Vec<String>> {
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
