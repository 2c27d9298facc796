//! Errors and warnings on stderr: NuSMV's bytes, its way to end, and for people the source line.

use super::console::Console;
use super::exit::Exit;
use super::load::LoadError;
use crate::diag::{Diagnostic, Severity, advice, caret};
use smv_grammar::SyntaxErrorKind;
use smv_grammar::ast::{Ast, Site};

/// What follows an error raised after parsing.
pub const ABORT: &str =
    "\nAborting batch mode\n\nNuSMV terminated by a signal\n\nAborting batch mode\n";

/// What follows an error raised while parsing.
pub const ABORT_PARSER: &str = "\nNuSMV terminated by a signal\n\nAborting batch mode\n";

/// Reports that there is no source tree.
pub fn load_error(console: &mut Console, error: &LoadError, shell: bool) -> Exit {
    let (abort, abort_parser) = if shell {
        ("", "")
    } else {
        (ABORT, ABORT_PARSER)
    };
    match error {
        LoadError::NoInput => {
            console.err(format!("{error}\n{abort}"));
            console.fail(Exit::Model, &error.to_string(), None);
            Exit::Model
        }
        LoadError::Open(file) => {
            console.err(format!("\nfile {file}: line 1: {error}\n{abort_parser}"));
            console.fail(Exit::Model, &error.to_string(), None);
            Exit::Model
        }
        LoadError::ModuleTwice { file, .. } => {
            console.err(format!("\nfile {file}: {error}\n{abort_parser}"));
            console.fail(Exit::Model, &error.to_string(), None);
            Exit::Model
        }
        LoadError::Read => {
            console.err(format!("{error}\n"));
            console.fail(Exit::Help, &error.to_string(), None);
            Exit::Help
        }
        LoadError::Preprocess(_) => {
            console.err(format!("{error}\n{abort}"));
            console.fail(Exit::Model, &error.to_string(), None);
            Exit::Model
        }
        LoadError::Syntax { file, text, errors } => {
            let starts = Ast {
                line_starts: line_starts(text),
                ..Ast::default()
            };
            for e in errors {
                let shown = e.render(file);
                let whole = matches!(e.kind, SyntaxErrorKind::Directive(_));
                console.err(if shell && !whole { once(&shown) } else { shown });
                let d = Diagnostic::model(Site::new(e.span, e.line), e.message());
                explain(console, &d, file, text, &starts);
                console.fail(Exit::Model, &e.message(), Some((e.pos.line, e.pos.column)));
            }
            console.err(abort_parser);
            Exit::Model
        }
    }
}

/// A syntax error as NuSMV tells it outside batch mode, where it says a second time that there was one.
pub fn once(text: &[u8]) -> Vec<u8> {
    let again = text.windows(3).skip(1).position(|w| w == b"\n\n\n");
    match again {
        Some(at) => [&text[..=at], b"\n"].concat(),
        None => text.to_owned(),
    }
}

/// Writes one diagnostic of the model and records it in the document.
pub fn diagnostic(console: &mut Console, d: &Diagnostic, file: &str, text: &str, ast: &Ast) {
    console.err(d.nusmv(file));
    explain(console, d, file, text, ast);
    // The place in the file where it is known, else the line NuSMV names.
    let place = match d.span.filter(|s| s.end > s.start) {
        Some(span) => {
            let pos = ast.pos(span.start);
            Some((pos.line, pos.column))
        }
        None => d.line.map(|line| (line as u32, 1)),
    };
    match d.severity {
        Severity::Error => console.fail(Exit::Model, d.text.trim(), place),
        Severity::Warning => {
            if let Some(document) = console.document() {
                document.remark("model", d.text.trim(), place);
            }
        }
    }
}

/// At a terminal, shows the place.
fn explain(console: &mut Console, d: &Diagnostic, file: &str, text: &str, ast: &Ast) {
    if !console.explains() {
        return;
    }
    let placed = d.span.is_some_and(|s| s.end > s.start);
    if placed || advice(d, text, ast).is_some() {
        let picture = caret::render(d, file, text, ast, console.color());
        console.err(picture);
    }
}

fn line_starts(text: &str) -> Vec<u32> {
    let breaks = text.bytes().enumerate().filter(|&(_, b)| b == b'\n');
    std::iter::once(0)
        .chain(breaks.map(|(i, _)| i as u32 + 1))
        .collect()
}
