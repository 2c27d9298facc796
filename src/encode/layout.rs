//! Variables ↔ bits, and their order.
//!
//! A Boolean takes one bit, a range or enumeration the bits of the index of its value in
//! declaration order, a word its own bits; the most significant bit comes first. Current and next bit
//! of a state variable are adjacent and stay so under reordering; inputs and frozen variables
//! have no next bit. The default order is NuSMV's: inputs, state variables as declared, frozen
//! variables. Each value has one code; codes without a value are excluded by `valid` constraints.

use crate::dd::{Bdd, DdResult, GroupKind, Manager, VarIndex};
use crate::model::arith;
use crate::model::{FlatModel, Value, Var, VarId, VarKind, VarType};
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// The bits of one variable, most significant first.
#[derive(Clone, Debug, Default)]
pub struct VarBits {
    pub current: Vec<VarIndex>,
    /// Of state variables only.
    pub next: Vec<VarIndex>,
}

/// An entry of an order: a variable with all its bits, or one bit (0 = least significant).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OrderName {
    Var(VarId),
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
    pub frozen_bits: Vec<VarIndex>,
    pub input_bits: Vec<VarIndex>,
    pub next_bits: Vec<VarIndex>,
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
    /// Creates the bits in `manager`. `order` names variables or bits that come first, in that
    /// order; all others follow in the default order. `included` tells the variables to encode.
    pub fn new(
        model: &FlatModel,
        manager: &Manager,
        order: &[OrderName],
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
            });
        }
        let mut layout = Layout {
            vars,
            encoded,
            state_bits: Vec::new(),
            frozen_bits: Vec::new(),
            input_bits: Vec::new(),
            next_bits: Vec::new(),
        };
        let kinds = [VarKind::Input, VarKind::State, VarKind::Frozen];
        let default: Vec<OrderName> = kinds
            .into_iter()
            .flat_map(|kind| {
                let of = |v: &&VarId| model.var(**v).kind == kind;
                layout
                    .encoded
                    .iter()
                    .filter(of)
                    .map(|&v| OrderName::Var(v))
                    .collect::<Vec<_>>()
            })
            .collect();
        for &name in order.iter().chain(&default) {
            match name {
                OrderName::Var(v) => {
                    for bit in (0..layout.width(v)).rev() {
                        layout.create(manager, v, bit)?;
                    }
                }
                OrderName::Bit(v, bit) => layout.create(manager, v, bit)?,
            }
        }
        for &v in &layout.encoded.clone() {
            let bits = layout.bits(v).clone();
            match model.var(v).kind {
                VarKind::State => {
                    layout.state_bits.extend(&bits.current);
                    layout.next_bits.extend(&bits.next);
                }
                VarKind::Input => layout.input_bits.extend(&bits.current),
                VarKind::Frozen => layout.frozen_bits.extend(&bits.current),
            }
        }
        Ok(layout)
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
        bits.current[at] = manager.num_vars();
        manager.new_var()?;
        if !bits.next.is_empty() {
            bits.next[at] = manager.num_vars();
            manager.new_var()?;
            manager.group(bits.current[at], 2, GroupKind::Fixed)?;
        }
        Ok(())
    }

    /// The encoded variables, in declaration order.
    pub fn encoded(&self) -> &[VarId] {
        &self.encoded
    }

    pub fn is_encoded(&self, v: VarId) -> bool {
        self.vars[v.0 as usize].is_some()
    }

    /// The bits of an encoded variable.
    pub fn bits(&self, v: VarId) -> &VarBits {
        self.vars[v.0 as usize]
            .as_ref()
            .expect("an encoded variable")
    }

    /// The current-state bits of state and frozen variables: what a state is.
    pub fn all_state_bits(&self) -> Vec<VarIndex> {
        self.state_bits
            .iter()
            .chain(&self.frozen_bits)
            .copied()
            .collect()
    }

    /// The value with this code; codes beyond the last value stand for the last.
    pub fn decode(var: &Var, code: &[bool]) -> Value {
        let number = || {
            code.iter().fold(BigUint::zero(), |n, &bit| {
                (n << 1u32) + if bit { BigUint::one() } else { BigUint::zero() }
            })
        };
        match &var.ty {
            VarType::Bool => Value::Bool(code[0]),
            VarType::Range { lo, hi } => {
                let offset = i64::try_from(number()).unwrap_or(i64::MAX);
                Value::Int((*lo).saturating_add(offset).min(*hi))
            }
            VarType::Enum(values) => {
                let index = usize::try_from(number()).unwrap_or(usize::MAX);
                values[index.min(values.len() - 1)].clone()
            }
            VarType::Word { signed, width } => {
                Value::Word(arith::word(*signed, *width, &number().into()))
            }
        }
    }

    /// The code of a value, if the type has it.
    pub fn code(var: &Var, value: &Value) -> Option<Vec<bool>> {
        let n = width(&var.ty);
        let index = match (&var.ty, value) {
            (VarType::Bool, Value::Bool(b)) => return Some(vec![*b]),
            (VarType::Bool, Value::Int(i @ 0..=1)) => return Some(vec![*i == 1]),
            (VarType::Range { lo, hi }, Value::Int(i)) if lo <= i && i <= hi => {
                BigUint::from((i - lo) as u64)
            }
            (VarType::Range { lo, hi }, Value::Bool(b)) if (*lo..=*hi).contains(&i64::from(*b)) => {
                BigUint::from((i64::from(*b) - lo) as u64)
            }
            (VarType::Enum(values), v) => {
                BigUint::from(values.iter().position(|w| arith::equal(v, w))?)
            }
            (VarType::Word { .. }, Value::Word(w)) => w.bits.clone(),
            _ => return None,
        };
        Some((0..n).rev().map(|i| index.bit(u64::from(i))).collect())
    }

    /// The codes of a variable that stand for a value, over its current or next bits.
    pub fn valid(&self, manager: &Manager, var: &Var, bits: &[VarIndex]) -> DdResult<Bdd> {
        let last = match (&var.ty, var.ty.size()) {
            (VarType::Range { .. } | VarType::Enum(_), Some(size)) => size - 1,
            _ => return Ok(manager.one()),
        };
        // code ≤ last, from the least significant bit upwards
        let mut result = manager.one();
        for (i, &bit) in bits.iter().rev().enumerate() {
            let literal = manager.var(bit).not();
            result = if last >> i & 1 == 1 {
                literal.or(&result)?
            } else {
                literal.and(&result)?
            };
        }
        Ok(result)
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
            span: Default::default(),
            line: 0,
        };
        for i in -2..=3 {
            let code = Layout::code(&var, &Value::Int(i)).unwrap();
            assert_eq!(Layout::decode(&var, &code), Value::Int(i));
        }
        assert_eq!(Layout::code(&var, &Value::Int(4)), None);
    }
}
