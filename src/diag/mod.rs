//! Diagnostics: one value, two renderings.
//!
//! [`Diagnostic::nusmv`] gives the exact bytes NuSMV 2.6.0 writes to stderr; [`caret::render`]
//! gives the same text with the source line, column, a caret and [`advice()`], for terminals.
//! Deliberately absent: printing, streams, exit codes (module `cli`).

mod advice;
pub mod caret;

pub use advice::advice;

use smv_grammar::ast::{Site, Span};

/// How NuSMV frames a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// `\nfile F: line N: text\n`
    Model,
    /// The same and a blank line: errors raised while expressions are flattened or evaluated.
    ModelBlank,
    /// `file F: line N: text\n`, without the leading blank line.
    Tail,
    /// `\nTYPE ERROR file F: line N : text\n`
    TypeError,
    /// `\nTYPE WARNING file F: line N : text\n`
    TypeWarning,
    /// `WARNING (file F, line N) : text\n`
    Deprecated,
    /// The text and a line end, nothing else.
    Bare,
}

/// Error or warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The run ends without verdicts on what is wrong.
    Error,
    /// The run goes on.
    Warning,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where it goes in the JSON document: errors end it, warnings are remarks.
    pub severity: Severity,
    /// What stands around the text.
    pub frame: Frame,
    /// Line as NuSMV counts it; `None` where it names none.
    pub line: Option<i64>,
    /// NuSMV's wording, possibly of several lines.
    pub text: String,
    /// Place in the source, for the caret rendering.
    pub span: Option<Span>,
}

impl Diagnostic {
    /// An error in the frame of declarations: `\nfile F: line N: text\n`.
    pub fn model(site: Site, text: impl Into<String>) -> Self {
        Self::error(Frame::Model, site, text)
    }

    /// An error in the frame of expressions: as [`Self::model`] with a blank line behind.
    pub fn expression(site: Site, text: impl Into<String>) -> Self {
        Self::error(Frame::ModelBlank, site, text)
    }

    /// The second part of a message: no blank line comes first.
    pub fn tail(site: Site, text: impl Into<String>) -> Self {
        Self::error(Frame::Tail, site, text)
    }

    /// `TYPE ERROR` at an expression.
    pub fn type_error(site: Site, text: impl Into<String>) -> Self {
        Self::error(Frame::TypeError, site, text)
    }

    /// `TYPE WARNING` at an expression.
    pub fn type_warning(site: Site, text: impl Into<String>) -> Self {
        Self::new(Severity::Warning, Frame::TypeWarning, site, text)
    }

    /// A deprecated notation.
    pub fn deprecated(site: Site, text: impl Into<String>) -> Self {
        Self::new(Severity::Warning, Frame::Deprecated, site, text)
    }

    /// A message without file and line.
    pub fn bare(severity: Severity, text: impl Into<String>) -> Self {
        Diagnostic {
            severity,
            frame: Frame::Bare,
            line: None,
            text: text.into(),
            span: None,
        }
    }

    fn error(frame: Frame, site: Site, text: impl Into<String>) -> Self {
        Self::new(Severity::Error, frame, site, text)
    }

    fn new(severity: Severity, frame: Frame, site: Site, text: impl Into<String>) -> Self {
        Diagnostic {
            severity,
            frame,
            line: (site.line > 0).then_some(i64::from(site.line)),
            text: text.into(),
            span: Some(site.span),
        }
    }

    /// The bytes NuSMV writes for this message, `file` being the name given to it.
    pub fn nusmv(&self, file: &str) -> String {
        let text = &self.text;
        let place = |colon: &str| match self.line {
            Some(line) => format!("file {file}: line {line}{colon} "),
            None => format!("file {file}: "),
        };
        match self.frame {
            Frame::Model => format!("\n{}{text}\n", place(":")),
            Frame::ModelBlank => format!("\n{}{text}\n\n", place(":")),
            Frame::Tail => format!("{}{text}\n", place(":")),
            Frame::TypeError => format!("\nTYPE ERROR {}{text}\n", place(" :")),
            Frame::TypeWarning => format!("\nTYPE WARNING {}{text}\n", place(" :")),
            Frame::Deprecated => {
                format!(
                    "WARNING (file {file}, line {}) : {text}\n",
                    self.line.unwrap_or(0)
                )
            }
            Frame::Bare => format!("{text}\n"),
        }
    }
}

/// NuSMV's frame around a warning; a blank line comes first.
pub fn block(lines: &[&str]) -> String {
    format!(
        "\n********   WARNING   ********\n{}\n******** END WARNING ********\n",
        lines.join("\n")
    )
}

/// Messages in the order of their appearance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    /// In the order in which they were found.
    pub items: Vec<Diagnostic>,
    /// Raised where NuSMV still reads the file: it then says "Aborting batch mode" once only.
    pub while_reading: bool,
    /// Raised at the properties, when NuSMV has said already that the model has processes.
    pub processes: bool,
    /// Likewise, that it has COMPASSION.
    pub compassion: bool,
}

impl From<Diagnostic> for Diagnostics {
    fn from(d: Diagnostic) -> Self {
        Diagnostics {
            items: vec![d],
            ..Diagnostics::default()
        }
    }
}

impl std::fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let texts: Vec<&str> = self.items.iter().map(|d| d.text.as_str()).collect();
        f.write_str(&texts.join("; "))
    }
}

impl std::error::Error for Diagnostics {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_byte_exact() {
        let s = Span::default();
        let d = Diagnostic::expression(Site::new(s, 3), "\"y\" undefined");
        assert_eq!(d.nusmv("F"), "\nfile F: line 3: \"y\" undefined\n\n");
        let d = Diagnostic::model(Site::new(s, 2), "too many actual parameters");
        assert_eq!(
            d.nusmv("F"),
            "\nfile F: line 2: too many actual parameters\n"
        );
        let d = Diagnostic::type_error(Site::new(s, 3), "t");
        assert_eq!(d.nusmv("F"), "\nTYPE ERROR file F: line 3 : t\n");
        let d = Diagnostic::model(Site::new(s, 0), "\"main\" undefined");
        assert_eq!(d.nusmv("F"), "\nfile F: \"main\" undefined\n");
    }
}
