//! What the shell knows between two commands: the stages that are done, properties and what was found of
//! them, traces, variables, aliases, history.

use super::variables::Variables;
use super::{Answer, Stop};
use crate::cli::check::{Kept, Status, Work};
use crate::cli::context::Context;
use crate::encode::{BddFsm, EncodeError};
use crate::model::{ExprId, Extra, FlatModel, Source};
use crate::trace::Trace;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What is known of a property.
#[derive(Clone, Copy, Debug, Default)]
pub struct Record {
    pub status: Status,
    /// Number of its counterexample.
    pub trace: Option<usize>,
}

/// The machine and what has been computed of it.
pub struct Machine {
    pub fsm: BddFsm,
    /// Absent only while a command uses it.
    kept: Option<Kept>,
}

/// How far the model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    Read,
    Flattened,
    Encoded,
    Built,
}

/// A state of a stored trace; both count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub trace: usize,
    pub step: usize,
}

/// The shell's memory.
pub struct Session {
    pub context: Context,
    pub variables: Variables,
    /// Command lines by the names that stand for them.
    pub aliases: BTreeMap<String, String>,
    /// Lines as they were read, with their line breaks.
    pub history: Vec<String>,
    pub source: Option<Source>,
    pub model: Option<Rc<FlatModel>>,
    /// The model of a source with errors that were passed over: good for its hierarchy only.
    pub partial: Option<Rc<FlatModel>>,
    pub(super) extras: Vec<Extra>,
    /// Expressions read before, by text and whether they may look at next states.
    pub(super) expressions: BTreeMap<(String, bool), ExprId>,
    pub encoded: bool,
    pub flat_built: bool,
    pub boolean_built: bool,
    pub machine: Option<Machine>,
    /// By number of the property.
    pub records: Vec<Record>,
    /// All traces, in the order of their numbers.
    pub traces: Vec<Trace>,
    /// Where simulation goes on.
    pub current: Option<Place>,
    /// After `pick_state -s` NuSMV names the current state by the next trace.
    pub label_ahead: bool,
    /// For random choices.
    pub random: u64,
    /// How many scripts are running.
    pub depth: usize,
    /// Processor time at the last `time`.
    pub last_time: f64,
}

impl Session {
    pub fn new(mut context: Context) -> Session {
        context.shell = true;
        // The option is for the batch run; here it is check_ctlspec -a.
        context.options.accepting = None;
        Session {
            variables: Variables::new(&context.options),
            context,
            aliases: BTreeMap::new(),
            history: Vec::new(),
            source: None,
            model: None,
            partial: None,
            extras: Vec::new(),
            expressions: BTreeMap::new(),
            encoded: false,
            flat_built: false,
            boolean_built: false,
            machine: None,
            records: Vec::new(),
            traces: Vec::new(),
            current: None,
            label_ahead: false,
            random: 0x9e37_79b9_7f4a_7c15,
            depth: 0,
            last_time: 0.0,
        }
    }

    /// Writes a result.
    pub fn out(&self, text: &str) {
        self.context.console().out(text);
    }

    /// Writes a message.
    pub fn err(&self, text: &str) {
        self.context.console().err(text);
    }

    /// Writes a message and a line break; the command has failed.
    pub fn fail<T>(&self, text: impl std::fmt::Display) -> Answer<T> {
        self.err(&format!("{text}\n"));
        Err(Stop::Failed)
    }

    /// Fails unless the model is as far as `stage`.
    pub fn need(&self, stage: Stage) -> Answer {
        let text = if self.source.is_none() {
            "A model must be read before. Use the \"read_model\" command."
        } else if self.model.is_none() && stage >= Stage::Flattened {
            "The hierarchy must be flattened before. Use the \"flatten_hierarchy\" command."
        } else if !self.encoded && stage >= Stage::Encoded {
            "The variables must be built before. Use the \"encode_variables\" command."
        } else if self.machine.is_none() && stage >= Stage::Built {
            "A model must be built before. Use the \"build_model\" command."
        } else {
            return Ok(());
        };
        self.fail(text)
    }

    /// The flat model; fails if there is none.
    pub fn model(&self) -> Answer<&Rc<FlatModel>> {
        self.need(Stage::Flattened)?;
        self.model.as_ref().ok_or(Stop::Failed)
    }

    /// The machine; fails if there is none.
    pub fn fsm(&self) -> Answer<&BddFsm> {
        self.need(Stage::Built)?;
        self.machine.as_ref().map(|m| &m.fsm).ok_or(Stop::Failed)
    }

    /// The name of the model's file.
    pub fn file(&self) -> &str {
        self.source.as_ref().map_or("", |s| &s.file)
    }

    /// Puts the machine in place.
    pub fn set_machine(&mut self, fsm: BddFsm) {
        let kept = Work::new(&fsm, self.context.options.verbosity).suspend();
        self.machine = Some(Machine {
            fsm,
            kept: Some(kept),
        });
    }

    /// Runs `f` on the machine and what has been computed of it.
    pub fn with_work<R>(&mut self, f: impl FnOnce(&Parts, &mut Work) -> R) -> Answer<R> {
        self.need(Stage::Built)?;
        let (Some(machine), Some(source), Some(model)) =
            (&mut self.machine, &self.source, &self.model)
        else {
            return Err(Stop::Failed);
        };
        let parts = Parts {
            context: &self.context,
            source,
            model,
            traces: self.traces.len(),
        };
        let verbosity = self.context.options.verbosity;
        let mut work = Work::resume(&machine.fsm, machine.kept.take(), verbosity);
        let result = f(&parts, &mut work);
        machine.kept = Some(work.suspend());
        Ok(result)
    }

    /// Fails with the message that belongs to an engine's error.
    pub fn failed<T>(&self, what: &str, error: &EncodeError) -> Answer<T> {
        match (error, &self.source) {
            (EncodeError::Dd(_), _) | (_, None) => {
                self.context.gave_up(what, error);
            }
            (_, Some(source)) => self.context.encode_error(source, error),
        }
        Err(Stop::Failed)
    }

    /// Forgets the model and all that came of it.
    pub fn reset(&mut self) {
        self.source = None;
        self.model = None;
        self.partial = None;
        self.extras.clear();
        self.expressions.clear();
        self.encoded = false;
        self.flat_built = false;
        self.boolean_built = false;
        self.machine = None;
        self.records.clear();
        self.traces.clear();
        self.current = None;
        *self.context.order.borrow_mut() = None;
    }
}

/// What a command on the machine reads besides it.
pub struct Parts<'s> {
    pub context: &'s Context,
    pub source: &'s Source,
    pub model: &'s Rc<FlatModel>,
    /// Number of traces stored before.
    pub traces: usize,
}
