//! One manager of the process reorders at a time, and can be interrupted while it does.
//!
//! CUDD's reordering keeps state in static variables, so managers of several threads take turns:
//! hooks enter a manager in [`REORDERING`] before and take it out after. Meanwhile a watcher thread
//! looks at the manager's token, for CUDD itself polls in plain sifting only, once for each
//! variable.

use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::budget::Interruption;
use super::ffi::{self, DdManager, cudd};
use super::reordering::LARGE;
use crate::base::CancelToken;

/// The manager that is reordering.
struct Reordering {
    dd: DdAddress,
    token: CancelToken,
    /// The watcher has told it to finish early.
    hurried: bool,
    bounds: Bounds,
}

/// What sifting may do, as the user left it: by what factor diagrams may grow on the way of a variable, and
/// how often variables may be swapped.
struct Bounds {
    growth: f64,
    swaps: c_int,
}

/// The same factor for large diagrams, unless the user gave another: long ways take nearly all the time there and
/// hardly ever lead to a better place.
const GROWTH_OF_LARGE: f64 = 1.05;

/// CUDD's own.
const GROWTH: f64 = 1.2;

#[derive(Clone, Copy, PartialEq, Eq)]
struct DdAddress(*mut DdManager);

// SAFETY: the address is used by the watcher only, while it holds the lock on REORDERING and the
// manager is entered there; a manager leaves before it is freed (Inner::drop).
unsafe impl Send for DdAddress {}

static REORDERING: Mutex<Option<Reordering>> = Mutex::new(None);
/// Signalled when REORDERING changes.
static CHANGED: Condvar = Condvar::new();
/// The process in which the watcher runs: a fork does not take it along.
static WATCHER: AtomicU32 = AtomicU32::new(0);
const WATCH_INTERVAL: Duration = Duration::from_millis(50);

fn reordering() -> MutexGuard<'static, Option<Reordering>> {
    REORDERING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// While this is held no manager of the process begins or ends to reorder, and the watcher waits: the moment
/// to fork.
pub struct Calm {
    _held: MutexGuard<'static, Option<Reordering>>,
}

/// See [`Calm`].
pub fn calm() -> Calm {
    Calm {
        _held: reordering(),
    }
}

unsafe extern "C" fn before(dd: *mut DdManager, _: *const c_char, _: *mut c_void) -> c_int {
    let process = std::process::id();
    if WATCHER.swap(process, Ordering::Relaxed) != process {
        // Without a watcher an interruption waits for the end of the reordering: bearable.
        let _ = thread::Builder::new()
            .name("reordering-watcher".into())
            .spawn(watch);
    }
    // SAFETY: called by CUDD on the thread of the manager; its callback argument is the box of its
    // `Inner`.
    let token = unsafe {
        (*ffi::cmv_callback_argument(dd).cast::<Interruption>())
            .token
            .clone()
    };
    let mut current = reordering();
    while current.as_ref().is_some_and(|r| r.dd.0 != dd) {
        current = CHANGED
            .wait(current)
            .unwrap_or_else(PoisonError::into_inner);
    }
    // SAFETY: on the thread of the manager, before anything is moved.
    let bounds = unsafe {
        let bounds = Bounds {
            growth: cudd::Cudd_ReadMaxGrowth(dd),
            swaps: cudd::Cudd_ReadSiftMaxSwap(dd),
        };
        let live = cudd::Cudd_ReadKeys(dd).saturating_sub(cudd::Cudd_ReadDead(dd));
        let mut method = 0;
        let automatic = cudd::Cudd_ReorderingStatus(dd, &mut method) != 0;
        if automatic && live >= LARGE && bounds.growth == GROWTH {
            cudd::Cudd_SetMaxGrowth(dd, GROWTH_OF_LARGE);
        }
        bounds
    };
    *current = Some(Reordering {
        dd: DdAddress(dd),
        token,
        hurried: false,
        bounds,
    });
    CHANGED.notify_all();
    1
}

unsafe extern "C" fn after(dd: *mut DdManager, _: *const c_char, _: *mut c_void) -> c_int {
    leave(dd);
    1
}

/// Makes the manager enter itself while it reorders.
pub(super) fn install(dd: *mut DdManager) {
    // SAFETY: live manager; the hooks touch nothing of it but its token and its sifting bounds.
    unsafe {
        cudd::Cudd_AddHook(
            dd,
            Some(before),
            cudd::Cudd_HookType_CUDD_PRE_REORDERING_HOOK,
        );
        cudd::Cudd_AddHook(
            dd,
            Some(after),
            cudd::Cudd_HookType_CUDD_POST_REORDERING_HOOK,
        );
    }
}

/// Takes the manager out if it is entered: CUDD skips its hooks when a reordering fails.
pub(super) fn leave(dd: *mut DdManager) {
    let mut current = reordering();
    if current.as_ref().is_some_and(|r| r.dd.0 == dd) {
        if let Some(Reordering { bounds, .. }) = current.take() {
            // SAFETY: live manager, on its own thread.
            unsafe {
                cudd::Cudd_SetMaxGrowth(dd, bounds.growth);
                cudd::Cudd_SetSiftMaxSwap(dd, bounds.swaps);
            }
        }
        CHANGED.notify_all();
    }
}

fn watch() {
    let mut current = reordering();
    loop {
        current = match &mut *current {
            None => CHANGED
                .wait(current)
                .unwrap_or_else(PoisonError::into_inner),
            Some(r) => {
                if !r.hurried && r.token.reason().is_some() {
                    r.hurried = true;
                    // SAFETY: the manager is entered, so it is alive (see DdAddress); the two
                    // fields are stored atomically.
                    unsafe { ffi::cmv_hurry(r.dd.0) };
                }
                let waited = CHANGED.wait_timeout(current, WATCH_INTERVAL);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
        };
    }
}
