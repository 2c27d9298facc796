//! What every other module may use: cancel token, number formats, deep recursion, the nearest word,
//! copies of the process, the end of memory, what the system tells.

pub mod cancel;
pub mod cformat;
pub mod crew;
pub mod fork;
pub mod heap;
mod nearest;
pub mod system;

pub use cancel::{Cancel, CancelToken};
pub use nearest::nearest;

/// Runs `f` on a stack that grows when little is left: recursion over expressions goes through
/// here so that depth is bounded by memory, not by the thread's stack.
pub fn deep<R>(f: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, f)
}
