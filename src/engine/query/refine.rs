//! Refinement (Bobaru 2009, section 4.7.8): single variables first, then pairs, triples, and so on.
//!
//! Let the placeholder stand positively. If a minterm over a group of variables solves the query, then
//! so do its parts over smaller groups, which say less. So level k solves the query for each group of k
//! variables, with "the current values equal the fresh bits, and these are among what the groups of
//! k - 1 allow" for the placeholder; the last level, all variables, has the answer. The bound is that
//! of the answer for some initial states, which holds for all of them too.
//!
//! Levels are left out, and the last one comes next, where
//!
//! * a group has no solution: then nothing has one, and that is the answer;
//! * fewer candidates are left over all variables than the next level has groups;
//! * the passes would be more than [`PASSES`] (n variables have 2^n - 1 groups).
//!
//! None of this changes the answer.

use super::solve::{Question, Solutions};
use crate::dd::{Bdd, DdResult};
use crate::encode::error::Result;
use crate::model::VarId;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// Passes up to the last level, at most.
pub const PASSES: u64 = 1000;

/// Nodes of a conjunction of bounds; beyond that a bound is not used.
const NODES: usize = 100_000;

/// One group of variables.
#[derive(Clone, Debug)]
pub struct Group {
    /// Some of the variables of the placeholder.
    pub over: Vec<VarId>,
    /// Minterms over the group that solve the query in some initial states.
    pub some: BigUint,
}

/// Why levels were left out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the variants tell what their fields are")]
pub enum Skip {
    /// So many minterms over all variables are left, fewer than the next level has groups.
    Candidates(BigUint),
    /// The groups of that many variables are so many that [`PASSES`] do not suffice.
    Passes { variables: usize, groups: u64 },
}

/// The answers, and the groups on the way.
pub struct Refined {
    /// Over all variables of the placeholder.
    pub solutions: Solutions,
    /// By level: single variables, pairs, and so on.
    pub levels: Vec<Vec<Group>>,
    /// Levels up to the last one were left out for this.
    pub skip: Option<Skip>,
}

/// Solves level by level; the query must be positive.
pub fn solve(question: &Question) -> Result<Refined> {
    let n = question.over.len();
    let mut levels = Vec::new();
    let mut skip = None;
    let mut known: FxHashMap<Vec<usize>, Bdd> = FxHashMap::default();
    let mut passes = 0;
    let mut size = 1;
    while size < n {
        let groups = binomial(n as u64, size as u64);
        if passes + groups > PASSES {
            skip = Some(Skip::Passes {
                variables: size,
                groups,
            });
            break;
        }
        passes += groups;
        let mut level = Vec::new();
        let mut found = FxHashMap::default();
        let mut next = Some((0..size).collect::<Vec<usize>>());
        while let Some(group) = next {
            let bound = narrow(question, &group, &known)?;
            let over: Vec<VarId> = group.iter().map(|&i| question.over[i]).collect();
            let part = Question {
                over: &over,
                ..*question
            };
            let solutions = part.solve_with(part.placeholder(&over)?.and(&bound)?)?;
            let some = part.count(&solutions.some)?;
            level.push(Group { over, some });
            if solutions.some.is_zero() {
                levels.push(level);
                return Ok(Refined {
                    solutions,
                    levels,
                    skip,
                });
            }
            next = following(&group, n);
            found.insert(group, solutions.some);
        }
        levels.push(level);
        known = found;
        size += 1;
        let candidates = question.count(&conjunction(question, sorted(&known))?)?;
        if size < n && candidates < BigUint::from(binomial(n as u64, size as u64)) {
            skip = Some(Skip::Candidates(candidates));
            break;
        }
    }
    let bound = conjunction(question, sorted(&known))?;
    let solutions = question.solve_with(question.placeholder(question.over)?.and(&bound)?)?;
    levels.push(vec![Group {
        over: question.over.to_vec(),
        some: question.count(&solutions.some)?,
    }]);
    Ok(Refined {
        solutions,
        levels,
        skip,
    })
}

/// What the groups of one variable less allow a group.
fn narrow(
    question: &Question,
    group: &[usize],
    known: &FxHashMap<Vec<usize>, Bdd>,
) -> DdResult<Bdd> {
    let without = |i: usize| {
        let mut part = group.to_vec();
        part.remove(i);
        known.get(&part)
    };
    conjunction(question, (0..group.len()).filter_map(without).collect())
}

/// Bounds in the order of their groups.
fn sorted(known: &FxHashMap<Vec<usize>, Bdd>) -> Vec<&Bdd> {
    let mut all: Vec<_> = known.iter().collect();
    all.sort_by_key(|(group, _)| *group);
    all.into_iter().map(|(_, bound)| bound).collect()
}

/// The conjunction of bounds, as far as it stays small.
fn conjunction(question: &Question, bounds: Vec<&Bdd>) -> DdResult<Bdd> {
    let mut all = question.checker.fsm.manager.one();
    for bound in bounds {
        if let Some(smaller) = all.and_limit(bound, NODES)? {
            all = smaller;
        }
    }
    Ok(all)
}

/// The group of the same size that follows in lexicographic order, of numbers below `n`.
fn following(group: &[usize], n: usize) -> Option<Vec<usize>> {
    let size = group.len();
    let at = (0..size).rev().find(|&i| group[i] < n - size + i)?;
    let mut next = group.to_vec();
    next[at] += 1;
    for i in at + 1..size {
        next[i] = next[i - 1] + 1;
    }
    Some(next)
}

/// Number of groups of k among n.
fn binomial(n: u64, k: u64) -> u64 {
    (0..k.min(n - k)).fold(1u64, |all, i| all.saturating_mul(n - i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_groups_are_met_once() {
        let mut next = Some(vec![0, 1, 2]);
        let mut seen = Vec::new();
        while let Some(group) = next {
            next = following(&group, 5);
            seen.push(group);
        }
        assert_eq!(seen.len() as u64, binomial(5, 3));
        assert!(seen.is_sorted() && seen.iter().all(|g| g.is_sorted()));
        assert_eq!(seen.last(), Some(&vec![2, 3, 4]));
        assert_eq!((binomial(15, 4), binomial(40, 1)), (1365, 40));
    }
}
