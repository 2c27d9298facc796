//! The batch run: model file → source tree → flat model → machine → properties, with NuSMV's order
//! of messages and its ways to end.

use super::check::{Check, Work};
use super::console::Console;
use super::exit::Exit;
use super::load::load;
use super::messages::{self, ABORT, ABORT_PARSER};
use super::options::Options;
use super::order_file;
use super::vacuity;
use crate::base::CancelToken;
use crate::dd::Bdd;
use crate::diag::Diagnostic;
use crate::encode::{BddFsm, EncodeError, FsmConfig, OrderName};
use crate::engine::algebra::Machine;
use crate::engine::outcome::Unknown;
use crate::engine::totality as deadlocks;
use crate::logic::split;
use crate::model::dependencies::coi::VarSet;
use crate::model::{FlatModel, FlattenOptions, Source, Value, VarType, Word, flatten};
use crate::report::totality::{self, Deadlock, Totality};
use crate::report::{Warning, boolean_model, flat_model, listing, reachable, statistics, warning};
use crate::trace::Cell;
use smv_grammar::ast::Span;
use std::cell::RefCell;
use std::ffi::OsStr;
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Runs the pipeline; the result says how it ended.
pub fn run(options: &Options, console: &Mutex<Console>, token: &CancelToken) -> Exit {
    let batch = Batch {
        options,
        console,
        token,
        order: RefCell::default(),
        replaced: RefCell::default(),
    };
    match batch.run() {
        Ok(exit) | Err(exit) => exit,
    }
}

/// What every stage needs. `Err` ends the run; its message has been written.
pub struct Batch<'a> {
    pub options: &'a Options,
    console: &'a Mutex<Console>,
    token: &'a CancelToken,
    /// From the file of `-i`.
    order: RefCell<Vec<OrderName>>,
    /// For `-vacuity_witness`.
    pub replaced: RefCell<vacuity::Replaced>,
}

impl Batch<'_> {
    pub fn console(&self) -> MutexGuard<'_, Console> {
        self.console.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Progress, under `-v`.
    pub fn say(&self, level: i32, text: &str) {
        if self.options.verbosity >= level {
            self.console().err(text);
        }
    }

    fn run(&self) -> Result<Exit, Exit> {
        self.say(1, "Starting the batch interaction.\n");
        let source = self.load()?;
        let mut model = self.flatten(&source)?;
        if self.options.split {
            split::split(&mut model, &source.ast);
        }
        if self.options.witnesses {
            let replaced = vacuity::prepare_witnesses(&mut model, &source.ast);
            *self.replaced.borrow_mut() = replaced;
        }
        if self.options.list_properties {
            self.list(&source, &model);
            return Ok(Exit::Evaluated);
        }
        let model = Rc::new(model);
        self.write_models(&source, &model)?;
        self.read_orders(&model)?;
        self.write_boolean_model(&source, &model)?;
        let exit = if self.options.cone {
            self.check_cones(&source, &model)?
        } else {
            self.check_model(&source, &model)?
        };
        self.say(1, "Done \n\nSuccessful termination\n");
        Ok(exit)
    }

    fn load(&self) -> Result<Source, Exit> {
        if let Some(file) = &self.options.input {
            let file = file.to_string_lossy();
            if let Some(d) = self.console().document() {
                d.set_model(&file);
            }
            self.say(1, &format!("Parsing file \"{file}\" ..... "));
        }
        let source =
            load(self.options).map_err(|e| messages::load_error(&mut self.console(), &e))?;
        self.say(1, "done.\n");
        Ok(source)
    }

    fn flatten(&self, source: &Source) -> Result<FlatModel, Exit> {
        let options = FlattenOptions {
            keep_single_value_vars: self.options.keep_single_value,
            old: self.options.old_syntax,
            old_div_op: self.options.old_div,
            disable_syntactic_checks: !self.options.syntactic_checks,
        };
        let result = flatten(source, &options);
        let mut console = self.console();
        let items = match &result {
            Ok(model) => &model.warnings,
            Err(messages) => &messages.items,
        };
        for d in items {
            messages::diagnostic(&mut console, d, &source.file, &source.text, &source.ast);
        }
        match result {
            Ok(model) => {
                if self.options.verbosity >= 1 {
                    console.err("...done\n\n");
                }
                if !model.compassion.is_empty() {
                    console.out(warning::COMPASSION_NOTE);
                }
                if model.has_process || model.has_isa {
                    console.out(warning::PROCESS_NOTE);
                }
                if !self.options.syntactic_checks {
                    console.out("WARNING *** Input model well-formance check skipped ***\n");
                }
                Ok(model)
            }
            Err(messages) => {
                console.err(if messages.while_reading {
                    ABORT_PARSER
                } else {
                    ABORT
                });
                Err(Exit::Model)
            }
        }
    }

    /// `-lp`
    fn list(&self, source: &Source, model: &FlatModel) {
        let mut console = self.console();
        console.out(&listing::list(&model.properties));
        if let Some(d) = console.document() {
            for p in &model.properties {
                d.listed(p, source.ast.pos(p.span.start));
            }
        }
    }

    /// `-ofm`
    fn write_models(&self, source: &Source, model: &FlatModel) -> Result<(), Exit> {
        if let Some(file) = &self.options.flat_out {
            if flat_model::has_psl(model) {
                self.console()
                    .err(warning::block(&warning::PSL_NOT_FLATTENED) + "\n");
            }
            self.write_file(file, &flat_model::text(model, &source.file))?;
        }
        Ok(())
    }

    /// `-obm`, from a machine of its own: that of the checks may be simplified, or be of a cone.
    fn write_boolean_model(&self, source: &Source, model: &Rc<FlatModel>) -> Result<(), Exit> {
        let Some(file) = &self.options.boolean_out else {
            return Ok(());
        };
        if flat_model::has_psl(model) {
            self.console()
                .err(warning::block(&warning::PSL_NOT_FLATTENED) + "\n");
        }
        let text = self
            .build(model, None)
            .and_then(|fsm| boolean_model::text(&fsm, &source.file));
        match text {
            Ok(text) => self.write_file(file, &text),
            Err(error @ EncodeError::Dd(_)) => Err(self.gave_up("Boolean model", &error)),
            Err(error) => {
                self.encode_error(source, &error);
                self.console().err(ABORT);
                Err(Exit::Model)
            }
        }
    }

    fn write_file(&self, file: &OsStr, text: &str) -> Result<(), Exit> {
        std::fs::write(file, text).map_err(|_| {
            let message = format!("Unable to open file \"{}\".", file.display());
            self.fail(&message, &format!("{message}\n{ABORT}"))
        })
    }

    /// Ends the run with a message on the model or on another file.
    fn fail(&self, message: &str, text: &str) -> Exit {
        let mut console = self.console();
        console.err(text);
        console.fail(Exit::Model, message, None);
        Exit::Model
    }

    /// `-i` and `-t`. The order of clusters is the encoder's own; the file is read for its errors.
    fn read_orders(&self, model: &FlatModel) -> Result<(), Exit> {
        let read = |file: &OsStr| {
            order_file::read(file)
                .map_err(|e| self.fail(&e.to_string(), &format!("{e}\n{ABORT_PARSER}")))
        };
        if let Some(file) = &self.options.order_in {
            let names = read(file)?;
            let order = order_file::resolve(model, &names, &mut |w| self.console().err(w));
            *self.order.borrow_mut() = order;
        }
        if let Some(file) = &self.options.cluster_order_in {
            read(file)?;
        }
        Ok(())
    }

    /// The machine of the model, or of a cone of influence.
    pub fn build(
        &self,
        model: &Rc<FlatModel>,
        cone: Option<VarSet>,
    ) -> Result<BddFsm, EncodeError> {
        let mut config = FsmConfig {
            order: self.order.borrow().clone(),
            dynamic: self.options.dynamic.then_some(self.options.reorder_method),
            ..FsmConfig::default()
        };
        if let Some(partition) = self.options.partition {
            config.partition = partition;
        }
        if let Some(mb) = self.options.memory_mb {
            config.dd.memory_limit = usize::try_from(mb << 20).ok();
        }
        BddFsm::build(model, &config, cone, self.token.clone())
    }

    /// Everything on the one machine of the whole model.
    fn check_model(&self, source: &Source, model: &Rc<FlatModel>) -> Result<Exit, Exit> {
        let fsm = match self.build(model, None) {
            Ok(fsm) => fsm,
            Err(EncodeError::Dd(error)) => return Ok(self.exhausted(source, model, error.into())),
            Err(error) => {
                self.encode_error(source, &error);
                self.console().err(ABORT);
                return Err(Exit::Model);
            }
        };
        self.say(
            1,
            &format!("The model has been built from file {}.\n", source.file),
        );
        self.warn_of_empty_sets(&fsm);
        if self.options.verbosity >= 1 {
            self.console().err(statistics::machine(&fsm));
        }
        let mut work = Work::new(&fsm, self.options.verbosity);
        let mut exit = Exit::Evaluated;
        if self.options.check_total {
            exit = exit.max(self.check_totality(&mut work));
        }
        exit = exit.max(Check::new(self, source, model).together(&mut work)?);
        self.warn_of_deadlock(&mut work);
        if self.options.print_reachable {
            exit = exit.max(self.print_reachable(&mut work));
        }
        if self.options.reorder_at_end {
            exit = exit.max(self.reorder(source, &fsm)?);
        }
        if self.options.verbosity >= 1 {
            self.console()
                .err(statistics::diagrams(&fsm.manager.stats()));
        }
        Ok(exit)
    }

    /// Each property on the machine of its cone.
    fn check_cones(&self, source: &Source, model: &Rc<FlatModel>) -> Result<Exit, Exit> {
        let mut exit = Exit::Evaluated;
        if self.options.check_total {
            // Totality is a question about the whole model; NuSMV breaks down here.
            match self.build(model, None) {
                Ok(fsm) => {
                    exit =
                        exit.max(self.check_totality(&mut Work::new(&fsm, self.options.verbosity)))
                }
                Err(EncodeError::Dd(e)) => return Ok(self.exhausted(source, model, e.into())),
                Err(error) => {
                    self.encode_error(source, &error);
                    self.console().err(ABORT);
                    return Err(Exit::Model);
                }
            }
        }
        exit = exit.max(Check::new(self, source, model).apart()?);
        if self.options.print_reachable {
            return Err(self.fail(
                "no statistics of reachable states with -coi",
                &format!(
                    "WARNING: Statistics of reachable states is not currently available\n\
                     in batch mode if cone of influence reduction has been enabled.\n{ABORT}"
                ),
            ));
        }
        Ok(exit)
    }

    /// No machine for lack of time or memory: nothing is decided.
    fn exhausted(&self, source: &Source, model: &Rc<FlatModel>, why: Unknown) -> Exit {
        Check::new(self, source, model).give_up(&why)
    }

    /// An expression without value.
    pub fn encode_error(&self, source: &Source, error: &EncodeError) {
        let d = match (error.nusmv(), error) {
            (Some((line, text)), EncodeError::Range { .. }) => {
                Diagnostic::model(line, Span::default(), text)
            }
            (Some((line, text)), _) => Diagnostic::expression(line, Span::default(), text),
            (None, _) => Diagnostic::model(0, Span::default(), error.to_string()),
        };
        let mut console = self.console();
        messages::diagnostic(&mut console, &d, &source.file, &source.text, &source.ast);
    }

    /// The warning that belongs to a machine with empty sets of states.
    pub fn warn_of_empty_sets(&self, fsm: &BddFsm) {
        if fsm.invar.is_zero() {
            self.warn(Warning::StatesEmpty);
        } else if fsm.init_contradictory {
            self.warn(Warning::InitialEmpty);
        }
    }

    /// NuSMV's block on stderr, an entry in the document.
    pub fn warn(&self, w: Warning) {
        let mut console = self.console();
        if let Some(block) = w.nusmv() {
            console.err(block);
        }
        if let Some(d) = console.document() {
            d.warning(w);
        }
    }

    /// `-ctt`
    fn check_totality(&self, work: &mut Work) -> Exit {
        self.say(1, "Checking totality and deadlock states.\n");
        let fsm = work.fsm;
        self.warn_of_empty_sets(fsm);
        let answer = self.totality(work);
        match answer {
            Ok((answer, fair)) => {
                if !fair {
                    self.warn(Warning::FairEmpty);
                }
                let mut console = self.console();
                console.out(&totality::block(&answer));
                if let Some(d) = console.document() {
                    d.totality(&answer);
                    if answer.deadlock() {
                        d.warning(Warning::Deadlock);
                    }
                }
                Exit::Evaluated
            }
            Err(error) => self.gave_up("totality", &error),
        }
    }

    /// The answer, and whether there are fair states.
    fn totality(&self, work: &mut Work) -> Result<(Totality, bool), EncodeError> {
        let fsm = work.fsm;
        let reachable = self.options.reachable;
        let fair = !work.checker(reachable)?.fair().is_zero();
        let reached = if reachable {
            Some(work.reach()?.reached.clone())
        } else {
            None
        };
        let found = deadlocks::check(fsm, reached.as_ref())?;
        let show = |state: &Bdd| state_lines(fsm, state);
        let Some(any) = &found.any else {
            return Ok((Totality::Total, fair));
        };
        let deadlock = match &found.reachable {
            None => Deadlock::NotKnown,
            Some(None) => Deadlock::Unreachable,
            Some(Some(state)) => Deadlock::Reachable(show(state)),
        };
        Ok((
            Totality::NotTotal {
                without_successor: show(any),
                deadlock,
            },
            fair,
        ))
    }

    /// A reachable deadlock is named where somebody wants to know, if the reachable states are known
    /// anyway.
    fn warn_of_deadlock(&self, work: &mut Work) {
        let asked = {
            let mut console = self.console();
            console.document().is_some() || console.explains() || self.options.verbosity >= 1
        };
        if !asked || !self.options.reachable {
            return;
        }
        let Some(reached) = work.known_reach() else {
            return;
        };
        let Ok(found) = deadlocks::check(work.fsm, Some(reached)) else {
            return;
        };
        if matches!(found.reachable, Some(Some(_))) {
            let mut console = self.console();
            console.err(format!("nusmv-rs: {}\n", Warning::Deadlock.message()));
            if let Some(d) = console.document() {
                d.warning(Warning::Deadlock);
            }
        }
    }

    /// `-r`
    fn print_reachable(&self, work: &mut Work) -> Exit {
        let fsm = work.fsm;
        let reach = match work.reach() {
            Ok(reach) => reach,
            Err(error) => return self.gave_up("reachable states", &error),
        };
        let diameter = if reach.reached.is_zero() {
            0
        } else {
            reach.diameter()
        };
        let states = match fsm.count(&reach.reached) {
            Ok(states) => states,
            Err(error) => return self.gave_up("reachable states", &error.into()),
        };
        let all = fsm.state_space();
        let mut console = self.console();
        console.out(&reachable::block(Some(diameter), &states, &all));
        if let Some(d) = console.document() {
            d.reachable(Some(diameter), &states, &all);
        }
        Exit::Evaluated
    }

    /// `-reorder`, and the file of `-o`.
    fn reorder(&self, source: &Source, fsm: &BddFsm) -> Result<Exit, Exit> {
        self.console()
            .out("\n========= starting reordering ============\n");
        let done = fsm.manager.reorder(self.options.reorder_method);
        let file = self
            .options
            .order_out
            .clone()
            .unwrap_or_else(|| "temp.ord".into());
        if std::fs::write(&file, order_file::text(fsm)).is_err() {
            let message = format!("output_order: unable to open file {}", file.display());
            let place = format!("\nfile {}: ", source.file);
            return Err(self.fail(&message, &format!("{place}{message}\n{ABORT_PARSER}")));
        }
        self.console()
            .out("\n========= after reordering ============\n");
        Ok(match done {
            Ok(()) => Exit::Evaluated,
            Err(error) => self.gave_up("reordering", &error.into()),
        })
    }

    fn gave_up(&self, what: &str, error: &EncodeError) -> Exit {
        let why = match error {
            EncodeError::Dd(error) => Unknown::from(*error),
            other => Unknown::NotSupported(other.to_string()),
        };
        let exit = Exit::from(&why);
        let mut console = self.console();
        console.err(format!("nusmv-rs: {what}: {why}\n"));
        console.fail(exit, &format!("{what}: {why}"), None);
        exit
    }
}

/// A state as lines `name = value`, all variables in order of declaration; inputs, which a state has
/// not, with their first value, as NuSMV shows them.
fn state_lines(fsm: &BddFsm, state: &Bdd) -> String {
    let values = fsm.state_values(state);
    let mut lines = String::new();
    for (var, value) in fsm.model.vars.iter().zip(values) {
        let value = value.unwrap_or_else(|| first_value(&var.ty));
        lines += &format!("{} = {}\n", var.name, Cell::new(&value, &fsm.model.pool));
    }
    lines
}

fn first_value(ty: &VarType) -> Value {
    match ty {
        VarType::Bool => Value::Bool(false),
        VarType::Range { lo, .. } => Value::Int(*lo),
        VarType::Enum(values) => values.first().cloned().unwrap_or(Value::Bool(false)),
        VarType::Word { signed, width } => Value::Word(Word {
            signed: *signed,
            width: *width,
            bits: 0u32.into(),
        }),
    }
}
