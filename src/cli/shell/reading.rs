//! Commands that take the model from its file to the machine.

use super::options::{Given, Opt, flag, with};
use super::registry::{Command, command};
use super::session::{Session, Stage};
use super::{Answer, Stop};
use crate::encode::EncodeError;
use crate::model::{Var, VarType};
use std::rc::Rc;

const METHOD: Opt = with(
    'm',
    "method",
    "Monolithic, Threshold or Iwls95CP: how the relation is cut",
);
const FORCE: Opt = flag(
    'f',
    "builds the model even if a cone of influence is asked for",
);

pub const COMMANDS: &[Command] = &[
    command(
        "build_boolean_model",
        "[-h] [-f]",
        &[FORCE],
        "compiles the flat model into one over Booleans",
        build_boolean_model,
    ),
    command(
        "build_flat_model",
        "[-h]",
        &[],
        "compiles the flat model",
        build_flat_model,
    ),
    command(
        "build_model",
        "[-h] [-f] [-m method]",
        &[FORCE, METHOD],
        "compiles the flat model into decision diagrams",
        build_model,
    ),
    command(
        "encode_variables",
        "[-h] [-i file] [-n]",
        &[
            with(
                'i',
                "file",
                "takes the order of the variables from the file",
            ),
            flag(
                'n',
                "encodes only if a variable is of another type than boolean or word",
            ),
        ],
        "chooses the bits of the variables and their order",
        encode_variables,
    ),
    command(
        "flatten_hierarchy",
        "[-h] [-d] [-e]",
        &[
            flag('d', "delays the building of constraints (always so here)"),
            flag(
                'e',
                "takes arrays apart into their elements (always so here)",
            ),
        ],
        "instantiates modules and processes",
        flatten_hierarchy,
    ),
    command(
        "get_internal_status",
        "[-h]",
        &[],
        "tells how far the model is",
        get_internal_status,
    )
    .with_words(),
    command(
        "go",
        "[-h] | [-f]",
        &[FORCE],
        "reads, flattens, encodes and builds the model, as far as that is not done",
        go,
    )
    .with_words(),
    command(
        "process_model",
        "[-h] [-f] [-r] [-i file] [-m method]",
        &[
            FORCE,
            flag(
                'r',
                "reorders the variables afterwards and writes their order",
            ),
            with('i', "file", "reads the model from the file"),
            METHOD,
        ],
        "builds the model and checks all its properties",
        process_model,
    ),
    command(
        "read_model",
        "[-h] [-i file]",
        &[with('i', "file", "reads the model from the file")],
        "reads a model",
        read_model,
    ),
    command(
        "reset",
        "[-h]",
        &[],
        "forgets the model and its traces",
        |session, _| {
            session.reset();
            Ok(())
        },
    ),
];

fn read_model(session: &mut Session, given: &Given) -> Answer {
    if let Some(source) = &session.source {
        let text = format!(
            "A model appears to be already read from file: {}.",
            source.file
        );
        return session.fail(text);
    }
    if let Some(file) = given.value('i') {
        let options = &mut session.context.options;
        session
            .variables
            .set("input_file", Some(file), options)
            .map_err(|_| Stop::Failed)?;
    }
    session.read()
}

impl Session {
    fn read(&mut self) -> Answer {
        let source = self.context.load().map_err(|_| Stop::Failed)?;
        if !source.ast.errors.is_empty() {
            self.err("\n");
        }
        for e in &source.ast.errors {
            let (file, line, message) = (&source.file, e.line, e.message());
            self.err(&format!("file {file}: line {line}: {message}\n"));
        }
        self.source = Some(source);
        Ok(())
    }

    fn flatten(&mut self) -> Answer {
        self.need(Stage::Read)?;
        if self.partial.is_some() {
            return self.fail(
                "The hierarchy cannot be flattened, as errors have been found.\n\
                 At this stage you can dump the (partial) HRC, or use the\n\
                 command 'reset' to restart.",
            );
        }
        let source = self.source.as_ref().ok_or(Stop::Failed)?;
        let Ok(model) = self.context.flatten(source) else {
            // NuSMV is back at the start then.
            self.source = None;
            return Err(Stop::Failed);
        };
        if !source.ast.errors.is_empty() {
            self.partial = Some(Rc::new(model));
            self.err(
                "\nWarning! Syntax errors have been found, no flattening is possible.\n\
                 However, as option 'parser_is_lax' is set, a partial construction\n\
                 of the HRC was done.\n\
                 This allows you to dump the HRC.\n",
            );
            return Ok(());
        }
        self.records = vec![Default::default(); model.properties.len()];
        self.model = Some(Rc::new(model));
        Ok(())
    }

    fn encode(&mut self) -> Answer {
        let model = Rc::clone(self.model()?);
        self.context.read_orders(&model).map_err(|_| Stop::Failed)?;
        self.encoded = true;
        Ok(())
    }

    fn build(&mut self) -> Answer {
        self.need(Stage::Encoded)?;
        let model = Rc::clone(self.model()?);
        match self.context.build(&model, None) {
            Ok(fsm) => {
                self.context.warn_of_empty_sets(&fsm);
                self.set_machine(fsm);
                Ok(())
            }
            Err(error @ EncodeError::Dd(_)) => self.failed("model", &error),
            Err(error) => self.failed("model", &error),
        }
    }

    /// Does what is left up to the machine.
    fn build_all(&mut self) -> Answer {
        if self.source.is_none() {
            self.read()?;
        }
        if self.model.is_none() {
            self.flatten()?;
        }
        self.need(Stage::Flattened)?;
        if !self.encoded {
            self.encode()?;
        }
        self.flat_built = true;
        if self.machine.is_none() {
            self.build()?;
        }
        Ok(())
    }

    fn set_method(&mut self, given: &Given) -> Answer {
        let Some(method) = given.value('m') else {
            return Ok(());
        };
        self.set_own("partition_method", method)
    }
}

fn flatten_hierarchy(session: &mut Session, _: &Given) -> Answer {
    if session.model.is_some() {
        return session.fail("The hierarchy has already been flattened.");
    }
    session.flatten()
}

fn encode_variables(session: &mut Session, given: &Given) -> Answer {
    session.need(Stage::Flattened)?;
    if session.encoded {
        return session.fail("The variables appear to be already built.");
    }
    if let Some(file) = given.value('i').filter(|file| !file.is_empty()) {
        let options = &mut session.context.options;
        session
            .variables
            .set("input_order_file", Some(file), options)
            .map_err(|_| Stop::Failed)?;
    }
    if given.has('n') {
        let bits = |v: &Var| matches!(v.ty, VarType::Bool | VarType::Word { .. });
        if session.model()?.vars.iter().all(bits) {
            return Ok(());
        }
    }
    session.encode()
}

fn already<T>(session: &Session) -> Answer<T> {
    session.fail(format!(
        "A model appears to be already built from file: {}.",
        session.file()
    ))
}

fn build_flat_model(session: &mut Session, _: &Given) -> Answer {
    session.need(Stage::Flattened)?;
    if session.flat_built {
        return already(session);
    }
    session.flat_built = true;
    Ok(())
}

fn build_boolean_model(session: &mut Session, given: &Given) -> Answer {
    session.need(Stage::Encoded)?;
    if session.boolean_built && !given.has('f') {
        return already(session);
    }
    session.flat_built = true;
    session.boolean_built = true;
    Ok(())
}

/// Fails for a method that does not exist.
fn check_method(session: &Session, given: &Given) -> Answer {
    match given.value('m') {
        None | Some("Monolithic" | "Threshold" | "Iwls95CP") => Ok(()),
        Some(_) => session.fail(
            "The only possible values for \"-m\" option are:\n\tMonolithic, Threshold, Iwls95CP",
        ),
    }
}

fn build_model(session: &mut Session, given: &Given) -> Answer {
    session.need(Stage::Encoded)?;
    let asked = given.value('m');
    if session.machine.is_some() && (!given.has('f') || asked.is_none()) {
        return already(session);
    }
    check_method(session, given)?;
    if session.machine.is_some() {
        if asked == session.variables.get("partition_method") {
            return session.fail("A model for the chosen method has already been constructed.");
        }
    }
    session.set_method(given)?;
    session.flat_built = true;
    session.machine = None;
    session.build()
}

fn go(session: &mut Session, _: &Given) -> Answer {
    session.build_all()
}

fn process_model(session: &mut Session, given: &Given) -> Answer {
    check_method(session, given)?;
    // A model that has been read stays.
    if let Some(file) = given.value('i')
        && session.source.is_none()
    {
        let options = &mut session.context.options;
        session
            .variables
            .set("input_file", Some(file), options)
            .map_err(|_| Stop::Failed)?;
    }
    session.set_method(given)?;
    session.build_all()?;
    if session.context.options.reachable {
        session.tell_reachable(None, None)?;
    }
    session.check_all()?;
    if given.has('r') {
        session.reorder_and_write()?;
    }
    Ok(())
}

fn get_internal_status(session: &mut Session, _: &Given) -> Answer {
    let status = match session {
        Session { source: None, .. } => -1,
        Session { model: None, .. } => 0,
        Session { encoded: false, .. } => 1,
        Session { machine: None, .. } => 2,
        // NuSMV says nothing of the stages after.
        _ => return Ok(()),
    };
    session.err(&format!("The internal status is: {status}\n"));
    Ok(())
}
