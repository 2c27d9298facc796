//! Lines of messages about whole sections.
//!
//! Where an operator is to blame its node has the line; a section as a whole is reported at its
//! keyword, which the source tree does not keep.

use super::Flattener;
use smv_grammar::ast::{self, ExprKind};

impl Flattener<'_> {
    /// The line of the last of `keywords` before `e`.
    pub(super) fn keyword_line(&self, e: ast::ExprId, keywords: &[&str]) -> u32 {
        let start = self.ast.expr(e).span.start;
        let before = self.text.get(..start as usize).unwrap_or("");
        match keywords.iter().filter_map(|k| before.rfind(k)).max() {
            Some(at) => {
                let line = i64::from(self.ast.pos(at as u32).line) + self.shift(e);
                u32::try_from(line).unwrap_or(1)
            }
            None => self.ast.expr(e).line,
        }
    }

    /// How far the lexer's line numbers are from the real ones at `e` (`# N` lines move them).
    fn shift(&self, mut e: ast::ExprId) -> i64 {
        loop {
            let node = self.ast.expr(e);
            e = match &node.kind {
                ExprKind::Dot(a, _)
                | ExprKind::Index(a, _)
                | ExprKind::BitSelect(a, ..)
                | ExprKind::Unary(_, a)
                | ExprKind::Binary(_, a, _)
                | ExprKind::Bounded { a, .. }
                | ExprKind::Ite(a, ..)
                | ExprKind::Range(a, _) => *a,
                ExprKind::Case(arms) if !arms.is_empty() => arms[0].cond,
                ExprKind::Call(_, args) | ExprKind::ArrayLit(args) if !args.is_empty() => args[0],
                _ => {
                    let real = self.ast.pos(node.span.start).line;
                    return i64::from(node.line) - i64::from(real);
                }
            };
        }
    }
}
