//! Word operators against tables of words, with reordering in the middle of operations.

use super::{Rng, from_table, full, manager};
use crate::dd::{Manager, Method, OpTag, Word, WordDd};

/// Meet or join by the definitions. An ordinary bit together with the truth value runs through a
/// chain: (false, vacuous) < (false, matters) < (true, matters) < (true, vacuous). A bit under the
/// mask stands for the witness value `truth xor bit`.
fn combine(meet: bool, a: Word, b: Word, mask: Word) -> Word {
    let (ta, tb) = (a & 1, b & 1);
    let pick = |x: u64, y: u64| if meet { x.min(y) } else { x.max(y) };
    let truth = pick(ta, tb);
    (1..64).fold(truth, |word, i| {
        let (x, y) = (a >> i & 1, b >> i & 1);
        let bit = if mask >> i & 1 == 1 {
            truth ^ pick(ta ^ x, tb ^ y)
        } else {
            let rank = |t: u64, bit: u64| if t == 0 { bit } else { 3 - bit };
            let r = pick(rank(ta, x), rank(tb, y));
            if r < 2 { r } else { 3 - r }
        };
        word | bit << i
    })
}

fn word_table(m: &Manager, n: u32, table: &[Word]) -> WordDd {
    (0..1u64 << n).fold(m.word(table[0]).unwrap(), |f, row| {
        let here = from_table(m, n, 1 << row);
        WordDd::ite(&here, &m.word(table[row as usize]).unwrap(), &f).unwrap()
    })
}

fn table_of(n: u32, f: &WordDd) -> Vec<Word> {
    (0..1u32 << n)
        .map(|row| f.eval(|v| row >> v & 1 == 1))
        .collect()
}

/// Quantifies the variables of `cube` (a bit set).
fn quantify(meet: bool, n: u32, table: &[Word], cube: u32, mask: Word) -> Vec<Word> {
    (0..n)
        .filter(|v| cube >> v & 1 == 1)
        .fold(table.to_vec(), |table, v| {
            (0..table.len())
                .map(|row| combine(meet, table[row & !(1 << v)], table[row | 1 << v], mask))
                .collect()
        })
}

struct World {
    m: Manager,
    rng: Rng,
    n: u32,
    mask: Word,
}

impl World {
    fn new(seed: u64, n: u32, mask: Word) -> World {
        let m = manager(n);
        World {
            m,
            rng: Rng(seed),
            n,
            mask,
        }
    }

    /// Words over few bits, high ones among them; now and then two-valued or constant tables.
    fn table(&mut self) -> Vec<Word> {
        let bits = match self.rng.below(4) {
            0 => 0b1,
            1 => 0b1011,
            _ => 0x8000_0000_0000_1107,
        };
        let first = self.rng.next() & bits;
        let constant = self.rng.below(8) == 0;
        (0..1 << self.n)
            .map(|_| {
                if constant {
                    first
                } else {
                    self.rng.next() & bits
                }
            })
            .collect()
    }

    /// Makes the next new node reorder the variables at random, if asked to.
    fn disturb(&self, on: bool) {
        if on {
            self.m.set_next_reordering(1);
        }
    }

    fn round(&mut self, on: bool) {
        let (n, mask) = (self.n, self.mask);
        let (tf, tg) = (self.table(), self.table());
        let tb = self.rng.next() & full(n);
        let (f, g) = (word_table(&self.m, n, &tf), word_table(&self.m, n, &tg));
        let b = from_table(&self.m, n, tb);
        let rows = || 0..tf.len();
        let in_b = |row: usize| tb >> row & 1 == 1;

        for meet in [true, false] {
            self.disturb(on);
            let h = if meet {
                f.meet(&g, self.mask)
            } else {
                f.join(&g, self.mask)
            }
            .unwrap();
            let want: Vec<_> = rows().map(|r| combine(meet, tf[r], tg[r], mask)).collect();
            assert_eq!(table_of(n, &h), want, "meet: {meet} {tf:x?} {tg:x?}");
            assert_eq!(h, word_table(&self.m, n, &want), "not canonical");
        }
        self.disturb(on);
        let not = f.not().unwrap();
        assert_eq!(
            table_of(n, &not),
            tf.iter().map(|w| w ^ 1).collect::<Vec<_>>()
        );
        assert_eq!(not.not().unwrap(), f);

        self.disturb(on);
        let ite = WordDd::ite(&b, &f, &g).unwrap();
        let want: Vec<_> = rows()
            .map(|r| if in_b(r) { tf[r] } else { tg[r] })
            .collect();
        assert_eq!(table_of(n, &ite), want);
        let two = WordDd::from_bdd(&b).unwrap();
        assert_eq!(f.meet_bdd(&b).unwrap(), f.meet(&two, self.mask).unwrap());

        for cube in 0..1u32 << n {
            let vars: Vec<u32> = (0..n).filter(|v| cube >> v & 1 == 1).collect();
            let vars = self.m.cube(&vars).unwrap();
            for meet in [true, false] {
                let unit = Word::from(meet);
                let masked: Vec<_> = rows().map(|r| if in_b(r) { tf[r] } else { unit }).collect();
                self.disturb(on);
                let (with_rel, alone) = if meet {
                    (
                        f.meet_implies_forall(&b, &vars, mask),
                        f.meet_forall(&vars, mask),
                    )
                } else {
                    (
                        f.join_and_exists(&b, &vars, mask),
                        f.join_exists(&vars, mask),
                    )
                };
                let want = quantify(meet, n, &masked, cube, mask);
                assert_eq!(
                    table_of(n, &with_rel.unwrap()),
                    want,
                    "meet: {meet} cube {cube:b}"
                );
                self.disturb(on);
                let total = if meet {
                    f.meet_implies_forall_total(&b, &vars, mask)
                } else {
                    f.join_and_exists_total(&b, &vars, mask)
                };
                let total = table_of(n, &total.unwrap());
                for r in rows() {
                    if (0..1usize << n).any(|s| (r ^ s) & !cube as usize == 0 && in_b(s)) {
                        assert_eq!(total[r], want[r], "total, meet: {meet} cube {cube:b}");
                    }
                }
                let want = quantify(meet, n, &tf, cube, mask);
                assert_eq!(
                    table_of(n, &alone.unwrap()),
                    want,
                    "meet: {meet} cube {cube:b}"
                );
            }
        }
        let under = |unit: Word, meet| {
            rows()
                .filter(|&r| in_b(r))
                .fold(unit, |a, r| combine(meet, a, tf[r], mask))
        };
        assert_eq!(f.meet_over(&b, self.mask), under(1, true));

        self.disturb(on);
        let small = f.restrict(&b).unwrap();
        for r in rows().filter(|&r| in_b(r)) {
            assert_eq!(table_of(n, &small)[r], tf[r]);
        }
        for bit in [0, 1, 12, 63] {
            self.disturb(on);
            let set = f.bit(bit).unwrap();
            for r in rows() {
                assert_eq!(set.eval(|v| r >> v & 1 == 1), tf[r] >> bit & 1 == 1);
            }
        }
        self.disturb(on);
        let sum = f.apply2(&g, OpTag(1), &mut Word::wrapping_add).unwrap();
        assert_eq!(
            table_of(n, &sum),
            rows()
                .map(|r| tf[r].wrapping_add(tg[r]))
                .collect::<Vec<_>>()
        );
        let mut terminals = tf.clone();
        terminals.sort_unstable();
        terminals.dedup();
        assert_eq!(f.terminals(), terminals);
    }
}

const MASKS: [Word; 3] = [0, 0x8000_0000_0000_0004, !1];

#[test]
fn operators_against_tables() {
    for (seed, mask) in MASKS.into_iter().enumerate() {
        for n in [1, 2, 3, 4] {
            let mut world = World::new(seed as u64, n, mask);
            for _ in 0..20 {
                world.round(false);
            }
            assert!(world.m.is_consistent());
        }
    }
}

#[test]
fn reordering_in_the_middle() {
    for (seed, mask) in MASKS.into_iter().enumerate() {
        for method in [Method::Sift, Method::Random, Method::Window3] {
            let mut world = World::new(100 + seed as u64, 4, mask);
            world.m.enable_dynamic(method);
            for i in 0..15 {
                world.round(true);
                if i % 4 == 0 {
                    world.m.gc();
                    assert!(world.m.is_consistent());
                }
            }
            assert!(world.m.stats().reorderings > 100, "nothing was disturbed");
        }
    }
}

#[test]
fn swapping_words() {
    let mut world = World::new(7, 4, 0);
    let map = world.m.swap_map(&[(0, 1), (2, 3)]);
    for order in [[0, 1, 2, 3], [2, 0, 3, 1]] {
        world.m.set_order(&order).unwrap();
        for _ in 0..50 {
            let table = world.table();
            let f = word_table(&world.m, 4, &table);
            let want: Vec<_> = (0..16)
                .map(|row| table[(row & 5) << 1 | (row & 10) >> 1])
                .collect();
            assert_eq!(table_of(4, &f.swap(&map).unwrap()), want);
        }
    }
}

/// Words that CUDD's own terminals would confuse: near in value, NaN patterns, signed zeros, the
/// patterns of 0.0, 1.0 and the infinities.
#[test]
fn awkward_bit_patterns_stay_distinct() {
    let m = manager(1);
    let mut words: Vec<Word> = vec![0, 1, 2, 3, 1 << 63, 1 << 63 | 1, Word::MAX, Word::MAX - 1];
    for value in [1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-13] {
        words.extend([value.to_bits(), value.to_bits() + 1, value.to_bits() - 1]);
    }
    words.sort_unstable();
    words.dedup();
    let held: Vec<_> = words.iter().map(|&w| m.word(w).unwrap()).collect();
    for (f, &w) in held.iter().zip(&words) {
        assert_eq!(f.terminal(), Some(w));
    }
    // Make the table of terminals grow and collect, then ask again.
    let x = m.var(0);
    let mut kept = Vec::new();
    for i in 0..20_000u64 {
        let w = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let f = WordDd::atom(&x, w, !w).unwrap();
        if i % 7 == 0 {
            kept.push((w, f));
        }
    }
    m.gc();
    m.reorder(Method::Sift).unwrap();
    assert!(m.is_consistent());
    for (w, f) in &kept {
        assert_eq!(f.terminals(), [(*w).min(!w), (*w).max(!w)]);
        assert_eq!(WordDd::atom(&x, *w, !w).unwrap(), *f);
    }
    for (f, &w) in held.iter().zip(&words) {
        assert_eq!(m.word(w).unwrap(), *f);
    }
}
