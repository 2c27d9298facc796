//! Where `next`, input variables and open cases occur, and where the first two must not.

use super::{Fallible, Flattener};
use crate::base::deep;
use crate::diag::Diagnostic;
use crate::model::{ExprId, FailKind, Node, VarKind};
use smv_grammar::ast::{Site, Span};
use smv_grammar::ops::UnOp;

/// What occurs in an expression, definitions included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    /// `next`
    pub next: bool,
    /// `next` inside `next`
    pub nested: bool,
    /// an input variable
    pub input: bool,
    /// an input variable inside `next`
    pub next_input: bool,
    /// a `case` that is not exhaustive
    pub open_case: bool,
}

impl std::ops::BitOrAssign for Flags {
    fn bitor_assign(&mut self, o: Flags) {
        self.next |= o.next;
        self.nested |= o.nested;
        self.input |= o.input;
        self.next_input |= o.next_input;
        self.open_case |= o.open_case;
    }
}

impl Flattener<'_> {
    /// Flags of the node just added.
    pub(super) fn compute_flags(&self, id: ExprId) -> Flags {
        let node = self.model.pool.node(id);
        let mut f = Flags::default();
        node.for_each_operand(|e| f |= self.flags[e.0 as usize]);
        match node {
            Node::Var(v) => f.input = self.model.var(*v).kind == VarKind::Input,
            Node::Define(d) => f = self.flags[self.model.define(*d).body.0 as usize],
            Node::Unary(UnOp::Next, _) => {
                f.nested |= f.next;
                f.next_input |= f.input;
                f.next = true;
            }
            Node::Fail { kind, .. } => f.open_case = *kind == FailKind::CaseNotExhaustive,
            _ => {}
        }
        f
    }

    pub(super) fn flags_of(&self, e: ExprId) -> Flags {
        self.flags[e.0 as usize]
    }

    /// `e` must not mention the next state.
    pub(super) fn forbid_next(&self, e: ExprId, line: u32) -> Fallible<()> {
        if self.flags_of(e).next {
            let site = Site::new(self.model.pool.span(e), line);
            let text = "Unexpected next operator.";
            return Err(Box::new(Diagnostic::expression(site, text)));
        }
        Ok(())
    }

    /// `e` must not nest `next`.
    pub(super) fn forbid_nested_next(&self, e: ExprId, line: u32) -> Fallible<()> {
        if self.flags_of(e).nested {
            let site = Site::new(self.model.pool.span(e), line);
            let text = "Nested next operator.";
            return Err(Box::new(Diagnostic::expression(site, text)));
        }
        Ok(())
    }

    /// `e` must not apply `next` to input variables. In a property the frame has a blank line.
    pub(super) fn forbid_next_input(&self, e: ExprId, blank: bool) -> Fallible<()> {
        if !self.flags_of(e).next_input {
            return Ok(());
        }
        let culprit = self.find_next_input(e).unwrap_or(e);
        let shown = self.model.text(culprit);
        let text = format!("\"next\" expression contains input variables:\n{shown}");
        let site = self.model.pool.site(culprit);
        let make = if blank {
            Diagnostic::expression
        } else {
            Diagnostic::model
        };
        Err(Box::new(make(site, text)))
    }

    /// The first `next(...)` with an input variable inside, left to right.
    fn find_next_input(&self, e: ExprId) -> Option<ExprId> {
        if !self.flags_of(e).next_input {
            return None;
        }
        match self.model.pool.node(e) {
            Node::Unary(UnOp::Next, a) if self.flags_of(*a).input => Some(e),
            Node::Define(d) => deep(|| self.find_next_input(self.model.define(*d).body)),
            node => {
                let mut found = None;
                node.for_each_operand(|a| {
                    if found.is_none() {
                        found = deep(|| self.find_next_input(a));
                    }
                });
                found
            }
        }
    }

    /// A message at the place of an expression.
    pub(super) fn place(&self, e: ExprId) -> Span {
        self.model.pool.span(e)
    }
}
