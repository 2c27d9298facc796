//! All that was asked of one query: question and configuration → counts and lists.

use super::cubes::{self, Listing, Wish};
use super::naive::{self, Naive};
use super::refine::{self, Group, Skip};
use super::solve::Question;
use super::starts;
use super::strongest;
use crate::encode::error::Result;
use num_bigint::BigUint;
use std::time::{Duration, Instant};

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Config {
    /// Cubes listed per answer.
    pub limit: usize,
    /// List single minterms.
    pub minterms: bool,
    /// List the initial states of each solution.
    pub initial: bool,
    /// Single variables first, then pairs, triples, and so on.
    pub refine: bool,
    /// Find the strongest propositional solutions.
    pub strongest: bool,
    /// Check so many minterms by the naive method.
    pub naive: Option<u64>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            limit: 100,
            minterms: false,
            initial: false,
            refine: false,
            strongest: false,
            naive: None,
        }
    }
}

/// The strongest solutions, or why there are none.
pub enum Strongest {
    /// Each as a listing of its minterms.
    Found(Vec<Listing>),
    /// So many minterms are too many.
    TooMany(BigUint),
    /// The placeholder does not stand positively.
    NotPositive,
}

/// The levels of refinement, or why there are none.
pub enum Refined {
    /// Groups by level, and why levels are missing.
    Levels(Vec<Vec<Group>>, Option<Skip>),
    /// The placeholder does not stand positively.
    NotPositive,
}

/// The answers.
pub struct Answer {
    /// Solutions for all initial states.
    pub count: BigUint,
    /// Solutions for some.
    pub count_some: BigUint,
    /// Those for all initial states, up to the limit.
    pub all: Listing,
    /// Those for some, up to the limit.
    pub some: Listing,
    /// For each cube of `some`, in how many initial states its minterms hold.
    pub initial: Vec<BigUint>,
    /// For each cube of `some`, in which.
    pub starts: Option<Vec<Listing>>,
    /// None if not asked for.
    pub refined: Option<Refined>,
    /// None if not asked for.
    pub strongest: Option<Strongest>,
    /// None if not asked for.
    pub naive: Option<Naive>,
    /// Of both answers and their counts.
    pub time: Duration,
    /// Of the list of solutions for some initial states, with the numbers of these.
    pub initial_time: Duration,
}

/// Answers a query. `progress` is told of the naive method: how many minterms are checked, and of how
/// many.
pub fn answer(
    question: &Question,
    config: &Config,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Answer> {
    let start = Instant::now();
    let fsm = question.checker.fsm;
    let positive = question.shape.is_positive();
    let (solutions, refined) = match (config.refine, positive) {
        (true, true) => {
            let found = refine::solve(question)?;
            let refined = Refined::Levels(found.levels, found.skip);
            (found.solutions, Some(refined))
        }
        (true, false) => (question.solve()?, Some(Refined::NotPositive)),
        (false, _) => (question.solve()?, None),
    };
    let (count, count_some) = (
        question.count(&solutions.all)?,
        question.count(&solutions.some)?,
    );
    let time = start.elapsed();
    let wish = Wish {
        limit: config.limit,
        minterms: config.minterms,
    };
    let all = cubes::list(fsm, &solutions.all, question.over, wish)?;
    let start = Instant::now();
    let some = starts::list(question, &solutions, wish)?;
    let mut initial = Vec::with_capacity(some.cubes.len());
    let mut from = config.initial.then(Vec::new);
    for cube in &some.cubes {
        initial.push(fsm.count(&cube.states)?);
        if let Some(from) = &mut from {
            from.push(cubes::list_states(fsm, &cube.states, config.limit)?);
        }
    }
    let initial_time = start.elapsed();
    let strongest = match (config.strongest, positive) {
        (false, _) => None,
        (true, false) => Some(Strongest::NotPositive),
        (true, true) => Some(find_strongest(question, wish)?),
    };
    let naive = match config.naive {
        Some(limit) => Some(naive::check(question, &solutions, limit, progress)?),
        None => None,
    };
    Ok(Answer {
        count,
        count_some,
        all,
        some,
        initial,
        starts: from,
        refined,
        strongest,
        naive,
        time,
        initial_time,
    })
}

fn find_strongest(question: &Question, wish: Wish) -> Result<Strongest> {
    let n = match strongest::minterms(question) {
        Ok(n) => n,
        Err(all) => return Ok(Strongest::TooMany(all)),
    };
    let found = strongest::solve(question, n)?;
    let mut listings = Vec::with_capacity(found.len());
    for set in found.iter().take(wish.limit) {
        let whole = Wish {
            limit: strongest::MINTERMS as usize,
            ..wish
        };
        listings.push(cubes::list(
            question.checker.fsm,
            set,
            question.over,
            whole,
        )?);
    }
    Ok(Strongest::Found(listings))
}
