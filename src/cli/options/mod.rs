//! The command line: one table of options, one parser, one result.
//!
//! `args_os` → [`Options`] | [`Stop`]. The table ([`table::options`]) yields parsing and `-h`; the
//! parser ([`mod@parse`]) follows NuSMV's order of evaluation: options from left to right, each with
//! its warnings and its first fatal error, then requirements and incompatibilities.
//! Deliberately absent: effects. `Options` is plain data that `batch` reads.

mod help;
mod nusmv;
mod ours;
mod parse;
mod table;
pub mod values;

use crate::encode::{OrderType, StaticOrder};
pub use help::{names, usage};
pub use parse::{Stop, parse};
pub use values::{ColorChoice, Format, Preprocessor};

use crate::cli::preprocess::Programs;
use crate::dd::Method;
use crate::encode::Clustering;
use crate::engine::bidirectional::Strategy;
use crate::engine::{query, vacuity};
use crate::report::verdict::PropertyStyle;
use crate::trace::{Plugin, Selection};
use std::ffi::OsString;
use std::path::PathBuf;

/// Which kinds of properties are skipped (`-is -ic -ils -ips -ii`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skip {
    /// SPEC, CTLSPEC
    pub ctl: bool,
    /// COMPUTE
    pub compute: bool,
    /// LTLSPEC
    pub ltl: bool,
    /// PSLSPEC
    pub psl: bool,
    /// INVARSPEC
    pub invar: bool,
}

/// What the command line wants of the shell.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// `-int`, or an option that needs the shell.
    pub wanted: bool,
    /// `-source`, `-load`
    pub script: Option<PathBuf>,
    /// `--cmd`
    pub commands: Option<String>,
    /// `-s`: no `.nusmvrc` files.
    pub plain: bool,
}

/// What the command line asks for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The model; the last argument unless that starts with `-`.
    pub input: Option<OsString>,
    /// `-v`; negative values are what NuSMV makes of them: silence.
    pub verbosity: i32,
    /// `-quiet`: no banner.
    pub quiet: bool,
    /// `-pre`, in the order given.
    pub preprocessors: Vec<Preprocessor>,
    /// Programs to run as preprocessors instead of the usual ones.
    pub programs: Programs,
    /// `-old`: 1 and 0 as Boolean constants and the old keywords.
    pub old_syntax: bool,
    /// After syntax errors what can be read is read.
    pub lax: bool,
    /// `-old_div_op`
    pub old_div: bool,
    /// `-keep_single_value_vars`
    pub keep_single_value: bool,
    /// Off with `-disable_syntactic_checks`.
    pub syntactic_checks: bool,
    /// `-lp`
    pub list_properties: bool,
    /// `-is -ic -ils -ips -ii`
    pub skip: Skip,
    /// `-n`
    pub property: Option<u32>,
    /// `-ofm`
    pub flat_out: Option<OsString>,
    /// `-obm`
    pub boolean_out: Option<OsString>,
    /// `-i`
    pub order_in: Option<OsString>,
    /// `-o`
    pub order_out: Option<OsString>,
    /// `-t`
    pub cluster_order_in: Option<OsString>,
    /// `-bdd_soh`
    pub static_order: StaticOrder,
    /// `vars_order_type` of the shell.
    pub order_type: OrderType,
    /// `-dynamic`
    pub dynamic: bool,
    /// `-m`
    pub reorder_method: Method,
    /// `-reorder`: reorder before the end, which is also when `-o` writes.
    pub reorder_at_end: bool,
    /// `-mono -thresh -iwls95 -iwl95preorder -noaffinity -t`
    pub clustering: Clustering,
    /// Off with `-df`.
    pub reachable: bool,
    /// `check_invar -s`
    pub invar_strategy: Strategy,
    /// `-flt`
    pub reach_tableau: bool,
    /// `-ojeba EL_fwd`
    pub fair_forward: bool,
    /// `-r`
    pub print_reachable: bool,
    /// `-ctt`
    pub check_total: bool,
    /// `-AG`
    pub ag_only: bool,
    /// `-coi`
    pub cone: bool,
    /// Off with `-dcx`.
    pub traces: bool,
    /// `-a`: a file, or `print`.
    pub accepting: Option<OsString>,
    /// How traces are written, and what of them.
    pub trace_plugin: Plugin,
    /// What verdict lines say for a property.
    pub property_style: PropertyStyle,
    /// Which symbols traces show.
    pub trace_symbols: Selection,
    /// `--trace-out`: where to, instead of to standard output.
    pub trace_out: Option<OsString>,
    /// Our own options.
    pub format: Format,
    /// `--color`
    pub color: ColorChoice,
    /// `--timeout`
    pub timeout_s: Option<f64>,
    /// `--memory`
    pub memory_mb: Option<u64>,
    /// `-j`: how many properties are checked at the same time; if none is given, as many as the
    /// machine can, once it pays.
    pub jobs: Option<usize>,
    /// Bits of a model from which on properties are checked in their cones, where that is the same.
    pub cone_from: usize,
    /// Live nodes from which on a run reorders by itself.
    pub reorder_from: usize,
    /// Lookups in the computed table after which variables are rearranged.
    pub rearrange_after: u64,
    /// `-vacuity` and its kin.
    pub vacuity: Option<vacuity::Config>,
    /// `-vacuity_witness`
    pub witnesses: bool,
    /// `--split`
    pub split: bool,
    /// `-query` and its kin.
    pub query: Queries,
    /// `-int`, `-source` and what belongs to them.
    pub shell: Plan,
}

/// `-query` and its kin.
#[derive(Clone, Debug, Default)]
pub struct Queries {
    /// `-query`, each occurrence one.
    pub texts: Vec<String>,
    /// `-query_file`
    pub files: Vec<OsString>,
    /// What is asked of each query.
    pub config: query::Config,
    /// The solution to which a trace is wanted, from 1.
    pub trace: Option<usize>,
}

impl Options {
    /// The configuration of the vacuity analysis, which is on from now on.
    fn vacuity(&mut self) -> &mut vacuity::Config {
        self.vacuity.get_or_insert_default()
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            input: None,
            verbosity: 0,
            quiet: false,
            preprocessors: Vec::new(),
            programs: Programs::default(),
            old_syntax: false,
            lax: false,
            old_div: false,
            keep_single_value: false,
            syntactic_checks: true,
            invar_strategy: Strategy::Forward,
            reach_tableau: false,
            fair_forward: false,
            list_properties: false,
            skip: Skip::default(),
            property: None,
            flat_out: None,
            boolean_out: None,
            order_in: None,
            order_out: None,
            cluster_order_in: None,
            static_order: StaticOrder::Basic,
            order_type: OrderType::default(),
            dynamic: false,
            reorder_method: Method::Sift,
            reorder_at_end: false,
            clustering: Clustering::default(),
            reachable: true,
            print_reachable: false,
            check_total: false,
            ag_only: false,
            cone: false,
            traces: true,
            accepting: None,
            trace_plugin: Plugin::default(),
            property_style: PropertyStyle::default(),
            trace_symbols: Selection::default(),
            trace_out: None,
            format: Format::Text,
            color: ColorChoice::Auto,
            timeout_s: None,
            memory_mb: None,
            jobs: None,
            cone_from: 40,
            reorder_from: 150_000,
            rearrange_after: 10_000,
            vacuity: None,
            witnesses: false,
            split: false,
            query: Queries::default(),
            shell: Plan::default(),
        }
    }
}
