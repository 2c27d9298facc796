//! Exhaustion, interruption, collection, order: the manager survives.

use std::time::{Duration, Instant};

use super::{Rng, from_table, full, manager, table_of};
use crate::base::{Cancel, CancelToken};
use crate::dd::{Bdd, Config, DdError, DdResult, GroupKind, Manager, Method, WordDd};

fn with(config: &Config) -> (Manager, CancelToken) {
    let token = CancelToken::default();
    (Manager::new(config, token.clone()).unwrap(), token)
}

/// Exponentially large under the order x0 .. xk y0 .. yk: `x0 = y0 & x1 = y1 & ...`
fn equality(m: &Manager, bits: u32) -> DdResult<Bdd> {
    while m.num_vars() < 2 * bits {
        m.new_var()?;
    }
    (0..bits).try_fold(m.one(), |f, i| f.and(&m.var(i).xnor(&m.var(bits + i))?))
}

#[test]
fn node_limit() {
    let (m, _) = with(&Config {
        node_limit: Some(20_000),
        ..Config::default()
    });
    assert_eq!(equality(&m, 30), Err(DdError::NodeLimit));
    assert!(m.is_consistent());
    let f = from_table(&m, 3, 0b0110_1001);
    assert_eq!(table_of(3, &f), 0b0110_1001);
    m.set_node_limit(None);
    assert!(equality(&m, 14).is_ok());
}

#[test]
fn budget_of_one_operation() {
    let m = manager(28);
    let half = |from: u32| {
        (from..from + 7)
            .try_fold(m.one(), |f, i| f.and(&m.var(i).xnor(&m.var(14 + i))?))
            .unwrap()
    };
    let (f, g) = (half(0), half(7));
    assert_eq!(f.and_limit(&g, 1000), Ok(None));
    assert!(m.is_consistent());
    let all = f.and_limit(&g, 10_000_000).unwrap();
    assert_eq!(all, Some(f.and(&g).unwrap()));
}

#[test]
fn budgets_within_budgets() {
    let m = manager(0);
    let large = || equality(&m, 14).map(|_| ());
    assert_eq!(m.with_budget(u64::MAX, large), Ok(Some(())));
    assert_eq!(m.with_budget(100, large), Ok(None));
    // The inner one is used up; the outer one goes on.
    let inner = || m.with_budget(100, large);
    assert_eq!(m.with_budget(1_000_000_000, inner), Ok(Some(None)));
    // The outer one is used up, so the inner call does not go on.
    let inner = || m.with_budget(1_000_000_000, large);
    assert_eq!(m.with_budget(100, inner), Ok(None));
    // Work outside of budgets leaves them as they were.
    let kept = || {
        m.outside_budget(large)?;
        m.var(0).and(&m.var(1)).map(|_| ())
    };
    assert_eq!(m.with_budget(100, kept), Ok(Some(())));
    assert_eq!(
        m.with_budget(100, || m.with_budget(50, kept)),
        Ok(Some(Some(())))
    );
    assert_eq!(large(), Ok(()));
}

#[test]
fn memory_limit() {
    let (m, _) = with(&Config {
        memory_limit: Some(8 << 20),
        ..Config::default()
    });
    assert_eq!(equality(&m, 30), Err(DdError::OutOfMemory));
    assert!(m.memory_bytes() < 16 << 20, "{}", m.memory_bytes());
    assert!(m.is_consistent());
    let f = from_table(&m, 3, 0b0110_1001);
    assert_eq!(table_of(3, &f), 0b0110_1001);
    let words = WordDd::atom(&f, 1 << 40 | 1, 1 << 40).unwrap();
    assert_eq!(words.bit(0).unwrap(), f);
}

/// Runs `work` until the token fires, and says how long after that it ended.
fn interrupted(m: &Manager, work: impl Fn(&Manager) -> DdResult<Bdd>) -> Duration {
    let token = m.token().clone();
    let fired = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        token.cancel(Cancel::Timeout);
        Instant::now()
    });
    let result = work(m);
    let end = Instant::now();
    let fired = fired.join().unwrap();
    assert_eq!(result, Err(DdError::Cancelled(Cancel::Timeout)));
    assert_eq!(
        m.one().and(&m.var(0)),
        Err(DdError::Cancelled(Cancel::Timeout))
    );
    m.token().reset();
    assert!(m.is_consistent());
    let f = from_table(m, 3, 0b1001_0110);
    assert_eq!(table_of(3, &f), 0b1001_0110);
    end.saturating_duration_since(fired)
}

#[test]
fn interruption() {
    // Bounded in nodes, so that a missed interruption shows as another error, not as a dead machine.
    let config = Config {
        node_limit: Some(30_000_000),
        ..Config::default()
    };
    let (m, _) = with(&config);
    let late = interrupted(&m, |m| equality(m, 40));
    assert!(late < Duration::from_millis(1000), "{late:?}");
}

#[test]
fn interruption_in_word_operators() {
    let config = Config {
        node_limit: Some(30_000_000),
        ..Config::default()
    };
    let (m, _) = with(&config);
    let mask = 0;
    let late = interrupted(&m, |m| {
        while m.num_vars() < 80 {
            m.new_var()?;
        }
        let mut f = m.word(1)?;
        for i in 0..40 {
            let same = m.var(i).xnor(&m.var(40 + i))?;
            f = f.meet(&WordDd::atom(&same, 2 << i | 1, 2 << i)?, mask)?;
        }
        f.bit(0)
    });
    assert!(late < Duration::from_millis(1000), "{late:?}");
}

#[test]
fn interruption_while_reordering() {
    for (method, groups) in [(Method::SiftConverge, false), (Method::GroupSift, true)] {
        let (m, _) = with(&Config::default());
        m.enable_dynamic(method);
        let late = interrupted(&m, |m| {
            let mut rng = Rng(5);
            while m.num_vars() < 120 {
                m.new_var()?;
            }
            for v in (0..120).step_by(2).filter(|_| groups) {
                m.group(v, 2, GroupKind::Fixed)?;
            }
            let mut f = m.zero();
            loop {
                let mut term = m.one();
                for _ in 0..12 {
                    let x = m.var(rng.below(120) as u32);
                    term = term.and(&if rng.below(2) == 0 { x } else { x.not() })?;
                }
                f = f.xor(&term)?;
                m.reorder(method)?;
            }
        });
        assert!(late < Duration::from_millis(2000), "{late:?}");
        assert_eq!(m.dynamic_enabled(), Some(method));
        let before = m.stats().reorderings;
        m.set_next_reordering(1);
        for t in 1..255 {
            from_table(&m, 3, t);
        }
        assert!(
            m.stats().reorderings > before,
            "automatic reordering is lost"
        );
    }
}

#[test]
fn every_method_keeps_the_functions() {
    for method in Method::all() {
        assert_eq!(method.name().parse::<Method>(), Ok(method));
        let m = manager(6);
        m.group(0, 2, GroupKind::Fixed).unwrap();
        m.group(2, 2, GroupKind::Free).unwrap();
        let mut rng = Rng(3);
        let tables: Vec<u64> = (0..10).map(|_| rng.next() & full(6)).collect();
        let held: Vec<_> = tables.iter().map(|&t| from_table(&m, 6, t)).collect();
        let words: Vec<_> = held
            .iter()
            .map(|f| WordDd::atom(f, 0xfff1, 0x8000_0000_0000_0000).unwrap())
            .collect();
        m.reorder(method).unwrap();
        assert!(m.is_consistent());
        for (f, &t) in held.iter().zip(&tables) {
            assert_eq!(table_of(6, f), t, "{}", method.name());
        }
        for (w, f) in words.iter().zip(&held) {
            assert_eq!(&w.bit(0).unwrap(), f);
        }
        assert_eq!(
            m.level_of(1),
            m.level_of(0) + 1,
            "{} broke a group",
            method.name()
        );
        assert_eq!(
            m.level_of(2).abs_diff(m.level_of(3)),
            1,
            "{} broke a group",
            method.name()
        );
    }
    assert!("sifting".parse::<Method>().is_err());
}

#[test]
fn orders_and_groups() {
    let m = manager(6);
    m.group(0, 2, GroupKind::Fixed).unwrap();
    m.group(2, 2, GroupKind::Fixed).unwrap();
    let f = from_table(&m, 6, 0x0123_4567_89ab_cdef);
    m.set_order(&[5, 2, 3, 0, 4, 1]).unwrap();
    assert_eq!(m.order(), [5, 2, 3, 0, 4, 1]);
    assert_eq!((m.index_at(0), m.level_of(4)), (5, 4));
    m.reorder(Method::Random).unwrap();
    assert_eq!(m.level_of(3), m.level_of(2) + 1, "the group that survived");
    assert_eq!(table_of(6, &f), 0x0123_4567_89ab_cdef);
    m.new_var().unwrap();
    assert_eq!(m.level_of(6), 6);
    m.set_order(&[6, 5, 4, 3, 2, 1, 0]).unwrap();
    assert_eq!(table_of(6, &f), 0x0123_4567_89ab_cdef);
}

#[test]
fn garbage_comes_and_goes() {
    let m = manager(12);
    let mut rng = Rng(9);
    let mut kept: Vec<(u64, Bdd)> = Vec::new();
    let mask = 0;
    for round in 0..3000u64 {
        let t = rng.next();
        let f = from_table(&m, 6, t);
        let w = WordDd::atom(&f, round << 1 | 1, round << 2).unwrap();
        let v = WordDd::atom(&m.var(8), 2 * round, 1).unwrap();
        let both = w.meet(&v, mask).unwrap();
        assert_eq!(both.bit(0).unwrap(), f.diff(&m.var(8)).unwrap());
        if round % 10 == 0 {
            kept.push((t, f));
        }
        if round % 500 == 0 {
            m.gc();
            assert!(m.is_consistent());
        }
    }
    for (t, f) in &kept {
        assert_eq!(table_of(6, f), *t);
    }
    let live = m.live_nodes();
    kept.clear();
    m.gc();
    assert!(m.live_nodes() < live);
}

/// CUDD's reordering has static variables; managers on several threads must not meet in them.
#[test]
fn managers_on_several_threads() {
    let threads: Vec<_> = (0..6u64)
        .map(|seed| {
            std::thread::spawn(move || {
                let m = manager(10);
                m.enable_dynamic(Method::GroupSift);
                let mut rng = Rng(seed);
                for _ in 0..60 {
                    let t = rng.next();
                    m.set_next_reordering(1);
                    assert_eq!(table_of(6, &from_table(&m, 6, t)), t);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

/// Recursion as deep as the order is long runs on a stack of its own.
#[test]
fn long_orders_do_not_overflow_the_stack() {
    let m = manager(0);
    let n = 20_000;
    for _ in 0..n {
        m.new_var().unwrap();
    }
    let all: Vec<u32> = (0..n).collect();
    let pairs: Vec<_> = (0..n).step_by(2).map(|v| (v, v + 1)).collect();
    let even: Vec<u32> = all.iter().copied().step_by(2).collect();
    let (f, g) = (m.cube(&even).unwrap(), m.cube(&all).unwrap());
    let swapped = f.swap(&m.swap_map(&pairs)).unwrap();
    assert_eq!(f.and(&swapped).unwrap(), g);
    assert!(g.and_exists(&f, &g).unwrap().is_one());
    let w = WordDd::atom(&f, 3, 2)
        .unwrap()
        .meet(&WordDd::atom(&swapped, 5, 4).unwrap(), 0);
    let w = w.unwrap();
    assert_eq!(w.join_and_exists(&g, &g, 0).unwrap().terminal(), Some(7));
    assert_eq!(w.bit(0).unwrap(), g);
    assert_eq!((g.count(n), g.size()), (1.0, n as usize + 1));
}
