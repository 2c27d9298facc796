//! The program's allocator: the system's, and an orderly end where that has nothing left.
//!
//! Without it Rust aborts (signal 6) and what is known is lost. `ulimit -v` and requests beyond what the
//! machine can promise end here; slower growth is noticed by the watchdog before. Decision diagrams are
//! C's, whose failures come back as values.
#![allow(unsafe_code)]

use super::fork;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::time::Duration;

/// [`System`], but a failure ends the program instead of coming back.
pub struct Heap;

/// Room for the end's own needs.
const RESERVE: Layout = Layout::new::<[u64; 1 << 18]>();
/// The exit code where there is no memory even to say so: that of `cli::Exit::OutOfMemory`.
const NO_ROOM: i32 = 4;
static SPARE: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());

type End = Box<dyn Fn() + Send + Sync>;
static END: OnceLock<End> = OnceLock::new();

/// Sets what is done when memory is exhausted: it shall end the process.
pub fn at_exhaustion(end: impl Fn() + Send + Sync + 'static) {
    if END.set(Box::new(end)).is_ok() {
        // SAFETY: the layout has a size.
        SPARE.store(unsafe { System.alloc(RESERVE) }, Ordering::SeqCst);
    }
}

/// Ends the process, for lack of memory. Nothing before the spare room is free may allocate.
#[cold]
pub fn exhausted() -> ! {
    static ENDING: AtomicBool = AtomicBool::new(false);
    thread_local! {
        static MINE: Cell<bool> = const { Cell::new(false) };
    }
    if fork::is_copy() {
        // Whoever made it does its work again.
        fork::exit_now(1);
    }
    if ENDING.swap(true, Ordering::SeqCst) {
        if MINE.get() {
            // Even the end has no memory.
            fork::exit_now(NO_ROOM);
        }
        loop {
            std::thread::sleep(Duration::from_secs(1));
        }
    }
    MINE.set(true);
    let spare = SPARE.swap(std::ptr::null_mut(), Ordering::SeqCst);
    if !spare.is_null() {
        // SAFETY: allocated in `at_exhaustion` with this layout, and taken out once.
        unsafe { System.dealloc(spare, RESERVE) };
    }
    if let Some(end) = END.get() {
        // A panic must not leave an allocator.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(end));
    }
    fork::exit_now(NO_ROOM)
}

// SAFETY: the system's allocator in all that comes back.
unsafe impl GlobalAlloc for Heap {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        checked(unsafe { System.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        checked(unsafe { System.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        checked(unsafe { System.realloc(old, layout, size) })
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }
}

#[inline]
fn checked(block: *mut u8) -> *mut u8 {
    if block.is_null() {
        exhausted();
    }
    block
}
