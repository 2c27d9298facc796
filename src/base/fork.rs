//! A copy of this process that goes on with what has been computed, its memory shared until written to.
//!
//! This file, `base::heap` and `src/dd` hold the only unsafe code of the project.
#![allow(unsafe_code)]

use nix::sys::signal::{SigHandler, Signal, signal};
use nix::unistd::{ForkResult, Pid, fork};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

static COPY: AtomicBool = AtomicBool::new(false);

/// Whether this process is such a copy.
pub fn is_copy() -> bool {
    COPY.load(Ordering::Relaxed)
}

/// Runs `child` in a copy of the process, which ends with it, and returns the copy's number. `calm` is held
/// meanwhile, so that no other thread is in the middle of what it protects.
///
/// The copy has this thread only. It shall print nothing, and leaves ^C to its parent.
pub fn spawn<G>(calm: impl FnOnce() -> G, child: impl FnOnce()) -> io::Result<Pid> {
    let held = calm();
    // SAFETY: the other threads of this process sleep, wait for a signal, or wait for what `held` protects,
    // and C's allocator takes care of its own locks, so the copy finds nothing half done.
    let side = unsafe { fork() }?;
    drop(held);
    match side {
        ForkResult::Parent { child } => Ok(child),
        ForkResult::Child => {
            // SAFETY: the default action and none; no handler of ours.
            unsafe {
                let _ = signal(Signal::SIGINT, SigHandler::SigIgn);
                let _ = signal(Signal::SIGTERM, SigHandler::SigDfl);
            }
            die_with_parent();
            COPY.store(true, Ordering::Relaxed);
            let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(child));
            exit_now(i32::from(ended.is_err()))
        }
    }
}

/// Ends the process without what is left to do at its end: that is the parent's, or needs memory.
pub fn exit_now(code: i32) -> ! {
    // SAFETY: gives nothing back, reads nothing.
    unsafe { libc::_exit(code) }
}

/// Also where the parent is killed. Elsewhere the copy ends when it next writes to its parent.
fn die_with_parent() {
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_pdeathsig(Signal::SIGKILL);
}
