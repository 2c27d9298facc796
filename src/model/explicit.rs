//! Explicit-state checking of small models: the oracle for tests of the symbolic engines.
//!
//! All states are listed, all steps computed with the explicit evaluator, and CTL is evaluated by
//! the textbook fixpoints over sets of states, e.g. `E[f U g] = μZ. (g ∧ fair) ∨ (f ∧ EX Z)` and
//! `EG f = νZ. f ∧ ⋀_j EX E[f U (Z ∧ j)]`. As in NuSMV path quantifiers range over fair paths
//! (JUSTICE), a deadlock starts no path, and a property holds if it does in all fair initial
//! states; INVARSPEC looks at all reachable states, fair or not.

use super::arith::{self, EvalError};
use super::eval::{Env, Evaluator};
use super::{ExprId, FlatModel, Node, PropFormula, Property, Value, VarKind};
use crate::base::deep;
use smv_grammar::ast::{AssignKind, MinMax};
use smv_grammar::ops::{BinOp, BoundedOp, UnOp};

type Result<T> = std::result::Result<T, ExplicitError>;

/// Why a model was not checked explicitly.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExplicitError {
    #[error("more than {0} states or inputs")]
    TooLarge(usize),
    #[error(transparent)]
    Eval(#[from] EvalError),
    #[error("this kind of property is not checked explicitly")]
    NotSupported,
}

/// What COMPUTE answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    Finite(u64),
    Infinity,
    Undefined,
}

/// The answer for a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Holds(bool),
    Length(Length),
}

/// A set of states, by index.
type Set = Vec<bool>;

/// A step: input and target state, by index.
type Step = (u32, u32);

/// The listed state space of a model.
pub struct Explicit<'a> {
    model: &'a FlatModel,
    /// States that satisfy INVAR and `x := e`.
    pub states: Vec<Vec<Option<Value>>>,
    pub inputs: Vec<Vec<Option<Value>>>,
    pub initial: Set,
    /// Steps from each state.
    pub steps: Vec<Vec<Step>>,
    pub reachable: Set,
    /// By condition, state and input.
    justice: Vec<Vec<Set>>,
    /// States on fair infinite paths.
    pub fair: Set,
}

/// All combinations of values of the given variables.
fn combinations(
    model: &FlatModel,
    wanted: impl Fn(VarKind) -> bool,
    limit: usize,
) -> Result<Vec<Vec<Option<Value>>>> {
    let mut all = vec![vec![None; model.vars.len()]];
    for (i, var) in model
        .vars
        .iter()
        .enumerate()
        .filter(|(_, v)| wanted(v.kind))
    {
        let size = var
            .ty
            .size()
            .and_then(|s| usize::try_from(s).ok())
            .unwrap_or(usize::MAX);
        if all.len().saturating_mul(size) > limit {
            return Err(ExplicitError::TooLarge(limit));
        }
        let values = var.ty.values();
        all = all
            .iter()
            .flat_map(|a| {
                values.iter().map(move |v| {
                    let mut a = a.clone();
                    a[i] = Some(v.clone());
                    a
                })
            })
            .collect();
    }
    Ok(all)
}

impl<'a> Explicit<'a> {
    /// Lists states and steps; refuses more than `limit` states or inputs.
    pub fn new(model: &'a FlatModel, limit: usize) -> Result<Self> {
        let mut states = Vec::new();
        for s in combinations(model, |k| k != VarKind::Input, limit)? {
            if model.satisfies_invar(&s)? {
                states.push(s);
            }
        }
        let inputs = combinations(model, |k| k == VarKind::Input, limit)?;
        let initial = states
            .iter()
            .map(|s| model.is_initial(s))
            .collect::<std::result::Result<_, _>>()?;
        let n = states.len();
        let mut x = Explicit {
            model,
            states,
            inputs,
            initial,
            steps: Vec::new(),
            reachable: vec![false; n],
            justice: Vec::new(),
            fair: vec![true; n],
        };
        x.steps = (0..n).map(|s| x.steps_from(s)).collect::<Result<_>>()?;
        x.reach();
        for c in &model.justice {
            let set = x.justice_set(c.expr)?;
            x.justice.push(set);
        }
        x.fair = x.eg(&vec![true; n]);
        Ok(x)
    }

    fn steps_from(&self, s: usize) -> Result<Vec<Step>> {
        let mut out = Vec::new();
        for (i, input) in self.inputs.iter().enumerate() {
            // What each variable may become, where that does not depend on the next state.
            let env = Env {
                cur: &self.states[s],
                input,
                next: None,
            };
            let mut ev = Evaluator::new(self.model, env);
            let mut allowed: Vec<Option<Value>> = vec![None; self.model.vars.len()];
            for a in self
                .model
                .assigns
                .iter()
                .filter(|a| a.kind == AssignKind::Next)
            {
                allowed[a.var.0 as usize] = ev.eval(a.rhs).ok();
            }
            for (t, target) in self.states.iter().enumerate() {
                let possible = allowed.iter().zip(target).all(|(set, v)| match (set, v) {
                    (Some(set), Some(v)) => arith::members(set).iter().any(|w| arith::equal(v, w)),
                    _ => true,
                });
                if possible && self.model.is_transition(&self.states[s], input, target)? {
                    out.push((i as u32, t as u32));
                }
            }
        }
        Ok(out)
    }

    fn reach(&mut self) {
        let mut todo: Vec<usize> = (0..self.states.len())
            .filter(|&s| self.initial[s])
            .collect();
        while let Some(s) = todo.pop() {
            if !std::mem::replace(&mut self.reachable[s], true) {
                todo.extend(self.steps[s].iter().map(|&(_, t)| t as usize));
            }
        }
    }

    /// States in which a state expression holds.
    fn holding(&self, e: ExprId) -> Result<Set> {
        let one = |s: &Vec<Option<Value>>| {
            Evaluator::new(
                self.model,
                Env {
                    cur: s,
                    input: &[],
                    next: None,
                },
            )
            .holds(e)
        };
        Ok(self
            .states
            .iter()
            .map(one)
            .collect::<std::result::Result<_, _>>()?)
    }

    /// Where a fairness condition holds, by state and input.
    fn justice_set(&self, e: ExprId) -> Result<Vec<Set>> {
        let at = |cur: &Vec<Option<Value>>, input: &Vec<Option<Value>>| {
            Evaluator::new(
                self.model,
                Env {
                    cur,
                    input,
                    next: None,
                },
            )
            .holds(e)
        };
        let row = |s: &Vec<Option<Value>>| self.inputs.iter().map(|i| at(s, i)).collect();
        let rows: std::result::Result<Vec<Set>, EvalError> = self.states.iter().map(row).collect();
        Ok(rows?)
    }

    fn not(a: &Set) -> Set {
        a.iter().map(|x| !x).collect()
    }

    fn zip(a: &Set, b: &Set, f: impl Fn(bool, bool) -> bool) -> Set {
        a.iter().zip(b).map(|(&x, &y)| f(x, y)).collect()
    }

    /// States with a step into `a`.
    fn pre(&self, a: &Set) -> Set {
        self.steps
            .iter()
            .map(|steps| steps.iter().any(|&(_, t)| a[t as usize]))
            .collect()
    }

    /// `EX a`: a step to a fair state of `a`.
    pub fn ex(&self, a: &Set) -> Set {
        self.pre(&Self::zip(a, &self.fair, |x, y| x && y))
    }

    /// `E [a U b]`.
    pub fn eu(&self, a: &Set, b: &Set) -> Set {
        let mut z = Self::zip(b, &self.fair, |x, y| x && y);
        loop {
            let step = Self::zip(a, &self.pre(&z), |x, y| x && y);
            let next = Self::zip(&z, &step, |x, y| x || y);
            if next == z {
                return z;
            }
            z = next;
        }
    }

    /// `EG a` over fair paths: `νZ. a ∧ EX Z ∧ ⋀_j E[a U (a ∧ a step under j into Z)]`.
    pub fn eg(&self, a: &Set) -> Set {
        let mut z = a.clone();
        loop {
            let mut next = Self::zip(a, &self.pre(&z), |x, y| x && y);
            for j in &self.justice {
                let just = |s: usize| {
                    let mut steps = self.steps[s].iter();
                    a[s] && steps.any(|&(i, t)| j[s][i as usize] && z[t as usize])
                };
                let mut reach: Set = (0..z.len()).map(just).collect();
                loop {
                    let step = Self::zip(a, &self.pre(&reach), |x, y| x && y);
                    let more = Self::zip(&reach, &step, |x, y| x || y);
                    if more == reach {
                        break;
                    }
                    reach = more;
                }
                next = Self::zip(&next, &reach, |x, y| x && y);
            }
            let next = Self::zip(&z, &next, |x, y| x && y);
            if next == z {
                return z;
            }
            z = next;
        }
    }

    /// States that satisfy a CTL formula.
    pub fn ctl(&self, e: ExprId) -> Result<Set> {
        deep(|| self.ctl_inner(e))
    }

    fn ctl_inner(&self, e: ExprId) -> Result<Set> {
        let all = vec![true; self.states.len()];
        match self.model.pool.node(e) {
            Node::Unary(op, a) if op.is_ctl() => {
                let f = self.ctl(*a)?;
                Ok(match op {
                    UnOp::Ex => self.ex(&f),
                    UnOp::Ax => Self::not(&self.ex(&Self::not(&f))),
                    UnOp::Ef => self.eu(&all, &f),
                    UnOp::Ag => Self::not(&self.eu(&all, &Self::not(&f))),
                    UnOp::Eg => self.eg(&f),
                    _ => Self::not(&self.eg(&Self::not(&f))),
                })
            }
            Node::Binary(BinOp::Eu, a, b) => Ok(self.eu(&self.ctl(*a)?, &self.ctl(*b)?)),
            Node::Binary(BinOp::Au, a, b) => {
                let (f, g) = (self.ctl(*a)?, self.ctl(*b)?);
                let neither = Self::zip(&f, &g, |x, y| !x && !y);
                let not_g = Self::not(&g);
                let bad = Self::zip(&self.eu(&not_g, &neither), &self.eg(&not_g), |x, y| x || y);
                Ok(Self::not(&bad))
            }
            Node::Bounded { op, lo, hi, a, b } => {
                let f = self.ctl(*a)?;
                let g = b.map(|b| self.ctl(b)).transpose()?;
                self.bounded(*op, *lo, *hi, &f, g.as_ref())
            }
            Node::Unary(UnOp::Not, a) => Ok(Self::not(&self.ctl(*a)?)),
            Node::Binary(op, a, b) if self.is_temporal(e) => {
                let (f, g) = (self.ctl(*a)?, self.ctl(*b)?);
                let mut out = Vec::with_capacity(f.len());
                for (x, y) in f.iter().zip(&g) {
                    let v = arith::binary(*op, &Value::Bool(*x), &Value::Bool(*y))?;
                    out.push(arith::truth(&v)?);
                }
                Ok(out)
            }
            Node::Ite(c, a, b) if self.is_temporal(e) => {
                let (c, f, g) = (self.ctl(*c)?, self.ctl(*a)?, self.ctl(*b)?);
                Ok((0..c.len())
                    .map(|i| if c[i] { f[i] } else { g[i] })
                    .collect())
            }
            _ => self.holding(e),
        }
    }

    /// Is there a temporal operator in `e`?
    fn is_temporal(&self, e: ExprId) -> bool {
        match self.model.pool.node(e) {
            Node::Unary(op, _) if op.is_ctl() => true,
            Node::Binary(op, ..) if op.is_ctl() => true,
            Node::Bounded { .. } => true,
            node => {
                let mut found = false;
                node.for_each_operand(|a| found = found || deep(|| self.is_temporal(a)));
                found
            }
        }
    }

    /// `EBF lo..hi f` and its kin: `hi - lo` rounds in which the goal counts, then `lo` in which it
    /// does not.
    fn bounded(&self, op: BoundedOp, lo: u32, hi: u32, f: &Set, g: Option<&Set>) -> Result<Set> {
        let and = |a: &Set, b: &Set| Self::zip(a, b, |x, y| x && y);
        let or = |a: &Set, b: &Set| Self::zip(a, b, |x, y| x || y);
        let ax = |a: &Set| Self::not(&self.ex(&Self::not(a)));
        let run = |goal: &Set, inner: &dyn Fn(&Set) -> Set, outer: &dyn Fn(&Set) -> Set| {
            let y = (lo..hi).fold(goal.clone(), |y, _| inner(&y));
            (0..lo).fold(y, |y, _| outer(&y))
        };
        let ebf = |f: &Set| run(f, &|y| or(f, &self.ex(y)), &|y| self.ex(y));
        let ebg = |f: &Set| run(f, &|y| and(f, &self.ex(y)), &|y| self.ex(y));
        match (op, g) {
            (BoundedOp::Ebf, _) => Ok(ebf(f)),
            (BoundedOp::Ebg, _) => Ok(ebg(f)),
            (BoundedOp::Abf, _) => Ok(Self::not(&ebg(&Self::not(f)))),
            (BoundedOp::Abg, _) => Ok(Self::not(&ebf(&Self::not(f)))),
            (BoundedOp::Ebu, Some(g)) => {
                let step = |y: &Set| and(f, &self.ex(y));
                Ok(run(g, &|y| or(g, &step(y)), &step))
            }
            (BoundedOp::Abu, Some(g)) => {
                let step = |y: &Set| and(f, &ax(y));
                Ok(run(g, &|y| or(g, &step(y)), &step))
            }
            _ => Err(ExplicitError::NotSupported),
        }
    }

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
            PropFormula::Ltl(_) | PropFormula::Psl(_) => Err(ExplicitError::NotSupported),
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
