//! Where the placeholders of a formula stand.

use crate::base::deep;
use crate::engine::ctl::operator;
use crate::logic::CtlOp;
use crate::model::{ExprId, ExprPool, FlatModel, Node};
use rustc_hash::{FxHashMap, FxHashSet};
use smv_grammar::ast::Site;
use smv_grammar::ops::BinOp;

/// The subformulas that hold a placeholder, and the polarity of these.
#[derive(Clone, Debug)]
pub struct Shape {
    marked: FxHashSet<ExprId>,
    /// No occurrence stands under an odd number of negations, or under `<->` and the like.
    positive: bool,
}

impl Shape {
    /// Of a formula with a placeholder.
    pub fn new(model: &FlatModel, formula: ExprId) -> Shape {
        let mut known = FxHashMap::default();
        find(model, formula, &mut known);
        let known = known.into_iter();
        let marked: FxHashSet<ExprId> = known.filter(|k| k.1).map(|k| k.0).collect();
        let positive = is_positive(model, formula, &marked);
        Shape { marked, positive }
    }

    /// Whether a placeholder occurs in a subformula.
    pub fn holds_placeholder(&self, e: ExprId) -> bool {
        self.marked.contains(&e)
    }

    /// Whether every occurrence is positive: a weaker formula in its place makes the query weaker.
    pub fn is_positive(&self) -> bool {
        self.positive
    }
}

/// Whether a placeholder occurs in `e`; DEFINEs hold none.
fn find(model: &FlatModel, e: ExprId, known: &mut FxHashMap<ExprId, bool>) -> bool {
    if let Some(&known) = known.get(&e) {
        return known;
    }
    let node = model.pool.node(e);
    let mut found = *node == Node::Placeholder;
    node.for_each_operand(|o| found |= deep(|| find(model, o, known)));
    known.insert(e, found);
    found
}

/// Walks the marked subformulas in both polarities in which they can stand.
fn is_positive(model: &FlatModel, formula: ExprId, marked: &FxHashSet<ExprId>) -> bool {
    let mut seen = FxHashSet::default();
    let mut todo = vec![(formula, true)];
    while let Some((e, positive)) = todo.pop() {
        if !marked.contains(&e) || !seen.insert((e, positive)) {
            continue;
        }
        match (model.pool.node(e), operator(model, e)) {
            (Node::Placeholder, _) if !positive => return false,
            (Node::Placeholder, _) => {}
            (_, Some((CtlOp::Not, a, _))) => todo.push((a, !positive)),
            (_, Some((CtlOp::Bool(BinOp::Implies), a, b))) => {
                todo.push((a, !positive));
                todo.extend(b.map(|b| (b, positive)));
            }
            (_, Some((CtlOp::Bool(BinOp::Xor | BinOp::Xnor | BinOp::Iff), a, b))) => {
                for e in [Some(a), b].into_iter().flatten() {
                    todo.extend([(e, true), (e, false)]);
                }
            }
            (_, Some((_, a, b))) => {
                todo.push((a, positive));
                todo.extend(b.map(|b| (b, positive)));
            }
            (_, None) => {}
        }
    }
    true
}

/// The formula with `by` for each placeholder.
pub fn substitute(pool: &mut ExprPool, formula: ExprId, by: ExprId) -> ExprId {
    let mut done = FxHashMap::default();
    replaced(pool, formula, by, &mut done)
}

fn replaced(
    pool: &mut ExprPool,
    e: ExprId,
    by: ExprId,
    done: &mut FxHashMap<ExprId, ExprId>,
) -> ExprId {
    if let Some(&known) = done.get(&e) {
        return known;
    }
    let mut go = |x: ExprId, pool: &mut ExprPool| deep(|| replaced(pool, x, by, done));
    let node = match *pool.node(e) {
        Node::Placeholder => return by,
        Node::Unary(op, a) => Node::Unary(op, go(a, pool)),
        Node::Binary(op, a, b) => Node::Binary(op, go(a, pool), go(b, pool)),
        Node::Bounded { op, lo, hi, a, b } => Node::Bounded {
            op,
            lo,
            hi,
            a: go(a, pool),
            b: b.map(|b| go(b, pool)),
        },
        // Nothing else holds placeholders.
        _ => return e,
    };
    let site = Site::of_line(pool.line(e));
    let result = pool.add(node, site);
    done.insert(e, result);
    result
}
