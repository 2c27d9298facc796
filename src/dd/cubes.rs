//! The satisfying assignments of a BDD, path by path.

use super::VarIndex;
use super::bdd::Bdd;
use super::ffi::Node;
use super::handle::Handle;

impl Bdd {
    /// The paths to true, as lists of literals from the root down; false sides first. Their shape
    /// depends on the variable order: for printing.
    pub fn cubes(&self) -> Cubes {
        Cubes {
            root: self.0.clone(),
            path: Vec::new(),
            state: State::Start,
        }
    }
}

/// Iterator over the paths of a BDD to true.
pub struct Cubes {
    root: Handle,
    /// Decisions: node, its variable, value taken.
    path: Vec<(Node, VarIndex, bool)>,
    state: State,
}

#[derive(PartialEq)]
enum State {
    Start,
    Running,
    Done,
}

impl Cubes {
    /// Follows false sides down from `node` to a terminal; is it true?
    fn descend(&mut self, mut node: Node) -> bool {
        while let Some(var) = node.var() {
            self.path.push((node, var, false));
            node = node.children().1;
        }
        !node.is_complement()
    }
}

impl Iterator for Cubes {
    type Item = Vec<(VarIndex, bool)>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut found = match std::mem::replace(&mut self.state, State::Running) {
            State::Done => false,
            State::Running => false,
            State::Start => self.descend(self.root.node),
        };
        while !found {
            // The next path: the deepest false decision becomes true.
            match self.path.pop() {
                None => {
                    self.state = State::Done;
                    return None;
                }
                Some((_, _, true)) => {}
                Some((node, var, false)) => {
                    self.path.push((node, var, true));
                    found = self.descend(node.children().0);
                }
            }
        }
        Some(
            self.path
                .iter()
                .map(|&(_, var, value)| (var, value))
                .collect(),
        )
    }
}
