//! Time and memory of the process, in the form of NuSMV's statistics. Numbers that the system does not
//! tell are 0.

use std::fmt::Write;

/// Seconds of processor time so far.
pub fn processor_seconds() -> f64 {
    let (user, system) = times();
    user + system
}

/// User and system time in seconds.
fn times() -> (f64, f64) {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in parentheses, may hold blanks.
    let behind = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let mut fields = behind.split_whitespace().skip(11);
    let mut next = || fields.next().and_then(|f| f.parse::<f64>().ok());
    // Clock ticks are hundredths of seconds on all Linux systems there are.
    (next().unwrap_or(0.0) / 100.0, next().unwrap_or(0.0) / 100.0)
}

/// A number from `/proc/self/status`.
fn status(key: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|l| l.strip_prefix(key));
    let value = line.and_then(|l| l.trim_start_matches(':').split_whitespace().next());
    value.and_then(|v| v.parse().ok()).unwrap_or(0)
}

/// The whole block.
pub fn text() -> String {
    let (user, system) = times();
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let mut out = String::new();
    let _ = write!(
        out,
        "Runtime Statistics\n------------------\nMachine name: {}\nUser time {user:8.3} seconds\n\
         System time {system:6.3} seconds\n\nAverage resident text size       = {:5}K\n\
         Average resident data+stack size = {:5}K\nMaximum resident size            = {:5}K\n\n\
         Virtual text size                = {:5}K\nVirtual data size                = {:5}K\n\
         Major page faults = 0\nMinor page faults = 0\nSwaps = 0\nInput blocks = 0\n\
         Output blocks = 0\nContext switch (voluntary) = {}\nContext switch (involuntary) = {}\n",
        host.trim(),
        0,
        0,
        status("VmHWM"),
        status("VmExe"),
        status("VmData"),
        status("voluntary_ctxt_switches"),
        status("nonvoluntary_ctxt_switches"),
    );
    out
}
