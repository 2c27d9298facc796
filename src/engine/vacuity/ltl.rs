//! Vacuity of LTL formulas, by the witnesses of Kupferman and Vardi.
//!
//! There is no bottom-up pass over states for a formula about paths, so each witness is checked; the
//! machine, its reachable and fair states and all diagrams of the parts of the formula that stay are
//! shared. One constant decides about an occurrence of one polarity.

use super::analysis::{AtomAnswer, NaiveAnswer};
use super::mutual::of_atoms;
use super::{Analysis, Config, antecedent, constants, refine};
use crate::dd::cpu_time;
use crate::encode::error::Result;
use crate::engine::Checker;
use crate::engine::algebra::Machine;
use crate::engine::ltl;
use crate::logic::{CtlTree, NodeId, Polarity};

/// A formula about paths.
pub struct LtlQuestion<'a, 'f> {
    pub checker: &'a Checker<'f>,
    pub tree: &'a CtlTree,
}

impl LtlQuestion<'_, '_> {
    fn truth_with(&self, replaced: &[(NodeId, bool)]) -> Result<bool> {
        ltl::holds_with(self.checker, self.tree, replaced)
    }

    /// Whether replacing `node` by these constants leaves the truth as it is.
    fn keeps(&self, node: NodeId, constants: &[bool], truth: bool) -> Result<bool> {
        for &constant in constants {
            if self.truth_with(&[(node, constant)])? != truth {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a part holds in no reachable fair state; none for parts about paths or steps.
    fn never_holds(&self, node: NodeId) -> Option<bool> {
        let e = self.tree.node(node).expr;
        let model = &self.checker.fsm.model;
        if model.reads_step(e) || model.any_node(e, |n| n.is_temporal()) {
            return None;
        }
        let states = self.checker.leaf(e).ok()?;
        Some(!states.intersects(self.checker.fair()))
    }

    /// Analyses the formula.
    pub fn analyse(&self, config: &Config) -> Result<Analysis> {
        let tree = self.tree;
        let polarities = tree.polarities();
        let start = cpu_time();
        let truth = self.truth_with(&[])?;
        let mut atoms = Vec::new();
        for node in tree.atoms() {
            let polarity = polarities[node.0 as usize];
            let vacuous = self.keeps(node, constants::deciding(polarity, truth), truth)?;
            atoms.push(AtomAnswer {
                node,
                polarity,
                vacuous,
            });
        }
        let time = cpu_time() - start;
        let mut naive = None;
        if config.naive.is_some() {
            let start = cpu_time();
            let mut agrees = true;
            for atom in &atoms {
                agrees &= self.keeps(atom.node, &constants::BOTH, truth)? == atom.vacuous;
            }
            naive = Some(NaiveAnswer {
                formulas: 1 + 2 * atoms.len() as u64,
                time: cpu_time() - start,
                agrees,
            });
        }
        let antecedent_failures = if atoms.iter().any(|a| a.vacuous) {
            antecedent::failures(tree, &|node| self.never_holds(node))
        } else {
            Vec::new()
        };
        let largest = if config.refine {
            let deciding = |polarity: Polarity| constants::deciding(polarity, truth);
            Some(refine::largest_vacuous(tree, &mut |level| {
                level
                    .iter()
                    .map(|&n| self.keeps(n, deciding(polarities[n.0 as usize]), truth))
                    .collect()
            })?)
        } else {
            None
        };
        let mutual = if config.mutual {
            let truth_with = &mut |replaced: &[_]| self.truth_with(replaced);
            Some(of_atoms(&atoms, truth, config.mutual_budget, truth_with)?)
        } else {
            None
        };
        Ok(Analysis {
            truth,
            atoms,
            antecedent_failures,
            largest,
            mutual,
            naive,
            time,
        })
    }
}
