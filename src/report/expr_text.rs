//! Flattened expressions as SMV text that NuSMV reads back.
//!
//! `ExprPool` + roots → text. Expressions that occur more than once are written once, as DEFINEs
//! `__expr0`, `__expr1`, … (NuSMV's "daggifier"), so the text is linear in the number of nodes.
//! Every compound operand is in parentheses, and what begins with a minus too: `--x` would be a
//! comment, and `-x :: y` and `-x[3:2]` are `-(x :: y)` and `-(x[3:2])`. A `case` that is not exhaustive ends without a TRUE.

use crate::base::deep;
use crate::model::{ExprId, FailKind, FlatModel, Node, Type, Value};
use rustc_hash::FxHashMap;
use smv_grammar::ops::{BinOp, BoundedOp, UnOp};
use std::fmt::Write;

/// Writes expressions of one model; remembers which shared ones need a DEFINE.
pub struct ExprText<'a> {
    model: &'a FlatModel,
    /// Number of places that refer to a node, for compound nodes.
    uses: FxHashMap<ExprId, u32>,
    /// Shared nodes in the order in which they were first written.
    shared: Vec<ExprId>,
    number: FxHashMap<ExprId, usize>,
}

impl<'a> ExprText<'a> {
    /// `roots` are all the expressions that will be written, each once for every time.
    pub fn new(model: &'a FlatModel, roots: impl IntoIterator<Item = ExprId>) -> Self {
        let mut uses: FxHashMap<ExprId, u32> = FxHashMap::default();
        let mut todo: Vec<ExprId> = roots.into_iter().collect();
        while let Some(e) = todo.pop() {
            let n = uses.entry(e).or_insert(0);
            *n += 1;
            if *n == 1 {
                model.pool.node(e).for_each_operand(|o| todo.push(o));
            }
        }
        ExprText {
            model,
            uses,
            shared: Vec::new(),
            number: FxHashMap::default(),
        }
    }

    /// The text of `e`.
    pub fn expr(&mut self, e: ExprId) -> String {
        let mut out = String::new();
        self.write(&mut out, e, false);
        out
    }

    /// The DEFINEs of shared expressions: name and body. Writing one may add others.
    pub fn definitions(&mut self) -> Vec<(String, String)> {
        let mut list = Vec::new();
        while list.len() < self.shared.len() {
            let e = self.shared[list.len()];
            let mut body = String::new();
            self.node(&mut body, e);
            list.push((format!("__expr{}", list.len()), body));
        }
        list
    }

    fn write(&mut self, out: &mut String, e: ExprId, operand: bool) {
        let node = self.model.pool.node(e);
        // Formulas with temporal operators cannot be DEFINEs.
        let shareable = match node {
            Node::Const(_) | Node::Var(_) | Node::Define(_) | Node::Fail { .. } => false,
            _ => !self.model.pool.is_temporal(e),
        };
        if shareable && self.uses.get(&e).is_some_and(|&n| n > 1) {
            let shared = &mut self.shared;
            let n = *self.number.entry(e).or_insert_with(|| {
                shared.push(e);
                shared.len() - 1
            });
            let _ = write!(out, "__expr{n}");
            return;
        }
        let compound = match node {
            Node::Binary(..) | Node::Division { .. } | Node::Ite(..) | Node::Bounded { .. } => true,
            Node::Unary(op, _) => *op == UnOp::Neg,
            Node::Const(v) => is_negative(v),
            _ => false,
        };
        let parenthesise = operand && compound;
        if parenthesise {
            out.push('(');
        }
        deep(|| self.node(out, e));
        if parenthesise {
            out.push(')');
        }
    }

    fn node(&mut self, out: &mut String, e: ExprId) {
        let model = self.model;
        match model.pool.node(e) {
            Node::Const(v) => constant(out, model, v),
            Node::Var(v) => out.push_str(&model.var(*v).name),
            Node::Define(d) => out.push_str(&model.define(*d).name),
            Node::Unary(op, a) => match op {
                UnOp::Not | UnOp::Neg => {
                    out.push_str(op.text());
                    self.write(out, *a, true);
                }
                UnOp::Next => self.call(out, "next", &[*a], None),
                _ => {
                    let _ = write!(out, "{} ", op.text());
                    self.write(out, *a, true);
                }
            },
            Node::Binary(op @ (BinOp::Eu | BinOp::Au), a, b) => {
                out.push_str(if *op == BinOp::Eu { "E [ " } else { "A [ " });
                self.write(out, *a, true);
                out.push_str(" U ");
                self.write(out, *b, true);
                out.push_str(" ]");
            }
            Node::Binary(op, a, b) | Node::Division { op, a, b, .. } => {
                self.write(out, *a, true);
                let _ = write!(out, " {} ", op.text());
                self.write(out, *b, true);
            }
            Node::Bounded { op, lo, hi, a, b } => self.bounded(out, *op, (*lo, *hi), *a, *b),
            Node::Ite(..) => self.case(out, e),
            Node::Placeholder => out.push('?'),
            Node::Fail { kind, .. } => match kind {
                FailKind::DivisionByZero => out.push_str("1 / 0"),
                FailKind::CaseNotExhaustive
                | FailKind::ArrayOutOfBounds
                | FailKind::ShiftRange { .. } => {
                    out.push_str("case FALSE : FALSE; esac");
                }
            },
            Node::BitSelect { word, hi, lo } => {
                self.write(out, *word, true);
                let _ = write!(out, "[{hi} : {lo}]");
            }
            // A condition of flattening, already Boolean.
            Node::Bool(a) if model.type_of(*a) == Type::Bool => self.write(out, *a, true),
            Node::Bool(a) => self.call(out, "bool", &[*a], None),
            Node::Word1(a) => self.call(out, "word1", &[*a], None),
            Node::ToInt(a) => self.call(out, "toint", &[*a], None),
            Node::Signed(a) => self.call(out, "signed", &[*a], None),
            Node::Unsigned(a) => self.call(out, "unsigned", &[*a], None),
            Node::Extend { word, by } => self.call(out, "extend", &[*word], Some(*by)),
            Node::Resize { word, width } => self.call(out, "resize", &[*word], Some(*width)),
            Node::Count(list) => self.call(out, "count", list, None),
            Node::Array { cells, .. } => self.call(out, "", cells, None),
        }
    }

    fn call(&mut self, out: &mut String, name: &str, args: &[ExprId], number: Option<u32>) {
        out.push_str(name);
        out.push('(');
        for (i, a) in args.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            self.write(out, *a, false);
        }
        if let Some(n) = number {
            let _ = write!(out, ", {n}");
        }
        out.push(')');
    }

    fn bounded(
        &mut self,
        out: &mut String,
        op: BoundedOp,
        (lo, hi): (u32, u32),
        a: ExprId,
        b: Option<ExprId>,
    ) {
        if let Some(b) = b {
            out.push_str(if op == BoundedOp::Ebu { "E [ " } else { "A [ " });
            self.write(out, a, true);
            let _ = write!(out, " BU {lo}..{hi} ");
            self.write(out, b, true);
            out.push_str(" ]");
        } else {
            let _ = if op.is_ctl() {
                write!(out, "{} {lo}..{hi} ", op.text())
            } else {
                write!(out, "{} [{lo},{hi}] ", op.text())
            };
            self.write(out, a, true);
        }
    }

    /// A chain of `Ite` as one `case`; the chain stops at a shared link.
    fn case(&mut self, out: &mut String, first: ExprId) {
        out.push_str("case ");
        let mut e = first;
        loop {
            match self.model.pool.node(e) {
                Node::Ite(c, a, rest)
                    if e == first || self.uses.get(&e).is_none_or(|&n| n <= 1) =>
                {
                    self.write(out, *c, false);
                    out.push_str(" : ");
                    self.write(out, *a, false);
                    out.push_str("; ");
                    e = *rest;
                }
                Node::Fail {
                    kind: FailKind::CaseNotExhaustive | FailKind::ArrayOutOfBounds,
                    ..
                } => break,
                _ => {
                    out.push_str("TRUE : ");
                    self.write(out, e, false);
                    out.push_str("; ");
                    break;
                }
            }
        }
        out.push_str("esac");
    }
}

/// Whether the text of a constant begins with a minus.
fn is_negative(v: &Value) -> bool {
    match v {
        Value::Int(i) => *i < 0,
        Value::Word(w) => w.is_negative(),
        _ => false,
    }
}

/// A constant in SMV text.
fn constant(out: &mut String, model: &FlatModel, v: &Value) {
    match v {
        Value::Set(values) => {
            out.push('{');
            for (i, v) in values.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                constant(out, model, v);
            }
            out.push('}');
        }
        v => {
            let _ = write!(out, "{}", crate::trace::Cell::new(v, &model.pool));
        }
    }
}
