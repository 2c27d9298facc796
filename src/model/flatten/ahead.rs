//! Definitions that are used by definitions that are used by ...: flattened without recursion.
//!
//! A definition is flattened at its first use, within the definition that uses it. In a chain of
//! hundreds of thousands the stack would take most of the memory. So from [`DEEP`] levels on, those that
//! a definition needs are flattened before it, in post-order with a stack of their own. They are found in
//! the source tree; what is missed there is met by recursion. If one of them is wrong nothing is reported
//! here: the recursion meets it again, and tells the whole chain as NuSMV does.

use super::names::Target;
use super::scope::{DefId, PathId, Symbol};
use super::{Body, Flattener, Progress};
use rustc_hash::FxHashSet;
use smv_grammar::ast::{self, ExprKind, Site};

/// Levels of definitions within each other that recursion takes.
pub(super) const DEEP: usize = 200;

impl Flattener<'_> {
    /// Flattens what `body` needs.
    pub(super) fn flatten_ahead(&mut self, body: ast::ExprId, context: PathId) {
        let outer = std::mem::take(&mut self.complaints);
        let nesting = std::mem::replace(&mut self.nesting, 0);
        let mut seen: FxHashSet<DefId> = FxHashSet::default();
        let mut todo: Vec<(DefId, bool)> = Vec::new();
        let first = self.definitions_in(body, context);
        todo.extend(first.into_iter().rev().map(|d| (d, false)));
        while let Some((d, ready)) = todo.pop() {
            let def = &self.defs[d.0 as usize];
            if !matches!(def.progress, Progress::Todo) {
                continue;
            }
            if ready {
                if self.settle(d, Site::default()).is_err() {
                    self.wrong_ahead = true;
                    break;
                }
                self.complaints.clear();
            } else if let Body::Expr(body, context) = def.body
                && seen.insert(d)
            {
                todo.push((d, true));
                let below = self.definitions_in(body, context);
                todo.extend(below.into_iter().rev().map(|d| (d, false)));
            }
        }
        self.nesting = nesting;
        self.complaints = outer;
    }

    /// The definitions that an expression names, through parameters too, left to right.
    pub(super) fn definitions_in(&mut self, e: ast::ExprId, context: PathId) -> Vec<DefId> {
        let ast = self.ast;
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut todo = vec![(e, context)];
        while let Some((e, context)) = todo.pop() {
            if !seen.insert((e, context)) {
                continue;
            }
            let kind = &ast.expr(e).kind;
            if matches!(
                kind,
                ExprKind::Ident(_) | ExprKind::Dot(..) | ExprKind::Index(..)
            ) {
                match self.resolve(e, context, 0) {
                    Some(Target::Symbol(Symbol::Define(d), _))
                    | Some(Target::Cell(Symbol::Define(d))) => found.push(d),
                    Some(Target::Actual(p)) => {
                        let p = &self.params[p.0 as usize];
                        todo.push((p.actual, p.context));
                    }
                    _ => {}
                }
            }
            if !matches!(kind, ExprKind::Dot(..)) {
                todo.extend(kind.operands().into_iter().rev().map(|o| (o, context)));
            }
        }
        found
    }
}
