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
                Encoded::Bool(self.member(&x, &y)?)
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

    pub(super) fn union(&mut self, x: &Add, y: &Add) -> Result<Add> {
        let values = &mut self.values;
        let mut f = |a, b| values.apply2(a, b, |a, b| Ok(arith::union(a, b)));
        Ok(x.apply2(y, Tag::Union.number(), &mut f)?)
    }

    pub(super) fn is_set(&self, leaf: u32) -> bool {
        leaf != ValueTable::ERROR && matches!(self.values.get(leaf), Value::Set(_))
    }

    /// Where the value is (in) the set.
    pub(super) fn member(&mut self, value: &Add, set: &Add) -> Result<Bdd> {
        self.test2(Tag::Member, value, set, |v, set| {
            Ok(arith::contained(v, set))
        })
    }

    /// The assignments under which two values pass a test.
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
}
