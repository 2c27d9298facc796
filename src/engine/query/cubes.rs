//! Solutions as cubes: products of sets of values, disjoint, in declaration order.
//!
//! A set of pairs (state, minterm) is taken apart by the values of one variable after the other.
//! Values that leave the same rest belong together, so that a cube's minterms all hold in the same
//! states, which are what is left at the end. A variable of many values (a word) is taken apart bit
//! by bit, the most significant first, into intervals. Cubes come one by one: only those that are
//! listed are ever made.

use crate::base::deep;
use crate::dd::{Bdd, DdResult, VarIndex};
use crate::encode::BddFsm;
use crate::model::{Value, Var, VarId, VarKind, VarType, arith};
use num_bigint::{BigInt, BigUint};
use std::ops::ControlFlow;

/// Intervals of one variable that are looked at before a listing is cut short, if no more cubes than
/// that are listed.
const INTERVALS: usize = 100;

/// A set of values of a variable, by position in its type: intervals, ascending, not adjacent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values(pub Vec<(BigUint, BigUint)>);

/// A product of sets of values.
#[derive(Clone)]
pub struct Cube {
    /// Of each variable of the placeholder, in declaration order.
    pub values: Vec<(VarId, Values)>,
    /// The states in which each of its minterms holds.
    pub states: Bdd,
}

/// The first cubes.
#[derive(Clone, Default)]
pub struct Listing {
    /// Disjoint.
    pub cubes: Vec<Cube>,
    /// There are more.
    pub cut: bool,
}

/// What to list.
#[derive(Clone, Copy)]
pub struct Wish {
    /// Cubes at most.
    pub limit: usize,
    /// Each minterm alone.
    pub minterms: bool,
}

/// Number of values of a type.
pub fn size(ty: &VarType) -> BigUint {
    match ty {
        VarType::Word { width, .. } => BigUint::from(1u32) << *width,
        ty => BigUint::from(ty.size().unwrap_or(1)),
    }
}

/// The value at a position of its type; signed words count from the least one.
pub fn value_at(ty: &VarType, position: &BigUint) -> Value {
    let small = || u64::try_from(position).unwrap_or(u64::MAX);
    match ty {
        VarType::Bool => Value::Bool(small() == 1),
        VarType::Range { lo, .. } => Value::Int(lo.wrapping_add_unsigned(small())),
        VarType::Enum(values) => values[small() as usize].clone(),
        VarType::Word { signed, width } => {
            let least = match signed {
                true => BigInt::from(1) << (width - 1),
                false => BigInt::ZERO,
            };
            let bits = BigInt::from(position.clone()) - least;
            Value::Word(arith::word(*signed, *width, &bits))
        }
    }
}

impl Values {
    /// Whether these are all values of a type.
    pub fn is_all(&self, ty: &VarType) -> bool {
        match &self.0[..] {
            [(lo, hi)] => *lo == BigUint::ZERO && hi + 1u32 == size(ty),
            _ => false,
        }
    }

    /// Adds an interval above all others.
    fn push(&mut self, lo: BigUint, hi: BigUint) {
        match self.0.last_mut() {
            Some(last) if &last.1 + 1u32 == lo => last.1 = hi,
            _ => self.0.push((lo, hi)),
        }
    }
}

/// Lists the cubes of a set of pairs. `over` are the variables of the placeholder.
pub fn list(fsm: &BddFsm, pairs: &Bdd, over: &[VarId], wish: Wish) -> DdResult<Listing> {
    let fresh = |v: VarId| fsm.layout.bits(v).fresh.clone();
    list_over(fsm, pairs, over, &fresh, wish)
}

/// Lists the cubes of a set of states, `limit` at most.
pub fn list_states(fsm: &BddFsm, states: &Bdd, limit: usize) -> DdResult<Listing> {
    let encoded = fsm.layout.encoded().iter().copied();
    let over: Vec<VarId> = encoded
        .filter(|&v| fsm.model.var(v).kind != VarKind::Input)
        .collect();
    let current = |v: VarId| fsm.layout.bits(v).current.clone();
    let minterms = false;
    list_over(fsm, states, &over, &current, Wish { limit, minterms })
}

fn list_over(
    fsm: &BddFsm,
    set: &Bdd,
    over: &[VarId],
    bits: &dyn Fn(VarId) -> Vec<VarIndex>,
    wish: Wish,
) -> DdResult<Listing> {
    let mut digits = Vec::with_capacity(over.len());
    for &v in over {
        digits.push(Digit::new(fsm, v, bits(v))?);
    }
    let mut walk = Walk {
        digits: &digits,
        wish,
        chosen: Vec::with_capacity(over.len()),
        listing: Listing::default(),
    };
    let _ = walk.below(set)?;
    Ok(walk.listing)
}

/// Told of an interval, from and to, and of what it leaves.
type Visitor<'v> = dyn FnMut(BigUint, BigUint, &Bdd) -> DdResult<ControlFlow<()>> + 'v;

/// A variable with its fresh bits, or current ones.
struct Digit<'m> {
    id: VarId,
    var: &'m Var,
    size: BigUint,
    /// Most significant first.
    bits: Vec<VarIndex>,
    /// `rest[i]`: the bits from i on, as a cube.
    rest: Vec<Bdd>,
}

impl<'m> Digit<'m> {
    fn new(fsm: &'m BddFsm, id: VarId, mut bits: Vec<VarIndex>) -> DdResult<Self> {
        let var = fsm.model.var(id);
        // The bits of a position are least significant first.
        if matches!(var.ty, VarType::Range { .. } | VarType::Enum(_)) {
            bits.reverse();
        }
        let rest = (0..bits.len())
            .map(|i| fsm.manager.cube(&bits[i..]))
            .collect::<DdResult<_>>()?;
        Ok(Digit {
            id,
            var,
            size: size(&var.ty),
            bits,
            rest,
        })
    }

    /// Whether position and bits differ in the top bit.
    fn is_signed(&self) -> bool {
        matches!(self.var.ty, VarType::Word { signed: true, .. })
    }

    /// Calls `f` for the intervals of positions that leave something, ascending, with what they
    /// leave. `position` is the number of the bits decided so far, `at` how many those are.
    fn intervals(
        &self,
        set: &Bdd,
        at: usize,
        position: &BigUint,
        f: &mut Visitor,
    ) -> DdResult<ControlFlow<()>> {
        let left = self.bits.len() - at;
        let lo = position << left;
        if set.is_zero() || lo >= self.size {
            return Ok(ControlFlow::Continue(()));
        }
        if left == 0 || set.exists(&self.rest[at])? == *set {
            let hi = (&lo + (BigUint::from(1u32) << left)).min(self.size.clone()) - 1u32;
            return f(lo, hi, set);
        }
        let literal = set.manager().var(self.bits[at]);
        for on in [false, true] {
            let literal = if on != (at == 0 && self.is_signed()) {
                literal.clone()
            } else {
                literal.not()
            };
            let position = (position << 1u32) + u32::from(on);
            let rest = set.cofactor(&literal)?;
            if deep(|| self.intervals(&rest, at + 1, &position, f))?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

struct Walk<'a, 'm> {
    digits: &'a [Digit<'m>],
    wish: Wish,
    chosen: Vec<(VarId, Values)>,
    listing: Listing,
}

impl Walk<'_, '_> {
    /// Lists what is in `set`, the first variables being decided.
    fn below(&mut self, set: &Bdd) -> DdResult<ControlFlow<()>> {
        if set.is_zero() {
            return Ok(ControlFlow::Continue(()));
        }
        if self.listing.cubes.len() >= self.wish.limit {
            self.listing.cut = true;
            return Ok(ControlFlow::Break(()));
        }
        let Some(digit) = self.digits.get(self.chosen.len()) else {
            self.listing.cubes.push(Cube {
                values: self.chosen.clone(),
                states: set.clone(),
            });
            return Ok(ControlFlow::Continue(()));
        };
        if self.wish.minterms {
            return digit.intervals(set, 0, &BigUint::ZERO, &mut |mut lo, hi, rest| {
                while lo <= hi {
                    let one = Values(vec![(lo.clone(), lo.clone())]);
                    if self.enter(digit.id, one, rest)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                    lo += 1u32;
                }
                Ok(ControlFlow::Continue(()))
            });
        }
        let mut classes: Vec<(Values, Bdd)> = Vec::new();
        let mut seen = 0;
        let complete = digit.intervals(set, 0, &BigUint::ZERO, &mut |lo, hi, rest| {
            match classes.iter_mut().find(|c| c.1 == *rest) {
                Some((values, _)) => values.push(lo, hi),
                None => classes.push((Values(vec![(lo, hi)]), rest.clone())),
            }
            seen += 1;
            Ok(
                if seen >= INTERVALS.max(self.wish.limit) || classes.len() > self.wish.limit {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                },
            )
        })?;
        for (values, rest) in classes {
            if self.enter(digit.id, values, &rest)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        self.listing.cut |= complete.is_break();
        Ok(complete)
    }

    fn enter(&mut self, v: VarId, values: Values, rest: &Bdd) -> DdResult<ControlFlow<()>> {
        self.chosen.push((v, values));
        let flow = deep(|| self.below(rest));
        self.chosen.pop();
        flow
    }
}
