//! Types of expressions.
//!
//! [`rules::infer`] gives the type of one node from those of its operands, or the complaint NuSMV
//! 2.6.0 makes. Flattening calls it for every node it builds, so that complaints carry the line of
//! the occurrence at hand although equal expressions are shared; [`FlatModel::type_of`] answers
//! afterwards. Words may be wider than NuSMV's 64 bits.

pub mod rules;

use super::{ExprId, FlatModel, Value, VarType};
use std::fmt;

/// Type of an expression, as NuSMV's type checker sees it. The kinds of sets arise from `union`
/// and from ranges.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "named as in the language or the field")]
pub enum Type {
    Bool,
    /// Integers, ranges, enumerations of integers only.
    Int,
    /// Symbolic constants.
    Sym,
    /// Enumerations of integers and symbols.
    Mixed,
    Word {
        signed: bool,
        width: u32,
    },
    BoolSet,
    IntSet,
    SymSet,
    MixedSet,
    Array {
        lo: i64,
        hi: i64,
        cell: Box<Type>,
    },
    /// The value of [`super::Node::Fail`]: fits anything.
    Any,
    /// Ill-typed, and said so already.
    Error,
}

impl Type {
    /// Type of a variable.
    pub fn of_var(ty: &VarType) -> Type {
        match ty {
            VarType::Bool => Type::Bool,
            VarType::Range { .. } => Type::Int,
            VarType::Word { signed, width } => Type::Word {
                signed: *signed,
                width: *width,
            },
            VarType::Enum(values) => {
                let ints = values.iter().filter(|v| matches!(v, Value::Int(_))).count();
                match ints {
                    0 => Type::Sym,
                    n if n == values.len() => Type::Int,
                    _ => Type::Mixed,
                }
            }
        }
    }

    /// Type of a constant.
    pub fn of_value(v: &Value) -> Type {
        match v {
            Value::Bool(_) => Type::Bool,
            Value::Int(_) => Type::Int,
            Value::Sym(_) => Type::Sym,
            Value::Word(w) => Type::Word {
                signed: w.signed,
                width: w.width,
            },
            Value::Set(s) => s
                .iter()
                .map(|v| Type::of_value(v).as_set().unwrap_or(Type::Error))
                .reduce(|a, b| if a == b { a } else { Type::MixedSet })
                .unwrap_or(Type::Error),
        }
    }

    /// The type of sets of such values; `None` for words and arrays.
    pub fn as_set(&self) -> Option<Type> {
        match self {
            Type::Bool | Type::BoolSet => Some(Type::BoolSet),
            Type::Int | Type::IntSet => Some(Type::IntSet),
            Type::Sym | Type::SymSet => Some(Type::SymSet),
            Type::Mixed | Type::MixedSet => Some(Type::MixedSet),
            _ => None,
        }
    }

    /// A word of either sign.
    pub fn is_word(&self) -> bool {
        matches!(self, Type::Word { .. })
    }

    /// A set of values of some type.
    pub fn is_set(&self) -> bool {
        matches!(
            self,
            Type::BoolSet | Type::IntSet | Type::SymSet | Type::MixedSet
        )
    }

    /// Boolean, integer or enumeration: what `-old` mixes freely.
    pub fn is_enum_like(&self) -> bool {
        matches!(self, Type::Bool | Type::Int | Type::Sym | Type::Mixed)
    }

    /// Width of a word type.
    pub fn width(&self) -> Option<u32> {
        match self {
            Type::Word { width, .. } => Some(*width),
            _ => None,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bool => f.write_str("boolean"),
            Type::Int => f.write_str("integer"),
            Type::Sym => f.write_str("symbolic-enum"),
            Type::Mixed => f.write_str("integer-and-symbolic-enum"),
            Type::Word {
                signed: false,
                width,
            } => write!(f, "unsigned word[{width}]"),
            Type::Word {
                signed: true,
                width,
            } => write!(f, "signed word[{width}]"),
            Type::BoolSet => f.write_str("boolean-set"),
            Type::IntSet => f.write_str("integer-set"),
            Type::SymSet => f.write_str("symbolic-set"),
            Type::MixedSet => f.write_str("integer-symbolic-set"),
            Type::Array { lo, hi, cell } => write!(f, "array {lo}..{hi} of {cell}"),
            Type::Any | Type::Error => f.write_str("no type"),
        }
    }
}

impl FlatModel {
    /// Type of an expression of the pool, also of one added after flattening.
    pub fn type_of(&self, id: ExprId) -> Type {
        if let Some(t) = self.types.get(id.0 as usize) {
            return t.clone();
        }
        crate::base::deep(|| {
            let node = self.pool.node(id);
            let mut issues = Vec::new();
            let look = |e: ExprId| self.type_of(e);
            rules::infer(node, self.pool.is_case(id), self, &look, false, &mut issues)
        })
    }

    /// Types of all expressions so far, indexed by id, in one pass.
    pub fn extend_types(&mut self) {
        for i in self.types.len()..self.pool.len() {
            let t = self.type_of(ExprId(i as u32));
            self.types.push(t);
        }
    }
}
