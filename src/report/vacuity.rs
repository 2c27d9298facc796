//! What `-vacuity` adds to a verdict: lines that begin with `--   `, and an object in the document.
//!
//! The lines avoid the words that programs look for in verdict lines.

use crate::engine::vacuity::{Analysis, Engine};
use crate::logic::{CtlTree, NodeId, TreeKind};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use smv_grammar::ast::{Ast, Pos};
use smv_grammar::print;
use std::time::Duration;

/// The parts of a formula as the user wrote them.
pub struct Occurrences<'a> {
    /// The tree of the source.
    pub ast: &'a Ast,
    /// The formula, whose nodes know their places in `ast`.
    pub tree: &'a CtlTree,
}

impl Occurrences<'_> {
    fn text(&self, node: NodeId) -> String {
        let mut node = node;
        loop {
            match (self.tree.node(node).source, self.tree.children(node).next()) {
                (Some(source), _) => return print::expr(self.ast, source).trim().to_owned(),
                (None, Some(child)) => node = child,
                (None, None) => return String::new(),
            }
        }
    }

    fn pos(&self, node: NodeId) -> Pos {
        self.ast.pos(self.tree.node(node).span.start)
    }

    fn place(&self, node: NodeId) -> String {
        let Pos { line, column } = self.pos(node);
        format!("{} at {line}:{column}", self.text(node))
    }
}

fn constant(value: bool) -> &'static str {
    if value { "TRUE" } else { "FALSE" }
}

/// The lines of one formula.
pub fn lines(a: &Analysis, at: &Occurrences) -> String {
    let (n, k) = (a.atoms.len(), a.vacuous_atoms());
    let truth = if a.truth { "true" } else { "false" };
    let mut out = match k {
        0 => format!("--   non-vacuously {truth} ({n} atoms)\n"),
        _ if k == n => format!("--   vacuously {truth} (vacuous in all {n} atoms)\n"),
        _ => format!("--   {truth}, vacuous in {k} of {n} atoms\n"),
    };
    for atom in a.atoms.iter().filter(|a| a.vacuous) {
        let by = match atom.polarity.opposing(a.truth) {
            Some(c) => constant(c).to_owned(),
            None => "TRUE or FALSE".to_owned(),
        };
        let (place, sign) = (at.place(atom.node), atom.polarity.sign());
        out += &format!("--   vacuous: {place} (polarity {sign}), can be replaced by {by}\n");
    }
    for &node in &a.antecedent_failures {
        if let TreeKind::Bool(_, left, right) = at.tree.node(node).kind {
            let (left, right) = (at.place(left), at.text(right));
            out += &format!(
                "--   antecedent failure: {left} never holds, so {right} does not matter\n"
            );
        }
    }
    for &node in a.largest.iter().flatten() {
        out += &format!("--   largest vacuous subformula: {}\n", at.place(node));
    }
    if let Some(mutual) = &a.mutual {
        for set in &mutual.sets {
            let members: Vec<String> = set.iter().map(|&i| at.place(a.atoms[i].node)).collect();
            out += &format!("--   replaceable together: {}\n", members.join("; "));
        }
        if !mutual.complete {
            out += "--   (the bound on joint replacements was reached; there may be more sets)\n";
        }
    }
    if let Some(naive) = &a.naive {
        out += &format!(
            "--   naive method: {} formulas, {}\n",
            naive.formulas,
            if naive.agrees {
                "same answer"
            } else {
                "ANOTHER ANSWER: this is a bug, please report it"
            }
        );
    }
    out
}

/// The line before a trace on which the formula fails once an atom is replaced.
pub fn witness_heading(node: NodeId, by: bool, at: &Occurrences) -> String {
    format!(
        "--   {} matters: with {} instead, this happens\n",
        at.place(node),
        constant(by)
    )
}

/// The object `vacuity` of a property.
pub fn json(a: &Analysis, at: &Occurrences) -> Value {
    let class = match a.vacuous_atoms() {
        0 => "non-vacuous",
        k if k == a.atoms.len() => "vacuous",
        _ => "partly",
    };
    let place = |node: NodeId| {
        let Pos { line, column } = at.pos(node);
        json!({"text": at.text(node), "line": line, "column": column})
    };
    let atoms: Vec<Value> = a
        .atoms
        .iter()
        .enumerate()
        .map(|(i, atom)| {
            let Pos { line, column } = at.pos(atom.node);
            json!({
                "n": i + 1,
                "text": at.text(atom.node),
                "line": line,
                "column": column,
                "polarity": atom.polarity.sign(),
                "vacuous": atom.vacuous,
            })
        })
        .collect();
    json!({
        "class": class,
        "atoms": atoms,
        "antecedent_failures": a.antecedent_failures.iter().map(|&n| place(n)).collect::<Vec<_>>(),
        "largest": a.largest.as_ref().map(|l| l.iter().map(|&n| place(n)).collect::<Vec<_>>()),
        "mutual": a.mutual.as_ref().map(|m| {
            m.sets.iter().map(|s| s.iter().map(|i| i + 1).collect::<Vec<_>>()).collect::<Vec<_>>()
        }),
        "mutual_complete": a.mutual.as_ref().map(|m| m.complete),
        "naive_formulas": a.naive.map(|n| n.formulas),
        "naive_agrees": a.naive.map(|n| n.agrees),
        "naive_ms": a.naive.map(|n| n.time.as_secs_f64() * 1e3),
        "pass_ms": a.time.as_secs_f64() * 1e3,
    })
}

/// Sums over all formulas of a run.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Those analysed.
    pub formulas: usize,
    /// Formulas with a vacuous atom.
    pub vacuous: usize,
    /// Occurrences in all of them.
    pub atoms: usize,
    /// CPU time of the plain checks.
    pub check: Duration,
    /// CPU time of the analysis.
    pub pass: Duration,
    /// Formulas that the naive method has checked, one a replacement.
    pub naive_formulas: u64,
    /// CPU time of the naive method.
    pub naive: Duration,
    /// Formulas on which the naive method disagreed.
    pub disagreements: usize,
}

impl Summary {
    /// Of one formula. `check`: CPU time of the plain check.
    pub fn of(a: &Analysis, check: Duration) -> Self {
        let naive = a.naive.as_ref();
        Summary {
            formulas: 1,
            vacuous: usize::from(a.vacuous_atoms() > 0),
            atoms: a.atoms.len(),
            check,
            pass: a.time,
            naive_formulas: naive.map_or(0, |n| n.formulas),
            naive: naive.map_or(Duration::ZERO, |n| n.time),
            disagreements: naive.map_or(0, |n| usize::from(!n.agrees)),
        }
    }

    /// Both together.
    pub fn add(&mut self, other: &Summary) {
        self.formulas += other.formulas;
        self.vacuous += other.vacuous;
        self.atoms += other.atoms;
        self.check += other.check;
        self.pass += other.pass;
        self.naive_formulas += other.naive_formulas;
        self.naive += other.naive;
        self.disagreements += other.disagreements;
    }

    /// The last lines of the run.
    pub fn lines(&self, engine: Engine) -> String {
        let engine = match engine {
            Engine::Words => "words",
            Engine::Selectors => "selectors",
        };
        let pass = self.pass.as_secs_f64();
        let mut out = format!(
            "--   vacuity: {} formulas, {} vacuous, {} atoms, one pass ({engine}) {pass:.3} s\n",
            self.formulas, self.vacuous, self.atoms
        );
        if self.naive_formulas > 0 {
            let naive = self.naive.as_secs_f64();
            out += &format!(
                "--   naive: {} formulas, {naive:.3} s, one pass / naive {:.3}\n",
                self.naive_formulas,
                pass / naive.max(1e-9)
            );
        }
        out
    }

    /// The object `vacuity` of the document.
    pub fn json(&self) -> Value {
        json!({
            "formulas": self.formulas,
            "vacuous": self.vacuous,
            "atoms": self.atoms,
            "check_ms": self.check.as_secs_f64() * 1e3,
            "pass_ms": self.pass.as_secs_f64() * 1e3,
            "naive_formulas": (self.naive_formulas > 0).then_some(self.naive_formulas),
            "naive_ms": (self.naive_formulas > 0).then_some(self.naive.as_secs_f64() * 1e3),
        })
    }
}
