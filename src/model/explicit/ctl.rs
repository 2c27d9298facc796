//! CTL over listed states: `E[f U g] = μZ. (g ∧ fair) ∨ (f ∧ EX Z)` and its kin.

use super::fair::FairGraph;
use super::{Explicit, ExplicitError, Result, Set};
use crate::base::deep;
use crate::model::{ExprId, Node, Value, arith};
use smv_grammar::ops::{BinOp, BoundedOp, UnOp};

impl Explicit<'_> {
    pub(super) fn not(a: &Set) -> Set {
        a.iter().map(|x| !x).collect()
    }

    pub(super) fn zip(a: &Set, b: &Set, f: impl Fn(bool, bool) -> bool) -> Set {
        a.iter().zip(b).map(|(&x, &y)| f(x, y)).collect()
    }

    /// States with a step into `a`.
    pub(super) fn pre(&self, a: &Set) -> Set {
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
        if !self.compassion.is_empty() {
            return self.compassionate_eg(a);
        }
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

    /// `EG a` under compassion: the states with a path in `a` to a fair cycle of steps.
    fn compassionate_eg(&self, a: &Set) -> Set {
        let steps: Vec<(usize, usize, usize)> = (0..a.len())
            .flat_map(|s| {
                let of = move |&(i, t): &(u32, u32)| (s, i as usize, t as usize);
                self.steps[s].iter().map(of)
            })
            .filter(|&(s, _, t)| a[s] && a[t])
            .collect();
        let on = |set: &Vec<Set>| steps.iter().map(|&(s, i, _)| set[s][i]).collect::<Set>();
        let mut after = vec![Vec::new(); a.len()];
        for (n, &(s, ..)) in (0u32..).zip(&steps) {
            after[s].push(n);
        }
        let graph = FairGraph {
            successors: steps.iter().map(|&(_, _, t)| after[t].clone()).collect(),
            justice: self.justice.iter().map(on).collect(),
            compassion: self
                .compassion
                .iter()
                .map(|(p, q)| (on(p), on(q)))
                .collect(),
        };
        let recurring = graph.recurring(&vec![true; steps.len()]);
        let mut z = vec![false; a.len()];
        for (&(s, ..), _) in steps.iter().zip(recurring).filter(|(_, r)| *r) {
            z[s] = true;
        }
        loop {
            let step = Self::zip(a, &self.pre(&z), |x, y| x && y);
            let more = Self::zip(&z, &step, |x, y| x || y);
            if more == z {
                return z;
            }
            z = more;
        }
    }

    /// States that satisfy a CTL formula.
    pub fn ctl(&self, e: ExprId) -> Result<Set> {
        deep(|| self.ctl_inner(e))
    }

    pub(super) fn ctl_inner(&self, e: ExprId) -> Result<Set> {
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
            Node::Binary(op, a, b) if self.model.pool.is_temporal(e) => {
                let (f, g) = (self.ctl(*a)?, self.ctl(*b)?);
                let mut out = Vec::with_capacity(f.len());
                for (x, y) in f.iter().zip(&g) {
                    let v = arith::binary(*op, &Value::Bool(*x), &Value::Bool(*y))?;
                    out.push(arith::truth(&v)?);
                }
                Ok(out)
            }
            Node::Ite(c, a, b) if self.model.pool.is_temporal(e) => {
                let (c, f, g) = (self.ctl(*c)?, self.ctl(*a)?, self.ctl(*b)?);
                Ok((0..c.len())
                    .map(|i| if c[i] { f[i] } else { g[i] })
                    .collect())
            }
            _ => self.holding(e),
        }
    }

    /// `EBF lo..hi f` and its kin: `hi - lo` rounds in which the goal counts, then `lo` in which it
    /// does not.
    pub(super) fn bounded(
        &self,
        op: BoundedOp,
        lo: u32,
        hi: u32,
        f: &Set,
        g: Option<&Set>,
    ) -> Result<Set> {
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
}
