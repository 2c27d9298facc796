//! Random expressions that are well typed and have a value in every state.
//!
//! Integers carry their interval, so that assignments stay in range (or are clamped by a `case`),
//! divisors are never zero and array indices stay inside.

use super::rng::Rng;
use super::smv::{Expr, Kind};

/// An array that may be indexed by an expression.
#[derive(Clone)]
pub struct Array {
    pub name: String,
    pub lo: i64,
    pub hi: i64,
    pub element: Kind,
}

/// What an expression may mention.
#[derive(Clone, Default)]
pub struct Pool {
    pub leaves: Vec<(String, Kind)>,
    pub arrays: Vec<Array>,
    /// Operands of a `next(...)` around a whole expression; empty where `next` is not allowed.
    pub nextable: Vec<(String, Kind)>,
}

/// Values of an integer expression stay within this, to keep the decision diagrams small.
const WIDEST: i64 = 120;

pub struct ExprGen<'r> {
    pub rng: &'r mut Rng,
}

fn word(signed: bool, width: u32) -> Kind {
    Kind::Word { signed, width }
}

/// `e`, or the nearer bound.
fn clamped(e: Expr, lo: i64, hi: i64) -> Expr {
    let form = format!("case @ < {lo} : {lo}; @ > {hi} : {hi}; TRUE : @; esac");
    Expr::new(Kind::Int(lo, hi), form, vec![e.clone(), e.clone(), e])
}

impl ExprGen<'_> {
    /// An expression that fits `kind`, with at most `depth` operators above its leaves.
    pub fn of_kind(&mut self, pool: &Pool, kind: &Kind, depth: u32) -> Expr {
        match kind {
            Kind::Bool | Kind::Ctl | Kind::Ltl | Kind::Fl | Kind::Obe | Kind::Sere => {
                self.boolean(pool, depth)
            }
            Kind::Int(lo, hi) => self.int_within(pool, *lo, *hi, depth),
            Kind::Enum(values) => self.symbolic(pool, values, depth),
            Kind::Word { signed, width } => self.word(pool, *signed, *width, depth),
            Kind::Choice(inner) => self.choice(pool, inner, depth),
        }
    }

    /// A right side of an assignment: an expression, a set, or a `case` over such.
    pub fn choice(&mut self, pool: &Pool, inner: &Kind, depth: u32) -> Expr {
        let kind = Kind::Choice(Box::new(inner.clone()));
        if depth > 0 && self.rng.chance(35) {
            let c = self.boolean(pool, depth - 1);
            let a = self.choice(pool, inner, depth - 1);
            let b = self.choice(pool, inner, depth - 1);
            if self.rng.chance(40) {
                return Expr::new(kind, "(@ ? @ : @)", vec![c, a, b]);
            }
            return Expr::new(kind, "case @ : @; TRUE : @; esac", vec![c, a, b]);
        }
        if matches!(inner, Kind::Word { .. }) || self.rng.chance(60) {
            return self.of_kind(pool, inner, depth);
        }
        if let (Kind::Int(lo, hi), true) = (inner, self.rng.chance(30)) {
            let a = self.rng.between(*lo, *hi);
            let b = self.rng.between(a, *hi);
            return Expr::leaf(kind, format!("{a}..{b}"));
        }
        let a = self.of_kind(pool, inner, depth.min(1));
        let b = self.of_kind(pool, inner, depth.min(1));
        let form = *self.rng.pick(&["{@, @}", "(@ union @)", "{@, @}"]);
        Expr::new(kind, form, vec![a, b])
    }

    fn leaf(&mut self, pool: &Pool, fits: impl Fn(&Kind) -> bool) -> Option<Expr> {
        let found: Vec<_> = pool.leaves.iter().filter(|(_, k)| fits(k)).collect();
        if found.is_empty() {
            return None;
        }
        let (text, kind) = self.rng.pick(&found);
        Some(Expr::leaf(kind.clone(), text.clone()))
    }

    /// `a[index]` with an index that stays inside.
    fn cell(&mut self, pool: &Pool, fits: impl Fn(&Kind) -> bool) -> Option<Expr> {
        let found: Vec<_> = pool.arrays.iter().filter(|a| fits(&a.element)).collect();
        if found.is_empty() {
            return None;
        }
        let array = (*self.rng.pick(&found)).clone();
        // Only variables: for `a[1 + 1]` or a constant DEFINE as index the real NuSMV counts all
        // cells into the cone, which moves verdict lines.
        let variable = |(name, kind): &&(String, Kind)| {
            let last = name.rsplit(['.', '(']).next().expect("not empty");
            matches!(kind, Kind::Int(..)) && !last.trim_start_matches('m').starts_with(['d', 'p'])
        };
        let variables: Vec<_> = pool.leaves.iter().filter(variable).cloned().collect();
        let index = if variables.is_empty() {
            let n = self.rng.between(array.lo, array.hi);
            Expr::leaf(Kind::Int(n, n), n.to_string())
        } else {
            let (text, kind) = self.rng.pick(&variables).clone();
            let inside = kind.fits(&Kind::Int(array.lo, array.hi));
            let e = Expr::leaf(kind, text);
            if inside {
                e
            } else {
                clamped(e, array.lo, array.hi)
            }
        };
        Some(Expr::new(
            array.element,
            format!("{}[@]", array.name),
            vec![index],
        ))
    }

    pub fn boolean(&mut self, pool: &Pool, depth: u32) -> Expr {
        if depth == 0 || self.rng.chance(15) {
            if self.rng.chance(25) {
                if let Some(e) = self.cell(pool, |k| *k == Kind::Bool) {
                    return e;
                }
            }
            if self.rng.chance(50) || depth == 0 {
                if let Some(e) = self.leaf(pool, |k| *k == Kind::Bool) {
                    return e;
                }
            }
            if self.rng.chance(10) {
                return Expr::leaf(Kind::Bool, *self.rng.pick(&["TRUE", "FALSE"]));
            }
            return self.comparison(pool, 0);
        }
        let d = depth - 1;
        match self.rng.below(12) {
            0 | 1 => {
                let a = self.boolean(pool, d);
                Expr::new(Kind::Bool, "!@", vec![a]).guarded()
            }
            2..=6 => {
                let form = *self.rng.pick(&[
                    "(@ & @)",
                    "(@ | @)",
                    "(@ -> @)",
                    "(@ <-> @)",
                    "(@ xor @)",
                    "(@ xnor @)",
                    "(@ = @)",
                    "(@ != @)",
                    "(@ & @)",
                    "(@ | @)",
                ]);
                let (a, b) = (self.boolean(pool, d), self.boolean(pool, d));
                Expr::new(Kind::Bool, form, vec![a, b])
            }
            7 => {
                let c = self.boolean(pool, d);
                let (a, b) = (self.boolean(pool, d), self.boolean(pool, d));
                let form = *self
                    .rng
                    .pick(&["(@ ? @ : @)", "case @ : @; TRUE : @; esac"]);
                Expr::new(Kind::Bool, form, vec![c, a, b])
            }
            8 if !pool.nextable.is_empty() => {
                let inside = Pool {
                    leaves: pool.nextable.clone(),
                    ..Pool::default()
                };
                let a = self.boolean(&inside, d);
                Expr::new(Kind::Bool, "next(@)", vec![a])
            }
            _ => self.comparison(pool, d),
        }
    }

    fn comparison(&mut self, pool: &Pool, depth: u32) -> Expr {
        let choice = self.rng.below(10);
        if choice < 3 {
            if let Some(a) = self.leaf(pool, |k| matches!(k, Kind::Enum(_))) {
                return self.enum_test(pool, a);
            }
        }
        if choice < 5 {
            if let Some(a) = self.leaf(pool, |k| matches!(k, Kind::Word { .. })) {
                return self.word_test(pool, a, depth);
            }
        }
        let has_int = pool.leaves.iter().any(|(_, k)| matches!(k, Kind::Int(..)));
        if !has_int && self.rng.chance(80) {
            if let Some(e) = self.leaf(pool, |k| *k == Kind::Bool) {
                return e;
            }
        }
        let a = self.int(pool, depth);
        let Kind::Int(lo, hi) = a.kind else {
            unreachable!("int gives an integer")
        };
        if self.rng.chance(15) {
            let x = self.rng.between(lo - 1, hi);
            let y = self.rng.between(x, hi + 1);
            let form = match self.rng.chance(50) {
                true => format!("(@ in {x}..{y})"),
                false => format!("(@ in {{{x}, {y}}})"),
            };
            return Expr::new(Kind::Bool, form, vec![a]);
        }
        let b = match self.rng.chance(60) {
            true => {
                let n = self.rng.between(lo, hi);
                Expr::leaf(Kind::Int(n, n), n.to_string())
            }
            false => self.int(pool, depth),
        };
        let form = *self.rng.pick(&[
            "(@ = @)", "(@ = @)", "(@ != @)", "(@ < @)", "(@ <= @)", "(@ > @)", "(@ >= @)",
        ]);
        Expr::new(Kind::Bool, form, vec![a, b])
    }

    fn enum_test(&mut self, pool: &Pool, a: Expr) -> Expr {
        let Kind::Enum(values) = a.kind.clone() else {
            unreachable!("an enumeration")
        };
        if self.rng.chance(25) {
            let (x, y) = (
                self.rng.pick(&values).clone(),
                self.rng.pick(&values).clone(),
            );
            return Expr::new(Kind::Bool, format!("(@ in {{{x}, {y}}})"), vec![a]);
        }
        let b = match self.rng.chance(20) {
            true => self.symbolic(pool, &values, 0),
            false => {
                let v = self.rng.pick(&values).clone();
                Expr::leaf(Kind::Enum(vec![v.clone()]), v)
            }
        };
        let form = *self.rng.pick(&["(@ = @)", "(@ = @)", "(@ != @)"]);
        Expr::new(Kind::Bool, form, vec![a, b])
    }

    fn word_test(&mut self, pool: &Pool, a: Expr, depth: u32) -> Expr {
        let Kind::Word { signed, width } = a.kind.clone() else {
            unreachable!("a word")
        };
        if self.rng.chance(20) {
            let i = self.rng.below(width as usize);
            return Expr::new(Kind::Bool, format!("bool(@[{i}:{i}])"), vec![a]);
        }
        let b = self.word(pool, signed, width, depth);
        let form = *self.rng.pick(&[
            "(@ = @)", "(@ = @)", "(@ != @)", "(@ < @)", "(@ <= @)", "(@ > @)", "(@ >= @)",
        ]);
        Expr::new(Kind::Bool, form, vec![a, b])
    }

    /// An integer with a known interval.
    pub fn int(&mut self, pool: &Pool, depth: u32) -> Expr {
        if depth == 0 || self.rng.chance(20) {
            if self.rng.chance(20) {
                if let Some(e) = self.cell(pool, |k| matches!(k, Kind::Int(..))) {
                    return e;
                }
            }
            if self.rng.chance(85) {
                if let Some(e) = self.leaf(pool, |k| matches!(k, Kind::Int(..))) {
                    return e;
                }
            }
            let n = self.rng.between(-2, 6);
            return Expr::leaf(Kind::Int(n, n), n.to_string()).guarded();
        }
        let d = depth - 1;
        let e = match self.rng.below(11) {
            0..=3 => self.int_binary(pool, d),
            4 => {
                let a = self.int(pool, d);
                let Kind::Int(lo, hi) = a.kind else {
                    unreachable!()
                };
                Expr::new(Kind::Int(-hi, -lo), "(-@)", vec![a])
            }
            5 | 6 => {
                let a = self.int(pool, d);
                let Kind::Int(lo, hi) = a.kind else {
                    unreachable!()
                };
                let c = *self.rng.pick(&[2, 3, 4, 2, -2, 1]);
                if self.rng.chance(50) {
                    let (x, y) = (lo / c, hi / c);
                    Expr::new(Kind::Int(x.min(y), x.max(y)), format!("(@ / {c})"), vec![a])
                } else {
                    let most = i64::abs(c) - 1;
                    Expr::new(Kind::Int(-most, most), format!("(@ mod {c})"), vec![a])
                }
            }
            7 => {
                let (a, b) = (self.boolean(pool, d), self.boolean(pool, d));
                Expr::new(Kind::Int(0, 2), "count(@, @)", vec![a, b])
            }
            8 => match self.leaf(pool, |k| matches!(k, Kind::Word { .. })) {
                Some(a) => {
                    let Kind::Word { signed, width } = a.kind else {
                        unreachable!()
                    };
                    let top = 1 << width;
                    let range = if signed {
                        Kind::Int(-top / 2, top / 2 - 1)
                    } else {
                        Kind::Int(0, top - 1)
                    };
                    Expr::new(range, "toint(@)", vec![a])
                }
                None => self.int(pool, d),
            },
            9 => {
                let (a, b) = (self.int(pool, d), self.int(pool, d));
                let (Kind::Int(p, q), Kind::Int(r, s)) = (&a.kind, &b.kind) else {
                    unreachable!()
                };
                let (p, q, r, s) = (*p, *q, *r, *s);
                match self.rng.below(3) {
                    0 => Expr::new(Kind::Int(p.min(r), q.min(s)), "min(@, @)", vec![a, b]),
                    1 => Expr::new(Kind::Int(p.max(r), q.max(s)), "max(@, @)", vec![a, b]),
                    _ => {
                        let most = i64::abs(p).max(i64::abs(q));
                        Expr::new(Kind::Int(0, most), "abs(@)", vec![a])
                    }
                }
            }
            _ => {
                let c = self.boolean(pool, d);
                let (a, b) = (self.int(pool, d), self.int(pool, d));
                let (Kind::Int(p, q), Kind::Int(r, s)) = (&a.kind, &b.kind) else {
                    unreachable!()
                };
                let kind = Kind::Int(*p.min(r), *q.max(s));
                let form = *self
                    .rng
                    .pick(&["(@ ? @ : @)", "case @ : @; TRUE : @; esac"]);
                Expr::new(kind, form, vec![c, a, b])
            }
        };
        match e.kind {
            Kind::Int(lo, hi) if lo < -WIDEST || hi > WIDEST => self.int(pool, 0),
            _ => e,
        }
    }

    fn int_binary(&mut self, pool: &Pool, d: u32) -> Expr {
        let (a, b) = (self.int(pool, d), self.int(pool, d));
        let (Kind::Int(p, q), Kind::Int(r, s)) = (&a.kind, &b.kind) else {
            unreachable!()
        };
        let (p, q, r, s) = (*p, *q, *r, *s);
        match self.rng.below(5) {
            0 | 1 => Expr::new(Kind::Int(p + r, q + s), "(@ + @)", vec![a, b]),
            2 | 3 => Expr::new(Kind::Int(p - s, q - r), "(@ - @)", vec![a, b]),
            _ => {
                let products = [p * r, p * s, q * r, q * s];
                let lo = *products.iter().min().expect("four");
                let hi = *products.iter().max().expect("four");
                Expr::new(Kind::Int(lo, hi), "(@ * @)", vec![a, b])
            }
        }
    }

    /// An integer in `lo..=hi`: by luck, or clamped.
    pub fn int_within(&mut self, pool: &Pool, lo: i64, hi: i64, depth: u32) -> Expr {
        let wanted = Kind::Int(lo, hi);
        for _ in 0..3 {
            let e = self.int(pool, depth);
            if e.kind.fits(&wanted) {
                return e;
            }
        }
        if depth == 0 || self.rng.chance(30) {
            let n = self.rng.between(lo, hi);
            return Expr::leaf(Kind::Int(n, n), n.to_string()).guarded();
        }
        let e = self.int(pool, depth - 1);
        clamped(e, lo, hi)
    }

    fn symbolic(&mut self, pool: &Pool, values: &[String], depth: u32) -> Expr {
        let wanted = Kind::Enum(values.to_vec());
        if depth > 0 && self.rng.chance(40) {
            let c = self.boolean(pool, depth - 1);
            let a = self.symbolic(pool, values, depth - 1);
            let b = self.symbolic(pool, values, depth - 1);
            return Expr::new(wanted, "case @ : @; TRUE : @; esac", vec![c, a, b]);
        }
        if self.rng.chance(40) {
            if let Some(e) = self.leaf(pool, |k| k.fits(&wanted)) {
                return e;
            }
        }
        let v = self.rng.pick(values).clone();
        Expr::leaf(Kind::Enum(vec![v.clone()]), v)
    }

    fn word_constant(&mut self, signed: bool, width: u32) -> Expr {
        let n = self.rng.below(1 << width) as i64;
        let text = match (signed, self.rng.below(3)) {
            (false, 0) => format!("0ub{width}_{n:0w$b}", w = width as usize),
            (false, 1) => format!("0uh{width}_{n:x}"),
            (false, _) => format!("0ud{width}_{n}"),
            (true, 0) => format!("0sb{width}_{n:0w$b}", w = width as usize),
            (true, 1) => format!("0sd{width}_{}", n % (1 << (width - 1))),
            (true, _) => format!("-0sd{width}_{}", 1 + n % (1 << (width - 1))),
        };
        Expr::leaf(word(signed, width), text).guarded()
    }

    pub fn word(&mut self, pool: &Pool, signed: bool, width: u32, depth: u32) -> Expr {
        let kind = word(signed, width);
        if depth == 0 || self.rng.chance(20) {
            if self.rng.chance(75) {
                if let Some(e) = self.leaf(pool, |k| *k == kind) {
                    return e;
                }
            }
            return self.word_constant(signed, width);
        }
        let d = depth - 1;
        let same = |this: &mut Self, form: &str| {
            let a = this.word(pool, signed, width, d);
            let b = this.word(pool, signed, width, d);
            Expr::new(word(signed, width), form, vec![a, b])
        };
        match self.rng.below(13) {
            0..=2 => {
                let form = *self.rng.pick(&["(@ + @)", "(@ - @)", "(@ * @)", "(@ + @)"]);
                same(self, form)
            }
            3 | 4 => {
                let form = *self
                    .rng
                    .pick(&["(@ & @)", "(@ | @)", "(@ xor @)", "(@ xnor @)"]);
                same(self, form)
            }
            5 => {
                let a = self.word(pool, signed, width, d);
                let form = *self.rng.pick(&["(!@)", "(-@)"]);
                Expr::new(kind, form, vec![a])
            }
            6 => {
                let a = self.word(pool, signed, width, d);
                let by = self.rng.below(width as usize + 1);
                let op = *self.rng.pick(&["<<", ">>"]);
                Expr::new(kind, format!("(@ {op} {by})"), vec![a])
            }
            7 => {
                let a = self.word(pool, !signed, width, d);
                let form = if signed { "signed(@)" } else { "unsigned(@)" };
                Expr::new(kind, form, vec![a])
            }
            8 if !signed && width > 1 => {
                let left = 1 + self.rng.below(width as usize - 1) as u32;
                let a = self.word(pool, false, left, d);
                let b = self.word(pool, false, width - left, d);
                Expr::new(kind, "(@ :: @)", vec![a, b])
            }
            9 if !signed => {
                let wide = width + self.rng.below(3) as u32;
                let low = self.rng.below((wide - width) as usize + 1) as u32;
                let a = self.word(pool, self.rng.clone().chance(50), wide, d);
                Expr::new(kind, format!("(@[{}:{low}])", low + width - 1), vec![a])
            }
            // The real NuSMV aborts on a signed word resized to one bit.
            10 if !signed || width > 1 => {
                let from = 1 + self.rng.below(5) as u32;
                let a = self.word(pool, signed, from, d);
                if from < width && self.rng.chance(50) {
                    return Expr::new(kind, format!("extend(@, {})", width - from), vec![a]);
                }
                Expr::new(kind, format!("resize(@, {width})"), vec![a])
            }
            11 if !signed && width == 1 => {
                let a = self.boolean(pool, d);
                Expr::new(kind, "word1(@)", vec![a])
            }
            10 | 11 => {
                let a = self.word(pool, signed, width, d);
                let by = self.word_nonzero(signed, width);
                let op = *self.rng.pick(&["/", "mod"]);
                Expr::new(kind, format!("(@ {op} {by})"), vec![a])
            }
            _ => {
                let c = self.boolean(pool, d);
                let a = self.word(pool, signed, width, d);
                let b = self.word(pool, signed, width, d);
                let form = *self
                    .rng
                    .pick(&["(@ ? @ : @)", "case @ : @; TRUE : @; esac"]);
                Expr::new(kind, form, vec![c, a, b])
            }
        }
    }

    fn word_nonzero(&mut self, signed: bool, width: u32) -> String {
        let top = if signed {
            (1 << (width - 1)) - 1
        } else {
            (1 << width) - 1
        };
        match (signed, top) {
            (true, 0) => format!("(-0sd{width}_1)"),
            (true, _) => format!("0sd{width}_{}", self.rng.between(1, top)),
            (false, _) => format!("0ud{width}_{}", self.rng.between(1, top)),
        }
    }
}

impl Expr {
    /// In parentheses where a leading sign or `!` could bind elsewhere.
    fn guarded(mut self) -> Self {
        if self.form.starts_with(['-', '!']) {
            self.form = format!("({})", self.form);
        }
        self
    }
}
