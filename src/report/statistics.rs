//! What `-v 1` says about sizes: of the machine, and of the decision diagrams at the end.

use crate::dd::Stats;
use crate::encode::BddFsm;
use std::fmt::Write;

/// Sizes in nodes of the parts of a machine.
pub fn machine(fsm: &BddFsm) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "BDD nodes of the initial states: {}", fsm.init.size());
    let _ = writeln!(
        out,
        "BDD nodes of the state constraints: {}",
        fsm.invar.size()
    );
    let sizes: Vec<String> = fsm
        .trans
        .clusters()
        .iter()
        .map(|c| c.size().to_string())
        .collect();
    let _ = writeln!(
        out,
        "BDD nodes of the {} clusters of the transition relation: {}",
        sizes.len(),
        sizes.join(" ")
    );
    out
}

/// Nodes, memory and effort of a manager.
pub fn diagrams(s: &Stats) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "BDD variables: {}", s.vars);
    let _ = writeln!(
        out,
        "BDD nodes, live and at most: {} {}",
        s.live_nodes, s.peak_live_nodes
    );
    let _ = writeln!(out, "Memory of decision diagrams: {} KB", s.memory / 1024);
    let _ = writeln!(
        out,
        "Computed table: {} entries, {} of {} lookups found",
        s.cache_slots, s.cache_hits, s.cache_lookups
    );
    let _ = writeln!(
        out,
        "Garbage collections: {}, {} ms",
        s.collections, s.collection_ms
    );
    let _ = writeln!(
        out,
        "Reorderings: {}, {} ms",
        s.reorderings, s.reordering_ms
    );
    out
}
