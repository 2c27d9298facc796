//! Verdicts on properties.

use super::{Answer, Explicit, ExplicitError, Length, Result, Set};
use crate::model::eval::{Env, Evaluator};
use crate::model::{ExprId, PropFormula, Property, arith::EvalError};
use smv_grammar::ast::MinMax;

impl Explicit<'_> {
    /// Checks one property.
    pub fn check(&self, p: &Property) -> Result<Answer> {
        match &p.formula {
            PropFormula::Ctl(e) => {
                let sat = self.ctl(*e)?;
                let bad = (0..sat.len()).any(|s| self.initial[s] && self.fair[s] && !sat[s]);
                Ok(Answer::Holds(!bad))
            }
            PropFormula::Invar(e) => self.invariant(*e).map(Answer::Holds),
            PropFormula::Compute { op, start, target } => {
                let and = |a: &Set, b: &Set| Self::zip(a, b, |x, y| x && y);
                let start = and(&self.ctl(*start)?, &self.reachable);
                let target = and(&self.ctl(*target)?, &self.reachable);
                if *op == MinMax::Max && !(start.contains(&true) && target.contains(&true)) {
                    return Ok(Answer::Length(Length::Undefined));
                }
                let live = and(&self.reachable, &self.fair);
                let (start, target) = (and(&start, &live), and(&target, &live));
                let empty = !(start.contains(&true) && target.contains(&true));
                if *op == MinMax::Max && empty && live.contains(&true) {
                    return Ok(Answer::Length(Length::Undefined));
                }
                Ok(Answer::Length(match op {
                    MinMax::Min => self.min(&start, &target, &live),
                    MinMax::Max => self.max(&start, &target, &live),
                }))
            }
            PropFormula::Ltl(e) => self.ltl(*e).map(Answer::Holds),
            PropFormula::Psl { .. } => Err(ExplicitError::NotSupported),
        }
    }

    /// Does `e` hold in all reachable states and, if it mentions inputs or the next state, on all
    /// steps from them?
    fn invariant(&self, e: ExprId) -> Result<bool> {
        for s in (0..self.states.len()).filter(|&s| self.reachable[s]) {
            let mut env = Env {
                cur: &self.states[s],
                input: &[],
                next: None,
            };
            match Evaluator::new(self.model, env).holds(e) {
                Ok(true) => continue,
                Ok(false) => return Ok(false),
                Err(EvalError::NoValue(_) | EvalError::NoNextState) => {}
                Err(other) => return Err(other.into()),
            }
            for &(i, t) in &self.steps[s] {
                env.input = &self.inputs[i as usize];
                env.next = Some(&self.states[t as usize]);
                if !Evaluator::new(self.model, env).holds(e)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Length of a shortest path to a state that violates an invariant, or, if it mentions inputs or the
    /// next state, one of whose steps does.
    pub fn distance_to_violation(&self, e: ExprId) -> Result<Length> {
        let bad = if self.model.reads_step(e) {
            let mut bad = vec![false; self.states.len()];
            for (s, bad) in bad.iter_mut().enumerate() {
                for &(i, t) in &self.steps[s] {
                    let env = Env {
                        cur: &self.states[s],
                        input: &self.inputs[i as usize],
                        next: Some(&self.states[t as usize]),
                    };
                    *bad |= !Evaluator::new(self.model, env).holds(e)?;
                }
            }
            bad
        } else {
            Self::not(&self.holding(e)?)
        };
        Ok(self.min(&self.initial, &bad, &vec![true; self.states.len()]))
    }

    /// Length of a shortest path from `start` to `target`.
    fn min(&self, start: &Set, target: &Set, live: &Set) -> Length {
        let mut seen = start.clone();
        let mut front: Vec<usize> = (0..seen.len()).filter(|&s| seen[s]).collect();
        for n in 0.. {
            if front.iter().any(|&s| target[s]) {
                return Length::Finite(n);
            }
            let mut next = Vec::new();
            for &s in &front {
                for &(_, t) in &self.steps[s] {
                    let t = t as usize;
                    if live[t] && !std::mem::replace(&mut seen[t], true) {
                        next.push(t);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            front = next;
        }
        Length::Infinity
    }

    /// Length of a longest path from `start` whose last state only is in `target`.
    fn max(&self, start: &Set, target: &Set, live: &Set) -> Length {
        let outside = Self::zip(&Self::not(target), live, |x, y| x && y);
        let mut y = outside.clone();
        for n in 0.. {
            if !(0..y.len()).any(|s| start[s] && y[s]) {
                return Length::Finite(n);
            }
            let next = Self::zip(&outside, &self.pre(&y), |x, y| x && y);
            if next == y {
                break;
            }
            y = next;
        }
        Length::Infinity
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::flat;

    fn answers(body: &str) -> Vec<Answer> {
        let m = flat(body);
        let x = Explicit::new(&m, 1000).unwrap();
        m.properties.iter().map(|p| x.check(p).unwrap()).collect()
    }

    #[test]
    fn counter_has_the_known_answers() {
        let t = Answer::Holds(true);
        let f = Answer::Holds(false);
        let got = answers(
            "VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4;
             SPEC AG x < 4
             SPEC AG AF x = 3
             SPEC EG x < 3
             SPEC A [x < 3 U x = 3]
             SPEC EBF 1..2 x = 3
             SPEC ABF 0..3 x = 3
             SPEC E [x < 3 BU 3..3 x = 3]
             COMPUTE MIN [x = 0, x = 3]
             COMPUTE MAX [x = 2, x = 1]
             INVARSPEC next(x) != x
             INVARSPEC x < 3",
        );
        let n = |n| Answer::Length(Length::Finite(n));
        assert_eq!(got, vec![t, t, f, t, f, t, t, n(3), n(3), t, f]);
    }

    #[test]
    fn fairness_restricts_paths() {
        let body = "VAR x : boolean; ASSIGN init(x) := FALSE;";
        let spec = " SPEC AF x";
        assert_eq!(
            answers(&format!("{body}{spec}")),
            vec![Answer::Holds(false)]
        );
        assert_eq!(
            answers(&format!("{body} JUSTICE x;{spec}")),
            vec![Answer::Holds(true)]
        );
        // Nothing is fair: CTL holds whatever it says, invariants do not care.
        let got = answers(&format!(
            "{body} JUSTICE FALSE; SPEC EG FALSE; INVARSPEC !x"
        ));
        assert_eq!(got, vec![Answer::Holds(true), Answer::Holds(false)]);
        // On inputs: the step must be taken, not merely possible.
        let body = "VAR x : boolean; IVAR i : boolean; ASSIGN init(x) := FALSE; next(x) := x | i;";
        let got = answers(&format!("{body} JUSTICE i; SPEC AF x"));
        assert_eq!(got, vec![Answer::Holds(true)]);
    }
}
