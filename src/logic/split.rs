//! `--split`: the conjuncts of a specification as specifications of their own.

use crate::base::deep;
use crate::model::{ExprId, FlatModel, Node, PropFormula, Property};
use smv_grammar::ast::{self, Ast, ExprKind, SpecKind};
use smv_grammar::ops::BinOp;
use smv_grammar::print;

/// Replaces each CTL and INVARSPEC property by its conjuncts and numbers all anew. A conjunct keeps
/// the name only if it is the only one.
pub fn split(model: &mut FlatModel, ast: &Ast) {
    let mut split = Vec::with_capacity(model.properties.len());
    for p in std::mem::take(&mut model.properties) {
        let mut parts = Vec::new();
        match (&p.formula, &p.source) {
            (&PropFormula::Ctl(e), &SpecKind::Ctl(s)) => conjuncts(model, ast, s, e, &mut parts),
            (&PropFormula::Invar(e), &SpecKind::Invar(s)) => {
                conjuncts(model, ast, s, e, &mut parts);
            }
            _ => {}
        }
        if parts.len() < 2 {
            split.push(p);
            continue;
        }
        for (source, expr) in parts {
            let invar = matches!(p.formula, PropFormula::Invar(_));
            split.push(Property {
                name: None,
                formula: if invar {
                    PropFormula::Invar(expr)
                } else {
                    PropFormula::Ctl(expr)
                },
                source: if invar {
                    SpecKind::Invar(source)
                } else {
                    SpecKind::Ctl(source)
                },
                text: print::expr(ast, source) + " ",
                words: None,
                span: ast.expr(source).span,
                line: ast.pos(ast.expr(source).span.start).line,
                ..p.clone()
            });
        }
    }
    for (i, p) in split.iter_mut().enumerate() {
        p.index = i as u32;
    }
    model.properties = split;
}

fn conjuncts(
    model: &FlatModel,
    ast: &Ast,
    source: ast::ExprId,
    expr: ExprId,
    out: &mut Vec<(ast::ExprId, ExprId)>,
) {
    match (&ast.expr(source).kind, model.pool.node(expr)) {
        (&ExprKind::Binary(BinOp::And, a, b), &Node::Binary(BinOp::And, x, y)) => deep(|| {
            conjuncts(model, ast, a, x, out);
            conjuncts(model, ast, b, y, out);
        }),
        _ => out.push((source, expr)),
    }
}
