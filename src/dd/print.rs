//! Text forms of Boolean functions: factored form and Graphviz.

use std::fmt::Write;

use super::VarIndex;
use super::bdd::Bdd;
use super::ffi::Node;
use super::{count, handle::Handle};

impl Bdd {
    /// A formula that follows the diagram, in the text NuSMV-a prints for `-a`:
    /// `x & (then) | !x & (else)`, with trivial parts left out. It may be exponentially larger than
    /// the diagram.
    pub fn factored_form(&self, name: &dyn Fn(VarIndex) -> String) -> String {
        if self.is_const() {
            return if self.is_one() {
                "TRUE".into()
            } else {
                "FALSE".into()
            };
        }
        let mut text = String::new();
        let root = self.0.node;
        self.0.inner.deep(|| {
            if root.is_complement() {
                text.push_str("!(");
                factored(root.regular(), name, &mut text);
                text.push(')');
            } else {
                factored(root, name, &mut text);
            }
        });
        text
    }

    /// Graphviz text of several functions: solid then edges, dashed else edges, dotted
    /// complemented ones; nodes are numbered in the order they are reached.
    pub fn dot(roots: &[(&str, &Bdd)], name: &dyn Fn(VarIndex) -> String) -> String {
        let handles: Vec<&Handle> = roots.iter().map(|(_, bdd)| &bdd.0).collect();
        let mut numbers = rustc_hash::FxHashMap::default();
        let mut order = Vec::new();
        count::visit(&handles, |node| {
            numbers.insert(node, order.len());
            order.push(node);
        });
        let mut text = String::from("digraph \"DD\" {\n");
        let quote = |s: &str| format!("\"{}\"", s.replace('\\', "\\\\").replace('"', "\\\""));
        // Writing to a String cannot fail.
        for (i, (label, bdd)) in roots.iter().enumerate() {
            let style = if bdd.0.node.is_complement() {
                "dotted"
            } else {
                "solid"
            };
            let target = numbers[&bdd.0.node.regular()];
            let _ = writeln!(text, "  r{i} [label={}, shape=plaintext];", quote(label));
            let _ = writeln!(text, "  r{i} -> n{target} [style={style}];");
        }
        for (i, node) in order.iter().enumerate() {
            let Some(var) = node.var() else {
                let _ = writeln!(text, "  n{i} [label=\"1\", shape=box];");
                continue;
            };
            let (t, e) = node.children();
            let style = if e.is_complement() {
                "dotted"
            } else {
                "dashed"
            };
            let _ = writeln!(text, "  n{i} [label={}];", quote(&name(var)));
            let _ = writeln!(text, "  n{i} -> n{};", numbers[&t]);
            let _ = writeln!(
                text,
                "  n{i} -> n{} [style={style}];",
                numbers[&e.regular()]
            );
        }
        text.push_str("}\n");
        text
    }
}

/// Is this edge the constant true (complemented: false)?
fn is_one(node: Node) -> bool {
    node.is_const() && !node.is_complement()
}

/// `node` is regular and no constant. The then edge of a regular node is never complemented, so
/// it is never false.
fn factored(node: Node, name: &dyn Fn(VarIndex) -> String, text: &mut String) {
    let Some(var) = node.var() else { return };
    let (t, e) = node.children();
    if !is_one(e) {
        text.push_str(&name(var));
    }
    if !is_one(t) {
        text.push_str(if is_one(e) { "(" } else { " & (" });
        factored(t, name, text);
        text.push(')');
    }
    if e.is_const() && e.is_complement() {
        return;
    }
    text.push_str(" | ");
    if !is_one(t) {
        text.push('!');
        text.push_str(&name(var));
    }
    if !is_one(e) {
        text.push_str(if is_one(t) { "" } else { " & " });
        text.push_str(if e.is_complement() { "!(" } else { "(" });
        factored(e.regular(), name, text);
        text.push(')');
    }
}
