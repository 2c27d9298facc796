//! The table of options: name, argument, help text, relations to others, effect.
//!
//! The order is that of `-h`. Options of NuSMV that do not work here yet are in the table too:
//! their arguments are checked, then the option is refused with a line that names what works.

use super::Options;
use super::values::{self, BadValue, Preprocessor};
use crate::encode::Partition;
use crate::engine::vacuity::Sharing;
use std::ffi::{OsStr, OsString};

/// What an option does to the result.
#[derive(Clone, Copy)]
pub enum Effect {
    /// Prints the help text and ends.
    Help,
    /// Takes no argument.
    Flag(fn(&mut Options)),
    /// Takes an argument, which must be text in UTF-8.
    Value(&'static str, fn(&mut Options, &str) -> Result<(), BadValue>),
    /// Takes the name of a file.
    File(&'static str, fn(&mut Options, OsString)),
    /// Takes the name of a command file, which must exist.
    Script(&'static str),
}

/// One row of the table.
pub struct Opt {
    pub name: &'static str,
    /// Another name of the same option.
    pub alias: Option<&'static str>,
    pub effect: Effect,
    /// Lines of help; the printer indents but does not wrap them.
    pub help: &'static [&'static str],
    pub deprecated: bool,
    /// Each occurrence counts.
    pub repeatable: bool,
    pub requires: Option<&'static str>,
    pub excludes: &'static [&'static str],
    /// For options that do not work yet: the nearest thing that does.
    pub refused: Option<&'static str>,
}

const BASE: Opt = Opt {
    name: "",
    alias: None,
    effect: Effect::Help,
    help: &[],
    deprecated: false,
    repeatable: false,
    requires: None,
    excludes: &[],
    refused: None,
};

const fn flag(name: &'static str, help: &'static [&'static str], set: fn(&mut Options)) -> Opt {
    Opt {
        name,
        effect: Effect::Flag(set),
        help,
        ..BASE
    }
}

const fn value(
    name: &'static str,
    argument: &'static str,
    help: &'static [&'static str],
    set: fn(&mut Options, &str) -> Result<(), BadValue>,
) -> Opt {
    Opt {
        name,
        effect: Effect::Value(argument, set),
        help,
        ..BASE
    }
}

const fn file(
    name: &'static str,
    argument: &'static str,
    help: &'static [&'static str],
    set: fn(&mut Options, OsString),
) -> Opt {
    Opt {
        name,
        effect: Effect::File(argument, set),
        help,
        ..BASE
    }
}

impl Opt {
    const fn deprecated(self) -> Opt {
        Opt {
            deprecated: true,
            ..self
        }
    }

    const fn repeatable(self) -> Opt {
        Opt {
            repeatable: true,
            ..self
        }
    }

    const fn requires(self, other: &'static str) -> Opt {
        Opt {
            requires: Some(other),
            ..self
        }
    }

    const fn excludes(self, others: &'static [&'static str]) -> Opt {
        Opt {
            excludes: others,
            ..self
        }
    }

    const fn refused(self, nearest: &'static str) -> Opt {
        Opt {
            refused: Some(nearest),
            ..self
        }
    }

    /// The argument's name in the help text.
    pub fn argument(&self) -> Option<&'static str> {
        match self.effect {
            Effect::Help | Effect::Flag(_) => None,
            Effect::Value(a, _) | Effect::File(a, _) | Effect::Script(a) => Some(a),
        }
    }

    /// Whether `word` is this option.
    pub fn is(&self, word: &OsStr) -> bool {
        word == self.name || self.alias.is_some_and(|a| word == a)
    }
}

/// All options, in the order of `-h`.
pub const OPTIONS: &[Opt] = &[
    Opt {
        name: "-h",
        alias: Some("-help"),
        help: &["shows this text"],
        ..BASE
    },
    file(
        "-a",
        "filename",
        &[
            "writes the accepting states as a factored formula to the file \"filename\",",
            "or to standard output when \"filename\" is the word print",
        ],
        |o, f| o.accepting = Some(f),
    ),
    flag(
        "-AG",
        &["checks only formulas of the form AG p, by forward search"],
        |o| {
            o.ag_only = true;
        },
    ),
    value(
        "-bdd_soh",
        "heuristics",
        &["chooses how variables are ordered before any reordering: none or basic"],
        |o, v| values::static_order(v).map(|m| o.static_order = m),
    ),
    flag(
        "-bmc",
        &["uses bounded model checking instead of decision diagrams"],
        |_| {},
    )
    .refused("checking with decision diagrams, which is what happens without it"),
    value(
        "-bmc_length",
        "k",
        &["sets the bound of bounded model checking"],
        |_, v| values::bmc_length(v),
    )
    .requires("-bmc")
    .refused("checking with decision diagrams, which needs no bound"),
    flag(
        "-coi",
        &["checks each property and solves each query on its cone of influence"],
        |o| o.cone = true,
    ),
    value(
        "-cp",
        "cp_t",
        &[
            "cuts the transition relation into clusters of at most \"cp_t\" nodes; the same",
            "as -thresh, which is the name to use",
        ],
        |o, v| values::cluster_size(v).map(|n| o.clustering.partition = Partition::Threshold(n)),
    )
    .excludes(&["-iwls95", "-mono", "-thresh"])
    .deprecated(),
    flag(
        "-cpp",
        &[
            "runs the C preprocessor on the model before those named by -pre. The",
            "environment variable 'CPP' names another program for it.",
        ],
        |o| {
            if o.preprocessors.first() != Some(&Preprocessor::Cpp) {
                o.preprocessors.insert(0, Preprocessor::Cpp);
            }
        },
    )
    .deprecated(),
    flag(
        "-ctt",
        &["checks that every state has a successor, before the properties are checked"],
        |o| o.check_total = true,
    ),
    flag("-dcx", &["prints verdicts without counterexamples"], |o| {
        o.traces = false
    }),
    flag(
        "-df",
        &["does not compute the reachable states beforehand"],
        |o| o.reachable = false,
    )
    .excludes(&["-f"]),
    flag(
        "-disable_daggifier",
        &["writes models without sharing common expressions"],
        |_| {},
    ),
    flag(
        "-disable_sexp2bdd_caching",
        &["does not keep the decision diagrams of expressions for later use"],
        |_| {},
    ),
    flag(
        "-disable_syntactic_checks",
        &["skips checks of the model that are known to succeed"],
        |o| o.syntactic_checks = false,
    ),
    flag(
        "-dynamic",
        &["reorders the variables while computing"],
        |o| o.dynamic = true,
    ),
    flag(
        "-f",
        &["computes the reachable states beforehand (this is the default)"],
        |o| {
            o.reachable = true;
        },
    )
    .excludes(&["-df"])
    .deprecated(),
    flag(
        "-flt",
        &["computes the reachable states also of LTL tableaux"],
        |o| o.reach_tableau = true,
    ),
    file(
        "-i",
        "iv_file",
        &["takes the order of variables from file \"iv_file\""],
        |o, f| {
            o.order_in = Some(f);
        },
    ),
    flag("-ic", &["skips COMPUTE"], |o| o.skip.compute = true),
    flag("-ii", &["skips INVARSPEC"], |o| o.skip.invar = true),
    flag("-ils", &["skips LTLSPEC"], |o| o.skip.ltl = true),
    flag("-int", &["starts the interactive shell"], |o| {
        o.shell.wanted = true;
    }),
    flag("-ips", &["skips PSLSPEC"], |o| o.skip.psl = true),
    flag("-is", &["skips SPEC"], |o| o.skip.ctl = true),
    flag(
        "-iwl95preorder",
        &["orders the clusters of -iwls95 beforehand"],
        |o| {
            o.clustering.preorder = true;
        },
    ),
    value(
        "-iwls95",
        "cp_t",
        &["uses IWLS95 clusters of at most \"cp_t\" nodes for the transition relation"],
        |o, v| values::cluster_size(v).map(|n| o.clustering.partition = Partition::Iwls95(n)),
    )
    .excludes(&["-thresh", "-mono", "-cp"]),
    flag(
        "-keep_single_value_vars",
        &["keeps variables with one possible value as variables, not as DEFINEs"],
        |o| o.keep_single_value = true,
    ),
    Opt {
        name: "-load",
        effect: Effect::Script("sc_file"),
        help: &["executes commands from a file"],
        ..BASE
    }
    .excludes(&["-source"])
    .deprecated(),
    flag(
        "-lp",
        &["lists the properties of the model and stops"],
        |o| o.list_properties = true,
    ),
    value(
        "-m",
        "method",
        &["sets the method of reordering and switches reordering on"],
        |o, v| {
            values::reorder_method(v).map(|m| {
                o.reorder_method = m;
                o.dynamic = true;
            })
        },
    ),
    flag(
        "-mono",
        &["uses one decision diagram for the whole transition relation"],
        |o| {
            o.clustering.partition = Partition::Monolithic;
        },
    )
    .excludes(&["-thresh", "-iwls95", "-cp"]),
    value(
        "-n",
        "idx",
        &["checks only the property with number idx in the list of -lp"],
        |o, v| values::integer(v).map(|n| o.property = u32::try_from(n).ok()),
    ),
    flag(
        "-noaffinity",
        &["clusters without the affinity measure"],
        |o| o.clustering.affinity = false,
    ),
    file(
        "-o",
        "ov_file",
        &["writes the order of variables to file \"ov_file\" (needs -reorder)"],
        |o, f| o.order_out = Some(f),
    ),
    file(
        "-obm",
        "bn_file",
        &["writes the Boolean model to file \"bn_file\""],
        |o, f| {
            o.boolean_out = Some(f);
        },
    ),
    file(
        "-ofm",
        "fn_file",
        &["writes the flattened model to file \"fn_file\""],
        |o, f| {
            o.flat_out = Some(f);
        },
    ),
    value(
        "-ojeba",
        "str",
        &[
            "chooses how emptiness of fair transition systems is decided for LTL: EL_bwd",
            "(the default) or EL_fwd",
        ],
        |o, v| {
            o.fair_forward = values::emptiness_algorithm(v)?;
            Ok(())
        },
    ),
    flag(
        "-old",
        &["accepts models written for older versions of NuSMV"],
        |o| {
            o.old_syntax = true;
        },
    ),
    flag(
        "-old_div_op",
        &["rounds \"/\" and \"mod\" to minus infinity, not to zero as C does"],
        |o| {
            o.old_div = true;
        },
    ),
    value(
        "-pre",
        "pp_list",
        &[
            "runs preprocessors on the model, in the order given: one or more of cpp and m4",
            "with a blank between them (put the list in double quotes)",
        ],
        |o, v| {
            values::preprocessors(v).map(|list| {
                let cpp = o.preprocessors.first() == Some(&Preprocessor::Cpp);
                o.preprocessors = list;
                if cpp && o.preprocessors.first() != Some(&Preprocessor::Cpp) {
                    o.preprocessors.insert(0, Preprocessor::Cpp);
                }
            })
        },
    ),
    flag("-r", &["prints the number of reachable states"], |o| {
        o.print_reachable = true
    }),
    flag(
        "-reorder",
        &["reorders the variables before the program ends"],
        |o| {
            o.reorder_at_end = true;
        },
    ),
    value(
        "-rin",
        "on|off",
        &["inlines Boolean circuits (on is the default)"],
        |_, v| values::on_off(v).map(drop),
    ),
    flag(
        "-s",
        &["reads no initialization files (batch mode never does)"],
        |o| o.shell.plain = true,
    ),
    value(
        "-sat_solver",
        "str",
        &["chooses the solver of bounded model checking: MiniSat"],
        |_, v| values::sat_solver(v),
    )
    .refused("checking with decision diagrams, which needs no solver"),
    value(
        "-sin",
        "on|off",
        &["inlines expressions while flattening (off is the default)"],
        |_, v| values::on_off(v).map(drop),
    ),
    Opt {
        name: "-source",
        effect: Effect::Script("sc_file"),
        help: &["executes commands from file \"sc_file\""],
        ..BASE
    }
    .excludes(&["-load"]),
    file(
        "-t",
        "tv_file",
        &[
            "clusters without the affinity measure; the order of variables in \"tv_file\" is",
            "read and, as in NuSMV, changes nothing else",
        ],
        |o, f| {
            o.cluster_order_in = Some(f);
            o.clustering.affinity = false;
        },
    ),
    value(
        "-thresh",
        "cp_t",
        &[
            "cuts the transition relation into clusters of at most \"cp_t\" nodes (this is",
            "the default, with 1000 nodes)",
        ],
        |o, v| values::cluster_size(v).map(|n| o.clustering.partition = Partition::Threshold(n)),
    )
    .excludes(&["-iwls95", "-mono", "-cp"]),
    value(
        "-v",
        "vl",
        &["tells on standard error what is being done; more for a larger vl"],
        |o, v| values::integer(v).map(|n| o.verbosity = n),
    ),
    // What NuSMV has not, or has without saying so.
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
