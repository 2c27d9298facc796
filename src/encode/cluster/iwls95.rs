//! The order in which diagrams are best used when variables are to leave early.
//!
//! Greedily the diagram with the greatest benefit comes next (Ranjan, Aziz, Brayton, Plessier,
//! Pixley: "Efficient BDD algorithms for FSM synthesis and verification", IWLS 1995):
//!
//! ```text
//! benefit = W1 · leaving / held  +  W2 · held / present  -  W3 · new / absent  +  W4 · low / lowest
//! ```
//!
//! held: variables to quantify that the diagram mentions; leaving: those that no other diagram left
//! mentions; present: all variables to quantify that the diagrams left mention; new: other variables
//! that no diagram before mentions; absent: all of these; low: greatest level of a variable that
//! leaves; lowest: greatest level of a variable to quantify. Ties go to the earlier diagram.

use crate::dd::{Bdd, Manager, VarIndex};

/// The weights of the four terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights(pub [i32; 4]);

impl Default for Weights {
    fn default() -> Self {
        Weights([6, 1, 1, 2])
    }
}

/// Diagrams beyond which the (quadratic) search is too slow: their own order has to do.
const MOST: usize = 2000;

/// The order in which to use `diagrams` when `quantified` are to leave.
pub fn order(
    manager: &Manager,
    diagrams: &[Bdd],
    quantified: &[VarIndex],
    weights: &Weights,
) -> Vec<usize> {
    let mut left: Vec<usize> = (0..diagrams.len()).collect();
    if left.len() > MOST {
        return left;
    }
    let mut state = State::new(manager, diagrams, quantified);
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let totals = state.totals();
        let benefits = left.iter().map(|&i| state.benefit(i, &totals, weights));
        let best =
            benefits.enumerate().fold(
                (0, f64::NEG_INFINITY),
                |best, x| {
                    if x.1 > best.1 { x } else { best }
                },
            );
        let chosen = left.remove(best.0);
        state.take(chosen);
        order.push(chosen);
    }
    order
}

/// What is known between two choices.
struct State {
    supports: Vec<Vec<VarIndex>>,
    /// For each variable the diagrams left that mention it.
    mentions: Vec<u32>,
    is_quantified: Vec<bool>,
    /// Mentioned by a diagram before.
    seen: Vec<bool>,
    levels: Vec<u32>,
}

/// Sums over the diagrams left; none is 0.
struct Totals {
    present: f64,
    absent: f64,
    lowest: f64,
}

impl State {
    fn new(manager: &Manager, diagrams: &[Bdd], quantified: &[VarIndex]) -> State {
        let n = manager.num_vars() as usize;
        let mut is_quantified = vec![false; n];
        for &v in quantified {
            is_quantified[v as usize] = true;
        }
        let supports: Vec<Vec<VarIndex>> = diagrams.iter().map(Bdd::support).collect();
        let mut mentions = vec![0; n];
        for &v in supports.iter().flatten() {
            mentions[v as usize] += 1;
        }
        State {
            supports,
            mentions,
            is_quantified,
            seen: vec![false; n],
            levels: (0..n as u32).map(|v| manager.level_of(v) + 1).collect(),
        }
    }

    fn totals(&self) -> Totals {
        let (mut present, mut absent, mut lowest) = (0, 0, 0);
        for v in (0..self.mentions.len()).filter(|&v| self.mentions[v] > 0) {
            if self.is_quantified[v] {
                present += 1;
                lowest = lowest.max(self.levels[v]);
            } else if !self.seen[v] {
                absent += 1;
            }
        }
        Totals {
            present: f64::from(present.max(1)),
            absent: f64::from(absent.max(1)),
            lowest: f64::from(lowest.max(1)),
        }
    }

    fn benefit(&self, diagram: usize, totals: &Totals, weights: &Weights) -> f64 {
        let (mut leaving, mut held, mut new, mut low) = (0, 0, 0, 0);
        for v in self.supports[diagram].iter().map(|&v| v as usize) {
            if self.is_quantified[v] {
                held += 1;
                if self.mentions[v] == 1 {
                    leaving += 1;
                    low = low.max(self.levels[v]);
                }
            } else if !self.seen[v] {
                new += 1;
            }
        }
        let [w1, w2, w3, w4] = weights.0.map(f64::from);
        w1 * f64::from(leaving) / f64::from(held.max(1)) + w2 * f64::from(held) / totals.present
            - w3 * f64::from(new) / totals.absent
            + w4 * f64::from(low) / totals.lowest
    }

    fn take(&mut self, diagram: usize) {
        for v in self.supports[diagram].iter().map(|&v| v as usize) {
            self.seen[v] = true;
            self.mentions[v] -= 1;
        }
    }
}
