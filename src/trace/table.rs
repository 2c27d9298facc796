//! A trace as a table: symbols × steps, in the order in which NuSMV prints them.
//!
//! `FlatModel` + [`super::Trace`] → [`Table`] (built by `build`), which all writers read. A column holds
//! one value per step; `None` where the symbol has none (the inputs of the first step, what looks
//! at the next state in the last step, symbols outside the cone of influence).

use super::TraceKind;
use crate::model::{ExprPool, Value, Word};
use num_bigint::BigInt;

/// A value ready for writing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    Bool(bool),
    Int(i64),
    /// A symbolic constant.
    Symbol(String),
    /// A word in NuSMV's decimal notation.
    Word(String),
    /// At least two values, in source order.
    Set(Vec<Cell>),
}

impl Cell {
    /// The cell for a value of the model to which `pool` belongs.
    pub fn new(value: &Value, pool: &ExprPool) -> Cell {
        match value {
            Value::Bool(b) => Cell::Bool(*b),
            Value::Int(n) => Cell::Int(*n),
            Value::Sym(s) => Cell::Symbol(pool.symbol_name(*s).to_owned()),
            Value::Word(w) => Cell::Word(word(w)),
            Value::Set(values) => Cell::Set(values.iter().map(|v| Cell::new(v, pool)).collect()),
        }
    }
}

/// `0ud8_15`, `-0sd8_5`
fn word(w: &Word) -> String {
    let width = w.width;
    if w.signed && width > 0 && w.bits.bit(u64::from(width) - 1) {
        let magnitude = (BigInt::from(1) << width) - BigInt::from(w.bits.clone());
        return format!("-0sd{width}_{magnitude}");
    }
    format!("0{}d{width}_{}", if w.signed { 's' } else { 'u' }, w.bits)
}

impl std::fmt::Display for Cell {
    /// NuSMV's notation. A set is its last value after a comma, the others as a `union`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Cell::Bool(b) => f.write_str(if *b { "TRUE" } else { "FALSE" }),
            Cell::Int(n) => write!(f, "{n}"),
            Cell::Symbol(s) | Cell::Word(s) => f.write_str(s),
            Cell::Set(values) => match values.as_slice() {
                [] => Ok(()),
                [init @ .., last] => {
                    // ((a union b) union c), d  without the outermost parentheses
                    for _ in 2..init.len() {
                        f.write_str("(")?;
                    }
                    for (i, v) in init.iter().enumerate() {
                        if i > 0 {
                            f.write_str(" union ")?;
                        }
                        write!(f, "{v}")?;
                        if i > 0 && i + 1 < init.len() {
                            f.write_str(")")?;
                        }
                    }
                    if !init.is_empty() {
                        f.write_str(", ")?;
                    }
                    write!(f, "{last}")
                }
            },
        }
    }
}

/// One symbol and its value in each step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    pub cells: Vec<Option<Cell>>,
}

impl Column {
    /// Symbols whose name begins so are left out of the text layout.
    pub fn hidden(&self) -> bool {
        self.name.starts_with("__")
    }
}

/// The whole trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub kind: TraceKind,
    /// Number of steps, at least 1.
    pub len: usize,
    /// Frozen variables, state variables, DEFINEs over the state.
    pub state: Vec<Column>,
    /// Input variables and DEFINEs over inputs only: of the transition into the step.
    pub input: Vec<Column>,
    /// DEFINEs over state and input, or with `next`: of the transition out of the step.
    pub combinatorial: Vec<Column>,
    /// Whether the model (or its cone of influence) has input variables.
    pub has_inputs: bool,
    /// Steps marked as the start of the loop; the last step never is.
    pub marked: Vec<bool>,
    /// The step that the last one repeats.
    pub loop_to: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_decimal() {
        let w = |signed, bits: u32| {
            word(&Word {
                signed,
                width: 4,
                bits: bits.into(),
            })
        };
        assert_eq!(w(false, 15), "0ud4_15");
        assert_eq!(w(true, 7), "0sd4_7");
        assert_eq!(w(true, 15), "-0sd4_1");
        assert_eq!(w(true, 8), "-0sd4_8");
    }

    #[test]
    fn sets_are_written_as_nusmv_does() {
        let ints = |n: i64| Cell::Set((1..=n).map(Cell::Int).collect());
        assert_eq!(ints(2).to_string(), "1, 2");
        assert_eq!(ints(3).to_string(), "1 union 2, 3");
        assert_eq!(ints(4).to_string(), "(1 union 2) union 3, 4");
        assert_eq!(ints(5).to_string(), "((1 union 2) union 3) union 4, 5");
    }
}
