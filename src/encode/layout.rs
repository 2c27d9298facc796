//! Variables ↔ bits, and their order.
//!
//! A Boolean takes one bit, a word its own bits, most significant on top. A range or enumeration of n
//! values is coded like NuSMV does: the top bit tells the values at even positions from those at odd
//! ones, and so on in each half until one value is left. So the bits are those of the value's
//! position, *least* significant on top, and where n is no power of two some values are decided
//! before the last bit, which then does not matter: every code has a value, and all sets and
//! relations are closed under exchanging codes of the same value. [`Layout::canonical`] picks one code
//! per value, for counting.
//!
//! Current and next bit of a state variable are adjacent and stay so under reordering; inputs and
//! frozen variables have no next bit. Variables that a query asks about have a third bit beside
//! those: the fresh one. The order is that of [`order`]. Bits are named `x.2`, `x.1`, `x.0` from
//! the top.

use super::fsm::FsmConfig;
use super::order;
use crate::dd::{Bdd, DdResult, GroupKind, Manager, SwapMap, VarIndex};
use crate::model::arith;
use crate::model::dependencies::coi::VarSet;
use crate::model::{FlatModel, Value, Var, VarId, VarKind, VarType};
use num_bigint::BigUint;

/// The bits of one variable, from the top.
#[derive(Clone, Debug, Default)]
pub struct VarBits {
    /// Of words the most significant first, of ranges and enumerations the least; so are `next` and `fresh`.
    pub current: Vec<VarIndex>,
    /// Of state variables only.
    pub next: Vec<VarIndex>,
    /// Of variables that a query asks about: they stand for the value in question and are touched by
    /// no constraint.
    pub fresh: Vec<VarIndex>,
}

/// An entry of an order: a variable with all its bits, or one bit (0 = the last one).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OrderName {
    /// All bits of a variable.
    Var(VarId),
    /// One of them, counted from the bottom.
    Bit(VarId, u32),
}

/// Which bits belong to which variable.
#[derive(Clone, Debug)]
pub struct Layout {
    /// By variable; `None` for variables left out (outside the cone of influence).
    vars: Vec<Option<VarBits>>,
    /// Variables in the order of their declaration that are encoded.
    encoded: Vec<VarId>,
    /// Current bits of state variables.
    pub state_bits: Vec<VarIndex>,
    /// They have no next bits.
    pub frozen_bits: Vec<VarIndex>,
    /// They have no next bits.
    pub input_bits: Vec<VarIndex>,
    /// In step with `state_bits`.
    pub next_bits: Vec<VarIndex>,
    /// Those of `state_bits` that belong to no variable; see [`super::product`].
    pub extra_bits: Vec<VarIndex>,
}

/// Bits that a type takes.
pub fn width(ty: &VarType) -> u32 {
    match ty {
        VarType::Bool => 1,
        VarType::Word { width, .. } => *width,
        other => {
            let size = other.size().unwrap_or(1).max(1);
            (64 - (size - 1).leading_zeros()).max(1)
        }
    }
}

impl Layout {
    /// Creates the bits in `manager`, in the order that `config` asks for. `included` tells the
    /// variables to encode, and `config.fresh` those of them that get fresh bits too.
    pub fn new(
        model: &FlatModel,
        manager: &Manager,
        config: &FsmConfig,
        included: &dyn Fn(VarId) -> bool,
    ) -> DdResult<Layout> {
        let encoded: Vec<VarId> = (0..model.vars.len() as u32)
            .map(VarId)
            .filter(|&v| included(v))
            .collect();
        let mut vars: Vec<Option<VarBits>> = vec![None; model.vars.len()];
        for &v in &encoded {
            let n = width(&model.var(v).ty) as usize;
            let next = if model.var(v).kind == VarKind::State {
                n
            } else {
                0
            };
            vars[v.0 as usize] = Some(VarBits {
                current: vec![VarIndex::MAX; n],
                next: vec![VarIndex::MAX; next],
                fresh: vec![VarIndex::MAX; if config.fresh.contains(&v) { n } else { 0 }],
            });
        }
        let mut layout = Layout {
            vars,
            encoded,
            state_bits: Vec::new(),
            frozen_bits: Vec::new(),
            input_bits: Vec::new(),
            next_bits: Vec::new(),
            extra_bits: Vec::new(),
        };
        let order = order::bits(
            model,
            &layout.encoded,
            config.order.as_deref(),
            config.static_order,
            config.order_type,
        );
        for name in order {
            match name {
                OrderName::Var(v) => {
                    for bit in (0..layout.width(v)).rev() {
                        layout.create(manager, v, bit)?;
                    }
                }
                OrderName::Bit(v, bit) => layout.create(manager, v, bit)?,
            }
        }
        layout.sort_out(model);
        Ok(layout)
    }

    /// Lists the bits by kind.
    fn sort_out(&mut self, model: &FlatModel) {
        for &v in &self.encoded {
            let Some(bits) = &self.vars[v.0 as usize] else {
                continue;
            };
            match model.var(v).kind {
                VarKind::State => {
                    self.state_bits.extend(&bits.current);
                    self.next_bits.extend(&bits.next);
                }
                VarKind::Input => self.input_bits.extend(&bits.current),
                VarKind::Frozen => self.frozen_bits.extend(&bits.current),
            }
        }
    }

    /// The same bits of some variables only.
    pub(super) fn narrowed(&self, model: &FlatModel, cone: &VarSet) -> Layout {
        let of_cone =
            |(v, bits): (u32, &Option<VarBits>)| bits.clone().filter(|_| cone.contains(VarId(v)));
        let mut layout = Layout {
            vars: (0..).zip(&self.vars).map(of_cone).collect(),
            encoded: self
                .encoded
                .iter()
                .copied()
                .filter(|&v| cone.contains(v))
                .collect(),
            state_bits: Vec::new(),
            frozen_bits: Vec::new(),
            input_bits: Vec::new(),
            next_bits: Vec::new(),
            extra_bits: Vec::new(),
        };
        layout.sort_out(model);
        layout
    }

    fn width(&self, v: VarId) -> u32 {
        self.vars[v.0 as usize]
            .as_ref()
            .map_or(0, |b| b.current.len() as u32)
    }

    fn create(&mut self, manager: &Manager, v: VarId, bit: u32) -> DdResult<()> {
        let Some(bits) = &mut self.vars[v.0 as usize] else {
            return Ok(());
        };
        let Some(at) = bits.current.len().checked_sub(bit as usize + 1) else {
            return Ok(());
        };
        if bits.current[at] != VarIndex::MAX {
            return Ok(());
        }
        let mut together = 0;
        for kind in [&mut bits.current, &mut bits.next, &mut bits.fresh] {
            if let Some(bit) = kind.get_mut(at) {
                *bit = manager.num_vars();
                manager.new_var()?;
                together += 1;
            }
        }
        if together > 1 {
            manager.group(bits.current[at], together, GroupKind::Fixed)?;
        }
        Ok(())
    }

    /// The encoded variables, in declaration order.
    pub fn encoded(&self) -> &[VarId] {
        &self.encoded
    }

    /// Whether the variable has bits: those outside a cone of influence have none.
    pub fn is_encoded(&self, v: VarId) -> bool {
        self.vars[v.0 as usize].is_some()
    }

    /// The bits of an encoded variable.
    pub fn bits(&self, v: VarId) -> &VarBits {
        self.vars[v.0 as usize]
            .as_ref()
            .expect("an encoded variable")
    }

    /// Current bits ↔ next bits.
    pub fn swap_map(&self, manager: &Manager) -> SwapMap {
        let (current, next) = (self.state_bits.iter(), self.next_bits.iter());
        manager.swap_map(&current.copied().zip(next.copied()).collect::<Vec<_>>())
    }

    /// Whether a set depends on inputs.
    pub fn reads_inputs(&self, set: &Bdd) -> bool {
        set.support().iter().any(|v| self.input_bits.contains(v))
    }

    /// Whether a set depends on the next state.
    pub fn reads_next(&self, set: &Bdd) -> bool {
        set.support().iter().any(|v| self.next_bits.contains(v))
    }

    /// What an image quantifies.
    pub fn forward_bits(&self) -> Vec<VarIndex> {
        [self.state_bits.as_slice(), &self.input_bits].concat()
    }

    /// What a preimage quantifies.
    pub fn backward_bits(&self) -> Vec<VarIndex> {
        [self.next_bits.as_slice(), &self.input_bits].concat()
    }

    /// The names of all current bits with the bits, in the order of declaration: `b` for a Boolean,
    /// else `x.1`, `x.0` from the top.
    pub fn names(&self, model: &FlatModel) -> Vec<(VarIndex, String)> {
        let mut names = Vec::new();
        for &v in self.encoded() {
            let var = model.var(v);
            let current = &self.bits(v).current;
            for (i, &bit) in current.iter().enumerate() {
                let name = match var.ty {
                    VarType::Bool => var.name.clone(),
                    _ => format!("{}.{}", var.name, current.len() - 1 - i),
                };
                names.push((bit, name));
            }
        }
        names
    }

    /// The current-state bits of state and frozen variables: what a state is.
    pub fn all_state_bits(&self) -> Vec<VarIndex> {
        self.state_bits
            .iter()
            .chain(&self.frozen_bits)
            .copied()
            .collect()
    }

    /// The value with this code.
    pub fn decode(var: &Var, code: &[bool]) -> Value {
        match &var.ty {
            VarType::Bool => Value::Bool(code[0]),
            VarType::Word { signed, width } => {
                let bits = code
                    .iter()
                    .fold(BigUint::ZERO, |n, &bit| (n << 1u32) + u8::from(bit));
                Value::Word(arith::word(*signed, *width, &bits.into()))
            }
            VarType::Range { lo, .. } => Value::Int(lo + position_of(var, code) as i64),
            VarType::Enum(values) => values[position_of(var, code) as usize].clone(),
        }
    }

    /// The first code of a value, if the type has it.
    pub fn code(var: &Var, value: &Value) -> Option<Vec<bool>> {
        let n = width(&var.ty);
        let position = match (&var.ty, value) {
            (VarType::Bool, Value::Bool(b)) => return Some(vec![*b]),
            (VarType::Bool, Value::Int(i @ 0..=1)) => return Some(vec![*i == 1]),
            (VarType::Word { .. }, Value::Word(w)) => {
                return Some((0..n).rev().map(|i| w.bits.bit(u64::from(i))).collect());
            }
            _ => position(&var.ty, value)?,
        };
        Some((0..n).map(|i| position >> i & 1 == 1).collect())
    }

    /// Whether two lists of bits stand for the same value of a variable, be it by different codes.
    pub fn same_value(
        manager: &Manager,
        var: &Var,
        a: &[VarIndex],
        b: &[VarIndex],
    ) -> DdResult<Bdd> {
        let Some((last, others)) = a.len().checked_sub(1).map(|n| (n, 0..n)) else {
            return Ok(manager.one());
        };
        let mut same = manager.var(a[last]).xnor(&manager.var(b[last]))?;
        if let (VarType::Range { .. } | VarType::Enum(_), Some(size)) = (&var.ty, var.ty.size()) {
            // Positions that have no partner with the last bit on: size - 2^last and above.
            let alone = size.saturating_sub(1 << last);
            same = same.or(&at_least(manager, &a[..last], alone)?)?;
        }
        for i in others.rev() {
            same = same.and(&manager.var(a[i]).xnor(&manager.var(b[i]))?)?;
        }
        Ok(same)
    }

    /// `set` with one code for each value of some variables; `bits` tells which of their bits it is
    /// over. Variable by variable: all conditions together may have no small diagram.
    pub fn one_code(
        &self,
        model: &FlatModel,
        manager: &Manager,
        set: &Bdd,
        vars: &[VarId],
        bits: impl Fn(&VarBits) -> &[VarIndex],
    ) -> DdResult<Bdd> {
        let mut codes = set.clone();
        for &v in vars.iter().filter(|&&v| self.is_encoded(v)) {
            let one = self.canonical(manager, model.var(v), bits(self.bits(v)))?;
            codes = codes.and(&one)?;
        }
        Ok(codes)
    }

    /// One code of each value, as a set over `bits` (current, next or fresh ones).
    pub fn canonical(&self, manager: &Manager, var: &Var, bits: &[VarIndex]) -> DdResult<Bdd> {
        match (&var.ty, var.ty.size()) {
            (VarType::Range { .. } | VarType::Enum(_), Some(size)) => {
                Ok(at_least(manager, bits, size)?.not())
            }
            _ => Ok(manager.one()),
        }
    }
}

/// Whether the number with these bits, least significant first, is `least` or more.
fn at_least(manager: &Manager, bits: &[VarIndex], least: u64) -> DdResult<Bdd> {
    if least >> bits.len() != 0 {
        return Ok(manager.zero());
    }
    let mut result = manager.one();
    for (i, &bit) in bits.iter().enumerate() {
        let literal = manager.var(bit);
        result = if least >> i & 1 == 1 {
            literal.and(&result)?
        } else {
            literal.or(&result)?
        };
    }
    Ok(result)
}

/// Place of a value in the list of values of a range or enumeration.
pub fn position(ty: &VarType, value: &Value) -> Option<u64> {
    match (ty, value) {
        (VarType::Range { lo, hi }, Value::Int(i)) if lo <= i && i <= hi => Some((i - lo) as u64),
        (VarType::Enum(values), v) => values.iter().position(|w| v == w).map(|i| i as u64),
        _ => None,
    }
}

/// The position a code stands for: without its last bit, where that does not matter.
fn position_of(var: &Var, code: &[bool]) -> u64 {
    let bits = |code: &[bool]| {
        let ones = code.iter().enumerate().filter(|(_, on)| **on);
        ones.fold(0, |n, (i, _)| n | 1 << i)
    };
    let all: u64 = bits(code);
    let size = var.ty.size().unwrap_or(u64::MAX);
    if all < size {
        all
    } else {
        bits(&code[..code.len() - 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths() {
        assert_eq!(width(&VarType::Bool), 1);
        assert_eq!(width(&VarType::Range { lo: -2, hi: 2 }), 3);
        assert_eq!(width(&VarType::Range { lo: 0, hi: 7 }), 3);
        assert_eq!(width(&VarType::Range { lo: 3, hi: 3 }), 1);
        assert_eq!(
            width(&VarType::Word {
                signed: true,
                width: 9
            }),
            9
        );
    }

    #[test]
    fn codes_round_trip() {
        let var = Var {
            name: "x".into(),
            kind: VarKind::State,
            ty: VarType::Range { lo: -2, hi: 3 },
        };
        for i in -2..=3 {
            let code = Layout::code(&var, &Value::Int(i)).unwrap();
            assert_eq!(Layout::decode(&var, &code), Value::Int(i));
        }
        assert_eq!(Layout::code(&var, &Value::Int(4)), None);
        let at = |code: [bool; 3]| Layout::decode(&var, &code);
        assert_eq!(at([true, false, false]), Value::Int(-1));
        // 6 values: the last bit does not matter to the values in the middle
        assert_eq!(at([false, true, true]), Value::Int(0));
        assert_eq!(at([true, false, true]), Value::Int(3));
    }
}
