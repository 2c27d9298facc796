//! Traces as a page of their own: a table with a row for each symbol and a column for each step.
//!
//! Values that differ from those of the step before are marked. Nothing is loaded from elsewhere.
//! Inputs and DEFINEs over transitions stand in the column of the step they lead to.

use super::plugin::Steps;
use super::table::{Cell, Column, Table};
use std::fmt::Write;

const STYLE: &str = "\
body{font:14px/1.4 sans-serif;margin:1.5em;color:#222;background:#fff}\
table{border-collapse:collapse}\
th,td{border:1px solid #ccc;padding:.2em .6em;text-align:left;white-space:nowrap}\
td{font-family:monospace}\
thead th{position:sticky;top:0;background:#eee}\
tbody th{position:sticky;left:0;background:#f6f6f6;font-weight:normal;font-family:monospace}\
tr.part th{background:#ddd;font:bold 12px sans-serif}\
td.changed{background:#ffe08a;font-weight:bold}\
th.loop{background:#b9e2b0}\
td.none{color:#aaa}";

/// A page with one trace, or some steps of it.
pub fn write(table: &Table, number: usize, steps: Steps) -> String {
    let mut out = head(&title(table, number));
    section(&mut out, table, number, steps);
    out + "</body>\n</html>\n"
}

/// A page with several traces and their numbers.
pub fn page(traces: &[(usize, Table)]) -> String {
    let mut out = head("Traces");
    for (number, table) in traces {
        section(&mut out, table, *number, 0..=table.len - 1);
    }
    out + "</body>\n</html>\n"
}

fn title(table: &Table, number: usize) -> String {
    format!("Trace {number}: {}", escape(table.description()))
}

fn head(title: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
    )
}

fn section(out: &mut String, table: &Table, number: usize, steps: Steps) {
    let _ = writeln!(out, "<h1>{}</h1>", title(table, number));
    let looped: Vec<String> = (steps.clone())
        .filter(|&i| table.marked[i])
        .map(|i| (i + 1).to_string())
        .collect();
    if !looped.is_empty() {
        let _ = writeln!(
            out,
            "<p>The last state repeats state {}.</p>",
            looped.join(", ")
        );
    }
    out.push_str("<table>\n<thead>\n<tr><th></th>");
    for i in steps.clone() {
        let class = if table.marked[i] {
            " class=\"loop\""
        } else {
            ""
        };
        let _ = write!(out, "<th{class}>{}</th>", i + 1);
    }
    out.push_str("</tr>\n</thead>\n<tbody>\n");
    // A column's values at a step, and from which step on it has some.
    for (title, columns, offset) in [
        ("state", &table.state, 0),
        ("input into the state", &table.input, 0),
        ("transition into the state", &table.combinatorial, 1),
    ] {
        if columns.is_empty() {
            continue;
        }
        let width = steps.clone().count() + 1;
        let _ = writeln!(
            out,
            "<tr class=\"part\"><th colspan=\"{width}\">{title}</th></tr>"
        );
        for column in columns {
            row(out, column, offset, steps.clone());
        }
    }
    out.push_str("</tbody>\n</table>\n");
}

fn row(out: &mut String, column: &Column, offset: usize, steps: Steps) {
    let value = |step: usize| -> Option<&Cell> {
        let at = step.checked_sub(offset)?;
        column.cells.get(at)?.as_ref()
    };
    let _ = write!(out, "<tr><th>{}</th>", escape(&column.name));
    let first = *steps.start();
    for step in steps {
        let Some(cell) = value(step) else {
            out.push_str("<td class=\"none\">-</td>");
            continue;
        };
        let before = (step > first).then(|| value(step - 1)).flatten();
        let class = match before {
            Some(b) if b != cell => " class=\"changed\"",
            _ => "",
        };
        let _ = write!(out, "<td{class}>{}</td>", escape(&cell.to_string()));
    }
    out.push_str("</tr>\n");
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::testing::{BOTH, with_inputs};

    #[test]
    fn changed_values_are_marked() {
        let mut table = with_inputs();
        table.marked[0] = true;
        table.state[0].name = "a<b".to_owned();
        let page = write(&table, 2, BOTH);
        assert!(page.contains("<tr><th>a&lt;b</th><td>0</td><td class=\"changed\">1</td></tr>"));
        assert!(page.contains("<tr><th>d</th><td>1, 2</td><td>1, 2</td></tr>"));
        assert!(page.contains("<tr><th>i</th><td class=\"none\">-</td><td>p</td></tr>"));
        assert!(page.contains("<tr><th>id</th><td class=\"none\">-</td><td>TRUE</td></tr>"));
        assert!(page.contains("<th class=\"loop\">1</th><th>2</th>"));
        assert!(!page.contains("http"));
    }
}
