//! The options that NuSMV 2.6.0 and NuSMV-a list in `-h`.
//!
//! Those that do not work here yet are in the table too: their arguments are checked, then the option
//! is refused with a line that names what works.

use super::table::{BASE, Effect, Opt, file, flag, value};
use super::values::{self, Preprocessor};
use crate::encode::Partition;

pub(super) const OPTIONS: &[Opt] = &[
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
];
