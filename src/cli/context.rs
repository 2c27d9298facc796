//! What every stage of a run needs, and the first stages: model file → source tree → flat model →
//! machine. The batch run and the shell go through the same stages.

use super::console::Console;
use super::exit::Exit;
use super::load::load;
use super::messages;
use super::options::Options;
use super::order_file;
use super::vacuity;
use crate::base::CancelToken;
use crate::dd::{Manager, ParameterError};
use crate::diag::Diagnostic;
use crate::encode::{BddFsm, EncodeError, FsmConfig, Layout, OrderName, OrderType, StaticOrder};
use crate::engine::outcome::Unknown;
use crate::model::dependencies::coi::VarSet;
use crate::model::{AssignKind, FailKind, FlatModel, FlattenOptions, Node, Source, VarId, flatten};
use crate::report::{Warning, boolean_model, flat_model, warning};
use crate::trace::Table;
use smv_grammar::ast::Site;
use std::cell::RefCell;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Options, streams, the wish to stop. `Err` of a stage ends the run or the shell's command; its message
/// has been written.
pub struct Context {
    /// What the user wants of this run.
    pub options: Options,
    console: Arc<Mutex<Console>>,
    /// Fires on ^C and at the deadline.
    pub token: CancelToken,
    /// In the shell an error ends a command, not the run.
    pub shell: bool,
    /// From the file of `-i`.
    pub order: RefCell<Option<Vec<OrderName>>>,
    /// Parameters of CUDD, for every machine that is made: name, value.
    pub parameters: RefCell<Vec<(String, String)>>,
    /// For `-vacuity`: formulas with a part replaced.
    pub replaced: RefCell<vacuity::Replaced>,
}

impl Context {
    pub fn new(options: Options, console: Arc<Mutex<Console>>, token: CancelToken) -> Context {
        Context {
            options,
            console,
            token,
            shell: false,
            order: RefCell::default(),
            replaced: RefCell::default(),
            parameters: RefCell::default(),
        }
    }

    /// Sets CUDD's parameters; warnings on those that cannot be.
    pub fn hand_on_parameters(&self, manager: &Manager) -> String {
        let mut warnings = String::new();
        for (name, value) in &*self.parameters.borrow() {
            warnings += &match manager.set_parameter(name, value) {
                Ok(()) => continue,
                Err(ParameterError::Unknown) => {
                    format!("Warning: Parameter {name} not recognized. Ignored.\n")
                }
                Err(why) => {
                    format!("Warning: In parameter \"{name}\"\nIllegal type detected. {why}\n")
                }
            };
        }
        warnings
    }

    /// A command of the shell begins: a ^C from now on is meant for it.
    pub fn begin(&self) {
        self.token.reset();
    }

    /// A command of the shell ends.
    pub fn end(&self) {
        self.console().restore();
        self.token.reset();
    }

    /// NuSMV's last words after an error; the shell has none.
    pub fn last_words(&self) -> &'static str {
        if self.shell { "" } else { messages::ABORT }
    }

    /// The same after an error of a parser.
    pub fn last_words_of_parser(&self) -> &'static str {
        if self.shell {
            ""
        } else {
            messages::ABORT_PARSER
        }
    }

    pub fn console(&self) -> MutexGuard<'_, Console> {
        self.console.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Progress, under `-v`.
    pub fn say(&self, level: i32, text: &str) {
        if self.options.verbosity >= level {
            self.console().err(text);
        }
    }

    pub fn load(&self) -> Result<Source, Exit> {
        if let Some(file) = &self.options.input {
            let file = file.to_string_lossy();
            if let Some(d) = self.console().document() {
                d.set_model(&file);
            }
            self.say(1, &format!("Parsing file \"{file}\" ..... "));
        }
        let source = load(&self.options)
            .map_err(|e| messages::load_error(&mut self.console(), &e, self.shell))?;
        self.say(1, "done.\n");
        Ok(source)
    }

    pub fn flatten_options(&self) -> FlattenOptions {
        FlattenOptions {
            keep_single_value_vars: self.options.keep_single_value,
            old: self.options.old_syntax,
            old_div_op: self.options.old_div,
            disable_syntactic_checks: !self.options.syntactic_checks,
        }
    }

    pub fn flatten(&self, source: &Source) -> Result<FlatModel, Exit> {
        let result = flatten(source, &self.flatten_options());
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
                if !self.options.syntactic_checks {
                    console.out(warning::UNCHECKED_NOTE);
                }
                if !model.compassion.is_empty() {
                    console.out(warning::COMPASSION_NOTE);
                }
                if model.has_process || model.has_isa {
                    console.out(warning::PROCESS_NOTE);
                }
                Ok(model)
            }
            Err(messages) => {
                if messages.compassion {
                    console.out(warning::COMPASSION_NOTE);
                }
                if messages.processes {
                    console.out(warning::PROCESS_NOTE);
                }
                console.err(if messages.while_reading {
                    self.last_words_of_parser()
                } else {
                    self.last_words()
                });
                Err(Exit::Model)
            }
        }
    }

    /// `-ofm`
    pub fn write_models(&self, source: &Source, model: &FlatModel) -> Result<(), Exit> {
        if let Some(file) = &self.options.flat_out {
            if flat_model::has_psl(model) {
                self.console().err(warning::psl_as_comments("flattening"));
            }
            self.write_file(file, &flat_model::text(model, &source.file))?;
        }
        Ok(())
    }

    /// `-obm`, from a machine of its own: that of the checks may be simplified, or be of a cone.
    pub fn write_boolean_model(&self, source: &Source, model: &Rc<FlatModel>) -> Result<(), Exit> {
        let Some(file) = &self.options.boolean_out else {
            return Ok(());
        };
        if flat_model::has_psl(model) {
            self.console()
                .err(warning::psl_as_comments("booleanization"));
        }
        let text = self
            .build(model, None)
            .and_then(|fsm| boolean_model::text(&fsm, &source.file));
        match text {
            Ok(text) => self.write_file(file, &text),
            Err(error @ EncodeError::Dd(_)) => Err(self.gave_up("Boolean model", &error)),
            Err(error) => {
                self.encode_error(source, &error);
                self.console().err(self.last_words());
                Err(Exit::Model)
            }
        }
    }

    fn write_file(&self, file: &OsStr, text: &str) -> Result<(), Exit> {
        std::fs::write(file, text).map_err(|_| {
            let message = format!("Unable to open file \"{}\".", file.display());
            self.fail(&message, &format!("{message}\n{}", self.last_words()))
        })
    }

    /// Ends the run with a message on the model or on another file.
    pub fn fail(&self, message: &str, text: &str) -> Exit {
        let mut console = self.console();
        console.err(text);
        console.fail(Exit::Model, message, None);
        Exit::Model
    }

    /// `-i` and `-t`. The second file is read for its errors only, as in NuSMV.
    pub fn read_orders(&self, model: &FlatModel) -> Result<(), Exit> {
        let read = |file: &OsStr, lead: &str, end: &str| {
            order_file::read(file)
                .map_err(|e| self.fail(&e.to_string(), &format!("{lead}{e}\n{end}")))
        };
        if let Some(file) = &self.options.order_in {
            let names = read(file, "", self.last_words_of_parser())?;
            let order = order_file::resolve(model, &names, &mut |w| self.console().err(w));
            *self.order.borrow_mut() = Some(order);
        }
        if let Some(file) = &self.options.cluster_order_in {
            let lead = "While opening the specified trans ordering file:\n";
            read(file, lead, self.last_words())?;
        }
        Ok(())
    }

    /// The machine of the model, or of a cone of influence.
    pub fn build(
        &self,
        model: &Rc<FlatModel>,
        cone: Option<VarSet>,
    ) -> Result<BddFsm, EncodeError> {
        self.build_with(model, cone, Vec::new())
    }

    /// The same, with fresh bits for the variables that queries ask about.
    pub fn build_with(
        &self,
        model: &Rc<FlatModel>,
        cone: Option<VarSet>,
        fresh: Vec<VarId>,
    ) -> Result<BddFsm, EncodeError> {
        let config = self.config(fresh);
        BddFsm::build(model, &config, cone, self.token.clone())
    }

    /// The bits of the model's variables in their order, without a machine.
    pub fn encode(&self, model: &FlatModel) -> Result<(Manager, Layout), EncodeError> {
        let config = self.config(Vec::new());
        let manager = Manager::new(&config.dd, self.token.clone())?;
        let layout = Layout::new(model, &manager, &config, &|_| true)?;
        Ok((manager, layout))
    }

    fn config(&self, fresh: Vec<VarId>) -> FsmConfig {
        let mut config = FsmConfig {
            order: self.order.borrow().clone(),
            fresh,
            static_order: self.options.static_order,
            order_type: self.options.order_type,
            clustering: self.options.clustering,
            dynamic: self.options.dynamic.then_some(self.options.reorder_method),
            ..FsmConfig::default()
        };
        if let Some(mb) = self.options.memory_mb {
            config.dd.memory_limit = usize::try_from(mb << 20).ok();
        }
        // In the shell orders can be looked at any time: NuSMV's to begin with, then what has become of it.
        config.built_in_first_order = self.shell;
        let shown = self.options.order_out.is_some() || self.options.reorder_at_end;
        let open =
            config.order.is_none() && self.options.accepting.is_none() && (self.shell || !shown);
        config.reorder_from = open.then_some(self.options.reorder_from);
        let default_order = config.static_order == StaticOrder::default()
            && config.order_type == OrderType::default();
        config.rearrange_after = (open && default_order).then_some(self.options.rearrange_after);
        config.parameters = self.parameters.borrow().clone();
        config
    }

    /// An expression without value.
    pub fn encode_error(&self, source: &Source, error: &EncodeError) {
        let d = match (error.nusmv(), error) {
            (Some((line, text)), EncodeError::Range { .. }) => {
                Diagnostic::model(Site::of_line(line), text)
            }
            (Some((line, text)), _) => Diagnostic::expression(Site::of_line(line), text),
            (None, _) => Diagnostic::model(Site::default(), error.to_string()),
        };
        let mut console = self.console();
        messages::diagnostic(&mut console, &d, &source.file, &source.text, &source.ast);
    }

    /// An expression of a property without value. In an LTL formula it ends the tableau, which is named then;
    /// a division or a shift has no line of its own there.
    pub fn property_error(&self, source: &Source, model: &FlatModel, error: &EncodeError) {
        let EncodeError::Tableau { of_step, why } = error else {
            return self.encode_error(source, error);
        };
        let mut why = (**why).clone();
        if let EncodeError::Fail {
            kind: FailKind::DivisionByZero | FailKind::ShiftRange { .. },
            line,
        } = &mut why
        {
            *line = last_line(model);
        }
        self.encode_error(source, &why);
        self.console().err(match of_step {
            true => "An error occured during tableau construction.\n",
            false => "Ltl_CheckLtlSpec: Problems in Tableau generation.\n",
        });
    }

    /// NuSMV's warnings on cases of an LTL formula that it completes.
    pub fn warn_of_open_cases(&self, lines: &[u32]) {
        let mut console = self.console();
        let text = "case conditions are not exhaustive";
        for &line in lines {
            console.err(format!("WARNING: line: {line}: {text}\n"));
            if let Some(document) = console.document() {
                document.remark("model", text, Some((line, 1)));
            }
        }
    }

    /// A PSL property that cannot be checked ends those behind it.
    pub fn refuse(&self, source: &Source, model: &FlatModel, lines: &[String]) {
        let line = last_line(model);
        let text = "The specified PSL property requires features that are not implemented yet.";
        let d = Diagnostic::expression(Site::of_line(line), text);
        let mut console = self.console();
        for line in lines {
            console.err(format!("{line}\n"));
        }
        messages::diagnostic(&mut console, &d, &source.file, &source.text, &source.ast);
    }

    /// The warnings that belong to a machine with empty sets of states.
    pub fn warn_of_empty_sets(&self, fsm: &BddFsm) {
        if fsm.init_contradictory {
            self.warn(Warning::InitialEmpty);
        }
        if fsm.invar.is_zero() {
            self.warn(Warning::StatesEmpty);
        }
    }

    /// NuSMV's block on stderr, an entry in the document.
    pub fn warn(&self, w: Warning) {
        self.console().warn(w);
    }

    /// A trace in the form the user wants, and whether that went well. `--trace-out` sends it to a file; then
    /// the text says so.
    pub fn trace_text(
        &self,
        console: &mut Console,
        table: &Table,
        number: usize,
    ) -> (String, Exit) {
        let shown = table.select(&self.options.trace_symbols);
        let text = self.options.trace_plugin.write(&shown, number);
        let Some(file) = &self.options.trace_out else {
            return (text, Exit::Evaluated);
        };
        let file = numbered(Path::new(file), number);
        match std::fs::write(&file, text) {
            Ok(()) => {
                let text = format!("-- trace {number} is in file {}\n", file.display());
                (text, Exit::Evaluated)
            }
            Err(error) => {
                let message = format!("Unable to write file \"{}\": {error}", file.display());
                console.err(format!("{message}\n"));
                console.fail(Exit::Model, &message, None);
                (
                    format!("-- trace {number} could not be written\n"),
                    Exit::Model,
                )
            }
        }
    }

    pub fn gave_up(&self, what: &str, error: &EncodeError) -> Exit {
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

/// The line from which the machine was made last; NuSMV begins with the last assignment.
fn last_line(model: &FlatModel) -> u32 {
    let constant = |e| matches!(model.pool.node(e), Node::Const(_));
    let mut assigns = model.assigns.iter();
    let first = assigns.find(|a| a.kind == AssignKind::Next && !constant(a.rhs));
    match (first, model.trans.last()) {
        (Some(assign), _) => assign.line,
        (None, Some(trans)) => trans.line,
        (None, None) => 1,
    }
}

/// `a/b.vcd`, `a/b-2.vcd`, ...
fn numbered(file: &Path, number: usize) -> PathBuf {
    if number <= 1 {
        return file.to_owned();
    }
    let mut name = file.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = file.extension() {
        name.push(".");
        name.push(extension);
    }
    file.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_numbered_from_the_second_on() {
        let name = |n| numbered(Path::new("a.b/c.vcd"), n).display().to_string();
        assert_eq!(name(1), "a.b/c.vcd");
        assert_eq!(name(12), "a.b/c-12.vcd");
        assert_eq!(numbered(Path::new("c"), 2), Path::new("c-2"));
    }
}
