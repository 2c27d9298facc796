//! CTL operators over an [`Algebra`].
//!
//! ```text
//! EX f     = ∃-join over successors of (f ⊓ fair)
//! E[f U g] = μZ. (g ⊓ fair) ⊔ (f ⊓ EX Z)
//! EG f     = νZ. f ⊓ ⊓_j E[f U f ⊓ EX_j Z]        (νZ. f ⊓ EX Z without justice constraints)
//! ```
//! where `EX_j` goes over the steps that satisfy justice constraint j (it may read inputs); and
//! the universal forms by duality (Emerson and Lei, LICS 1986). Values are bottom outside the care set throughout.
//!
//! A [`Hint`] makes this cheaper (module `hint`).

use super::algebra::{Algebra, TwoValued};
use super::compassion::recurring;
pub use super::hint::{Hint, Kept, Need, Seed};
use crate::dd::{Bdd, DdResult};
use crate::logic::CtlOp;
use smv_grammar::ops::{BinOp, BoundedOp, UnOp};

/// `EX a`, which distributes over joins.
fn ex<A: Algebra>(algebra: &A, a: &A::Value, seed: Seed<A::Value>) -> DdResult<A::Value> {
    let fair = algebra.machine().fair();
    match seed {
        Seed::Above(kept) => {
            let gain = algebra.gain(a, kept.a)?;
            algebra.join(kept.value, &algebra.pre(&algebra.on(&gain, fair)?)?)
        }
        _ => algebra.pre(&algebra.on(a, fair)?),
    }
}

/// The states from which a fair path starts, all of them in `bound` (which lies within the care set of
/// `algebra`, whose own `fair` is not read). Where none of `wanted` is among them, the result may
/// hold other states as well.
pub fn fair_states(algebra: &TwoValued, bound: &Bdd, wanted: Option<&Bdd>) -> DdResult<Bdd> {
    let hint = Hint {
        seed: Seed::None,
        need: wanted.map(Need::Bottom),
    };
    descend(algebra, bound, bound.clone(), hint)
}

/// The same where each fair path ends up in `core`, and can go on there fairly without leaving it.
pub fn fair_states_by(algebra: &TwoValued, core: &Bdd) -> DdResult<Bdd> {
    let recurring = descend(algebra, core, core.clone(), Hint::NONE)?;
    until(algebra, algebra.machine().care(), &recurring, Hint::NONE)
}

/// `E[f U g]` with `g` already met with the fair states.
fn until<A: Algebra>(
    algebra: &A,
    f: &A::Value,
    g: &A::Value,
    hint: Hint<A::Value>,
) -> DdResult<A::Value> {
    until_by(algebra, f, g, hint, |a| algebra.pre(a))
}

/// The same, with `pre` in the place of `EX`.
pub(super) fn until_by<A: Algebra>(
    algebra: &A,
    f: &A::Value,
    g: &A::Value,
    hint: Hint<A::Value>,
    pre: impl Fn(&A::Value) -> DdResult<A::Value>,
) -> DdResult<A::Value> {
    let bottom = algebra.bottom()?;
    let (mut reached, mut front) = match hint.seed {
        Seed::Above(kept) => {
            let start = algebra.join(kept.value, g)?;
            let front = if kept.a == f {
                // The kept value has no predecessors in f outside itself.
                algebra.gain(&start, kept.value)?
            } else {
                start.clone()
            };
            (start, front)
        }
        _ => (g.clone(), g.clone()),
    };
    let old_goal = match hint.seed {
        Seed::Below(Kept { a, b: Some(b), .. }) if a == f => {
            Some(algebra.on(b, algebra.machine().fair())?)
        }
        _ => None,
    };
    let top = algebra.embed(algebra.machine().care())?;
    // Nothing is added beyond f.
    while front != bottom && reached != top && reached != *f {
        if hint
            .need
            .is_some_and(|n| n.settled_above(algebra, &reached))
        {
            break;
        }
        if let Seed::Below(kept) = hint.seed {
            let again = |goal: &A::Value| algebra.leq(goal, &reached);
            if reached == *kept.value || old_goal.as_ref().is_some_and(again) {
                return Ok(kept.value.clone());
            }
        }
        let next = algebra.join(&reached, &algebra.meet(f, &pre(&front)?)?)?;
        if next == reached {
            break;
        }
        front = algebra.gain(&next, &reached)?;
        reached = next;
    }
    Ok(reached)
}

fn eu<A: Algebra>(
    algebra: &A,
    f: &A::Value,
    g: &A::Value,
    hint: Hint<A::Value>,
) -> DdResult<A::Value> {
    until(algebra, f, &algebra.on(g, algebra.machine().fair())?, hint)
}

/// `EG f`.
pub fn eg<A: Algebra>(algebra: &A, f: &A::Value, hint: Hint<A::Value>) -> DdResult<A::Value> {
    let fair = algebra.machine().fair();
    let mut start = algebra.on(f, fair)?;
    // Where f holds in all fair states, each of them has a fair path along f.
    if algebra.machine().fair_is_exact() && start == algebra.embed(fair)? {
        return Ok(start);
    }
    if let Seed::Below(kept) = hint.seed {
        start = algebra.meet(kept.value, &start)?;
        // A path within the kept value is one along f.
        if start == *kept.value {
            return Ok(start);
        }
    }
    descend(algebra, f, start, hint)
}

/// `EG f`, known to lie below `z`.
fn descend<A: Algebra>(
    algebra: &A,
    f: &A::Value,
    mut z: A::Value,
    hint: Hint<A::Value>,
) -> DdResult<A::Value> {
    let machine = algebra.machine();
    if !machine.compassion().is_empty() {
        let core = recurring(algebra, f, Some(&z))?.states;
        return until(algebra, f, &core, Hint::NONE);
    }
    // Of a value above the result: whether no more is to be found out, and what the result is then.
    let settled = |z: &A::Value| match hint.seed {
        Seed::Above(kept) if z == kept.value || algebra.leq(z, kept.a) => Some(kept.value.clone()),
        _ => hint
            .need
            .is_some_and(|n| n.settled_below(algebra, z))
            .then(|| z.clone()),
    };
    loop {
        if let Some(result) = settled(&z) {
            return Ok(result);
        }
        let mut next = z.clone();
        if machine.justice().is_empty() {
            next = algebra.meet(&next, &algebra.pre(&next)?)?;
        } else {
            for j in machine.justice() {
                let goal = algebra.meet(f, &algebra.pre_under(j, &next)?)?;
                let path = until(algebra, f, &goal, Hint::NONE)?;
                next = algebra.meet(&next, &path)?;
            }
        }
        if next == z {
            return Ok(z);
        }
        z = next;
    }
}

/// The value of `op` from the values of its operands.
pub fn apply<A: Algebra>(
    algebra: &A,
    op: CtlOp,
    a: &A::Value,
    b: Option<&A::Value>,
    hint: Hint<A::Value>,
) -> DdResult<A::Value> {
    let second = || b.expect("a binary operator has two operands");
    let everywhere = || algebra.embed(algebra.machine().care());
    match op {
        CtlOp::Not => algebra.not(a),
        CtlOp::Bool(op) => boolean(algebra, op, a, second()),
        CtlOp::Temporal(op) => match op {
            UnOp::Ex => ex(algebra, a, hint.seed),
            UnOp::Ax => negated(algebra, a, hint, |v, h| ex(algebra, v, h.seed)),
            UnOp::Ef => {
                let f = everywhere()?;
                eu(algebra, &f, a, with_first(hint, &f))
            }
            UnOp::Ag => negated(algebra, a, hint, |v, h| {
                let f = everywhere()?;
                eu(algebra, &f, v, with_first(h, &f))
            }),
            UnOp::Eg => eg(algebra, a, hint),
            UnOp::Af => negated(algebra, a, hint, |v, h| eg(algebra, v, h)),
            _ => unreachable!("no other operator is a CTL operator of one operand"),
        },
        CtlOp::Until(BinOp::Eu) => eu(algebra, a, second(), hint),
        CtlOp::Until(_) => au(algebra, a, second(), hint),
        CtlOp::Bounded { op, lo, hi } => bounded(algebra, op, lo, hi, a, b),
    }
}

/// The kept value of the negated operator on negated operands.
struct Negated<V> {
    value: V,
    a: V,
}

impl<V> Negated<V> {
    fn get(&self) -> Kept<'_, V> {
        Kept {
            value: &self.value,
            a: &self.a,
            b: None,
        }
    }
}

/// `!f(!a)`, the hint being about this.
fn negated<A: Algebra>(
    algebra: &A,
    a: &A::Value,
    hint: Hint<A::Value>,
    f: impl FnOnce(&A::Value, Hint<A::Value>) -> DdResult<A::Value>,
) -> DdResult<A::Value> {
    let dual = |kept: Kept<A::Value>| -> DdResult<Negated<A::Value>> {
        Ok(Negated {
            value: algebra.not(kept.value)?,
            a: algebra.not(kept.a)?,
        })
    };
    let kept;
    let seed = match hint.seed {
        Seed::None => Seed::None,
        Seed::Below(k) => {
            kept = dual(k)?;
            Seed::Above(kept.get())
        }
        Seed::Above(k) => {
            kept = dual(k)?;
            Seed::Below(kept.get())
        }
    };
    let need = hint.need.map(Need::dual);
    algebra.not(&f(&algebra.not(a)?, Hint { seed, need })?)
}

/// A hint about `EF g` as one about `E[f U g]`.
fn with_first<'a, V>(hint: Hint<'a, V>, f: &'a V) -> Hint<'a, V> {
    let more = |k: Kept<'a, V>| Kept {
        value: k.value,
        a: f,
        b: Some(k.a),
    };
    Hint {
        seed: match hint.seed {
            Seed::None => Seed::None,
            Seed::Below(k) => Seed::Below(more(k)),
            Seed::Above(k) => Seed::Above(more(k)),
        },
        need: hint.need,
    }
}

fn boolean<A: Algebra>(algebra: &A, op: BinOp, a: &A::Value, b: &A::Value) -> DdResult<A::Value> {
    match op {
        BinOp::And => algebra.meet(a, b),
        BinOp::Or => algebra.join(a, b),
        BinOp::Implies => algebra.join(&algebra.not(a)?, b),
        _ => {
            let (not_a, not_b) = (algebra.not(a)?, algebra.not(b)?);
            let (x, y) = if op == BinOp::Xor {
                (&not_b, b)
            } else {
                (b, &not_b)
            };
            algebra.join(&algebra.meet(a, x)?, &algebra.meet(&not_a, y)?)
        }
    }
}

/// `A[f U g] = !(E[!g U !f & !g] | EG !g)`.
fn au<A: Algebra>(
    algebra: &A,
    f: &A::Value,
    g: &A::Value,
    hint: Hint<A::Value>,
) -> DdResult<A::Value> {
    let (not_f, not_g) = (algebra.not(f)?, algebra.not(g)?);
    let need = hint.need.map(Need::dual);
    let broken = eu(
        algebra,
        &not_g,
        &algebra.meet(&not_f, &not_g)?,
        Hint {
            seed: Seed::None,
            need,
        },
    )?;
    if need.is_some_and(|n| n.settled_above(algebra, &broken)) {
        return algebra.not(&broken);
    }
    // The result is above the kept value, so each disjunct of its negation is below the negated one.
    let start = match hint.seed {
        Seed::Above(kept) => algebra.meet(&algebra.not(kept.value)?, &not_g)?,
        _ => not_g.clone(),
    };
    let fair = algebra.machine().fair();
    let never = descend(algebra, &not_g, algebra.on(&start, fair)?, Hint::NONE)?;
    algebra.not(&algebra.join(&broken, &never)?)
}

/// The operators with an interval: `hi - lo` backward steps that look at the operand, then `lo`
/// steps that do not (for `BU`: that only look at the first operand). Steps stop early once the
/// value repeats.
fn bounded<A: Algebra>(
    algebra: &A,
    op: BoundedOp,
    lo: u32,
    hi: u32,
    a: &A::Value,
    b: Option<&A::Value>,
) -> DdResult<A::Value> {
    use BoundedOp::*;
    let fair = |v: &A::Value| algebra.on(v, algebra.machine().fair());
    let ex = |v: &A::Value| ex(algebra, v, Seed::None);
    let ax = |v: &A::Value| algebra.not(&ex(&algebra.not(v)?)?);
    let window = hi.saturating_sub(lo);
    match op {
        Ebf => {
            let goal = fair(a)?;
            let y = steps(goal.clone(), window, |y| algebra.join(&goal, &ex(y)?))?;
            steps(y, lo, |y| ex(y))
        }
        Ebg => {
            let y = steps(fair(a)?, window, |y| algebra.meet(a, &ex(y)?))?;
            steps(y, lo, |y| ex(y))
        }
        Abf => algebra.not(&bounded(algebra, Ebg, lo, hi, &algebra.not(a)?, None)?),
        Abg => algebra.not(&bounded(algebra, Ebf, lo, hi, &algebra.not(a)?, None)?),
        Ebu => {
            let goal = fair(b.expect("BU has two operands"))?;
            let y = steps(goal.clone(), window, |y| {
                algebra.join(&goal, &algebra.meet(a, &ex(y)?)?)
            })?;
            steps(y, lo, |y| algebra.meet(a, &ex(y)?))
        }
        Abu => {
            let goal = b.expect("BU has two operands");
            let y = steps(goal.clone(), window, |y| {
                algebra.join(goal, &algebra.meet(a, &ax(y)?)?)
            })?;
            steps(y, lo, |y| algebra.meet(a, &ax(y)?))
        }
        LtlF | LtlG | LtlO | LtlH => unreachable!("no CTL operators"),
    }
}

/// Applies `step` `times` times, or until the value stays.
fn steps<V: Clone + PartialEq>(
    mut value: V,
    times: u32,
    step: impl Fn(&V) -> DdResult<V>,
) -> DdResult<V> {
    for _ in 0..times {
        let next = step(&value)?;
        if next == value {
            break;
        }
        value = next;
    }
    Ok(value)
}
