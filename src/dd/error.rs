//! Why an operation on diagrams gave no result.

use crate::base::Cancel;

/// Exhaustion and interruption. The manager stays usable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DdError {
    /// `malloc` failed, or the memory limit of the configuration is reached.
    #[error("out of memory for decision diagrams")]
    OutOfMemory,
    /// The limit on live nodes is reached.
    #[error("limit on the number of decision diagram nodes reached")]
    NodeLimit,
    /// The budget of [`super::Manager::with_budget`] is used up; it never leaves that call.
    #[error("search given up")]
    Budget,
    /// The cancel token fired.
    #[error("interrupted ({0:?})")]
    Cancelled(Cancel),
}

/// Result of an operation that may build nodes.
pub type DdResult<T> = Result<T, DdError>;
