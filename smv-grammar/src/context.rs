//! Which operators may stand where.
//!
//! NuSMV's grammar accepts every operator everywhere and checks an expression when it is
//! complete; so do we. The walk goes left to right and stops at the first offender.

use crate::ast::{Ast, ExprId, ExprKind};
use crate::ops::UnOp;
use rustc_hash::FxHashSet;

/// What an expression may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Neither `next` nor temporal operators.
    Simple,
    /// `next`, no temporal operators.
    Next,
    Ctl,
    Ltl,
}

impl Place {
    /// Below an operator that takes no temporal operands.
    fn below_plain(self) -> Place {
        match self {
            Place::Ctl => Place::Simple,
            Place::Ltl => Place::Next,
            other => other,
        }
    }
}

/// The first node below `root` that may not stand in `place`, and what is wrong with it.
pub fn check(ast: &Ast, root: ExprId, place: Place) -> Option<(ExprId, &'static str)> {
    let mut todo = vec![(root, place)];
    // `min`, `max` and `abs` mention their operands twice: nested ones are walked once.
    let mut walked = FxHashSet::default();
    while let Some((id, place)) = todo.pop() {
        let plain = place.below_plain();
        match &ast.expr(id).kind {
            ExprKind::Ite(..) if !walked.insert((id, place)) => {}
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Word(_)
            | ExprKind::Ident(_)
            | ExprKind::SelfRef => {}
            ExprKind::Placeholder(_) if place == Place::Ctl => {}
            ExprKind::Placeholder(_) => return Some((id, "unexpected placeholder")),
            ExprKind::Dot(left, _) => todo.push((*left, plain)),
            ExprKind::Unary(UnOp::Next, x) => match place {
                Place::Next | Place::Ltl => todo.push((*x, Place::Simple)),
                _ => return Some((id, "unexpected 'next' operator")),
            },
            ExprKind::Unary(op, x) => {
                if op.is_ctl() && place != Place::Ctl {
                    return Some((id, "unexpected CTL operator"));
                }
                if op.is_ltl() && place != Place::Ltl {
                    return Some((id, "unexpected LTL operator"));
                }
                let below = if *op == UnOp::Neg { plain } else { place };
                todo.push((*x, below));
            }
            ExprKind::Binary(op, x, y) => {
                if op.is_ctl() && place != Place::Ctl {
                    return Some((id, "unexpected CTL operator"));
                }
                if op.is_ltl() && place != Place::Ltl {
                    return Some((id, "unexpected LTL operator"));
                }
                let below = if op.is_ctl() || op.is_ltl() || op.is_connective() {
                    place
                } else {
                    plain
                };
                todo.extend([(*y, below), (*x, below)]);
            }
            ExprKind::Bounded { op, a, b, .. } => {
                match (op.is_ctl(), place) {
                    (true, Place::Ctl) | (false, Place::Ltl) => {}
                    (true, _) => return Some((id, "unexpected CTL operator")),
                    (false, _) => return Some((id, "unexpected LTL operator")),
                }
                todo.extend(b.map(|b| (b, place)));
                todo.push((*a, place));
            }
            ExprKind::Index(x, y) | ExprKind::Range(x, y) => {
                todo.extend([(*y, plain), (*x, plain)]);
            }
            ExprKind::BitSelect(x, y, z) | ExprKind::Ite(x, y, z) => {
                todo.extend([(*z, plain), (*y, plain), (*x, plain)]);
            }
            ExprKind::Case(arms) => {
                for arm in arms.iter().rev() {
                    todo.extend([(arm.value, plain), (arm.cond, plain)]);
                }
            }
            ExprKind::Call(_, args) | ExprKind::ArrayLit(args) => {
                todo.extend(args.iter().rev().map(|&x| (x, plain)));
            }
        }
    }
    None
}

/// Is this a name, maybe dotted or indexed?
pub fn is_path(ast: &Ast, mut id: ExprId) -> bool {
    loop {
        match ast.expr(id).kind {
            ExprKind::Ident(_) | ExprKind::SelfRef => return true,
            // The part before a dot or bracket has been checked when that was built.
            ExprKind::Dot(..) => return true,
            ExprKind::Index(left, _) => id = left,
            _ => return false,
        }
    }
}
