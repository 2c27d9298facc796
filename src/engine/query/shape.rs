//! Where the placeholders of a formula stand.

use crate::base::deep;
use crate::engine::ctl::operator;
use crate::logic::CtlOp;
use crate::model::{ExprId, ExprPool, FlatModel, Node, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use smv_grammar::ast::Span;
use smv_grammar::ops::BinOp;

/// Why a formula is no query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    #[error("a query needs a placeholder: ? or ?{{x, y}}")]
    NoPlaceholder,
    #[error("a placeholder stands where no formula stands, in {0}")]
    Misplaced(String),
}

/// The subformulas that hold a placeholder, and the polarity of these.
#[derive(Clone, Debug)]
pub struct Shape {
    marked: FxHashSet<ExprId>,
    /// No occurrence stands under an odd number of negations, or under `<->` and the like.
    positive: bool,
}

impl Shape {
    pub fn new(model: &FlatModel, formula: ExprId) -> Result<Shape, ShapeError> {
        let mut finder = Finder {
            model,
            known: FxHashMap::default(),
        };
        if !finder.find(formula)? {
            return Err(ShapeError::NoPlaceholder);
        }
        let known = finder.known.into_iter();
        let marked: FxHashSet<ExprId> = known.filter(|k| k.1).map(|k| k.0).collect();
        let positive = is_positive(model, formula, &marked);
        Ok(Shape { marked, positive })
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

struct Finder<'a> {
    model: &'a FlatModel,
    known: FxHashMap<ExprId, bool>,
}

impl Finder<'_> {
    fn find(&mut self, e: ExprId) -> Result<bool, ShapeError> {
        if let Some(&known) = self.known.get(&e) {
            return Ok(known);
        }
        let model = self.model;
        let mut operands = Vec::new();
        let node = model.pool.node(e);
        node.for_each_operand(|o| operands.push(o));
        let mut found = *node == Node::Placeholder;
        for &o in &operands {
            found |= deep(|| self.find(o))?;
        }
        if found && *node != Node::Placeholder {
            let formulas = operands.iter().all(|&o| model.type_of(o) == Type::Bool);
            let connective = operator(model, e).is_some() || matches!(node, Node::Ite(..));
            if !(formulas && connective) {
                return Err(ShapeError::Misplaced(model.text(e)));
            }
        }
        self.known.insert(e, found);
        Ok(found)
    }
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
            (&Node::Ite(c, a, b), _) => {
                todo.extend([(c, positive), (c, !positive), (a, positive), (b, positive)]);
            }
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
        Node::Ite(c, a, b) => Node::Ite(go(c, pool), go(a, pool), go(b, pool)),
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
    let line = pool.line(e);
    let result = pool.add(node, Span::default(), line);
    done.insert(e, result);
    result
}
