//! Boolean operators against truth tables.

use super::{Rng, from_table, full, manager, table_of};
use crate::dd::Bdd;

/// Table with variable `v` fixed to `value`.
fn fix(n: u32, table: u64, v: u32, value: bool) -> u64 {
    (0..1u32 << n)
        .filter(|row| table >> ((row & !(1 << v)) | u32::from(value) << v) & 1 == 1)
        .fold(0, |t, row| t | 1 << row)
}

fn exists(n: u32, table: u64, cube: u32) -> u64 {
    (0..n)
        .filter(|v| cube >> v & 1 == 1)
        .fold(table, |t, v| fix(n, t, v, false) | fix(n, t, v, true))
}

/// Every operation of two operands on tables over `n` variables.
fn check_pair(n: u32, f: &Bdd, tf: u64, g: &Bdd, tg: u64) {
    let m = f.manager();
    let all = full(n);
    let is = |what: &str, h: Bdd, want: u64| {
        assert_eq!(table_of(n, &h), want & all, "{what} of {tf:#b} {tg:#b}");
        assert_eq!(h, from_table(&m, n, want & all), "{what} is not canonical");
    };
    is("and", f.and(g).unwrap(), tf & tg);
    is("or", f.or(g).unwrap(), tf | tg);
    is("xor", f.xor(g).unwrap(), tf ^ tg);
    is("xnor", f.xnor(g).unwrap(), !(tf ^ tg));
    is("implies", f.implies(g).unwrap(), !tf | tg);
    is("diff", f.diff(g).unwrap(), tf & !tg);
    assert_eq!(f.leq(g), tf & !tg == 0);
    assert_eq!(f.intersects(g), tf & tg != 0);
    if tg != 0 {
        assert_eq!(table_of(n, &f.restrict(g).unwrap()) & tg, tf & tg);
    }
    if tf & !tg == 0 {
        let h = table_of(n, &f.squeeze(g).unwrap());
        assert!(tf & !h == 0 && h & !tg == 0);
    }
    for cube_vars in 0..1u32 << n {
        let vars: Vec<u32> = (0..n).filter(|v| cube_vars >> v & 1 == 1).collect();
        let cube = m.cube(&vars).unwrap();
        is(
            "and_exists",
            f.and_exists(g, &cube).unwrap(),
            exists(n, tf & tg, cube_vars),
        );
    }
    let both: Vec<_> = (0..n).map(|v| (v, g.clone())).collect();
    let (zeros, ones) = (tf & 1, tf >> (all.count_ones() - 1) & 1);
    let (zeros, ones) = (zeros.wrapping_neg(), ones.wrapping_neg());
    is(
        "vector_compose",
        f.vector_compose(&both).unwrap(),
        (ones & tg) | (zeros & !tg),
    );
}

/// Every operation of one operand.
fn check_one(n: u32, f: &Bdd, tf: u64) {
    let m = f.manager();
    let all = full(n);
    let vars: Vec<u32> = (0..n).collect();
    assert_eq!(table_of(n, f), tf);
    assert_eq!(table_of(n, &f.not()), !tf & all);
    assert_eq!((f.is_one(), f.is_zero()), (tf == all, tf == 0));
    for cube_vars in 0..1u32 << n {
        let quantified: Vec<u32> = (0..n).filter(|v| cube_vars >> v & 1 == 1).collect();
        let cube = m.cube(&quantified).unwrap();
        assert_eq!(
            table_of(n, &f.exists(&cube).unwrap()),
            exists(n, tf, cube_vars)
        );
        let forall = !exists(n, !tf & all, cube_vars) & all;
        assert_eq!(table_of(n, &f.forall(&cube).unwrap()), forall);
    }
    let support: Vec<u32> = (0..n)
        .filter(|&v| fix(n, tf, v, false) != fix(n, tf, v, true))
        .collect();
    assert_eq!(f.support(), support);
    assert_eq!(f.count(n), f64::from(tf.count_ones()));
    assert_eq!(f.count_big(&vars), Some(tf.count_ones().into()));
    if !support.is_empty() {
        assert_eq!(f.count_big(&support[1..]), None);
        let free = n - support.len() as u32;
        assert_eq!(
            f.count_big(&support),
            Some((tf.count_ones() >> free).into())
        );
    }
    for v in 0..n {
        let x = m.var(v);
        assert_eq!(table_of(n, &f.cofactor(&x).unwrap()), fix(n, tf, v, true));
        assert_eq!(
            table_of(n, &f.cofactor(&x.not()).unwrap()),
            fix(n, tf, v, false)
        );
    }
    let mut covered = 0;
    for cube in f.cubes() {
        let rows = (0..1u32 << n)
            .filter(|row| cube.iter().all(|&(v, value)| (row >> v & 1 == 1) == value))
            .fold(0u64, |t, row| t | 1 << row);
        assert_eq!(covered & rows, 0, "cubes overlap");
        covered |= rows;
    }
    assert_eq!(covered, tf);
}

#[test]
fn all_functions_of_two_variables() {
    let m = manager(2);
    for tf in 0..16 {
        let f = from_table(&m, 2, tf);
        check_one(2, &f, tf);
        for tg in 0..16 {
            let g = from_table(&m, 2, tg);
            check_pair(2, &f, tf, &g, tg);
            for th in 0..16 {
                let h = from_table(&m, 2, th);
                let want = (tf & tg) | (!tf & th);
                assert_eq!(table_of(2, &f.ite(&g, &h).unwrap()), want & 15);
            }
        }
    }
    assert!(m.is_consistent());
}

#[test]
fn sampled_functions_of_three_and_four_variables() {
    let mut rng = Rng(1);
    for n in [3, 4] {
        let m = manager(n);
        for order in [[0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]] {
            let order: Vec<u32> = order.into_iter().filter(|&v| v < n).collect();
            m.set_order(&order).unwrap();
            assert_eq!(m.order(), order);
            for _ in 0..40 {
                let (tf, tg) = (rng.next() & full(n), rng.next() & full(n));
                let (f, g) = (from_table(&m, n, tf), from_table(&m, n, tg));
                check_one(n, &f, tf);
                check_pair(n, &f, tf, &g, tg);
            }
        }
        assert!(m.is_consistent());
    }
}

#[test]
fn swapping_variables() {
    let mut rng = Rng(2);
    let m = manager(4);
    let map = m.swap_map(&[(0, 1), (2, 3)]);
    let other = m.swap_map(&[(0, 3)]);
    for order in [[0, 1, 2, 3], [2, 0, 3, 1]] {
        m.set_order(&order).unwrap();
        for _ in 0..200 {
            let f = from_table(&m, 4, rng.next() & full(4));
            let g = f.swap(&map).unwrap();
            for row in 0..16u32 {
                let swapped = (row & 5) << 1 | (row & 10) >> 1;
                assert_eq!(
                    g.eval(|v| row >> v & 1 == 1),
                    f.eval(|v| swapped >> v & 1 == 1)
                );
                let ends = row & 6 | (row & 1) << 3 | row >> 3;
                let h = f.swap(&other).unwrap();
                assert_eq!(
                    h.eval(|v| row >> v & 1 == 1),
                    f.eval(|v| ends >> v & 1 == 1)
                );
            }
            assert_eq!(g.swap(&map).unwrap(), f);
        }
    }
}

#[test]
fn counts_beyond_doubles() {
    let m = manager(2000);
    let f = m.var(3).or(&m.var(1999)).unwrap();
    let vars: Vec<u32> = (0..2000).collect();
    let three = num_bigint::BigUint::from(3u8);
    assert_eq!(f.count_big(&vars), Some(three << 1998usize));
    assert_eq!(f.count(10), 768.0);
    assert_eq!(f.count(2000), f64::INFINITY);
    let all = m.cube(&vars).unwrap();
    assert_eq!(all.count(2000), 1.0);
}

#[test]
fn factored_form() {
    let m = manager(4);
    let name = |v: u32| ["a", "b", "c", "d"][v as usize].to_owned();
    let [a, b, c, d] = [0, 1, 2, 3].map(|v| m.var(v));
    let form = |f: &Bdd| f.factored_form(&name);
    assert_eq!(form(&m.one()), "TRUE");
    assert_eq!(form(&m.zero()), "FALSE");
    assert_eq!(form(&a), "a");
    assert_eq!(form(&a.not()), "!(a)");
    assert_eq!(form(&a.and(&b).unwrap()), "a & (b)");
    assert_eq!(form(&a.or(&b).unwrap()), "a | (b)");
    assert_eq!(form(&a.not().or(&b).unwrap()), "(b) | !a");
    assert_eq!(form(&a.xor(&b).unwrap()), "!(a & (b) | !a & !(b))");
    let ab_cd = a.and(&b).unwrap().or(&c.and(&d).unwrap()).unwrap();
    assert_eq!(form(&ab_cd), "a & (b | (c & (d))) | !a & (c & (d))");
    let dot = Bdd::dot(&[("f", &ab_cd)], &name);
    assert_eq!(dot.lines().filter(|l| l.contains("label=\"c\"")).count(), 1);
}
