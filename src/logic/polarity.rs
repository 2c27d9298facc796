//! Polarity of occurrences: in which direction the formula moves when the occurrence does.

use super::tree::{CtlTree, NodeId, TreeKind};
use smv_grammar::ops::BinOp;

/// `Positive`: the formula is monotone in the occurrence; `Negative`: antitone; `Mixed`: under
/// `<->`, `xor` or `xnor`, where it stands in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// Under an even number of negations.
    Positive,
    /// Under an odd number.
    Negative,
    /// Below `xor`, `<->` and the like: both.
    Mixed,
}

impl Polarity {
    fn flip(self) -> Polarity {
        match self {
            Polarity::Positive => Polarity::Negative,
            Polarity::Negative => Polarity::Positive,
            Polarity::Mixed => Polarity::Mixed,
        }
    }

    /// `+`, `-` or `±`.
    pub fn sign(self) -> &'static str {
        match self {
            Polarity::Positive => "+",
            Polarity::Negative => "-",
            Polarity::Mixed => "±",
        }
    }

    /// The constant that moves a formula of truth value `truth` towards the other value, if one
    /// constant does for every context: `FALSE` for a positive occurrence in a true formula.
    pub fn opposing(self, truth: bool) -> Option<bool> {
        match self {
            Polarity::Positive => Some(!truth),
            Polarity::Negative => Some(truth),
            Polarity::Mixed => None,
        }
    }
}

impl CtlTree {
    /// The polarity of every node, by id.
    pub fn polarities(&self) -> Vec<Polarity> {
        let mut polarity = vec![Polarity::Positive; self.len()];
        // Parents have larger ids: walk from the root down.
        for i in (0..self.len() as u32).rev() {
            let id = NodeId(i);
            let own = polarity[i as usize];
            match self.node(id).kind {
                TreeKind::Not(a) => polarity[a.0 as usize] = own.flip(),
                TreeKind::Bool(BinOp::Implies, a, b) => {
                    polarity[a.0 as usize] = own.flip();
                    polarity[b.0 as usize] = own;
                }
                TreeKind::Bool(BinOp::Xor | BinOp::Xnor | BinOp::Iff, a, b) => {
                    polarity[a.0 as usize] = Polarity::Mixed;
                    polarity[b.0 as usize] = Polarity::Mixed;
                }
                _ => {
                    for child in self.children(id) {
                        polarity[child.0 as usize] = own;
                    }
                }
            }
        }
        polarity
    }
}
