//! The commands of bounded model checking, which say that it is not there.

use super::Answer;
use super::options::Given;
use super::registry::{Command, Run, command};
use super::session::Session;

const fn absent(name: &'static str) -> Command {
    Command {
        run: Run::Raw(refuse),
        ..command(
            name,
            "[-h] ...",
            &[],
            "bounded model checking is not available",
            nothing,
        )
    }
}

fn nothing(_: &mut Session, _: &Given) -> Answer {
    Ok(())
}

fn refuse(session: &mut Session, _: &[String]) -> Answer {
    session.fail(
        "nusmv-rs: bounded model checking is not available. What works: go, and the commands that \
         check with decision diagrams (check_ltlspec, check_invar).",
    )
}

pub const COMMANDS: &[Command] = &[
    absent("bmc_inc_simulate"),
    absent("bmc_pick_state"),
    absent("bmc_setup"),
    absent("bmc_simulate"),
    absent("bmc_simulate_check_feasible_constraints"),
    absent("check_invar_bmc"),
    absent("check_invar_bmc_inc"),
    absent("check_ltlspec_bmc"),
    absent("check_ltlspec_bmc_inc"),
    absent("check_ltlspec_bmc_onepb"),
    absent("check_ltlspec_sbmc"),
    absent("check_ltlspec_sbmc_inc"),
    absent("check_pslspec_bmc"),
    absent("check_pslspec_bmc_inc"),
    absent("check_pslspec_sbmc"),
    absent("check_pslspec_sbmc_inc"),
    absent("gen_invar_bmc"),
    absent("gen_ltlspec_bmc"),
    absent("gen_ltlspec_bmc_onepb"),
    absent("gen_ltlspec_sbmc"),
    absent("go_bmc"),
];
