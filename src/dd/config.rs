//! Sizes and limits of a manager, and how they follow from the memory of the machine.

use super::ffi;
use crate::base::system::physical_memory;

/// Sizes and limits of a manager. The defaults fit the machine.
#[derive(Clone, Debug)]
pub struct Config {
    /// Bytes that nodes and tables may take; `None`: as much as there is.
    pub memory_limit: Option<usize>,
    /// Live nodes.
    pub node_limit: Option<usize>,
    /// Entries of the computed table at the start (32 bytes each); it grows by itself.
    pub cache_slots: usize,
    /// Upper bound for the entries of the computed table; `None`: a share of the memory.
    pub max_cache_slots: Option<usize>,
    /// Hash slots of each variable's table at the start (8 bytes each).
    pub unique_slots: usize,
    /// Nodes at which automatic reordering, if enabled, starts.
    pub first_reorder: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            memory_limit: None,
            node_limit: None,
            cache_slots: 1 << 15,
            max_cache_slots: None,
            unique_slots: 256,
            first_reorder: 4004,
        }
    }
}

/// Hash slots of all tables up to which dead nodes, whose results may still be found, take four times the
/// room before they are collected; above, as many as slots. Not a share of the machine's memory: that
/// lets dead nodes fill many megabytes that no cache of the processor holds, and is rarely faster.
/// (With half of it, models that come back to results of dead nodes take up to twice the time.)
const LOOSE_UP_TO: u32 = 100_000;

impl Config {
    /// Bytes that nodes and tables may take: the limit, or all of main memory.
    fn memory(&self) -> usize {
        self.memory_limit.unwrap_or_else(physical_memory)
    }

    /// Upper bound for the entries of the computed table (32 bytes each): a sixteenth of the memory unless
    /// one is given.
    pub(super) fn max_cache_slots(&self) -> usize {
        self.max_cache_slots.unwrap_or(self.memory() / 16 / 32)
    }

    /// What CUDD itself has no settings for.
    pub(super) fn limits(&self) -> ffi::CmvLimits {
        ffi::CmvLimits {
            soft_memory: (self.memory() / 10 * 9) as u64,
            hard_memory: self.memory_limit.map_or(0, |limit| limit as u64),
            max_cache: saturate(self.max_cache_slots()),
            loose_up_to: LOOSE_UP_TO,
            max_live: self.node_limit.map_or(0, saturate),
            first_reorder: saturate(self.first_reorder),
        }
    }
}

/// As CUDD counts.
pub(super) fn saturate(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
