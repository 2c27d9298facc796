//! The transition relation: conjuncts → clusters → image and preimage with early quantification.
//!
//! Conjuncts are ordered so that variables leave early (after Ranjan, Aziz, Brayton, Plessier,
//! Pixley: "Efficient BDD algorithms for FSM synthesis and verification", IWLS 1995), neighbours
//! are merged up to a size, and each direction gets its own order of the clusters, with the
//! variables that can be quantified after each step:
//!
//! ```text
//! image(S)    = ∃x,i. T1 ∧ ... ∧ Tn ∧ S        preimage(S) = ∃x',i. T1 ∧ ... ∧ Tn ∧ S'
//! ```

use super::layout::Layout;
use crate::dd::{Bdd, DdResult, Manager, VarIndex, Word, WordDd};
use std::collections::HashMap;

/// Nodes up to which simplified clusters are merged.
const MERGED: usize = 1000;

/// How conjuncts become clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partition {
    /// One relation.
    Monolithic,
    /// Clusters of up to so many nodes, conjuncts as they come.
    Threshold(usize),
    /// Clusters of up to so many nodes, conjuncts ordered by the IWLS95 heuristic.
    Iwls95(usize),
}

/// One step of a schedule: meet with a cluster, then quantify.
#[derive(Clone, Debug)]
struct Step {
    cluster: Bdd,
    cube: Bdd,
}

/// The order in which one direction goes through the clusters.
#[derive(Clone, Debug)]
struct Schedule {
    /// Variables that no cluster mentions.
    first: Bdd,
    steps: Vec<Step>,
}

/// The relation, partitioned.
#[derive(Clone)]
pub struct TransRel {
    manager: Manager,
    clusters: Vec<Bdd>,
    forward: Schedule,
    backward: Schedule,
}

impl TransRel {
    /// `forward` and `backward` are the variables to quantify in each direction.
    pub fn new(
        manager: &Manager,
        conjuncts: Vec<Bdd>,
        partition: Partition,
        forward: &[VarIndex],
        backward: &[VarIndex],
    ) -> DdResult<TransRel> {
        let clusters = match partition {
            Partition::Monolithic => {
                let mut all = manager.one();
                for c in &conjuncts {
                    all = all.and(c)?;
                }
                vec![all]
            }
            Partition::Threshold(limit) => merge(conjuncts, limit)?,
            Partition::Iwls95(limit) => merge(ordered(manager, conjuncts, forward), limit)?,
        };
        let clusters: Vec<Bdd> = clusters.into_iter().filter(|c| !c.is_one()).collect();
        Ok(TransRel {
            forward: schedule(manager, &clusters, forward)?,
            backward: schedule(manager, &clusters, backward)?,
            manager: manager.clone(),
            clusters,
        })
    }

    pub fn clusters(&self) -> &[Bdd] {
        &self.clusters
    }

    /// `∃ forward variables. T ∧ set`, over the other variables.
    pub fn image(&self, set: &Bdd) -> DdResult<Bdd> {
        self.forward.run(set)
    }

    /// `∃ backward variables. T ∧ set`.
    pub fn preimage(&self, set: &Bdd) -> DdResult<Bdd> {
        self.backward.run(set)
    }

    /// The join of the words of all successors; bottom where there is none. With `total` (every state
    /// that counts has a successor) the value of the others is open, which is cheaper.
    pub fn preimage_word(&self, set: &WordDd, mask: Word, total: bool) -> DdResult<WordDd> {
        let mut result = set.join_exists(&self.backward.first, mask)?;
        for step in &self.backward.steps {
            result = if total {
                result.join_and_exists_total(&step.cluster, &step.cube, mask)?
            } else {
                result.join_and_exists(&step.cluster, &step.cube, mask)?
            };
        }
        Ok(result)
    }

    /// The relation for preimages that count within `care` only (a set of current states): clusters
    /// simplified by it, and the schedule that fits them.
    pub fn within(&self, care: &Bdd, backward: &[VarIndex]) -> DdResult<TransRel> {
        if care.is_const() {
            return Ok(self.clone());
        }
        let mut clusters = Vec::with_capacity(self.clusters.len());
        for c in &self.clusters {
            let simple = c.restrict(care)?;
            clusters.push(if simple.size() < c.size() {
                simple
            } else {
                c.clone()
            });
        }
        // What is small now may merge further.
        let clusters: Vec<Bdd> = merge(clusters, MERGED)?;
        let clusters: Vec<Bdd> = clusters.into_iter().filter(|c| !c.is_one()).collect();
        Ok(TransRel {
            backward: schedule(&self.manager, &clusters, backward)?,
            forward: self.forward.clone(),
            manager: self.manager.clone(),
            clusters,
        })
    }

    /// The relation of a product: with more conjuncts, over the bits of `layout`.
    pub fn extended(&self, conjuncts: &[Bdd], layout: &Layout) -> DdResult<TransRel> {
        let mut clusters = self.clusters.clone();
        clusters.extend(merge(conjuncts.to_vec(), MERGED)?);
        clusters.retain(|c| !c.is_one());
        Ok(TransRel {
            forward: schedule(&self.manager, &clusters, &layout.forward_bits())?,
            backward: schedule(&self.manager, &clusters, &layout.backward_bits())?,
            manager: self.manager.clone(),
            clusters,
        })
    }

    /// The relation with some variables fixed by a cube, as one diagram.
    pub fn restricted(&self, cube: &Bdd) -> DdResult<Bdd> {
        let mut all = self.manager.one();
        for c in &self.clusters {
            all = all.and(&c.cofactor(cube)?)?;
        }
        Ok(all)
    }
}

impl Schedule {
    fn run(&self, set: &Bdd) -> DdResult<Bdd> {
        let mut result = set.exists(&self.first)?;
        for step in &self.steps {
            if result.is_zero() {
                break;
            }
            result = result.and_exists(&step.cluster, &step.cube)?;
        }
        Ok(result)
    }
}

/// Joins neighbours while the result stays within `limit` nodes.
fn merge(conjuncts: Vec<Bdd>, limit: usize) -> DdResult<Vec<Bdd>> {
    let mut clusters: Vec<Bdd> = Vec::new();
    for c in conjuncts {
        if let Some(last) = clusters.last_mut()
            && last.size() <= limit
            && let Some(both) = last.and_limit(&c, limit.saturating_mul(2))?
            && both.size() <= limit
        {
            *last = both;
            continue;
        }
        clusters.push(c);
    }
    Ok(clusters)
}

/// The supports of diagrams and how many of them mention each variable.
struct Mentions {
    supports: Vec<Vec<VarIndex>>,
    count: HashMap<VarIndex, usize>,
}

impl Mentions {
    fn new(diagrams: &[Bdd]) -> Mentions {
        let supports: Vec<Vec<VarIndex>> = diagrams.iter().map(|d| d.support()).collect();
        let mut count = HashMap::new();
        for v in supports.iter().flatten() {
            *count.entry(*v).or_insert(0) += 1;
        }
        Mentions { supports, count }
    }
}

/// The order in which to use `diagrams` when `quantified` are to leave: greedily the one with the
/// best sum of the shares of its quantified variables that leave with it, of quantified
/// variables that it holds, less the share of new variables it brings.
fn greedy(manager: &Manager, diagrams: &[Bdd], quantified: &[VarIndex]) -> Vec<usize> {
    let n = manager.num_vars() as usize;
    let mut is_quantified = vec![false; n];
    for &v in quantified {
        is_quantified[v as usize] = true;
    }
    let mut mentions = Mentions::new(diagrams);
    let mut present = vec![false; n];
    let mut left: Vec<usize> = (0..diagrams.len()).collect();
    let mut order = Vec::with_capacity(left.len());
    let deepest = f64::from(manager.num_vars().max(1));
    while !left.is_empty() {
        let total_new = left
            .iter()
            .flat_map(|&i| &mentions.supports[i])
            .filter(|&&v| !is_quantified[v as usize] && !present[v as usize])
            .count()
            .max(1) as f64;
        let score = |i: usize| {
            let (mut leaving, mut held, mut new, mut top) = (0.0, 0.0, 0.0, deepest);
            for &v in &mentions.supports[i] {
                if is_quantified[v as usize] {
                    held += 1.0;
                    if mentions.count[&v] == 1 {
                        leaving += 1.0;
                        top = f64::min(top, f64::from(manager.level_of(v)));
                    }
                } else if !present[v as usize] {
                    new += 1.0;
                }
            }
            let all = mentions.supports[i].len().max(1) as f64;
            6.0 * leaving / f64::max(held, 1.0) + held / all + (deepest - top) / deepest
                - 2.0 * new / total_new
        };
        let (at, _) = left.iter().enumerate().map(|(at, &i)| (at, score(i))).fold(
            (0, f64::NEG_INFINITY),
            |best, x| if x.1 > best.1 { x } else { best },
        );
        let chosen = left.remove(at);
        for &v in &mentions.supports[chosen] {
            present[v as usize] = true;
            if let Some(c) = mentions.count.get_mut(&v) {
                *c -= 1;
            }
        }
        order.push(chosen);
    }
    order
}

fn ordered(manager: &Manager, conjuncts: Vec<Bdd>, quantified: &[VarIndex]) -> Vec<Bdd> {
    // The greedy order is quadratic; beyond this many conjuncts their own order has to do.
    if conjuncts.len() > 2000 {
        return conjuncts;
    }
    let order = greedy(manager, &conjuncts, quantified);
    order.into_iter().map(|i| conjuncts[i].clone()).collect()
}

fn schedule(manager: &Manager, clusters: &[Bdd], quantified: &[VarIndex]) -> DdResult<Schedule> {
    let order = greedy(manager, clusters, quantified);
    let mut last: HashMap<VarIndex, usize> = HashMap::new();
    for (at, &i) in order.iter().enumerate() {
        for v in clusters[i].support() {
            last.insert(v, at);
        }
    }
    let mut first = Vec::new();
    let mut leaving: Vec<Vec<VarIndex>> = vec![Vec::new(); order.len()];
    for &v in quantified {
        match last.get(&v) {
            Some(&at) => leaving[at].push(v),
            None => first.push(v),
        }
    }
    let mut steps = Vec::with_capacity(order.len());
    for (&i, vars) in order.iter().zip(&leaving) {
        steps.push(Step {
            cluster: clusters[i].clone(),
            cube: manager.cube(vars)?,
        });
    }
    Ok(Schedule {
        first: manager.cube(&first)?,
        steps,
    })
}
