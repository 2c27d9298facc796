//! What has most variables in common joins first.
//!
//! The affinity of two diagrams is the share of their variables that both mention,
//!
//! ```text
//! affinity(f, g) = |support(f) ∩ support(g)| / |support(f) ∪ support(g)|
//! ```
//!
//! Pairs wait in a priority queue; the best one joins and its result is paired with all others
//! (Moon, Hachtel, Somenzi: "Border-block triangular form and conjunction schedule in image
//! computation", FMCAD 2000, section 5). As in NuSMV a diagram takes part while it is within the
//! limit, so a result may pass it. Pairs without a common variable join last, as neighbours do.
//! Ties go to the earlier diagrams. Cost: the pairs that share a variable, times the size of supports.

use super::threshold;
use crate::dd::{Bdd, DdResult, VarIndex};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Diagrams beyond which their pairs are too many: neighbours join instead.
const MOST: usize = 4000;

/// A pair that may join; the greatest is the best.
#[derive(Debug, PartialEq, Eq)]
struct Pair {
    common: u64,
    all: u64,
    members: Reverse<(usize, usize)>,
}

impl Ord for Pair {
    fn cmp(&self, other: &Pair) -> Ordering {
        let fraction = (self.common * other.all).cmp(&(other.common * self.all));
        fraction.then_with(|| self.members.cmp(&other.members))
    }
}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Pair) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A diagram that may still join, with its variables in ascending order.
struct Member {
    diagram: Bdd,
    support: Vec<VarIndex>,
}

/// The diagrams that may still join, and their pairs.
#[derive(Default)]
struct Queue {
    members: Vec<Option<Member>>,
    mentioned: FxHashMap<VarIndex, Vec<usize>>,
    pairs: BinaryHeap<Pair>,
}

impl Queue {
    /// Adds a diagram, paired with all that share a variable with it.
    fn add(&mut self, diagram: Bdd) {
        let support = diagram.support();
        let at = self.members.len();
        let mut seen = FxHashSet::default();
        for v in &support {
            let others = self.mentioned.entry(*v).or_default();
            others.retain(|&i| self.members[i].is_some());
            for &i in others.iter() {
                if let Some(other) = &self.members[i]
                    && seen.insert(i)
                {
                    let common = common(&support, &other.support);
                    self.pairs.push(Pair {
                        common: common as u64,
                        all: (support.len() + other.support.len() - common) as u64,
                        members: Reverse((i, at)),
                    });
                }
            }
            others.push(at);
        }
        self.members.push(Some(Member { diagram, support }));
    }
}

/// Joins diagrams by affinity as long as both are within `limit` nodes. Large ones come first, then
/// those that grew, then what is left.
pub fn join(diagrams: Vec<Bdd>, limit: usize) -> DdResult<Vec<Bdd>> {
    if diagrams.len() > MOST {
        return threshold::join(diagrams, limit);
    }
    let (small, mut done): (Vec<Bdd>, Vec<Bdd>) =
        diagrams.into_iter().partition(|d| d.size() <= limit);
    let mut queue = Queue::default();
    for d in small {
        queue.add(d);
    }
    while let Some(Pair { members, .. }) = queue.pairs.pop() {
        let (i, j) = members.0;
        let (Some(f), Some(g)) = (&queue.members[i], &queue.members[j]) else {
            continue;
        };
        let growth = limit.saturating_mul(threshold::GROWTH);
        let Some(both) = f.diagram.and_limit(&g.diagram, growth)? else {
            continue;
        };
        queue.members[i] = None;
        queue.members[j] = None;
        if both.size() <= limit {
            queue.add(both);
        } else {
            done.push(both);
        }
    }
    let left = queue.members.into_iter().flatten();
    done.extend(threshold::join(left.map(|m| m.diagram).collect(), limit)?);
    Ok(done)
}

/// How many elements two ascending sequences have in common.
fn common(a: &[VarIndex], b: &[VarIndex]) -> usize {
    let (mut i, mut j, mut n) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => {
                n += 1;
                i += 1;
                j += 1;
            }
        }
    }
    n
}
