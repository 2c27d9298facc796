//! Commands of NuSMV that are not there: each says so, and what works instead.

use super::Answer;
use super::options::Given;
use super::registry::{Command, Run, command};
use super::session::Session;

const fn absent(name: &'static str) -> Command {
    Command {
        run: Run::Raw(no_bmc),
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

fn no_bmc(session: &mut Session, _: &[String]) -> Answer {
    session.fail(
        "nusmv-rs: bounded model checking is not available. What works: go, and the commands that \
         check with decision diagrams (check_ltlspec, check_invar).",
    )
}

/// Another command, with what it says.
const fn other(
    name: &'static str,
    about: &'static str,
    run: fn(&mut Session, &[String]) -> Answer,
) -> Command {
    Command {
        run: Run::Raw(run),
        hidden: name.as_bytes()[0] == b'_',
        ..command(name, "[-h] ...", &[], about, nothing)
    }
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
    other(
        "compass_gen_sigref",
        "files for Sigref are not available",
        |session, _| {
            session.fail(
                "nusmv-rs: compass_gen_sigref is not available. What works: dump_expr, \
                 print_fair_transitions -v -f csv, write_boolean_model.",
            )
        },
    ),
    other(
        "write_flat_model_udg",
        "graphs of the model for uDraw are not available",
        |session, _| {
            session.fail(
                "nusmv-rs: write_flat_model_udg is not available. What works: write_flat_model, \
                 dump_expr -f davinci.",
            )
        },
    ),
    other(
        "_language_emptyness",
        "whether there are fair paths: see print_fair_states",
        |session, _| {
            session.fail(
                "nusmv-rs: _language_emptyness is not available. What works: print_fair_states, \
                 check_ltlspec -p FALSE.",
            )
        },
    ),
    other(
        "_print_fair_state_input_pairs",
        "fair pairs of states and inputs: see print_fair_transitions",
        |session, _| {
            session.fail(
                "nusmv-rs: _print_fair_state_input_pairs is not available. What works: \
                 print_fair_transitions.",
            )
        },
    ),
    other("_show_help", "all help texts: see help", |session, _| {
        session.fail(
            "nusmv-rs: _show_help is not available. What works: help, and -h of each command.",
        )
    }),
    other("_bmc_test_tableau", "tests NuSMV itself", no_test),
    other("_utils_test_nodelist", "tests NuSMV itself", no_test),
    other("_utils_test_sset", "tests NuSMV itself", no_test),
    other(
        "_memory_profile",
        "memory by parts of the program is not available",
        |session, _| {
            session.fail(
                "nusmv-rs: _memory_profile is not available. What works: usage, print_bdd_stats.",
            )
        },
    ),
];

fn no_test(session: &mut Session, _: &[String]) -> Answer {
    session.fail("nusmv-rs: tests of NuSMV's own parts are not available.")
}
