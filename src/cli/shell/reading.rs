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
        "explain",
        "[-h] [command]",
        &[],
        "tells what must be done before a command (not in NuSMV)",
        explain,
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
    ),
    command(
        "go",
        "[-h] | [-f]",
        &[FORCE],
        "reads, flattens, encodes and builds the model, as far as that is not done",
        go,
    ),
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
        self.source = Some(self.context.load().map_err(|_| Stop::Failed)?);
        Ok(())
    }

    fn flatten(&mut self) -> Answer {
        self.need(Stage::Read)?;
        let source = self.source.as_ref().ok_or(Stop::Failed)?;
        let Ok(model) = self.context.flatten(source) else {
            // NuSMV is back at the start then.
            self.source = None;
            return Err(Stop::Failed);
        };
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
        let options = &mut self.context.options;
        match self
            .variables
            .set("partition_method", Some(method), options)
        {
            Ok(()) => Ok(()),
            Err(error) => self.fail(error),
        }
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
    if let Some(file) = given.value('i') {
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

fn build_model(session: &mut Session, given: &Given) -> Answer {
    session.need(Stage::Encoded)?;
    if session.machine.is_some() {
        let asked = given.value('m');
        let changes = given.has('f') && asked.is_some();
        if !changes || asked == session.variables.get("partition_method") {
            return already(session);
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
    if let Some(file) = given.value('i') {
        if let Some(source) = &session.source {
            let text = format!(
                "A model appears to be already read from file: {}.",
                source.file
            );
            return session.fail(text);
        }
        let options = &mut session.context.options;
        session
            .variables
            .set("input_file", Some(file), options)
            .map_err(|_| Stop::Failed)?;
    }
    session.set_method(given)?;
    session.build_all()?;
    if session.context.options.reachable {
        session.tell_reachable(None)?;
    }
    session.check_all()?;
    if given.has('r') {
        session.reorder_and_write()?;
    }
    Ok(())
}

/// What must be done first, of the stages of the model.
fn stage_of(command: &str) -> Option<Stage> {
    Some(match command {
        "flatten_hierarchy" => Stage::Read,
        "add_property"
        | "build_flat_model"
        | "convert_property_to_invar"
        | "encode_variables"
        | "show_dependencies"
        | "show_property"
        | "show_vars"
        | "write_flat_model" => Stage::Flattened,
        "build_boolean_model" | "build_model" | "write_boolean_model" | "write_order" => {
            Stage::Encoded
        }
        "compute_reachable" | "dump_fsm" | "goto_state" | "pick_state" | "simulate" => Stage::Built,
        "print_fair_states"
        | "print_fair_transitions"
        | "print_formula"
        | "print_fsm_stats"
        | "print_reachable_states" => Stage::Built,
        "check_query" => Stage::Encoded,
        check if check.starts_with("check_") => Stage::Built,
        _ => return None,
    })
}

fn explain(session: &mut Session, given: &Given) -> Answer {
    let name = match given.rest.as_slice() {
        [] => "check_property",
        [name] => name,
        _ => return session.bad_usage("explain"),
    };
    if super::registry::find(name).is_none() {
        return session.fail(format!("unknown command '{name}'"));
    }
    let stage = stage_of(name);
    let steps = [
        ("read_model", session.source.is_some(), Stage::Read),
        (
            "flatten_hierarchy",
            session.model.is_some(),
            Stage::Flattened,
        ),
        ("encode_variables", session.encoded, Stage::Encoded),
        ("build_model", session.machine.is_some(), Stage::Built),
    ];
    let missing: Vec<&str> = steps
        .iter()
        .filter(|(_, done, of)| !done && stage.is_some_and(|s| *of <= s))
        .map(|(step, ..)| *step)
        .filter(|step| *step != name)
        .collect();
    let mut text = match missing.as_slice() {
        [] => String::new(),
        missing => format!(
            "Before {name}: {} (\"go\" does all of that).\n",
            missing.join(", ")
        ),
    };
    if !missing.is_empty() && session.context.options.input.is_none() {
        text += "No file is named yet: read_model -i FILE, or set input_file FILE.\n";
    }
    if name == "simulate" && session.current.is_none() {
        text += "There is no current state yet: pick_state.\n";
    }
    if name == "write_boolean_model" && !session.boolean_built {
        text += "The Boolean model is not built yet: build_boolean_model.\n";
    }
    if text.is_empty() {
        text = format!("{name} can be run now.\n");
    }
    session.out(&text);
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
