//! The batch run: model file → source tree → flat model → machine → properties, with NuSMV's order
//! of messages and its ways to end. The stages are those of [`Context`], which the shell uses too.

use super::check::{Check, Work};
use super::context::Context;
use super::exit::Exit;
use super::messages::{ABORT, ABORT_PARSER};
use super::{order_file, vacuity};
use crate::encode::{BddFsm, EncodeError};
use crate::engine::outcome::Unknown;
use crate::logic::split;
use crate::model::{FlatModel, Source};
use crate::report::{listing, statistics};
use std::rc::Rc;

/// Runs the pipeline; the result says how it ended.
pub fn run(context: &Context) -> Exit {
    match context.run() {
        Ok(exit) | Err(exit) => exit,
    }
}

impl Context {
    fn run(&self) -> Result<Exit, Exit> {
        self.say(1, "Starting the batch interaction.\n");
        let source = self.load()?;
        let mut model = self.flatten(&source)?;
        if let Some(with_queries) = self.with_queries(&source)? {
            model = self.flatten_with_queries(&with_queries)?;
        }
        if self.options.split {
            split::split(&mut model, &source.ast);
        }
        if self.options.vacuity.is_some() {
            let replaced = vacuity::prepare_replacements(&mut model, &source.ast);
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
        let exit = exit.max(self.answer_queries(&source, &model)?);
        self.say(1, "Done \n\nSuccessful termination\n");
        Ok(exit)
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
        if std::fs::write(
            &file,
            order_file::text(&fsm.model, &fsm.layout, &fsm.manager),
        )
        .is_err()
        {
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
}
