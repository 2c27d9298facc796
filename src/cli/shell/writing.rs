//! Commands that write the model.

use super::Answer;
use super::options::{Given, with};
use super::registry::{Command, command};
use super::session::{Session, Stage};
use crate::report::{boolean_model, flat_model, warning};

pub const COMMANDS: &[Command] = &[
    command(
        "write_boolean_model",
        "[-h] [-o file]",
        &[with('o', "file", "writes to the file")],
        "writes the model over Booleans",
        write_boolean_model,
    ),
    command(
        "write_flat_model",
        "[-h] [-o file]",
        &[with('o', "file", "writes to the file")],
        "writes the flat model",
        write_flat_model,
    ),
];

impl Session {
    /// Writes to the file of `-o`, to the variable's file, or to stdout.
    fn put(&self, given: &Given, variable: &str, text: &str) -> Answer {
        let Some(file) = given.value('o').or(self.variables.get(variable)) else {
            self.out(text);
            return Ok(());
        };
        match std::fs::write(file, text) {
            Ok(()) => Ok(()),
            Err(_) => self.fail(format!("Unable to open file \"{file}\".")),
        }
    }

    fn warn_of_psl(&self) -> Answer {
        if flat_model::has_psl(self.model()?) {
            self.err(&(warning::block(&warning::PSL_NOT_FLATTENED) + "\n"));
        }
        Ok(())
    }
}

fn write_flat_model(session: &mut Session, given: &Given) -> Answer {
    session.need(Stage::Flattened)?;
    session.warn_of_psl()?;
    let text = flat_model::text(session.model()?, session.file());
    session.put(given, "output_flatten_model_file", &text)
}

fn write_boolean_model(session: &mut Session, given: &Given) -> Answer {
    session.need(Stage::Encoded)?;
    if !session.boolean_built {
        return session.fail(
            "The boolean model must be built before.\n(Use the command \"build_boolean_model\")",
        );
    }
    session.warn_of_psl()?;
    let built = session.context.build(session.model()?, None);
    let text = match built.and_then(|fsm| boolean_model::text(&fsm, session.file())) {
        Ok(text) => text,
        Err(error) => return session.failed("Boolean model", &error),
    };
    session.put(given, "output_boolean_model_file", &text)
}
