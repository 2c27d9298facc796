//! PSL properties as NuSMV prints them.
//!
//! Most operators bring their parentheses, and yet NuSMV prints their operands as if they stood directly
//! in what is around them; `G`, `F` and the OBE operators are printed as those of
//! SMV's own logics. SEREs show the braces that NuSMV adds: one pair around each part.

use super::{Compound, Count, ForallValue, Infix, Kind, Node, Prefix, Repeat, Tree};
use crate::ast::{Ast, ExprId};
use crate::print::{OPEN, SIGN, Strength, TEMPORAL, psl_value};

/// The text of a property.
pub fn property(ast: &Ast, tree: &Tree, root: Node) -> String {
    let mut printer = Printer {
        ast,
        tree,
        out: String::new(),
    };
    printer.node(root, OPEN);
    printer.out
}

/// The text of a count.
pub fn count(ast: &Ast, tree: &Tree, count: Count) -> String {
    let mut printer = Printer {
        ast,
        tree,
        out: String::new(),
    };
    printer.count(count);
    printer.out
}

struct Printer<'a> {
    ast: &'a Ast,
    tree: &'a Tree,
    out: String,
}

impl Printer<'_> {
    fn text(&mut self, s: &str) {
        self.out.push_str(s);
    }

    fn value(&mut self, e: ExprId, around: Strength) {
        let text = psl_value(self.ast, e, around);
        self.out.push_str(&text);
    }

    fn node(&mut self, n: Node, around: Strength) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.print(n, around));
    }

    /// Operands behind texts; `around` is what NuSMV thinks stands around them.
    fn pieces(&mut self, around: Strength, pieces: &[(&str, Node)], end: &str) {
        for (text, n) in pieces {
            self.text(text);
            self.node(*n, around);
        }
        self.text(end);
    }

    fn print(&mut self, n: Node, around: Strength) {
        let tree = self.tree;
        match tree.kind(n) {
            Kind::Value(e) => self.value(*e, around),
            Kind::List(items) => {
                for (i, item) in items.iter().enumerate() {
                    self.pieces(around, &[(if i == 0 { "{" } else { ", " }, *item)], "");
                }
                self.text("}");
            }
            Kind::Not(x) => {
                let parentheses = SIGN <= around;
                self.text(if parentheses { "(!" } else { "!" });
                self.node(*x, SIGN);
                if parentheses {
                    self.text(")");
                }
            }
            Kind::Connective(op, x, y) => {
                let op = format!(" {} ", op.text());
                self.pieces(OPEN, &[("(", *x), (&op, *y)], ")");
            }
            Kind::Prefix(op, x) => self.prefix(*op, *x, around),
            Kind::Infix(op, x, y) => self.infix(*op, *x, *y, around),
            Kind::Steps {
                word,
                event,
                count,
                body,
                ..
            } => {
                self.text(word);
                if let Some(event) = event {
                    self.pieces(around, &[(" (", *event)], ")");
                }
                if let Some(count) = count {
                    self.text(" [");
                    self.count(*count);
                    self.text("]");
                }
                self.pieces(around, &[(" (", *body)], ")");
            }
            Kind::Suffix {
                overlap,
                strong,
                premise,
                then,
            } => {
                let arrow = if *overlap { " |-> " } else { " |=> " };
                let end = if *strong { "!)" } else { ")" };
                self.pieces(around, &[("(", *premise), (arrow, *then)], end);
            }
            Kind::Window {
                word,
                from,
                until,
                body,
            } => {
                self.text(word);
                match from {
                    Some(from) => self.pieces(around, &[(" (", *from), (", ", *until)], ")"),
                    None => self.pieces(around, &[(" (", *until)], ")"),
                }
                self.pieces(around, &[(" ", *body)], "");
            }
            Kind::Forall {
                var,
                index,
                values,
                body,
            } => {
                self.text("( forall ");
                let var = self.ast.name(*var);
                self.out.push_str(var);
                if let Some(index) = index {
                    self.text("[");
                    self.count(*index);
                    self.text("]");
                }
                self.text(" in ");
                match values {
                    None => self.text("boolean"),
                    Some(values) => self.values(values),
                }
                self.text(" : ");
                self.node(*body, around);
                self.text(" )");
            }
            Kind::Step(x) => self.pieces(around, &[("{", *x)], "}"),
            Kind::Concat(x, y) => self.pieces(around, &[("{", *x), ("; ", *y)], "}"),
            Kind::Compound(op, x, y) => {
                let op = match op {
                    Compound::Or => " | ",
                    Compound::And => " & ",
                    Compound::Both => " && ",
                    Compound::Fusion => " : ",
                };
                self.pieces(around, &[("{", *x), (op, *y)], "}");
            }
            Kind::Repeat(x, repeat) => {
                self.text("{");
                match (x.map(|x| (x, tree.kind(x))), repeat) {
                    (Some((_, Kind::Step(inner))), Repeat::Equal(_) | Repeat::Goto(_)) => {
                        self.node(*inner, around);
                    }
                    (Some((x, _)), _) => self.node(x, around),
                    (None, _) => {}
                }
                self.repeat(*repeat);
                self.text("}");
            }
        }
    }

    fn prefix(&mut self, op: Prefix, x: Node, around: Strength) {
        use Prefix::*;
        let word = match op {
            Always => "always",
            Never => "never",
            Eventually => "eventually!",
            Next { strong: false } => "next",
            Next { strong: true } => "next!",
            X { strong: false } => return self.pieces(around, &[("X(", x)], ")"),
            X { strong: true } => return self.pieces(around, &[("X!(", x)], ")"),
            F => return self.smv(" F ", x, around),
            G => return self.smv(" G ", x, around),
            Ax => return self.smv("AX ", x, around),
            Af => return self.smv("AF ", x, around),
            Ag => return self.smv("AG ", x, around),
            Ex => return self.smv("EX ", x, around),
            Ef => return self.smv("EF ", x, around),
            Eg => return self.smv("EG ", x, around),
        };
        self.text(word);
        let kind = self.tree.kind(x);
        let braces = matches!(
            kind,
            Kind::Step(_) | Kind::Concat(..) | Kind::Compound(..) | Kind::Repeat(..)
        );
        match braces {
            true => self.pieces(around, &[(" ", x)], ""),
            false => self.pieces(around, &[(" (", x)], ")"),
        }
    }

    /// An operator that SMV has too: in parentheses where it would be there.
    fn smv(&mut self, word: &str, x: Node, around: Strength) {
        let parentheses = TEMPORAL <= around;
        if parentheses {
            self.text("(");
        }
        self.text(word);
        self.node(x, TEMPORAL);
        if parentheses {
            self.text(")");
        }
    }

    fn infix(&mut self, op: Infix, x: Node, y: Node, around: Strength) {
        let word = match op {
            Infix::CtlU { all } => {
                self.text(if all { "A [ " } else { "E [ " });
                self.node(x, TEMPORAL);
                self.text(" U ");
                self.node(y, TEMPORAL);
                return self.text(" ] ");
            }
            other => infix_word(other),
        };
        // SMV has this one too.
        let around = match op {
            Infix::U { weak: false } => TEMPORAL,
            _ => around,
        };
        let word = format!(" {word} ");
        self.pieces(around, &[("(", x), (&word, y)], ")");
    }

    fn count(&mut self, count: Count) {
        match count {
            Count::Number(n) => self.value(n, OPEN),
            Count::Range(low, high) => self.range(low, high),
        }
    }

    fn range(&mut self, low: ExprId, high: Option<ExprId>) {
        self.value(low, OPEN);
        self.text(":");
        match high {
            Some(high) => self.value(high, OPEN),
            None => self.text("inf"),
        }
    }

    fn repeat(&mut self, repeat: Repeat) {
        let (open, count) = match repeat {
            Repeat::Star(count) => ("[*", count),
            Repeat::Plus => ("[+", None),
            Repeat::Equal(count) => ("[=", Some(count)),
            Repeat::Goto(count) => ("[->", count),
        };
        self.text(open);
        if let Some(count) = count {
            self.count(count);
        }
        self.text("]");
    }

    fn values(&mut self, values: &[ForallValue]) {
        for (i, value) in values.iter().enumerate() {
            self.text(if i == 0 { "{" } else { ", " });
            match value {
                ForallValue::One(n) => self.node(*n, OPEN),
                ForallValue::Range(low, high) => self.range(*low, *high),
            }
        }
        self.text("}");
    }
}

/// The word between two operands.
pub fn infix_word(op: Infix) -> &'static str {
    match op {
        Infix::CtlU { .. } => "U",
        Infix::U { weak: false } => "U",
        Infix::U { weak: true } => "W",
        Infix::Abort => "abort",
        Infix::Until { strong, inclusive } => match (strong, inclusive) {
            (false, false) => "until",
            (true, false) => "until!",
            (false, true) => "until_",
            (true, true) => "until!_",
        },
        Infix::Before { strong, inclusive } => match (strong, inclusive) {
            (false, false) => "before",
            (true, false) => "before!",
            (false, true) => "before_",
            (true, true) => "before!_",
        },
    }
}
