//! The values that a variable of some type can have.

use super::arith;
use super::{Value, VarType};

impl VarType {
    /// Whether the type has the value.
    pub fn contains(&self, v: &Value) -> bool {
        match (self, v) {
            (VarType::Bool, Value::Bool(_)) => true,
            (VarType::Range { lo, hi }, Value::Int(i)) => lo <= i && i <= hi,
            (VarType::Enum(values), v) => values.contains(v),
            (VarType::Word { signed, width }, Value::Word(w)) => {
                w.signed == *signed && w.width == *width
            }
            _ => false,
        }
    }

    /// Number of values, if it fits.
    pub fn size(&self) -> Option<u64> {
        match self {
            VarType::Bool => Some(2),
            VarType::Range { lo, hi } => Some((hi - lo + 1) as u64),
            VarType::Enum(values) => Some(values.len() as u64),
            VarType::Word { width, .. } => 1u64.checked_shl(*width),
        }
    }

    /// All values in order; meant for small types.
    pub fn values(&self) -> Vec<Value> {
        match self {
            VarType::Bool => vec![Value::Bool(false), Value::Bool(true)],
            VarType::Range { lo, hi } => (*lo..=*hi).map(Value::Int).collect(),
            VarType::Enum(values) => values.clone(),
            VarType::Word { signed, width } => (0..self.size().unwrap_or(0))
                .map(|i| Value::Word(arith::word(*signed, *width, &i.into())))
                .collect(),
        }
    }
}
