//! Commands of NuSMV that are not there: each says so, and what works instead. `-h` shows how NuSMV's is called.

use super::Answer;
use super::options::Given;
use super::registry::{Command, Run, command};
use super::session::Session;

/// A command that is refused; `why` goes on behind `nusmv-rs: `.
const fn absent(
    name: &'static str,
    synopsis: &'static str,
    about: &'static str,
    why: &'static str,
) -> Command {
    Command {
        run: Run::Absent(why),
        hidden: name.as_bytes()[0] == b'_',
        ..command(name, synopsis, &[], about, nothing)
    }
}

fn nothing(_: &mut Session, _: &Given) -> Answer {
    Ok(())
}

const NO_BMC: &str = "bounded model checking is not available. What works: go, and the commands that check with \
     decision diagrams (check_ltlspec, check_invar).";

const fn bmc(name: &'static str, synopsis: &'static str) -> Command {
    absent(
        name,
        synopsis,
        "bounded model checking (not available)",
        NO_BMC,
    )
}

const NO_TEST: &str = "tests of NuSMV's own parts are not available.";

const fn test(name: &'static str) -> Command {
    absent(name, "[-h] ...", "tests NuSMV itself", NO_TEST)
}

/// Which properties a command of bounded model checking is for.
macro_rules! property {
    ($rest:literal) => {
        concat!(
            "[-h] [-n number | -p \"formula\" | -P \"name\"] [-k length]",
            $rest
        )
    };
}

pub const COMMANDS: &[Command] = &[
    bmc(
        "bmc_inc_simulate",
        "[-h] [-p | -v] [-r | -i [-a]] [[-c \"constraint\"] | [-t \"constraint\"]] [-k steps]",
    ),
    bmc(
        "bmc_pick_state",
        "[-h] [-v] [-r | -i [-a]] [-c \"constraint\" | -s trace.state]",
    ),
    bmc("bmc_setup", "[-h] [-f]"),
    bmc(
        "bmc_simulate",
        "[-h] [-p | -v] [-r] [[-c \"constraint\"] | [-t \"constraint\"]] [-k steps]",
    ),
    bmc(
        "bmc_simulate_check_feasible_constraints",
        "[-h] [-q] [-c \"constraint\"] ...",
    ),
    bmc(
        "check_invar_bmc",
        property!(" [-e] [-a algorithm] [-o file]"),
    ),
    bmc(
        "check_invar_bmc_inc",
        property!(" [-K step] [-a algorithm] [-s strategy]"),
    ),
    bmc("check_ltlspec_bmc", property!(" [-l loop] [-o file]")),
    bmc("check_ltlspec_bmc_inc", property!(" [-l loop]")),
    bmc("check_ltlspec_bmc_onepb", property!(" [-l loop] [-o file]")),
    bmc("check_ltlspec_sbmc", property!(" [-l loop] [-1] [-o file]")),
    bmc("check_ltlspec_sbmc_inc", property!(" [-N] [-c]")),
    bmc(
        "check_pslspec_bmc",
        property!(" [-l loop] [-g] [-1] [-m | -o file]"),
    ),
    bmc(
        "check_pslspec_bmc_inc",
        property!(" [-l loop] [-1] [-m | -o file]"),
    ),
    bmc(
        "check_pslspec_sbmc",
        property!(" [-l loop] [-g] [-1] [-m | -o file]"),
    ),
    bmc(
        "check_pslspec_sbmc_inc",
        property!(" [-l loop] [-1] [-N] [-c] [-m | -o file]"),
    ),
    bmc(
        "gen_invar_bmc",
        "[-h] [-n number | -p \"formula\" | -P \"name\"] [-o file]",
    ),
    bmc("gen_ltlspec_bmc", property!(" [-l loop] [-o file]")),
    bmc("gen_ltlspec_bmc_onepb", property!(" [-l loop] [-o file]")),
    bmc("gen_ltlspec_sbmc", property!(" [-l loop] [-1] [-o file]")),
    bmc("go_bmc", "[-h] [-f]"),
    absent(
        "compass_gen_sigref",
        "[-h] [-o file] ...",
        "writes files for Sigref (not available)",
        "compass_gen_sigref is not available. What works: dump_expr, print_fair_transitions -v -f csv, \
         write_boolean_model.",
    ),
    absent(
        "write_flat_model_udg",
        "[-h] [-o file]",
        "writes the model as a graph for uDraw (not available)",
        "write_flat_model_udg is not available. What works: write_flat_model, dump_expr -f davinci.",
    ),
    absent(
        "_language_emptyness",
        "[-h] ...",
        "whether there are fair paths: see print_fair_states",
        "_language_emptyness is not available. What works: print_fair_states, check_ltlspec -p FALSE.",
    ),
    absent(
        "_print_fair_state_input_pairs",
        "[-h] ...",
        "fair pairs of states and inputs: see print_fair_transitions",
        "_print_fair_state_input_pairs is not available. What works: print_fair_transitions.",
    ),
    absent(
        "_show_help",
        "[-h] ...",
        "all help texts: see help",
        "_show_help is not available. What works: help, and -h of each command.",
    ),
    test("_bmc_test_tableau"),
    test("_utils_test_nodelist"),
    test("_utils_test_sset"),
    absent(
        "_memory_profile",
        "[-h] ...",
        "memory by parts of the program (not available)",
        "_memory_profile is not available. What works: usage, print_bdd_stats.",
    ),
];
