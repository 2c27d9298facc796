//! Fair paths under compassion: where they recur, and by which steps.
//!
//! `(algebra, f) → Recurring`: the largest set of states `Z ⊑ f` and, where constraints read inputs, the
//! largest set of steps `W` (of states and inputs) closed under
//!
//! ```text
//! Z ⊑ E[Z U Z ⊓ EX_j Z]                            justice j
//! Z ⊑ ¬p ⊔ E[Z U Z ⊓ q]                            compassion (p, q), p over states
//! W ⊑ ¬p ⊔ E[Z U Z ⊓ q]                            compassion (p, q), p over states and inputs
//! Z ⊑ EX Z
//! ```
//!
//! where all `E` and `EX` go over steps in `W` only, and `Z ⊓ q` is `Z ⊓ EX_q Z` where q reads inputs. A
//! terminal component of `Z` under `W` meets all j, and q wherever it meets p, so it holds a fair path; and
//! what a fair path does infinitely often never leaves `Z` and `W`. `EG f` is `E[f U Z]` over all steps
//! (Kesten, Pnueli, Raviv, "Algorithmic verification of linear temporal logic specifications", ICALP
//! 1998, there with p and q over states).

use super::algebra::Algebra;
use super::fixpoint::{Hint, until_by};
use crate::dd::DdResult;
use crate::encode::fsm::Justice;

/// What fair paths within some states do infinitely often.
pub struct Recurring<V> {
    /// A set of states, or a word for each state.
    pub states: V,
    /// Of states and inputs; none where all steps will do.
    pub steps: Option<V>,
}

/// What recurs on fair paths along `f`, which are known to lie below `bound`. Holds more states than
/// those of fair cycles: all from which such a path can be had without leaving them.
pub fn recurring<A: Algebra>(
    algebra: &A,
    f: &A::Value,
    bound: Option<&A::Value>,
) -> DdResult<Recurring<A::Value>> {
    let machine = algebra.machine();
    let mut z = match bound {
        Some(b) => algebra.meet(b, f)?,
        None => algebra.on(f, machine.fair())?,
    };
    let restricting = |(p, _): &(Justice, Justice)| p.reads_inputs;
    let mut steps = None;
    if machine.compassion().iter().any(restricting) {
        steps = Some(algebra.embed(machine.care())?);
    }
    loop {
        let before = (z.clone(), steps.clone());
        for j in machine.justice() {
            z = until_condition(algebra, steps.as_ref(), &z, j)?;
        }
        for (p, q) in machine.compassion() {
            let fulfilled = until_condition(algebra, steps.as_ref(), &z, q)?;
            let lawful = |of: &A::Value| {
                let without = algebra.on(of, &p.set.not())?;
                algebra.join(&without, &algebra.meet(of, &fulfilled)?)
            };
            match &steps {
                Some(w) if p.reads_inputs => steps = Some(lawful(w)?),
                _ => z = lawful(&z)?,
            }
        }
        loop {
            let next = algebra.meet(&z, &pre(algebra, steps.as_ref(), &z)?)?;
            if next == z {
                break;
            }
            z = next;
        }
        if (&z, &steps) == (&before.0, &before.1) {
            return Ok(Recurring { states: z, steps });
        }
    }
}

/// The join over the steps in `steps`.
fn pre<A: Algebra>(algebra: &A, steps: Option<&A::Value>, a: &A::Value) -> DdResult<A::Value> {
    match steps {
        Some(w) => algebra.pre_by(w, a),
        None => algebra.pre(a),
    }
}

/// `E[z U z ⊓ c]` over the steps in `steps`.
fn until_condition<A: Algebra>(
    algebra: &A,
    steps: Option<&A::Value>,
    z: &A::Value,
    c: &Justice,
) -> DdResult<A::Value> {
    let goal = match steps {
        Some(w) if c.reads_inputs => {
            let both = algebra.on(w, &c.set)?;
            algebra.meet(z, &algebra.pre_by(&both, z)?)?
        }
        _ if c.reads_inputs => algebra.meet(z, &algebra.pre_under(c, z)?)?,
        _ => algebra.on(z, &c.set)?,
    };
    until_by(algebra, z, &goal, Hint::NONE, |a| pre(algebra, steps, a))
}

#[cfg(test)]
mod tests;
