//! Commands on the shell itself.

use super::input::Input;
use super::options::{Given, flag, with};
use super::registry::{self, Command, Run, command};
use super::scripts::How;
use super::session::Session;
use super::variables::{SetError, Variables};
use super::{Answer, Stop};
use crate::cli::exit::Exit;
use crate::cli::options::Preprocessor;
use crate::report::usage;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

pub const COMMANDS: &[Command] = &[
    command(
        "alias",
        "[-h] [name [text]]",
        &[],
        "lets a name stand for a command, or lists what names stand for",
        alias,
    )
    .with_words(),
    command(
        "unalias",
        "[-h] names",
        &[],
        "forgets what names stand for",
        unalias,
    )
    .with_words(),
    command(
        "echo",
        "[-h] [-2] [-n] [-o file [-a]] words",
        &[
            flag('2', "writes to standard error"),
            flag('n', "writes no line break"),
            with('o', "file", "writes to the file"),
            flag('a', "with -o: appends to the file"),
        ],
        "writes its words",
        echo,
    )
    .with_words(),
    command(
        "help",
        "[-h] [-a] [-p] [command]",
        &[
            flag('a', "lists the commands that are not in the list otherwise"),
            flag('p', "uses no pager (none is ever used)"),
        ],
        "lists the commands or explains one",
        help,
    )
    .with_words(),
    command(
        "history",
        "[-h] [number]",
        &[],
        "lists the lines so far, or the last ones",
        history,
    )
    .with_words(),
    command(
        "print_usage",
        "[-h]",
        &[],
        "shows time, memory and the size of the decision diagrams",
        print_usage,
    )
    .with_words(),
    command("quit", "[-h] [-s] | [-x]", QUIT, "ends the shell", quit),
    command(
        "set",
        "[-h] [name [value]]",
        &[],
        "gives a variable a value, or lists all variables",
        set,
    )
    .with_words(),
    command(
        "unset",
        "[-h] names",
        &[],
        "gives variables their defaults or removes them",
        unset,
    )
    .with_words(),
    Command {
        run: Run::Reading(source),
        ..command(
            "source",
            "[-h] [-p] [-s] [-x] file [arguments]",
            &[
                flag('p', "writes a prompt before each line"),
                flag('s', "says nothing if there is no such file"),
                flag('x', "shows each line before it is run"),
            ],
            "runs the commands in a file",
            nothing,
        )
        .with_words()
    },
    command("time", "[-h]", &[], "shows processor time", time),
    command("usage", "[-h]", &[], "shows time and memory", print_time),
    command(
        "which",
        "[-h] file",
        &[],
        "looks for a file along the variable open_path",
        which,
    )
    .with_words(),
];

const QUIT: &[super::options::Opt] = &[
    flag('s', "frees all memory first"),
    flag('x', "ends at once"),
];

fn nothing(_: &mut Session, _: &Given) -> Answer {
    Ok(())
}

fn alias(session: &mut Session, given: &Given) -> Answer {
    let show = |name: &str, text: &str| format!("{name}\t {text}\n");
    match given.rest.split_first() {
        None => {
            let all = session.aliases.iter().map(|(n, w)| show(n, w));
            session.out(&all.collect::<String>());
        }
        Some((name, [])) => {
            if let Some(text) = session.aliases.get(name) {
                session.out(&show(name, text));
            }
        }
        Some((name, words)) => {
            session.aliases.insert(name.clone(), words.join(" "));
        }
    }
    Ok(())
}

fn unalias(session: &mut Session, given: &Given) -> Answer {
    if given.rest.is_empty() {
        return session.bad_usage("unalias");
    }
    for name in &given.rest {
        session.aliases.remove(name);
    }
    Ok(())
}

fn echo(session: &mut Session, given: &Given) -> Answer {
    let file = given.value('o');
    let mut text: String = given.rest.iter().map(|w| format!("{w} ")).collect();
    if !given.has('n') {
        text.push('\n');
    }
    let Some(file) = file else {
        if given.has('2') {
            session.err(&text);
        } else {
            session.out(&text);
        }
        return Ok(());
    };
    let written = OpenOptions::new()
        .create(true)
        .write(true)
        .append(given.has('a'))
        .truncate(!given.has('a'))
        .open(file)
        .and_then(|mut f| f.write_all(text.as_bytes()));
    match written {
        Ok(()) => Ok(()),
        Err(_) => session.fail(format!("echo: unable to open file {file} for writing.")),
    }
}

/// Width of a column of the list of commands.
const COLUMN: usize = 35;

fn help(session: &mut Session, given: &Given) -> Answer {
    if let [name] = given.rest.as_slice() {
        let Some(command) = registry::find(name) else {
            return session.fail(format!("Unfound help for command: {name}."));
        };
        let text = format!("COMMAND= {name}   {}\n{}\n", command.about, command.usage());
        session.out(&text);
        return Ok(());
    }
    if given.rest.len() > 1 {
        return session.bad_usage("help");
    }
    let mut text = String::new();
    let mut column = 0;
    for name in registry::names(given.has('a')) {
        if column > 0 && (column == 2 || name.len() > COLUMN) {
            text.push('\n');
            column = 0;
        }
        text += &format!("{name:<COLUMN$}");
        column += 1;
        if name.len() > COLUMN {
            text.push('\n');
            column = 0;
        }
    }
    if column > 0 {
        text.push('\n');
    }
    session.out(&text);
    Ok(())
}

fn history(session: &mut Session, given: &Given) -> Answer {
    let lines = &session.history;
    let first = match given.rest.as_slice() {
        [] => 0,
        // Of several numbers the last one counts.
        [.., n] => match n.parse::<usize>() {
            Ok(n) if n > 0 => lines.len().saturating_sub(n),
            _ => return session.bad_usage("history"),
        },
    };
    let numbered = lines.iter().enumerate().skip(first);
    let text: String = numbered.map(|(i, l)| format!("{}\t{l}\n", i + 1)).collect();
    session.out(&text);
    Ok(())
}

fn print_usage(session: &mut Session, _: &Given) -> Answer {
    let live = match &session.machine {
        Some(m) => m.fsm.manager.live_nodes(),
        None => 4,
    };
    session.out(&format!(
        "{FRAME}{}{FRAME}BDD statistics\n--------------------\nBDD nodes allocated: {live}\n\
         --------------------\n",
        usage::text()
    ));
    if session.machine.is_none() {
        session.err("The BddFsm has not been built. Use the command \"go\" to build it.\n");
    }
    Ok(())
}

/// A line of 70 `#`.
pub const FRAME: &str = "######################################################################\n";

fn print_time(session: &mut Session, _: &Given) -> Answer {
    session.out(&usage::text());
    Ok(())
}

fn time(session: &mut Session, _: &Given) -> Answer {
    let total = usage::processor_seconds();
    session.out(&format!(
        "elapse: {:.2} seconds, total: {total:.2} seconds\n",
        total - session.last_time
    ));
    session.last_time = total;
    Ok(())
}

fn quit(_: &mut Session, _: &Given) -> Answer {
    Err(Stop::Quit(Exit::Evaluated))
}

fn set(session: &mut Session, given: &Given) -> Answer {
    let (name, value) = match given.rest.as_slice() {
        [] => {
            let line = |(name, value): (&str, Option<&str>)| match value {
                Some(v) => format!("{name:<50}\"{v}\"\n"),
                None => format!("{name:<50}NULL\n"),
            };
            session.out(&session.variables.iter().map(line).collect::<String>());
            return Ok(());
        }
        [name] => (name, None),
        [name, value] => (name, Some(value.as_str())),
        _ => return session.bad_usage("set"),
    };
    if !Variables::is_known(name) {
        if value.is_none() && session.variables.get(name).is_some() {
            return session.fail(SetError::NoValue(name.clone()));
        }
        let options = &mut session.context.options;
        if session.variables.define(name, value.unwrap_or(""), options) {
            session.out(&format!("Defining new environment variable \"{name}\"\n"));
        }
        return Ok(());
    }
    if name == "input_file" && value.is_some() && session.source.is_some() {
        session.out(
            "***** Warning: a model is already loaded -- input_file not changed.\n\
             ***** The model should be reset (e.g., using command \"reset\")\n\
             ***** before the input_file can be changed.\n",
        );
        return session.fail(format!(
            "Cannot assign value \"{}\" to option \"input_file\"",
            value.unwrap_or("")
        ));
    }
    let options = &mut session.context.options;
    match session.variables.set(name, value, options) {
        Ok(()) => {
            session.dynamic_order(name);
            let program = match name.as_str() {
                "pp_cpp_path" => Some(Preprocessor::Cpp),
                "pp_m4_path" => Some(Preprocessor::M4),
                _ => None,
            };
            let programs = &session.context.options.programs;
            if let Some(Err(error)) = program.map(|p| programs.of(p)) {
                session.err(&format!("{error}\n"));
            }
            Ok(())
        }
        Err(error) => session.fail(error),
    }
}

fn unset(session: &mut Session, given: &Given) -> Answer {
    if given.rest.is_empty() {
        return session.bad_usage("unset");
    }
    for name in &given.rest {
        let options = &mut session.context.options;
        if !session.variables.unset(name, options) {
            session.err(&format!("Warning: Option \"{name}\" is not registered\n"));
        }
        session.dynamic_order(name);
    }
    Ok(())
}

impl Session {
    /// Makes the machine reorder by itself if, and only if, the variable that has been changed says so.
    pub fn dynamic_order(&self, changed: &str) {
        if matches!(changed, "dynamic_reorder" | "reorder_method")
            && let Some(m) = &self.machine
        {
            let options = &self.context.options;
            if options.dynamic {
                m.fsm.manager.enable_dynamic(options.reorder_method);
            } else {
                m.fsm.manager.keep_order();
            }
        }
    }
}

fn source(session: &mut Session, given: &Given, input: &mut Input) -> Answer {
    let Some(file) = given.rest.first() else {
        return session.bad_usage("source");
    };
    let how = How {
        prompt: given.has('p'),
        silent: given.has('s'),
        echo: given.has('x'),
    };
    let path = session.find_file(file).unwrap_or_else(|| file.into());
    session.source_file(&path, how, input)
}

fn which(session: &mut Session, given: &Given) -> Answer {
    let [file] = given.rest.as_slice() else {
        return session.bad_usage("which");
    };
    match session.find_file(file) {
        Some(path) => {
            session.out(&format!("{}\n", path.display()));
            Ok(())
        }
        None => session.fail(format!("{file}: No such file or directory")),
    }
}

impl Session {
    /// The first file of this name along `open_path`.
    fn find_file(&self, name: &str) -> Option<PathBuf> {
        if Path::new(name).exists() {
            return Some(name.into());
        }
        let path = self.variables.get("open_path").unwrap_or(".");
        let candidates = path.split(':').map(|folder| Path::new(folder).join(name));
        candidates.into_iter().find(|c| c.exists())
    }
}
