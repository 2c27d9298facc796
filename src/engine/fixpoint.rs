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
//! A *seed* starts an iteration from a known value of the same operator on neighbouring operands:
//! with smaller operands `F_new ⊑ F_old`, so the old `νZ.F_old(Z)` is above `νZ.F_new(Z)` and
//! iterating from it descends to it; with larger operands, dually, for least fixpoints.

use super::algebra::{Algebra, TwoValued};
use crate::dd::{Bdd, DdResult};
use crate::logic::CtlOp;
use smv_grammar::ops::{BinOp, BoundedOp, UnOp};

/// A known value of the same operator whose operands lie above or below the present ones.
#[derive(Clone, Copy)]
pub enum Seed<'a, V> {
    None,
    /// The present operands are smaller: the result is below this value.
    Below(&'a V),
    /// The present operands are larger: the result is above this value.
    Above(&'a V),
}

impl<'a, V> Seed<'a, V> {
    /// The seed of the negated operator on negated operands.
    fn dual<A: Algebra<Value = V>>(&self, algebra: &A) -> DdResult<Option<(V, bool)>> {
        Ok(match self {
            Seed::None => None,
            Seed::Below(v) => Some((algebra.not(v)?, true)),
            Seed::Above(v) => Some((algebra.not(v)?, false)),
        })
    }
}

/// `EX a`.
fn ex<A: Algebra>(algebra: &A, a: &A::Value) -> DdResult<A::Value> {
    algebra.pre(&algebra.on(a, algebra.machine().fair())?)
}

/// The states from which a fair path starts, within the care set of `algebra`, whose own `fair` is
/// not read.
pub fn fair_states(algebra: &TwoValued) -> DdResult<Bdd> {
    let care = algebra.machine().care();
    descend(algebra, care, care.clone())
}

/// `E[f U g]` with `g` already met with the fair states; grows from `seed`.
fn until<A: Algebra>(
    algebra: &A,
    f: &A::Value,
    g: &A::Value,
    seed: Option<&A::Value>,
) -> DdResult<A::Value> {
    let mut reached = match seed {
        Some(s) => algebra.join(s, g)?,
        None => g.clone(),
    };
    let mut front = reached.clone();
    loop {
        let next = algebra.join(&reached, &algebra.meet(f, &algebra.pre(&front)?)?)?;
        if next == reached {
            return Ok(reached);
        }
        front = algebra.gain(&next, &reached)?;
        reached = next;
    }
}

fn eu<A: Algebra>(
    algebra: &A,
    f: &A::Value,
    g: &A::Value,
    seed: Seed<A::Value>,
) -> DdResult<A::Value> {
    let goal = algebra.on(g, algebra.machine().fair())?;
    let start = match seed {
        Seed::Above(s) => Some(s),
        _ => None,
    };
    until(algebra, f, &goal, start)
}

/// `EG f`; descends from `seed`.
pub fn eg<A: Algebra>(algebra: &A, f: &A::Value, seed: Seed<A::Value>) -> DdResult<A::Value> {
    let fair = algebra.machine().fair();
    let start = algebra.on(f, fair)?;
    // Where f holds in all fair states, each of them has a fair path along f.
    if algebra.machine().fair_is_exact() && start == algebra.embed(fair)? {
        return Ok(start);
    }
    let start = match seed {
        Seed::Below(s) => algebra.meet(s, &start)?,
        _ => start,
    };
    descend(algebra, f, start)
}

/// `EG f`, known to lie below `z`.
fn descend<A: Algebra>(algebra: &A, f: &A::Value, mut z: A::Value) -> DdResult<A::Value> {
    let machine = algebra.machine();
    if !machine.compassion().is_empty() {
        let core = recurring(algebra, f, Seed::Below(&z))?;
        return until(algebra, f, &core, None);
    }
    loop {
        let mut next = z.clone();
        if machine.justice() == 0 {
            next = algebra.meet(&next, &algebra.pre(&next)?)?;
        } else {
            for j in 0..machine.justice() {
                let goal = algebra.meet(f, &algebra.pre_just(j, &next)?)?;
                let path = until(algebra, f, &goal, None)?;
                next = algebra.meet(&next, &path)?;
            }
        }
        if next == z {
            return Ok(z);
        }
        z = next;
    }
}

/// A part of `EG f`, from which a fair path can be had under compassion as well: the largest `Z ⊑ f`
/// that is closed under
///
/// ```text
/// Z ⊑ E[Z U Z ⊓ EX_j Z]     Z ⊑ ¬p ⊔ E[Z U Z ⊓ q]     Z ⊑ EX Z
/// ```
///
/// A terminal component of `Z` meets all j, and q wherever it meets p, so it holds a fair path; and
/// what a fair path does infinitely often never leaves `Z`. `EG f` is `E[f U Z]` (Kesten, Pnueli,
/// Raviv, "Algorithmic verification of linear temporal logic specifications", ICALP 1998).
pub fn recurring<A: Algebra>(
    algebra: &A,
    f: &A::Value,
    seed: Seed<A::Value>,
) -> DdResult<A::Value> {
    let machine = algebra.machine();
    let mut z = match seed {
        Seed::Below(s) => algebra.meet(s, f)?,
        _ => algebra.on(f, machine.fair())?,
    };
    loop {
        let before = z.clone();
        for j in 0..machine.justice() {
            let goal = algebra.meet(&z, &algebra.pre_just(j, &z)?)?;
            z = until(algebra, &z, &goal, None)?;
        }
        for (p, q) in machine.compassion() {
            let fulfilled = until(algebra, &z, &algebra.on(&z, q)?, None)?;
            z = algebra.join(&algebra.on(&z, &p.not())?, &fulfilled)?;
        }
        loop {
            let next = algebra.meet(&z, &algebra.pre(&z)?)?;
            if next == z {
                break;
            }
            z = next;
        }
        if z == before {
            return Ok(z);
        }
    }
}

/// The value of `op` from the values of its operands.
#[allow(clippy::type_complexity)]
pub fn apply<A: Algebra>(
    algebra: &A,
    op: CtlOp,
    a: &A::Value,
    b: Option<&A::Value>,
    seed: Seed<A::Value>,
) -> DdResult<A::Value> {
    let second = || b.expect("a binary operator has two operands");
    match op {
        CtlOp::Not => algebra.not(a),
        CtlOp::Bool(op) => boolean(algebra, op, a, second()),
        CtlOp::Temporal(op) => {
            let negated = |seed: &Seed<A::Value>,
                           f: &dyn Fn(&A::Value, Seed<A::Value>) -> DdResult<A::Value>|
             -> DdResult<A::Value> {
                let operand = algebra.not(a)?;
                let dual = seed.dual(algebra)?;
                let seed = match &dual {
                    None => Seed::None,
                    Some((v, true)) => Seed::Above(v),
                    Some((v, false)) => Seed::Below(v),
                };
                algebra.not(&f(&operand, seed)?)
            };
            match op {
                UnOp::Ex => ex(algebra, a),
                UnOp::Ax => negated(&seed, &|v, _| ex(algebra, v)),
                UnOp::Ef => eu(algebra, &algebra.embed(algebra.machine().care())?, a, seed),
                UnOp::Ag => negated(&seed, &|v, s| {
                    eu(algebra, &algebra.embed(algebra.machine().care())?, v, s)
                }),
                UnOp::Eg => eg(algebra, a, seed),
                UnOp::Af => negated(&seed, &|v, s| eg(algebra, v, s)),
                _ => unreachable!("no other operator is a CTL operator of one operand"),
            }
        }
        CtlOp::Until(BinOp::Eu) => eu(algebra, a, second(), seed),
        CtlOp::Until(_) => au(algebra, a, second(), seed),
        CtlOp::Bounded { op, lo, hi } => bounded(algebra, op, lo, hi, a, b),
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
    seed: Seed<A::Value>,
) -> DdResult<A::Value> {
    let (not_f, not_g) = (algebra.not(f)?, algebra.not(g)?);
    // The result is below a seed above it, so each disjunct of its negation is only bounded from
    // above; that bound serves EG.
    let bound = match seed {
        Seed::Above(v) => Some(algebra.not(v)?),
        _ => None,
    };
    let broken = eu(algebra, &not_g, &algebra.meet(&not_f, &not_g)?, Seed::None)?;
    let never = eg(
        algebra,
        &not_g,
        bound.as_ref().map_or(Seed::None, Seed::Below),
    )?;
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
    let ax = |v: &A::Value| algebra.not(&ex(algebra, &algebra.not(v)?)?);
    let window = hi.saturating_sub(lo);
    match op {
        Ebf => {
            let goal = fair(a)?;
            let y = steps(goal.clone(), window, |y| {
                algebra.join(&goal, &ex(algebra, y)?)
            })?;
            steps(y, lo, |y| ex(algebra, y))
        }
        Ebg => {
            let y = steps(fair(a)?, window, |y| algebra.meet(a, &ex(algebra, y)?))?;
            steps(y, lo, |y| ex(algebra, y))
        }
        Abf => algebra.not(&bounded(algebra, Ebg, lo, hi, &algebra.not(a)?, None)?),
        Abg => algebra.not(&bounded(algebra, Ebf, lo, hi, &algebra.not(a)?, None)?),
        Ebu => {
            let goal = fair(b.expect("BU has two operands"))?;
            let y = steps(goal.clone(), window, |y| {
                algebra.join(&goal, &algebra.meet(a, &ex(algebra, y)?)?)
            })?;
            steps(y, lo, |y| algebra.meet(a, &ex(algebra, y)?))
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
