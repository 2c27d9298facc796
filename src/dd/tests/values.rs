//! Diagrams over interned values.

use super::{Rng, from_table, full, manager};
use crate::dd::{Add, Manager, Method, OpTag};

fn value_table(m: &Manager, table: &[u32]) -> Add {
    (0..table.len()).fold(m.leaf(table[0]).unwrap(), |f, row| {
        let here = from_table(m, 3, 1 << row);
        Add::ite(&here, &m.leaf(table[row]).unwrap(), &f).unwrap()
    })
}

fn table_of(f: &Add) -> Vec<u32> {
    (0..8u32).map(|row| f.eval(|v| row >> v & 1 == 1)).collect()
}

fn check(disturb: bool) {
    let m = manager(3);
    let mut rng = Rng(11);
    if disturb {
        m.enable_dynamic(Method::Random);
    }
    let next = || {
        if disturb {
            m.set_next_reordering(1);
        }
    };
    for _ in 0..200 {
        let mut table = || (0..8).map(|_| rng.below(5) as u32).collect::<Vec<_>>();
        let (tf, tg) = (table(), table());
        let tb = rng.next() & full(3);
        let (f, g, b) = (
            value_table(&m, &tf),
            value_table(&m, &tg),
            from_table(&m, 3, tb),
        );
        let pairs = || tf.iter().zip(&tg);

        next();
        let square = f.apply1(OpTag(1), &mut |a| a * a).unwrap();
        assert_eq!(
            table_of(&square),
            tf.iter().map(|a| a * a).collect::<Vec<_>>()
        );
        next();
        let minus = f.apply2(&g, OpTag(1), &mut u32::wrapping_sub).unwrap();
        assert_eq!(
            table_of(&minus),
            pairs().map(|(a, b)| a.wrapping_sub(*b)).collect::<Vec<_>>()
        );
        next();
        let odd = f.test1(OpTag(1), &mut |a| a % 2 == 1).unwrap();
        let less = f.test2(&g, OpTag(1), &mut |a, b| a < b).unwrap();
        let twos = f.leaf_set(2).unwrap();
        next();
        let ite = Add::ite(&b, &f, &g).unwrap();
        let small = f.restrict(&b).unwrap();
        for row in 0..8usize {
            let at = |v: u32| row >> v & 1 == 1;
            assert_eq!(odd.eval(at), tf[row] % 2 == 1);
            assert_eq!(less.eval(at), tf[row] < tg[row]);
            assert_eq!(twos.eval(at), tf[row] == 2);
            assert_eq!(
                ite.eval(at),
                if tb >> row & 1 == 1 { tf[row] } else { tg[row] }
            );
            if tb >> row & 1 == 1 {
                assert_eq!(small.eval(at), tf[row]);
            }
        }
        let mut leaves = tf.clone();
        leaves.sort_unstable();
        leaves.dedup();
        assert_eq!(f.leaves(), leaves);
    }
    assert!(m.is_consistent());
}

#[test]
fn operators_against_tables() {
    check(false);
}

#[test]
fn reordering_in_the_middle() {
    check(true);
}

#[test]
fn leaf_ids_are_exact() {
    let m = manager(1);
    for id in [0, 1, 2, 0x3ff0_0000, u32::MAX - 1, u32::MAX] {
        assert_eq!(m.leaf(id).unwrap().leaves(), [id]);
    }
}

#[test]
#[should_panic(expected = "from the leaf function")]
fn a_panic_in_a_leaf_function_passes_through() {
    let m = manager(1);
    let f = Add::ite(&m.var(0), &m.leaf(1).unwrap(), &m.leaf(2).unwrap()).unwrap();
    let _ = f.apply1(OpTag(9), &mut |_| panic!("from the leaf function"));
}
