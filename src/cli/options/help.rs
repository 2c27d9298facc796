//! The text of `-h`: NuSMV's layout, our words.

use super::table::{Opt, options};
use std::fmt::Write;

/// All names of options, for one that is nearly right.
pub fn names() -> impl Iterator<Item = &'static str> {
    options().flat_map(|o| [Some(o.name), o.alias]).flatten()
}

/// Usage line and one block per option.
pub fn usage() -> String {
    let mut out = String::from("Usage:  nusmv-rs [-h | -help] [options]* [input_file]\n");
    for opt in options() {
        block(&mut out, opt);
    }
    out.push_str("   input-file\n      the file with the model and its properties\n");
    out
}

fn block(out: &mut String, opt: &Opt) {
    out.push_str("   ");
    out.push_str(opt.name);
    if let Some(alias) = opt.alias {
        let _ = write!(out, " | {alias}");
    }
    if let Some(argument) = opt.argument() {
        let _ = write!(out, " {argument}");
    }
    out.push('\n');
    for line in opt.help {
        let _ = writeln!(out, "      {line}");
    }
    if let Some(other) = opt.requires {
        let _ = writeln!(out, "      NOTE: Requires option \"{other}\"");
    }
    match opt.excludes {
        [] => {}
        [one] => {
            let _ = writeln!(out, "      NOTE: Incompatible with option {one}");
        }
        many => {
            let _ = writeln!(
                out,
                "      NOTE: Incompatible with options {}",
                many.join(" ")
            );
        }
    }
    if opt.deprecated {
        let _ = writeln!(out, "      WARNING: option \"{}\" is deprecated", opt.name);
    }
    if opt.refused.is_some() {
        out.push_str("      NOTE: Not available yet; it is refused\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_has_help_and_fits_the_screen() {
        for opt in options() {
            assert!(!opt.help.is_empty(), "{}", opt.name);
        }
        for line in usage().lines() {
            assert!(line.len() <= 90, "{line}");
        }
    }

    #[test]
    fn relations_name_options_of_the_table() {
        let known = |n: &str| options().any(|o| o.name == n);
        for opt in options() {
            assert!(opt.excludes.iter().all(|e| known(e)), "{}", opt.name);
            assert!(opt.requires.is_none_or(known), "{}", opt.name);
        }
    }
}
