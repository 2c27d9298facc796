//! `hrc_dump_model`: the modules as they were written, before flattening, in SMV or XML.
//!
//! Source tree → text in NuSMV's layout: `main` first, then every module that is instantiated, in the order
//! in which instances are met. A module's declarations are sorted by kind; within a kind they keep their
//! order (DEFINEs and CONSTANTS are reversed, as there). This file takes modules apart; `smv` and `xml` write
//! the parts.

mod smv;
mod xml;

pub use smv::smv;
pub use xml::xml;

use smv_grammar::ast::{
    AssignKind, Ast, ExprId, ExprKind, Item, MinMax, Module, Name, Spec, SpecKind, TypeExpr,
    VarDecl, VarKind,
};
use smv_grammar::{SyntaxError, SyntaxErrorKind, print};
use std::borrow::Cow;

/// How the text is written.
#[derive(Clone, Copy, Debug)]
pub struct Style<'a> {
    /// The file that errors name.
    pub file: &'a str,
    /// Sections and their lines are indented.
    pub indent: bool,
    /// Names of modules, `main` apart, get the suffix `_hrc`.
    pub rename: bool,
}

/// The modules that `main` needs, itself first.
fn needed(ast: &Ast) -> Vec<&Module> {
    let find = |name: &str| ast.modules.iter().find(|m| ast.name(m.name) == name);
    let mut found: Vec<&Module> = Vec::new();
    let mut todo: Vec<&Module> = find("main").into_iter().collect();
    while let Some(module) = todo.pop() {
        if found.iter().any(|m| m.name == module.name) {
            continue;
        }
        found.push(module);
        let used = instances(module).filter_map(|(_, name, _)| find(ast.name(name)));
        let used: Vec<&Module> = used.collect();
        todo.extend(used.into_iter().rev());
    }
    found
}

/// Instances of a module: declaration, module, parameters.
fn instances(module: &Module) -> impl Iterator<Item = (&VarDecl, Name, &[ExprId])> {
    module.items.iter().filter_map(|item| match item {
        Item::Var(v) => match &v.ty {
            TypeExpr::Instance { module, args, .. } => Some((v, *module, args.as_slice())),
            _ => None,
        },
        _ => None,
    })
}

/// The errors that were passed over, each with its token and what is said of it.
fn errors(ast: &Ast) -> impl Iterator<Item = (&SyntaxError, Cow<'_, str>, &str)> {
    ast.errors.iter().filter_map(|e| match &e.kind {
        SyntaxErrorKind::Token { token, message } => {
            Some((e, String::from_utf8_lossy(token), message.as_str()))
        }
        _ => None,
    })
}

/// Variables of a kind that are no instances.
fn variables(module: &Module, kind: VarKind) -> impl Iterator<Item = &VarDecl> {
    module.items.iter().filter_map(move |item| match item {
        Item::Var(v) if v.kind == kind && !matches!(v.ty, TypeExpr::Instance { .. }) => Some(v),
        _ => None,
    })
}

/// DEFINEs, of arrays or of anything else: name, body, line.
fn defines(ast: &Ast, module: &Module, arrays: bool) -> Vec<(Name, ExprId, u32)> {
    let of = |item: &Item| match item {
        Item::Define {
            name, body, line, ..
        } if matches!(ast.expr(*body).kind, ExprKind::ArrayLit(_)) == arrays => {
            Some((*name, *body, *line))
        }
        _ => None,
    };
    // The last one comes first.
    module.items.iter().rev().filter_map(of).collect()
}

fn constants(module: &Module) -> Vec<ExprId> {
    let all = module.items.iter().filter_map(|item| match item {
        Item::Constants(names) => Some(names),
        _ => None,
    });
    let mut all: Vec<ExprId> = all.flatten().copied().collect();
    all.reverse();
    all
}

/// Assignments of a kind: target, right side, line.
fn assigns(module: &Module, wanted: AssignKind) -> impl Iterator<Item = (ExprId, ExprId, u32)> {
    module.items.iter().filter_map(move |item| match item {
        Item::Assign {
            kind,
            target,
            rhs,
            line,
            ..
        } if *kind == wanted => Some((*target, *rhs, *line)),
        _ => None,
    })
}

/// The kinds of constraints in the order of the text: keyword, element of the XML.
const CONSTRAINTS: [(&str, &str); 4] = [
    ("INIT", "Init"),
    ("INVAR", "Invar"),
    ("TRANS", "Trans"),
    ("JUSTICE", "Justice"),
];

fn constraints(module: &Module, keyword: &str) -> Vec<(ExprId, u32)> {
    let of = |item: &Item| match (item, keyword) {
        (Item::Init(e, line), "INIT")
        | (Item::Invar(e, line), "INVAR")
        | (Item::Trans(e, line), "TRANS")
        | (Item::Justice(e, line), "JUSTICE") => Some((*e, *line)),
        _ => None,
    };
    module.items.iter().filter_map(of).collect()
}

fn compassion(module: &Module) -> impl Iterator<Item = (ExprId, ExprId, u32)> {
    module.items.iter().filter_map(|item| match item {
        Item::Compassion(p, q, line) => Some((*p, *q, *line)),
        _ => None,
    })
}

/// Specifications by kind: keyword, name in the XML, specification.
fn specs(module: &Module) -> Vec<(&'static str, &'static str, &Spec)> {
    let kind = |s: &Spec| {
        Some(match s.kind {
            SpecKind::Ctl(_) => (0, "CTLSPEC", "CTL"),
            SpecKind::Ltl(_) => (1, "LTLSPEC", "LTL"),
            SpecKind::Psl(_) => (2, "PSLSPEC", "PSL"),
            SpecKind::Invar(_) => (3, "INVARSPEC", "INVAR"),
            SpecKind::Compute(..) => (4, "COMPUTE", "COMPUTE"),
            SpecKind::Query(..) => return None,
        })
    };
    let mut all: Vec<_> = module
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Spec(s) => kind(s).map(|k| (k, s)),
            _ => None,
        })
        .collect();
    all.sort_by_key(|((rank, ..), _)| *rank);
    all.into_iter().map(|((_, k, x), s)| (k, x, s)).collect()
}

fn spec_text(ast: &Ast, spec: &Spec) -> String {
    if let SpecKind::Compute(which, a, b) = spec.kind {
        let which = if which == MinMax::Min { "MIN" } else { "MAX" };
        let [a, b] = [a, b].map(|e| print::expr(ast, e));
        return format!("{which} [ {a} , {b} ] ");
    }
    let text = print::spec(ast, spec);
    text.strip_suffix(' ').unwrap_or(&text).to_owned()
}

fn type_text(ast: &Ast, ty: &TypeExpr) -> String {
    match ty {
        TypeExpr::Boolean => "boolean".to_owned(),
        TypeExpr::Range { lo, hi, .. } => {
            format!("{} .. {}", print::expr(ast, *lo), print::expr(ast, *hi))
        }
        TypeExpr::Enum { values, .. } => {
            let values: Vec<String> = values.iter().map(|&v| print::expr(ast, v)).collect();
            format!("{{{}}}", values.join(", "))
        }
        TypeExpr::Word { signed, width, .. } => {
            let sign = if *signed { "signed" } else { "unsigned" };
            format!("{sign} word[{}]", print::expr(ast, *width))
        }
        TypeExpr::Array(lo, hi, of) => format!(
            "array {} .. {} of {}",
            print::expr(ast, *lo),
            print::expr(ast, *hi),
            type_text(ast, of)
        ),
        TypeExpr::WordArray { width, element } => format!(
            "array word[{}] of {}",
            print::expr(ast, *width),
            type_text(ast, element)
        ),
        TypeExpr::Instance { module, .. } => ast.name(*module).to_owned(),
    }
}

fn module_name(ast: &Ast, name: Name, style: Style) -> String {
    let name = ast.name(name);
    if style.rename && name != "main" {
        format!("{name}_hrc")
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_come_as_instances_are_met() {
        let text = "MODULE c VAR x : boolean; MODULE b VAR y : c; MODULE unused VAR u : boolean;\n\
                    MODULE main VAR p : b; q : c; z : 0..1; INIT z = 0";
        let ast = smv_grammar::parse(text.as_bytes(), &Default::default()).expect("it can be read");
        let names: Vec<&str> = needed(&ast).iter().map(|m| ast.name(m.name)).collect();
        assert_eq!(names, ["main", "b", "c"]);
        let style = Style {
            file: "model.smv",
            indent: true,
            rename: true,
        };
        let text = smv(&ast, style);
        assert!(text.contains("MODULE main\n    VAR\n        p : b_hrc;\n        q : c_hrc;\n"));
        assert!(text.contains("        z : 0 .. 1;\n\n    INIT z = 0;\n\n"));
        let text = xml(
            &ast,
            Style {
                file: "model.smv",
                indent: false,
                ..style
            },
        );
        assert!(text.contains("<Init lineno=\"2\"><expr>z&#032;=&#032;0</expr></Init>"));
    }
}
