//! Vacuity of LTL formulas, by the witnesses of Kupferman and Vardi.
//!
//! There is no bottom-up pass over states for a formula about paths, so each witness is checked; the
//! machine, its reachable and fair states and all diagrams of the parts of the formula that stay are
//! shared. One constant decides about an occurrence of one polarity.

use super::analysis::{Found, NaiveAnswer, Replacements, atom_answers};
use super::{Analysis, Config, constants};
use crate::base::system::cpu_time;
use crate::encode::error::Result;
use crate::engine::Checker;
use crate::engine::algebra::Machine;
use crate::engine::ltl;
use crate::logic::{CtlTree, NodeId, Polarity};

/// A formula about paths.
pub struct LtlQuestion<'a, 'f> {
    /// The machine.
    pub checker: &'a Checker<'f>,
    /// The formula, occurrence by occurrence.
    pub tree: &'a CtlTree,
}

impl LtlQuestion<'_, '_> {
    /// Analyses the formula.
    pub fn analyse(&self, config: &Config) -> Result<Analysis> {
        let start = cpu_time();
        let mut checked = Checked {
            question: self,
            polarities: self.tree.polarities(),
            truth: self.truth_with(&[])?,
        };
        let nodes = self.tree.atoms();
        let vacuous = checked.vacuous(&nodes)?;
        let time = cpu_time() - start;
        let atoms = atom_answers(self.tree, &nodes, vacuous);
        let mut naive = None;
        if config.naive.is_some() {
            let start = cpu_time();
            let mut agrees = true;
            for atom in &atoms {
                agrees &= checked.keeps_truth(atom.node, &constants::BOTH)? == atom.vacuous;
            }
            naive = Some(NaiveAnswer {
                formulas: 1 + 2 * atoms.len() as u64,
                time: cpu_time() - start,
                agrees,
            });
        }
        let found = Found {
            truth: checked.truth,
            atoms,
            naive,
            time,
        };
        found.analysis(self.tree, config, &mut checked)
    }

    fn truth_with(&self, replaced: &[(NodeId, bool)]) -> Result<bool> {
        ltl::holds_with(self.checker, self.tree, replaced)
    }
}

/// A formula whose truth is known.
struct Checked<'q, 'a, 'f> {
    question: &'q LtlQuestion<'a, 'f>,
    polarities: Vec<Polarity>,
    truth: bool,
}

impl Checked<'_, '_, '_> {
    /// Whether replacing `node` by each of these constants leaves the truth as it is.
    fn keeps_truth(&self, node: NodeId, constants: &[bool]) -> Result<bool> {
        for &constant in constants {
            if self.question.truth_with(&[(node, constant)])? != self.truth {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Replacements for Checked<'_, '_, '_> {
    fn vacuous(&mut self, nodes: &[NodeId]) -> Result<Vec<bool>> {
        let deciding = |n: NodeId| constants::deciding(self.polarities[n.0 as usize], self.truth);
        nodes
            .iter()
            .map(|&n| self.keeps_truth(n, deciding(n)))
            .collect()
    }

    fn truth_with(&mut self, replaced: &[(NodeId, bool)]) -> Result<bool> {
        self.question.truth_with(replaced)
    }

    /// Parts about paths or steps have no set of states.
    fn never_holds(&mut self, node: NodeId) -> Result<Option<bool>> {
        let LtlQuestion { checker, tree } = self.question;
        let e = tree.node(node).expr;
        let model = &checker.fsm.model;
        if model.reads_step(e) || model.pool.is_temporal(e) {
            return Ok(None);
        }
        // An atom without value somewhere says nothing; that of the formula itself was an error before.
        let Ok(states) = checker.leaf(e) else {
            return Ok(None);
        };
        Ok(Some(!states.intersects(checker.fair())))
    }
}
