//! Commands on the order of the variables.

use super::options::{Given, flag, with};
use super::registry::{Command, command};
use super::session::{Session, Stage};
use super::{Answer, Stop};
use crate::cli::options::values;
use crate::cli::order_file;
use crate::dd::Manager;
use crate::encode::BddFsm;

pub const COMMANDS: &[Command] = &[
    command(
        "dynamic_var_ordering",
        "[-h] [-d] | [-e method] | [-f method]",
        &[
            flag('d', "stops reordering"),
            with('e', "method", "reorders by this method when diagrams grow"),
            with('f', "method", "reorders by this method now"),
        ],
        "controls the reordering of variables",
        dynamic_var_ordering,
    )
    .with_words(),
    command(
        "set_bdd_parameters",
        "[-h] [-s]",
        &[flag('s', "shows the statistics too")],
        "hands variables named BDD.... on to CUDD, under the names that print_bdd_stats shows",
        set_bdd_parameters,
    )
    .with_words(),
    command(
        "write_order",
        "[-h] [-b] [(-o | -f) file]",
        &[
            flag('b', "names bits rather than variables"),
            with('o', "file", "writes to the file"),
            with('f', "file", "the same"),
        ],
        "writes the order of the variables",
        write_order,
    )
    .with_words(),
];

/// `set "BDD.Maximum growth while sifting a variable" 1.5`
const PREFIX: &str = "BDD.";

fn set_bdd_parameters(session: &mut Session, given: &Given) -> Answer {
    let set: Vec<(String, String)> = session
        .variables
        .iter()
        .filter_map(|(name, value)| Some((name.strip_prefix(PREFIX)?, value?)))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    session.context.parameters.replace(set);
    let warnings = match &session.machine {
        Some(m) => session.context.hand_on_parameters(&m.fsm.manager),
        // Those of a machine to come are told now.
        None => {
            let none = Manager::new(&Default::default(), session.context.token.clone());
            none.map_or_else(
                |_| String::new(),
                |m| session.context.hand_on_parameters(&m),
            )
        }
    };
    session.out(&warnings);
    if given.has('s') {
        super::statistics::print_bdd_stats(session, given)?;
    }
    Ok(())
}

fn dynamic_var_ordering(session: &mut Session, given: &Given) -> Answer {
    if given.letters().count() > 1 {
        return session.fail("Only one of -d, -f, -e is allowed.");
    }
    let method = given.value('e').or(given.value('f'));
    if let Some(name) = method {
        let method = match values::reorder_method(name) {
            Ok(method) => method,
            Err(_) if name == "same" => session.context.options.reorder_method,
            Err(_) => {
                session.err(&format!("unknown method: {name}\n"));
                return session.bad_usage("dynamic_var_ordering");
            }
        };
        if given.has('f') {
            session.out(&format!(
                "Dynamic variable ordering forced with method {name}....\n"
            ));
            let done = session
                .machine
                .as_ref()
                .map(|m| m.fsm.manager.reorder(method));
            return match done {
                Some(Err(error)) => session.failed("reordering", &error.into()),
                _ => Ok(()),
            };
        }
        session.set_own("reorder_method", name)?;
        session.set_own("dynamic_reorder", "1")?;
        session.dynamic_order("dynamic_reorder");
        session.out(&format!(
            "Dynamic variable ordering is enabled with method \"{name}\".\n"
        ));
    } else if given.has('d') {
        // The variable keeps its value, as in NuSMV.
        if let Some(m) = &session.machine {
            m.fsm.manager.keep_order();
        }
        session.out("Dynamic variable ordering is disabled.\n");
    } else if session.context.options.dynamic {
        let name = session.context.options.reorder_method.name();
        session.out(&format!(
            "Dynamic variable ordering is enabled with method: \"{name}\".\n"
        ));
    } else {
        session.out("Dynamic variable ordering is disabled.\n");
    }
    Ok(())
}

impl Session {
    /// Sets a variable to a value that fits.
    pub fn set_own(&mut self, name: &str, value: &str) -> Answer {
        let options = &mut self.context.options;
        self.variables
            .set(name, Some(value), options)
            .map_err(|_| Stop::Failed)
    }

    /// Runs `f` on the machine, or on one made for the occasion.
    pub fn any_machine<R>(&self, f: impl FnOnce(&BddFsm) -> R) -> Answer<R> {
        if let Some(m) = &self.machine {
            return Ok(f(&m.fsm));
        }
        match self.context.build(self.model()?, None) {
            Ok(fsm) => Ok(f(&fsm)),
            Err(error) => self.failed("order", &error),
        }
    }

    fn put_order(&self, file: &str, bits: bool) -> Answer {
        let write = match bits {
            true => order_file::text,
            false => order_file::variables,
        };
        let model = self.model()?;
        let text = match &self.machine {
            Some(m) => write(model, &m.fsm.layout, &m.fsm.manager),
            None => match self.context.encode(model) {
                Ok((manager, layout)) => write(model, &layout, &manager),
                Err(error) => return self.failed("order", &error),
            },
        };
        if file.is_empty() {
            self.out(&text);
            return Ok(());
        }
        match std::fs::write(file, text) {
            Ok(()) => Ok(()),
            Err(_) => {
                let line = self.last_line();
                let name = self.file();
                self.fail(format!(
                    "\nfile {name}: line {line}: output_order: unable to open file {file}"
                ))
            }
        }
    }

    /// What `-r` of process_model does at the end.
    pub fn reorder_and_write(&mut self) -> Answer {
        self.out("\n========= starting reordering ============\n");
        let method = self.context.options.reorder_method;
        if let Err(error) = self.fsm()?.manager.reorder(method) {
            return self.failed("reordering", &error.into());
        }
        let file = self
            .variables
            .get("output_order_file")
            .unwrap_or("temp.ord");
        self.put_order(file, true)?;
        self.out("\n========= after reordering ============\n");
        Ok(())
    }
}

fn write_order(session: &mut Session, given: &Given) -> Answer {
    if given.has('o') && given.has('f') {
        return session.bad_usage("write_order");
    }
    session.need(Stage::Encoded)?;
    if let Some(file) = given.value('o').or(given.value('f')) {
        session.set_own("output_order_file", file)?;
    }
    let file = session.variables.get("output_order_file");
    let bits = given.has('b') || session.variables.is_on("write_order_dumps_bits");
    session.put_order(file.unwrap_or("temp.ord"), bits)
}
