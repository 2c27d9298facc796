//! What an engine answers.

use crate::base::Cancel;
use crate::dd::DdError;
use crate::trace::Trace;
use serde::{Deserialize, Serialize};

/// Why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the messages tell")]
pub enum Unknown {
    #[error("interrupted")]
    Interrupted,
    #[error("time limit reached")]
    Timeout,
    #[error("out of memory")]
    OutOfMemory,
    #[error("node limit reached")]
    NodeLimit,
    /// The engine for this kind of property is not there yet.
    #[error("{0}")]
    NotSupported(String),
}

impl From<Cancel> for Unknown {
    fn from(c: Cancel) -> Self {
        match c {
            Cancel::Interrupt => Unknown::Interrupted,
            Cancel::Timeout => Unknown::Timeout,
            Cancel::Memory => Unknown::OutOfMemory,
        }
    }
}

impl From<DdError> for Unknown {
    fn from(e: DdError) -> Self {
        match e {
            DdError::OutOfMemory => Unknown::OutOfMemory,
            DdError::NodeLimit | DdError::Budget => Unknown::NodeLimit,
            DdError::Cancelled(why) => why.into(),
        }
    }
}

/// Result of COMPUTE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Quantity {
    /// So many steps.
    Finite(u64),
    /// MIN: the target is never reached. MAX: not on all paths.
    Infinity,
    /// MAX where there is no start or no target.
    Undefined,
}

/// The answer for one property.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Verdict {
    /// The property holds.
    True,
    /// With a trace unless -dcx.
    False(Option<Trace>),
    /// The answer to COMPUTE.
    Quantity(Quantity),
    /// Not decided, for this reason.
    Unknown(Unknown),
}
