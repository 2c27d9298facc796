//! Which variables interact: they meet in an arithmetic expression, a comparison or an assignment.
//!
//! For the static order `basic` (module `order`).

use super::layout::OrderName;
use super::order::{all_bits, weave};
use crate::model::types::Type;
use crate::model::{ExprId, FlatModel, Node, VarId, VarType};
use rustc_hash::{FxHashMap, FxHashSet};
use smv_grammar::ops::UnOp;

/// Sets of interacting variables: a union-find over the variables, fed from the expressions.
pub(super) struct Groups<'m> {
    model: &'m FlatModel,
    parent: Vec<u32>,
    /// Variables whose value is (part of) the value of a node.
    values: FxHashMap<ExprId, Vec<VarId>>,
}

impl<'m> Groups<'m> {
    /// No variables meet yet.
    pub fn new(model: &'m FlatModel) -> Self {
        Groups {
            model,
            parent: (0..model.vars.len() as u32).collect(),
            values: FxHashMap::default(),
        }
    }

    /// Goes through everything that makes the machine; properties have no say.
    pub fn collect(&mut self) {
        let model = self.model;
        for assign in &model.assigns {
            let mut meeting = self.visit(assign.rhs);
            if model.var(assign.var).ty != VarType::Bool && !meeting.is_empty() {
                meeting.push(assign.var);
                self.join(&meeting);
            }
        }
        let strong = model.compassion.iter().flat_map(|(p, q)| [p, q]);
        let constraints = [&model.init, &model.invar, &model.trans, &model.justice];
        for constraint in constraints.into_iter().flatten().chain(strong) {
            self.visit(constraint.expr);
        }
    }

    /// The variables whose values make up that of `e`; joins those that meet below. Iterative, as
    /// expressions may be deep.
    fn visit(&mut self, e: ExprId) -> Vec<VarId> {
        let mut todo = vec![(e, false)];
        while let Some((e, done)) = todo.pop() {
            if self.values.contains_key(&e) {
                continue;
            }
            let node = self.model.pool.node(e);
            if done {
                let values = self.value(e);
                self.values.insert(e, values);
                continue;
            }
            todo.push((e, true));
            if let Node::Define(d) = node {
                todo.push((self.model.define(*d).body, false));
            }
            node.for_each_operand(|o| todo.push((o, false)));
        }
        self.values[&e].clone()
    }

    fn value(&mut self, e: ExprId) -> Vec<VarId> {
        let model = self.model;
        let of = |groups: &Self, o: &ExprId| groups.values.get(o).cloned().unwrap_or_default();
        let values = match model.pool.node(e) {
            Node::Var(v) if model.var(*v).ty == VarType::Bool => Vec::new(),
            Node::Var(v) => vec![*v],
            Node::Define(d) => of(self, &model.define(*d).body),
            Node::Binary(_, a, b) | Node::Division { a, b, .. } => {
                let (mut a, b) = (of(self, a), of(self, b));
                if !a.is_empty() && !b.is_empty() {
                    a.extend(b);
                    self.join(&a);
                    a.truncate(1);
                    a
                } else if a.is_empty() {
                    b
                } else {
                    a
                }
            }
            // Branches do not meet each other, only what the whole meets.
            Node::Ite(_, a, b) => {
                let mut both = of(self, a);
                both.extend(of(self, b));
                both
            }
            Node::Unary(UnOp::Next | UnOp::Not | UnOp::Neg, a)
            | Node::BitSelect { word: a, .. }
            | Node::Signed(a)
            | Node::Unsigned(a)
            | Node::Extend { word: a, .. }
            | Node::Resize { word: a, .. } => of(self, a),
            _ => Vec::new(),
        };
        if matches!(model.type_of(e), Type::Bool | Type::BoolSet) {
            return Vec::new();
        }
        // One variable of each group is enough, and keeps lists short in long cases.
        let mut seen = FxHashSet::default();
        let mut short = values;
        short.retain(|v| seen.insert(self.find(v.0)));
        short
    }

    fn find(&mut self, mut v: u32) -> u32 {
        while self.parent[v as usize] != v {
            let up = self.parent[v as usize];
            self.parent[v as usize] = self.parent[up as usize];
            v = up;
        }
        v
    }

    fn join(&mut self, vars: &[VarId]) {
        for pair in vars.windows(2) {
            let (a, b) = (self.find(pair[0].0), self.find(pair[1].0));
            // The smaller one stays the root, whatever the order of joining.
            self.parent[a.max(b) as usize] = a.min(b);
        }
    }

    /// The variables of each group, in the order in which the first of each comes.
    pub fn blocks(&mut self, vars: &[VarId]) -> Vec<Vec<VarId>> {
        let mut groups: indexmap::IndexMap<u32, Vec<VarId>> = indexmap::IndexMap::new();
        for &v in vars {
            let root = self.find(v.0);
            groups.entry(root).or_default().push(v);
        }
        groups.into_values().collect()
    }

    /// The bits of `vars`, group by group; those of a group side by side if they interleave.
    pub fn bits(&mut self, vars: &[VarId], interleave: bool) -> Vec<OrderName> {
        let mut bits = Vec::new();
        for group in &self.blocks(vars) {
            if interleave {
                weave(self.model, group, &mut bits);
            } else {
                bits.extend(group.iter().flat_map(|&v| all_bits(self.model, v)));
            }
        }
        bits
    }
}
