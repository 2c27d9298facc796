//! Conjuncts of the transition relation → clusters: how large, what joins what, in which order.
//!
//! [`Clustering`] is the user's choice. [`threshold`] joins neighbours, [`affinity`] joins what has
//! most variables in common, [`iwls95`] puts diagrams in the order in which they are best used.
//! None of this changes the relation, only what image computation costs.

mod affinity;
mod iwls95;
mod threshold;

use crate::dd::{Bdd, DdResult, Manager, VarIndex};

pub use iwls95::{Weights, order};
pub use threshold::join_within;

/// How conjuncts become clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partition {
    /// One relation.
    Monolithic,
    /// Diagrams of up to so many nodes join (`-thresh`).
    Threshold(usize),
    /// The same, and the IWLS95 heuristic orders what comes out (`-iwls95`).
    Iwls95(usize),
}

/// The choices about clusters. The default is NuSMV's, and the fastest on the models that were
/// measured (docs/optimisations.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clustering {
    /// Which conjuncts may join.
    pub partition: Partition,
    /// What has most variables in common joins first; off (`-noaffinity` and `-t`): neighbours join.
    pub affinity: bool,
    /// Order conjuncts before they join (`-iwl95preorder`).
    pub preorder: bool,
    /// Of the IWLS95 heuristic (`image_W1` to `image_W4`).
    pub weights: Weights,
}

impl Default for Clustering {
    fn default() -> Self {
        Clustering {
            partition: Partition::Threshold(1000),
            affinity: true,
            preorder: false,
            weights: Weights::default(),
        }
    }
}

impl Clustering {
    /// The clusters of `conjuncts`; `quantified` are the variables that an image quantifies.
    pub fn clusters(
        &self,
        manager: &Manager,
        conjuncts: Vec<Bdd>,
        quantified: &[VarIndex],
    ) -> DdResult<Vec<Bdd>> {
        let ordered = |diagrams: Vec<Bdd>| -> Vec<Bdd> {
            let order = iwls95::order(manager, &diagrams, quantified, &self.weights);
            order.into_iter().map(|i| diagrams[i].clone()).collect()
        };
        let joined = if self.affinity {
            affinity::join
        } else {
            threshold::join
        };
        let mut clusters = match self.partition {
            Partition::Monolithic => {
                let mut all = manager.one();
                for c in &conjuncts {
                    all = all.and(c)?;
                }
                vec![all]
            }
            Partition::Threshold(limit) => joined(conjuncts, limit)?,
            Partition::Iwls95(limit) if self.preorder => joined(ordered(conjuncts), limit)?,
            Partition::Iwls95(limit) => ordered(joined(conjuncts, limit)?),
        };
        clusters.retain(|c| !c.is_one());
        Ok(clusters)
    }
}

#[cfg(test)]
mod tests;
