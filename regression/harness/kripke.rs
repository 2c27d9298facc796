//! Kripke structures of up to three states and CTL over them by brute force, with sets of states as
//! bit masks. Shares nothing with the program: `EX`, `EU` and fair `EG` by their fixpoints
//! (Clarke, Emerson, Sistla, TOPLAS 1986; Emerson, Lei, LICS 1986), all else by duality.

use std::fmt::{self, Display};

/// A set of states: bit i for state i.
pub type Set = u8;

#[derive(Clone, Debug)]
pub struct Kripke {
    pub states: u32,
    /// Successors of each state.
    pub next: Vec<Set>,
    pub init: Set,
    /// Labels of the two propositions.
    pub p: Set,
    pub q: Set,
    pub justice: Vec<Set>,
}

#[derive(Clone, Debug)]
pub enum Ctl {
    P,
    Q,
    True,
    /// The placeholder of a query, standing for a set of states.
    Hole(Set),
    Not(Box<Ctl>),
    And(Box<Ctl>, Box<Ctl>),
    Or(Box<Ctl>, Box<Ctl>),
    /// `EX`, `AX`, `EF`, `AF`, `EG`, `AG`
    Path(&'static str, Box<Ctl>),
    /// `E [a U b]`, `A [a U b]`
    Until(char, Box<Ctl>, Box<Ctl>),
    /// `EBF`, `ABF`, `EBG`, `ABG` with bounds
    Bounded(&'static str, u32, u32, Box<Ctl>),
    /// `E [a BU lo..hi b]`, `A [...]`
    BoundedUntil(char, u32, u32, Box<Ctl>, Box<Ctl>),
}

impl Display for Ctl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ctl::P => f.write_str("p"),
            Ctl::Q => f.write_str("q"),
            Ctl::True => f.write_str("TRUE"),
            Ctl::Hole(_) => f.write_str("?"),
            Ctl::Not(a) => write!(f, "!({a})"),
            Ctl::And(a, b) => write!(f, "(({a}) & ({b}))"),
            Ctl::Or(a, b) => write!(f, "(({a}) | ({b}))"),
            Ctl::Path(op, a) => write!(f, "{op} ({a})"),
            Ctl::Until(q, a, b) => write!(f, "{q} [ ({a}) U ({b}) ]"),
            Ctl::Bounded(op, lo, hi, a) => write!(f, "{op} {lo}..{hi} ({a})"),
            Ctl::BoundedUntil(q, lo, hi, a, b) => write!(f, "{q} [ ({a}) BU {lo}..{hi} ({b}) ]"),
        }
    }
}

impl Ctl {
    /// Whether no placeholder stands under an odd number of negations; `even` counts those around.
    pub fn is_positive(&self, even: bool) -> bool {
        match self {
            Ctl::P | Ctl::Q | Ctl::True => true,
            Ctl::Hole(_) => even,
            Ctl::Not(a) => a.is_positive(!even),
            Ctl::Path(_, a) | Ctl::Bounded(.., a) => a.is_positive(even),
            Ctl::And(a, b) | Ctl::Or(a, b) | Ctl::Until(_, a, b) | Ctl::BoundedUntil(.., a, b) => {
                a.is_positive(even) && b.is_positive(even)
            }
        }
    }

    /// The formula with a set for its placeholders.
    pub fn filled(&self, set: Set) -> Ctl {
        let go = |a: &Ctl| Box::new(a.filled(set));
        match self {
            Ctl::P | Ctl::Q | Ctl::True => self.clone(),
            Ctl::Hole(_) => Ctl::Hole(set),
            Ctl::Not(a) => Ctl::Not(go(a)),
            Ctl::And(a, b) => Ctl::And(go(a), go(b)),
            Ctl::Or(a, b) => Ctl::Or(go(a), go(b)),
            Ctl::Path(op, a) => Ctl::Path(op, go(a)),
            Ctl::Until(q, a, b) => Ctl::Until(*q, go(a), go(b)),
            Ctl::Bounded(op, lo, hi, a) => Ctl::Bounded(op, *lo, *hi, go(a)),
            Ctl::BoundedUntil(q, lo, hi, a, b) => Ctl::BoundedUntil(*q, *lo, *hi, go(a), go(b)),
        }
    }
}

impl Kripke {
    fn all(&self) -> Set {
        (1 << self.states) - 1
    }

    /// States with a successor in `set`.
    fn pre(&self, set: Set) -> Set {
        (0..self.states)
            .filter(|&s| self.next[s as usize] & set != 0)
            .map(|s| 1 << s)
            .sum()
    }

    fn lfp(&self, f: impl Fn(Set) -> Set) -> Set {
        let mut z = 0;
        while f(z) != z {
            z = f(z);
        }
        z
    }

    fn gfp(&self, f: impl Fn(Set) -> Set) -> Set {
        let mut z = self.all();
        while f(z) != z {
            z = f(z);
        }
        z
    }

    /// νZ. a ∧ ⋀ⱼ EX E[a U Z ∧ cⱼ]
    fn eg(&self, a: Set) -> Set {
        self.gfp(|z| {
            let step = |c: Set| self.pre(self.lfp(|y| (z & c) | (a & self.pre(y))));
            self.justice
                .iter()
                .fold(a & self.pre(z) & z, |acc, &c| acc & step(c))
        })
    }

    /// States on a fair infinite path.
    pub fn fair(&self) -> Set {
        self.eg(self.all())
    }

    fn ex(&self, a: Set) -> Set {
        self.pre(a & self.fair())
    }

    fn ax(&self, a: Set) -> Set {
        self.all() & !self.ex(self.all() & !a)
    }

    fn eu(&self, a: Set, b: Set) -> Set {
        self.lfp(|y| (b & self.fair()) | (a & self.pre(y)))
    }

    /// The states that satisfy `formula`; of no meaning on states without a fair path.
    pub fn sat(&self, formula: &Ctl) -> Set {
        let not = |a: Set| self.all() & !a;
        match formula {
            Ctl::P => self.p,
            Ctl::Q => self.q,
            Ctl::True => self.all(),
            Ctl::Hole(set) => *set,
            Ctl::Not(a) => not(self.sat(a)),
            Ctl::And(a, b) => self.sat(a) & self.sat(b),
            Ctl::Or(a, b) => self.sat(a) | self.sat(b),
            Ctl::Path(op, a) => {
                let a = self.sat(a);
                match *op {
                    "EX" => self.ex(a),
                    "AX" => self.ax(a),
                    "EF" => self.eu(self.all(), a),
                    "AG" => not(self.eu(self.all(), not(a))),
                    "EG" => self.eg(a),
                    _ => not(self.eg(not(a))),
                }
            }
            Ctl::Until('E', a, b) => self.eu(self.sat(a), self.sat(b)),
            Ctl::Until(_, a, b) => {
                let (a, b) = (not(self.sat(a)), not(self.sat(b)));
                not(self.eu(b, a & b) | self.eg(b))
            }
            Ctl::Bounded(op, lo, hi, a) => {
                let a = self.sat(a);
                match *op {
                    "EBF" => self.ebf(*lo, *hi, a),
                    "ABG" => not(self.ebf(*lo, *hi, not(a))),
                    "EBG" => self.ebg(*lo, *hi, a),
                    _ => not(self.ebg(*lo, *hi, not(a))),
                }
            }
            Ctl::BoundedUntil(quantifier, lo, hi, a, b) => {
                self.bu(*quantifier, *lo, *hi, self.sat(a), self.sat(b))
            }
        }
    }

    fn ebf(&self, lo: u32, hi: u32, a: Set) -> Set {
        match (lo, hi) {
            (0, 0) => a & self.fair(),
            (0, _) => (a & self.fair()) | self.ex(self.ebf(0, hi - 1, a)),
            _ => self.ex(self.ebf(lo - 1, hi - 1, a)),
        }
    }

    fn ebg(&self, lo: u32, hi: u32, a: Set) -> Set {
        match (lo, hi) {
            (0, 0) => a & self.fair(),
            (0, _) => a & self.ex(self.ebg(0, hi - 1, a)),
            _ => self.ex(self.ebg(lo - 1, hi - 1, a)),
        }
    }

    fn bu(&self, quantifier: char, lo: u32, hi: u32, a: Set, b: Set) -> Set {
        let step = |set| {
            if quantifier == 'E' {
                self.ex(set)
            } else {
                self.ax(set)
            }
        };
        match (lo, hi) {
            (0, 0) => b & self.fair(),
            (0, _) => (b & self.fair()) | (a & step(self.bu(quantifier, 0, hi - 1, a, b))),
            _ => a & step(self.bu(quantifier, lo - 1, hi - 1, a, b)),
        }
    }

    /// Whether every fair initial state satisfies `formula`.
    pub fn holds(&self, formula: &Ctl) -> bool {
        self.init & self.fair() & !self.sat(formula) == 0
    }

    /// As an SMV model without properties.
    pub fn smv(&self) -> String {
        let set = |s: Set| {
            let inside: Vec<_> = (0..self.states).filter(|i| s >> i & 1 == 1).collect();
            let tests: Vec<_> = inside.iter().map(|i| format!("s = {i}")).collect();
            if tests.is_empty() {
                "FALSE".into()
            } else {
                tests.join(" | ")
            }
        };
        let mut text = format!("MODULE main\nVAR s : 0..{};\n", self.states - 1);
        text += &format!("DEFINE p := {}; q := {};\n", set(self.p), set(self.q));
        text += &format!("INIT {};\n", set(self.init));
        for s in 0..self.states {
            let next = set(self.next[s as usize]).replace("s =", "next(s) =");
            text += &format!("TRANS s = {s} -> ({next});\n");
        }
        for j in &self.justice {
            text += &format!("JUSTICE {};\n", set(*j));
        }
        text
    }
}
