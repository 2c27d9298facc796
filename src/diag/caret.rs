//! Diagnostics for terminals: message, place, source line and caret.
//!
//! ```text
//! error: "y" undefined
//!   --> model.smv:3:14
//!    |
//!  3 | ASSIGN x := y;
//!    |             ^
//! ```

use super::{Diagnostic, Severity, advice};
use smv_grammar::ast::Ast;

/// Renders `d` against its source. `color` turns on ANSI colors. Ends with a line end.
pub fn render(d: &Diagnostic, file: &str, text: &str, ast: &Ast, color: bool) -> String {
    let (word, ansi) = match d.severity {
        Severity::Error => ("error", "31"),
        Severity::Warning => ("warning", "33"),
    };
    let paint = |s: &str, code: &str| {
        if color {
            format!("\x1b[1;{code}m{s}\x1b[0m")
        } else {
            s.to_owned()
        }
    };
    let mut out = format!(
        "{}: {}\n",
        paint(word, ansi),
        d.text.trim_end().replace('\n', "\n  ")
    );
    match (d.span, d.line) {
        (Some(span), _) if span.end > span.start && (span.start as usize) < text.len() => {
            let pos = ast.pos(span.start);
            let line = source_line(text, span.start as usize);
            let gutter = pos.line.to_string();
            let pad = " ".repeat(gutter.len());
            out += &format!(
                "{pad} {} {file}:{}:{}\n",
                paint("-->", "34"),
                pos.line,
                pos.column
            );
            out += &format!("{pad} {}\n", paint("|", "34"));
            out += &format!(
                "{} {} {}\n",
                paint(&gutter, "34"),
                paint("|", "34"),
                line.replace('\t', " ")
            );
            // Columns count bytes; the caret counts characters.
            let before = clip(line, pos.column as usize - 1).chars().count();
            let width = (span.end - span.start) as usize;
            let marked = clip(line, pos.column as usize - 1 + width).chars().count();
            let carets = "^".repeat(marked.saturating_sub(before).max(1));
            let caret = paint(&carets, ansi);
            out += &format!("{pad} {} {}{caret}\n", paint("|", "34"), " ".repeat(before));
        }
        (_, Some(line)) => out += &format!("  {} {file}:{line}\n", paint("-->", "34")),
        _ => {}
    }
    if let Some(help) = advice(d, text, ast) {
        out += &format!("  {}: {help}\n", paint("help", "36"));
    }
    out
}

/// The line of `text` that holds byte `offset`, without its end.
fn source_line(text: &str, offset: usize) -> &str {
    let bytes = text.as_bytes();
    let start = bytes[..offset]
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |i| i + 1);
    let end = bytes[offset..]
        .iter()
        .position(|&b| b == b'\n')
        .map_or(bytes.len(), |i| offset + i);
    text.get(start..end).unwrap_or("").trim_end_matches('\r')
}

/// The first `n` bytes of `s`, shortened to a character boundary.
fn clip(s: &str, n: usize) -> &str {
    let mut n = n.min(s.len());
    while !s.is_char_boundary(n) {
        n -= 1;
    }
    &s[..n]
}

#[cfg(test)]
mod tests {
    use super::*;
    use smv_grammar::ast::Site;
    use smv_grammar::ast::Span;

    #[test]
    fn caret_points_at_the_span() {
        let text = "MODULE main\nINIT yy;\n";
        let ast = Ast {
            line_starts: vec![0, 12, 21],
            ..Ast::default()
        };
        let d = Diagnostic::expression(
            Site::new(Span { start: 17, end: 19 }, 2),
            "\"yy\" undefined",
        );
        let want = "error: \"yy\" undefined\n  --> f.smv:2:6\n  |\n2 | INIT yy;\n  |      ^^\n";
        assert_eq!(render(&d, "f.smv", text, &ast, false), want);
    }
}
