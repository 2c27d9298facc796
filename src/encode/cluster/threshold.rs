//! Neighbours join.

use crate::dd::{Bdd, DdResult};

/// Two diagrams that are within the limit join unless the result has more than this many times
/// `limit` nodes. The bound keeps two harmless clusters from becoming one that fits nowhere.
pub(super) const GROWTH: usize = 50;

/// Joins neighbours as long as both are within `limit` nodes; the result may pass it, and then
/// takes nothing more.
pub fn join(diagrams: Vec<Bdd>, limit: usize) -> DdResult<Vec<Bdd>> {
    let mut clusters: Vec<Bdd> = Vec::new();
    for d in diagrams {
        if let Some(last) = clusters.last_mut()
            && last.size() <= limit
            && d.size() <= limit
            && let Some(both) = last.and_limit(&d, limit.saturating_mul(GROWTH))?
        {
            *last = both;
            continue;
        }
        clusters.push(d);
    }
    Ok(clusters)
}

/// Joins neighbours while the result stays within `limit` nodes.
pub fn join_within(diagrams: Vec<Bdd>, limit: usize) -> DdResult<Vec<Bdd>> {
    let mut clusters: Vec<Bdd> = Vec::new();
    for d in diagrams {
        if let Some(last) = clusters.last_mut()
            && last.size() <= limit
            && let Some(both) = last.and_limit(&d, limit.saturating_mul(2))?
            && both.size() <= limit
        {
            *last = both;
            continue;
        }
        clusters.push(d);
    }
    Ok(clusters)
}
