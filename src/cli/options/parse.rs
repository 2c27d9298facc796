//! Arguments → [`Options`].
//!
//! From left to right: known? given twice (a warning, skipped without its argument)? deprecated
//! (a warning)? argument there and usable? Then, for the options in the order given: is what they
//! require there, is what they exclude absent? Then refusals. All but the first pass report every
//! fault they find. Lines go to `warn`, which is stderr.

use super::table::{self, Effect, Opt};
use super::values::BadValue;
use super::{Options, usage};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Why there is nothing to run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the variants tell what their fields are")]
pub enum Stop {
    /// `-h`: banner (unless `-quiet` came first) and this text.
    Help { usage: String, quiet: bool },
    /// A bad command line; these lines say why.
    Bad(Vec<String>),
    /// An option that there is not.
    Unknown(OsString),
}

/// Reads `args` (without the program's name). Warnings are handed to `warn` as they come up.
pub fn parse(
    args: impl IntoIterator<Item = OsString>,
    warn: &mut dyn FnMut(&str),
) -> Result<Options, Stop> {
    let args: Vec<OsString> = args.into_iter().flat_map(split_at_equals).collect();
    let mut options = Options::default();
    let mut given: Vec<(&Opt, Option<OsString>)> = Vec::new();
    let mut rest = args.iter().enumerate();
    while let Some((i, word)) = rest.next() {
        let Some(opt) = table::options().find(|o| o.is(word)) else {
            let last = i + 1 == args.len();
            if last && !word.as_encoded_bytes().starts_with(b"-") {
                options.input = Some(word.clone());
                continue;
            }
            return Err(Stop::Unknown(word.clone()));
        };
        if !opt.repeatable && given.iter().any(|(o, _)| o.name == opt.name) {
            warn(&format!(
                "Warning: Option \"{}\" given more than once.",
                opt.name
            ));
            warn("Warning: Only the first occurrence will be taken into account");
            continue;
        }
        if opt.deprecated {
            warn(&format!("Warning: {} is deprecated", opt.name));
        }
        let argument = match opt.argument() {
            None => None,
            Some(_) => match rest.next() {
                Some((_, a)) => Some(a.clone()),
                None => {
                    return bad(format!(
                        "The \"{}\" command line option requires an argument.",
                        opt.name
                    ));
                }
            },
        };
        apply(opt, argument.as_deref(), &mut options)?;
        given.push((opt, argument));
    }
    check_relations(&given)?;
    check_refused(&given)?;
    Ok(options)
}

/// Our own options may be written `--name=value`.
fn split_at_equals(word: OsString) -> Vec<OsString> {
    let own = |name: &str| table::options().any(|o| o.name == name && o.argument().is_some());
    match word.to_str().and_then(|w| w.split_once('=')) {
        Some((name, value)) if name.starts_with("--") && own(name) => {
            vec![name.into(), value.into()]
        }
        _ => vec![word],
    }
}

fn bad<T>(line: String) -> Result<T, Stop> {
    Err(Stop::Bad(vec![line]))
}

fn apply(opt: &Opt, argument: Option<&OsStr>, options: &mut Options) -> Result<(), Stop> {
    let argument = argument.unwrap_or_default();
    match opt.effect {
        Effect::Help => Err(Stop::Help {
            usage: usage(),
            quiet: options.quiet,
        }),
        Effect::Flag(set) => {
            set(options);
            Ok(())
        }
        Effect::File(_, set) => {
            set(options, argument.to_owned());
            Ok(())
        }
        Effect::Script(_) => {
            options.shell.wanted = true;
            options.shell.script = Some(argument.into());
            Ok(())
        }
        Effect::Value(_, set) => {
            let result = match argument.to_str() {
                Some(text) => set(options, text),
                None => Err(BadValue { note: None }),
            };
            result.map_err(|BadValue { note }| {
                let mut lines: Vec<String> = note.map(str::to_owned).into_iter().collect();
                lines.push(format!(
                    "Cannot set value \"{}\" to option \"{}\"",
                    argument.display(),
                    opt.name
                ));
                Stop::Bad(lines)
            })
        }
    }
}

/// Requirements and exclusions. An exclusion is reported once, for the option that came first.
fn check_relations(given: &[(&Opt, Option<OsString>)]) -> Result<(), Stop> {
    let has = |name: &str| given.iter().any(|(o, _)| o.name == name);
    let mut lines = Vec::new();
    let mut clashed = false;
    for (opt, _) in given {
        if let Some(other) = opt.requires.filter(|r| !has(r)) {
            lines.push(format!(
                "Option \"{}\" requires option \"{other}\"",
                opt.name
            ));
        }
        let clashes: Vec<&str> = opt.excludes.iter().copied().filter(|e| has(e)).collect();
        if !clashes.is_empty() && !clashed {
            clashed = true;
            let plural = if clashes.len() > 1 { "s" } else { "" };
            lines.push(format!(
                "Option {} cannot be used with option{plural} {}",
                opt.name,
                clashes.join(" ")
            ));
        }
    }
    if lines.is_empty() {
        Ok(())
    } else {
        Err(Stop::Bad(lines))
    }
}

/// A command file that is not there is NuSMV's message; else what does not work yet is refused.
fn check_refused(given: &[(&Opt, Option<OsString>)]) -> Result<(), Stop> {
    for (opt, argument) in given {
        let missing = || argument.as_ref().is_some_and(|a| !Path::new(a).exists());
        if matches!(opt.effect, Effect::Script(_)) && missing() {
            return bad("No such file or directory. Exiting...".to_owned());
        }
    }
    let lines: Vec<String> = given
        .iter()
        .filter_map(|(opt, _)| {
            let nearest = opt.refused?;
            Some(format!(
                "Option \"{}\" is not available yet. What works: {nearest}.",
                opt.name
            ))
        })
        .collect();
    if lines.is_empty() {
        Ok(())
    } else {
        Err(Stop::Bad(lines))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Result and warnings of a command line, one blank between arguments.
    fn run(line: &str) -> (Result<Options, Stop>, Vec<String>) {
        let mut warnings = Vec::new();
        let args = line.split(' ').map(OsString::from);
        let result = parse(args, &mut |w| warnings.push(w.to_owned()));
        (result, warnings)
    }

    fn faults(line: &str) -> Vec<String> {
        match run(line).0 {
            Err(Stop::Bad(lines)) => lines,
            Err(Stop::Unknown(word)) => vec![format!("unknown: {}", word.display())],
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn the_file_comes_last() {
        assert_eq!(run("-dcx m.smv").0.unwrap().input, Some("m.smv".into()));
        for (line, word) in [("m.smv -dcx", "m.smv"), ("-", "-"), ("-dxc m.smv", "-dxc")] {
            assert_eq!(run(line).0.err(), Some(Stop::Unknown(word.into())));
        }
    }

    #[test]
    fn faults_in_order() {
        assert_eq!(
            faults("-mono -bmc_length 3 -thresh 2 m.smv"),
            [
                "Option -mono cannot be used with option -thresh",
                "Option \"-bmc_length\" requires option \"-bmc\""
            ]
        );
        assert_eq!(
            faults("-thresh 2 -mono -iwls95 3 m"),
            ["Option -thresh cannot be used with options -iwls95 -mono"]
        );
        assert_eq!(
            faults("-mono -thresh x m"),
            ["Cannot set value \"x\" to option \"-thresh\""]
        );
        assert_eq!(
            faults("-i"),
            ["The \"-i\" command line option requires an argument."]
        );
        assert_eq!(
            faults("-pre foo m"),
            [
                "Some of the specified preprocessors does not exist",
                "Cannot set value \"foo\" to option \"-pre\""
            ]
        );
    }

    #[test]
    fn repeated_options_keep_the_first() {
        let (result, warnings) = run("-f -f m.smv");
        assert!(result.is_ok());
        assert_eq!(
            warnings,
            [
                "Warning: -f is deprecated",
                "Warning: Option \"-f\" given more than once.",
                "Warning: Only the first occurrence will be taken into account"
            ]
        );
        // The argument of the second is not skipped, as in NuSMV.
        assert_eq!(faults("-v 1 -v 2 m"), ["unknown: 2"]);
    }

    #[test]
    fn own_options_take_equals_signs() {
        assert_eq!(run("--timeout=5 m").0.unwrap().timeout_s, Some(5.0));
        assert_eq!(faults("-v=1 m"), ["unknown: -v=1"]);
    }

    #[test]
    fn refusals_name_what_works() {
        let lines = faults("-bmc m.smv");
        assert_eq!(lines.len(), 1);
        assert!(lines[0].starts_with("Option \"-bmc\" is not available yet. What works: "));
        let gone = faults("-source /nonexistent/file m.smv");
        assert_eq!(gone, ["No such file or directory. Exiting..."]);
    }

    #[test]
    fn help_comes_before_later_faults() {
        assert!(matches!(
            run("-h -foo").0,
            Err(Stop::Help { quiet: false, .. })
        ));
        assert!(matches!(
            run("-quiet -help").0,
            Err(Stop::Help { quiet: true, .. })
        ));
    }
}
