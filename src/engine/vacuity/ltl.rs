//! Vacuity of LTL formulas, by the witnesses of Kupferman and Vardi.
//!
//! There is no bottom-up pass over states for a formula about paths, so each witness is checked; the
//! machine, its reachable and fair states and all diagrams of the parts of the formula that stay are
//! shared. One constant decides about an occurrence of one polarity.

use super::analysis::{AtomAnswer, NaiveAnswer};
use super::{Analysis, Config, antecedent, constants, refine};
use crate::encode::error::Result;
use crate::engine::Checker;
use crate::engine::algebra::Machine;
use crate::engine::ltl;
use crate::engine::outcome::Verdict;
use crate::logic::{CtlTree, NodeId, Polarity};
use crate::model::ExprId;
use std::time::Instant;

/// A formula about paths, with its replacements.
pub struct LtlQuestion<'a, 'f> {
    pub checker: &'a Checker<'f>,
    pub tree: &'a CtlTree,
    /// The formula with a node replaced by a constant.
    pub replaced: &'a dyn Fn(NodeId, bool) -> Option<ExprId>,
}

impl LtlQuestion<'_, '_> {
    fn truth(&self, e: ExprId) -> Result<bool> {
        let answer = ltl::check(self.checker, e, &ltl::Config::default())?;
        Ok(matches!(answer.verdict, Verdict::True))
    }

    /// Whether replacing `node` by these constants leaves the truth as it is.
    fn keeps(&self, node: NodeId, constants: &[bool], truth: bool) -> Result<bool> {
        for &constant in constants {
            if let Some(e) = (self.replaced)(node, constant)
                && self.truth(e)? != truth
            {
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

    /// Analyses the formula. Joint replacements are not looked for.
    pub fn analyse(&self, config: &Config) -> Result<Analysis> {
        let tree = self.tree;
        let polarities = tree.polarities();
        let start = Instant::now();
        let truth = self.truth(tree.node(tree.root()).expr)?;
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
        let time = start.elapsed();
        let mut naive = None;
        if config.naive.is_some() {
            let start = Instant::now();
            let mut agrees = true;
            for atom in &atoms {
                agrees &= self.keeps(atom.node, &constants::BOTH, truth)? == atom.vacuous;
            }
            naive = Some(NaiveAnswer {
                formulas: 1 + 2 * atoms.len() as u64,
                time: start.elapsed(),
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
        Ok(Analysis {
            truth,
            atoms,
            antecedent_failures,
            largest,
            mutual: None,
            naive,
            time,
        })
    }
}
