//! From one kind of value to another: truth values, numbers, words of bits, and `count`.

use super::*;

impl Encoder {
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
}
