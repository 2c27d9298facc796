//! Commands that write the model.

use super::Answer;
use super::options::{Given, flag, with};
use super::properties::kind_of;
use super::registry::{Command, command};
use super::session::{Session, Stage};
use crate::model::dependencies::coi::{Cones, VarSet};
use crate::model::{FlatModel, PropKind};
use crate::report::verdict::PropertyStyle;
use crate::report::{boolean_model, flat_model, warning};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;

/// NuSMV's answer where the Boolean model is wanted.
pub const NO_BOOLEAN_MODEL: &str =
    "The boolean model must be built before.\n(Use the command \"build_boolean_model\")";

pub const COMMANDS: &[Command] = &[
    command(
        "write_boolean_model",
        "[-h] [-o file]",
        &[with('o', "file", "writes to the file")],
        "writes the model over Booleans",
        write_boolean_model,
    ),
    command(
        "write_coi_model",
        "[-h] [-o file] [-n number | -p \"formula\" | -P \"name\"] [-c | -l | -i | -s | -q] [-C] [-g]",
        &[
            with(
                'o',
                "file",
                "writes to the file; several models to file.0, file.1, ...",
            ),
            with('n', "number", "the cone of the property of this number"),
            with('p', "formula", "of this formula, of the kind that is given"),
            with('P', "name", "of the property of this name"),
            flag('c', "of each CTL formula"),
            flag('l', "of each LTL formula"),
            flag('i', "of each invariant"),
            flag('s', "of each PSL formula"),
            flag('q', "of each MIN and MAX"),
            flag('C', "only the names of the variables"),
            flag('g', "of all properties together"),
        ],
        "writes the part of the model on which properties depend",
        write_coi_model,
    ).with_words(),
    command(
        "write_flat_model",
        "[-h] [-A [-m]] [-o file]",
        &[
            with('o', "file", "writes to the file"),
            flag('A', "with other names instead of those of the model, and their list"),
            flag('m', "with -A: without the list of names"),
        ],
        "writes the flat model",
        write_flat_model,
    ),
];

impl Session {
    /// The file of `-o`, or that of the variable; nothing stands for stdout. As in NuSMV it is opened before
    /// anything else is looked at.
    fn target(&self, given: &Given, variable: &str) -> Answer<Option<File>> {
        let Some(name) = given.value('o').or(self.variables.get(variable)) else {
            return Ok(None);
        };
        match File::create(name) {
            Ok(file) => Ok(Some(file)),
            Err(_) => self.fail(format!("Unable to open file \"{name}\".")),
        }
    }

    fn put(&self, target: Option<File>, text: &str) -> Answer {
        let Some(mut file) = target else {
            self.out(text);
            return Ok(());
        };
        match file.write_all(text.as_bytes()) {
            Ok(()) => Ok(()),
            Err(error) => self.fail(format!("nusmv-rs: the file cannot be written: {error}.")),
        }
    }

    fn warn_of_psl(&self, work: &str) -> Answer {
        if flat_model::has_psl(self.model()?) {
            self.err(&warning::psl_as_comments(work));
        }
        Ok(())
    }
}

fn write_flat_model(session: &mut Session, given: &Given) -> Answer {
    let target = session.target(given, "output_flatten_model_file")?;
    session.need(Stage::Flattened)?;
    session.warn_of_psl("flattening")?;
    let model = session.model()?;
    if !given.has('A') {
        return session.put(target, &flat_model::text(model, session.file()));
    }
    let (text, key) = flat_model::anonymous(model, session.file());
    session.put(target, &text)?;
    if !given.has('m') {
        session.out(&key);
    }
    Ok(())
}

fn write_boolean_model(session: &mut Session, given: &Given) -> Answer {
    let target = session.target(given, "output_boolean_model_file")?;
    session.need(Stage::Encoded)?;
    if !session.boolean_built {
        return session.fail(NO_BOOLEAN_MODEL);
    }
    session.warn_of_psl("booleanization")?;
    let built = session.context.build(session.model()?, None);
    let text = match built.and_then(|fsm| boolean_model::text(&fsm, session.file())) {
        Ok(text) => text,
        Err(error) => return session.failed("Boolean model", &error),
    };
    session.put(target, &text)
}

/// Properties with a common cone.
struct Group {
    properties: Vec<u32>,
    cone: VarSet,
}

fn write_coi_model(session: &mut Session, given: &Given) -> Answer {
    const NAME: &str = "write_coi_model";
    let picked = session.picked(given, NAME)?;
    let kinds: Vec<PropKind> = given.letters().filter_map(kind_of).collect();
    let ways = usize::from(picked.is_some() || given.has('p'));
    let named = picked.is_some();
    if kinds.len() > 1
        || (named && !kinds.is_empty())
        || (given.has('g') && (given.has('C') || ways > 0 || !kinds.is_empty()))
    {
        return session.bad_usage(NAME);
    }
    session.need(Stage::Flattened)?;
    let kind = kinds.first().copied();
    if given.has('p') && kind.is_none() {
        session.err("No property type specified. Use one of the -l, -i, -s, -c or -q options\n");
        return session.bad_usage(NAME);
    }
    let chosen = match (picked, given.value('p'), kind) {
        (Some(i), ..) => vec![i],
        (_, Some(text), Some(kind)) => vec![session.add_property(kind, text, None)?],
        _ => session.in_order(kind)?,
    };
    let chosen: Vec<u32> = chosen.into_iter().map(|i| i as u32).collect();
    let model = session.model()?.clone();
    let groups = if given.has('g') {
        vec![together(&model, chosen)]
    } else if ways == 0 && (kind.is_none() || given.has('C')) {
        grouped(&model, chosen)
    } else {
        chosen
            .into_iter()
            .map(|i| together(&model, vec![i]))
            .collect()
    };
    let several = groups.len() > 1;
    let listing = given.has('C');
    let mut texts = Vec::new();
    for group in &groups {
        texts.push(if listing {
            names(&model, group, session.context.options.property_style)
        } else {
            if group
                .properties
                .iter()
                .any(|&i| model.properties[i as usize].kind == PropKind::Psl)
            {
                session.err(&warning::psl_as_comments("flattening"));
            }
            flat_model::part(&model, session.file(), &group.cone, &group.properties)
        });
    }
    let Some(file) = given.value('o') else {
        session.out(&texts.concat());
        return Ok(());
    };
    if listing {
        texts = vec![texts.concat()];
    }
    for (i, text) in texts.iter().enumerate() {
        let file = if several && !listing {
            format!("{file}.{i}")
        } else {
            file.to_owned()
        };
        if std::fs::write(&file, text).is_err() {
            return session.fail(format!("Unable to open file \"{file}\"."));
        }
    }
    Ok(())
}

fn together(model: &FlatModel, properties: Vec<u32>) -> Group {
    let cones = Cones::new(model);
    let mut cone = VarSet::new(model.vars.len());
    for &i in &properties {
        for v in cones.property_cone(&model.properties[i as usize]).iter() {
            cone.insert(v);
        }
    }
    Group { properties, cone }
}

/// Properties with equal cones together, small cones first.
fn grouped(model: &FlatModel, properties: Vec<u32>) -> Vec<Group> {
    let cones = Cones::new(model);
    let mut groups: Vec<Group> = Vec::new();
    for i in properties {
        let cone = cones.property_cone(&model.properties[i as usize]);
        match groups.iter_mut().find(|g| g.cone == cone) {
            Some(group) => group.properties.push(i),
            None => groups.push(Group {
                properties: vec![i],
                cone,
            }),
        }
    }
    groups.sort_by_key(|g| g.cone.len());
    groups
}

/// The variables of a cone in the order in which they are found.
fn names(model: &FlatModel, group: &Group, style: PropertyStyle) -> String {
    let text = |&i: &u32| style.text(&model.properties[i as usize]);
    let mut out = match group.properties.as_slice() {
        [one] => format!("Property {}has COI:\n", text(one)),
        all => {
            let lines = all.iter().enumerate();
            let lines = lines.map(|(n, i)| format!("\t{}) {}\n", n + 1, text(i)));
            format!("Properties\n{}share COI:\n", lines.collect::<String>())
        }
    };
    let Some(&first) = group.properties.first() else {
        return String::new();
    };
    let found = Cones::new(model).found_from_property(&model.properties[first as usize]);
    let names: Vec<&str> = found.iter().map(|&v| model.var(v).name.as_str()).collect();
    let _ = write!(out, "   {{\n   {}\n   }}\n", names.join(",\n   "));
    out
}
