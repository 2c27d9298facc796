//! Typing rules, one node at a time.
//!
//! `node, types of operands → type` and complaints in NuSMV's wording. A node with an ill-typed
//! operand is ill-typed silently, so each mistake is reported once. Under `-old` Booleans,
//! integers and enumerations stand in for each other with a warning.

use super::Type;
use crate::model::{ExprId, FlatModel, MAX_WORD_WIDTH, Node, Value};
use smv_grammar::ops::{BinOp, BoundedOp, UnOp};

/// A complaint about a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// `-old` lets it pass.
    pub warning: bool,
    /// NuSMV's words, possibly of several lines.
    pub text: String,
}

/// Collects complaints about one node.
struct Judge<'a> {
    old: bool,
    issues: &'a mut Vec<Issue>,
}

impl Judge<'_> {
    fn wrong(&mut self, text: String) -> Type {
        self.issues.push(Issue {
            warning: false,
            text,
        });
        Type::Error
    }

    fn illegal(&mut self, what: String) -> Type {
        self.wrong(format!("illegal {what}"))
    }

    /// `ok` if strictly typed; else `ok` with a warning if `-old` and `lenient`; else an error.
    fn accept(&mut self, strict: bool, lenient: bool, ok: Type, what: impl Fn() -> String) -> Type {
        if strict {
            return ok;
        }
        if self.old && lenient {
            let text = format!("potentially incorrect {}", what());
            self.issues.push(Issue {
                warning: true,
                text,
            });
            return ok;
        }
        self.illegal(what())
    }

    fn unary(&mut self, op: &str, t: &Type, strict: bool, ok: Type) -> Type {
        let lenient = t.is_enum_like();
        self.accept(strict, lenient, ok, || {
            format!("operand type of \"{op}\" : {t}")
        })
    }

    fn binary(&mut self, op: &str, a: &Type, b: &Type, strict: bool, ok: Type) -> Type {
        let lenient = a.is_enum_like() && b.is_enum_like();
        self.accept(strict, lenient, ok, || {
            format!("operand types of \"{op}\" : {a} and {b}")
        })
    }
}

/// Type of `node`; `look` gives the types of its operands. `case` says whether an `Ite` was
/// written as `case`.
pub fn infer(
    node: &Node,
    case: bool,
    model: &FlatModel,
    look: &dyn Fn(ExprId) -> Type,
    old: bool,
    issues: &mut Vec<Issue>,
) -> Type {
    let mut j = Judge { old, issues };
    let mut broken = false;
    node.for_each_operand(|e| broken |= look(e) == Type::Error);
    if broken {
        return Type::Error;
    }
    match node {
        Node::Const(v) => Type::of_value(v),
        Node::Var(v) => Type::of_var(&model.var(*v).ty),
        Node::Define(d) => look(model.define(*d).body),
        Node::Fail { .. } => Type::Any,
        Node::Unary(op, a) => unary(&mut j, *op, &look(*a)),
        Node::Binary(op, a, b) => binary(
            &mut j,
            *op,
            &look(*a),
            &look(*b),
            &|e| constant(model, e),
            *b,
        ),
        Node::Division { op, a, b, .. } => arithmetic(&mut j, *op, &look(*a), &look(*b)),
        Node::Bounded {
            op,
            lo: _,
            hi: _,
            a,
            b,
        } => bounded(&mut j, *op, &look(*a), b.map(look).as_ref()),
        Node::Ite(c, a, b) => ite(&mut j, case, &look(*c), &look(*a), &look(*b)),
        Node::BitSelect { word, hi, lo } => match look(*word) {
            Type::Word { width, .. } if lo <= hi && *hi < width => Type::Word {
                signed: false,
                width: hi - lo + 1,
            },
            Type::Word { .. } => {
                let text = "out of Word's width index or first index smaller than the second one \
                            ('[ : ]' operator)";
                j.wrong(text.to_owned())
            }
            t => j.illegal(format!(
                "operand types of \"[ : ]\" : {t}, integer and integer"
            )),
        },
        Node::Bool(_) | Node::Placeholder => Type::Bool,
        Node::Word1(a) => {
            let t = look(*a);
            let bit = Type::Word {
                signed: false,
                width: 1,
            };
            j.accept(t == Type::Bool, false, bit, || {
                format!("operand type of \"word1\" : {t}")
            })
        }
        Node::ToInt(_) | Node::Count(_) => Type::Int,
        Node::Signed(a) | Node::Unsigned(a) => {
            let to = matches!(node, Node::Signed(_));
            match look(*a) {
                Type::Word { signed, width } if signed != to => Type::Word { signed: to, width },
                t => {
                    let op = if to { "signed" } else { "unsigned" };
                    j.illegal(format!("operand type of \"{op}\" : {t}"))
                }
            }
        }
        Node::Extend { word, by } => match look(*word) {
            Type::Word { signed, width } => Type::Word {
                signed,
                width: width + by,
            },
            t => j.illegal(format!("operand type of \"extend\" : {t}")),
        },
        Node::Resize { word, width } => match look(*word) {
            Type::Word { signed, .. } => Type::Word {
                signed,
                width: *width,
            },
            t => j.illegal(format!("operand types of \"resize\" : {t} and integer")),
        },
        Node::Array { cells, .. } if cells.is_empty() => Type::Error,
        Node::Array { lo, cells } => Type::Array {
            lo: *lo,
            hi: lo + cells.len() as i64 - 1,
            cell: Box::new(cells.first().map_or(Type::Error, |&c| look(c))),
        },
    }
}

/// The constant a node is, if it is one.
fn constant(model: &FlatModel, e: ExprId) -> Option<i64> {
    match model.pool.node(e) {
        Node::Const(Value::Int(i)) => Some(*i),
        _ => None,
    }
}

fn unary(j: &mut Judge<'_>, op: UnOp, t: &Type) -> Type {
    match op {
        UnOp::Not => j.unary("!", t, *t == Type::Bool || t.is_word(), t.clone()),
        UnOp::Neg => {
            let strict = *t == Type::Int || t.is_word();
            j.accept(strict, t.is_enum_like(), t.clone(), || {
                format!("operand types of \"unary -\" : {t}")
            })
        }
        UnOp::Next => t.clone(),
        temporal => j.unary(temporal.text(), t, *t == Type::Bool, t.clone()),
    }
}

fn binary(
    j: &mut Judge<'_>,
    op: BinOp,
    a: &Type,
    b: &Type,
    constant: &dyn Fn(ExprId) -> Option<i64>,
    right: ExprId,
) -> Type {
    use BinOp::*;
    let same_word = a.is_word() && a == b;
    match op {
        And | Or | Xor | Xnor | Implies | Iff => {
            let strict = same_word || (*a == Type::Bool && *b == Type::Bool);
            j.binary(op.text(), a, b, strict, a.clone())
        }
        Eq | Neq => {
            let strict = same_word
                || matches!(
                    (a, b),
                    (Type::Bool, Type::Bool)
                        | (Type::Int | Type::Mixed, Type::Int | Type::Mixed)
                        | (Type::Sym | Type::Mixed, Type::Sym | Type::Mixed)
                );
            j.binary(op.text(), a, b, strict, Type::Bool)
        }
        Lt | Le | Gt | Ge => {
            let strict = same_word || (*a == Type::Int && *b == Type::Int);
            j.binary(op.text(), a, b, strict, Type::Bool)
        }
        Add | Sub | Mul | Div | Mod => arithmetic(j, op, a, b),
        Lsh | Rsh | Lrot | Rrot => {
            let by = *b == Type::Int || matches!(b, Type::Word { signed: false, .. });
            match a {
                Type::Word { width, .. } if by => {
                    if constant(right).is_some_and(|d| d > i64::from(*width)) {
                        let kind = if matches!(op, Lsh | Rsh) {
                            "shift"
                        } else {
                            "rotate"
                        };
                        let text = format!(
                            "word {kind} is out of range [0..width] ('{}' operator)",
                            op.text()
                        );
                        return j.wrong(text);
                    }
                    a.clone()
                }
                _ => j.illegal(format!("operand types of \"{}\" : {a} and {b}", op.text())),
            }
        }
        Concat => match (a, b) {
            (Type::Word { width: x, .. }, Type::Word { width: y, .. }) => {
                let width = x + y;
                if width > MAX_WORD_WIDTH {
                    return j.wrong(format!(
                        "word width is out of range [1..{MAX_WORD_WIDTH}] ('::' operator)"
                    ));
                }
                Type::Word {
                    signed: false,
                    width,
                }
            }
            _ => j.illegal(format!("operand types of \"::\" : {a} and {b}")),
        },
        Union => match (a.as_set(), b.as_set()) {
            (Some(x), Some(y)) => {
                if x == y {
                    x
                } else {
                    Type::MixedSet
                }
            }
            _ => j.illegal(format!("operand types of \"union\" : {a} and {b}")),
        },
        In => {
            let (x, y) = (a.as_set(), b.as_set());
            let both = x.is_some() && y.is_some();
            let strict = both && (x == y || [&x, &y].iter().any(|s| **s == Some(Type::MixedSet)));
            j.accept(strict, false, Type::Bool, || {
                format!("operand types of \"in\" : {a} and {b}")
            })
        }
        Eu | Au | U | S => {
            let name = match op {
                Eu => "E-U",
                Au => "A-U",
                _ => op.text(),
            };
            j.binary(name, a, b, *a == Type::Bool && *b == Type::Bool, Type::Bool)
        }
    }
}

fn arithmetic(j: &mut Judge<'_>, op: BinOp, a: &Type, b: &Type) -> Type {
    let same_word = a.is_word() && a == b;
    let strict = same_word || (*a == Type::Int && *b == Type::Int);
    j.binary(op.text(), a, b, strict, a.clone())
}

fn bounded(j: &mut Judge<'_>, op: BoundedOp, a: &Type, b: Option<&Type>) -> Type {
    match b {
        None => j.unary(op.text(), a, *a == Type::Bool, Type::Bool),
        Some(b) => {
            let name = if op == BoundedOp::Ebu { "E-U" } else { "A-U" };
            j.binary(name, a, b, *a == Type::Bool && *b == Type::Bool, Type::Bool)
        }
    }
}

fn ite(j: &mut Judge<'_>, case: bool, c: &Type, a: &Type, b: &Type) -> Type {
    if *c != Type::Bool && !(j.old && c.is_enum_like()) {
        return Type::Error;
    }
    if *a == Type::Any || a == b {
        return b.clone();
    }
    if *b == Type::Any {
        return a.clone();
    }
    if (a.is_set() || b.is_set())
        && let (Some(x), Some(y)) = (a.as_set(), b.as_set())
    {
        return if x == y { x } else { Type::MixedSet };
    }
    let symbolic = |t: &Type| matches!(t, Type::Int | Type::Sym | Type::Mixed);
    let strict = symbolic(a) && symbolic(b);
    let ok = if strict || ![a, b].contains(&&Type::Bool) {
        Type::Mixed
    } else {
        Type::Int
    };
    let what = if case {
        "types of \"case\" list elements"
    } else {
        "types of \"then\" and \"else\" expressions"
    };
    j.accept(strict, a.is_enum_like() && b.is_enum_like(), ok, || {
        format!("{what} : {a} and {b}")
    })
}

/// Complaint about the condition of `case` or `?:`, if any; whether it will do. It is judged apart
/// from the rest since it has a line of its own.
pub fn choice(c: &Type, old: bool, issues: &mut Vec<Issue>) -> bool {
    if *c == Type::Error {
        return false;
    }
    let mut j = Judge { old, issues };
    let ok = j.accept(*c == Type::Bool, c.is_enum_like(), Type::Bool, || {
        format!("left operand type of \":\". It should be boolean, but is {c}")
    });
    ok == Type::Bool
}

/// Complaint about `var := rhs`, if any.
pub fn assignment(var: &Type, rhs: &Type, old: bool, issues: &mut Vec<Issue>) {
    if *rhs == Type::Error || *var == Type::Error || *rhs == Type::Any {
        return;
    }
    let fits = var == rhs
        || match var {
            Type::Bool => *rhs == Type::BoolSet,
            Type::Int => *rhs == Type::IntSet,
            Type::Sym => *rhs == Type::SymSet,
            Type::Mixed => matches!(
                rhs,
                Type::Int | Type::Sym | Type::IntSet | Type::SymSet | Type::MixedSet
            ),
            _ => false,
        };
    let lenient = var.is_enum_like() && rhs.is_enum_like();
    let mut j = Judge { old, issues };
    j.accept(fits, lenient, Type::Bool, || {
        format!("operand types of \":=\" : {var} and {rhs}")
    });
}

/// Complaint about an expression that must be Boolean, `what` being INIT, SPEC and so on.
pub fn condition(what: &str, t: &Type, old: bool, issues: &mut Vec<Issue>) {
    if *t != Type::Error && *t != Type::Any {
        let mut j = Judge { old, issues };
        j.accept(*t == Type::Bool, t.is_enum_like(), Type::Bool, || {
            format!("type of {what} expression : {t}")
        });
    }
}
