//! The first solutions with the initial states in which they hold.
//!
//! The pairs (initial state, minterm) of all solutions may have no small diagram. Where they outgrow a
//! budget of nodes, only the first minterms in order are looked at: as many as are to be listed, and
//! then eight times as many, until there are enough cubes. These are still products of values that hold
//! in the same initial states, but are cut off at the last minterm looked at.

use super::cubes::{self, Listing, Wish};
use super::naive::bits_of;
use super::solve::{Question, Solutions};
use crate::dd::{Bdd, DdError, DdResult};
use crate::encode::EncodeError;
use crate::encode::error::Result;

/// Nodes that the pairs may take beyond what is there.
const BUDGET: usize = 100_000;

/// Lists solutions for some initial states, with these.
pub fn list(question: &Question, solutions: &Solutions, wish: Wish) -> Result<Listing> {
    let some = &solutions.some;
    if let Some(pairs) = &solutions.pairs {
        return Ok(cubes::list(
            question.checker.fsm,
            pairs,
            question.over,
            wish,
        )?);
    }
    if wish.limit == 0 {
        return Ok(Listing {
            cubes: Vec::new(),
            cut: !some.is_zero(),
        });
    }
    match pairs_within_budget(question, some)? {
        Some(pairs) => Ok(cubes::list(
            question.checker.fsm,
            &pairs,
            question.over,
            wish,
        )?),
        None => list_windows(question, some, wish),
    }
}

/// Lists the first of some minterms by looking at more and more of them.
fn list_windows(question: &Question, some: &Bdd, wish: Wish) -> Result<Listing> {
    let mut size = wish.limit;
    let mut window = first(question, some, size)?;
    let mut pairs = question.pairs(&window)?;
    loop {
        let mut listing = cubes::list(question.checker.fsm, &pairs, question.over, wish)?;
        let complete = window == *some;
        let enough = listing.cut || listing.cubes.len() >= wish.limit;
        listing.cut |= !complete;
        if complete || enough {
            return Ok(listing);
        }
        size = size.saturating_mul(8);
        window = first(question, some, size)?;
        match pairs_within_budget(question, &window)? {
            Some(wider) => pairs = wider,
            None => return Ok(listing),
        }
    }
}

/// The pairs of some minterms, unless they outgrow the budget.
fn pairs_within_budget(question: &Question, minterms: &Bdd) -> Result<Option<Bdd>> {
    let manager = &question.checker.fsm.manager;
    manager.set_node_limit(Some(manager.live_nodes() + BUDGET));
    let pairs = question.pairs(minterms);
    manager.set_node_limit(None);
    match pairs {
        Err(EncodeError::Dd(DdError::NodeLimit)) => Ok(None),
        pairs => pairs.map(Some),
    }
}

/// The first `size` of some minterms, in declaration order of variables and values.
fn first(question: &Question, minterms: &Bdd, size: usize) -> DdResult<Bdd> {
    let fsm = question.checker.fsm;
    let manager = &fsm.manager;
    let wish = Wish {
        limit: size,
        minterms: true,
    };
    let listing = cubes::list(fsm, minterms, question.over, wish)?;
    if !listing.cut {
        return Ok(minterms.clone());
    }
    let mut codes = manager.zero();
    for cube in &listing.cubes {
        let mut code = Vec::new();
        for (v, values) in &cube.values {
            code.extend(bits_of(question, *v, &values.0[0].0));
        }
        code.sort_by_key(|&(bit, _)| std::cmp::Reverse(manager.level_of(bit)));
        let mut one = manager.one();
        for (bit, on) in code {
            let literal = manager.var(bit);
            one = if on { literal } else { literal.not() }.and(&one)?;
        }
        codes = codes.or(&one)?;
    }
    // With all codes of the same values.
    let same = question.placeholder(question.over)?;
    let states = same.and_exists(&codes, &manager.cube(&question.fresh_bits())?)?;
    let current = manager.cube(&fsm.state_bits)?;
    same.and_exists(&states, &current)?.and(minterms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::query::testing::ask_all;
    use crate::model::testing::flat;
    use std::rc::Rc;

    #[test]
    fn windows_list_the_first_solutions() {
        let model = Rc::new(flat(
            "VAR x : 0..9; y : -2..4; b : boolean;
             ASSIGN next(x) := x < 9 ? x + 1 : x; next(y) := b ? y : -2; next(b) := b;
             QUERYSPEC EF (x > 2 & ?) QUERYSPEC EF ?{x, y} QUERYSPEC AF (y < 3 & ?{x})",
        ));
        ask_all(&model, |_, question| {
            let solutions = question.solve().unwrap();
            assert!(solutions.pairs.is_none(), "one by one");
            for (limit, minterms) in [(1, false), (5, true), (11, false), (1000, true)] {
                let wish = Wish { limit, minterms };
                let whole = list(question, &solutions, wish).unwrap();
                let part = list_windows(question, &solutions.some, wish).unwrap();
                assert_eq!(part.cut, whole.cut);
                for (p, w) in part.cubes.iter().zip(&whole.cubes) {
                    if minterms {
                        assert_eq!(p.values, w.values);
                    }
                    let first = |c: &cubes::Cube| {
                        c.values
                            .iter()
                            .map(|v| v.1.0[0].0.clone())
                            .collect::<Vec<_>>()
                    };
                    assert!(first(p) <= first(w) && (p.states == w.states || !minterms));
                }
                assert!(limit == 1 || part.cubes.len() >= whole.cubes.len().min(limit));
            }
        });
    }
}
