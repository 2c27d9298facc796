//! Operators on encoded values: Booleans bit by bit, words by circuits, scalars leaf by leaf.

use super::*;

impl Encoder {
    pub(super) fn unary(&mut self, op: UnOp, a: &Encoded) -> Result<Encoded> {
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

    pub(super) fn binary(
        &mut self,
        op: BinOp,
        a: &Encoded,
        b: &Encoded,
        signed: bool,
    ) -> Result<Encoded> {
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
    pub(super) fn shift(
        &mut self,
        op: BinOp,
        x: &[Bdd],
        by: &Encoded,
        signed: bool,
    ) -> Result<Encoded> {
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
                        match op {
                            // A failure of those assignments only; see `too_far`.
                            BinOp::Lsh | BinOp::Rsh => continue,
                            _ => return Err(EvalError::ShiftRange.into()),
                        }
                    }
                    result = words::ite(&distance.leaf_set(leaf)?, &step(x, d), &result)?;
                }
                result
            }
        }))
    }

    /// Where a word of `width` bits would be shifted by less than nothing or by more than its width.
    pub(super) fn too_far(&mut self, width: usize, by: &Encoded) -> Result<Bdd> {
        let mut far = self.manager.zero();
        match by {
            Encoded::Word(distance) => {
                if width >> distance.len().min(63) == 0 {
                    let bit = |i: usize| match width >> i & 1 {
                        1 => self.manager.one(),
                        _ => self.manager.zero(),
                    };
                    let most: Vec<Bdd> = (0..distance.len()).rev().map(bit).collect();
                    far = words::less(&self.manager, &most, distance, false)?;
                }
            }
            other => {
                let distance = self.scalar_of(other)?;
                for leaf in distance.leaves() {
                    if leaf == ValueTable::ERROR {
                        continue;
                    }
                    let Value::Int(d) = *self.values.get(leaf) else {
                        continue;
                    };
                    if d < 0 || d > width as i64 {
                        far = far.or(&distance.leaf_set(leaf)?)?;
                    }
                }
            }
        }
        Ok(far)
    }

    pub(super) fn division(
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

    pub(super) fn count(&mut self, all: &[ExprId], next: bool) -> Result<Coded> {
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

    pub(super) fn int_of(&mut self, value: &Encoded, signed: bool) -> Result<Encoded> {
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

    pub(super) fn union(&mut self, x: &Add, y: &Add) -> Result<Add> {
        let values = &mut self.values;
        let mut f = |a, b| {
            values.apply2(a, b, |a, b| {
                Ok(arith::set([arith::members(a), arith::members(b)].concat()))
            })
        };
        Ok(x.apply2(y, Tag::Union.number(), &mut f)?)
    }

    pub(super) fn is_set(&self, leaf: u32) -> bool {
        leaf != ValueTable::ERROR && matches!(self.values.get(leaf), Value::Set(_))
    }

    pub(super) fn test2(
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
    pub(super) fn scalar(&mut self, add: Add) -> Result<Encoded> {
        match self.values.take_error() {
            Some(e) => Err(e.into()),
            None => Ok(Encoded::Scalar(add)),
        }
    }

    pub(super) fn scalar_of(&mut self, value: &Encoded) -> Result<Add> {
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

    /// `bool(x)` of a number (or of a truth value among them).
    pub(super) fn is_not_zero(&mut self, add: &Add) -> Result<Bdd> {
        let mut set = self.manager.zero();
        for leaf in add.leaves() {
            if leaf != ValueTable::ERROR
                && arith::to_bool(self.values.get(leaf))? == Value::Bool(true)
            {
                set = set.or(&add.leaf_set(leaf)?)?;
            }
        }
        Ok(set)
    }

    pub(super) fn truth_of(&mut self, value: &Encoded) -> Result<Bdd> {
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
