//! One pass over state sets, indexed by the occurrence that is replaced.
//!
//! The formula is evaluated once, bottom-up; then each target's constant is carried upwards from
//! its place. A replacement changes only the values on the way to the root, each computed from the
//! kept values of the siblings; where the changed value meets the kept one, or one met before at
//! the same place, the rest of the way is known. By monotonicity a target of one polarity
//! needs only the constant that works against the truth of the formula (the other one cannot
//! change it), and fixpoints start from the kept ones ([`Seed`]).
//!
//! The way ends below the root where the obligation above asks something of the value at hand alone
//! (`Demand`); there a fixpoint is followed only until the answer is known.
//!
//! This is the diagram over a selector "which occurrence is replaced", in the order that puts the
//! selector on top; the table of values met before shares its equal branches.

use super::demand::Demand;
use super::{Question, constants};
use crate::dd::Bdd;
use crate::encode::error::Result;
use crate::engine::algebra::{Algebra, Machine, TwoValued};
use crate::engine::fixpoint::{Hint, Kept, Need, Seed, apply};
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
    /// What its obligation asks of a node, by node; found for a whole obligation at once.
    demands: Vec<Option<Demand>>,
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
            sat,
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
                _ if node.source.is_some() => sat(node.expr)?,
                TreeKind::Atom => algebra.embed(&leaf(node.expr)?)?,
                _ => {
                    let op = tree.operator(id).expect("no leaf");
                    let mut operands = tree.children(id).map(|c| values[c.0 as usize].as_ref());
                    let a = operands.next().flatten().expect("operands come first");
                    apply(&algebra, op, a, operands.next().flatten(), Hint::NONE)?
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
            demands: vec![None; tree.len()],
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
        let mut open = Vec::new();
        for (i, &(obligation, kept)) in self.obligations.iter().enumerate() {
            let within: BTreeMap<NodeId, bool> = replaced
                .iter()
                .copied()
                .filter(|(n, _)| self.owner[n.0 as usize] == Some(i))
                .collect();
            let holds = match self.above(obligation.node, replaced) {
                // Over an empty region anything holds.
                Some(constant) => constant || self.initial.is_zero(),
                None if within.is_empty() => kept,
                None => {
                    open.push((i, within));
                    true
                }
            };
            if !holds {
                return Ok(false);
            }
        }
        for (i, within) in open {
            if !self.obligation_with(i, within)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether an obligation holds with some nodes at or below it replaced.
    fn obligation_with(
        &mut self,
        index: usize,
        mut pending: BTreeMap<NodeId, bool>,
    ) -> Result<bool> {
        self.find_demands(index)?;
        let algebra = TwoValued(self.machine);
        let (obligation, kept) = self.obligations[index];
        let tree = self.tree;
        // Changed nodes whose parent has not been looked at.
        let mut changed: BTreeMap<NodeId, Bdd> = BTreeMap::new();
        let mut visited = Vec::new();
        let first = *pending.keys().next().expect("something is replaced");
        let mut holds = kept;
        for id in (first.0..=obligation.node.0).map(NodeId) {
            let replaced = pending.remove(&id);
            if replaced.is_none() && !tree.children(id).any(|c| changed.contains_key(&c)) {
                continue;
            }
            // Whether all that changes is at or below this node.
            let alone = pending.is_empty()
                && (changed.keys()).all(|&c| c == id || tree.children(id).any(|child| child == c));
            let demand = match &self.demands[id.0 as usize] {
                Some(demand) if alone => demand,
                _ => &Demand::Open,
            };
            if matches!(demand, Demand::Lost) {
                holds = false;
                break;
            }
            let need = demand.need();
            let value = match replaced {
                Some(true) => self.machine.care().clone(),
                Some(false) => algebra.bottom()?,
                None => self.step(&algebra, id, &mut changed, need)?,
            };
            if let Some(need) = need {
                holds = need.met_by(&algebra, &value);
                break;
            }
            if value == *self.value(id) {
                if alone {
                    break;
                }
                continue;
            }
            if alone {
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

    /// Finds what an obligation asks of the nodes below it.
    fn find_demands(&mut self, index: usize) -> Result<()> {
        let Obligation { node: top, region } = self.obligations[index].0;
        if self.demands[top.0 as usize].is_some() {
            return Ok(());
        }
        self.demands[top.0 as usize] = Some(Demand::Top(self.region(region).clone()));
        for id in self.tree.descendants(top).rev().map(NodeId) {
            // Parents have larger ids.
            let demand = self.demands[id.0 as usize]
                .clone()
                .expect("set by the parent");
            match self.tree.node(id).kind {
                TreeKind::Not(a) => self.demands[a.0 as usize] = Some(demand.negated()),
                TreeKind::Bool(op, a, b) => {
                    let left = demand.clone().operand(op, true, self.value(b))?;
                    let right = demand.operand(op, false, self.value(a))?;
                    self.demands[a.0 as usize] = Some(left);
                    self.demands[b.0 as usize] = Some(right);
                }
                _ => {
                    for child in self.tree.children(id) {
                        self.demands[child.0 as usize] = Some(Demand::Open);
                    }
                }
            }
        }
        Ok(())
    }

    /// The value of a node some of whose operands changed; takes those from `changed`.
    fn step(
        &self,
        algebra: &TwoValued,
        id: NodeId,
        changed: &mut BTreeMap<NodeId, Bdd>,
        need: Option<Need>,
    ) -> Result<Bdd> {
        let kind = self.tree.node(id).kind;
        let (mut rises, mut falls) = (true, true);
        let mut operands = Vec::with_capacity(2);
        let mut before = Vec::with_capacity(2);
        for (i, child) in self.tree.children(id).enumerate() {
            let kept = self.value(child);
            before.push(kept);
            let Some(value) = changed.remove(&child) else {
                operands.push(kept.clone());
                continue;
            };
            let positive = match kind {
                TreeKind::Not(_) => Some(false),
                TreeKind::Bool(BinOp::Implies, ..) => Some(i == 1),
                TreeKind::Bool(BinOp::Iff | BinOp::Xor | BinOp::Xnor, ..) => None,
                _ => Some(true),
            };
            let (up, down) = (kept.leq(&value), value.leq(kept));
            rises &= positive == Some(true) && up || positive == Some(false) && down;
            falls &= positive == Some(true) && down || positive == Some(false) && up;
            operands.push(value);
        }
        let kept = Kept {
            value: self.value(id),
            a: before[0],
            b: before.get(1).copied(),
        };
        let seed = match (rises, falls) {
            (true, _) => Seed::Above(kept),
            (_, true) => Seed::Below(kept),
            _ => Seed::None,
        };
        let op = self.tree.operator(id).expect("a node with operands");
        let hint = Hint { seed, need };
        Ok(apply(algebra, op, &operands[0], operands.get(1), hint)?)
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
        self.region(region).leq(value)
    }

    fn region(&self, region: Region) -> &Bdd {
        match region {
            Region::Initial => &self.initial,
            Region::Reachable => self.machine.fair(),
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
