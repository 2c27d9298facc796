//! Shifts and rotations of words.

use super::failures::Failure;
use super::*;

impl Encoder {
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

    /// The failure of shifts by less than nothing or by more than the width of the word, if any
    /// assignment leads to one.
    pub(super) fn too_far(
        &mut self,
        left: bool,
        word: &Coded,
        by: &Coded,
        line: u32,
    ) -> Result<Option<Failure>> {
        let Encoded::Word(bits) = &word.value else {
            return Ok(None);
        };
        let when = self.beyond(bits.len(), &by.value)?;
        let kind = FailKind::ShiftRange { left };
        Ok((!when.is_zero()).then_some(Failure { kind, line, when }))
    }

    /// Where a distance is negative or more than `width`.
    fn beyond(&mut self, width: usize, by: &Encoded) -> Result<Bdd> {
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
}
