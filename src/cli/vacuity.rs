//! `-vacuity`: from a property and its machine to an analysis.

use super::check::Work;
use crate::encode::error::Result;
use crate::engine::Checker;
use crate::engine::algebra::Machine;
use crate::engine::vacuity::{Analysis, Config, LtlQuestion, Question, analyse};
use crate::logic::{CtlTree, NodeId};
use crate::model::{ExprId, FlatModel, PropFormula, Property, Type};
use smv_grammar::ast::{Ast, SpecKind};
use smv_grammar::ops::UnOp;
use std::collections::HashMap;

/// The formula with one occurrence replaced, for witnesses: made before the machine, since the pool is
/// fixed from then on.
pub type Replaced = HashMap<(u32, NodeId, bool), ExprId>;

/// The tree of a CTL or LTL property or of the AG that an invariant stands for.
pub fn tree(model: &FlatModel, ast: &Ast, p: &Property) -> Option<CtlTree> {
    let is_boolean = |e: ExprId| model.type_of(e) == Type::Bool;
    match (&p.formula, &p.source) {
        (&PropFormula::Ctl(e), &SpecKind::Ctl(s)) | (&PropFormula::Ltl(e), &SpecKind::Ltl(s)) => {
            Some(CtlTree::new(ast, s, &model.pool, e, &is_boolean))
        }
        (&PropFormula::Invar(e), &SpecKind::Invar(s)) => {
            Some(CtlTree::new(ast, s, &model.pool, e, &is_boolean).wrap(UnOp::Ag, e))
        }
        _ => None,
    }
}

/// Adds to the pool the formulas of the model with one atom replaced by a constant.
pub fn prepare_replacements(model: &mut FlatModel, ast: &Ast) -> Replaced {
    let mut replaced = Replaced::new();
    for i in 0..model.properties.len() {
        let p = model.properties[i].clone();
        let Some(tree) = tree(model, ast, &p) else {
            continue;
        };
        for atom in tree.atoms() {
            for constant in [false, true] {
                let e = tree.replace(&mut model.pool, &[(atom, constant)]);
                replaced.insert((p.index, atom, constant), e);
            }
        }
    }
    model.extend_types();
    replaced
}

/// The checker of the AG that an invariant stands for: fairness and deadlocks do not matter.
pub fn of_invariants<'f>(work: &mut Work<'f>) -> Result<Checker<'f>> {
    Ok(Checker::unfair(work.fsm, work.reach()?.clone()))
}

/// Analyses a property; `None` for kinds and formulas that have no analysis.
pub fn of_property(
    work: &mut Work,
    tree: &CtlTree,
    p: &Property,
    reachable: bool,
    config: &Config,
) -> Result<Option<Analysis>> {
    let fsm = work.fsm;
    if let PropFormula::Ltl(_) = p.formula {
        let question = LtlQuestion {
            checker: work.checker(reachable)?,
            tree,
        };
        return question.analyse(config).map(Some);
    }
    if let PropFormula::Invar(e) = p.formula {
        if fsm.model.reads_step(e) {
            return Ok(None);
        }
        let checker = of_invariants(work)?;
        return ask(&checker, tree, true, config).map(Some);
    }
    let checker = work.checker(reachable)?;
    let ask = || ask(checker, tree, checker.reach().is_some(), config).map(Some);
    if config.naive.is_some() {
        checker.apart(ask)
    } else {
        ask()
    }
}

fn ask(checker: &Checker, tree: &CtlTree, reachable: bool, config: &Config) -> Result<Analysis> {
    let initial = checker.fair_init()?;
    let leaf = |e: ExprId| checker.leaf(e);
    let sat = |e: ExprId| checker.sat(e);
    let question = Question {
        manager: &checker.fsm.manager,
        machine: checker,
        tree,
        initial: &initial,
        reachable,
        leaf: &leaf,
        sat: &sat,
    };
    debug_assert!(initial.leq(checker.fair()));
    analyse(&question, config)
}
