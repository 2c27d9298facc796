//! Random PSL properties: FL with SEREs, OBE, `forall`.

use super::gen_expr::{ExprGen, Pool};
use super::smv::{Expr, Kind};

impl ExprGen<'_> {
    /// A property of either kind.
    pub fn psl(&mut self, pool: &Pool, depth: u32) -> Expr {
        match self.rng.below(10) {
            0..=1 => self.obe(pool, depth),
            2 => {
                let body = self.fl(pool, depth);
                let range = *self.rng.pick(&["{0:2}", "{1, 2}", "boolean"]);
                // The variable only counts the copies; it need not occur.
                Expr::new(
                    Kind::Fl,
                    format!("forall psl_i in {range} : (@)"),
                    vec![body],
                )
            }
            _ => self.fl(pool, depth),
        }
    }

    fn plain(&mut self, pool: &Pool) -> Expr {
        let name = self.boolean_name(pool);
        match self.rng.below(4) {
            0 => Expr::new(Kind::Bool, "!(@)", vec![name]),
            1 => {
                let other = self.boolean_name(pool);
                let form = *self
                    .rng
                    .pick(&["(@ & @)", "(@ | @)", "(@ xor @)", "(@ -> @)"]);
                Expr::new(Kind::Bool, form, vec![name, other])
            }
            _ => name,
        }
    }

    fn boolean_name(&mut self, pool: &Pool) -> Expr {
        let names = pool.leaves.iter().filter(|(n, k)| {
            let simple = n.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            simple && *k == Kind::Bool
        });
        let names: Vec<_> = names.collect();
        let numbers = pool.leaves.iter().filter_map(|(n, k)| match k {
            Kind::Int(lo, hi) if n.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => {
                Some((n, *lo, *hi))
            }
            _ => None,
        });
        let numbers: Vec<_> = numbers.collect();
        if !numbers.is_empty() && (names.is_empty() || self.rng.chance(40)) {
            let (name, lo, hi) = *self.rng.pick(&numbers);
            let op = *self.rng.pick(&["=", "!=", "<", ">="]);
            let value = self.rng.between(lo, hi);
            return Expr::leaf(Kind::Bool, format!("{name} {op} {value}"));
        }
        if names.is_empty() {
            return Expr::leaf(Kind::Bool, "TRUE");
        }
        Expr::leaf(Kind::Bool, self.rng.pick(&names).0.clone())
    }

    fn fl(&mut self, pool: &Pool, depth: u32) -> Expr {
        if depth == 0 || self.rng.chance(10) {
            return self.plain(pool);
        }
        let d = depth - 1;
        let new = |form: String, args| Expr::new(Kind::Fl, form, args);
        match self.rng.below(20) {
            0..=4 => {
                let word = *self.rng.pick(&[
                    "always",
                    "never",
                    "eventually!",
                    "next",
                    "next!",
                    "X",
                    "X!",
                    "F",
                    "G",
                ]);
                let a = self.fl(pool, d);
                new(format!("({word} @)"), vec![a])
            }
            5..=7 => {
                let word = *self.rng.pick(&[
                    "until", "until!", "until_", "until!_", "before", "before!", "before_",
                    "before!_",
                ]);
                let (a, b) = (self.fl(pool, d), self.fl(pool, d));
                new(format!("(@ {word} @)"), vec![a, b])
            }
            8 => {
                let op = *self.rng.pick(&["U", "W"]);
                let (a, b) = (self.fl(pool, d), self.fl(pool, d));
                new(format!("[@ {op} @]"), vec![a, b])
            }
            9 => {
                let word = *self.rng.pick(&["next", "next!", "X"]);
                let n = self.rng.between(0, 3);
                let a = self.fl(pool, d);
                new(format!("{word}[{n}](@)"), vec![a])
            }
            10 => {
                let word = *self.rng.pick(&["next_a", "next_a!", "next_e", "next_e!"]);
                let lo = self.rng.between(0, 2);
                let hi = self.rng.between(lo, lo + 2);
                let a = self.fl(pool, d);
                new(format!("{word}[{lo}:{hi}](@)"), vec![a])
            }
            11 | 12 => {
                let event = self.plain(pool);
                let a = self.fl(pool, d);
                let strong = *self.rng.pick(&["", "!"]);
                let lo = self.rng.between(1, 2);
                let hi = self.rng.between(lo, lo + 1);
                let form = match self.rng.below(4) {
                    0 => format!("next_event{strong}(@)(@)"),
                    1 => format!("next_event{strong}(@)[{hi}](@)"),
                    2 => format!("next_event_a{strong}(@)[{lo}:{hi}](@)"),
                    _ => format!("next_event_e{strong}(@)[{lo}:{hi}](@)"),
                };
                new(form, vec![event, a])
            }
            13 | 14 => {
                let premise = self.sere(pool, 2, false);
                if self.rng.chance(30) {
                    let a = self.fl(pool, d);
                    return new("(@(@))".into(), vec![premise, a]);
                }
                let arrow = *self.rng.pick(&["|->", "|=>"]);
                let then = self.sere(pool, 2, true);
                new(format!("(@ {arrow} @!)"), vec![premise, then])
            }
            15 => {
                let word = *self.rng.pick(&["always", "never", "eventually!"]);
                let a = self.sere(pool, 2, true);
                new(format!("({word} @)"), vec![a])
            }
            16 => {
                let a = self.fl(pool, d);
                new("(!(@))".into(), vec![a])
            }
            _ => {
                let form = *self
                    .rng
                    .pick(&["(@ & @)", "(@ | @)", "(@ -> @)", "(@ <-> @)"]);
                let (a, b) = (self.fl(pool, d), self.fl(pool, d));
                new(form.into(), vec![a, b])
            }
        }
    }

    /// A SERE in braces; with `stars`, some that NuSMV refuses in places.
    fn sere(&mut self, pool: &Pool, depth: u32, stars: bool) -> Expr {
        let new = |form: String, args| Expr::new(Kind::Sere, form, args);
        if depth == 0 || self.rng.chance(20) {
            let a = self.plain(pool);
            return new("{@}".into(), vec![a]);
        }
        let d = depth - 1;
        match self.rng.below(9) {
            0..=3 => {
                let (a, b) = (self.sere(pool, d, stars), self.sere(pool, d, stars));
                new("{@; @}".into(), vec![a, b])
            }
            4 | 5 => {
                let op = *self.rng.pick(&["|", ":", "&", "&&"]);
                let plain = op.starts_with('&');
                let stars = stars && !plain;
                let (a, b) = (self.sere(pool, d, stars), self.sere(pool, d, stars));
                new(format!("{{@ {op} @}}"), vec![a, b])
            }
            6 if stars => {
                let repeat = *self.rng.pick(&["[*]", "[+]", "[*2]"]);
                let (a, b) = (self.plain(pool), self.plain(pool));
                new(format!("{{@{repeat}; @}}"), vec![a, b])
            }
            7 if stars => {
                let a = self.plain(pool);
                let repeat = *self.rng.pick(&["[*]", "[+]"]);
                new(format!("{{{repeat}; @}}"), vec![a])
            }
            _ => {
                let (a, b) = (self.plain(pool), self.plain(pool));
                new("{@; @}".into(), vec![a, b])
            }
        }
    }

    fn obe(&mut self, pool: &Pool, depth: u32) -> Expr {
        if depth == 0 || self.rng.chance(10) {
            return self.plain(pool);
        }
        let d = depth - 1;
        let new = |form: String, args| Expr::new(Kind::Obe, form, args);
        match self.rng.below(8) {
            0..=3 => {
                let op = *self.rng.pick(&["EX", "AX", "EF", "AF", "EG", "AG"]);
                let a = self.obe(pool, d);
                new(format!("({op} @)"), vec![a])
            }
            4 => {
                let form = *self.rng.pick(&["E [@ U @]", "A [@ U @]"]);
                let (a, b) = (self.obe(pool, d), self.obe(pool, d));
                new(form.into(), vec![a, b])
            }
            _ => {
                let form = *self
                    .rng
                    .pick(&["(@ & @)", "(@ | @)", "(@ -> @)", "(@ <-> @)"]);
                let (a, b) = (self.obe(pool, d), self.obe(pool, d));
                new(form.into(), vec![a, b])
            }
        }
    }
}
