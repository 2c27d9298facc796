//! Refinement (Bobaru 2009, section 4.7.8): single variables first, then pairs, and so on.
//!
//! Let the placeholder stand positively. If a minterm over x, y solves the query, then so do its parts
//! over x and over y, which say less. So the solutions for the parts bound those for the whole: at each
//! level neighbouring groups of variables are joined, and the placeholder is "the current values equal
//! the fresh bits, and these are among what the parts allow". A part without a solution ends it all.
//! The bound is that of the answer for some initial states, which holds for all of them too.

use super::solve::{Question, Solutions};
use crate::dd::Bdd;
use crate::encode::error::Result;
use crate::model::VarId;
use num_bigint::BigUint;

/// One group of variables.
#[derive(Clone, Debug)]
pub struct Group {
    pub over: Vec<VarId>,
    /// Minterms over the group that solve the query in some initial states.
    pub some: BigUint,
}

/// The answers, and the groups on the way.
pub struct Refined {
    pub solutions: Solutions,
    /// By level: single variables, pairs, and so on.
    pub levels: Vec<Vec<Group>>,
}

/// Solves level by level; the query must be positive.
pub fn solve(question: &Question) -> Result<Refined> {
    let mut groups: Vec<(Vec<VarId>, Option<Bdd>)> =
        question.over.iter().map(|&v| (vec![v], None)).collect();
    let mut levels = Vec::new();
    loop {
        let mut level = Vec::new();
        let mut last = None;
        for (over, bound) in &mut groups {
            let part = Question { over, ..*question };
            let mut placeholder = part.placeholder(over)?;
            if let Some(bound) = bound {
                placeholder = placeholder.and(bound)?;
            }
            let found = part.solve_with(placeholder)?;
            level.push(Group {
                over: over.clone(),
                some: part.count(&found.some)?,
            });
            *bound = Some(found.some.clone());
            let empty = found.some.is_zero();
            last = Some(found);
            if empty {
                break;
            }
        }
        levels.push(level);
        let solutions = match last {
            Some(found) => found,
            None => question.solve()?,
        };
        if groups.len() <= 1 || solutions.some.is_zero() {
            return Ok(Refined { solutions, levels });
        }
        let mut joined = Vec::with_capacity(groups.len().div_ceil(2));
        for pair in groups.chunks(2) {
            let over = pair.iter().flat_map(|g| g.0.iter().copied()).collect();
            let mut bound = question.checker.fsm.manager.one();
            for set in pair.iter().filter_map(|g| g.1.as_ref()) {
                bound = bound.and(set)?;
            }
            joined.push((over, Some(bound)));
        }
        groups = joined;
    }
}
