//! Expressions → diagrams.
//!
//! Booleans become BDDs, integers and symbols diagrams over interned values, words vectors of BDDs.
//! Results are kept per expression and frame (current or next). An expression that fails for some
//! assignments (no case applies, division by zero, index out of bounds) carries the set of them;
//! `?:` and the connectives mask failures like values, and what is left at the top of a constraint
//! is an error.

use super::error::{EncodeError, Result};
use super::layout::{self, Layout};
use super::values::ValueTable;
use super::words::{self, Bits};
use crate::base::deep;
use crate::dd::{Add, Bdd, Manager, OpTag, VarIndex};
use crate::model::arith::{self, EvalError};
use crate::model::{
    Assign, AssignKind, ExprId, FailKind, FlatModel, Node, SymId, Value, VarId, VarType,
};
use rustc_hash::FxHashMap;
use smv_grammar::ops::{BinOp, UnOp};
use std::rc::Rc;

/// The value of an expression as a function of the bits.
#[derive(Clone, Debug)]
pub enum Encoded {
    Bool(Bdd),
    Scalar(Add),
    Word(Bits),
    /// No value at all: the expression fails everywhere.
    Nothing,
}

/// A set of assignments for which there is no value.
#[derive(Clone, Debug)]
struct Failure {
    kind: FailKind,
    line: u32,
    when: Bdd,
}

#[derive(Clone, Debug)]
struct Coded {
    value: Encoded,
    failures: Rc<Vec<Failure>>,
}

impl Coded {
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

/// Encodes the expressions of one model into one manager.
pub struct Encoder {
    pub model: Rc<FlatModel>,
    pub manager: Manager,
    pub layout: Rc<Layout>,
    values: ValueTable,
    memo: FxHashMap<(ExprId, bool), Coded>,
    variables: FxHashMap<(VarId, bool), Encoded>,
}

impl Encoder {
    pub fn new(model: Rc<FlatModel>, manager: Manager, layout: Rc<Layout>) -> Self {
        Encoder {
            model,
            manager,
            layout,
            values: ValueTable::default(),
            memo: FxHashMap::default(),
            variables: FxHashMap::default(),
        }
    }

    /// Forgets all kept expressions.
    pub fn clear(&mut self) {
        self.memo.clear();
        self.variables.clear();
    }

    /// A Boolean expression over current bits (and next ones under `next`).
    pub fn boolean(&mut self, e: ExprId) -> Result<Bdd> {
        self.boolean_in(e, false)
    }

    /// A Boolean expression read in the next state.
    pub fn boolean_next(&mut self, e: ExprId) -> Result<Bdd> {
        self.boolean_in(e, true)
    }

    fn boolean_in(&mut self, e: ExprId, next: bool) -> Result<Bdd> {
        let coded = self.encode(e, next)?;
        self.raise(&coded)?;
        self.truth_of(&coded.value)
    }

    /// The constraint of an assignment: the variable has (one of) the value(s) of the right side.
    pub fn assignment(&mut self, a: &Assign) -> Result<Bdd> {
        let coded = self.encode(a.rhs, false)?;
        self.raise(&coded)?;
        let next = a.kind == AssignKind::Next;
        let target = self.variable(a.var, next)?;
        match (&target, &coded.value) {
            (Encoded::Bool(x), Encoded::Bool(v)) => Ok(x.xnor(v)?),
            (Encoded::Word(x), Encoded::Word(v)) if x.len() == v.len() => {
                Ok(words::equal(&self.manager, x, v)?)
            }
            (_, value) => {
                let rhs = self.scalar_of(value)?;
                self.check_range(a, &rhs)?;
                let target = self.scalar_of(&target)?;
                self.test2(Tag::Member, &target, &rhs, |v, set| {
                    Ok(arith::contained(v, set))
                })
            }
        }
    }

    /// Every value of the right side must be one of the variable's.
    fn check_range(&self, a: &Assign, rhs: &Add) -> Result<()> {
        let var = self.model.var(a.var);
        for leaf in rhs.leaves() {
            if leaf == ValueTable::ERROR {
                continue;
            }
            for value in arith::members(self.values.get(leaf)) {
                if !var.ty.contains(value) {
                    return Err(EncodeError::Range {
                        line: a.line,
                        value: self.value_text(value),
                        name: var.name.clone(),
                        var: a.var,
                    });
                }
            }
        }
        Ok(())
    }

    fn value_text(&self, value: &Value) -> String {
        match value {
            Value::Bool(b) => if *b { "TRUE" } else { "FALSE" }.into(),
            Value::Int(i) => i.to_string(),
            Value::Sym(SymId(s)) => self.model.pool.symbol_name(SymId(*s)).to_owned(),
            Value::Word(w) => format!(
                "0{}d{}_{}",
                if w.signed { 's' } else { 'u' },
                w.width,
                w.bits
            ),
            Value::Set(all) => all
                .iter()
                .map(|v| self.value_text(v))
                .collect::<Vec<_>>()
                .join(", "),
        }
    }

    fn raise(&self, coded: &Coded) -> Result<()> {
        match coded.failures.iter().find(|f| !f.when.is_zero()) {
            Some(f) => Err(EncodeError::Fail {
                kind: f.kind,
                line: f.line,
            }),
            None => Ok(()),
        }
    }

    /// The value of a variable.
    pub fn variable(&mut self, v: VarId, next: bool) -> Result<Encoded> {
        if let Some(known) = self.variables.get(&(v, next)) {
            return Ok(known.clone());
        }
        if !self.layout.is_encoded(v) {
            return Err(EvalError::NoValue(self.model.var(v).name.clone()).into());
        }
        let bits = self.layout.bits(v);
        let bits = if next && !bits.next.is_empty() {
            &bits.next
        } else {
            &bits.current
        }
        .clone();
        let var = self.model.var(v);
        let literals = || {
            bits.iter()
                .map(|&b| self.manager.var(b))
                .collect::<Vec<_>>()
        };
        let value = match &var.ty {
            VarType::Bool => Encoded::Bool(self.manager.var(bits[0])),
            VarType::Word { .. } => Encoded::Word(literals()),
            _ => {
                if var.ty.size().is_none_or(|n| n > 1 << 24) {
                    return Err(EncodeError::TooLarge {
                        name: var.name.clone(),
                    });
                }
                let values = var.ty.values();
                let ids: Vec<u32> = values.into_iter().map(|v| self.values.id(v)).collect();
                Encoded::Scalar(self.choice(&bits, &ids)?)
            }
        };
        self.variables.insert((v, next), value.clone());
        Ok(value)
    }

    /// The diagram that maps the codes over `bits` to the leaves, see [`super::layout`].
    fn choice(&self, bits: &[VarIndex], leaves: &[u32]) -> Result<Add> {
        // Halves at bit i are the leaves at positions p, p + 2^i, p + 2^(i+1), ...
        let mut row: Vec<Add> = Vec::with_capacity(leaves.len());
        for &id in leaves {
            row.push(self.manager.leaf(id)?);
        }
        for (i, &bit) in bits.iter().enumerate().rev() {
            let literal = self.manager.var(bit);
            let half = 1usize << i;
            let mut above = Vec::with_capacity(half);
            for low in 0..half.min(row.len()) {
                above.push(match row.get(low + half) {
                    Some(high) => Add::ite(&literal, high, &row[low])?,
                    None => row[low].clone(),
                });
            }
            row = above;
        }
        Ok(row.swap_remove(0))
    }

    /// `x = y` for two variables of the same range or enumeration of `size` values.
    fn same_position(&self, x: &[Bdd], y: &[Bdd], size: u64) -> Result<Bdd> {
        // At depth i there are halves of two sizes, floor and ceiling of size / 2^i.
        let one = self.manager.one();
        let mut below: FxHashMap<u64, Bdd> = FxHashMap::default();
        for i in (0..x.len()).rev() {
            let mut here = FxHashMap::default();
            let floor = size >> i;
            for n in [floor, floor + 1] {
                let equal = if n <= 1 {
                    one.clone()
                } else {
                    let odd = below.get(&(n / 2)).unwrap_or(&one);
                    let even = below.get(&n.div_ceil(2)).unwrap_or(&one);
                    x[i].ite(&y[i].and(odd)?, &even.diff(&y[i])?)?
                };
                here.insert(n, equal);
            }
            below = here;
        }
        Ok(below.remove(&size).unwrap_or(one))
    }

    /// The codes of one value of a range or enumeration, by its position among `size` values.
    fn at_position(&self, x: &[Bdd], position: u64, size: u64) -> Result<Bdd> {
        let mut literals = Vec::new();
        let (mut p, mut n) = (position, size);
        for literal in x {
            if n <= 1 {
                break;
            }
            let odd = p & 1 == 1;
            literals.push(if odd { literal.clone() } else { literal.not() });
            n = if odd { n / 2 } else { n.div_ceil(2) };
            p >>= 1;
        }
        let mut cube = self.manager.one();
        for literal in literals.iter().rev() {
            cube = literal.and(&cube)?;
        }
        Ok(cube)
    }

    fn constant(&mut self, value: &Value) -> Result<Encoded> {
        Ok(match value {
            Value::Bool(b) => Encoded::Bool(self.manager.constant(*b)),
            Value::Word(w) => Encoded::Word(
                (0..u64::from(w.width))
                    .rev()
                    .map(|i| self.manager.constant(w.bits.bit(i)))
                    .collect(),
            ),
            other => Encoded::Scalar(self.manager.leaf(self.values.id(other.clone()))?),
        })
    }

    fn encode(&mut self, e: ExprId, next: bool) -> Result<Coded> {
        if let Some(known) = self.memo.get(&(e, next)) {
            return Ok(known.clone());
        }
        let coded = deep(|| self.compute(e, next))?;
        self.memo.insert((e, next), coded.clone());
        Ok(coded)
    }

    fn compute(&mut self, e: ExprId, next: bool) -> Result<Coded> {
        let model = Rc::clone(&self.model);
        let plain = |value| {
            Ok(Coded {
                value,
                failures: Rc::default(),
            })
        };
        match model.pool.node(e) {
            Node::Const(v) => plain(self.constant(v)?),
            Node::Var(v) => plain(self.variable(*v, next)?),
            Node::Define(d) => self.encode(model.define(*d).body, next),
            Node::Unary(UnOp::Next, _) if next => Err(EvalError::NoNextState.into()),
            Node::Unary(UnOp::Next, a) => self.encode(*a, true),
            Node::Unary(op @ (UnOp::Not | UnOp::Neg), a) => {
                let a = self.encode(*a, next)?;
                let value = self.unary(*op, &a.value)?;
                Ok(Coded { value, ..a })
            }
            Node::Unary(..) | Node::Bounded { .. } => Err(EvalError::Temporal.into()),
            Node::Binary(op, x, y) => {
                if let Some(value) = self.bitwise_comparison(*op, *x, *y, next)? {
                    return plain(value);
                }
                let a = self.encode(*x, next)?;
                if a.decides(*op) {
                    let value = if *op == BinOp::Implies {
                        Encoded::Bool(self.manager.one())
                    } else {
                        a.value
                    };
                    return plain(value);
                }
                let b = self.encode(*y, next)?;
                let failures = self.masked(*op, &a, &b)?;
                let signed = self.is_signed(*x);
                let value = match (&a.value, &b.value) {
                    (Encoded::Nothing, _) | (_, Encoded::Nothing) => Encoded::Nothing,
                    (x, y) => self.binary(*op, x, y, signed)?,
                };
                Ok(Coded { value, failures })
            }
            Node::Division { op, a, b, line } => {
                let signed = self.is_signed(*a);
                let (a, b) = (self.encode(*a, next)?, self.encode(*b, next)?);
                self.division(*op, &a, &b, *line, signed)
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
                let signed = matches!(
                    model.type_of(*a),
                    crate::model::Type::Word { signed: true, .. }
                );
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
                    resize(bits, *width as usize, signed, &zero)
                })
            }
            Node::Count(all) => self.count(all, next),
            Node::Array { .. } => Err(EvalError::Type("array").into()),
            Node::Placeholder => Err(EvalError::Placeholder.into()),
        }
    }

    fn is_signed(&self, e: ExprId) -> bool {
        matches!(
            self.model.type_of(e),
            crate::model::Type::Word { signed: true, .. }
        )
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

    /// `c ? a : b`. Chains (long cases) are walked down without recursion and built upwards.
    /// Branches that no assignment takes are not encoded: they may be large, and NuSMV does not
    /// look at them either.
    fn choose(&mut self, e: ExprId, next: bool) -> Result<Coded> {
        let mut chain = Vec::new();
        let mut at = e;
        while let Node::Ite(c, a, b) = *self.model.pool.node(at) {
            if at != e && self.memo.contains_key(&(at, next)) {
                break;
            }
            let cond = self.encode(c, next)?;
            match cond.constant() {
                Some(true) => {
                    chain.push((at, None));
                    at = a;
                    break;
                }
                Some(false) => chain.push((at, None)),
                None => chain.push((at, Some((cond, a)))),
            }
            at = b;
        }
        let mut rest = self.encode(at, next)?;
        for (id, branch) in chain.into_iter().rev() {
            if let Some((cond, a)) = branch {
                let a = self.encode(a, next)?;
                rest = self.ite(&cond, &a, &rest)?;
            }
            if id != e {
                self.memo.insert((id, next), rest.clone());
            }
        }
        Ok(rest)
    }

    fn ite(&mut self, c: &Coded, a: &Coded, b: &Coded) -> Result<Coded> {
        let mut failures: Vec<Failure> = c.failures.to_vec();
        if let Encoded::Scalar(add) = &c.value
            && add.leaves().iter().any(|&l| self.is_set(l))
        {
            // A set as condition: either branch.
            let (x, y) = (self.scalar_of(&a.value)?, self.scalar_of(&b.value)?);
            let value = Encoded::Scalar(self.union(&x, &y)?);
            failures.extend(a.failures.iter().chain(b.failures.iter()).cloned());
            return Ok(Coded {
                value,
                failures: Rc::new(failures),
            });
        }
        let cond = self.truth_of(&c.value)?;
        add_masked(&mut failures, &a.failures, &cond)?;
        add_masked(&mut failures, &b.failures, &cond.not())?;
        let value = match (&a.value, &b.value) {
            (Encoded::Nothing, v) | (v, Encoded::Nothing) => v.clone(),
            (Encoded::Bool(x), Encoded::Bool(y)) => Encoded::Bool(cond.ite(x, y)?),
            (Encoded::Word(x), Encoded::Word(y)) if x.len() == y.len() => {
                Encoded::Word(words::ite(&cond, x, y)?)
            }
            (x, y) => {
                let (x, y) = (self.scalar_of(x)?, self.scalar_of(y)?);
                Encoded::Scalar(Add::ite(&cond, &x, &y)?)
            }
        };
        Ok(Coded {
            value,
            failures: Rc::new(failures),
        })
    }

    /// The failures of `a op b`: an operand that decides the result hides those of the other.
    fn masked(&mut self, op: BinOp, a: &Coded, b: &Coded) -> Result<Rc<Vec<Failure>>> {
        if a.failures.is_empty() && b.failures.is_empty() {
            return Ok(Rc::default());
        }
        let (Encoded::Bool(x), Encoded::Bool(y)) = (&a.value, &b.value) else {
            return Ok(Rc::new(
                a.failures
                    .iter()
                    .chain(b.failures.iter())
                    .cloned()
                    .collect(),
            ));
        };
        let (open_a, open_b) = match op {
            BinOp::And => (y.clone(), x.clone()),
            BinOp::Or => (y.not(), x.not()),
            BinOp::Implies => (y.not(), x.clone()),
            _ => (self.manager.one(), self.manager.one()),
        };
        let mut failures = Vec::new();
        add_masked(&mut failures, &a.failures, &open_a)?;
        add_masked(&mut failures, &b.failures, &open_b)?;
        Ok(Rc::new(failures))
    }

    /// `x = y`, `x = c` and their negations on codes, where the types of both sides have the same
    /// codes: no diagram over values is needed then.
    fn bitwise_comparison(
        &mut self,
        op: BinOp,
        a: ExprId,
        b: ExprId,
        next: bool,
    ) -> Result<Option<Encoded>> {
        if !matches!(op, BinOp::Eq | BinOp::Neq) {
            return Ok(None);
        }
        let equal = match (self.as_variable(a, next), self.as_variable(b, next)) {
            (Some((v, vn)), Some((w, wn))) => {
                let (x, y) = (self.model.var(v), self.model.var(w));
                if x.ty != y.ty || matches!(x.ty, VarType::Bool | VarType::Word { .. }) {
                    return Ok(None);
                }
                let size = x.ty.size().unwrap_or(0);
                let (x, y) = (self.literals(v, vn), self.literals(w, wn));
                self.same_position(&x, &y, size)?
            }
            (Some((v, vn)), None) | (None, Some((v, vn))) => {
                let other = if self.as_variable(a, next).is_some() {
                    b
                } else {
                    a
                };
                let Node::Const(value) = self.model.pool.node(other) else {
                    return Ok(None);
                };
                let var = self.model.var(v);
                if matches!(var.ty, VarType::Bool | VarType::Word { .. }) {
                    return Ok(None);
                }
                if !matches!(value, Value::Int(_) | Value::Sym(_)) {
                    return Ok(None);
                }
                match layout::position(&var.ty, value) {
                    None => self.manager.zero(),
                    Some(position) => {
                        let size = var.ty.size().unwrap_or(0);
                        self.at_position(&self.literals(v, vn), position, size)?
                    }
                }
            }
            (None, None) => return Ok(None),
        };
        Ok(Some(Encoded::Bool(if op == BinOp::Eq {
            equal
        } else {
            equal.not()
        })))
    }

    fn as_variable(&self, e: ExprId, next: bool) -> Option<(VarId, bool)> {
        match *self.model.pool.node(e) {
            Node::Var(v) if self.layout.is_encoded(v) => Some((v, next)),
            Node::Unary(UnOp::Next, a) if !next => self.as_variable(a, true),
            Node::Define(d) => match *self.model.pool.node(self.model.define(d).body) {
                Node::Var(v) if self.layout.is_encoded(v) => Some((v, next)),
                _ => None,
            },
            _ => None,
        }
    }

    fn literals(&self, v: VarId, next: bool) -> Bits {
        let bits = self.layout.bits(v);
        let bits = if next && !bits.next.is_empty() {
            &bits.next
        } else {
            &bits.current
        };
        bits.iter().map(|&b| self.manager.var(b)).collect()
    }

    fn unary(&mut self, op: UnOp, a: &Encoded) -> Result<Encoded> {
        Ok(match (op, a) {
            (_, Encoded::Nothing) => Encoded::Nothing,
            (UnOp::Not, Encoded::Bool(b)) => Encoded::Bool(b.not()),
            (UnOp::Not, Encoded::Word(bits)) => Encoded::Word(words::not(bits)),
            (UnOp::Neg, Encoded::Word(bits)) => Encoded::Word(words::neg(&self.manager, bits)?),
            (op, a) => {
                let a = self.scalar_of(a)?;
                let values = &mut self.values;
                let mut f = |x| values.apply1(x, |v| arith::lift1(v, |v| arith::unary(op, v)));
                let result = a.apply1(Tag::Unary(op).number(), &mut f)?;
                self.scalar(result)?
            }
        })
    }

    fn binary(&mut self, op: BinOp, a: &Encoded, b: &Encoded, signed: bool) -> Result<Encoded> {
        use BinOp::*;
        let m = &self.manager.clone();
        Ok(match (op, a, b) {
            (And, Encoded::Bool(x), Encoded::Bool(y)) => Encoded::Bool(x.and(y)?),
            (Or, Encoded::Bool(x), Encoded::Bool(y)) => Encoded::Bool(x.or(y)?),
            (Implies, Encoded::Bool(x), Encoded::Bool(y)) => Encoded::Bool(x.implies(y)?),
            (Xor | Neq, Encoded::Bool(x), Encoded::Bool(y)) => Encoded::Bool(x.xor(y)?),
            (Xnor | Iff | Eq, Encoded::Bool(x), Encoded::Bool(y)) => Encoded::Bool(x.xnor(y)?),
            (Concat, Encoded::Word(x), Encoded::Word(y)) => {
                Encoded::Word(x.iter().chain(y).cloned().collect())
            }
            (Lsh | Rsh | Lrot | Rrot, Encoded::Word(x), _) => self.shift(op, x, b, signed)?,
            (_, Encoded::Word(x), Encoded::Word(y)) if x.len() == y.len() => {
                let each = |f: &dyn Fn(&Bdd, &Bdd) -> crate::dd::DdResult<Bdd>| {
                    x.iter()
                        .zip(y)
                        .map(|(x, y)| f(x, y))
                        .collect::<crate::dd::DdResult<Bits>>()
                };
                match op {
                    And => Encoded::Word(each(&Bdd::and)?),
                    Or => Encoded::Word(each(&Bdd::or)?),
                    Xor => Encoded::Word(each(&Bdd::xor)?),
                    Xnor | Iff => Encoded::Word(each(&Bdd::xnor)?),
                    Implies => Encoded::Word(each(&Bdd::implies)?),
                    Add => Encoded::Word(words::add(x, y, m.zero())?),
                    Sub => Encoded::Word(words::sub(m, x, y)?),
                    Mul => Encoded::Word(words::mul(m, x, y)?),
                    Eq => Encoded::Bool(words::equal(m, x, y)?),
                    Neq => Encoded::Bool(words::equal(m, x, y)?.not()),
                    Lt => Encoded::Bool(words::less(m, x, y, signed)?),
                    Gt => Encoded::Bool(words::less(m, y, x, signed)?),
                    Le => Encoded::Bool(words::less(m, y, x, signed)?.not()),
                    Ge => Encoded::Bool(words::less(m, x, y, signed)?.not()),
                    _ => return Err(EvalError::Type(op.text()).into()),
                }
            }
            (Union, ..) => {
                let (x, y) = (self.scalar_of(a)?, self.scalar_of(b)?);
                let union = self.union(&x, &y)?;
                self.scalar(union)?
            }
            (In, ..) => {
                let (x, y) = (self.scalar_of(a)?, self.scalar_of(b)?);
                let test = |v: &Value, set: &Value| Ok(arith::contained(v, set));
                Encoded::Bool(self.test2(Tag::Member, &x, &y, test)?)
            }
            _ => {
                let (x, y) = (self.scalar_of(a)?, self.scalar_of(b)?);
                let compares = matches!(op, Eq | Neq | Lt | Le | Gt | Ge);
                let sets = |add: &crate::dd::Add| add.leaves().iter().any(|&l| self.is_set(l));
                if compares && !sets(&x) && !sets(&y) {
                    let test = |a: &Value, b: &Value| arith::truth(&arith::binary(op, a, b)?);
                    let tag = if op == Eq {
                        Tag::Equal
                    } else {
                        Tag::Binary(op)
                    };
                    Encoded::Bool(self.test2(tag, &x, &y, test)?)
                } else {
                    let values = &mut self.values;
                    let mut f = |x, y| {
                        values.apply2(x, y, |a, b| {
                            arith::lift2(a, b, |a, b| arith::binary(op, a, b))
                        })
                    };
                    let result = x.apply2(&y, Tag::Binary(op).number(), &mut f)?;
                    self.scalar(result)?
                }
            }
        })
    }

    /// Shifts and rotations; `>>` on signed words copies the sign.
    fn shift(&mut self, op: BinOp, x: &[Bdd], by: &Encoded, signed: bool) -> Result<Encoded> {
        let zero = self.manager.zero();
        let sign = if signed { x[0].clone() } else { zero.clone() };
        let step = |bits: &[Bdd], distance: i64| match op {
            BinOp::Lsh => words::shift(bits, distance, &zero),
            BinOp::Rsh => words::shift(bits, -distance, &sign),
            BinOp::Lrot => words::rotate(bits, distance),
            _ => words::rotate(bits, -distance),
        };
        Ok(Encoded::Word(match by {
            Encoded::Word(distance) => words::by_distance(x, distance, &step)?,
            other => {
                let distance = self.scalar_of(other)?;
                let mut result = x.to_vec();
                for leaf in distance.leaves() {
                    if leaf == ValueTable::ERROR {
                        continue;
                    }
                    let Value::Int(d) = *self.values.get(leaf) else {
                        return Err(EvalError::Type(op.text()).into());
                    };
                    if d < 0 || d > x.len() as i64 {
                        return Err(EvalError::ShiftRange.into());
                    }
                    result = words::ite(&distance.leaf_set(leaf)?, &step(x, d), &result)?;
                }
                result
            }
        }))
    }

    fn division(
        &mut self,
        op: BinOp,
        a: &Coded,
        b: &Coded,
        line: u32,
        signed: bool,
    ) -> Result<Coded> {
        let both = a.failures.iter().chain(b.failures.iter());
        let mut failures: Vec<Failure> = both.cloned().collect();
        let kind = FailKind::DivisionByZero;
        let (value, zero) = match (&a.value, &b.value) {
            (Encoded::Nothing, _) | (_, Encoded::Nothing) => {
                (Encoded::Nothing, self.manager.zero())
            }
            (Encoded::Word(x), Encoded::Word(y)) if x.len() == y.len() => {
                let m = &self.manager;
                let (quotient, remainder) = if signed {
                    words::divide_signed(m, x, y)?
                } else {
                    words::divide(m, x, y)?
                };
                let zero = words::equal(m, y, &vec![m.zero(); y.len()])?;
                (
                    Encoded::Word(if op == BinOp::Div {
                        quotient
                    } else {
                        remainder
                    }),
                    zero,
                )
            }
            (x, y) => {
                let (x, y) = (self.scalar_of(x)?, self.scalar_of(y)?);
                let values = &mut self.values;
                let mut is_zero = |l: u32| {
                    l != ValueTable::ERROR
                        && arith::members(values.get(l))
                            .iter()
                            .any(|v| matches!(v, Value::Int(0) | Value::Bool(false)))
                };
                let zero = y.test1(Tag::Zero.number(), &mut is_zero)?;
                let one = self.values.id(Value::Int(1));
                let divisor = Add::ite(&zero, &self.manager.leaf(one)?, &y)?;
                let mode = self.model.div_mode;
                let values = &mut self.values;
                let mut f = |x, y| {
                    values.apply2(x, y, |a, b| {
                        arith::lift2(a, b, |a, b| arith::division(op, a, b, line, mode))
                    })
                };
                let result = x.apply2(&divisor, Tag::Binary(op).number(), &mut f)?;
                (self.scalar(result)?, zero)
            }
        };
        if !zero.is_zero() {
            failures.push(Failure {
                kind,
                line,
                when: zero,
            });
        }
        Ok(Coded {
            value,
            failures: Rc::new(failures),
        })
    }

    fn count(&mut self, all: &[ExprId], next: bool) -> Result<Coded> {
        let mut failures = Vec::new();
        // sums[k] = the states in which k of the expressions so far hold
        let mut sums = vec![self.manager.one()];
        for &e in all {
            let e = self.encode(e, next)?;
            failures.extend(e.failures.iter().cloned());
            let holds = match &e.value {
                Encoded::Word(bits) => bits[bits.len() - 1].clone(),
                other => self.truth_of(other)?,
            };
            let mut grown = Vec::with_capacity(sums.len() + 1);
            for k in 0..=sums.len() {
                let stay = sums.get(k).map(|s| s.diff(&holds)).transpose()?;
                let come = k.checked_sub(1).map(|k| sums[k].and(&holds)).transpose()?;
                grown.push(match (stay, come) {
                    (Some(a), Some(b)) => a.or(&b)?,
                    (a, b) => a.or(b).expect("k is within reach from one side"),
                });
            }
            sums = grown;
        }
        let id = self.values.id(Value::Int(0));
        let mut value = self.manager.leaf(id)?;
        for (k, when) in sums.iter().enumerate().skip(1) {
            let id = self.values.id(Value::Int(k as i64));
            value = Add::ite(when, &self.manager.leaf(id)?, &value)?;
        }
        Ok(Coded {
            value: Encoded::Scalar(value),
            failures: Rc::new(failures),
        })
    }

    fn int_of(&mut self, value: &Encoded, signed: bool) -> Result<Encoded> {
        let ints = |this: &mut Self, n: i64| {
            let id = this.values.id(arith::int(n));
            this.manager.leaf(id)
        };
        Ok(match value {
            Encoded::Bool(b) => {
                let (one, zero) = (ints(self, 1)?, ints(self, 0)?);
                Encoded::Scalar(Add::ite(b, &one, &zero)?)
            }
            Encoded::Word(bits) => {
                let mut sum = ints(self, 0)?;
                for (i, bit) in bits.iter().enumerate() {
                    let values = &mut self.values;
                    let (one, zero) = (values.id(Value::Int(1)), values.id(Value::Int(0)));
                    let digit = Add::ite(bit, &self.manager.leaf(one)?, &self.manager.leaf(zero)?)?;
                    let values = &mut self.values;
                    let negative = signed && i == 0;
                    let mut f = |a, b| {
                        values.apply2(a, b, |a, b| match (a, b) {
                            (Value::Int(a), Value::Int(b)) => {
                                Ok(arith::int(2 * a + if negative { -b } else { *b }))
                            }
                            _ => Err(EvalError::Type("toint")),
                        })
                    };
                    let tag = Tag::ShiftAdd.number().0 + u32::from(negative) * 4096;
                    sum = sum.apply2(&digit, OpTag(tag), &mut f)?;
                }
                Encoded::Scalar(sum)
            }
            Encoded::Scalar(add) => {
                let values = &mut self.values;
                let mut f = |x| values.apply1(x, |v| arith::lift1(v, arith::to_int));
                Encoded::Scalar(add.apply1(Tag::ToInt.number(), &mut f)?)
            }
            Encoded::Nothing => Encoded::Nothing,
        })
    }

    fn union(&mut self, x: &Add, y: &Add) -> Result<Add> {
        let values = &mut self.values;
        let mut f = |a, b| {
            values.apply2(a, b, |a, b| {
                Ok(arith::set([arith::members(a), arith::members(b)].concat()))
            })
        };
        Ok(x.apply2(y, Tag::Union.number(), &mut f)?)
    }

    fn is_set(&self, leaf: u32) -> bool {
        leaf != ValueTable::ERROR && matches!(self.values.get(leaf), Value::Set(_))
    }

    fn test2(
        &mut self,
        tag: Tag,
        x: &Add,
        y: &Add,
        test: impl Fn(&Value, &Value) -> std::result::Result<bool, EvalError>,
    ) -> Result<Bdd> {
        let values = &mut self.values;
        let mut failed = None;
        let result = x.test2(y, tag.number(), &mut |a, b| {
            if a == ValueTable::ERROR || b == ValueTable::ERROR {
                return false;
            }
            test(values.get(a), values.get(b)).unwrap_or_else(|e| {
                failed.get_or_insert(e);
                false
            })
        })?;
        match failed.or_else(|| self.values.take_error()) {
            Some(e) => Err(e.into()),
            None => Ok(result),
        }
    }

    /// A scalar diagram whose failures, if an operator had any, are raised.
    fn scalar(&mut self, add: Add) -> Result<Encoded> {
        match self.values.take_error() {
            Some(e) => Err(e.into()),
            None => Ok(Encoded::Scalar(add)),
        }
    }

    fn scalar_of(&mut self, value: &Encoded) -> Result<Add> {
        match value {
            Encoded::Scalar(add) => Ok(add.clone()),
            Encoded::Bool(b) => {
                let (t, f) = (
                    self.values.id(Value::Bool(true)),
                    self.values.id(Value::Bool(false)),
                );
                Ok(Add::ite(b, &self.manager.leaf(t)?, &self.manager.leaf(f)?)?)
            }
            Encoded::Word(_) => Err(EvalError::Type("word as scalar").into()),
            Encoded::Nothing => Ok(self.manager.leaf(ValueTable::ERROR)?),
        }
    }

    fn truth_of(&mut self, value: &Encoded) -> Result<Bdd> {
        match value {
            Encoded::Bool(b) => Ok(b.clone()),
            Encoded::Scalar(add) => {
                let values = &self.values;
                let mut failed = None;
                let result = add.test1(Tag::Truth.number(), &mut |a| {
                    if a == ValueTable::ERROR {
                        return false;
                    }
                    arith::truth(values.get(a)).unwrap_or_else(|e| {
                        failed.get_or_insert(e);
                        false
                    })
                })?;
                failed.map_or(Ok(result), |e| Err(e.into()))
            }
            Encoded::Word(bits) if bits.len() == 1 => Ok(bits[0].clone()),
            Encoded::Word(_) => Err(EvalError::Type("Boolean").into()),
            Encoded::Nothing => Ok(self.manager.zero()),
        }
    }
}

/// Adds failures, restricted to where they show.
fn add_masked(to: &mut Vec<Failure>, from: &[Failure], open: &Bdd) -> Result<()> {
    for f in from {
        let when = f.when.and(open)?;
        if !when.is_zero() {
            to.push(Failure { when, ..*f });
        }
    }
    Ok(())
}

/// `resize(w, width)`: unsigned words are cut or zero-extended; signed ones keep their sign bit.
fn resize(bits: &[Bdd], width: usize, signed: bool, zero: &Bdd) -> Bits {
    let n = bits.len();
    if width <= n {
        let mut out = bits[n - width..].to_vec();
        if signed && width > 0 {
            out[0] = bits[0].clone();
        }
        return out;
    }
    let fill = if signed { &bits[0] } else { zero };
    let mut out = vec![fill.clone(); width - n];
    out.extend_from_slice(bits);
    out
}
