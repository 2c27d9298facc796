//! Expressions → diagrams.
//!
//! Booleans become BDDs, integers and symbols diagrams over interned values, words vectors of BDDs.
//! Results are kept per expression and frame (current or next). An expression that fails for some
//! assignments (no case applies, division by zero, index out of bounds) carries the set of them;
//! `?:` and the connectives mask failures like values, and what is left at the top of a constraint
//! is an error.
//!
//! Files: `assignment` constraints of assignments; `variables` variables, constants, comparisons bit by bit;
//! `operators`, `shift`, `division` operators; `choice` `?:`; `convert` from one kind of value to another;
//! `failures` what has no value.

mod assignment;
mod choice;
mod convert;
mod division;
mod failures;
mod operators;
mod shift;
mod variables;

use self::failures::Failure;
use super::error::{EncodeError, Result};
use super::layout::{self, Layout};
use super::values::ValueTable;
use super::words::{self, Bits};
use crate::base::deep;
use crate::dd::{Add, Bdd, Manager, OpTag, VarIndex};
use crate::model::arith::{self, EvalError};
use crate::model::needed::{DEEP, Evaluation, Operand};
use crate::model::{
    Assign, AssignKind, ExprId, FailKind, FlatModel, Node, SymId, Type, Value, VarId, VarType,
};
use rustc_hash::FxHashMap;
use smv_grammar::ops::{BinOp, UnOp};
use smv_grammar::word;
use std::rc::Rc;

/// The value of an expression as a function of the bits.
#[derive(Clone, Debug)]
pub enum Encoded {
    /// Of a Boolean.
    Bool(Bdd),
    /// Of a number or symbol; terminals are ids of interned values.
    Scalar(Add),
    /// Of a word, bit by bit.
    Word(Bits),
    /// No value at all: the expression fails everywhere.
    Nothing,
}

/// An encoded expression.
#[derive(Clone, Debug)]
struct Coded {
    value: Encoded,
    failures: Rc<Vec<Failure>>,
}

impl Coded {
    /// There is a value for all assignments.
    fn total(value: Encoded) -> Self {
        Coded {
            value,
            failures: Rc::default(),
        }
    }

    /// The truth value, if it is the same for all assignments.
    fn constant(&self) -> Option<bool> {
        match &self.value {
            Encoded::Bool(b) if self.failures.is_empty() => {
                b.is_one().then_some(true).or(b.is_zero().then_some(false))
            }
            _ => None,
        }
    }

    /// As left operand of `op` it decides the result alone.
    fn decides(&self, op: BinOp) -> bool {
        match op {
            BinOp::And | BinOp::Implies => self.constant() == Some(false),
            BinOp::Or => self.constant() == Some(true),
            _ => false,
        }
    }
}

/// Names of operators in the computed table.
#[derive(Clone, Copy)]
enum Tag {
    Truth,
    Equal,
    Member,
    Unary(UnOp),
    Binary(BinOp),
    Union,
    Zero,
    ToInt,
    ShiftAdd,
}

impl Tag {
    fn number(self) -> OpTag {
        OpTag(match self {
            Tag::Truth => 1,
            Tag::Equal => 2,
            Tag::Member => 3,
            Tag::Union => 4,
            Tag::Zero => 5,
            Tag::ToInt => 7,
            Tag::ShiftAdd => 8,
            Tag::Unary(op) => 16 + op as u32,
            Tag::Binary(op) => 64 + op as u32,
        })
    }
}

/// An expression as diagrams.
pub enum Diagram {
    /// Of a Boolean.
    Boolean(Bdd),
    /// With the texts of its leaves.
    Values(Add, Vec<(u32, String)>),
    /// The bits of a word, the least significant first.
    Bits(Bits),
}

/// Encodes the expressions of one model into one manager.
pub struct Encoder {
    /// Whose expressions are encoded.
    pub model: Rc<FlatModel>,
    /// Where all diagrams live.
    pub manager: Manager,
    /// Bits of the variables.
    pub layout: Rc<Layout>,
    values: ValueTable,
    memo: FxHashMap<(ExprId, bool), Coded>,
    /// Expressions being encoded within each other.
    nesting: usize,
    variables: FxHashMap<(VarId, bool), Encoded>,
}

impl Evaluation for Encoder {
    type Error = EncodeError;

    fn known(&self, e: ExprId, next: bool) -> Operand {
        match self.memo.get(&(e, next)) {
            None => Operand::Unknown,
            Some(coded) => coded.constant().map_or(Operand::Settled, Operand::Truth),
        }
    }

    fn settle(&mut self, e: ExprId, next: bool) -> Result<()> {
        let coded = self.compute(e, next)?;
        self.memo.insert((e, next), coded);
        Ok(())
    }
}

impl Encoder {
    /// No expression is encoded yet.
    pub fn new(model: Rc<FlatModel>, manager: Manager, layout: Rc<Layout>) -> Self {
        Encoder {
            model,
            manager,
            layout,
            values: ValueTable::default(),
            memo: FxHashMap::default(),
            nesting: 0,
            variables: FxHashMap::default(),
        }
    }

    /// A Boolean expression over current bits (and next ones under `next`).
    pub fn boolean(&mut self, e: ExprId) -> Result<Bdd> {
        let coded = self.encode(e, false)?;
        self.raise(&coded)?;
        self.truth_of(&coded.value)
            .map_err(|err| self.placed(err, e))
    }

    /// Any expression without temporal operators.
    pub fn diagram(&mut self, e: ExprId) -> Result<Diagram> {
        let coded = self.encode(e, false)?;
        self.raise(&coded)?;
        Ok(match coded.value {
            Encoded::Bool(set) => Diagram::Boolean(set),
            Encoded::Word(bits) => Diagram::Bits(bits),
            value => {
                let add = self.scalar_of(&value)?;
                let leaves = add.leaves();
                let text = |l: u32| match l {
                    ValueTable::ERROR => String::new(),
                    l => self.value_text(self.values.get(l)),
                };
                let texts = leaves.into_iter().map(|l| (l, text(l))).collect();
                Diagram::Values(add, texts)
            }
        })
    }

    fn value_text(&self, value: &Value) -> String {
        match value {
            Value::Bool(b) => if *b { "TRUE" } else { "FALSE" }.into(),
            Value::Int(i) => i.to_string(),
            Value::Sym(SymId(s)) => self.model.pool.symbol_name(SymId(*s)).to_owned(),
            Value::Word(w) => word::text(w.signed, w.width, &w.bits),
            Value::Set(all) => all
                .iter()
                .map(|v| self.value_text(v))
                .collect::<Vec<_>>()
                .join(", "),
        }
    }

    /// Operands that do not fit, in NuSMV's words, at the line of `e`.
    fn placed(&self, err: EncodeError, e: ExprId) -> EncodeError {
        let text = match &err {
            EncodeError::Eval(EvalError::NoTruth(v)) => {
                let v = self.value_text(v);
                format!("\ntype error: value = {v}\nExpected a boolean expression")
            }
            EncodeError::Eval(EvalError::NoNumbers { op, a, b: None }) => {
                let a = self.value_text(a);
                format!("not suitable constant for operator '{op}' : {a}")
            }
            EncodeError::Eval(EvalError::NoNumbers { op, a, b: Some(b) }) => {
                let (a, b) = (self.value_text(a), self.value_text(b));
                format!("not suitable constants for operator '{op}' : {a} and {b}")
            }
            _ => return err,
        };
        let line = self.model.pool.line(e);
        EncodeError::Mixed { line, text }
    }

    fn encode(&mut self, e: ExprId, next: bool) -> Result<Coded> {
        let e = self.model.meant(e);
        if let Some(known) = self.memo.get(&(e, next)) {
            return Ok(known.clone());
        }
        self.nesting += 1;
        let operands = match self.nesting > DEEP {
            true => Rc::clone(&self.model).settle_operands(self, e, next),
            false => Ok(()),
        };
        let coded = operands.and_then(|()| deep(|| self.compute(e, next)));
        self.nesting -= 1;
        let coded = coded?;
        self.memo.insert((e, next), coded.clone());
        Ok(coded)
    }

    fn compute(&mut self, e: ExprId, next: bool) -> Result<Coded> {
        let model = Rc::clone(&self.model);
        match model.pool.node(e) {
            Node::Const(v) => Ok(Coded::total(self.constant(v)?)),
            Node::Var(v) => Ok(Coded::total(self.variable(*v, next)?)),
            Node::Define(d) => self.encode(model.define(*d).body, next),
            Node::Unary(UnOp::Next, _) if next => Err(EvalError::NoNextState.into()),
            Node::Unary(UnOp::Next, a) => self.encode(*a, true),
            Node::Unary(op @ (UnOp::Not | UnOp::Neg), a) => {
                let a = self.encode(*a, next)?;
                let value = self
                    .unary(*op, &a.value)
                    .map_err(|err| self.placed(err, e))?;
                Ok(Coded { value, ..a })
            }
            Node::Unary(..) | Node::Bounded { .. } => Err(EvalError::Temporal.into()),
            Node::Binary(op, a, b) => self.operation(e, *op, (*a, *b), next),
            Node::Division { op, a, b, line } => {
                let signed = self.is_signed(*a);
                let (a, b) = (self.encode(*a, next)?, self.encode(*b, next)?);
                self.division(*op, &a, &b, *line, signed)
                    .map_err(|err| self.placed(err, e))
            }
            Node::Ite(..) => self.choose(e, next),
            Node::Fail { kind, line } => Ok(Coded {
                value: Encoded::Nothing,
                failures: Rc::new(vec![Failure {
                    kind: *kind,
                    line: *line,
                    when: self.manager.one(),
                }]),
            }),
            Node::BitSelect { word, hi, lo } => self.on_word(*word, next, |bits| {
                let n = bits.len();
                bits[n - 1 - *hi as usize..n - *lo as usize].to_vec()
            }),
            Node::Bool(a) => {
                let a = self.encode(*a, next)?;
                let value = match &a.value {
                    Encoded::Word(bits) => Encoded::Bool(bits[bits.len() - 1].clone()),
                    Encoded::Scalar(add) => Encoded::Bool(self.is_not_zero(add)?),
                    other => Encoded::Bool(self.truth_of(other)?),
                };
                Ok(Coded { value, ..a })
            }
            Node::Word1(a) => {
                let a = self.encode(*a, next)?;
                let value = Encoded::Word(vec![self.truth_of(&a.value)?]);
                Ok(Coded { value, ..a })
            }
            Node::ToInt(a) => {
                let signed = self.is_signed(*a);
                let a = self.encode(*a, next)?;
                let value = self.int_of(&a.value, signed)?;
                Ok(Coded { value, ..a })
            }
            Node::Signed(a) | Node::Unsigned(a) => self.encode(*a, next),
            Node::Extend { word, by } => {
                let signed = self.is_signed(*word);
                let zero = self.manager.zero();
                self.on_word(*word, next, |bits| {
                    let fill = if signed { bits[0].clone() } else { zero };
                    let mut out = vec![fill; *by as usize];
                    out.extend_from_slice(bits);
                    out
                })
            }
            Node::Resize { word, width } => {
                let signed = self.is_signed(*word);
                let zero = self.manager.zero();
                self.on_word(*word, next, |bits| {
                    words::resize(bits, *width as usize, signed, &zero)
                })
            }
            Node::Count(all) => self.count(all, next),
            Node::Array { .. } => Err(EvalError::Type("array").into()),
            Node::Placeholder => Err(EvalError::Placeholder.into()),
        }
    }

    /// `x op y`, which stands in `e`.
    fn operation(
        &mut self,
        e: ExprId,
        op: BinOp,
        (x, y): (ExprId, ExprId),
        next: bool,
    ) -> Result<Coded> {
        if let Some(value) = self.bitwise_comparison(op, x, y, next)? {
            return Ok(Coded::total(value));
        }
        let a = self.encode(x, next)?;
        if a.decides(op) {
            let value = if op == BinOp::Implies {
                Encoded::Bool(self.manager.one())
            } else {
                a.value
            };
            return Ok(Coded::total(value));
        }
        let b = self.encode(y, next)?;
        let mut failures = self.masked(op, &a, &b)?;
        if let BinOp::Lsh | BinOp::Rsh = op {
            let line = self.model.pool.line(e);
            let too_far = self.too_far(op == BinOp::Lsh, &a, &b, line)?;
            Rc::make_mut(&mut failures).extend(too_far);
        }
        let signed = self.is_signed(x);
        let value = match (&a.value, &b.value) {
            (Encoded::Nothing, _) | (_, Encoded::Nothing) => Encoded::Nothing,
            (a, b) => self.binary(op, a, b, signed)?,
        };
        Ok(Coded { value, failures })
    }

    fn is_signed(&self, e: ExprId) -> bool {
        matches!(self.model.type_of(e), Type::Word { signed: true, .. })
    }

    fn on_word(&mut self, e: ExprId, next: bool, f: impl FnOnce(&[Bdd]) -> Bits) -> Result<Coded> {
        let a = self.encode(e, next)?;
        let value = match &a.value {
            Encoded::Word(bits) => Encoded::Word(f(bits)),
            Encoded::Nothing => Encoded::Nothing,
            _ => return Err(EvalError::Type("word operator").into()),
        };
        Ok(Coded { value, ..a })
    }
}
