//! Which variables each part of the relation ties together: a hypergraph, for orders that keep them close.
//!
//! One edge for each conjunct of INIT, INVAR and TRANS, for each branch of an assignment (with the
//! variable assigned to), and for each event where a conjunct is a list of events, without the
//! variables that the event leaves alone (`next(v) = v`).

use super::events::unchanged;
use super::wide::operands;
use crate::model::{ExprId, FlatModel, Node, VarId};
use smv_grammar::ops::{BinOp, UnOp};

/// Expressions that may be visited. A model with more work than that shares large DEFINEs so much
/// that everything is tied to everything.
const VISITS: usize = 5_000_000;

/// Vertices are blocks of variables; each edge lists its blocks, ascending.
pub(super) struct Hypergraph<'m> {
    model: &'m FlatModel,
    /// The block of each variable, if it has one.
    block: Vec<Option<u32>>,
    edges: Vec<Vec<u32>>,
    /// The number of the last edge that visited each expression.
    seen: Vec<u32>,
    visits: usize,
}

/// The edges of a model between blocks of its variables; none if there are too many.
pub(super) fn edges(model: &FlatModel, blocks: &[Vec<VarId>]) -> Option<Vec<Vec<u32>>> {
    let mut block = vec![None; model.vars.len()];
    for (i, vars) in (0..).zip(blocks) {
        for v in vars {
            block[v.0 as usize] = Some(i);
        }
    }
    let mut graph = Hypergraph {
        model,
        block,
        edges: Vec::new(),
        seen: vec![0; model.pool.len()],
        visits: 0,
    };
    for assign in &model.assigns {
        graph.branches(assign.rhs, Some(assign.var));
    }
    for constraint in [&model.init, &model.invar, &model.trans]
        .into_iter()
        .flatten()
    {
        graph.conjuncts(constraint.expr);
    }
    (graph.visits < VISITS).then_some(graph.edges)
}

impl Hypergraph<'_> {
    /// The edges of a constraint.
    fn conjuncts(&mut self, e: ExprId) {
        for conjunct in operands(self.model, e, BinOp::And) {
            match *self.model.pool.node(conjunct) {
                Node::Binary(BinOp::Or, _, _) => self.events(conjunct),
                Node::Binary(BinOp::Eq, x, value) => match self.variable(x) {
                    Some(v) => self.branches(value, Some(v)),
                    None => self.edge(&[conjunct], None),
                },
                _ => self.branches(conjunct, None),
            }
        }
    }

    /// One edge for each branch of a choice.
    fn branches(&mut self, e: ExprId, assigned: Option<VarId>) {
        let mut rest = self.model.meant(e);
        while let Node::Ite(condition, value, otherwise) = *self.model.pool.node(rest) {
            self.edge(&[condition, value], assigned);
            rest = self.model.meant(otherwise);
        }
        self.edge(&[rest], assigned);
    }

    /// One edge for what each event reads and changes; one for all of the disjunction if nothing stays in
    /// any, since then they may be no events.
    fn events(&mut self, disjunction: ExprId) {
        let mut all_move = true;
        for event in operands(self.model, disjunction, BinOp::Or) {
            let mut parts = operands(self.model, event, BinOp::And);
            let before = parts.len();
            parts.retain(|&part| unchanged(self.model, part).is_none());
            all_move &= parts.len() == before;
            self.edge(&parts, None);
        }
        if all_move {
            self.edge(&[disjunction], None);
        }
    }

    /// The variable `v` of `v` or `next(v)`.
    fn variable(&self, e: ExprId) -> Option<VarId> {
        match *self.model.pool.node(e) {
            Node::Var(v) => Some(v),
            Node::Unary(UnOp::Next, of) => self.variable(of),
            _ => None,
        }
    }

    /// The blocks of the variables in some expressions, and of one more variable.
    fn edge(&mut self, expressions: &[ExprId], with: Option<VarId>) {
        let edge = self.edges.len() as u32 + 1;
        let mut blocks: Vec<u32> = with
            .and_then(|v| self.block[v.0 as usize])
            .into_iter()
            .collect();
        let mut todo = expressions.to_vec();
        while let Some(e) = todo.pop() {
            self.visits += 1;
            if self.visits >= VISITS {
                return;
            }
            if std::mem::replace(&mut self.seen[e.0 as usize], edge) == edge {
                continue;
            }
            let node = self.model.pool.node(e);
            match node {
                Node::Var(v) => blocks.extend(self.block[v.0 as usize]),
                Node::Define(d) => todo.push(self.model.define(*d).body),
                _ => {}
            }
            node.for_each_operand(|o| todo.push(o));
        }
        blocks.sort_unstable();
        blocks.dedup();
        self.edges.push(blocks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::flat;

    /// The edges with more than one variable, by name.
    fn found(text: &str) -> Vec<String> {
        let model = flat(text);
        let blocks: Vec<Vec<VarId>> = (0..model.vars.len() as u32)
            .map(|v| vec![VarId(v)])
            .collect();
        let name = |b: &u32| model.var(VarId(*b)).name.clone();
        let edges = edges(&model, &blocks).expect("few edges").into_iter();
        let mut named: Vec<String> = edges
            .filter(|e| e.len() > 1)
            .map(|e| e.iter().map(name).collect::<Vec<_>>().join(" "))
            .collect();
        named.sort();
        named
    }

    const VARS: &str = "VAR a : boolean; b : boolean; c : boolean; d : 0..3; e : 0..3; ";

    #[test]
    fn one_edge_for_each_conjunct_branch_and_event() {
        let cases: [(&str, &[&str]); 6] = [
            (
                "TRANS (a -> next(b)) & (c | next(d) = e)",
                &["a b", "c d e", "d e"],
            ),
            ("INVAR a & (b <-> c)", &["b c"]),
            (
                "ASSIGN next(d) := case a : e; b & c : 1; TRUE : d; esac;",
                &["a d e", "b c d"],
            ),
            (
                "DEFINE f := d = e; TRANS next(a) = (f ? b : c)",
                &["a b d e", "a c"],
            ),
            ("TRANS next(a) = (b ? c : a)", &["a b c"]),
            (
                "DEFINE rest := next(c) = c & e = next(e); TRANS (a & next(b) = a & rest & next(d) = d) \
                 | (d = 1 & next(c) = b & next(a) = a & next(b) = b & next(d) = d & next(e) = e)",
                &["a b", "b c d"],
            ),
        ];
        for (section, expected) in cases {
            assert_eq!(found(&format!("{VARS}{section}")), expected, "{section}");
        }
    }
}
