//! FORCE: an order in which what belongs together stands together.
//!
//! Input: a hypergraph over blocks of bits (module `hypergraph`); output: the blocks in an order in
//! which edges are short, if it is clearly better than the given one. Each edge has its centre of
//! gravity, each block moves to the mean of the centres of its edges, and again, as long as the sum
//! of the spans of all edges shrinks (Aloul, Markov, Sakallah, "FORCE: a fast and easy-to-implement
//! variable-ordering heuristic", GLSVLSI 2003). Blocks that take part in most edges (process
//! selectors, clocks, a bus) pull everything together; they go to the top and have no say.

/// The span of the new order as a share of that of the old one, up to which the new one is taken.
const CLEARLY_BETTER: f64 = 0.75;

/// Fewer edges and blocks than this tell nothing.
const FEW: usize = 8;

/// Rounds at most, and rounds without progress after which the search ends.
const ROUNDS: usize = 200;
const PATIENCE: usize = 20;

/// Arranges blocks of some numbers of bits each, from the top; `None` if the order in which they come is good
/// enough.
pub(super) fn arrange(bits: &[usize], mut edges: Vec<Vec<u32>>) -> Option<Vec<u32>> {
    edges.retain(|e| e.len() > 1);
    let mut degree = vec![0; bits.len()];
    for &block in edges.iter().flatten() {
        degree[block as usize] += 1;
    }
    let is_hub: Vec<bool> = degree.iter().map(|&d| d * 2 > edges.len()).collect();
    for edge in &mut edges {
        edge.retain(|&b| !is_hub[b as usize]);
    }
    edges.retain(|e| e.len() > 1);
    let (hubs, mut order): (Vec<u32>, Vec<u32>) =
        (0..bits.len() as u32).partition(|&b| is_hub[b as usize]);
    if order.len() < FEW || edges.len() < FEW {
        return None;
    }
    let span_before = span(bits, &edges, &order);
    let (mut span_of_best, mut best) = (span_before, order.clone());
    let mut stale = 0;
    for _ in 0..ROUNDS {
        settle(bits, &edges, &mut order);
        let found = span(bits, &edges, &order);
        stale += 1;
        if found < span_of_best {
            (span_of_best, stale) = (found, 0);
            best.clone_from(&order);
        }
        if stale == PATIENCE {
            break;
        }
    }
    let better = span_of_best as f64 <= CLEARLY_BETTER * span_before as f64;
    better.then(|| [hubs, best].concat())
}

/// The bit at which each block of an order begins.
fn starts(bits: &[usize], order: &[u32]) -> Vec<usize> {
    let mut starts = vec![0; bits.len()];
    let mut next = 0;
    for &block in order {
        starts[block as usize] = next;
        next += bits[block as usize];
    }
    starts
}

/// Bits between the first and the last block of each edge, all together.
fn span(bits: &[usize], edges: &[Vec<u32>], order: &[u32]) -> u64 {
    let starts = starts(bits, order);
    let of_edge = |edge: &Vec<u32>| {
        let at = edge.iter().map(|&b| starts[b as usize]);
        let (first, last) = (at.clone().min().unwrap_or(0), at.max().unwrap_or(0));
        (last - first) as u64
    };
    edges.iter().map(of_edge).sum()
}

/// Moves each block to the mean of the centres of gravity of its edges.
fn settle(bits: &[usize], edges: &[Vec<u32>], order: &mut [u32]) {
    let starts = starts(bits, order);
    let place = |b: u32| starts[b as usize] as f64 + bits[b as usize] as f64 / 2.0;
    let mut pull = vec![(0.0, 0.0); bits.len()];
    for edge in edges {
        let centre = edge.iter().map(|&b| place(b)).sum::<f64>() / edge.len() as f64;
        for &block in edge {
            let (sum, count) = &mut pull[block as usize];
            *sum += centre;
            *count += 1.0;
        }
    }
    let wanted = |b: u32| match pull[b as usize] {
        (_, 0.0) => place(b),
        (sum, count) => sum / count,
    };
    // Stable: blocks that want the same place stay as they are.
    order.sort_by(|&a, &b| wanted(a).total_cmp(&wanted(b)));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Neighbours of a ring, whose members are numbered by `number`.
    fn ring(n: u32, number: impl Fn(u32) -> u32) -> Vec<Vec<u32>> {
        (0..n)
            .map(|i| vec![number(i), number((i + 1) % n)])
            .collect()
    }

    #[test]
    fn a_ring_numbered_in_two_passes() {
        let shuffled = ring(40, |i| if i % 2 == 0 { i / 2 } else { 20 + i / 2 });
        let found = arrange(&[1; 40], shuffled.clone()).expect("a better order");
        let mut all = found.clone();
        all.sort_unstable();
        let given: Vec<u32> = (0..40).collect();
        assert_eq!(all, given);
        // The best there is: two half rings side by side, 78.
        assert!(span(&[1; 40], &shuffled, &found) <= 2 * 78);
        assert!(span(&[1; 40], &shuffled, &given) >= 40 * 19);
    }

    #[test]
    fn a_good_order_stays() {
        assert_eq!(arrange(&[1; 40], ring(40, |i| i)), None);
        assert_eq!(arrange(&[1; 4], ring(4, |i| (i * 3) % 4)), None);
        assert_eq!(arrange(&[], Vec::new()), None);
    }

    #[test]
    fn what_everything_needs_is_on_top() {
        let mut edges = ring(40, |i| if i % 2 == 0 { i / 2 } else { 20 + i / 2 });
        edges.iter_mut().for_each(|e| e.push(40));
        let found = arrange(&[1; 41], edges).expect("a better order");
        assert_eq!(found[0], 40);
        assert_eq!(found.len(), 41);
    }

    #[test]
    fn wide_blocks_count_by_their_bits() {
        let narrow = span(&[1, 1, 1], &[vec![0, 2]], &[0, 1, 2]);
        let wide = span(&[1, 30, 1], &[vec![0, 2]], &[0, 1, 2]);
        assert_eq!((narrow, wide), (2, 31));
    }
}
