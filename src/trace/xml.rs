//! Traces in NuSMV's XML (plugins 4, a document, and 6, an element), written.
//!
//! A `node` holds a state, then the DEFINEs over the transition out of it and the inputs of that
//! transition, which carry the number of the state they lead to. `loops` lists the steps marked as loop
//! starts. [`super::xml_read`] reads it back.

use super::plugin::Steps;
use super::table::{Cell, Column, Table};
use std::fmt::Write;

/// The element with the declaration of an XML document before it.
pub fn document(table: &Table, number: usize, steps: Steps) -> String {
    let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    declaration.to_owned() + &element(table, number, steps)
}

/// `<counter-example …>` with some steps of the table.
pub fn element(table: &Table, number: usize, steps: Steps) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<counter-example type=\"{}\" id=\"{number}\" desc=\"{}\" >",
        table.code(),
        escape_attribute(table.description())
    );
    let (first, last) = (*steps.start(), *steps.end());
    for i in steps {
        if i > 0 {
            unless_empty(&mut out, "combinatorial", i, &table.combinatorial, i - 1);
            unless_empty(&mut out, "input", i, &table.input, i);
            if i > first {
                out.push_str("\t</node>\n");
            }
        }
        out.push_str("\t<node>\n");
        section(&mut out, "state", i, &table.state, i);
    }
    out.push_str("\t</node>\n");
    let loops: Vec<String> = (first..=last)
        .filter(|&i| table.marked[i])
        .map(|i| format!("{} ", i + 1))
        .collect();
    let _ = writeln!(out, "\t<loops> {}</loops>", loops.join(","));
    out.push_str("</counter-example>\n");
    out
}

/// The section where something stands in it: a state is written always, since its number counts it.
fn unless_empty(out: &mut String, tag: &str, id: usize, columns: &[Column], step: usize) {
    if columns.iter().any(|c| c.cells[step].is_some()) {
        section(out, tag, id, columns, step);
    }
}

fn section(out: &mut String, tag: &str, id: usize, columns: &[Column], step: usize) {
    let _ = writeln!(out, "\t\t<{tag} id=\"{}\">", id + 1);
    for c in columns {
        if let Some(cell) = &c.cells[step] {
            let name = escape(&c.name);
            let value = escape_cell(cell);
            let _ = writeln!(out, "\t\t\t<value variable=\"{name}\">{value}</value>");
        }
    }
    let _ = writeln!(out, "\t\t</{tag}>");
}

/// In a set only what stands before the comma has its blanks escaped.
fn escape_cell(cell: &Cell) -> String {
    let text = cell.to_string();
    match (cell, text.rsplit_once(", ")) {
        (Cell::Set(_), Some((init, last))) => format!("{}, {}", escape(init), escape(last)),
        _ => escape(&text),
    }
}

/// Blanks stay as they are in a description.
fn escape_attribute(text: &str) -> String {
    escape(text).replace("&#032;", " ")
}

fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            ' ' => out.push_str("&#032;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::testing::{BOTH, with_inputs};

    #[test]
    fn nodes_end_with_the_inputs_that_lead_on() {
        let mut table = with_inputs();
        table.marked[0] = true;
        let text = element(&table, 3, BOTH);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let expected = [
            "<counter-example type=\"0\" id=\"3\" desc=\"CTL Counterexample\" >",
            "<node>",
            "<state id=\"1\">",
            "<value variable=\"x\">0</value>",
            "<value variable=\"d\">1, 2</value>",
            "</state>",
            "<combinatorial id=\"2\">",
            "<value variable=\"id\">TRUE</value>",
            "<value variable=\"nd\">FALSE</value>",
            "</combinatorial>",
            "<input id=\"2\">",
            "<value variable=\"i\">p</value>",
            "</input>",
            "</node>",
            "<node>",
            "<state id=\"2\">",
            "<value variable=\"x\">1</value>",
            "<value variable=\"d\">1, 2</value>",
            "</state>",
            "</node>",
            "<loops> 1 </loops>",
            "</counter-example>",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_slice_begins_with_the_transition_into_it() {
        let text = element(&with_inputs(), 1, 1..=1);
        assert!(text.contains("<counter-example type=\"0\" id=\"1\" desc=\"CTL Counterexample\" >\n\t\t<combinatorial id=\"2\">"));
        assert_eq!(text.matches("<node>").count(), 1);
        assert_eq!(text.matches("</node>").count(), 1);
    }

    #[test]
    fn blanks_are_escaped_before_the_comma() {
        let set = Cell::Set((1..=4).map(Cell::Int).collect());
        assert_eq!(
            escape_cell(&set),
            "(1&#032;union&#032;2)&#032;union&#032;3, 4"
        );
    }
}
