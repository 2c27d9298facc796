//! Where an expression has no value (no case applies, division by zero, index out of bounds), and how
//! operators hide this.

use super::*;

/// A set of assignments for which there is no value.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    /// What went wrong.
    pub kind: FailKind,
    /// The line that the message names.
    pub line: u32,
    /// Over the bits that the expression reads.
    pub when: Bdd,
}

impl Coded {
    /// The failures of both.
    pub(super) fn failures_with(&self, other: &Coded) -> Vec<Failure> {
        [self.failures.as_slice(), &other.failures].concat()
    }
}

impl Encoder {
    /// A failure under any assignment is an error.
    pub(super) fn raise(&self, coded: &Coded) -> Result<()> {
        match coded.failures.iter().find(|f| !f.when.is_zero()) {
            Some(f) => Err(EncodeError::Fail {
                kind: f.kind,
                line: f.line,
            }),
            None => Ok(()),
        }
    }

    /// The failures of `a op b`: an operand that decides the result hides those of the other.
    pub(super) fn masked(&mut self, op: BinOp, a: &Coded, b: &Coded) -> Result<Rc<Vec<Failure>>> {
        if a.failures.is_empty() && b.failures.is_empty() {
            return Ok(Rc::default());
        }
        let (Encoded::Bool(x), Encoded::Bool(y)) = (&a.value, &b.value) else {
            return Ok(Rc::new(a.failures_with(b)));
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
}

/// Adds failures, restricted to where they show.
pub(super) fn add_masked(to: &mut Vec<Failure>, from: &[Failure], open: &Bdd) -> Result<()> {
    for f in from {
        let when = f.when.and(open)?;
        if !when.is_zero() {
            to.push(Failure { when, ..*f });
        }
    }
    Ok(())
}
