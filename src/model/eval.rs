//! The explicit evaluator: expressions on given values.
//!
//! The oracle of trace replay and of tests; shares nothing with the encoder but
//! the walk through deep expressions ([`super::needed`]). `(model, expression,
//! values of variables) → value`, with a memo per (expression, time) so that shared
//! subexpressions and DEFINEs are evaluated once. Values may be missing (cone of influence): what
//! needs them is an error, never a panic. As in NuSMV a failing operand of `&`, `|` or `->` does
//! no harm if the other operand decides.

use super::arith::{self, DivMode, EvalError};
use super::needed::{DEEP, Evaluation, Operand};
use super::{ExprId, FlatModel, Node, Value, VarId, VarKind};
use crate::base::deep;
use rustc_hash::FxHashMap;
use smv_grammar::ops::{BinOp, UnOp};
use std::convert::Infallible;

type Result<T> = std::result::Result<T, EvalError>;

/// Values by [`VarId`]: `cur` and `next` of state and frozen variables, `input` of inputs. Slices
/// may be short or hold `None`.
#[derive(Clone, Copy, Debug)]
pub struct Env<'a> {
    /// Of the state.
    pub cur: &'a [Option<Value>],
    /// Of the step out of it.
    pub input: &'a [Option<Value>],
    /// None: there is no next state.
    pub next: Option<&'a [Option<Value>]>,
}

/// Evaluates expressions under one [`Env`].
pub struct Evaluator<'a> {
    model: &'a FlatModel,
    env: Env<'a>,
    memo: FxHashMap<(ExprId, bool), Result<Value>>,
    /// Expressions being evaluated within each other.
    nesting: usize,
}

impl<'a> Env<'a> {
    /// Where nothing is known but a state.
    pub fn state(cur: &'a [Option<Value>]) -> Self {
        Env {
            cur,
            input: &[],
            next: None,
        }
    }
}

impl Evaluation for Evaluator<'_> {
    /// An error is a result like others.
    type Error = Infallible;

    fn known(&self, e: ExprId, next: bool) -> Operand {
        match self.memo.get(&(e, next)) {
            None => Operand::Unknown,
            Some(Ok(Value::Bool(truth))) => Operand::Truth(*truth),
            Some(_) => Operand::Settled,
        }
    }

    fn settle(&mut self, e: ExprId, next: bool) -> std::result::Result<(), Infallible> {
        let value = self.compute(e, next);
        self.memo.insert((e, next), value);
        Ok(())
    }
}

impl<'a> Evaluator<'a> {
    /// Nothing is evaluated yet.
    pub fn new(model: &'a FlatModel, env: Env<'a>) -> Self {
        Evaluator {
            model,
            env,
            memo: FxHashMap::default(),
            nesting: 0,
        }
    }

    /// The values that are given.
    pub fn env(&self) -> Env<'a> {
        self.env
    }

    /// Value of `e`.
    pub fn eval(&mut self, e: ExprId) -> Result<Value> {
        self.at(e, false)
    }

    /// Truth of a Boolean `e`.
    pub fn holds(&mut self, e: ExprId) -> Result<bool> {
        arith::truth(&self.eval(e)?)
    }

    /// Value of `e` in the current state, or in the next one if `next`.
    fn at(&mut self, e: ExprId, next: bool) -> Result<Value> {
        let e = self.model.meant(e);
        match self.model.pool.node(e) {
            Node::Const(v) => return Ok(v.clone()),
            Node::Var(v) => return self.variable(*v, next),
            _ => {}
        }
        if let Some(known) = self.memo.get(&(e, next)) {
            return known.clone();
        }
        self.nesting += 1;
        if self.nesting > DEEP {
            let model = self.model;
            let Ok(()) = model.settle_operands(self, e, next);
        }
        let value = deep(|| self.compute(e, next));
        self.nesting -= 1;
        self.memo.insert((e, next), value.clone());
        value
    }

    fn variable(&self, v: VarId, next: bool) -> Result<Value> {
        let i = v.0 as usize;
        let var = self.model.var(v);
        let get = |s: &[Option<Value>]| s.get(i).and_then(Clone::clone);
        let value = match (var.kind, next) {
            (VarKind::Input, false) => get(self.env.input),
            (VarKind::Input, true) => None,
            (_, false) => get(self.env.cur),
            (VarKind::State, true) => get(self.env.next.ok_or(EvalError::NoNextState)?),
            (VarKind::Frozen, true) => {
                let next = self.env.next.ok_or(EvalError::NoNextState)?;
                get(next).or_else(|| get(self.env.cur))
            }
        };
        value.ok_or_else(|| EvalError::NoValue(var.name.clone()))
    }

    fn compute(&mut self, e: ExprId, next: bool) -> Result<Value> {
        let model = self.model;
        match model.pool.node(e) {
            Node::Const(v) => Ok(v.clone()),
            Node::Var(v) => self.variable(*v, next),
            Node::Define(d) => self.at(model.define(*d).body, next),
            Node::Unary(UnOp::Next, _) if next => Err(EvalError::NoNextState),
            Node::Unary(UnOp::Next, a) => self.at(*a, true),
            Node::Unary(op @ (UnOp::Not | UnOp::Neg), a) => {
                arith::lift1(&self.at(*a, next)?, |v| arith::unary(*op, v))
            }
            Node::Unary(..) | Node::Bounded { .. } => Err(EvalError::Temporal),
            Node::Binary(op, a, b) => self.binary(*op, *a, *b, next),
            Node::Division { op, a, b, line } => {
                let (a, b) = (self.at(*a, next)?, self.at(*b, next)?);
                let mode: DivMode = model.div_mode;
                arith::lift2(&a, &b, |x, y| arith::division(*op, x, y, *line, mode))
            }
            Node::Ite(c, a, b) => match self.at(*c, next)? {
                Value::Set(_) => {
                    let (a, b) = (self.at(*a, next)?, self.at(*b, next)?);
                    Ok(arith::union(&a, &b))
                }
                c => self.at(if arith::truth(&c)? { *a } else { *b }, next),
            },
            Node::Placeholder => Err(EvalError::Placeholder),
            Node::Fail { kind, line } => Err(EvalError::Fail {
                kind: *kind,
                line: *line,
            }),
            Node::BitSelect { word, hi, lo } => {
                arith::lift1(&self.at(*word, next)?, |v| arith::bit_select(v, *hi, *lo))
            }
            Node::Bool(a) => arith::lift1(&self.at(*a, next)?, arith::to_bool),
            Node::Word1(a) => arith::lift1(&self.at(*a, next)?, arith::word1),
            Node::ToInt(a) => arith::lift1(&self.at(*a, next)?, arith::to_int),
            Node::Signed(a) => arith::lift1(&self.at(*a, next)?, |v| arith::cast_sign(v, true)),
            Node::Unsigned(a) => arith::lift1(&self.at(*a, next)?, |v| arith::cast_sign(v, false)),
            Node::Extend { word, by } => {
                arith::lift1(&self.at(*word, next)?, |v| arith::extend(v, *by))
            }
            Node::Resize { word, width } => {
                arith::lift1(&self.at(*word, next)?, |v| arith::resize(v, *width))
            }
            Node::Count(all) => {
                let mut sum = Value::Int(0);
                for &a in all {
                    let a = arith::lift1(&self.at(a, next)?, arith::to_int)?;
                    sum = arith::lift2(&sum, &a, |x, y| arith::binary(BinOp::Add, x, y))?;
                }
                Ok(sum)
            }
            Node::Array { .. } => Err(EvalError::Type("array")),
        }
    }

    fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId, next: bool) -> Result<Value> {
        match op {
            // The value that decides whatever the other operand is.
            BinOp::And => self.connective(op, (a, false), (b, false), false, next),
            BinOp::Or => self.connective(op, (a, true), (b, true), true, next),
            BinOp::Implies => self.connective(op, (a, false), (b, true), true, next),
            BinOp::Union => {
                let (a, b) = (self.at(a, next)?, self.at(b, next)?);
                Ok(arith::union(&a, &b))
            }
            BinOp::In => {
                let (a, b) = (self.at(a, next)?, self.at(b, next)?);
                Ok(Value::Bool(arith::contained(&a, &b)))
            }
            BinOp::Eu | BinOp::Au | BinOp::U | BinOp::S => Err(EvalError::Temporal),
            _ => {
                let (a, b) = (self.at(a, next)?, self.at(b, next)?);
                arith::lift2(&a, &b, |x, y| arith::binary(op, x, y))
            }
        }
    }

    /// `a op b`, which is `out` as soon as one operand has its deciding value.
    fn connective(
        &mut self,
        op: BinOp,
        (a, decides_a): (ExprId, bool),
        (b, decides_b): (ExprId, bool),
        out: bool,
        next: bool,
    ) -> Result<Value> {
        let x = self.at(a, next);
        if x == Ok(Value::Bool(decides_a)) {
            return Ok(Value::Bool(out));
        }
        let y = self.at(b, next)?;
        if y == Value::Bool(decides_b) {
            return Ok(Value::Bool(out));
        }
        arith::lift2(&x?, &y, |x, y| arith::binary(op, x, y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::flat;

    fn value(m: &FlatModel, name: &str, cur: &[Option<Value>]) -> Result<Value> {
        let d = m.defines.iter().find(|d| d.name == name).map(|d| d.body);
        Evaluator::new(m, Env::state(cur)).eval(d.expect("a define of that name"))
    }

    #[test]
    fn connectives_forgive_what_does_not_matter() {
        let m = flat("VAR x : 0..3; DEFINE a := x != 0 & 3 / x = 1; b := 3 / x = 1;");
        assert_eq!(
            value(&m, "a", &[Some(Value::Int(0))]),
            Ok(Value::Bool(false))
        );
        assert_eq!(
            value(&m, "a", &[Some(Value::Int(2))]),
            Ok(Value::Bool(true))
        );
        assert!(matches!(
            value(&m, "b", &[Some(Value::Int(0))]),
            Err(EvalError::Fail { .. })
        ));
    }

    #[test]
    fn missing_values_are_errors() {
        let m = flat("VAR x : 0..3; y : boolean; DEFINE a := y & x = 1; ASSIGN next(x) := x;");
        assert_eq!(
            value(&m, "a", &[None, Some(Value::Bool(false))]),
            Ok(Value::Bool(false))
        );
        assert!(matches!(
            value(&m, "a", &[None, Some(Value::Bool(true))]),
            Err(EvalError::NoValue(_))
        ));
    }
}
