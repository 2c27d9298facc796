//! Expressions and properties as NuSMV prints them.
//!
//! Every operator has a priority; an operand is put in parentheses when its priority is not above
//! that of its context. Boolean connectives, `U` and `S` always are, which is why nothing else needs
//! to know their strength. Some operators print blanks around themselves (` G p`, ` (a ? b : c) `,
//! `E [ a U b ] `); they are part of the text. Depth is bounded by memory, not by the stack.

use crate::ast::{Ast, ExprId, ExprKind, MinMax, Spec, SpecKind, WordLit};
use crate::ops::{BinOp, BoundedOp, Func, UnOp};
use num_bigint::BigUint;
use std::fmt::Write;

/// Priorities, weakest first.
mod priority {
    pub const TOP: u8 = 0;
    pub const RANGE: u8 = 1;
    pub const TEMPORAL: u8 = 2;
    pub const COMPARISON: u8 = 5;
    pub const MEMBERSHIP: u8 = 6;
    pub const UNION: u8 = 7;
    pub const SHIFT: u8 = 8;
    pub const SUM: u8 = 9;
    pub const MODULO: u8 = 10;
    pub const PRODUCT: u8 = 11;
    pub const CONCAT: u8 = 12;
    pub const UNARY: u8 = 13;
}
use priority::{RANGE, TEMPORAL, TOP, UNARY};

/// The text of an expression.
pub fn expr(ast: &Ast, id: ExprId) -> String {
    let mut p = Printer {
        ast,
        out: String::new(),
    };
    p.expr(id, TOP);
    p.out
}

/// The text of a property, trailing blank included.
pub fn spec(ast: &Ast, spec: &Spec) -> String {
    match &spec.kind {
        SpecKind::Ctl(e) | SpecKind::Ltl(e) | SpecKind::Invar(e) => expr(ast, *e) + " ",
        SpecKind::Compute(which, start, target) => {
            let which = if *which == MinMax::Min { "MIN" } else { "MAX" };
            format!(
                "{which} [ {} , {} ]  ",
                expr(ast, *start),
                expr(ast, *target)
            )
        }
        SpecKind::Psl(id) => format!("{} ", ast.psl.text(*id)),
    }
}

/// A word constant as NuSMV shows it: decimal, with the sign in front.
pub fn word(w: &WordLit) -> String {
    let width = w.width;
    if w.signed && width > 0 && w.value.bit(u64::from(width) - 1) {
        let magnitude = (BigUint::from(1u32) << width) - &w.value;
        return format!("-0sd{width}_{magnitude}");
    }
    format!("0{}d{width}_{}", if w.signed { 's' } else { 'u' }, w.value)
}

struct Printer<'a> {
    ast: &'a Ast,
    out: String,
}

impl Printer<'_> {
    /// Writes `id` where operands up to `context` need parentheses.
    fn expr(&mut self, id: ExprId, context: u8) {
        let ast = self.ast;
        let strength = match &ast.expr(id).kind {
            ExprKind::Unary(op, _) => match op {
                UnOp::Not | UnOp::Neg => Some(UNARY),
                UnOp::Next => None,
                _ => Some(TEMPORAL),
            },
            ExprKind::Binary(op, ..) => binary(*op),
            ExprKind::Bounded { op, b, .. } => (op.is_ctl() && b.is_none()).then_some(TEMPORAL),
            ExprKind::Range(..) => Some(RANGE),
            ExprKind::Int(n) if *n < 0 => Some(UNARY),
            _ => None,
        };
        let parentheses = strength.is_some_and(|s| s <= context && context > TOP);
        if parentheses {
            self.out.push('(');
        }
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.plain(id));
        if parentheses {
            self.out.push(')');
        }
    }

    fn plain(&mut self, id: ExprId) {
        let ast = self.ast;
        match &ast.expr(id).kind {
            ExprKind::Bool(b) => self.out.push_str(if *b { "TRUE" } else { "FALSE" }),
            ExprKind::Int(n) => {
                let _ = write!(self.out, "{n}");
            }
            ExprKind::Word(w) => self.out.push_str(&word(w)),
            ExprKind::Ident(name) => self.out.push_str(ast.name(*name)),
            ExprKind::SelfRef => self.out.push_str("self"),
            ExprKind::Dot(left, name) => {
                self.expr(*left, UNARY);
                self.out.push('.');
                self.out.push_str(ast.name(*name));
            }
            ExprKind::Index(array, index) => {
                self.expr(*array, UNARY);
                self.list("[", &[*index], "", "]");
            }
            ExprKind::BitSelect(word, high, low) => {
                self.expr(*word, UNARY);
                self.list("[", &[*high, *low], " : ", "]");
            }
            ExprKind::Unary(op, a) => self.unary(*op, *a),
            ExprKind::Binary(op, a, b) => self.binary(*op, *a, *b),
            ExprKind::Bounded { op, lo, hi, a, b } => self.bounded(*op, *lo, *hi, *a, *b),
            ExprKind::Ite(c, a, b) => {
                self.out.push_str(" (");
                self.expr(*c, TOP);
                self.out.push_str(" ? ");
                self.expr(*a, TOP);
                self.out.push_str(" : ");
                self.expr(*b, TOP);
                self.out.push_str(") ");
            }
            ExprKind::Case(arms) => {
                self.out.push_str("case\n");
                for arm in arms {
                    self.list("", &[arm.cond, arm.value], " : ", ";\n");
                }
                self.out.push_str("esac");
            }
            ExprKind::Range(lo, hi) => self.list("", &[*lo, *hi], " .. ", ""),
            ExprKind::Call(Func::Extend, args) => self.list("extend(", args, " , ", ")"),
            ExprKind::Call(f, args) => {
                self.out.push_str(f.text());
                self.list("(", args, ", ", ")");
            }
            ExprKind::ArrayLit(cells) => self.list("[", cells, ", ", "]"),
        }
    }

    fn list(&mut self, open: &str, items: &[ExprId], separator: &str, close: &str) {
        self.out.push_str(open);
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.out.push_str(separator);
            }
            self.expr(*item, TOP);
        }
        self.out.push_str(close);
    }

    fn unary(&mut self, op: UnOp, a: ExprId) {
        match op {
            UnOp::Not | UnOp::Neg => {
                self.out.push_str(op.text());
                let start = self.out.len();
                self.expr(a, UNARY);
                // The most negative word constant, written without a sign of its own.
                let constant = matches!(self.ast.expr(a).kind, ExprKind::Word(..));
                if constant && self.out[start..].starts_with('-') {
                    self.out.insert(start, ' ');
                }
            }
            UnOp::Next => self.list("next(", &[a], "", ")"),
            _ => {
                let blank = if op.is_ltl() { " " } else { "" };
                let _ = write!(self.out, "{blank}{} ", op.text());
                self.expr(a, TEMPORAL);
            }
        }
    }

    fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId) {
        match op {
            BinOp::Eu | BinOp::Au => {
                self.out
                    .push_str(if op == BinOp::Eu { "E [ " } else { "A [ " });
                self.expr(a, TEMPORAL);
                self.out.push_str(" U ");
                self.expr(b, TEMPORAL);
                self.out.push_str(" ] ");
            }
            _ => {
                // Connectives bring their own parentheses and leave formulas without; U and S do not.
                let always = binary(op).is_none();
                let context = match binary(op) {
                    Some(strength) => strength,
                    None if op.is_ltl() => TEMPORAL,
                    None => RANGE,
                };
                if always {
                    self.out.push('(');
                }
                self.expr(a, context);
                let _ = write!(self.out, " {} ", op.text());
                self.expr(b, context);
                if always {
                    self.out.push(')');
                }
            }
        }
    }

    fn bounded(&mut self, op: BoundedOp, lo: ExprId, hi: ExprId, a: ExprId, b: Option<ExprId>) {
        if let Some(b) = b {
            self.out
                .push_str(if op == BoundedOp::Ebu { "E [ " } else { "A [ " });
            self.expr(a, TEMPORAL);
            self.list(" BU ", &[lo, hi], "..", " ");
            self.expr(b, TEMPORAL);
            self.out.push_str(" ] ");
        } else if op.is_ctl() {
            self.out.push_str(op.text());
            self.list(" ", &[lo, hi], "..", " ");
            self.expr(a, TEMPORAL);
        } else {
            let _ = write!(self.out, " {} ", op.text());
            self.list("[", &[lo, hi], ",", "] ");
            self.expr(a, TOP);
        }
    }
}

/// The priority of a binary operator; `None` for those that always bring their own brackets.
fn binary(op: BinOp) -> Option<u8> {
    use BinOp::*;
    match op {
        And | Or | Xor | Xnor | Implies | Iff | Eu | Au | U | S => None,
        Eq | Neq | Lt | Le | Gt | Ge => Some(priority::COMPARISON),
        In => Some(priority::MEMBERSHIP),
        Union => Some(priority::UNION),
        Lsh | Rsh | Lrot | Rrot => Some(priority::SHIFT),
        Add | Sub => Some(priority::SUM),
        Mod => Some(priority::MODULO),
        Mul | Div => Some(priority::PRODUCT),
        Concat => Some(priority::CONCAT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ParseOptions, parse};

    /// The printed form of the only property of a module.
    fn printed(text: &str) -> String {
        let text = format!("MODULE main\n{text}\n");
        let ast = parse(text.as_bytes(), &ParseOptions::default()).expect("well formed");
        let found = ast.modules[0].items.iter().find_map(|item| match item {
            crate::ast::Item::Spec(s) => Some(spec(&ast, s)),
            _ => None,
        });
        found.expect("a property")
    }

    #[test]
    fn as_nusmv_prints() {
        let table = [
            ("SPEC AG (a -> AF b)", "AG (a -> AF b) "),
            ("SPEC A [ A [a U b] U c]", "A [ A [ a U b ]  U c ]  "),
            ("SPEC AG AF EX a", "AG (AF (EX a)) "),
            ("SPEC E [a BU 0..2 AG b]", "E [ a BU 0..2 (AG b) ]  "),
            ("INVARSPEC x + y - 2 * 3 = 1", "(x + y) - 2 * 3 = 1 "),
            ("INVARSPEC x in {1,2,3}", "x in (1 union 2) union 3 "),
            ("INVARSPEC x in 0..2", "x in (0 .. 2) "),
            ("INVARSPEC !w = v", "!w = v "),
            ("INVARSPEC (a ? x : y) = 2", " (a ? x : y)  = 2 "),
            ("INVARSPEC w[2:1] = 0ub2_10", "w[2 : 1] = 0ud2_2 "),
            ("INVARSPEC s = -0sd4_3", "s = -0sd4_3 "),
            (
                "INVARSPEC extend(w, 2) = resize(v, 6)",
                "extend(w , 2) = resize(v, 6) ",
            ),
            ("LTLSPEC G (a -> F b)", " G (a ->  F b) "),
            ("LTLSPEC a V b", "!(!a U !b) "),
            ("LTLSPEC F [1,3] G a", " F [1,3]  G a "),
            ("LTLSPEC (G a) U b", "(( G a) U b) "),
            ("COMPUTE MIN [x = 0, x = 3]", "MIN [ x = 0 , x = 3 ]  "),
        ];
        for (source, text) in table {
            assert_eq!(printed(source), text, "{source}");
        }
    }
}
