//! The strongest propositional solutions of a positive query (Bobaru 2009, section 4.4).
//!
//! A propositional formula over P is a set of minterms over P. The solutions of a positive query are
//! closed upwards; the strongest ones are the minimal sets. Each minterm m gets a bit b_m, the
//! placeholder is `⋁_m b_m ∧ (current values = m)`, and one pass yields the solutions as a monotone
//! function of the bits, whose minimal points are read off:
//!
//! ```text
//! min(f) = min(f0) ∪ { {b} ∪ h : h ∈ min(f1), no member of min(f0) is part of h }
//! ```
//! for f0, f1 the cofactors by the top bit b. With n minterms there are 2^n formulas, so P is small.

use super::cubes::size;
use super::naive::bits_of;
use super::solve::Question;
use crate::base::deep;
use crate::dd::{Bdd, DdResult, VarIndex};
use crate::encode::error::Result;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// Minterms over P at most: four Boolean variables.
pub const MINTERMS: u32 = 16;

/// Number of minterms of the query, if these are few enough.
pub fn minterms(question: &Question) -> std::result::Result<u32, BigUint> {
    let model = &question.checker.fsm.model;
    let all: BigUint = question
        .over
        .iter()
        .map(|&v| size(&model.var(v).ty))
        .product();
    match u32::try_from(&all) {
        Ok(n) if n <= MINTERMS => Ok(n),
        _ => Err(all),
    }
}

/// The strongest solutions, for all initial states, of a positive query over `n` minterms
/// ([`minterms`]): each a set of minterms over fresh bits.
pub fn solve(question: &Question, n: u32) -> Result<Vec<Bdd>> {
    let manager = &question.checker.fsm.manager;
    let codes = (0..n)
        .map(|i| minterm(question, i))
        .collect::<DdResult<Vec<Bdd>>>()?;
    let same = question.placeholder(question.over)?;
    let fresh = manager.cube(&question.fresh_bits())?;
    let mut placeholder = manager.zero();
    let mut bits = Vec::new();
    for code in &codes {
        bits.push(manager.num_vars());
        let chosen = manager.new_var()?;
        let states = same.and_exists(code, &fresh)?;
        placeholder = placeholder.or(&chosen.and(&states)?)?;
    }
    let found = question.solve_with(placeholder)?;
    let mut solutions = Vec::new();
    let mut minimal: Vec<u32> = Minimal::new(&bits).of(&found.all);
    minimal.sort_by_key(|&set| (set.count_ones(), std::cmp::Reverse(set.reverse_bits())));
    for set in minimal {
        let mut union = manager.zero();
        for (i, code) in codes.iter().enumerate() {
            if set >> i & 1 == 1 {
                union = union.or(code)?;
            }
        }
        solutions.push(union);
    }
    Ok(solutions)
}

/// All codes of a minterm, by its number.
fn minterm(question: &Question, mut index: u32) -> DdResult<Bdd> {
    let fsm = question.checker.fsm;
    let manager = &fsm.manager;
    let mut set = manager.one();
    for &v in question.over.iter().rev() {
        let n = u32::try_from(size(&fsm.model.var(v).ty)).unwrap_or(u32::MAX);
        let position = BigUint::from(index % n);
        index /= n;
        // Codes of the same value: via the current bits and back.
        let bits = fsm.layout.bits(v);
        let same = question.placeholder(&[v])?;
        let mut cube = manager.one();
        for (bit, on) in bits_of(question, v, &position) {
            let literal = manager.var(bit);
            cube = if on { literal } else { literal.not() }.and(&cube)?;
        }
        let current = same.and_exists(&cube, &manager.cube(&bits.fresh)?)?;
        set = set.and(&same.and_exists(&current, &manager.cube(&bits.current)?)?)?;
    }
    Ok(set)
}

/// Minimal points of a monotone function, as sets of bits by number.
struct Minimal {
    number: FxHashMap<VarIndex, u32>,
    memo: FxHashMap<Bdd, Vec<u32>>,
}

impl Minimal {
    fn new(bits: &[VarIndex]) -> Self {
        Minimal {
            number: (0..).zip(bits).map(|(i, &b)| (b, i)).collect(),
            memo: FxHashMap::default(),
        }
    }

    fn of(&mut self, f: &Bdd) -> Vec<u32> {
        let (Some(top), Some((low, high))) = (f.top(), f.cofactors()) else {
            return if f.is_one() { vec![0] } else { Vec::new() };
        };
        if let Some(known) = self.memo.get(f) {
            return known.clone();
        }
        let without = deep(|| self.of(&low));
        let bit = 1u32 << self.number.get(&top).copied().unwrap_or(0);
        let mut all = without.clone();
        for set in deep(|| self.of(&high)) {
            if !without.iter().any(|w| w & set == *w) {
                all.push(set | bit);
            }
        }
        self.memo.insert(f.clone(), all.clone());
        all
    }
}
