//! Raw bindings, and reading access to nodes.
//!
//! [`Node`] is an edge: a pointer to a node whose lowest bit says "complemented". Reading one is
//! safe to call here because a `Node` is only ever made from a handle that keeps it referenced
//! (see `handle`), or by following the children of such a one.

use std::hash::Hash;

pub(super) use cudd2_sys as cudd;
pub(super) use cudd2_sys::{DdManager, DdNode};

#[allow(non_camel_case_types, non_snake_case, dead_code, clippy::all)]
mod bindings {
    include!(concat!(env!("OUT_DIR"), "/cudd_mv.rs"));
}
pub(super) use bindings::*;

/// An edge to a live node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Node(pub *mut DdNode);

impl Node {
    pub fn is_complement(self) -> bool {
        self.0.addr() & 1 != 0
    }

    pub fn regular(self) -> Node {
        Node(self.0.map_addr(|a| a & !1))
    }

    pub fn complement(self) -> Node {
        Node(self.0.map_addr(|a| a ^ 1))
    }

    pub fn complement_if(self, flip: bool) -> Node {
        Node(self.0.map_addr(|a| a ^ usize::from(flip)))
    }

    /// Variable at the root, `None` for a terminal.
    pub fn var(self) -> Option<u32> {
        // SAFETY: a Node points to a live node (module invariant).
        let index = unsafe { (*self.regular().0).index };
        (index != cudd::CUDD_CONST_INDEX).then_some(index)
    }

    pub fn is_const(self) -> bool {
        self.var().is_none()
    }

    /// Then and else edge; complementation of `self` is carried down.
    pub fn children(self) -> (Node, Node) {
        debug_assert!(!self.is_const());
        let flip = self.is_complement();
        // SAFETY: live by the module invariant, and not a terminal, so the union holds `kids`.
        let kids = unsafe { (*self.regular().0).type_.kids };
        (
            Node(kids.T.cast()).complement_if(flip),
            Node(kids.E.cast()).complement_if(flip),
        )
    }

    /// The 64 bits of a terminal.
    pub fn bits(self) -> u64 {
        debug_assert!(self.is_const() && !self.is_complement());
        // SAFETY: live by the module invariant, and a terminal, so the union holds `value`.
        unsafe { (*self.0).type_.value.to_bits() }
    }
}
