//! Why a model has no encoding.

use crate::dd::DdError;
use crate::model::arith::EvalError;
use crate::model::{FailKind, VarId};

/// Failures found while expressions become diagrams.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages tell")]
pub enum EncodeError {
    #[error(transparent)]
    Dd(#[from] DdError),
    /// An expression has no value for some values of its variables.
    #[error("line {line}: expression without value")]
    Fail { kind: FailKind, line: u32 },
    /// An assignment can give a value outside the range of its variable.
    #[error("line {line}: cannot assign value {value} to variable {name}")]
    Range {
        line: u32,
        value: String,
        name: String,
        var: VarId,
    },
    /// Under `-old` operators may meet operands they are not made for.
    #[error("line {line}: {text}")]
    Mixed { line: u32, text: String },
    /// An expression of an LTL formula, which reads inputs or next values or does not, cannot be encoded.
    #[error("{why}")]
    Tableau {
        of_step: bool,
        why: Box<EncodeError>,
    },
    /// An operator met operands it is not made for.
    #[error("{0}")]
    Eval(#[from] EvalError),
    /// A type with too many values to be enumerated.
    #[error("variable {name} has too many values for a decision diagram")]
    TooLarge { name: String },
}

impl EncodeError {
    /// The message as NuSMV words it, and its line.
    pub fn nusmv(&self) -> Option<(u32, String)> {
        match self {
            EncodeError::Fail { kind, line } => Some((
                *line,
                match kind {
                    FailKind::CaseNotExhaustive => "case conditions are not exhaustive".into(),
                    FailKind::ArrayOutOfBounds => "array access out of bounds".into(),
                    FailKind::DivisionByZero => "Division by zero".into(),
                    FailKind::ShiftRange { left } => format!(
                        "Right operand of {}-shift is out of range",
                        if *left { "left" } else { "right" }
                    ),
                },
            )),
            EncodeError::Range {
                line, value, name, ..
            } => Some((
                *line,
                format!("cannot assign value {value} to variable {name}"),
            )),
            EncodeError::Mixed { line, text } => Some((*line, text.clone())),
            _ => None,
        }
    }
}

/// Result of encoding, and of engines that encode.
pub type Result<T> = std::result::Result<T, EncodeError>;
