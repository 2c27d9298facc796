//! Sizes, supports and numbers of satisfying assignments, by walking the diagram.

use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

use super::VarIndex;
use super::bdd::Bdd;
use super::ffi::Node;
use super::handle::Handle;

/// Distinct nodes below the given roots, terminals included.
pub(super) fn shared_size(roots: &[&Handle]) -> usize {
    let mut count = 0;
    visit(roots, |_| count += 1);
    count
}

/// Indices of the variables below the given roots, ascending.
pub(super) fn support(roots: &[&Handle]) -> Vec<VarIndex> {
    let mut vars = FxHashSet::default();
    visit(roots, |node| vars.extend(node.var()));
    let mut vars: Vec<_> = vars.into_iter().collect();
    vars.sort_unstable();
    vars
}

/// Calls `f` once for each (regular) node.
pub(super) fn visit(roots: &[&Handle], mut f: impl FnMut(Node)) {
    let mut seen = FxHashSet::default();
    let mut stack: Vec<Node> = roots.iter().map(|r| r.node.regular()).collect();
    while let Some(node) = stack.pop() {
        if seen.insert(node) {
            f(node);
            if !node.is_const() {
                let (t, e) = node.children();
                stack.extend([e.regular(), t.regular()]);
            }
        }
    }
}

impl Bdd {
    /// Number of satisfying assignments over `nvars` variables; infinite where a double ends.
    pub fn count(&self, nvars: u32) -> f64 {
        let Density { mantissa, exponent } = self.density();
        // In two steps: 2^nvars alone may be too large.
        let exponent = exponent + i64::from(nvars);
        let half = exponent / 2;
        mantissa * 2f64.powi(clamp(half)) * 2f64.powi(clamp(exponent - half))
    }

    fn density(&self) -> Density {
        let inner = &self.0.inner;
        let mut memo = FxHashMap::default();
        inner.deep(|| density(self.0.node, &mut memo))
    }

    /// Exact number of assignments to exactly `vars` that satisfy the function; `None` if it
    /// depends on another variable.
    pub fn count_big(&self, vars: &[VarIndex]) -> Option<BigUint> {
        let inner = &self.0.inner;
        let mut levels: Vec<u32> = vars.iter().map(|&v| inner.level(v)).collect();
        levels.sort_unstable();
        levels.dedup();
        let mut position = FxHashMap::default();
        for v in self.support() {
            position.insert(v, levels.binary_search(&inner.level(v)).ok()? as u64);
        }
        let mut counter = Counter {
            position,
            total: levels.len() as u64,
            memo: FxHashMap::default(),
        };
        Some(inner.deep(|| counter.below(self.0.node, 0)))
    }
}

/// `mantissa * 2^exponent`, the mantissa 0 or in [0.5, 1].
#[derive(Clone, Copy)]
struct Density {
    mantissa: f64,
    exponent: i64,
}

/// Fraction of all assignments that satisfy the function.
fn density(node: Node, memo: &mut FxHashMap<Node, Density>) -> Density {
    if node.is_const() {
        let mantissa = if node.is_complement() { 0.0 } else { 1.0 };
        return Density {
            mantissa,
            exponent: 0,
        };
    }
    if let Some(&known) = memo.get(&node) {
        return known;
    }
    let (t, e) = node.children();
    let (mut a, mut b) = (density(t, memo), density(e, memo));
    if a.mantissa == 0.0 || (b.mantissa != 0.0 && a.exponent < b.exponent) {
        std::mem::swap(&mut a, &mut b);
    }
    let shift = clamp((b.exponent - a.exponent).min(0));
    let mut sum = Density {
        mantissa: a.mantissa + b.mantissa * 2f64.powi(shift),
        exponent: a.exponent - 1,
    };
    while sum.mantissa > 1.0 {
        sum = Density {
            mantissa: sum.mantissa / 2.0,
            exponent: sum.exponent + 1,
        };
    }
    memo.insert(node, sum);
    sum
}

fn clamp(exponent: i64) -> i32 {
    exponent.clamp(-5000, 5000) as i32
}

/// Counts over a fixed sequence of levels.
struct Counter {
    /// Place of each support variable in the sequence.
    position: FxHashMap<VarIndex, u64>,
    total: u64,
    /// Count over the levels from the node's own place on.
    memo: FxHashMap<Node, BigUint>,
}

impl Counter {
    /// Assignments to the levels from place `from` on.
    fn below(&mut self, node: Node, from: u64) -> BigUint {
        let Some(var) = node.var() else {
            return BigUint::from(u8::from(!node.is_complement())) << (self.total - from);
        };
        let place = self.position[&var];
        if !self.memo.contains_key(&node) {
            let (t, e) = node.children();
            let sum = self.below(t, place + 1) + self.below(e, place + 1);
            self.memo.insert(node, sum);
        }
        &self.memo[&node] << (place - from)
    }
}
