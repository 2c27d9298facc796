//! `-obm`: the model over bits, as SMV text.
//!
//! `BddFsm` → text. Every bit of a scalar variable is a Boolean variable `x.0`, `x.1`, … (0 least
//! significant), the scalar itself a DEFINE over them. Constraints and the propositional parts of
//! properties are decision diagrams, written as one DEFINE per node, so the text is linear in their
//! size. PSL properties come as comments.

use super::{flat_model, verdict};
use crate::base::deep;
use crate::dd::{Bdd, VarIndex};
use crate::encode::error::Result;
use crate::encode::{BddFsm, Layout};
use crate::model::{ExprId, FlatModel, MinMax, Node, PropFormula, Property, Var, VarKind, VarType};
use crate::trace::Cell;
use rustc_hash::FxHashMap;
use smv_grammar::ops::{BinOp, BoundedOp, UnOp};
use std::fmt::Write;

/// The whole file; `file` is the name of the model's own. The machine must be of the whole model.
pub fn text(fsm: &BddFsm, file: &str) -> Result<String> {
    let model = &*fsm.model;
    let mut out = format!("-- Flattened Boolean FSM model generated from {file}\n\nMODULE main\n");
    let mut names = FxHashMap::default();
    let kinds = [
        (VarKind::Input, "IVAR"),
        (VarKind::State, "VAR"),
        (VarKind::Frozen, "FROZENVAR"),
    ];
    for (kind, keyword) in kinds {
        for &v in fsm
            .layout
            .encoded()
            .iter()
            .filter(|&&v| model.var(v).kind == kind)
        {
            let (var, bits) = (model.var(v), fsm.layout.bits(v));
            for (i, &bit) in bits.current.iter().enumerate() {
                let name = bit_name(var, bits.current.len() - 1 - i);
                let _ = writeln!(out, "{keyword} {name} : boolean;");
                if let Some(&next) = bits.next.get(i) {
                    names.insert(next, format!("next({name})"));
                }
                names.insert(bit, name);
            }
        }
    }
    out.push('\n');
    for &v in fsm.layout.encoded() {
        let var = model.var(v);
        if var.ty != VarType::Bool {
            let _ = writeln!(out, "DEFINE {} := {};", var.name, scalar(model, var));
        }
    }
    out.push('\n');
    flat_model::constants(&mut out, model);
    let mut w = Writer {
        fsm,
        names,
        defines: Vec::new(),
        number: FxHashMap::default(),
    };
    let _ = write!(
        out,
        "INIT\n {}\n\nINVAR\n {}\n\n",
        w.diagram(&fsm.init),
        w.diagram(&fsm.invar)
    );
    for cluster in fsm.trans.clusters() {
        let _ = write!(out, "TRANS\n {}\n\n", w.diagram(cluster));
    }
    for c in &model.justice {
        let _ = write!(out, "JUSTICE\n {}\n\n", w.leaf(c.expr)?);
    }
    for (p, q) in &model.compassion {
        let (p, q) = (w.leaf(p.expr)?, w.leaf(q.expr)?);
        let _ = write!(out, "COMPASSION\n ({p}, {q})\n\n");
    }
    for p in &model.properties {
        let text = w.property(p)?;
        let _ = write!(out, "{text}\n\n");
    }
    for (i, body) in w.defines.iter().enumerate() {
        let _ = writeln!(out, "DEFINE __expr{i} := {body};");
    }
    Ok(out)
}

fn bit_name(var: &Var, bit: usize) -> String {
    match var.ty {
        VarType::Bool => var.name.clone(),
        _ => format!("{}.{bit}", var.name),
    }
}

/// A scalar variable as an expression over its bits.
fn scalar(model: &FlatModel, var: &Var) -> String {
    let width = crate::encode::layout::width(&var.ty) as usize;
    let bit = |i: usize| bit_name(var, i);
    match &var.ty {
        VarType::Bool => bit(0),
        VarType::Range { lo, .. } => {
            let term = |i: usize| format!(" + ({} ? {} : 0)", bit(i), 1i64 << i);
            (0..width)
                .rev()
                .fold(lo.to_string(), |sum, i| sum + &term(i))
        }
        VarType::Word { signed, .. } => {
            let bits: Vec<String> = (0..width)
                .rev()
                .map(|i| format!("word1({})", bit(i)))
                .collect();
            let word = bits.join(" :: ");
            if *signed {
                format!("signed({word})")
            } else {
                word
            }
        }
        VarType::Enum(_) => choice(model, var, &mut vec![false; width], 0),
    }
}

/// The value for the codes that begin as `code` does.
fn choice(model: &FlatModel, var: &Var, code: &mut Vec<bool>, depth: usize) -> String {
    if depth == code.len() {
        return Cell::new(&Layout::decode(var, code), &model.pool).to_string();
    }
    let mut half = |on: bool| {
        code[depth] = on;
        let text = choice(model, var, code, depth + 1);
        code[depth] = false;
        text
    };
    let (high, low) = (half(true), half(false));
    if high == low {
        return high;
    }
    let bit = bit_name(var, code.len() - 1 - depth);
    format!("({bit} ? {high} : {low})")
}

struct Writer<'f> {
    fsm: &'f BddFsm,
    /// Text of each bit.
    names: FxHashMap<VarIndex, String>,
    /// Bodies of `__expr0`, `__expr1`, …
    defines: Vec<String>,
    number: FxHashMap<Bdd, usize>,
}

impl Writer<'_> {
    /// A diagram: a constant, a literal, or the name of a DEFINE, maybe negated.
    fn diagram(&mut self, d: &Bdd) -> String {
        let Some(top) = d.top() else {
            return if d.is_one() { "TRUE" } else { "FALSE" }.to_owned();
        };
        if let Some(n) = self.number.get(d) {
            return format!("__expr{n}");
        }
        if let Some(n) = self.number.get(&d.not()) {
            return format!("!__expr{n}");
        }
        let (high, low) = (d.high(), d.low());
        let bit = self
            .names
            .get(&top)
            .cloned()
            .unwrap_or_else(|| format!("bit{top}"));
        if high.is_one() && low.is_zero() {
            return bit;
        }
        if high.is_zero() && low.is_one() {
            return format!("!{bit}");
        }
        let (high, low) = deep(|| (self.diagram(&high), self.diagram(&low)));
        let body = match (high.as_str(), low.as_str()) {
            ("TRUE", low) => format!("{bit} | {low}"),
            ("FALSE", low) => format!("!{bit} & {low}"),
            (high, "TRUE") => format!("!{bit} | {high}"),
            (high, "FALSE") => format!("{bit} & {high}"),
            (high, low) => format!("({bit} ? {high} : {low})"),
        };
        self.number.insert(d.clone(), self.defines.len());
        self.defines.push(body);
        format!("__expr{}", self.defines.len() - 1)
    }

    /// A propositional expression.
    fn leaf(&mut self, e: ExprId) -> Result<String> {
        let d = self.fsm.boolean(e)?;
        Ok(self.diagram(&d))
    }

    fn property(&mut self, p: &Property) -> Result<String> {
        let name = p
            .name
            .as_ref()
            .map_or(String::new(), |n| format!("NAME {n} := "));
        Ok(match p.formula {
            PropFormula::Ctl(e) => format!("CTLSPEC\n {name}{};", self.formula(e)?),
            PropFormula::Ltl(e) => format!("LTLSPEC\n {name}{};", self.formula(e)?),
            PropFormula::Invar(e) => format!("INVARSPEC\n {name}{};", self.leaf(e)?),
            PropFormula::Compute { op, start, target } => {
                let op = if op == MinMax::Min { "MIN" } else { "MAX" };
                let (start, target) = (self.formula(start)?, self.formula(target)?);
                format!("COMPUTE\n {name}{op} [ {start} , {target} ];")
            }
            PropFormula::Psl { .. } => format!("-- PSLSPEC\n--   {name}{}", verdict::text(p)),
        })
    }

    /// A temporal formula, in parentheses.
    fn formula(&mut self, e: ExprId) -> Result<String> {
        let model = &*self.fsm.model;
        if !temporal(model, e) {
            return self.leaf(e);
        }
        deep(|| {
            Ok(match *model.pool.node(e) {
                Node::Unary(UnOp::Not, a) => format!("!({})", self.formula(a)?),
                Node::Unary(op, a) => format!("({} {})", op.text(), self.formula(a)?),
                Node::Binary(op @ (BinOp::Eu | BinOp::Au), a, b) => {
                    let quantifier = if op == BinOp::Eu { 'E' } else { 'A' };
                    format!(
                        "{quantifier} [ {} U {} ]",
                        self.formula(a)?,
                        self.formula(b)?
                    )
                }
                Node::Binary(op, a, b) => {
                    // Over formulas `=` is `<->`, which is also what bits can be compared with.
                    let op = match op {
                        BinOp::Eq => "<->",
                        BinOp::Neq => "xor",
                        op => op.text(),
                    };
                    format!("({} {op} {})", self.formula(a)?, self.formula(b)?)
                }
                Node::Bounded {
                    op,
                    lo,
                    hi,
                    a,
                    b: Some(b),
                } => {
                    let quantifier = if op == BoundedOp::Ebu { 'E' } else { 'A' };
                    let (a, b) = (self.formula(a)?, self.formula(b)?);
                    format!("{quantifier} [ {a} BU {lo}..{hi} {b} ]")
                }
                Node::Bounded {
                    op,
                    lo,
                    hi,
                    a,
                    b: None,
                } if op.is_ctl() => {
                    format!("({} {lo}..{hi} {})", op.text(), self.formula(a)?)
                }
                Node::Bounded {
                    op,
                    lo,
                    hi,
                    a,
                    b: None,
                } => {
                    format!("({} [{lo},{hi}] {})", op.text(), self.formula(a)?)
                }
                Node::Ite(c, a, b) => {
                    let (c, a, b) = (self.formula(c)?, self.formula(a)?, self.formula(b)?);
                    format!("(({c} & {a}) | (!({c}) & {b}))")
                }
                _ => self.leaf(e)?,
            })
        })
    }
}

/// Whether a temporal operator occurs in `e`. Formulas are small; nothing is kept.
fn temporal(model: &FlatModel, e: ExprId) -> bool {
    model.any_node(e, |node| match node {
        Node::Unary(op, _) => op.is_ctl() || op.is_ltl(),
        Node::Binary(op, ..) => op.is_ctl() || op.is_ltl(),
        Node::Bounded { .. } => true,
        _ => false,
    })
}
