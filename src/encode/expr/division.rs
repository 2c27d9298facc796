//! `/` and `mod`, with the assignments under which the divisor is zero.

use super::failures::Failure;
use super::*;

impl Encoder {
    /// `a op b`. The quotient of values in `line` of the source.
    pub(super) fn division(
        &mut self,
        op: BinOp,
        a: &Coded,
        b: &Coded,
        line: u32,
        signed: bool,
    ) -> Result<Coded> {
        let mut failures = a.failures_with(b);
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
                kind: FailKind::DivisionByZero,
                line,
                when: zero,
            });
        }
        Ok(Coded {
            value,
            failures: Rc::new(failures),
        })
    }
}
