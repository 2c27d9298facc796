use super::console::Console;
use super::exit::Exit;
use super::load::load;
use super::messages::{self, ABORT};
use super::options::Options;
use crate::base::CancelToken;
use crate::model::{FlatModel, FlattenOptions, Source, flatten};
use crate::report::{flat_model, listing, warning};
use std::ffi::OsStr;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Runs the pipeline; the result says how it ended.
pub fn run(options: &Options, console: &Mutex<Console>, token: &CancelToken) -> Exit {
    let batch = Batch {
        options,
        console,
        token,
    };
    match batch.run() {
        Ok(exit) | Err(exit) => exit,
    }
}

/// What every stage needs. `Err` ends the run; its message has been written.
struct Batch<'a> {
    options: &'a Options,
    console: &'a Mutex<Console>,
    token: &'a CancelToken,
}

impl Batch<'_> {
    fn console(&self) -> MutexGuard<'_, Console> {
        self.console.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, level: i32, text: &str) {
        if self.options.verbosity >= level {
            self.console().err(text);
        }
    }

    fn run(&self) -> Result<Exit, Exit> {
        self.say(1, "Starting the batch interaction.\n");
        let source = self.load()?;
        let model = self.flatten(&source)?;
        if self.options.list_properties {
            self.list(&source, &model);
            return Ok(Exit::Evaluated);
        }
        self.write_models(&source, &model)?;
        Ok(Exit::Evaluated)
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
                if !model.compassion.is_empty() {
                    console.out(warning::COMPASSION_NOTE);
                }
                if model.has_process || model.has_isa {
                    console.out(warning::PROCESS_NOTE);
                }
                Ok(model)
            }
            Err(_) => {
                console.err(ABORT);
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
                d.listed(p, source.ast.pos(p.span.start).column);
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

    fn write_file(&self, file: &OsStr, text: &str) -> Result<(), Exit> {
        std::fs::write(file, text).map_err(|_| {
            let message = format!("Unable to open file \"{}\".", file.display());
            let mut console = self.console();
            console.err(format!("{message}\n{ABORT}"));
            console.fail(Exit::Model, &message, None);
            Exit::Model
        })
    }
}
