//! What a user asks about one formula, answered with one of the engines.

use super::mutual::{Mutual, of_atoms};
use super::naive::Sharing;
use super::selectors::Selectors;
use super::{Question, antecedent, naive, refine, words};
use crate::base::system::cpu_time;
use crate::encode::error::Result;
use crate::logic::{CtlTree, NodeId, Polarity};
use std::time::Duration;

/// The diagrams of the pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Terminals are lattice words.
    Words,
    /// State sets, indexed by the occurrence replaced.
    #[default]
    Selectors,
}

/// What to find out beyond truth and the vacuity of each atom.
#[derive(Clone, Debug)]
pub struct Config {
    /// All engines give the same answers.
    pub engine: Engine,
    /// Bits of a word: 32 or 64.
    pub word_bits: u32,
    /// Also check all witnesses one by one and compare.
    pub naive: Option<Sharing>,
    /// Also find the largest vacuous subformulas.
    pub refine: bool,
    /// Also find which atoms are vacuous together.
    pub mutual: bool,
    /// Most joint replacements to check for one formula.
    pub mutual_budget: usize,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            engine: Engine::default(),
            word_bits: 64,
            naive: None,
            refine: false,
            mutual: false,
            mutual_budget: 2000,
        }
    }
}

/// One atom occurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtomAnswer {
    /// The occurrence.
    pub node: NodeId,
    /// Of the occurrence in the formula.
    pub polarity: Polarity,
    /// Replacing it leaves the truth of the formula as it is.
    pub vacuous: bool,
}

/// The naive method's account.
#[derive(Clone, Copy, Debug)]
pub struct NaiveAnswer {
    /// Witnesses checked.
    pub formulas: u64,
    /// CPU time.
    pub time: Duration,
    /// Whether it found what the pass found.
    pub agrees: bool,
}

/// The answer for one formula.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Whether the formula holds.
    pub truth: bool,
    /// Left to right.
    pub atoms: Vec<AtomAnswer>,
    /// Implications whose antecedent never holds.
    pub antecedent_failures: Vec<NodeId>,
    /// Vacuous nodes under no vacuous one; none if not asked for.
    pub largest: Option<Vec<NodeId>>,
    /// Sets of positions in `atoms`.
    pub mutual: Option<Mutual>,
    /// None if not asked for.
    pub naive: Option<NaiveAnswer>,
    /// CPU time of the pass. With [`Config::naive`] the pass takes over nothing from the plain check, and this is all
    /// it costs to find truth and vacuity; else it is what vacuity costs besides the check.
    pub time: Duration,
}

impl Analysis {
    /// The number of atoms that are vacuous.
    pub fn vacuous_atoms(&self) -> usize {
        self.atoms.iter().filter(|a| a.vacuous).count()
    }
}

/// The answers for `nodes`, in their order.
pub(super) fn atom_answers(
    tree: &CtlTree,
    nodes: &[NodeId],
    vacuous: Vec<bool>,
) -> Vec<AtomAnswer> {
    let polarities = tree.polarities();
    (nodes.iter().zip(vacuous))
        .map(|(&node, vacuous)| AtomAnswer {
            node,
            polarity: polarities[node.0 as usize],
            vacuous,
        })
        .collect()
}

/// Truth and vacuity of each atom are known; the rest of what was asked is added by [`Found::analysis`].
pub(super) struct Found {
    /// Whether the formula holds.
    pub truth: bool,
    /// Left to right.
    pub atoms: Vec<AtomAnswer>,
    /// None if not asked for.
    pub naive: Option<NaiveAnswer>,
    /// CPU time.
    pub time: Duration,
}

/// What the questions beyond single atoms need to know of a formula.
pub(super) trait Replacements {
    /// Whether each of some nodes, none above another, is vacuous.
    fn vacuous(&mut self, nodes: &[NodeId]) -> Result<Vec<bool>>;

    /// The truth of the formula with some nodes, none above another, replaced by constants.
    fn truth_with(&mut self, replaced: &[(NodeId, bool)]) -> Result<bool>;

    /// Whether a node holds in no reachable fair state, if that is known.
    fn never_holds(&mut self, node: NodeId) -> Result<Option<bool>>;
}

impl Found {
    /// Answers the remaining questions of `config`.
    pub fn analysis(
        self,
        tree: &CtlTree,
        config: &Config,
        formula: &mut dyn Replacements,
    ) -> Result<Analysis> {
        let Found {
            truth,
            atoms,
            naive,
            time,
        } = self;
        let antecedent_failures = if atoms.iter().any(|a| a.vacuous) {
            antecedent::failures(tree, &mut |node| formula.never_holds(node))?
        } else {
            Vec::new()
        };
        let largest = config
            .refine
            .then(|| refine::largest_vacuous(tree, &mut |level| formula.vacuous(level)))
            .transpose()?;
        let mutual = if config.mutual {
            let truth_with = &mut |replaced: &[_]| formula.truth_with(replaced);
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

/// One of the engines on one formula. Words know nothing of joint replacements and of values at states, for
/// which selectors are made when somebody asks.
struct Pass<'q, 'a> {
    question: &'q Question<'a>,
    config: &'q Config,
    selectors: Option<Selectors<'a>>,
}

impl<'a> Pass<'_, 'a> {
    /// The truth of the formula, and whether each of `atoms` is vacuous.
    fn check(&mut self, atoms: &[NodeId]) -> Result<(bool, Vec<bool>)> {
        match self.config.engine {
            Engine::Words => {
                let found = words::check(self.question, atoms, self.config.word_bits)?;
                Ok((found.truth, found.vacuous))
            }
            Engine::Selectors => {
                let selectors = self.selectors()?;
                let vacuous = selectors.vacuous(atoms)?;
                Ok((selectors.truth(), vacuous))
            }
        }
    }

    fn selectors(&mut self) -> Result<&mut Selectors<'a>> {
        let made = match self.selectors.take() {
            Some(selectors) => selectors,
            None => Selectors::new(self.question)?,
        };
        Ok(self.selectors.insert(made))
    }
}

impl Replacements for Pass<'_, '_> {
    fn vacuous(&mut self, nodes: &[NodeId]) -> Result<Vec<bool>> {
        Ok(self.check(nodes)?.1)
    }

    fn truth_with(&mut self, replaced: &[(NodeId, bool)]) -> Result<bool> {
        self.selectors()?.truth_with(replaced)
    }

    fn never_holds(&mut self, node: NodeId) -> Result<Option<bool>> {
        Ok(self.selectors()?.never_holds(node))
    }
}

/// Analyses one formula.
pub fn analyse(question: &Question, config: &Config) -> Result<Analysis> {
    let tree = question.tree;
    let nodes = tree.atoms();
    if config.naive.is_some() {
        // Both methods are measured; neither shall live on results of the other or of the plain check.
        question.manager.forget_results();
    }
    let mut pass = Pass {
        question,
        config,
        selectors: None,
    };
    let start = cpu_time();
    let (truth, vacuous) = pass.check(&nodes)?;
    let time = cpu_time() - start;
    let mut naive = None;
    if let Some(sharing) = config.naive {
        let (naive_truth, naive_vacuous, time) = naive::check(question, &nodes, sharing)?;
        naive = Some(NaiveAnswer {
            formulas: 1 + 2 * nodes.len() as u64,
            time,
            agrees: naive_truth == truth && naive_vacuous == vacuous,
        });
    }
    let found = Found {
        truth,
        atoms: atom_answers(tree, &nodes, vacuous),
        naive,
        time,
    };
    found.analysis(tree, config, &mut pass)
}
