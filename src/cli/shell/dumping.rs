//! Commands that write pictures of expressions, and the modules as they were written.

use super::formulas::Fault;
use super::options::{Given, Opt, flag, with};
use super::registry::{Command, command};
use super::session::{Session, Stage};
use super::{Answer, Stop};
use crate::dd::GraphNode;
use crate::encode::{BddFsm, Diagram};
use crate::report::diagram::{self, Legend, Root};
use crate::report::hierarchy::{self, Style};
use std::collections::HashMap;

const FILE: Opt = with('o', "file", "writes to the file");
const RENAME: Opt = flag('d', "gives the names of modules the suffix _hrc");

pub const COMMANDS: &[Command] = &[
    command(
        "dump_expr",
        "[-h] | -e expression -f format [-o file]",
        &[
            with('e', "expression", "the expression, which may use next"),
            with('f', "format", "dot or davinci"),
            FILE,
        ],
        "writes an expression's decision diagram",
        dump_expr,
    )
    .with_words(),
    command(
        "hrc_dump_model",
        "[-h] -f format [-o file] [-d] [-i]",
        &[
            with('f', "format", "smv or xml"),
            FILE,
            RENAME,
            flag('i', "without indentation"),
        ],
        "writes the modules as they were before flattening",
        dump_model,
    ),
    command(
        "hrc_write_model",
        "[-h] [-o file] [-d]",
        &[FILE, RENAME],
        "the old name of hrc_dump_model -f smv",
        write_model,
    ),
];

fn dump_expr(session: &mut Session, given: &Given) -> Answer {
    session.need(Stage::Encoded)?;
    let Some(text) = given.value('e') else {
        return session.fail("No expression given.");
    };
    let write = match given.value('f') {
        None => return session.fail("No format was specified."),
        Some("dot") => diagram::dot,
        Some("davinci") => diagram::davinci,
        Some(_) => {
            return session.fail("Invalid format. Valid formats are: 'dot' 'davinci' ");
        }
    };
    let e = match session.expression_in(text, true, "<command-line>") {
        Ok(e) => e,
        Err(Fault::Syntax(errors)) => {
            session.tell(&errors);
            return Err(Stop::Failed);
        }
        Err(Fault::Other) => return Err(Stop::Failed),
    };
    let name = text.to_owned();
    let drawn = session.any_machine(|fsm| Ok(draw(fsm, &name, fsm.diagram(e)?, write)))?;
    let drawn = match drawn {
        Ok(drawn) => drawn,
        Err(error) => return session.failed("diagram", &error),
    };
    match given.value('o') {
        None => session.out(&drawn),
        Some(file) if std::fs::write(file, &drawn).is_ok() => {}
        Some(file) => return session.fail(format!("Problems opening output file '{file}'.")),
    }
    Ok(())
}

fn draw(fsm: &BddFsm, name: &str, found: Diagram, write: fn(&[Root], &Legend) -> String) -> String {
    let root = |name: String, nodes: Vec<GraphNode>| Root { name, nodes };
    let mut texts: HashMap<u32, String> = HashMap::new();
    let roots = match found {
        Diagram::Values(values, leaves) => {
            texts = leaves.into_iter().collect();
            vec![root(name.to_owned(), values.graph())]
        }
        Diagram::Boolean(set) => vec![root(name.to_owned(), set.graph())],
        Diagram::Bits(bits) => {
            let of = |(i, bit): (usize, &crate::dd::Bdd)| root(format!("{name}[{i}]"), bit.graph());
            bits.iter().enumerate().map(of).collect()
        }
    };
    let leaf = |n: u32| match texts.get(&n) {
        Some(text) => text.clone(),
        None => ["FALSE", "TRUE"][usize::from(n != 0)].to_owned(),
    };
    let names: HashMap<_, _> = fsm.layout.names(&fsm.model).into_iter().collect();
    let variables = (0..fsm.manager.num_vars()).map(|level| fsm.manager.index_at(level));
    let named = |bit| match names.get(&bit) {
        Some(name) => name.clone(),
        None => {
            let place = fsm.layout.next_bits.iter().position(|&b| b == bit);
            let current = place.and_then(|i| names.get(&fsm.layout.state_bits[i]));
            current.map_or_else(String::new, |name| format!("next({name})"))
        }
    };
    let legend = Legend {
        variables: variables.map(|bit| (bit, named(bit))).collect(),
        leaf: &leaf,
    };
    write(&roots, &legend)
}

fn dump_model(session: &mut Session, given: &Given) -> Answer {
    let write = match given.value('f') {
        Some("smv") => hierarchy::smv,
        Some("xml") => hierarchy::xml,
        Some("debug") => {
            return session
                .fail("nusmv-rs: the format debug is not available. What works: smv and xml.");
        }
        Some(_) if session.model.is_none() && session.partial.is_none() => hierarchy::smv,
        Some(other) => {
            return session.fail(format!(
                "Invalid format '{other}'\nValid formats are: debug, smv, xml"
            ));
        }
        None => {
            let _: Answer = session.bad_usage("hrc_dump_model");
            session.out("Dump format not specified!\n");
            return Err(Stop::Failed);
        }
    };
    dump(session, given, write)
}

fn write_model(session: &mut Session, given: &Given) -> Answer {
    session.err("Warning: hrc_write_model has been deprecated in favor of hrc_dump_model -f smv\n");
    dump(session, given, hierarchy::smv)
}

fn dump(
    session: &mut Session,
    given: &Given,
    write: fn(&smv_grammar::ast::Ast, Style) -> String,
) -> Answer {
    let model = session.model.as_ref().or(session.partial.as_ref());
    let (Some(model), Some(source)) = (model, &session.source) else {
        session.out("The HRC structure was not built, use command flatten_hierarchy\n");
        return Err(Stop::Failed);
    };
    if model.has_process || model.has_isa {
        session.out("The HRC structure is not available, cannot dump the model\n");
        return Err(Stop::Failed);
    }
    let style = Style {
        file: &source.file,
        indent: !given.has('i'),
        rename: given.has('d'),
    };
    let text = write(&source.ast, style);
    session.redirected_quietly(given, |session| {
        session.out(&text);
        Ok(())
    })
}
