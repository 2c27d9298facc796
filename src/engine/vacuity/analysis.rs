//! What a user asks about one formula, answered with one of the engines.

use super::mutual::{Mutual, of_atoms};
use super::naive::Sharing;
use super::selectors::Selectors;
use super::{Question, antecedent, naive, refine, words};
use crate::dd::cpu_time;
use crate::encode::error::Result;
use crate::logic::{NodeId, Polarity};
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
    pub engine: Engine,
    /// Bits of a word: 32 or 64.
    pub word_bits: u32,
    /// Also check all witnesses one by one and compare.
    pub naive: Option<Sharing>,
    pub refine: bool,
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
    pub node: NodeId,
    pub polarity: Polarity,
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
    pub truth: bool,
    /// Left to right.
    pub atoms: Vec<AtomAnswer>,
    /// Implications whose antecedent never holds.
    pub antecedent_failures: Vec<NodeId>,
    pub largest: Option<Vec<NodeId>>,
    /// Sets of positions in `atoms`.
    pub mutual: Option<Mutual>,
    pub naive: Option<NaiveAnswer>,
    /// CPU time of the pass. With [`Config::naive`] the pass takes over nothing from the plain check, and this is all
    /// it costs to find truth and vacuity; else it is what vacuity costs besides the check.
    pub time: Duration,
}

impl Analysis {
    pub fn vacuous_atoms(&self) -> usize {
        self.atoms.iter().filter(|a| a.vacuous).count()
    }
}

/// Analyses one formula.
pub fn analyse(question: &Question, config: &Config) -> Result<Analysis> {
    let tree = question.tree;
    let nodes = tree.atoms();
    let polarities = tree.polarities();
    if config.naive.is_some() {
        // Both methods are measured; neither shall live on results of the other or of the plain check.
        question.manager.forget_results();
    }
    let start = cpu_time();
    let mut selectors = None;
    let (truth, vacuous) = match config.engine {
        Engine::Words => {
            let found = words::check(question, &nodes, config.word_bits)?;
            (found.truth, found.vacuous)
        }
        Engine::Selectors => {
            let mut pass = Selectors::new(question)?;
            let vacuous = pass.vacuous(&nodes)?;
            let truth = pass.truth();
            selectors = Some(pass);
            (truth, vacuous)
        }
    };
    let time = cpu_time() - start;
    let atoms: Vec<AtomAnswer> = nodes
        .iter()
        .zip(vacuous)
        .map(|(&node, vacuous)| AtomAnswer {
            node,
            polarity: polarities[node.0 as usize],
            vacuous,
        })
        .collect();

    let naive = match config.naive {
        Some(sharing) => {
            let (t, v, time) = naive::check(question, &nodes, sharing)?;
            Some(NaiveAnswer {
                formulas: 1 + 2 * nodes.len() as u64,
                time,
                agrees: t == truth && v.iter().eq(atoms.iter().map(|a| &a.vacuous)),
            })
        }
        None => None,
    };

    // The remaining questions are about replacements one way or the other.
    let any_vacuous = atoms.iter().any(|a| a.vacuous);
    let mut pass = match selectors {
        Some(pass) => pass,
        None if any_vacuous || config.refine => Selectors::new(question)?,
        None => {
            return Ok(Analysis {
                truth,
                atoms,
                antecedent_failures: Vec::new(),
                largest: None,
                mutual: config.mutual.then(|| Mutual {
                    sets: Vec::new(),
                    complete: true,
                }),
                naive,
                time,
            });
        }
    };
    let antecedent_failures = if any_vacuous {
        antecedent::failures(tree, &|node| pass.never_holds(node))
    } else {
        Vec::new()
    };
    let largest = if config.refine {
        let words = config.engine == Engine::Words;
        Some(refine::largest_vacuous(tree, &mut |level| {
            if words {
                Ok(words::check(question, level, config.word_bits)?.vacuous)
            } else {
                pass.vacuous(level)
            }
        })?)
    } else {
        None
    };
    let mutual = if config.mutual {
        let truth_with = &mut |replaced: &[_]| pass.truth_with(replaced);
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
