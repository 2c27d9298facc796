//! `explain`: what must be done before a command (not in NuSMV).

use super::options::Given;
use super::registry::{self, Command, Run, command};
use super::session::{Session, Stage};
use super::{Answer, Stop};

pub const COMMANDS: &[Command] = &[command(
    "explain",
    "[-h] [command]",
    &[],
    "tells what must be done before a command (not in NuSMV)",
    explain,
)
.with_words()];

/// How far the model must be.
fn stage_of(command: &str) -> Option<Stage> {
    Some(match command {
        "flatten_hierarchy" => Stage::Read,
        "add_property"
        | "build_flat_model"
        | "convert_property_to_invar"
        | "encode_variables"
        | "hrc_dump_model"
        | "hrc_write_model"
        | "read_trace"
        | "show_dependencies"
        | "show_property"
        | "show_vars"
        | "write_coi_model"
        | "write_flat_model" => Stage::Flattened,
        "build_boolean_model"
        | "build_model"
        | "check_query"
        | "clean_sexp2bdd_cache"
        | "dump_expr"
        | "write_boolean_model"
        | "write_order" => Stage::Encoded,
        "compute"
        | "compute_reachable"
        | "dump_fsm"
        | "execute_partial_traces"
        | "execute_traces"
        | "goto_state"
        | "pick_state"
        | "print_clusterinfo"
        | "print_current_state"
        | "print_fair_states"
        | "print_fair_transitions"
        | "print_formula"
        | "print_fsm_stats"
        | "print_reachable_states"
        | "simulate" => Stage::Built,
        check if check.starts_with("check_") => Stage::Built,
        _ => return None,
    })
}

/// What a command needs besides the stages of the model, and is not there yet.
fn besides(session: &Session, command: &str) -> Option<&'static str> {
    match command {
        "simulate" | "print_current_state" if session.current.is_none() => {
            Some("There is no current state yet: pick_state.")
        }
        "goto_state" | "show_traces" | "execute_traces" | "execute_partial_traces"
            if session.traces.is_empty() =>
        {
            Some("There are no traces yet: pick_state, read_trace, or a property that is false.")
        }
        "write_boolean_model" if !session.boolean_built => {
            Some("The Boolean model is not built yet: build_boolean_model.")
        }
        "read_trace"
            if session.model.is_some() && !session.flat_built && session.machine.is_none() =>
        {
            Some("The flat model is not built yet: build_flat_model.")
        }
        _ => None,
    }
}

fn explain(session: &mut Session, given: &Given) -> Answer {
    let name = match given.rest.as_slice() {
        [] => "check_property",
        [name] => name,
        _ => return session.bad_usage("explain"),
    };
    let Some(command) = registry::find(name) else {
        return session.fail(format!("unknown command '{name}'"));
    };
    if let Run::Absent(why) = command.run {
        session.out(&format!("{why}\n"));
        return Err(Stop::Failed);
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
    let reads = !missing.is_empty()
        || (session.source.is_none() && ["read_model", "go", "process_model"].contains(&name));
    if reads && session.context.options.input.is_none() {
        text += "No file is named yet: read_model -i FILE, or set input_file FILE.\n";
    }
    if let Some(line) = besides(session, name) {
        text += line;
        text.push('\n');
    }
    if text.is_empty() {
        text = format!("{name} can be run now.\n");
    }
    session.out(&text);
    Ok(())
}
