//! Random CTL and LTL formulas over random atoms.

use super::gen_expr::{ExprGen, Pool};
use super::smv::{Expr, Kind};

/// Boolean connectives, implication twice as often; LTL takes all but the last.
const CONNECTIVES: [&str; 7] = [
    "(@ & @)",
    "(@ | @)",
    "(@ -> @)",
    "(@ -> @)",
    "(@ <-> @)",
    "(@ xor @)",
    "(@ xnor @)",
];

impl ExprGen<'_> {
    fn interval(&mut self) -> (i64, i64) {
        let lo = self.rng.between(0, 3);
        (lo, self.rng.between(lo, lo + 3))
    }

    /// A CTL formula with at most `depth` nested operators, bounded ones on request.
    pub fn ctl(&mut self, pool: &Pool, depth: u32, bounded: bool) -> Expr {
        if depth == 0 || self.rng.chance(10) {
            return self.boolean(pool, 1);
        }
        let d = depth - 1;
        let new = |form: String, args| Expr::new(Kind::Ctl, form, args);
        match self.rng.below(14) {
            0..=5 => {
                let op = *self.rng.pick(&["EX", "AX", "EF", "AF", "EG", "AG"]);
                let a = self.ctl(pool, d, bounded);
                new(format!("({op} @)"), vec![a])
            }
            6 | 7 => {
                let form = *self.rng.pick(&["E [ @ U @ ]", "A [ @ U @ ]"]);
                let (a, b) = (self.ctl(pool, d, bounded), self.ctl(pool, d, bounded));
                new(form.into(), vec![a, b])
            }
            8 if bounded => {
                let (lo, hi) = self.interval();
                if self.rng.chance(40) {
                    let quantifier = *self.rng.pick(&["E", "A"]);
                    let (a, b) = (self.ctl(pool, d, bounded), self.ctl(pool, d, bounded));
                    return new(format!("{quantifier} [ @ BU {lo}..{hi} @ ]"), vec![a, b]);
                }
                let op = *self.rng.pick(&["EBF", "ABF", "EBG", "ABG"]);
                let a = self.ctl(pool, d, bounded);
                new(format!("({op} {lo}..{hi} @)"), vec![a])
            }
            9 => {
                let a = self.ctl(pool, d, bounded);
                new("(!@)".into(), vec![a])
            }
            _ => {
                let form = *self.rng.pick(&CONNECTIVES);
                let (a, b) = (self.ctl(pool, d, bounded), self.ctl(pool, d, bounded));
                new(form.into(), vec![a, b])
            }
        }
    }

    /// An LTL formula, past operators included.
    pub fn ltl(&mut self, pool: &Pool, depth: u32) -> Expr {
        if depth == 0 || self.rng.chance(10) {
            return self.boolean(pool, 1);
        }
        let d = depth - 1;
        let new = |form: String, args| Expr::new(Kind::Ltl, form, args);
        match self.rng.below(14) {
            0..=5 => {
                let op = *self
                    .rng
                    .pick(&["G", "F", "X", "G", "F", "X", "Y", "Z", "H", "O"]);
                let a = self.ltl(pool, d);
                new(format!("({op} @)"), vec![a])
            }
            6 | 7 => {
                let op = *self.rng.pick(&["U", "V", "U", "V", "S", "T"]);
                let (a, b) = (self.ltl(pool, d), self.ltl(pool, d));
                new(format!("(@ {op} @)"), vec![a, b])
            }
            8 => {
                let (lo, hi) = self.interval();
                let op = *self.rng.pick(&["G", "F", "H", "O"]);
                let a = self.ltl(pool, d);
                new(format!("({op} [{lo}, {hi}] @)"), vec![a])
            }
            9 => {
                let a = self.ltl(pool, d);
                new("(!@)".into(), vec![a])
            }
            _ => {
                let form = *self.rng.pick(&CONNECTIVES[..6]);
                let (a, b) = (self.ltl(pool, d), self.ltl(pool, d));
                new(form.into(), vec![a, b])
            }
        }
    }
}
