//! Numbers about diagrams.

use super::Answer;
use super::options::{Given, Opt, flag, with};
use super::registry::{Command, command};
use super::session::{Session, Stage};
use crate::encode::{Clustering, Weights};

pub const COMMANDS: &[Command] = &[
    Command {
        notices: [REPLACED; 2],
        ..command(
            "print_clusterinfo",
            "[-h] [-m | -o file] [-p]",
            STATISTICS,
            "the same as print_fsm_stats",
            print_fsm_stats,
        )
        .with_words()
    },
    command(
        "print_iwls95options",
        "[-h]",
        &[],
        "shows what says how clusters are made",
        print_iwls95options,
    )
    .with_words(),
    command(
        "print_bdd_stats",
        "[-h]",
        &[],
        "shows the parameters and statistics of the decision diagrams",
        print_bdd_stats,
    )
    .with_words(),
    command(
        "print_fsm_stats",
        "[-h] [-m | -o file] [-p]",
        STATISTICS,
        "shows the sizes of the machine's diagrams",
        print_fsm_stats,
    )
    .with_words(),
];

const STATISTICS: &[Opt] = &[
    flag('m', "shows the output in $PAGER"),
    with('o', "file", "writes the output to the file"),
    flag(
        'p',
        "refused: predicates are not listed (write_flat_model shows the model)",
    ),
];

pub fn print_bdd_stats(session: &mut Session, _: &Given) -> Answer {
    let text = match &session.machine {
        Some(m) => format!(
            "{}\nWhat these parameters mean can be read in the documentation of CUDD.\n",
            m.fsm.manager.report()
        ),
        None => "There are no decision diagrams yet.\n".to_owned(),
    };
    session.out(&text);
    Ok(())
}

fn print_fsm_stats(session: &mut Session, given: &Given) -> Answer {
    if given.has('m') && given.has('o') {
        return session.bad_usage("print_fsm_stats");
    }
    if given.has('p') {
        return session.fail(
            "nusmv-rs: print_fsm_stats -p is not available. What works: print_fsm_stats for sizes, \
             write_flat_model for the model's expressions.",
        );
    }
    session.need(Stage::Built)?;
    session.redirected_quietly(given, |session| {
        let fsm = session.fsm()?;
        let mut text = format!(
            "Statistics on BDD FSM machine.\nBDD nodes representing init set of states: {}\n\
             BDD nodes representing state constraints: {}\n\
             BDD nodes representing input constraints: 1\n",
            fsm.init.size(),
            fsm.invar.size()
        );
        let schedules = [
            ("Forward", fsm.trans.forward_sizes()),
            ("Backward", fsm.trans.backward_sizes()),
        ];
        for (direction, sizes) in schedules {
            text += &format!("{direction} Partitioning Schedule BDD cluster size (#nodes):\n");
            for (i, size) in sizes.iter().enumerate() {
                text += &format!("cluster {}\t:\tsize {size}\n", i + 1);
            }
        }
        session.out(&text);
        Ok(())
    })
}

/// Said before and after it, even with a wrong option.
const REPLACED: &str = "----------------------------------------------------------------------\n\
     --             Deprecated in 2.4: use 'print_fsm_stats'             --\n\
     ----------------------------------------------------------------------\n";

fn print_iwls95options(session: &mut Session, _: &Given) -> Answer {
    let word = |on: bool| if on { "enabled" } else { "disabled" };
    let Clustering {
        affinity,
        preorder,
        weights,
        ..
    } = session.context.options.clustering;
    let Weights([w1, w2, w3, w4]) = weights;
    let limit = session
        .variables
        .get("image_cluster_size")
        .unwrap_or("1000");
    session.out(&format!(
        "Printing cluster options:\n\
        \x20  Threshold Value of Bdd Size For Creating Clusters = {limit}\n\
        \x20  Affinity = {}\n\
        \x20  Preorder = {}\n\
        \x20  W1 = {w1:2}\n   W2 = {w2}\n   W3 = {w3}\n   W4 = {w4}\n\
         Use \"set image_cluster_size value\" to set this to desired value.\n\
         Use \"set image_verbosity value\" to set this to desired value.\n\
         Use \"set image_W? value\" to set these to the desired values.\n",
        word(affinity),
        word(preorder),
    ));
    Ok(())
}
