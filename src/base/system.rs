//! What the operating system tells of this machine and this thread.

use nix::time::{ClockId, clock_gettime};
use nix::unistd::{SysconfVar, sysconf};
use std::time::Duration;

/// CPU time that this thread has used, for measurements that other programs shall not disturb; zero where
/// the system does not say.
pub fn cpu_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

/// Bytes of main memory; 4 GB where the system does not say.
pub fn physical_memory() -> usize {
    let read = |what| match sysconf(what) {
        Ok(Some(number)) => usize::try_from(number).ok().filter(|&n| n > 0),
        _ => None,
    };
    match (read(SysconfVar::_PHYS_PAGES), read(SysconfVar::PAGE_SIZE)) {
        (Some(pages), Some(size)) => pages.saturating_mul(size),
        _ => 4 << 30,
    }
}
