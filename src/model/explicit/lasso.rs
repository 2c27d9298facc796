//! LTL with past on one infinite path, by the definition of its operators.
//!
//! `(model, steps, where the last step loops to, formula) → truth`. The value of a formula along a
//! lasso is an ultimately periodic word whose period is the lasso's; only its stem may be longer,
//! since what lies behind differs from one round to the next: by one place for each `Y`, by one round
//! for each `S` (a round is monotone in the value it starts with, so after one round it repeats).
//! Looking ahead, `U` is settled by two rounds backwards. Shares nothing with the tableau.

use crate::base::deep;
use crate::model::arith::EvalError;
use crate::model::eval::{Env, Evaluator};
use crate::model::{ExprId, FlatModel, Node, Value};
use rustc_hash::FxHashMap;
use smv_grammar::ops::{BinOp, BoundedOp, UnOp};
use std::rc::Rc;

type Result<T> = std::result::Result<T, EvalError>;

/// Values of the variables at one place of the path, and of the inputs of the step that leaves it.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// By [`crate::model::VarId`], of state and frozen variables.
    pub state: &'a [Option<Value>],
    /// By [`crate::model::VarId`], of inputs.
    pub input: &'a [Option<Value>],
}

/// An infinite path: the places from `start` on are repeated for ever.
pub struct Lasso<'a> {
    model: &'a FlatModel,
    places: Vec<Place<'a>>,
    start: usize,
    memo: FxHashMap<ExprId, Rc<Word>>,
}

/// A formula's values: at place `i` beyond the end, the one a period before.
type Word = Vec<bool>;

impl<'a> Lasso<'a> {
    /// `start` must be the index of a place.
    pub fn new(model: &'a FlatModel, places: Vec<Place<'a>>, start: usize) -> Self {
        assert!(start < places.len(), "the loop starts at a place");
        Lasso {
            model,
            places,
            start,
            memo: FxHashMap::default(),
        }
    }

    /// Truth at the first place.
    pub fn holds(&mut self, e: ExprId) -> Result<bool> {
        Ok(self.word(e)?[0])
    }

    /// Is `e` true at infinitely many places?
    pub fn recurs(&mut self, e: ExprId) -> Result<bool> {
        let word = self.word(e)?;
        Ok(word[word.len() - self.period()..].contains(&true))
    }

    /// Does it meet all fairness conditions of the model?
    pub fn is_fair(&mut self) -> Result<bool> {
        let model = self.model;
        for c in &model.justice {
            if !self.recurs(c.expr)? {
                return Ok(false);
            }
        }
        for (p, q) in &model.compassion {
            if self.recurs(p.expr)? && !self.recurs(q.expr)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Truth at each place of the stem and of the first round.
    pub fn values(&mut self, e: ExprId) -> Result<Vec<bool>> {
        self.prefix(e, self.places.len())
    }

    /// Truth at the first `n` places, the loop unrolled.
    pub fn prefix(&mut self, e: ExprId, n: usize) -> Result<Vec<bool>> {
        let word = self.word(e)?;
        Ok((0..n).map(|i| self.at(&word, i)).collect())
    }

    fn period(&self) -> usize {
        self.places.len() - self.start
    }

    fn at(&self, word: &Word, i: usize) -> bool {
        if i < word.len() {
            return word[i];
        }
        let stem = word.len() - self.period();
        word[stem + (i - stem) % self.period()]
    }

    fn word(&mut self, e: ExprId) -> Result<Rc<Word>> {
        if let Some(known) = self.memo.get(&e) {
            return Ok(Rc::clone(known));
        }
        let word = Rc::new(deep(|| self.compute(e))?);
        self.memo.insert(e, Rc::clone(&word));
        Ok(word)
    }

    fn compute(&mut self, e: ExprId) -> Result<Word> {
        match *self.model.pool.node(e) {
            Node::Unary(UnOp::Not, a) => self.pointwise(e, &[a], |v| !v[0]),
            Node::Unary(op, a) if op.is_ltl() => {
                let a = self.word(a)?;
                Ok(self.unary(op, &a))
            }
            Node::Binary(BinOp::U, a, b) => {
                let (a, b) = (self.word(a)?, self.word(b)?);
                Ok(self.until(&a, &b))
            }
            Node::Binary(BinOp::S, a, b) => {
                let (a, b) = (self.word(a)?, self.word(b)?);
                Ok(self.since(&a, &b))
            }
            Node::Binary(BinOp::And, a, b) => self.pointwise(e, &[a, b], |v| v[0] && v[1]),
            Node::Binary(BinOp::Or, a, b) => self.pointwise(e, &[a, b], |v| v[0] || v[1]),
            Node::Binary(BinOp::Implies, a, b) => self.pointwise(e, &[a, b], |v| !v[0] || v[1]),
            Node::Binary(BinOp::Iff | BinOp::Xnor, a, b) => {
                self.pointwise(e, &[a, b], |v| v[0] == v[1])
            }
            Node::Binary(BinOp::Xor, a, b) => self.pointwise(e, &[a, b], |v| v[0] != v[1]),
            Node::Ite(c, a, b) => self.pointwise(e, &[c, a, b], |v| if v[0] { v[1] } else { v[2] }),
            Node::Bounded { op, lo, hi, a, .. } => {
                let a = self.word(a)?;
                self.bounded(op, lo as usize, hi as usize, &a)
            }
            _ => self.atom(e),
        }
    }

    /// A connective; what has no temporal operator below is one atom, so that failures are masked
    /// as everywhere.
    fn pointwise(
        &mut self,
        e: ExprId,
        operands: &[ExprId],
        f: impl Fn(&[bool]) -> bool,
    ) -> Result<Word> {
        if !self.model.pool.is_temporal(e) {
            return self.atom(e);
        }
        let words = operands
            .iter()
            .map(|&o| self.word(o))
            .collect::<Result<Vec<_>>>()?;
        let n = words.iter().map(|w| w.len()).max().unwrap_or(0);
        let at = |i| words.iter().map(|w| self.at(w, i)).collect::<Vec<_>>();
        Ok((0..n).map(|i| f(&at(i))).collect())
    }

    fn atom(&self, e: ExprId) -> Result<Word> {
        let n = self.places.len();
        (0..n)
            .map(|i| {
                let next = if i + 1 < n { i + 1 } else { self.start };
                let env = Env {
                    cur: self.places[i].state,
                    input: self.places[i].input,
                    next: Some(self.places[next].state),
                };
                Evaluator::new(self.model, env).holds(e)
            })
            .collect()
    }

    fn unary(&self, op: UnOp, a: &Word) -> Word {
        let n = a.len();
        let always = vec![true; n];
        let not = |w: &Word| w.iter().map(|v| !v).collect::<Word>();
        match op {
            UnOp::X => (0..n).map(|i| self.at(a, i + 1)).collect(),
            UnOp::F => self.until(&always, a),
            UnOp::G => not(&self.until(&always, &not(a))),
            UnOp::Y | UnOp::Z => (0..=n)
                .map(|i| i.checked_sub(1).map_or(op == UnOp::Z, |j| self.at(a, j)))
                .collect(),
            UnOp::O => self.since(&always, a),
            _ => not(&self.since(&always, &not(a))),
        }
    }

    fn until(&self, a: &Word, b: &Word) -> Word {
        let n = a.len().max(b.len());
        let mut value = false;
        let mut word = vec![false; n];
        for i in (0..n + self.period()).rev() {
            value = self.at(b, i) || (self.at(a, i) && value);
            if i < n {
                word[i] = value;
            }
        }
        word
    }

    fn since(&self, a: &Word, b: &Word) -> Word {
        let n = a.len().max(b.len()) + self.period();
        let mut value = false;
        (0..n)
            .map(|i| {
                value = self.at(b, i) || (self.at(a, i) && value);
                value
            })
            .collect()
    }

    fn bounded(&self, op: BoundedOp, lo: usize, hi: usize, a: &Word) -> Result<Word> {
        let some = match op {
            BoundedOp::LtlF | BoundedOp::LtlO => true,
            BoundedOp::LtlG | BoundedOp::LtlH => false,
            _ => return Err(EvalError::Temporal),
        };
        let ahead = matches!(op, BoundedOp::LtlF | BoundedOp::LtlG);
        // From so many places on, everything within reach repeats.
        let n = if ahead { a.len() } else { a.len() + hi };
        // The window of a period holds all that a longer one does.
        let hi = hi.min(lo + n);
        Ok((0..n)
            .map(|i| {
                let mut window = (lo..=hi).map(|d| {
                    let place = if ahead { Some(i + d) } else { i.checked_sub(d) };
                    // As in NuSMV nothing held before the first place, for H as for O.
                    place.is_some_and(|j| self.at(a, j))
                });
                if some {
                    window.any(|v| v)
                } else {
                    window.all(|v| v)
                }
            })
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::PropFormula;
    use crate::model::testing::flat;

    /// The values of formulas over `p` and `q` on a word; letters are `p + 2 q`.
    fn truth(model: &FlatModel, letters: &[u8], start: usize) -> Vec<bool> {
        let states: Vec<Vec<Option<Value>>> = letters
            .iter()
            .map(|l| vec![Some(Value::Bool(l & 1 != 0)), Some(Value::Bool(l & 2 != 0))])
            .collect();
        let places = states.iter().map(|s| Place {
            state: s,
            input: &[],
        });
        let mut lasso = Lasso::new(model, places.collect(), start);
        let of = |f: &PropFormula| match f {
            PropFormula::Ltl(e) => *e,
            _ => unreachable!("an LTLSPEC"),
        };
        model
            .properties
            .iter()
            .map(|p| lasso.holds(of(&p.formula)).expect("a value"))
            .collect()
    }

    /// All words of up to `n` letters with all places where they may loop.
    fn all_words(n: u32, mut f: impl FnMut(&[u8], usize)) {
        for len in 1..=n {
            for code in 0..4u32.pow(len) {
                let letters: Vec<u8> = (0..len).map(|i| (code >> (2 * i) & 3) as u8).collect();
                for start in 0..letters.len() {
                    f(&letters, start);
                }
            }
        }
    }

    fn model(formulas: &[&str]) -> FlatModel {
        let specs: String = formulas.iter().map(|f| format!("LTLSPEC {f};")).collect();
        flat(&format!("VAR p : boolean; q : boolean; {specs}"))
    }

    #[test]
    fn identities_on_all_words() {
        let laws = [
            ("F p", "TRUE U p"),
            ("G p", "!F !p"),
            ("p U q", "q | (p & X (p U q))"),
            ("p V q", "!(!p U !q)"),
            ("p V q", "q & (p | X (p V q))"),
            ("X F p", "F X p"),
            ("F (p | q)", "F p | F q"),
            ("G F p", "G F G F p"),
            ("G F (p | q)", "G F p | G F q"),
            ("F G (p & q)", "F G p & F G q"),
            ("G F p", "F G F p"),
            ("X (p U q)", "(X p) U (X q)"),
            ("X Y p", "p"),
            ("X (p S q)", "X q | (X p & (p S q))"),
            ("O p", "TRUE S p"),
            ("H p", "!O !p"),
            ("F O p", "F p"),
            ("F (p & O q)", "F (p & q) | F (q & F p)"),
            ("F (q & Y H p)", "(p U q) & (p & X (p U q))"),
            ("G (p -> O q)", "q V (!p | q)"),
            ("F (q & H p)", "p U (p & q)"),
            ("Y p", "FALSE"),
            ("Z p", "TRUE"),
            ("F [1,3] p", "X p | X X p | X X X p"),
            ("G [0,2] p", "p & X p & X X p"),
            ("X X X O [1,2] p", "X X p | X p"),
            ("X X X H [2,4] p", "FALSE"),
            ("X X X H [2,3] p", "X p & p"),
            ("O [1,2] p", "FALSE"),
            ("G F Y p", "G F p"),
            ("G F (p S q)", "(G F q) & TRUE | G F (p S q) & F q"),
        ];
        let all: Vec<&str> = laws.iter().flat_map(|&(a, b)| [a, b]).collect();
        let model = model(&all);
        all_words(4, |letters, start| {
            let values = truth(&model, letters, start);
            for (pair, law) in values.chunks(2).zip(laws) {
                assert_eq!(
                    pair[0], pair[1],
                    "{law:?} on {letters:?} looping to {start}"
                );
            }
        });
    }

    #[test]
    fn unrolling_changes_nothing() {
        let formulas = [
            "G F (p & Y q)",
            "F G (q S p)",
            "(p S q) U (Y Y p)",
            "G (p -> O [2,5] q)",
            "F (H [1,6] p)",
            "G F (Z (p T q) & X p)",
            "F G (O (p & Y O (q & Y O p)))",
        ];
        let model = model(&formulas);
        all_words(3, |letters, start| {
            let once = truth(&model, letters, start);
            let again = [letters, &letters[start..], &letters[start..]].concat();
            for at in [start, letters.len(), 2 * letters.len() - start] {
                let unrolled = truth(&model, &again, at);
                assert_eq!(once, unrolled, "{letters:?} looping to {start}");
            }
        });
    }
}
