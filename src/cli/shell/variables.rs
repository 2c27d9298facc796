//! The shell's variables: NuSMV's options under their names there, and those that users define.
//!
//! `set` checks a value as NuSMV does and hands what matters to [`Options`]; the others are kept so that
//! scripts can set and read them.

use super::known::{KNOWN, Kind};
use crate::cli::options::{Options, values};
use crate::cli::preprocess::PreprocessError;
use crate::encode::{Partition, StaticOrder, Weights};
use crate::engine::bidirectional::Strategy;
use crate::report::verdict::PropertyStyle;
use crate::trace::Plugin;
use crate::trace::pattern::Pattern;
use smv_grammar::word::{self, Base};
use std::collections::BTreeMap;
use std::path::Path;

/// Whether the working directory or one on `PATH` has a file of this one's name.
fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let name = Path::new(program).file_name();
    name.is_some_and(|name| {
        Path::new(name).exists() || std::env::split_paths(&path).any(|dir| dir.join(name).exists())
    })
}

/// Why a variable does not take a value.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    #[error("Please provide a value for option \"{0}\"")]
    NoValue(String),
    #[error(
        "The option requires an integer argument\nCannot assign value \"{value}\" to option \"{name}\""
    )]
    NoInteger { name: String, value: String },
    #[error(
        "Number must be {range}\nThe option requires an integer argument\nCannot assign value \"{value}\" to option \"{name}\""
    )]
    OutOfRange {
        name: String,
        value: String,
        range: &'static str,
    },
    #[error(
        "Possible values are: \"{words}\"\nCannot assign value \"{value}\" to option \"{name}\""
    )]
    NoWord {
        name: String,
        value: String,
        words: String,
    },
    #[error(
        "Error: {why}\nThe option requires an integer argument\nCannot assign value \"{value}\" to option \"{name}\""
    )]
    NoPlugin {
        name: String,
        value: String,
        why: String,
    },
    #[error("{0}")]
    Preprocessor(#[from] PreprocessError),
    #[error("{text}\nCannot assign value \"{value}\" to option \"{name}\"")]
    Fault {
        name: String,
        value: String,
        text: String,
    },
    #[error("Cannot assign value \"{value}\" to option \"{name}\"")]
    Refused { name: String, value: String },
}

/// All variables with their values.
pub struct Variables {
    values: BTreeMap<String, Option<String>>,
}

impl Variables {
    /// NuSMV's defaults, and what the command line says.
    pub fn new(options: &Options) -> Variables {
        let values = KNOWN
            .iter()
            .map(|k| (k.name.to_owned(), k.default.map(str::to_owned)))
            .collect();
        let mut this = Variables { values };
        this.read(options);
        this
    }

    /// Takes over what `options` say.
    fn read(&mut self, o: &Options) {
        let bit = |b: bool| Some(if b { "1" } else { "0" }.to_owned());
        let file =
            |f: &Option<std::ffi::OsString>| f.as_ref().map(|f| f.to_string_lossy().into_owned());
        let mut put = |name: &str, value: Option<String>| {
            self.values.insert(name.to_owned(), value);
        };
        put("affinity", bit(o.clustering.affinity));
        put("ag_only_search", bit(o.ag_only));
        put("backward_compatibility", bit(o.old_syntax));
        let basic = o.static_order == StaticOrder::Basic;
        put(
            "bdd_static_order_heuristics",
            Some(if basic { "basic" } else { "none" }.to_owned()),
        );
        put("check_fsm", bit(o.check_total));
        put("cone_of_influence", bit(o.cone));
        put("counter_examples", bit(o.traces));
        put(
            "default_trace_plugin",
            Some(o.trace_plugin.number().to_string()),
        );
        put("disable_syntactic_checks", bit(!o.syntactic_checks));
        put("dynamic_reorder", bit(o.dynamic));
        put("forward_search", bit(o.reachable));
        put("ignore_init_file", bit(o.shell.plain));
        put("input_file", file(&o.input));
        put("input_order_file", file(&o.order_in));
        put("iwls95preorder", bit(o.clustering.preorder));
        put("keep_single_value_vars", bit(o.keep_single_value));
        put("ltl_tableau_forward_search", bit(o.reach_tableau));
        if o.fair_forward {
            let name = "oreg_justice_emptiness_bdd_algorithm";
            put(name, Some("EL_fwd".to_owned()));
        }
        put("output_boolean_model_file", file(&o.boolean_out));
        put("output_flatten_model_file", file(&o.flat_out));
        if o.order_out.is_some() {
            put("output_order_file", file(&o.order_out));
        }
        put("reorder_method", Some(o.reorder_method.name().to_owned()));
        put("trans_order_file", file(&o.cluster_order_in));
        put("verbose_level", Some(o.verbosity.to_string()));
        match o.clustering.partition {
            Partition::Monolithic => put("partition_method", Some("Monolithic".into())),
            Partition::Iwls95(n) => {
                put("partition_method", Some("Iwls95CP".into()));
                put("image_cluster_size", Some(n.to_string()));
            }
            Partition::Threshold(n) => {
                put("partition_method", Some("Threshold".into()));
                put("conj_part_threshold", Some(n.to_string()));
            }
        }
    }

    /// The value; `None` if there is no such variable or it has none.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name)?.as_deref()
    }

    /// Whether a variable that is on or off is on.
    pub fn is_on(&self, name: &str) -> bool {
        self.get(name) == Some("1")
    }

    /// The value of a variable that holds a number.
    pub fn number(&self, name: &str) -> Option<i64> {
        self.get(name)?.trim().parse().ok()
    }

    /// Names and values, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.values.iter().map(|(n, v)| (n.as_str(), v.as_deref()))
    }

    /// Whether NuSMV knows the variable.
    pub fn is_known(name: &str) -> bool {
        KNOWN.iter().any(|k| k.name == name)
    }

    /// Defines a variable of the user's own; whether it is new.
    pub fn define(&mut self, name: &str, value: &str, options: &mut Options) -> bool {
        let old = self.values.insert(name.to_owned(), Some(value.to_owned()));
        options.clustering.weights = self.weights();
        old.is_none()
    }

    /// The weights of the IWLS95 heuristic. `image_W1` to `image_W4` are no variables that NuSMV knows,
    /// but it reads them, as C's `atoi` does.
    fn weights(&self) -> Weights {
        let Weights(mut weights) = Weights::default();
        for (i, weight) in weights.iter_mut().enumerate() {
            if let Some(text) = self.get(&format!("image_W{}", i + 1)) {
                *weight = values::leading_integer(text).map_or(0, |(n, _)| n);
            }
        }
        Weights(weights)
    }

    /// Removes a variable of the user's own, or gives one of NuSMV's its default; false if there is none.
    pub fn unset(&mut self, name: &str, options: &mut Options) -> bool {
        let Some(known) = KNOWN.iter().find(|k| k.name == name) else {
            let was = self.values.remove(name).is_some();
            options.clustering.weights = self.weights();
            return was;
        };
        // NuSMV switches off what is on or off, whatever its default.
        let default = match known.kind {
            Kind::Bool => Some("0".to_owned()),
            _ => known.default.map(str::to_owned),
        };
        self.values.insert(name.to_owned(), default.clone());
        apply(options, name, default.as_deref(), self);
        true
    }

    /// Programs given for preprocessors must be there, and a file of their name in the working directory or
    /// on `PATH`: that is where NuSMV looks.
    fn check_programs(&self, list: &str, options: &Options) -> Result<(), SetError> {
        for which in values::preprocessors(list).unwrap_or_default() {
            let Some(program) = options.programs.of(which)? else {
                continue;
            };
            if !on_path(program) {
                return Err(SetError::Fault {
                    name: "pp_list".to_owned(),
                    value: list.to_owned(),
                    text: "Some of the specified preprocessors does not exist".to_owned(),
                });
            }
        }
        Ok(())
    }

    /// Why a variable does not take a value, in words of its own. The length of bounded model checking and where
    /// the loop begins must fit together.
    fn fault(&self, name: &str, value: &str) -> Option<String> {
        let number = value.trim().parse::<i64>();
        match name {
            "sat_solver" if !value.eq_ignore_ascii_case("minisat") => {
                Some("The available SAT solvers are: MiniSat ".to_owned())
            }
            "output_word_format" => {
                let fits = number.map_or(true, |n| Base::from_number(n).is_some());
                (!fits).then(|| {
                    "Valid values are 2, 8, 10 and 16.\nThe option requires an integer argument"
                        .to_owned()
                })
            }
            "traces_regexp" => Pattern::new(value).err().map(|e| e.to_string()),
            "pp_list" => {
                let unknown = values::preprocessors(value).err();
                unknown.map(|e| e.note.unwrap_or_default().to_owned())
            }
            "bmc_length" => {
                let start = self.get("bmc_loopback").unwrap_or("*");
                let least = match start.parse::<i64>() {
                    Ok(l) if l < 0 => -l,
                    Ok(l) => l + 1,
                    Err(_) => 0,
                };
                let fits = number.is_ok_and(|n| n >= least);
                (!fits).then(|| {
                    format!(
                        "Given value is not compatible with current loopback value set to {start}.\n\
                         The option requires an integer argument"
                    )
                })
            }
            "bmc_loopback" => {
                let length = self.number("bmc_length").unwrap_or(0);
                let fits =
                    matches!(value, "*" | "X") || number.is_ok_and(|n| -length <= n && n < length);
                (!fits).then(|| "Invalid value for the bmc_loopback variable.".to_owned())
            }
            _ => None,
        }
    }

    /// Sets a variable that NuSMV knows.
    pub fn set(
        &mut self,
        name: &str,
        value: Option<&str>,
        options: &mut Options,
    ) -> Result<(), SetError> {
        let known = KNOWN.iter().find(|k| k.name == name);
        let kind = known.map_or(Kind::Text, |k| k.kind);
        let value = match (kind, value) {
            (Kind::Bool, None) => "1",
            (_, None) => return Err(SetError::NoValue(name.to_owned())),
            (_, Some(value)) => value,
        };
        let no_word = |words: &[&str]| SetError::NoWord {
            name: name.to_owned(),
            value: value.to_owned(),
            words: words.join(" "),
        };
        if name == "pp_list" {
            self.check_programs(value, options)?;
        }
        if let Some(text) = self.fault(name, value) {
            return Err(SetError::Fault {
                name: name.to_owned(),
                value: value.to_owned(),
                text,
            });
        }
        match kind {
            Kind::Bool if !matches!(value, "0" | "1") => return Err(no_word(&["1", "0"])),
            Kind::Choice(words) if !words.contains(&value) => return Err(no_word(words)),
            Kind::Int { least } => match values::integer(value) {
                Ok(n) if name == "default_trace_plugin" => {
                    if Plugin::from_number(i64::from(n)).is_none() {
                        return Err(SetError::NoPlugin {
                            name: name.to_owned(),
                            value: value.to_owned(),
                            why: if n < 0 {
                                "Not a proper plugin to show a trace ".to_owned()
                            } else {
                                format!("Plugin {n} is not currently available")
                            },
                        });
                    }
                }
                Ok(n) if i64::from(n) >= least => {}
                Ok(_) if name == "shown_states" => {
                    return Err(SetError::OutOfRange {
                        name: name.to_owned(),
                        value: value.to_owned(),
                        range: "1 <= n <= 65535",
                    });
                }
                Ok(_) => {
                    return Err(SetError::Refused {
                        name: name.to_owned(),
                        value: value.to_owned(),
                    });
                }
                Err(_) => {
                    return Err(SetError::NoInteger {
                        name: name.to_owned(),
                        value: value.to_owned(),
                    });
                }
            },
            _ => {}
        }
        self.values.insert(name.to_owned(), Some(value.to_owned()));
        apply(options, name, Some(value), self);
        if name == "trans_order_file" {
            // As NuSMV does: this is all the file is good for.
            self.set("affinity", Some("0"), options)?;
        }
        Ok(())
    }
}

/// The search that a word stands for; BMC is not there yet.
pub fn strategy(word: &str) -> Strategy {
    match word {
        "backward" => Strategy::Backward,
        "forward-backward" => Strategy::ForwardBackward,
        _ => Strategy::Forward,
    }
}

/// Hands a value on to those who read options.
fn apply(o: &mut Options, name: &str, value: Option<&str>, all: &Variables) {
    let on = value == Some("1");
    let size = |name: &str| all.number(name).unwrap_or(1000).max(0) as usize;
    match name {
        "affinity" => o.clustering.affinity = on,
        "ag_only_search" => o.ag_only = on,
        "backward_compatibility" => o.old_syntax = on,
        "parser_is_lax" => o.lax = on,
        "bdd_static_order_heuristics" => {
            o.static_order = values::static_order(value.unwrap_or_default()).unwrap_or_default();
        }
        "check_fsm" => o.check_total = on,
        "check_invar_strategy" => o.invar_strategy = strategy(value.unwrap_or_default()),
        "cone_of_influence" => o.cone = on,
        "counter_examples" => o.traces = on,
        "disable_syntactic_checks" => o.syntactic_checks = !on,
        "dynamic_reorder" => o.dynamic = on,
        "forward_search" => o.reachable = on,
        "input_file" => o.input = value.map(Into::into),
        "input_order_file" => o.order_in = value.map(Into::into),
        "iwls95preorder" => o.clustering.preorder = on,
        "keep_single_value_vars" => o.keep_single_value = on,
        "ltl_tableau_forward_search" => o.reach_tableau = on,
        "oreg_justice_emptiness_bdd_algorithm" => o.fair_forward = value == Some("EL_fwd"),
        "prop_print_method" => {
            o.property_style = PropertyStyle::named(value.unwrap_or_default());
        }
        "output_order_file" => o.order_out = value.map(Into::into),
        "trans_order_file" => o.cluster_order_in = value.map(Into::into),
        "vars_order_type" => o.order_type = values::order_type(value.unwrap_or_default()),
        "verbose_level" => o.verbosity = all.number(name).unwrap_or(0) as i32,
        "output_word_format" => {
            let base = all.number(name).and_then(Base::from_number);
            word::write_in(base.unwrap_or_default());
        }
        "traces_regexp" => {
            o.trace_symbols.pattern = value.and_then(|v| Pattern::new(v).ok());
        }
        "pp_cpp_path" => o.programs.cpp = value.map(str::to_owned),
        "pp_m4_path" => o.programs.m4 = value.map(str::to_owned),
        "pp_list" => {
            o.preprocessors = values::preprocessors(value.unwrap_or("")).unwrap_or_default()
        }
        "default_trace_plugin" => {
            let plugin = value
                .and_then(|v| v.trim().parse().ok())
                .and_then(Plugin::from_number);
            o.trace_plugin = plugin.unwrap_or_default();
        }
        "traces_hiding_prefix" => {
            o.trace_symbols.hiding_prefix = value.unwrap_or_default().to_owned();
        }
        "traces_show_defines" => o.trace_symbols.defines = on,
        "traces_show_defines_with_next" => o.trace_symbols.defines_with_next = on,
        "reorder_method" => {
            if let Some(Ok(method)) = value.map(values::reorder_method) {
                o.reorder_method = method;
            }
        }
        "partition_method" | "conj_part_threshold" | "image_cluster_size" => {
            o.clustering.partition = match all.get("partition_method") {
                Some("Monolithic") => Partition::Monolithic,
                Some("Iwls95CP") => Partition::Iwls95(size("image_cluster_size")),
                _ => Partition::Threshold(size("conj_part_threshold")),
            };
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked_and_handed_on() {
        let mut o = Options::default();
        let mut v = Variables::new(&o);
        assert!(v.set("cone_of_influence", None, &mut o).is_ok());
        assert!(o.cone);
        assert!(v.set("cone_of_influence", Some("2"), &mut o).is_err());
        assert!(v.set("verbose_level", Some("x"), &mut o).is_err());
        assert!(v.set("verbose_level", None, &mut o).is_err());
        assert!(v.set("shown_states", Some("0"), &mut o).is_err());
        assert!(
            v.set("partition_method", Some("Monolithic"), &mut o)
                .is_ok()
        );
        assert_eq!(o.clustering.partition, Partition::Monolithic);
        assert!(v.unset("cone_of_influence", &mut o));
        assert!(!o.cone);
    }

    #[test]
    fn own_variables() {
        let mut o = Options::default();
        let mut v = Variables::new(&o);
        assert!(v.define("x", "1", &mut o));
        assert!(!v.define("x", "2", &mut o));
        assert_eq!(v.get("x"), Some("2"));
        assert!(v.unset("x", &mut o));
        assert!(!v.unset("x", &mut o));
    }
}
