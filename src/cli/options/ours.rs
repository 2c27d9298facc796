//! The options that NuSMV has not, or has without saying so.

use super::table::{Opt, file, flag, value};
use super::values;
use crate::engine::vacuity::Sharing;

pub(super) const OPTIONS: &[Opt] = &[
    flag("-quiet", &["prints no banner"], |o| o.quiet = true),
    value(
        "--format",
        "text|json|csv",
        &["chooses the form of the results on standard output; csv: of the queries only"],
        |o, v| values::format(v).map(|f| o.format = f),
    ),
    value(
        "--color",
        "auto|always|never",
        &["chooses when messages are coloured"],
        |o, v| values::color(v).map(|c| o.color = c),
    ),
    value(
        "--cmd",
        "COMMANDS",
        &["runs the shell's commands, separated by semicolons, and ends"],
        |o, v| {
            o.shell.wanted = true;
            o.shell.commands = Some(v.to_owned());
            Ok(())
        },
    ),
    value(
        "--trace-plugin",
        "plugin",
        &[
            "writes traces in another form: changes (0), all (1), columns (2), rows (3), xml (4),",
            "compact (5), element (6), none (7), vcd (8) or html (9)",
        ],
        |o, v| values::trace_plugin(v).map(|p| o.trace_plugin = p),
    ),
    file(
        "--trace-out",
        "file",
        &[
            "writes traces to \"file\"; the second and later ones to files with -2, -3, ... before",
            "the extension",
        ],
        |o, f| o.trace_out = Some(f),
    ),
    value(
        "--timeout",
        "SECONDS",
        &["stops after that time; verdicts so far are kept"],
        |o, v| values::seconds(v).map(|s| o.timeout_s = Some(s)),
    ),
    value(
        "--memory",
        "MB",
        &["stops when more memory than that is in use"],
        |o, v| values::megabytes(v).map(|m| o.memory_mb = Some(m)),
    ),
    value(
        "-j",
        "number",
        &[
            "checks so many properties at the same time (without it: as many as the machine has",
            "cores, once checking has taken a while; 1 for one after the other)",
        ],
        |o, v| values::jobs(v).map(|n| o.jobs = Some(n)),
    )
    .excludes(&["-int", "-source", "-load", "--cmd"]),
    value(
        "--cone-from",
        "BITS",
        &[
            "checks a property in its cone of influence if the rest",
            "cannot matter, in models of so many bits or more (40)",
        ],
        |o, v| values::size(v).map(|n| o.cone_from = n),
    ),
    value(
        "--reorder-from",
        "NODES",
        &[
            "reorders by itself from so many nodes on, if no other",
            "option says anything of orders (150000)",
        ],
        |o, v| values::size(v).map(|n| o.reorder_from = n),
    ),
    value(
        "--rearrange-after",
        "LOOKUPS",
        &[
            "brings variables that depend on each other together after so much work, if no",
            "other option says anything of orders (10000 lookups in the computed table)",
        ],
        |o, v| values::size(v).map(|n| o.rearrange_after = n as u64),
    ),
    flag(
        "-vacuity",
        &["says which parts of CTL and INVARSPEC properties do not matter (vacuity)"],
        |o| {
            o.vacuity();
        },
    ),
    value(
        "-vacuity_engine",
        "words|selectors",
        &["chooses the diagrams of the vacuity pass; implies -vacuity, as all that follow"],
        |o, v| values::vacuity_engine(v).map(|e| o.vacuity().engine = e),
    ),
    value(
        "-vacuity_word",
        "32|64",
        &["sets the bits of a word; more atoms than fit are checked in groups"],
        |o, v| values::word_bits(v).map(|bits| o.vacuity().word_bits = bits),
    ),
    flag(
        "-vacuity_naive",
        &["also checks all witnesses one by one, compares, and gives both times"],
        |o| o.vacuity().naive = Some(Sharing::Nothing),
    ),
    flag(
        "-vacuity_naive_shared",
        &["the same, but each witness finds the computed table of those before it"],
        |o| o.vacuity().naive = Some(Sharing::ComputedTable),
    ),
    flag(
        "-vacuity_refine",
        &["finds the largest vacuous subformulas"],
        |o| o.vacuity().refine = true,
    ),
    flag(
        "-vacuity_mutual",
        &["finds the sets of atoms that can be replaced together"],
        |o| o.vacuity().mutual = true,
    ),
    flag(
        "-vacuity_witness",
        &[
            "shows for each atom that matters in a true formula a trace on which the",
            "formula fails once the atom is replaced",
        ],
        |o| {
            o.vacuity();
            o.witnesses = true;
        },
    ),
    value(
        "-query",
        "\"query\"",
        &["solves a query: a CTL formula with placeholders ? or ?{x,y}; may be repeated"],
        |o, v| {
            o.query.texts.push(v.to_owned());
            Ok(())
        },
    )
    .repeatable(),
    file(
        "-query_file",
        "query_file",
        &["solves the queries in \"query_file\", with semicolons between"],
        |o, f| o.query.files.push(f),
    )
    .repeatable(),
    value(
        "-query_limit",
        "number",
        &["lists at most so many solutions (100)"],
        |o, v| values::count(v).map(|n| o.query.config.limit = n as usize),
    ),
    flag(
        "-query_minterms",
        &["lists single solutions instead of products of sets of values"],
        |o| o.query.config.minterms = true,
    ),
    flag(
        "-query_initial",
        &["lists with each solution the initial states in which it holds"],
        |o| o.query.config.initial = true,
    ),
    value(
        "-query_trace",
        "number",
        &["shows a path for the solution with this number"],
        |o, v| values::count(v).map(|n| o.query.trace = Some(n as usize)),
    ),
    flag(
        "-query_refine",
        &["solves for single variables first, then for pairs, triples, and so on"],
        |o| o.query.config.refine = true,
    ),
    flag(
        "-query_strongest",
        &["also finds the strongest propositional solutions (few variables only)"],
        |o| o.query.config.strongest = true,
    ),
    flag(
        "-query_naive",
        &["also checks solutions one by one (at most 1000), compares, and gives both times"],
        |o| {
            o.query.config.naive.get_or_insert(1000);
        },
    ),
    value(
        "-query_naive_limit",
        "number",
        &["checks so many, evenly spread; implies -query_naive"],
        |o, v| values::count(v).map(|n| o.query.config.naive = Some(n)),
    ),
    flag(
        "--split",
        &["treats the conjuncts of a CTL or INVARSPEC property as properties"],
        |o| o.split = true,
    ),
];
