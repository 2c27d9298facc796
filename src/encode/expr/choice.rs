//! `c ? a : b`, and `case` as a chain of these.

use super::failures::add_masked;
use super::*;

impl Encoder {
    /// `c ? a : b`. Chains (long cases) are walked down without recursion and built upwards.
    /// Branches that no assignment takes are not encoded: they may be large, and NuSMV does not
    /// look at them either.
    pub(super) fn choose(&mut self, e: ExprId, next: bool) -> Result<Coded> {
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
                rest = self
                    .ite(&cond, &a, &rest)
                    .map_err(|err| self.placed(err, id))?;
            }
            if id != e {
                self.memo.insert((id, next), rest.clone());
            }
        }
        Ok(rest)
    }

    fn ite(&mut self, c: &Coded, a: &Coded, b: &Coded) -> Result<Coded> {
        let mut failures = c.failures.to_vec();
        if let Encoded::Scalar(add) = &c.value
            && add.leaves().iter().any(|&l| self.is_set(l))
        {
            // A set as condition: either branch.
            let (x, y) = (self.scalar_of(&a.value)?, self.scalar_of(&b.value)?);
            let value = Encoded::Scalar(self.union(&x, &y)?);
            failures.extend(a.failures_with(b));
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
}
