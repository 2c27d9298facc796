//! `read_trace`, `execute_traces`, `execute_partial_traces`: traces from files, and their replay.

use super::options::{Given, Opt, flag, with};
use super::registry::{Command, command};
use super::session::{Session, Stage};
use super::{Answer, Stop};
use crate::cli::options::values;
use crate::engine::execution::{self, Outcome};
use crate::trace::Trace;
use crate::trace::xml_read;
use std::io::ErrorKind;
use std::rc::Rc;

const VERBOSE: Opt = flag('v', "tells each step");
const ALL: Opt = flag('a', "all stored traces");
const PAGER: Opt = flag('m', "shows the output in $PAGER");
const FILE: Opt = with('o', "file", "writes the output to the file");
const EXECUTOR: Opt = with('e', "executor", "how to do it: bdd");

pub const COMMANDS: &[Command] = &[
    command(
        "execute_partial_traces",
        "[-h] [-v] [-r] [-m | -o file] [-e executor] [-a | number]",
        &[
            VERBOSE,
            ALL,
            flag('r', "starts anew at complete states (no effect)"),
            PAGER,
            FILE,
            EXECUTOR,
        ],
        "completes stored traces that lack values to paths of the model",
        |s, g| execute(s, g, "execute_partial_traces", Session::complete_trace),
    )
    .with_words(),
    command(
        "execute_traces",
        "[-h] [-v] [-m | -o file] [-e executor] [-a | number]",
        &[VERBOSE, ALL, PAGER, FILE, EXECUTOR],
        "checks that stored traces are paths of the model",
        |s, g| execute(s, g, "execute_traces", Session::execute_trace),
    )
    .with_words(),
    command(
        "read_trace",
        "[-h] [-u] [-s] file",
        &[
            flag('u', "only warns of unknown symbols"),
            flag('s', "only warns of symbols in the wrong part of a step"),
            with('i', "file", "names the file (an old form)"),
        ],
        "reads a trace in XML and stores it",
        read_trace,
    )
    .with_words(),
];

fn read_trace(session: &mut Session, given: &Given) -> Answer {
    let mut names: Vec<&str> = given.rest.iter().map(String::as_str).collect();
    if let Some(name) = given.value('i') {
        session.err("Warning: option -i is deprecated feature.\n");
        names.insert(0, name);
    }
    let name = match names.as_slice() {
        [] => return session.fail("Error: Input XML file has to be provided."),
        [""] => return session.fail("Error: Input XML file name is empty."),
        &[name] => name,
        _ => return session.fail("Error: Only one input XML file can be specified."),
    };
    session.need(Stage::Flattened)?;
    if !session.flat_built && session.machine.is_none() {
        return session
            .fail("The flat model must be built before (Use the command \"build_flat_model\")");
    }
    let model = Rc::clone(session.model()?);
    let unable = format!("Unable to load trace from XML File \"{name}\".");
    let bytes = match std::fs::read(name) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::IsADirectory => {
            return session.fail(format!(
                "I/O Error occurred while reading file '{name}'\n{unable}"
            ));
        }
        Err(_) => return session.fail(unable),
    };
    let read = xml_read::read(&String::from_utf8_lossy(&bytes))
        .and_then(|document| xml_read::resolve(&model, &document));
    let (trace, misplaced) = match read {
        Ok(found) => found,
        Err(error) => return session.fail(format!("{error}\n{unable}")),
    };
    for m in &misplaced {
        let forgiven = given.has(if m.what == "undefined symbol" {
            'u'
        } else {
            's'
        });
        session.err(&format!(
            "{}: {} '{}' is in section {} (time {}).\n(Each symbol is reported only once)\n\n",
            if forgiven { "Warning" } else { "Error" },
            m.what,
            m.name,
            m.section,
            m.time
        ));
        if !forgiven {
            return session.fail(unable);
        }
    }
    let last = trace.steps.last().map(|s| &s.state);
    let label = trace.label.as_ref();
    for &start in label.map_or(&[][..], |l| &l.loops) {
        if trace.steps.get(start).map(|s| &s.state) != last {
            session.err("WARNING: state not a loopback state\n");
        }
    }
    session.traces.push(trace);
    let number = session.traces.len();
    session.err(&format!("Trace is stored at {number} index \n"));
    Ok(())
}

fn execute(
    session: &mut Session,
    given: &Given,
    name: &str,
    run: fn(&mut Session, usize, bool) -> Answer,
) -> Answer {
    let built = session.machine.is_some();
    if let Some(executor) = given.value('e').filter(|e| !built || *e != "bdd") {
        session.err(&format!("Error: \"{executor}\" is not a valid executor\n"));
        return session.bad_usage(name);
    }
    if (given.has('m') && given.has('o')) || (given.has('a') && !given.rest.is_empty()) {
        return session.bad_usage(name);
    }
    if !built {
        return session.fail(
            "No valid executor found. Model must be built in order to perform trace re-execution.",
        );
    }
    let stored = session.traces.len();
    if stored == 0 {
        return session.fail("There are no traces currently available.");
    }
    let numbers = match given.rest.first() {
        None if given.has('a') => 1..=stored,
        None => stored..=stored,
        Some(text) => match values::leading_integer(text).unwrap_or((0, text)) {
            (_, rest) if !rest.is_empty() => {
                return session.fail(format!(
                    "Error: \"{rest}\" is not a valid value (must be a positive integer)."
                ));
            }
            (n, _) => match usize::try_from(n).ok().filter(|n| (1..=stored).contains(n)) {
                Some(n) => n..=n,
                None => {
                    return session.fail(format!(
                        "Error: \"{n}\" is not a valid trace number. Acceptable range is 1..{stored}."
                    ));
                }
            },
        },
    };
    session.redirected_quietly(given, |session| {
        let mut answer = Ok(());
        for number in numbers {
            let this = run(session, number, given.has('v'));
            answer = answer.and(this);
        }
        answer
    })
}

const NO_TRANSITIONS: &str = "Warning: trace has no transitions.\n";

const NOT_INITIAL: &str = "Error: starting state is not initial state.\n";

impl Session {
    fn trace(&self, number: usize) -> Answer<Trace> {
        self.traces.get(number - 1).cloned().ok_or(Stop::Failed)
    }

    /// `-v`: the steps done, and the end of the one that fails.
    fn tell_steps(&self, done: usize, end: &str) {
        let lines = (1..=done).map(|k| format!("-- executing step {k} ... done\n"));
        let failed = match end {
            "" => String::new(),
            end => format!("-- executing step {} ... {end}\n", done + 1),
        };
        self.out(&(lines.collect::<String>() + &failed));
    }

    fn tell_open_loop(&self, steps: usize, start: usize, verbose: bool) {
        if verbose {
            self.tell_steps(steps - 1, "");
            self.out(&format!("-- executing step {steps} ... "));
        }
        self.err(&format!(
            "*** Error ***\nInconsistent loopback information found at step {}.\n",
            start + 1
        ));
        if verbose {
            self.out("done\n");
        }
    }

    fn execute_trace(&mut self, number: usize, verbose: bool) -> Answer {
        let model = Rc::clone(self.model()?);
        let trace = self.trace(number)?;
        let missing = execution::missing(&model, &trace);
        if !missing.is_empty() {
            for (step, v) in missing {
                self.err(&format!(
                    "Trace is missing a value for variable at step {} : {}\n",
                    step + 1,
                    model.var(v).name
                ));
            }
            return self.fail("Error: cannot execute incomplete trace.");
        }
        let steps = trace.steps.len() - 1;
        if steps == 0 {
            self.err(NO_TRANSITIONS);
        }
        match execution::run(&model, &trace) {
            Ok(Outcome::Done(())) => {
                if verbose {
                    self.tell_steps(steps, "");
                }
                self.out(&format!(
                    "Trace {number} execution completed successfully.\n{steps} steps performed.\n"
                ));
                return Ok(());
            }
            Ok(Outcome::OpenLoop(start)) => {
                self.tell_open_loop(steps, start, verbose);
                return Err(Stop::Failed);
            }
            Ok(Outcome::NotInitial) => self.err(NOT_INITIAL),
            Ok(Outcome::Stuck(done)) => {
                if verbose {
                    self.tell_steps(done, "failed!");
                }
            }
            Err(error) => return self.fail(format!("Error: {error}")),
        }
        self.out("Trace execution failed!\n");
        Err(Stop::Failed)
    }

    fn complete_trace(&mut self, number: usize, verbose: bool) -> Answer {
        let trace = self.trace(number)?;
        let steps = trace.steps.len() - 1;
        if steps == 0 {
            self.err(NO_TRANSITIONS);
        }
        let outcome = match execution::complete(self.fsm()?, &trace) {
            Ok(outcome) => outcome,
            Err(error) => return self.failed("execution", &error),
        };
        match outcome {
            Outcome::Done(full) => {
                if verbose {
                    self.tell_steps(steps, "");
                }
                self.traces.push(full);
                self.out(&format!(
                    "-- Trace was successfully completed.\n-- New complete trace is stored at {} index.\n",
                    self.traces.len()
                ));
                return Ok(());
            }
            Outcome::NotInitial => self.err(NOT_INITIAL),
            Outcome::Stuck(done) => {
                if verbose {
                    self.tell_steps(done, "failed!");
                }
            }
            Outcome::OpenLoop(start) => self.tell_open_loop(steps, start, verbose),
        }
        self.out("-- Trace could not be completed.\n");
        Err(Stop::Failed)
    }
}
