//! Constraints with many operands.
//!
//! Encoding `(((a | b) | c) | ...)` as written joins each operand with all before it, and keeps all the
//! diagrams in between. Long disjunctions are joined pairwise here, halves with halves, and long
//! conjunctions from the bottom of the order upwards, where each step only adds on top.

use super::error::Result;
use super::expr::Encoder;
use crate::base::deep;
use crate::dd::{Bdd, DdResult};
use crate::model::{ExprId, FlatModel, Node, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use smv_grammar::ops::BinOp;

/// Operands from which on this is done.
const MANY: usize = 8;

/// A Boolean constraint. An error where an operand has no value, though another may hide it.
pub fn wide(model: &FlatModel, encoder: &mut Encoder, e: ExprId) -> Result<Bdd> {
    constraint(model, encoder, &mut FxHashMap::default(), e)
}

fn constraint(
    model: &FlatModel,
    encoder: &mut Encoder,
    known: &mut FxHashMap<ExprId, Bdd>,
    e: ExprId,
) -> Result<Bdd> {
    if let Some(set) = known.get(&e) {
        return Ok(set.clone());
    }
    for op in [BinOp::Or, BinOp::And] {
        let parts = operands(model, e, op);
        if parts.len() < MANY {
            continue;
        }
        let mut sets = Vec::with_capacity(parts.len());
        for part in parts {
            sets.push(deep(|| constraint(model, encoder, known, part))?);
        }
        let set = if op == BinOp::Or {
            halves(sets, Bdd::or)?
        } else {
            let manager = encoder.manager.clone();
            let level = |b: &Bdd| b.top().map_or(u32::MAX, |v| manager.level_of(v));
            sets.sort_by_key(|b| std::cmp::Reverse(level(b)));
            let mut all = manager.one();
            for set in &sets {
                all = set.and(&all)?;
            }
            all
        };
        known.insert(e, set.clone());
        return Ok(set);
    }
    encoder.boolean(e)
}

/// Joins a list that is not empty, halves with halves.
fn halves(mut sets: Vec<Bdd>, op: impl Fn(&Bdd, &Bdd) -> DdResult<Bdd>) -> DdResult<Bdd> {
    while sets.len() > 1 {
        let mut joined = Vec::with_capacity(sets.len().div_ceil(2));
        for pair in sets.chunks(2) {
            joined.push(match pair {
                [a, b] => op(a, b)?,
                _ => pair[0].clone(),
            });
        }
        sets = joined;
    }
    Ok(sets.swap_remove(0))
}

/// The operands of nested `op`s (`&` or `|`), each once, those behind definitions included.
pub fn operands(model: &FlatModel, e: ExprId, op: BinOp) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut todo = vec![e];
    while let Some(e) = todo.pop() {
        if !seen.insert(e) {
            continue;
        }
        let inside = model.meant(e);
        match *model.pool.node(inside) {
            Node::Binary(o, a, b) if o == op && model.type_of(a) == Type::Bool => {
                todo.extend([b, a]);
            }
            _ => found.push(inside),
        }
    }
    found
}
