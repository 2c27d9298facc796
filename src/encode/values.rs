//! Interned values: the leaves of scalar diagrams.

use crate::model::Value;
use crate::model::arith::EvalError;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// Values by id. Leaf ids index this table; [`ValueTable::ERROR`] stands for no value.
#[derive(Default)]
pub struct ValueTable {
    values: IndexSet<Value, FxBuildHasher>,
    /// The first failure that an operator met.
    error: Option<EvalError>,
}

impl ValueTable {
    /// The leaf of an operation that failed.
    pub const ERROR: u32 = u32::MAX;

    /// The id of a value.
    pub fn id(&mut self, value: Value) -> u32 {
        self.values.insert_full(value).0 as u32
    }

    /// The value of an id that [`Self::id`] gave.
    pub fn get(&self, id: u32) -> &Value {
        &self.values[id as usize]
    }

    /// The id of a result; failures are remembered.
    pub fn result(&mut self, result: Result<Value, EvalError>) -> u32 {
        match result {
            Ok(value) => self.id(value),
            Err(error) => {
                self.error.get_or_insert(error);
                Self::ERROR
            }
        }
    }

    /// Applies an operator to leaves.
    pub fn apply1(&mut self, a: u32, f: impl Fn(&Value) -> Result<Value, EvalError>) -> u32 {
        if a == Self::ERROR {
            return a;
        }
        let result = f(self.get(a));
        self.result(result)
    }

    /// Applies an operator to pairs of leaves.
    pub fn apply2(
        &mut self,
        a: u32,
        b: u32,
        f: impl Fn(&Value, &Value) -> Result<Value, EvalError>,
    ) -> u32 {
        if a == Self::ERROR || b == Self::ERROR {
            return Self::ERROR;
        }
        let result = f(self.get(a), self.get(b));
        self.result(result)
    }

    /// Takes the remembered failure.
    pub fn take_error(&mut self) -> Option<EvalError> {
        self.error.take()
    }
}
