//! The transition relation: conjuncts → clusters → image and preimage with early quantification.
//!
//! Module [`super::cluster`] makes the clusters; here each direction gets its own order of them, with
//! the variables that can be quantified after each step:
//!
//! ```text
//! image(S)    = ∃x,i. T1 ∧ ... ∧ Tn ∧ S        preimage(S) = ∃x',i. T1 ∧ ... ∧ Tn ∧ S'
//! ```

use super::cluster::{Clustering, Weights, join_within, order};
use super::layout::Layout;
use crate::dd::{Bdd, DdResult, Manager, VarIndex, Word, WordDd};
use std::collections::HashMap;

/// Nodes up to which simplified clusters are merged.
const MERGED: usize = 1000;

/// Nodes of a care set that is too large to simplify clusters by.
const LARGE: usize = 50_000;

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
    weights: Weights,
    clusters: Vec<Bdd>,
    forward: Schedule,
    backward: Schedule,
}

impl TransRel {
    /// `forward` and `backward` are the variables to quantify in each direction.
    pub fn new(
        manager: &Manager,
        conjuncts: Vec<Bdd>,
        clustering: &Clustering,
        forward: &[VarIndex],
        backward: &[VarIndex],
    ) -> DdResult<TransRel> {
        let clusters = clustering.clusters(manager, conjuncts, forward)?;
        let weights = clustering.weights;
        Ok(TransRel {
            forward: schedule(manager, &clusters, forward, &weights)?,
            backward: schedule(manager, &clusters, backward, &weights)?,
            manager: manager.clone(),
            weights,
            clusters,
        })
    }

    /// The conjuncts of the relation; a schedule may go through them in another order.
    pub fn clusters(&self) -> &[Bdd] {
        &self.clusters
    }

    /// Nodes of the clusters in the order in which images use them.
    pub fn forward_sizes(&self) -> Vec<usize> {
        self.forward
            .steps
            .iter()
            .map(|s| s.cluster.size())
            .collect()
    }

    /// The same for preimages.
    pub fn backward_sizes(&self) -> Vec<usize> {
        self.backward
            .steps
            .iter()
            .map(|s| s.cluster.size())
            .collect()
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
        // Against a large set simplifying costs more than it brings.
        if care.is_const() || care.size() > LARGE {
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
        let clusters: Vec<Bdd> = join_within(clusters, MERGED)?;
        let clusters: Vec<Bdd> = clusters.into_iter().filter(|c| !c.is_one()).collect();
        Ok(TransRel {
            backward: schedule(&self.manager, &clusters, backward, &self.weights)?,
            forward: self.forward.clone(),
            manager: self.manager.clone(),
            weights: self.weights,
            clusters,
        })
    }

    /// The relation of a product: with more conjuncts, over the bits of `layout`.
    pub fn extended(&self, conjuncts: &[Bdd], layout: &Layout) -> DdResult<TransRel> {
        let mut clusters = self.clusters.clone();
        clusters.extend(join_within(conjuncts.to_vec(), MERGED)?);
        clusters.retain(|c| !c.is_one());
        Ok(TransRel {
            forward: schedule(
                &self.manager,
                &clusters,
                &layout.forward_bits(),
                &self.weights,
            )?,
            backward: schedule(
                &self.manager,
                &clusters,
                &layout.backward_bits(),
                &self.weights,
            )?,
            manager: self.manager.clone(),
            weights: self.weights,
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

fn schedule(
    manager: &Manager,
    clusters: &[Bdd],
    quantified: &[VarIndex],
    weights: &Weights,
) -> DdResult<Schedule> {
    let order = order(manager, clusters, quantified, weights);
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
