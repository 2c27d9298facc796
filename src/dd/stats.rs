//! What a manager tells of itself: nodes, memory, work done.

use super::ffi::cudd;
use super::manager::Manager;

/// Numbers about a manager, for reports.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Variables.
    pub vars: usize,
    /// Nodes referenced by someone.
    pub live_nodes: usize,
    /// Largest number of live nodes so far.
    pub peak_live_nodes: usize,
    /// Nodes that garbage collection would free.
    pub dead_nodes: usize,
    /// Bytes.
    pub memory: usize,
    /// Entries of the computed table.
    pub cache_slots: usize,
    /// Lookups in the computed table.
    pub cache_lookups: f64,
    /// Lookups that found their result.
    pub cache_hits: f64,
    /// Garbage collections.
    pub collections: usize,
    /// Time in garbage collection.
    pub collection_ms: u64,
    /// Reorderings.
    pub reorderings: usize,
    /// Time in reordering.
    pub reordering_ms: u64,
}

impl Manager {
    /// Live nodes.
    pub fn live_nodes(&self) -> usize {
        // SAFETY: live manager.
        unsafe { cudd::Cudd_ReadNodeCount(self.0.dd).max(0) as usize }
    }

    /// Largest number of live nodes so far.
    pub fn peak_live_nodes(&self) -> usize {
        // SAFETY: live manager.
        unsafe { cudd::Cudd_ReadPeakLiveNodeCount(self.0.dd).max(0) as usize }
    }

    /// Bytes allocated by the manager.
    pub fn memory_bytes(&self) -> usize {
        // SAFETY: live manager.
        unsafe { cudd::Cudd_ReadMemoryInUse(self.0.dd) as usize }
    }

    /// Lookups in the computed table so far: a measure of the work done.
    pub fn lookups(&self) -> f64 {
        // SAFETY: live manager.
        unsafe { cudd::Cudd_ReadCacheLookUps(self.0.dd) }
    }

    /// Numbers for reports.
    pub fn stats(&self) -> Stats {
        let dd = self.0.dd;
        // SAFETY: live manager; readers only.
        unsafe {
            Stats {
                vars: self.num_vars() as usize,
                live_nodes: self.live_nodes(),
                peak_live_nodes: self.peak_live_nodes(),
                dead_nodes: cudd::Cudd_ReadDead(dd) as usize,
                memory: self.memory_bytes(),
                cache_slots: cudd::Cudd_ReadCacheSlots(dd) as usize,
                cache_lookups: cudd::Cudd_ReadCacheLookUps(dd),
                cache_hits: cudd::Cudd_ReadCacheHits(dd),
                collections: cudd::Cudd_ReadGarbageCollections(dd).max(0) as usize,
                collection_ms: cudd::Cudd_ReadGarbageCollectionTime(dd).max(0) as u64,
                reorderings: cudd::Cudd_ReadReorderings(dd) as usize,
                reordering_ms: cudd::Cudd_ReadReorderingTime(dd).max(0) as u64,
            }
        }
    }
}
