//! Interruption: one token that ^C, deadlines and memory limits set and engines read.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Why a run should stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cancel {
    /// ^C
    Interrupt,
    /// `--timeout`
    Timeout,
    /// `--memory`, or no memory left
    Memory,
}

/// Shared flag; cheap to clone and to poll.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicU8>);

impl CancelToken {
    /// Asks everyone who holds the token to stop. The first reason wins.
    pub fn cancel(&self, why: Cancel) {
        let code = match why {
            Cancel::Interrupt => 1,
            Cancel::Timeout => 2,
            Cancel::Memory => 3,
        };
        let _ = self
            .0
            .compare_exchange(0, code, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// The reason to stop, if any.
    pub fn reason(&self) -> Option<Cancel> {
        match self.0.load(Ordering::Relaxed) {
            1 => Some(Cancel::Interrupt),
            2 => Some(Cancel::Timeout),
            3 => Some(Cancel::Memory),
            _ => None,
        }
    }

    /// Forgets a request (the shell goes on after ^C).
    pub fn reset(&self) {
        self.0.store(0, Ordering::SeqCst);
    }
}
