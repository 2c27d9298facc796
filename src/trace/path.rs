//! A trace: states and the inputs between them.

use crate::model::explicit::lasso::{Lasso, Place};
use crate::model::{FlatModel, Value, VarId};
use serde::{Deserialize, Serialize};

/// What a trace shows; decides its description line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TraceKind {
    /// To SPEC.
    CtlCounterexample,
    /// To LTLSPEC.
    LtlCounterexample,
    /// To PSLSPEC.
    PslCounterexample,
    /// INVARSPEC
    AgAlphaCounterexample,
    /// `-AG`
    AgOnlyCounterexample,
    /// A walk of the shell.
    Simulation,
    /// A path of the machine that `execute_partial_traces` has found.
    Execution,
}

/// What a trace from a file says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// The text of the description line.
    pub description: String,
    /// The type's number in XML.
    pub code: u8,
    /// Steps (from 0) to which the last one returns.
    pub loops: Vec<usize>,
}

/// One step: the values of all state and frozen variables and, from the second step on, of the
/// input variables that led here. Indexed by [`VarId`]; `None` = not of this kind or left out by
/// the cone of influence. `input` may be empty: long traces of models without inputs fill memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Values of state and frozen variables.
    pub state: Vec<Option<Value>>,
    /// Values of inputs in the transition into this step.
    pub input: Vec<Option<Value>>,
}

impl Step {
    /// Value of a state or frozen variable.
    pub fn state_value(&self, v: VarId) -> Option<&Value> {
        self.state.get(v.0 as usize)?.as_ref()
    }

    /// Value of an input variable of the transition into this step.
    pub fn input_value(&self, v: VarId) -> Option<&Value> {
        self.input.get(v.0 as usize)?.as_ref()
    }
}

/// A path; `loop_to` is set when it is a lasso: the last step repeats step `loop_to` (from 0).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// What it shows, which the description line tells.
    pub kind: TraceKind,
    /// At least one.
    pub steps: Vec<Step>,
    /// None: a finite path.
    pub loop_to: Option<usize>,
    /// Of LTL and PSL: further steps equal to the last one, what the formula remembers included.
    pub repeats: Vec<usize>,
    /// Of a trace that was read from a file; it then goes before `kind`.
    pub label: Option<Label>,
}

impl Trace {
    /// A path that the machine has; whatever else is said of it comes later.
    pub fn new(kind: TraceKind, steps: Vec<Step>, loop_to: Option<usize>) -> Trace {
        Trace {
            kind,
            steps,
            loop_to,
            repeats: Vec::new(),
            label: None,
        }
    }

    /// The infinite path that returns from the last step to step `start`, which it must repeat.
    pub fn lasso<'a>(&'a self, model: &'a FlatModel, start: usize) -> Lasso<'a> {
        let places = self.steps.windows(2).map(|pair| Place {
            state: &pair[0].state,
            input: &pair[1].input,
        });
        Lasso::new(model, places.collect(), start)
    }
}
