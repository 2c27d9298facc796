//! Explicit-state checking of small models: the oracle for tests of the symbolic engines.
//!
//! All states are listed, all steps computed with the explicit evaluator, and CTL is evaluated by
//! the textbook fixpoints over sets of states, e.g. `E[f U g] = μZ. (g ∧ fair) ∨ (f ∧ EX Z)` and
//! `EG f = νZ. f ∧ ⋀_j EX E[f U (Z ∧ j)]`. As in NuSMV path quantifiers range over fair paths
//! (JUSTICE and COMPASSION), a deadlock starts no path, and a property holds if it does in all fair initial
//! states; INVARSPEC looks at all reachable states, fair or not.

mod check;
mod ctl;
mod fair;
pub mod lasso;
mod ltl;

use crate::model::arith::{self, EvalError};
use crate::model::eval::{Env, Evaluator};
use crate::model::{ExprId, FlatModel, Value, VarKind};
use smv_grammar::ast::AssignKind;

type Result<T> = std::result::Result<T, ExplicitError>;

/// Why a model was not checked explicitly.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages tell")]
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
    /// So many steps.
    Finite(u64),
    /// MIN: the target is never reached. MAX: not on all paths.
    Infinity,
    /// MAX where there is no start or no target.
    Undefined,
}

/// The answer for a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Of a property with a truth value.
    Holds(bool),
    /// Of COMPUTE.
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
    /// All combinations of values of inputs.
    pub inputs: Vec<Vec<Option<Value>>>,
    /// By state.
    pub initial: Set,
    /// Steps from each state.
    pub steps: Vec<Vec<Step>>,
    /// By state.
    pub reachable: Set,
    /// By condition, state and input.
    justice: Vec<Vec<Set>>,
    compassion: Vec<(Vec<Set>, Vec<Set>)>,
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
            compassion: Vec::new(),
            fair: vec![true; n],
        };
        x.steps = (0..n).map(|s| x.steps_from(s)).collect::<Result<_>>()?;
        x.reach();
        for c in &model.justice {
            let set = x.justice_set(c.expr)?;
            x.justice.push(set);
        }
        for (p, q) in &model.compassion {
            let pair = (x.justice_set(p.expr)?, x.justice_set(q.expr)?);
            x.compassion.push(pair);
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
                    (Some(set), Some(v)) => arith::members(set).contains(v),
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
        let one = |s: &Vec<Option<Value>>| Evaluator::new(self.model, Env::state(s)).holds(e);
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
}
