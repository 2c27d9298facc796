//! A counted reference to a node: the content of [`super::Bdd`], [`super::Add`], [`super::WordDd`].

use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::ffi::{Node, cudd};
use super::manager::Inner;

/// Owns one reference to `node` and a share of its manager.
pub(super) struct Handle {
    /// The manager, kept alive.
    pub inner: Rc<Inner>,
    /// Its reference is owned.
    pub node: Node,
}

impl Handle {
    /// Takes a reference to a node that is live now.
    pub fn new(inner: &Rc<Inner>, node: Node) -> Handle {
        // SAFETY: the caller hands a live node of this manager; the reference taken here is given
        // back in drop.
        unsafe { cudd::Cudd_Ref(node.0) };
        Handle {
            inner: Rc::clone(inner),
            node,
        }
    }

    /// The same node or a child of it, in a handle of its own.
    pub fn sibling(&self, node: Node) -> Handle {
        Handle::new(&self.inner, node)
    }
}

impl Clone for Handle {
    fn clone(&self) -> Handle {
        self.sibling(self.node)
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: this handle owns one reference; the manager lives as long as the handle.
        unsafe { cudd::Cudd_RecursiveDeref(self.inner.dd, self.node.0) };
    }
}

impl PartialEq for Handle {
    fn eq(&self, other: &Handle) -> bool {
        self.node == other.node
    }
}

impl Eq for Handle {}

impl Hash for Handle {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.node.hash(state);
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.node.var() {
            Some(var) => write!(f, "{:?} (top {var})", self.node.0),
            None => write!(f, "{:?} (terminal)", self.node.0),
        }
    }
}

/// What the three kinds of diagram have in common.
macro_rules! diagram_methods {
    ($kind:ident) => {
        impl $kind {
            /// The manager that holds the diagram.
            pub fn manager(&self) -> $crate::dd::Manager {
                $crate::dd::Manager::from_inner(&self.0.inner)
            }

            /// Index of the variable at the root; `None` for a constant.
            pub fn top(&self) -> Option<$crate::dd::VarIndex> {
                self.0.node.var()
            }

            /// The two cofactors by the top variable, false side first; `None` for a constant.
            pub fn cofactors(&self) -> Option<($kind, $kind)> {
                if self.0.node.is_const() {
                    return None;
                }
                let (t, e) = self.0.node.children();
                Some(($kind(self.0.sibling(e)), $kind(self.0.sibling(t))))
            }

            /// Nodes of the diagram, terminals included.
            pub fn size(&self) -> usize {
                $crate::dd::count::shared_size(&[&self.0])
            }

            /// Nodes of several diagrams together.
            pub fn shared_size<'a>(of: impl IntoIterator<Item = &'a $kind>) -> usize {
                let handles: Vec<_> = of.into_iter().map(|d| &d.0).collect();
                $crate::dd::count::shared_size(&handles)
            }

            /// Indices of the variables the function depends on, ascending.
            pub fn support(&self) -> Vec<$crate::dd::VarIndex> {
                $crate::dd::count::support(&[&self.0])
            }
        }
    };
}
pub(super) use diagram_methods;
