//! Limits on a run: ^C, `--timeout`, memory.
//!
//! Two threads watch from outside. The signal thread turns the first ^C into a request to stop, and
//! the second one and SIGTERM into an end at once. The watchdog turns the deadline and the memory
//! limit into the same request, and ends the run itself when nobody heeds a request in time. Memory is
//! read from `/proc`; where there is none, CUDD's failures and those of the heap tell.

use super::console::Console;
use super::exit::Exit;
use crate::base::{Cancel, CancelToken, heap};
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

/// How long a request may go unheeded.
const GRACE: Duration = Duration::from_secs(5);
/// How long the end waits for a thread that is writing.
const WRITING: Duration = Duration::from_secs(1);
/// Between two looks at the clock and the memory.
const TICK: Duration = Duration::from_millis(20);

/// Starts the watchers. They end with the process.
pub fn watch(
    token: &CancelToken,
    console: &Arc<Mutex<Console>>,
    timeout_s: Option<f64>,
    memory_mb: Option<u64>,
    shell: bool,
) {
    watch_signals(token.clone(), Arc::clone(console), shell);
    let shared = Arc::clone(console);
    heap::at_exhaustion(move || end(&shared, "out of memory", Exit::OutOfMemory, None));
    let deadline = timeout_s.map(|s| Instant::now() + Duration::from_secs_f64(s));
    let budget = Budget::new(memory_mb);
    let (token, console) = (token.clone(), Arc::clone(console));
    let _ = std::thread::Builder::new()
        .name("watchdog".to_owned())
        .spawn(move || {
            let mut asked: Option<(Instant, Exit)> = None;
            loop {
                std::thread::sleep(TICK);
                let usage = budget.state();
                let wanted = match token.reason() {
                    // In the shell too a request may have been heeded, and the shell goes on.
                    None => {
                        asked = None;
                        if deadline.is_some_and(|d| Instant::now() >= d) {
                            token.cancel(Cancel::Timeout);
                            Some(Exit::Timeout)
                        } else if usage != Usage::Fine {
                            token.cancel(Cancel::Memory);
                            Some(Exit::OutOfMemory)
                        } else {
                            None
                        }
                    }
                    Some(Cancel::Timeout) => Some(Exit::Timeout),
                    Some(Cancel::Memory) => Some(Exit::OutOfMemory),
                    Some(Cancel::Interrupt) => (!shell).then_some(Exit::Interrupted),
                };
                asked = asked.or(wanted.map(|exit| (Instant::now(), exit)));
                match asked {
                    _ if usage == Usage::FarOver => {
                        end(&console, "out of memory", Exit::OutOfMemory, None)
                    }
                    Some((since, exit)) if since.elapsed() > GRACE => {
                        let message = match exit {
                            Exit::Timeout => "time limit reached",
                            Exit::Interrupted => "interrupted",
                            _ => "out of memory",
                        };
                        end(&console, message, exit, None)
                    }
                    _ => {}
                }
            }
        });
}

/// In the shell ^C ends a command, never the program.
fn watch_signals(token: CancelToken, console: Arc<Mutex<Console>>, shell: bool) {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else {
        return;
    };
    let _ = std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            for signal in signals.forever() {
                if signal == SIGTERM {
                    let code = 128 + signal;
                    end(&console, "terminated", Exit::Interrupted, Some(code));
                } else if token.reason().is_some() && !shell {
                    end(&console, "interrupted", Exit::Interrupted, None);
                }
                token.cancel(Cancel::Interrupt);
            }
        });
}

/// Ends the run from outside: what is known is written, then the process exits, with `code` or that of
/// `exit`.
fn end(console: &Mutex<Console>, message: &str, exit: Exit, code: Option<i32>) -> ! {
    let line = format!("nusmv-rs: {message}\n");
    // Kept to the end: nobody writes after this.
    let mut guard = lock_soon(console);
    if let Some(console) = &mut guard {
        let notes = console.take_notes();
        console.write_notes(notes);
        console.err(line);
        console.fail(exit, message, None);
        console.finish();
    } else {
        // Its holder cannot write what it has: nobody reads, or there is no memory for it.
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
    std::process::exit(code.unwrap_or(exit.code()))
}

/// The console, unless another thread keeps it.
fn lock_soon(console: &Mutex<Console>) -> Option<MutexGuard<'_, Console>> {
    let start = Instant::now();
    loop {
        match console.try_lock() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(guard)) => return Some(guard.into_inner()),
            Err(TryLockError::WouldBlock) if start.elapsed() > WRITING => return None,
            Err(TryLockError::WouldBlock) => std::thread::sleep(TICK),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Usage {
    Fine,
    Over,
    /// So far over the limit that waiting is dangerous.
    FarOver,
}

/// Memory limits in bytes.
struct Budget {
    /// On resident memory: `--memory`, or most of what the machine has.
    resident: Option<u64>,
    /// On address space, from the process's own limit (`ulimit -v`).
    address_space: Option<u64>,
    /// Whether `resident` is the user's wish, which may be exceeded for a moment.
    soft: bool,
}

impl Budget {
    fn new(memory_mb: Option<u64>) -> Self {
        let resident = match memory_mb {
            Some(mb) => Some(mb.saturating_mul(1 << 20)),
            None => total_memory().map(|t| t / 100 * 96),
        };
        // Room for thread stacks and for writing the results.
        let address_space = address_space_limit().map(|l| l - l / 16);
        Budget {
            resident,
            address_space,
            soft: memory_mb.is_some(),
        }
    }

    fn state(&self) -> Usage {
        let Some((virtual_size, resident)) = usage() else {
            return Usage::Fine;
        };
        let over = self.resident.is_some_and(|l| resident > l)
            || self.address_space.is_some_and(|l| virtual_size > l);
        let far = match self.resident {
            Some(l) if self.soft => resident > l.saturating_add(l / 4).saturating_add(64 << 20),
            Some(l) => resident > l + l / 50,
            None => false,
        };
        match (over, far) {
            (_, true) => Usage::FarOver,
            (true, false) => Usage::Over,
            (false, false) => Usage::Fine,
        }
    }
}

/// Whether this process and its copies together take more memory than they may. Pages that they share
/// count once.
pub fn together_over(memory_mb: Option<u64>, copies: impl Iterator<Item = u32>) -> bool {
    let Some(limit) = Budget::new(memory_mb).resident else {
        return false;
    };
    let shares = std::iter::once(std::process::id()).chain(copies).map(share);
    shares.sum::<u64>() > limit
}

/// Bytes of memory of a process, its part of shared pages only (all of them where that is not known).
fn share(process: u32) -> u64 {
    let file = |name| std::fs::read_to_string(format!("/proc/{process}/{name}"));
    let rollup = file("smaps_rollup").unwrap_or_default();
    let line = rollup.lines().find_map(|l| l.strip_prefix("Pss:"));
    let kb = line.and_then(|l| l.split_ascii_whitespace().next()?.parse::<u64>().ok());
    match kb {
        Some(kb) => kb * 1024,
        None => file("statm")
            .ok()
            .and_then(|t| sizes(&t))
            .map_or(0, |s| s.1),
    }
}

/// Virtual and resident size in bytes.
fn usage() -> Option<(u64, u64)> {
    sizes(&std::fs::read_to_string("/proc/self/statm").ok()?)
}

fn sizes(statm: &str) -> Option<(u64, u64)> {
    let mut pages = statm.split_ascii_whitespace().map(str::parse::<u64>);
    let page = 4096;
    Some((pages.next()?.ok()? * page, pages.next()?.ok()? * page))
}

/// Bytes of memory of the machine or of the control group, whichever is less.
fn total_memory() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find(|l| l.starts_with("MemTotal:"))?;
    let machine = line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok()? * 1024;
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group = group.and_then(|t| t.trim().parse::<u64>().ok());
    Some(group.map_or(machine, |g| g.min(machine)))
}

fn address_space_limit() -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits
        .lines()
        .find(|l| l.starts_with("Max address space"))?;
    line.split_ascii_whitespace().nth(3)?.parse().ok()
}
