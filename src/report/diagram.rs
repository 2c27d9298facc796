//! Pictures of decision diagrams (`dump_expr`): Graphviz and daVinci, in the layout of CUDD's writers.
//!
//! Roots with their names → text. Then edges are solid or blue, else edges dashed or green.

use crate::base::deep;
use crate::dd::{GraphNode, VarIndex};
use std::fmt::Write;

/// A named function.
pub struct Root {
    /// Shown beside the root.
    pub name: String,
    /// Below before above; the last one is the root.
    pub nodes: Vec<GraphNode>,
}

/// What the numbers in diagrams mean.
pub struct Legend<'a> {
    /// Names of the variables, from the top level down.
    pub variables: Vec<(VarIndex, String)>,
    /// The text of a terminal, by its number.
    pub leaf: &'a dyn Fn(u32) -> String,
}

impl Legend<'_> {
    fn name(&self, var: VarIndex) -> &str {
        let found = self.variables.iter().find(|(v, _)| *v == var);
        found.map_or("", |(_, name)| name)
    }
}

fn quote(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The number of a node: that of its root's first one, plus its place.
fn number(roots: &[Root], root: usize, node: usize) -> String {
    let before: usize = roots[..root].iter().map(|r| r.nodes.len()).sum();
    format!("{:x}", before + node)
}

/// All nodes with their numbers.
fn all(roots: &[Root]) -> impl Iterator<Item = (usize, usize, GraphNode)> + '_ {
    let of = |(r, root)| {
        let root: &Root = root;
        root.nodes.iter().enumerate().map(move |(i, n)| (r, i, *n))
    };
    roots.iter().enumerate().flat_map(of)
}

/// Graphviz.
pub fn dot(roots: &[Root], legend: &Legend) -> String {
    let id = |r: usize, i: usize| number(roots, r, i);
    let mut out = String::from(
        "digraph \"DD\" {\nsize = \"7.5,10\"\ncenter = true;\nedge [dir = none];\n\
         { node [shape = plaintext];\n  edge [style = invis];\n  \"CONST NODES\" [style = invis];\n",
    );
    let occurs = |var: VarIndex| {
        all(roots).any(|(.., n)| matches!(n, GraphNode::Branch { var: v, .. } if v == var))
    };
    let levels: Vec<&(VarIndex, String)> = legend
        .variables
        .iter()
        .filter(|(v, _)| occurs(*v))
        .collect();
    for (_, name) in &levels {
        let _ = write!(out, "\" {} \" -> ", quote(name));
    }
    out += "\"CONST NODES\"; \n}\n{ rank = same; node [shape = box]; edge [style = invis];\n";
    let names: Vec<String> = roots
        .iter()
        .map(|r| format!("\"  {}  \"", quote(&r.name)))
        .collect();
    let _ = writeln!(out, "{}; }}", names.join(" -> "));
    for (var, name) in levels {
        let _ = writeln!(out, "{{ rank = same; \" {} \";", quote(name));
        for (r, i, node) in all(roots) {
            if matches!(node, GraphNode::Branch { var: v, .. } if v == *var) {
                let _ = writeln!(out, "\"{}\";", id(r, i));
            }
        }
        out += "}\n";
    }
    let labels: Vec<String> = all(roots)
        .filter_map(|(r, i, node)| match node {
            GraphNode::Leaf(n) => Some(format!(
                "\"{}\" [label = \"{}\"];\n",
                id(r, i),
                quote(&(legend.leaf)(n))
            )),
            GraphNode::Branch { .. } => None,
        })
        .collect();
    let labels = labels.concat();
    let _ = write!(
        out,
        "{{ rank = same; \"CONST NODES\";\n{{ node [shape = box]; {labels}}}\n}}\n"
    );
    for (r, root) in roots.iter().enumerate() {
        let top = id(r, root.nodes.len().saturating_sub(1));
        let _ = writeln!(
            out,
            "\"  {}  \" -> \"{top}\" [style = solid];",
            quote(&root.name)
        );
    }
    for (r, i, node) in all(roots) {
        if let GraphNode::Branch {
            then, otherwise, ..
        } = node
        {
            let (t, e) = (id(r, then), id(r, otherwise));
            let _ = writeln!(
                out,
                "\"{0}\" -> \"{t}\";\n\"{0}\" -> \"{e}\" [style = dashed];",
                id(r, i)
            );
        }
    }
    out + &labels + "}\n"
}

/// The terms of daVinci (uDraw).
pub fn davinci(roots: &[Root], legend: &Legend) -> String {
    let mut out = String::from("[");
    for (r, root) in roots.iter().enumerate() {
        if r > 0 {
            out.push(',');
        }
        let name = quote(&root.name);
        let _ = write!(
            out,
            "l(\"{name}\",n(\"root\",[a(\"OBJECT\",\"{name}\")],\
             [e(\"edge\",[a(\"EDGECOLOR\",\"blue\"),a(\"_DIR\",\"none\")],"
        );
        let mut seen = vec![false; root.nodes.len()];
        term(
            &mut out,
            roots,
            r,
            root.nodes.len().saturating_sub(1),
            legend,
            &mut seen,
        );
        out += ")]))";
    }
    out + "]\n"
}

fn term(out: &mut String, roots: &[Root], r: usize, i: usize, legend: &Legend, seen: &mut [bool]) {
    let id = number(roots, r, i);
    if std::mem::replace(&mut seen[i], true) {
        let _ = write!(out, "r(\"{id}\")");
        return;
    }
    match roots[r].nodes[i] {
        GraphNode::Leaf(n) => {
            let text = quote(&(legend.leaf)(n));
            let _ = write!(
                out,
                "l(\"{id}\",n(\"constant\",[a(\"OBJECT\",\"{text}\")],[]))"
            );
        }
        GraphNode::Branch {
            var,
            then,
            otherwise,
        } => {
            let name = quote(legend.name(var));
            let _ = write!(
                out,
                "l(\"{id}\",n(\"internal\",[a(\"OBJECT\",\"{name}\"),a(\"_GO\",\"ellipse\")],["
            );
            for (kind, color, to) in [("then", "blue", then), ("else", "green", otherwise)] {
                let _ = write!(
                    out,
                    "e(\"{kind}\",[a(\"EDGECOLOR\",\"{color}\"),a(\"_DIR\",\"none\")],"
                );
                deep(|| term(out, roots, r, to, legend, seen));
                out.push(')');
                if kind == "then" {
                    out.push(',');
                }
            }
            out.push_str("]))");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn xor() -> Root {
        let branch = |var, then, otherwise| GraphNode::Branch {
            var,
            then,
            otherwise,
        };
        Root {
            name: "x xor y".to_owned(),
            nodes: vec![
                GraphNode::Leaf(0),
                GraphNode::Leaf(1),
                branch(1, 0, 1),
                branch(1, 1, 0),
                branch(0, 2, 3),
            ],
        }
    }

    #[test]
    fn levels_then_constants_then_edges() {
        let legend = Legend {
            variables: vec![(0, "x".into()), (1, "y".into()), (2, "z".into())],
            leaf: &|n| ["FALSE", "TRUE"][n as usize].to_owned(),
        };
        let text = dot(&[xor()], &legend);
        assert!(text.contains("\" x \" -> \" y \" -> \"CONST NODES\"; \n"));
        assert!(text.contains("{ rank = same; \" y \";\n\"2\";\n\"3\";\n}\n"));
        assert!(text.contains("\"4\" -> \"2\";\n\"4\" -> \"3\" [style = dashed];\n"));
        assert!(text.ends_with("\"0\" [label = \"FALSE\"];\n\"1\" [label = \"TRUE\"];\n}\n"));
        let text = davinci(&[xor()], &legend);
        assert_eq!(text.matches("l(\"").count(), 6);
        assert_eq!(text.matches("r(\"").count(), 2);
        assert_eq!(text.matches('(').count(), text.matches(')').count());
    }
}
