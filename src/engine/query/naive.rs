//! The naive method (Bobaru 2009, section 4.7.1): each minterm is put for the placeholder and the
//! formula checked, on the same machine with the same reachable and fair states. The yardstick for
//! correctness and speed. Of too many minterms a sample is taken, evenly spread.
//!
//! Two times are taken. One minterm after another, the manager keeps what it computed, and most of the work
//! of a check is found in its table of results: this is the method at its best. A smaller
//! sample is checked again with that table emptied before each (outside the time), as when each is
//! a specification that comes first.

use super::cubes::size;
use super::pass::Pass;
use super::solve::{Question, Solutions};
use crate::dd::{Bdd, VarIndex};
use crate::encode::error::Result;
use crate::model::{VarId, VarType};
use num_bigint::BigUint;
use std::time::{Duration, Instant};

/// What the naive method found.
#[derive(Clone, Debug)]
pub struct Naive {
    /// Minterms checked.
    pub checked: u64,
    /// Of how many.
    pub minterms: BigUint,
    /// Minterms on which the pass says something else.
    pub differ: u64,
    /// Of those `checked`; wall-clock time.
    pub time: Duration,
    /// Minterms checked again, each with nothing in the table of results.
    pub cold: u64,
    /// Of those `cold`; wall-clock time.
    pub cold_time: Duration,
}

/// Minterms checked with an empty table of results, at most.
const COLD: u64 = 100;

impl Naive {
    /// The time that all minterms would take.
    pub fn extrapolated_s(&self) -> f64 {
        self.time.as_secs_f64() * self.share(self.checked)
    }

    /// The same with an empty table of results before each.
    pub fn extrapolated_cold_s(&self) -> f64 {
        self.cold_time.as_secs_f64() * self.share(self.cold)
    }

    fn share(&self, checked: u64) -> f64 {
        let all = self.minterms.to_string().parse::<f64>().unwrap_or(f64::MAX);
        all / checked.max(1) as f64
    }
}

/// Checks up to `limit` minterms, and tells `progress` of each how many are done.
pub fn check(
    question: &Question,
    found: &Solutions,
    limit: u64,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Naive> {
    let fsm = question.checker.fsm;
    let same = question.placeholder(question.over)?;
    let initial = question.checker.fair_init()?;
    let sizes: Vec<BigUint> = question
        .over
        .iter()
        .map(|&v| size(&fsm.model.var(v).ty))
        .collect();
    let minterms: BigUint = sizes.iter().product();
    fsm.manager.forget_results();
    let number = u64::try_from(&minterms).map_or(limit, |n| n.min(limit));
    let mut naive = Naive {
        checked: 0,
        minterms: minterms.clone(),
        differ: 0,
        time: Duration::ZERO,
        cold: 0,
        cold_time: Duration::ZERO,
    };
    let cold = number.min(COLD);
    for i in 0..number + cold {
        let again = i >= number;
        if again {
            fsm.manager.forget_results();
        }
        let (i, of) = if again {
            (i - number, cold)
        } else {
            (i, number)
        };
        let start = Instant::now();
        let index = &minterms * i / of.max(1);
        let code = code_of(question, &sizes, index);
        let mut cube = fsm.manager.one();
        for &(bit, on) in code.iter().rev() {
            let literal = fsm.manager.var(bit);
            cube = if on { literal } else { literal.not() }.and(&cube)?;
        }
        let states = same.cofactor(&cube)?;
        let sat = Pass::new(question.checker, question.shape, states).sat(question.formula)?;
        let (all, some) = (initial.leq(&sat), initial.intersects(&sat));
        if again {
            naive.cold_time += start.elapsed();
            naive.cold += 1;
            continue;
        }
        naive.time += start.elapsed();
        naive.checked += 1;
        let says = |set: &Bdd| set.eval(|v| code.iter().any(|&(bit, on)| bit == v && on));
        naive.differ += u64::from(says(&found.all) != all || says(&found.some) != some);
        progress(naive.checked, number);
    }
    Ok(naive)
}

/// The fresh bits of a minterm, by its number.
fn code_of(question: &Question, sizes: &[BigUint], mut index: BigUint) -> Vec<(VarIndex, bool)> {
    let fsm = question.checker.fsm;
    let mut code = Vec::new();
    for (&v, size) in question.over.iter().zip(sizes).rev() {
        let position = &index % size;
        index /= size;
        code.extend(bits_of(question, v, &position));
    }
    code.sort_by_key(|&(bit, _)| fsm.manager.level_of(bit));
    code
}

/// The fresh bits of the value at a position.
pub(super) fn bits_of(question: &Question, v: VarId, position: &BigUint) -> Vec<(VarIndex, bool)> {
    let fsm = question.checker.fsm;
    let bits = &fsm.layout.bits(v).fresh;
    let n = bits.len() as u64;
    let word = matches!(fsm.model.var(v).ty, VarType::Word { .. });
    let bit = |i: u64| position.bit(if word { n - 1 - i } else { i });
    (0..n).map(|i| (bits[i as usize], bit(i))).collect()
}
