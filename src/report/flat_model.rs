//! `-ofm`: the flattened model as SMV text, in NuSMV's layout.
//!
//! `FlatModel` → text that can be read back (by NuSMV too). Arrays are put together again from
//! their cells, shared expressions become DEFINEs at the end. PSL properties come as comments.

use super::expr_text::ExprText;
use super::{anonymous_model, verdict};
use crate::model::dependencies::coi::{self, VarSet};
use crate::model::{
    Assign, AssignKind, Constraint, ExprId, FlatModel, MinMax, PropFormula, PropKind, Property,
    VarKind, VarType,
};
use crate::trace::Cell;
use std::fmt::Write;

/// The whole file; `file` is the name of the model's own.
pub fn text(model: &FlatModel, file: &str) -> String {
    format!(
        "-- Flattened FSM model generated from {file}\n\n{}",
        body(model, None)
    )
}

/// The whole file with other names for all symbols, and the list that tells them apart.
pub fn anonymous(model: &FlatModel, file: &str) -> (String, String) {
    let (renamed, key) = anonymous_model::rename(model);
    let head = format!("-- Obfuscated and flattened FSM model generated from {file}\n\n");
    (head + &body(&renamed, None), key)
}

/// The part of the model that a cone of influence holds, with the properties of these numbers.
pub fn part(model: &FlatModel, file: &str, cone: &VarSet, properties: &[u32]) -> String {
    let mut part = model.clone();
    part.properties.retain(|p| properties.contains(&p.index));
    part.assigns.retain(|a| cone.contains(a.var));
    for constraints in [&mut part.init, &mut part.invar, &mut part.trans] {
        let all = std::mem::take(constraints);
        *constraints = all
            .iter()
            .flat_map(|c| {
                let parts = coi::conjuncts_within(model, c.expr, cone).into_iter();
                parts.map(|expr| Constraint { expr, ..c.clone() })
            })
            .collect();
    }
    // An array DEFINE is whole or not there.
    let outside: Vec<String> = model
        .defines
        .iter()
        .filter(|d| !coi::within(model, d.body, cone))
        .map(|d| split(&d.name).0.to_owned())
        .collect();
    let body = body(&part, Some((cone, &outside)));
    format!("-- Flattened FSM model generated from {file}\n\n{body}")
}

/// `part`: the variables that are declared, and the DEFINEs that are not.
fn body(model: &FlatModel, part: Option<(&VarSet, &[String])>) -> String {
    let mut exprs = ExprText::new(model, roots(model));
    let mut out = String::from("MODULE main\n");
    variables(&mut out, model, part.map(|p| p.0));
    defines(&mut out, model, &mut exprs, part.map_or(&[], |p| p.1));
    constants(&mut out, model);
    assigns(&mut out, model, &mut exprs);
    let sections = [
        ("INIT", &model.init),
        ("INVAR", &model.invar),
        ("TRANS", &model.trans),
    ];
    for (keyword, constraints) in sections {
        for c in constraints {
            let _ = write!(out, "{keyword}\n {}\n\n", exprs.expr(c.expr));
        }
    }
    for c in &model.justice {
        let _ = write!(out, "JUSTICE\n {}\n\n", exprs.expr(c.expr));
    }
    for (p, q) in &model.compassion {
        let (p, q) = (exprs.expr(p.expr), exprs.expr(q.expr));
        let _ = write!(out, "COMPASSION\n ({p}, {q})\n\n");
    }
    for p in &model.properties {
        property(&mut out, p, &mut exprs);
    }
    let shared = exprs.definitions();
    if !shared.is_empty() {
        out.push_str("-- Expressions that occur more than once:\n");
    }
    for (name, body) in shared {
        let _ = write!(out, "DEFINE {name} := {body};\n\n");
    }
    out
}

/// Whether the text has PSL properties as comments, which NuSMV warns of.
pub fn has_psl(model: &FlatModel) -> bool {
    model.properties.iter().any(|p| p.kind == PropKind::Psl)
}

/// Every expression the text contains.
fn roots(model: &FlatModel) -> Vec<ExprId> {
    let mut roots: Vec<ExprId> = model.defines.iter().map(|d| d.body).collect();
    roots.extend(model.assigns.iter().map(|a| a.rhs));
    let constraints = [&model.init, &model.invar, &model.trans, &model.justice];
    roots.extend(constraints.into_iter().flatten().map(|c| c.expr));
    roots.extend(model.compassion.iter().flat_map(|(p, q)| [p.expr, q.expr]));
    for p in &model.properties {
        match p.formula {
            PropFormula::Ctl(e) | PropFormula::Ltl(e) | PropFormula::Invar(e) => roots.push(e),
            PropFormula::Compute { start, target, .. } => roots.extend([start, target]),
            PropFormula::Psl { .. } => {}
        }
    }
    roots
}

fn variables(out: &mut String, model: &FlatModel, cone: Option<&VarSet>) {
    let kinds = [
        (VarKind::Input, "IVAR"),
        (VarKind::State, "VAR"),
        (VarKind::Frozen, "FROZENVAR"),
    ];
    for (kind, keyword) in kinds {
        let vars: Vec<(&str, String)> = model
            .vars_of(kind)
            .filter(|&v| cone.is_none_or(|c| c.contains(v)))
            .map(|v| {
                (
                    model.var(v).name.as_str(),
                    type_text(model, &model.var(v).ty),
                )
            })
            .collect();
        if vars.is_empty() {
            continue;
        }
        let _ = writeln!(out, "{keyword}");
        let mut i = 0;
        while i < vars.len() {
            let (base, indices) = split(vars[i].0);
            let n = vars[i..]
                .iter()
                .take_while(|(name, _)| split(name).0 == base)
                .count();
            let ty = &vars[i].1;
            let _ = if indices.is_empty() {
                writeln!(out, "{base} : {ty};")
            } else {
                let cells: Vec<Vec<i64>> = vars[i..i + n]
                    .iter()
                    .map(|(name, _)| split(name).1)
                    .collect();
                writeln!(out, "{base} : {}{ty};", array_prefix(&cells))
            };
            i += if indices.is_empty() { 1 } else { n };
        }
        out.push('\n');
    }
}

/// `a[0][-1]` → `a` and `[0, -1]`.
pub(super) fn split(name: &str) -> (&str, Vec<i64>) {
    let mut base = name;
    let mut indices = Vec::new();
    while let Some(open) = base.strip_suffix(']').and_then(|s| s.rfind('[')) {
        let Ok(i) = base[open + 1..base.len() - 1].parse() else {
            break;
        };
        indices.insert(0, i);
        base = &base[..open];
    }
    (base, indices)
}

/// `array 0..1 of array 2..3 of ` from the indices of all cells.
fn array_prefix(cells: &[Vec<i64>]) -> String {
    let depth = cells.first().map_or(0, Vec::len);
    (0..depth).fold(String::new(), |mut text, d| {
        let at = || cells.iter().filter_map(|c| c.get(d)).copied();
        let (lo, hi) = (at().min().unwrap_or(0), at().max().unwrap_or(0));
        let _ = write!(text, "array {lo}..{hi} of ");
        text
    })
}

fn type_text(model: &FlatModel, ty: &VarType) -> String {
    match ty {
        VarType::Bool => "boolean".to_owned(),
        VarType::Range { lo, hi } => format!("{lo}..{hi}"),
        VarType::Enum(values) => {
            let values: Vec<String> = values
                .iter()
                .map(|v| Cell::new(v, &model.pool).to_string())
                .collect();
            format!("{{{}}}", values.join(", "))
        }
        VarType::Word { signed, width } => {
            format!(
                "{} word[{width}]",
                if *signed { "signed" } else { "unsigned" }
            )
        }
    }
}

fn defines(out: &mut String, model: &FlatModel, exprs: &mut ExprText, without: &[String]) {
    let left_out = |d: &crate::model::Define| without.iter().any(|w| w == split(&d.name).0);
    if model.defines.iter().all(left_out) {
        return;
    }
    out.push_str("DEFINE\n");
    let mut i = 0;
    while i < model.defines.len() {
        let (base, indices) = split(&model.defines[i].name);
        if left_out(&model.defines[i]) {
            i += 1;
            continue;
        }
        if indices.is_empty() {
            let body = exprs.expr(model.defines[i].body);
            let _ = writeln!(out, "{base} := {body};");
            i += 1;
            continue;
        }
        let same = |d: &&crate::model::Define| split(&d.name).0 == base;
        let cells: Vec<(Vec<i64>, String)> = model.defines[i..]
            .iter()
            .take_while(same)
            .map(|d| (split(&d.name).1, exprs.expr(d.body)))
            .collect();
        i += cells.len();
        let _ = writeln!(out, "{base} := {};", nested(&cells, 0));
    }
    out.push('\n');
}

/// `[[a, b], [c, d]]` from cells in order.
fn nested(cells: &[(Vec<i64>, String)], depth: usize) -> String {
    match cells {
        [(indices, body)] if indices.len() == depth => body.clone(),
        _ => {
            let groups = cells.chunk_by(|a, b| a.0.get(depth) == b.0.get(depth));
            let parts: Vec<String> = groups.map(|g| nested(g, depth + 1)).collect();
            format!("[{}]", parts.join(", "))
        }
    }
}

/// Symbols that only expressions mention still have to be declared.
pub(super) fn constants(out: &mut String, model: &FlatModel) {
    if !model.constants.is_empty() {
        let _ = write!(out, "CONSTANTS\n {};\n\n", model.constants.join(", "));
    }
}

fn assigns(out: &mut String, model: &FlatModel, exprs: &mut ExprText) {
    for group in model.assigns.chunk_by(|a, b| a.var == b.var) {
        out.push_str("ASSIGN\n");
        for Assign { kind, var, rhs, .. } in group {
            let name = &model.var(*var).name;
            let rhs = exprs.expr(*rhs);
            let _ = match kind {
                AssignKind::Current => writeln!(out, "{name} := {rhs};"),
                AssignKind::Init => writeln!(out, "init({name}) := {rhs};"),
                AssignKind::Next => writeln!(out, "next({name}) := {rhs};"),
            };
        }
        out.push('\n');
    }
}

fn property(out: &mut String, p: &Property, exprs: &mut ExprText) {
    let name = p
        .name
        .as_ref()
        .map_or(String::new(), |n| format!("NAME {n} := "));
    let _ = match &p.formula {
        PropFormula::Ctl(e) => write!(out, "CTLSPEC\n {name}{};\n\n", exprs.expr(*e)),
        PropFormula::Ltl(e) => write!(out, "LTLSPEC\n {name}{};\n\n", exprs.expr(*e)),
        PropFormula::Invar(e) => write!(out, "INVARSPEC\n {name}{};\n\n", exprs.expr(*e)),
        PropFormula::Compute { op, start, target } => {
            let op = if *op == MinMax::Min { "MIN" } else { "MAX" };
            let (start, target) = (exprs.expr(*start), exprs.expr(*target));
            write!(out, "COMPUTE\n {name}{op} [ {start} , {target} ];\n\n")
        }
        PropFormula::Psl { .. } => write!(out, "-- PSLSPEC\n--   {name}{}\n\n", verdict::text(p)),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_put_together() {
        assert_eq!(split("m.a[0][-1]"), ("m.a", vec![0, -1]));
        assert_eq!(split("x"), ("x", vec![]));
        let cells = [vec![0, 2], vec![0, 3], vec![1, 2], vec![1, 3]];
        assert_eq!(array_prefix(&cells), "array 0..1 of array 2..3 of ");
        let named: Vec<(Vec<i64>, String)> = cells
            .iter()
            .map(|c| (c.clone(), format!("{}{}", c[0], c[1])))
            .collect();
        assert_eq!(nested(&named, 0), "[[02, 03], [12, 13]]");
    }
}
