//! Expressions and properties as NuSMV prints them, byte for byte.
//!
//! Boolean connectives and LTL's `U` and `S` always bring their parentheses; every other compound
//! gets them when it binds no tighter than the operator around it ([`Strength`]), whichever side
//! it stands on. Some operators print blanks around themselves (` G p`, ` (a ? b : c) `,
//! `E [ a U b ] `); they are part of the text. Iterative: depth costs memory, not stack.

use crate::ast::{Ast, ExprId, ExprKind, MinMax, Spec, SpecKind, WordLit};
use crate::ops::{BinOp, BoundedOp, Func, UnOp};
use crate::word;
use std::borrow::Cow;

/// The text of an expression.
pub fn expr(ast: &Ast, id: ExprId) -> String {
    print(ast, id, OPEN, Flavour::Smv)
}

/// The text of an expression in a PSL property.
pub(crate) fn psl_value(ast: &Ast, id: ExprId, around: Strength) -> String {
    print(ast, id, around, Flavour::Psl)
}

/// Which language an expression is part of; PSL has `c ? a : b` without parentheses and blanks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flavour {
    Smv,
    Psl,
}

/// The text of a property, trailing blank included (`IN context` may follow directly).
pub fn spec(ast: &Ast, spec: &Spec) -> String {
    match spec.kind {
        SpecKind::Ctl(e) | SpecKind::Ltl(e) | SpecKind::Invar(e) | SpecKind::Query(e, _) => {
            expr(ast, e) + " "
        }
        SpecKind::Compute(which, start, target) => {
            let which = match which {
                MinMax::Min => "MIN",
                MinMax::Max => "MAX",
            };
            let start = print(ast, start, TEMPORAL, Flavour::Smv);
            let target = print(ast, target, TEMPORAL, Flavour::Smv);
            format!("{which} [ {start} , {target} ]  ")
        }
        SpecKind::Psl(id) => format!("{} ", ast.psl.text(id)),
    }
}

/// A word constant as NuSMV shows it.
pub fn word(w: &WordLit) -> String {
    word::text(w.signed, w.width, &w.value)
}

/// How tightly an operator binds.
pub(crate) type Strength = u8;

/// Inside brackets: nothing needs parentheses.
pub(crate) const OPEN: Strength = 0;
/// `a .. b`, which also is in parentheses inside connectives.
const RANGE: Strength = 1;
pub(crate) const TEMPORAL: Strength = 2;
/// `!` and `-`, and inside `[a : b]`.
pub(crate) const SIGN: Strength = 11;
/// What brings its own brackets.
const CLOSED: Strength = 12;

/// Strength of a binary operator, seen from its operands.
fn strength(op: BinOp) -> Strength {
    use BinOp::*;
    match op {
        And | Or | Xor | Xnor | Implies | Iff => RANGE,
        U | S | Eu | Au => TEMPORAL,
        Eq | Neq | Lt | Le | Gt | Ge => 3,
        In => 4,
        Union => 5,
        Lsh | Rsh | Lrot | Rrot => 6,
        Add | Sub => 7,
        Mod => 8,
        Mul | Div => 9,
        Concat => 10,
    }
}

/// Strength of a node, seen from the operator around it.
fn own_strength(kind: &ExprKind) -> Strength {
    match kind {
        ExprKind::Unary(UnOp::Next, _) => CLOSED,
        ExprKind::Unary(UnOp::Not | UnOp::Neg, _) => SIGN,
        ExprKind::Unary(..) => TEMPORAL,
        ExprKind::Binary(op, ..) if op.is_connective() || op.is_ltl() || op.is_ctl() => CLOSED,
        ExprKind::Binary(op, ..) => strength(*op),
        ExprKind::Bounded { op, b: None, .. } if op.is_ctl() => TEMPORAL,
        ExprKind::Range(..) => RANGE,
        _ => CLOSED,
    }
}

/// What is still to be printed.
enum Piece<'a> {
    Str(&'static str),
    Text(Cow<'a, str>),
    /// An operand, and the strength of the operator around it.
    Node(ExprId, Strength),
}

/// Nodes up to which `min`, `max` and `abs` are printed as what they are parsed to. NuSMV always does,
/// and writes 2^n operands where n of them are nested.
const SPELLED_OUT: usize = 1 << 20;

fn print(ast: &Ast, id: ExprId, around: Strength, flavour: Flavour) -> String {
    print_within(ast, id, around, flavour, SPELLED_OUT)
        .or_else(|| print_within(ast, id, around, flavour, usize::MAX))
        .unwrap_or_default()
}

/// The text, if it has at most `limit` nodes. Without limit `min`, `max` and `abs` are written as such.
fn print_within(
    ast: &Ast,
    id: ExprId,
    around: Strength,
    flavour: Flavour,
    limit: usize,
) -> Option<String> {
    let mut out = String::new();
    let mut todo = vec![Piece::Node(id, around)];
    let mut nodes = 0;
    while let Some(piece) = todo.pop() {
        match piece {
            Piece::Str(s) => out.push_str(s),
            Piece::Text(s) => out.push_str(&s),
            Piece::Node(id, around) => {
                nodes += 1;
                if nodes > limit {
                    return None;
                }
                let first = todo.len();
                if limit == usize::MAX
                    && let Some((func, args)) = ast.choice(id)
                {
                    todo.push(Piece::Str(func));
                    list(&mut todo, "(", &args, ", ", ")");
                    todo[first..].reverse();
                    continue;
                }
                expand(ast, id, around, flavour, &mut todo);
                todo[first..].reverse();
            }
        }
    }
    Some(out)
}

/// Appends the pieces of a node to `out`, first to last.
fn expand<'a>(
    ast: &'a Ast,
    id: ExprId,
    around: Strength,
    flavour: Flavour,
    out: &mut Vec<Piece<'a>>,
) {
    use Piece::{Node, Str, Text};
    let kind = &ast.expr(id).kind;
    let parentheses = own_strength(kind) <= around;
    if parentheses {
        out.push(Str("("));
    }
    match kind {
        ExprKind::Bool(b) => out.push(Str(if *b { "TRUE" } else { "FALSE" })),
        ExprKind::Int(n) => out.push(Text(n.to_string().into())),
        ExprKind::Word(w) => out.push(Text(word(w).into())),
        ExprKind::Ident(name) => out.push(Text(ast.name(*name).into())),
        ExprKind::SelfRef => out.push(Str("self")),
        ExprKind::Dot(x, name) => {
            out.extend([Node(*x, SIGN), Str("."), Text(ast.name(*name).into())]);
        }
        // NuSMV forgets the parentheses of `(a + b)[i]`.
        ExprKind::Index(x, i) => out.extend([Node(*x, OPEN), Str("["), Node(*i, OPEN), Str("]")]),
        ExprKind::BitSelect(x, high, low) => {
            out.push(Node(*x, SIGN));
            list(out, "[", &[*high, *low], " : ", "]");
        }
        ExprKind::Unary(UnOp::Next, x) => list(out, "next(", &[*x], "", ")"),
        ExprKind::Unary(UnOp::Not, x) => out.extend([Str("!"), Node(*x, SIGN)]),
        ExprKind::Unary(UnOp::Neg, x) => {
            // The most negative word constant is written without a sign, but printed with one.
            let signed = match &ast.expr(*x).kind {
                ExprKind::Word(w) => word::is_negative(w.signed, w.width, &w.value),
                _ => false,
            };
            out.extend([Str(if signed { "- " } else { "-" }), Node(*x, SIGN)]);
        }
        ExprKind::Unary(op, x) => {
            let blank = if op.is_ltl() { " " } else { "" };
            out.extend([Str(blank), Str(op.text()), Str(" "), Node(*x, TEMPORAL)]);
        }
        ExprKind::Binary(op @ (BinOp::Eu | BinOp::Au), x, y) => {
            out.push(Str(if *op == BinOp::Eu { "E [ " } else { "A [ " }));
            out.extend([
                Node(*x, TEMPORAL),
                Str(" U "),
                Node(*y, TEMPORAL),
                Str(" ] "),
            ]);
        }
        ExprKind::Binary(op, x, y) => {
            let (open, close) = match op.is_connective() || op.is_ltl() {
                true => ("(", ")"),
                false => ("", ""),
            };
            let within = strength(*op);
            out.extend([Str(open), Node(*x, within), Str(" "), Str(op.text())]);
            out.extend([Str(" "), Node(*y, within), Str(close)]);
        }
        ExprKind::Bounded {
            op,
            lo,
            hi,
            a,
            b: Some(b),
        } => {
            out.push(Str(if *op == BoundedOp::Ebu {
                "E [ "
            } else {
                "A [ "
            }));
            out.push(Node(*a, TEMPORAL));
            list(out, " BU ", &[*lo, *hi], "..", " ");
            out.extend([Node(*b, TEMPORAL), Str(" ] ")]);
        }
        ExprKind::Bounded {
            op,
            lo,
            hi,
            a,
            b: None,
        } if op.is_ctl() => {
            out.push(Str(op.text()));
            list(out, " ", &[*lo, *hi], "..", " ");
            out.push(Node(*a, TEMPORAL));
        }
        ExprKind::Bounded {
            op,
            lo,
            hi,
            a,
            b: None,
        } => {
            out.extend([Str(" "), Str(op.text())]);
            list(out, " [", &[*lo, *hi], ",", "] ");
            out.push(Node(*a, OPEN));
        }
        ExprKind::Ite(c, x, y) if flavour == Flavour::Psl => {
            out.extend([Node(*c, around), Str(" ? "), Node(*x, around)]);
            out.extend([Str(" : "), Node(*y, around)]);
        }
        ExprKind::Ite(c, x, y) => {
            out.extend([Str(" ("), Node(*c, OPEN), Str(" ? "), Node(*x, OPEN)]);
            out.extend([Str(" : "), Node(*y, OPEN), Str(") ")]);
        }
        ExprKind::Case(arms) => {
            out.push(Str("case\n"));
            for arm in arms {
                list(out, "", &[arm.cond, arm.value], " : ", ";\n");
            }
            out.push(Str("esac"));
        }
        ExprKind::Range(low, high) => list(out, "", &[*low, *high], " .. ", ""),
        ExprKind::Call(Func::Extend, args) => list(out, "extend(", args, " , ", ")"),
        ExprKind::Call(func, args) => {
            out.push(Str(func.text()));
            list(out, "(", args, ", ", ")");
        }
        ExprKind::ArrayLit(cells) => list(out, "[", cells, ", ", "]"),
        ExprKind::Placeholder(names) if names.is_empty() => out.push(Str("?")),
        ExprKind::Placeholder(names) => list(out, "?{", names, ", ", "}"),
    }
    if parentheses {
        out.push(Str(")"));
    }
}

fn list(
    out: &mut Vec<Piece<'_>>,
    open: &'static str,
    items: &[ExprId],
    separator: &'static str,
    close: &'static str,
) {
    out.push(Piece::Str(open));
    for (i, &item) in items.iter().enumerate() {
        if i > 0 {
            out.push(Piece::Str(separator));
        }
        out.push(Piece::Node(item, OPEN));
    }
    out.push(Piece::Str(close));
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
    fn placeholders() {
        let table = [
            ("QUERYSPEC EF ?{x , a.b} & ?", "(EF ?{x, a.b} & ?) "),
            ("SPEC p QUERYSPEC NAME n := ? -> (a ? b : c)", "p "),
            ("QUERYSPEC a ? ? : {b} = c", ""),
        ];
        for (source, text) in &table[..2] {
            assert_eq!(printed(source), *text, "{source}");
        }
        let parse = |text: &str| parse(text.as_bytes(), &ParseOptions::default());
        // Placeholders stand where formulas stand.
        assert!(parse(&format!("MODULE main {}", table[2].0)).is_err());
        assert!(parse("MODULE main SPEC EF ?").is_err());
        assert!(parse("MODULE main QUERYSPEC EF ?; SPEC AG ?").is_err());
        assert!(parse("MODULE main QUERYSPEC EF ? VAR x : boolean; DEFINE y := ?;").is_err());
    }

    #[test]
    fn queryspec_as_an_identifier() {
        let text = "MODULE QUERYSPEC(QUERYSPEC)
            VAR QUERYSPEC : boolean; QUERYSPEC.a : boolean;
            IVAR y : {QUERYSPEC, b}; QUERYSPEC -- a comment
              : boolean;
            CONSTANTS QUERYSPEC, z;
            DEFINE QUERYSPEC := TRUE; d := case QUERYSPEC : a; QUERYSPEC ? b : c : d; esac;
            ASSIGN init(QUERYSPEC) := QUERYSPEC; QUERYSPEC := QUERYSPEC ? QUERYSPEC : x;
            INVAR QUERYSPEC
            SPEC AG QUERYSPEC
            QUERYSPEC EF ?{QUERYSPEC} QUERYSPEC AG ?;
            QUERYSPEC ?
            FAIRNESS QUERYSPEC;
            MODULE main QUERYSPEC ?";
        let ast = parse(text.as_bytes(), &ParseOptions::default()).expect("well formed");
        let queries = ast.modules.iter().flat_map(|m| &m.items).filter(|item| {
            matches!(item, crate::ast::Item::Spec(s) if matches!(s.kind, SpecKind::Query(..)))
        });
        assert_eq!(queries.count(), 4);
    }

    #[test]
    fn nested_min_max_and_abs_stay_short() {
        let nested = |depth: usize| {
            (0..depth).fold("x".to_owned(), |e, _| format!("abs(max(y, min({e}, 3)))"))
        };
        let small = printed(&format!("INVARSPEC {} = 1", nested(1)));
        assert!(small.contains(" ? ") && !small.contains("max"), "{small}");
        let large = printed(&format!("INVARSPEC {} = 1", nested(200)));
        assert_eq!(large, format!("{} = 1 ", nested(200)));
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
            ("INVARSPEC -0sd8_128 = - - x", "- -0sd8_128 = -(-x) "),
            ("INVARSPEC a mod b * c / d", "((a mod b) * c) / d "),
            ("INVARSPEC (a + b)[1]", "a + b[1] "),
            ("INVARSPEC (a + b)[1:0]", "(a + b)[1 : 0] "),
            (
                "INVARSPEC a ? 1..2 : x & 1..2",
                " (a ? 1 .. 2 : (x & (1 .. 2)))  ",
            ),
            (
                "SPEC !EBF 1..2 a & EX A [a U EX b]",
                "(!(EBF 1..2 a) & EX A [ a U (EX b) ] ) ",
            ),
            (
                "INVARSPEC case a : b; TRUE : c; esac",
                "case\na : b;\nTRUE : c;\nesac ",
            ),
            ("COMPUTE MAX [EX a, 1 + b]", "MAX [ (EX a) , 1 + b ]  "),
            ("COMPUTE MIN [x = 0, x = 3]", "MIN [ x = 0 , x = 3 ]  "),
        ];
        for (source, text) in table {
            assert_eq!(printed(source), text, "{source}");
        }
    }
}
