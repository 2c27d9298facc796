//! The variables of the shell that NuSMV knows: names, defaults and the values that they take.

/// What values a variable takes.
#[derive(Clone, Copy)]
pub enum Kind {
    Bool,
    Int {
        least: i64,
    },
    Text,
    /// One of these words, as NuSMV lists them.
    Choice(&'static [&'static str]),
}

/// A variable with its default.
pub struct Known {
    pub name: &'static str,
    pub default: Option<&'static str>,
    pub kind: Kind,
}

const fn on(name: &'static str) -> Known {
    Known {
        name,
        default: Some("1"),
        kind: Kind::Bool,
    }
}

const fn off(name: &'static str) -> Known {
    Known {
        name,
        default: Some("0"),
        kind: Kind::Bool,
    }
}

const fn int(name: &'static str, default: &'static str, least: i64) -> Known {
    Known {
        name,
        default: Some(default),
        kind: Kind::Int { least },
    }
}

const fn text(name: &'static str, default: Option<&'static str>) -> Known {
    Known {
        name,
        default,
        kind: Kind::Text,
    }
}

const fn choice(
    name: &'static str,
    default: &'static str,
    words: &'static [&'static str],
) -> Known {
    Known {
        name,
        default: Some(default),
        kind: Kind::Choice(words),
    }
}

const METHODS: &[&str] = &[
    "same",
    "linear_converge",
    "linear",
    "exact",
    "genetic",
    "annealing",
    "group_sift_converge",
    "window4_converge",
    "window3_converge",
    "window2_converge",
    "window4",
    "window3",
    "window2",
    "symmetry_sift_converge",
    "symmetry_sift",
    "sift_converge",
    "group_sift",
    "sift",
    "random_pivot",
    "random",
];

/// All of them, sorted by name.
pub const KNOWN: &[Known] = &[
    on("affinity"),
    off("ag_only_search"),
    off("backward_compatibility"),
    choice("bdd_static_order_heuristics", "basic", &["basic", "none"]),
    text("bmc_dimacs_filename", Some("@f_k@k_l@l_n@n")),
    off("bmc_force_pltl_tableau"),
    choice(
        "bmc_inc_invar_alg",
        "dual",
        &["falsification", "zigzag", "dual"],
    ),
    choice("bmc_invar_alg", "classic", &["een-sorensson", "classic"]),
    text("bmc_invar_dimacs_filename", Some("@f_invar_n@n")),
    int("bmc_length", "10", 0),
    text("bmc_loopback", Some("*")),
    on("bmc_optimized_tableau"),
    on("bmc_sbmc_gf_fg_opt"),
    off("boolean_conversion_uses_predicate_normalization"),
    off("check_fsm"),
    choice("check_invar_bddbmc_heuristic", "steps", &["size", "steps"]),
    int("check_invar_bddbmc_threshold", "10", i64::MIN),
    choice(
        "check_invar_forward_backward_heuristic",
        "zigzag",
        &["smallest", "zigzag"],
    ),
    choice(
        "check_invar_strategy",
        "forward",
        &["bdd-bmc", "forward-backward", "backward", "forward"],
    ),
    off("cone_of_influence"),
    int("conj_part_threshold", "1000", i64::MIN),
    on("counter_examples"),
    int("daggifier_counter_threshold", "3", i64::MIN),
    int("daggifier_depth_threshold", "2", i64::MIN),
    on("daggifier_enabled"),
    off("daggifier_statistics"),
    int("default_simulation_steps", "10", i64::MIN),
    int("default_trace_plugin", "0", i64::MIN),
    off("disable_syntactic_checks"),
    off("dynamic_reorder"),
    on("enable_sexp2bdd_caching"),
    on("forward_search"),
    off("ignore_init_file"),
    int("image_cluster_size", "1000", i64::MIN),
    text("input_file", None),
    text("input_order_file", None),
    off("iwls95preorder"),
    off("keep_single_value_vars"),
    off("ltl2smv_single_justice"),
    off("ltl_tableau_forward_search"),
    off("on_failure_script_quits"),
    text("open_path", Some(".")),
    choice(
        "oreg_justice_emptiness_bdd_algorithm",
        "EL_bwd",
        &["EL_fwd", "EL_bwd"],
    ),
    text("output_boolean_model_file", None),
    text("output_flatten_model_file", None),
    text("output_order_file", Some("temp.ord")),
    int("output_word_format", "10", 1),
    off("parser_is_lax"),
    choice(
        "partition_method",
        "Threshold",
        &["Iwls95CP", "Threshold", "Monolithic"],
    ),
    text("pp_cpp_path", None),
    text("pp_list", Some("")),
    text("pp_m4_path", None),
    text("print_accepting", None),
    choice(
        "prop_print_method",
        "formula",
        &["truncated", "formula", "index", "name"],
    ),
    on("rbc_inlining"),
    choice(
        "rbc_rbc2cnf_algorithm",
        "sheridan",
        &["tseitin", "sheridan"],
    ),
    choice("reorder_method", "sift", METHODS),
    text("sat_solver", Some("MiniSat")),
    off("sexp_inlining"),
    int("shown_states", "25", 1),
    text("traces_hiding_prefix", Some("__")),
    text("traces_regexp", None),
    on("traces_show_defines"),
    on("traces_show_defines_with_next"),
    text("trans_order_file", None),
    on("type_checking_warning_on"),
    on("use_coi_size_sorting"),
    choice(
        "vars_order_type",
        "inputs_before_bi",
        &[
            "topological_bi",
            "inputs_after_bi",
            "inputs_before_bi",
            "topological",
            "inputs_after",
            "inputs_before",
        ],
    ),
    int("verbose_level", "0", i64::MIN),
    on("write_order_dumps_bits"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(KNOWN.is_sorted_by_key(|k| k.name));
    }
}
