//! The properties of a model: which, in which order, on which machine, and what is said of each.
//!
//! Without `-coi` one machine serves all properties; with it each gets the machine of its cone. An error in
//! an expression ends the properties of that kind, as in NuSMV; the others go on.
//!
//! Files: `work` a machine with what is known of it; `verdict` the engines; `vacuity` what `-vacuity`
//! adds; `report` what is written; `parallel` properties in copies of the process.

mod parallel;
mod report;
mod vacuity;
mod verdict;
mod work;

use super::context::Context;
use super::exit::Exit;
use super::messages::ABORT;
use crate::base::system::cpu_time;
use crate::encode::EncodeError;
use crate::engine::accepting::Accepting;
use crate::engine::outcome::{Quantity, Unknown, Verdict};
use crate::model::dependencies::coi::{Cones, checking_order};
use crate::model::{FlatModel, PropFormula, PropKind, Property, PslFormula, Source};
use crate::report::vacuity::Summary;
use crate::report::verdict as lines;
use crate::trace::Trace;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cell::{Cell, OnceCell, RefCell};
use std::fs::File;
use std::rc::Rc;
use std::time::{Duration, Instant};
pub use work::{Kept, Work};

/// One run through the properties.
pub struct Check<'a> {
    batch: &'a Context,
    source: &'a Source,
    model: &'a Rc<FlatModel>,
    /// How many traces were printed.
    traces: usize,
    /// What became of the properties, in the order of checking.
    pub answers: Vec<Answer>,
    /// The traces printed.
    pub shown: Vec<Trace>,
    /// The worst that happened.
    pub exit: Exit,
    /// Kinds that met an error, or everything after an exhaustion.
    stopped: Vec<PropKind>,
    /// Whether an expression had no value: the run ends after the properties.
    pub failed: bool,
    exhausted: Option<Unknown>,
    /// That of `-a FILE` once it is needed; none in it if it cannot be written.
    accepting_file: RefCell<Option<Option<File>>>,
    summary: Summary,
    /// Whether the reachable states of the whole model were known before the first property.
    known_before: OnceCell<bool>,
    /// Lookups in computed tables of machines that are gone.
    spent: Cell<f64>,
}

/// The machine for a property.
enum On<'w, 'f, 'm> {
    /// Of the whole model, or of a part that serves as well.
    Whole(&'w mut Work<'f>),
    /// Of its cone of influence (`-coi`), made for it.
    Cone(&'w Cones<'m>),
}

/// What became of a property.
pub struct Answer {
    /// Of the property.
    pub index: u32,
    /// What was found.
    pub status: Status,
    /// Number of the counterexample.
    pub trace: Option<usize>,
}

/// What is known of a property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    #[default]
    Unchecked,
    True,
    False,
    Quantity(Quantity),
}

/// What was found of a property.
#[derive(Serialize, Deserialize)]
struct Outcome {
    verdict: Verdict,
    extra: Extra,
    /// Of the verdict alone.
    time: Duration,
}

impl Outcome {
    fn unknown(why: Unknown) -> Self {
        Outcome {
            verdict: Verdict::Unknown(why),
            extra: Extra::default(),
            time: Duration::ZERO,
        }
    }
}

/// What is said of a property besides its verdict.
#[derive(Default, Serialize, Deserialize)]
struct Extra {
    lines: String,
    #[serde(skip)]
    accepting: Option<Accepting>,
    vacuity: Option<Value>,
    summary: Summary,
    /// Traces that show why an atom matters, with their headings.
    witnesses: Vec<(String, Trace)>,
}

impl<'a> Check<'a> {
    pub fn new(batch: &'a Context, source: &'a Source, model: &'a Rc<FlatModel>) -> Self {
        Check {
            batch,
            source,
            model,
            traces: 0,
            answers: Vec::new(),
            shown: Vec::new(),
            exit: Exit::Evaluated,
            stopped: Vec::new(),
            failed: false,
            exhausted: None,
            accepting_file: RefCell::default(),
            summary: Summary::default(),
            known_before: OnceCell::new(),
            spent: Cell::new(0.0),
        }
    }

    /// Traces are numbered from the one after `traces`.
    pub fn after(mut self, traces: usize) -> Self {
        self.traces = traces;
        self
    }

    /// Checks one property on a machine, as the shell does.
    pub fn single(&mut self, p: &'a Property, work: &mut Work) {
        self.one(p, &mut On::Whole(work));
    }

    /// Checks one property on the machine of its cone.
    pub fn single_apart(&mut self, p: &'a Property, cones: &Cones) {
        self.one(p, &mut On::Cone(cones));
    }

    /// The properties to check, in order. `Err` if `-n` names none.
    fn selected(&self) -> Result<Vec<&'a Property>, Exit> {
        let options = &self.batch.options;
        let properties = &self.model.properties;
        if let Some(n) = options.property {
            let Some(p) = properties.get(n as usize) else {
                let message = format!("Property indexed by {n} not present in the database.");
                let last = properties.len() as i64 - 1;
                let mut console = self.batch.console();
                console.err(format!(
                    "{message}\nValid index are in the range [0..{last}]\n{ABORT}"
                ));
                console.fail(Exit::Model, &message, None);
                return Err(Exit::Model);
            };
            return Ok(vec![p]);
        }
        let skip = options.skip;
        let skipped = |kind| match kind {
            PropKind::Ctl => skip.ctl,
            PropKind::Compute => skip.compute,
            PropKind::Ltl => skip.ltl,
            PropKind::Psl => skip.psl,
            PropKind::Invar => skip.invar,
        };
        let order = checking_order(self.model, true);
        let all = order.into_iter().map(|i| &properties[i as usize]);
        Ok(all.filter(|p| !skipped(p.kind)).collect())
    }

    /// Checks all on one machine.
    pub fn together(mut self, work: &mut Work) -> Result<Exit, Exit> {
        self.all(&mut On::Whole(work))?;
        self.finish()
    }

    /// Checks each on the machine of its cone.
    pub fn apart(mut self) -> Result<Exit, Exit> {
        let cones = Cones::new(self.model);
        self.all(&mut On::Cone(&cones))?;
        self.finish()
    }

    /// One property: verdict, line, trace, document.
    fn one(&mut self, p: &'a Property, on: &mut On) {
        if !self.begin(p) {
            return;
        }
        let start = Instant::now();
        let found = match &self.exhausted {
            Some(why) => Ok(Outcome::unknown(why.clone())),
            None => self.evaluate(p, on),
        };
        self.conclude(p, found, start);
    }

    /// Announces a property; false if it is not to be checked.
    fn begin(&mut self, p: &'a Property) -> bool {
        if self.stopped.contains(&p.kind) {
            return false;
        }
        if let PropFormula::Psl {
            formula: PslFormula::Unsupported(lines),
            ..
        } = &p.formula
        {
            self.batch.refuse(self.source, self.model, lines);
            self.stopped.push(p.kind);
            self.failed = true;
            return false;
        }
        self.batch
            .say(1, &lines::evaluating(p, self.batch.options.property_style));
        if let Some(completed) = &p.completed {
            self.batch.warn_of_open_cases(&completed.lines);
        }
        true
    }

    /// The verdict and what else was asked for.
    fn evaluate(&self, p: &Property, on: &mut On) -> Result<Outcome, EncodeError> {
        let cones = match on {
            On::Whole(work) => return self.evaluate_on(p, work),
            On::Cone(cones) => cones,
        };
        let fsm = self.batch.build(self.model, Some(cones.property_cone(p)))?;
        self.batch.warn_of_empty_sets(&fsm);
        let mut work = Work::new(&fsm, self.batch.options.verbosity);
        let found = self.evaluate_on(p, &mut work);
        self.spent.set(self.spent.get() + fsm.manager.lookups());
        found
    }

    fn evaluate_on(&self, p: &Property, work: &mut Work) -> Result<Outcome, EncodeError> {
        let start = Instant::now();
        let start_cpu = cpu_time();
        let verdict = self.verdict(p, work)?;
        let time = start.elapsed();
        let check_cpu = cpu_time() - start_cpu;
        let extra = match verdict {
            Verdict::True | Verdict::False(_) => Extra {
                accepting: self.accepting(p, work)?,
                ..self.vacuity(p, work, check_cpu)?
            },
            _ => Extra::default(),
        };
        Ok(Outcome {
            verdict,
            extra,
            time,
        })
    }

    /// Writes what was found, or why nothing was.
    fn conclude(&mut self, p: &Property, found: Result<Outcome, EncodeError>, start: Instant) {
        match found {
            Ok(outcome) => self.report(p, outcome),
            Err(EncodeError::Dd(error)) => {
                let unknown = Outcome::unknown(error.into());
                let time = start.elapsed();
                self.report(p, Outcome { time, ..unknown });
            }
            Err(error) => {
                self.batch.property_error(self.source, self.model, &error);
                self.stopped.push(p.kind);
                self.failed = true;
            }
        }
    }

    /// Reports every property as not checked.
    pub fn give_up(mut self, why: &Unknown) -> Exit {
        let Ok(selected) = self.selected() else {
            return Exit::Model;
        };
        for p in selected {
            self.report(p, Outcome::unknown(why.clone()));
        }
        self.batch
            .console()
            .fail(Exit::from(why), &why.to_string(), None);
        self.exit.max(Exit::from(why))
    }

    fn finish(self) -> Result<Exit, Exit> {
        if let Some(config) = &self.batch.options.vacuity {
            let mut console = self.batch.console();
            console.out(&self.summary.lines(config.engine));
            if let Some(document) = console.document() {
                document.extra("vacuity", self.summary.json());
            }
        }
        if self.failed {
            self.batch.console().err(self.batch.last_words());
            return Err(Exit::Model);
        }
        if self.exit != Exit::Evaluated {
            let message = "not every property was checked";
            self.batch.console().fail(self.exit, message, None);
        }
        Ok(self.exit)
    }
}
