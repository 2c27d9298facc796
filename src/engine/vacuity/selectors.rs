//! One pass over state sets, indexed by the occurrence that is replaced.
//!
//! The formula is evaluated once, bottom-up; then each target's constant is carried upwards from
//! its place. A replacement changes only the values on the way to the root, each computed from the
//! kept values of the siblings; where the changed value meets the kept one, or one met before at
//! the same place, the rest of the way is known. By monotonicity a target of one polarity
//! needs only the constant that works against the truth of the formula (the other one cannot
//! change it), and fixpoints start from the kept ones ([`Seed`]).
//!
//! This is the diagram over a selector "which occurrence is replaced", in the order that puts the
//! selector on top; the table of values met before shares its equal branches.

use super::{Question, constants};
use crate::dd::Bdd;
use crate::encode::error::Result;
use crate::engine::algebra::{Algebra, Machine, TwoValued};
use crate::engine::fixpoint::{Seed, apply};
use crate::engine::obligations::{Obligation, Region, obligations};
use crate::logic::{CtlTree, NodeId, Polarity, TreeKind};
use smv_grammar::ops::BinOp;
use std::collections::{BTreeMap, HashMap};

/// The values of a formula's occurrences, ready to tell the effect of any replacement.
pub struct Selectors<'a> {
    machine: &'a dyn Machine,
    tree: &'a CtlTree,
    /// Fair initial states.
    initial: Bdd,
    polarities: Vec<Polarity>,
    /// The kept value of each node at or below an obligation, by node.
    values: Vec<Option<Bdd>>,
    /// With their truth.
    obligations: Vec<(Obligation, bool)>,
    /// The obligation that a node belongs to, by node; none above all obligations.
    owner: Vec<Option<usize>>,
    /// Whether the obligation above a node holds when the node has this value and nothing else
    /// differs.
    known: HashMap<(NodeId, Bdd), bool>,
}

impl<'a> Selectors<'a> {
    /// Evaluates the formula.
    pub fn new(question: &Question<'a>) -> Result<Self> {
        let Question {
            machine,
            tree,
            initial,
            reachable,
            leaf,
            ..
        } = *question;
        let algebra = TwoValued(machine);
        let obligations = obligations(tree, reachable, &[]);
        let mut owner: Vec<Option<usize>> = vec![None; tree.len()];
        for (i, o) in obligations.iter().enumerate() {
            owner[o.node.0 as usize] = Some(i);
        }
        for id in tree.ids().rev() {
            if let Some(i) = owner[id.0 as usize] {
                for child in tree.children(id) {
                    owner[child.0 as usize] = Some(i);
                }
            }
        }
        let mut values: Vec<Option<Bdd>> = vec![None; tree.len()];
        for id in tree.ids().filter(|id| owner[id.0 as usize].is_some()) {
            let node = tree.node(id);
            let value = match node.kind {
                TreeKind::Const(true) => machine.care().clone(),
                TreeKind::Const(false) => algebra.bottom()?,
                TreeKind::Atom => algebra.embed(&leaf(node.expr)?)?,
                _ => {
                    let op = tree.operator(id).expect("no leaf");
                    let mut operands = tree.children(id).map(|c| values[c.0 as usize].as_ref());
                    let a = operands.next().flatten().expect("operands come first");
                    apply(&algebra, op, a, operands.next().flatten(), Seed::None)?
                }
            };
            values[id.0 as usize] = Some(value);
        }
        let mut this = Selectors {
            machine,
            tree,
            initial: initial.clone(),
            polarities: tree.polarities(),
            values,
            obligations: Vec::new(),
            owner,
            known: HashMap::new(),
        };
        for o in obligations {
            let holds = this.holds(o.region, this.value(o.node));
            this.obligations.push((o, holds));
        }
        Ok(this)
    }

    /// The truth of the formula at the model.
    pub fn truth(&self) -> bool {
        self.obligations.iter().all(|o| o.1)
    }

    /// Whether each target is vacuous: its replacement by either constant leaves the truth.
    pub fn vacuous(&mut self, targets: &[NodeId]) -> Result<Vec<bool>> {
        let truth = self.truth();
        let mut result = Vec::with_capacity(targets.len());
        for &target in targets {
            let polarity = self.polarities[target.0 as usize];
            let mut same = true;
            for &constant in constants::deciding(polarity, truth) {
                same = same && self.truth_with(&[(target, constant)])? == truth;
            }
            result.push(same);
        }
        Ok(result)
    }

    /// The truth of the formula with some nodes, none above another, replaced by constants.
    pub fn truth_with(&mut self, replaced: &[(NodeId, bool)]) -> Result<bool> {
        let mut truth = true;
        for i in 0..self.obligations.len() {
            let within: BTreeMap<NodeId, bool> = replaced
                .iter()
                .copied()
                .filter(|(n, _)| self.owner[n.0 as usize] == Some(i))
                .collect();
            truth = truth
                && match self.above(self.obligations[i].0.node, replaced) {
                    // Over an empty region anything holds.
                    Some(constant) => constant || self.initial.is_zero(),
                    None if within.is_empty() => self.obligations[i].1,
                    None => self.obligation_with(i, within)?,
                };
        }
        Ok(truth)
    }

    /// Whether an obligation holds with some nodes at or below it replaced.
    fn obligation_with(
        &mut self,
        index: usize,
        mut pending: BTreeMap<NodeId, bool>,
    ) -> Result<bool> {
        let algebra = TwoValued(self.machine);
        let (obligation, kept) = self.obligations[index];
        let tree = self.tree;
        // Changed nodes whose parent has not been looked at.
        let mut changed: BTreeMap<NodeId, Bdd> = BTreeMap::new();
        let mut visited = Vec::new();
        let first = *pending.keys().next().expect("something is replaced");
        let mut holds = kept;
        for id in (first.0..=obligation.node.0).map(NodeId) {
            let value = if let Some(constant) = pending.remove(&id) {
                if constant {
                    self.machine.care().clone()
                } else {
                    algebra.bottom()?
                }
            } else if tree.children(id).any(|c| changed.contains_key(&c)) {
                self.step(&algebra, id, &mut changed)?
            } else {
                continue;
            };
            if value == *self.value(id) {
                if changed.is_empty() && pending.is_empty() {
                    break;
                }
                continue;
            }
            if changed.is_empty() && pending.is_empty() {
                if let Some(&known) = self.known.get(&(id, value.clone())) {
                    holds = known;
                    break;
                }
                visited.push((id, value.clone()));
            }
            if id == obligation.node {
                holds = self.holds(obligation.region, &value);
            }
            changed.insert(id, value);
        }
        for key in visited {
            self.known.insert(key, holds);
        }
        Ok(holds)
    }

    /// The value of a node some of whose operands changed; takes those from `changed`.
    fn step(
        &mut self,
        algebra: &TwoValued,
        id: NodeId,
        changed: &mut BTreeMap<NodeId, Bdd>,
    ) -> Result<Bdd> {
        let kind = self.tree.node(id).kind;
        let (mut rises, mut falls) = (true, true);
        let mut operands = Vec::with_capacity(2);
        for (i, child) in self.tree.children(id).enumerate() {
            let before = self.value(child);
            let Some(value) = changed.remove(&child) else {
                operands.push(before.clone());
                continue;
            };
            let positive = match kind {
                TreeKind::Not(_) => Some(false),
                TreeKind::Bool(BinOp::Implies, ..) => Some(i == 1),
                TreeKind::Bool(BinOp::Iff | BinOp::Xor | BinOp::Xnor, ..) => None,
                _ => Some(true),
            };
            let (up, down) = (before.leq(&value), value.leq(before));
            rises &= positive == Some(true) && up || positive == Some(false) && down;
            falls &= positive == Some(true) && down || positive == Some(false) && up;
            operands.push(value);
        }
        let kept = self.value(id);
        let seed = match (rises, falls) {
            (true, _) => Seed::Above(kept),
            (_, true) => Seed::Below(kept),
            _ => Seed::None,
        };
        let op = self.tree.operator(id).expect("a node with operands");
        Ok(apply(algebra, op, &operands[0], operands.get(1), seed)?)
    }

    /// Whether a node holds in no reachable fair state; `None` if it was not evaluated.
    pub fn never_holds(&self, node: NodeId) -> Option<bool> {
        let value = self.values[node.0 as usize].as_ref()?;
        Some(!self.machine.fair().intersects(value))
    }

    fn value(&self, node: NodeId) -> &Bdd {
        self.values[node.0 as usize]
            .as_ref()
            .expect("at or below an obligation")
    }

    fn holds(&self, region: Region, value: &Bdd) -> bool {
        match region {
            Region::Initial => self.initial.leq(value),
            Region::Reachable => self.machine.fair().leq(value),
        }
    }

    /// The constant of a replaced node strictly above `node`, if there is one.
    fn above(&self, node: NodeId, replaced: &[(NodeId, bool)]) -> Option<bool> {
        replaced
            .iter()
            .find(|(n, _)| {
                self.owner[n.0 as usize].is_none() && self.tree.descendants(*n).contains(&node.0)
            })
            .map(|r| r.1)
    }
}
