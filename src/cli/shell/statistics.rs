//! Numbers about diagrams.

use super::Answer;
use super::options::{Given, flag, with};
use super::registry::{Command, command};
use super::session::{Session, Stage};
use crate::report::statistics;

pub const COMMANDS: &[Command] = &[
    command(
        "print_bdd_stats",
        "[-h]",
        &[],
        "shows the parameters and statistics of the decision diagrams",
        print_bdd_stats,
    ),
    command(
        "print_fsm_stats",
        "[-h] [-m | -o file] [-p]",
        &[
            flag('m', "shows the output in $PAGER"),
            with('o', "file", "writes the output to the file"),
            flag('p', "shows the predicates of the model too"),
        ],
        "shows the sizes of the machine's diagrams",
        print_fsm_stats,
    ),
];

pub fn print_bdd_stats(session: &mut Session, _: &Given) -> Answer {
    let text = match &session.machine {
        Some(m) => statistics::diagrams(&m.fsm.manager.stats()),
        None => "There are no decision diagrams yet.\n".to_owned(),
    };
    session.out(&text);
    Ok(())
}

fn print_fsm_stats(session: &mut Session, given: &Given) -> Answer {
    if given.has('m') && given.has('o') {
        return session.bad_usage("print_fsm_stats");
    }
    session.need(Stage::Built)?;
    session.redirected(given, |session| {
        let fsm = session.fsm()?;
        let mut text = format!(
            "Statistics on BDD FSM machine.\nBDD nodes representing init set of states: {}\n\
             BDD nodes representing state constraints: {}\n\
             BDD nodes representing input constraints: 1\n",
            fsm.init.size(),
            fsm.invar.size()
        );
        for direction in ["Forward", "Backward"] {
            text += &format!("{direction} Partitioning Schedule BDD cluster size (#nodes):\n");
            for (i, c) in fsm.trans.clusters().iter().enumerate() {
                text += &format!("cluster {}\t:\tsize {}\n", i + 1, c.size());
            }
        }
        session.out(&text);
        Ok(())
    })
}
