//! Sets of occurrences that can be replaced together.
//!
//! A set of occurrences is *mutually vacuous* iff replacing all of them at once, by any constants,
//! leaves the truth of the formula (Gurfinkel and Chechik, TACAS 2004; Bobaru 2009, section
//! 4.3). Subsets of such a set are such sets, and its members are vacuous each by itself. So the
//! maximal sets are searched from the set of all individually vacuous occurrences downwards: a
//! set that fails holds a minimal failing subset, found by leaving out members, and each maximal
//! set below lacks one member of that.

use super::analysis::AtomAnswer;
use super::constants;
use crate::encode::error::Result;
use crate::logic::NodeId;
use std::collections::BTreeSet;

/// The maximal mutually vacuous sets, or as many as the budget allowed to find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mutual {
    /// Of positions in the list of candidates; each sorted, and sorted among themselves.
    pub sets: Vec<Vec<usize>>,
    /// False when the bound on checks was hit.
    pub complete: bool,
}

/// The truth of a formula with some nodes replaced by constants.
type TruthWith<'t> = &'t mut dyn FnMut(&[(NodeId, bool)]) -> Result<bool>;

/// The maximal sets of vacuous atoms that can be replaced together, as positions in `atoms`.
pub fn of_atoms(
    atoms: &[AtomAnswer],
    truth: bool,
    budget: usize,
    truth_with: TruthWith,
) -> Result<Mutual> {
    let vacuous: Vec<usize> = (0..atoms.len()).filter(|&i| atoms[i].vacuous).collect();
    let found = maximal_sets(vacuous.len(), budget, &mut |set| {
        let members: Vec<AtomAnswer> = set.iter().map(|&i| atoms[vacuous[i]]).collect();
        keeps_truth(truth_with, &members, truth, &mut Vec::new())
    })?;
    let sets = found
        .sets
        .into_iter()
        .map(|set| set.into_iter().map(|i| vacuous[i]).collect())
        .collect();
    Ok(Mutual {
        sets,
        complete: found.complete,
    })
}

/// Whether all deciding combinations of constants for `rest` (on top of those chosen) leave the
/// truth as it is.
fn keeps_truth(
    truth_with: TruthWith,
    rest: &[AtomAnswer],
    truth: bool,
    chosen: &mut Vec<(NodeId, bool)>,
) -> Result<bool> {
    let Some((first, rest)) = rest.split_first() else {
        return Ok(truth_with(chosen)? == truth);
    };
    for &constant in constants::deciding(first.polarity, truth) {
        chosen.push((first.node, constant));
        let same = keeps_truth(truth_with, rest, truth, chosen)?;
        chosen.pop();
        if !same {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Searches among `n` candidates with at most `budget` calls of `keeps_truth`.
pub fn maximal_sets(
    n: usize,
    budget: usize,
    keeps_truth: &mut dyn FnMut(&[usize]) -> Result<bool>,
) -> Result<Mutual> {
    let mut search = Search {
        keeps_truth,
        budget,
        found: Vec::new(),
        seen: BTreeSet::new(),
    };
    let complete = n == 0 || search.explore((0..n).collect())?;
    let mut sets = search.found;
    sets.sort();
    Ok(Mutual { sets, complete })
}

struct Search<'a> {
    keeps_truth: &'a mut dyn FnMut(&[usize]) -> Result<bool>,
    budget: usize,
    found: Vec<Vec<usize>>,
    seen: BTreeSet<Vec<usize>>,
}

impl Search<'_> {
    /// Finds all maximal sets; false when the budget ran out.
    fn explore(&mut self, all: Vec<usize>) -> Result<bool> {
        let mut todo = vec![all];
        while let Some(set) = todo.pop() {
            let known = |f: &Vec<usize>| set.iter().all(|x| f.contains(x));
            if set.is_empty() || self.found.iter().any(known) || !self.seen.insert(set.clone()) {
                continue;
            }
            let Some(good) = self.check(&set)? else {
                return Ok(false);
            };
            if good {
                self.found.retain(|f| !f.iter().all(|x| set.contains(x)));
                self.found.push(set);
                continue;
            }
            let Some(core) = self.minimal_failing(&set)? else {
                return Ok(false);
            };
            for x in core {
                todo.push(set.iter().copied().filter(|&y| y != x).collect());
            }
        }
        Ok(true)
    }

    fn minimal_failing(&mut self, set: &[usize]) -> Result<Option<Vec<usize>>> {
        let mut core = set.to_vec();
        let mut i = 0;
        while i < core.len() {
            let mut fewer = core.clone();
            fewer.remove(i);
            match self.check(&fewer)? {
                None => return Ok(None),
                Some(true) => i += 1,
                Some(false) => core = fewer,
            }
        }
        Ok(Some(core))
    }

    fn check(&mut self, set: &[usize]) -> Result<Option<bool>> {
        if self.budget == 0 {
            return Ok(None);
        }
        self.budget -= 1;
        (self.keeps_truth)(set).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All maximal members of a downward-closed family given by its minimal failing sets.
    fn run(n: usize, failing: &[&[usize]], budget: usize) -> Mutual {
        maximal_sets(n, budget, &mut |set| {
            Ok(!failing.iter().any(|f| f.iter().all(|x| set.contains(x))))
        })
        .unwrap()
    }

    #[test]
    fn finds_all_maximal_sets() {
        let m = run(4, &[&[0, 1], &[1, 2, 3]], 1000);
        assert!(m.complete);
        assert_eq!(m.sets, vec![vec![0, 2, 3], vec![1, 2], vec![1, 3]]);
        assert_eq!(run(3, &[], 1000).sets, vec![vec![0, 1, 2]]);
        assert_eq!(
            run(0, &[], 1000),
            Mutual {
                sets: vec![],
                complete: true
            }
        );
    }

    #[test]
    fn says_when_the_budget_is_spent() {
        assert!(!run(6, &[&[0, 1], &[2, 3], &[4, 5]], 3).complete);
    }
}
