//! Tests of the diagrams: all Boolean functions of two variables, sampled ones of three and more,
//! against truth tables.

mod boolean;
mod limits;
mod values;
mod words;

use super::{Bdd, Config, Manager};
use crate::base::CancelToken;

/// A manager with `n` variables.
fn manager(n: u32) -> Manager {
    let manager = Manager::new(&Config::default(), CancelToken::default()).unwrap();
    for _ in 0..n {
        manager.new_var().unwrap();
    }
    manager
}

/// Truth tables over `n` variables: bit i of the table is the value where variable v is bit v of i.
fn from_table(manager: &Manager, n: u32, table: u64) -> Bdd {
    let mut f = manager.zero();
    for row in 0..1u32 << n {
        if table >> row & 1 == 1 {
            let mut minterm = manager.one();
            for v in 0..n {
                let x = manager.var(v);
                let literal = if row >> v & 1 == 1 { x } else { x.not() };
                minterm = minterm.and(&literal).unwrap();
            }
            f = f.or(&minterm).unwrap();
        }
    }
    f
}

fn table_of(n: u32, f: &Bdd) -> u64 {
    (0..1u32 << n)
        .filter(|row| f.eval(|v| row >> v & 1 == 1))
        .fold(0, |t, row| t | 1 << row)
}

/// All ones in `2^n` rows.
fn full(n: u32) -> u64 {
    if n == 6 {
        u64::MAX
    } else {
        (1 << (1 << n)) - 1
    }
}

/// Reproducible random numbers (Steele et al., splitmix64).
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}
