//! LTL with past: a formula holds if no fair path from an initial state satisfies its negation.
//!
//! `(checker of the model, formula) → Verdict`: the negation goes in negation normal form
//! ([`formula`]), becomes an observer ([`tableau`]), and the product with the machine has a fair path
//! or not; the reachable states of the model are its care set. A fair path is shown as a lasso.

mod contradiction;
pub mod formula;
pub mod tableau;

use super::algebra::Machine;
use super::checker::Checker;
use super::outcome::Verdict;
use super::paths::Path;
use crate::encode::BddFsm;
use crate::encode::error::Result;
use crate::model::ExprId;
use crate::trace::{Trace, TraceKind};
use formula::Translator;

/// The verdict, and what NuSMV warns of.
pub struct Answer {
    pub verdict: Verdict,
    /// The negation is false whatever the state; see [`contradiction`].
    pub contradiction: bool,
}

/// Checks an LTL formula; with `show` a false verdict has a trace of that kind.
pub fn check(checker: &Checker, e: ExprId, show: Option<TraceKind>) -> Result<Answer> {
    let mut translator = Translator::new(&checker.fsm.model, |atom| constant(checker.fsm, atom));
    let negated = translator.form(e, false);
    let mut forms = translator.forms;
    let observer = tableau::observer(checker.fsm, &mut forms, negated)?;
    let contradiction = contradiction::is_contradiction(checker.fsm, e)?;
    let answer = |verdict| Answer {
        verdict,
        contradiction,
    };
    if observer.init.is_zero() {
        return Ok(answer(Verdict::True));
    }
    let product = checker.fsm.product(&observer)?;
    let checker = checker.extended(&product, &observer)?;
    let start = checker.fair_init()?;
    if start.is_zero() {
        return Ok(answer(Verdict::True));
    }
    let trace = show.map(|kind| lasso(&checker, kind)).transpose()?;
    Ok(answer(Verdict::False(trace)))
}

/// The value of an atom that has the same one everywhere.
fn constant(fsm: &BddFsm, atom: ExprId) -> Option<bool> {
    let value = fsm.boolean(atom).ok()?;
    value.is_const().then(|| value.is_one())
}

/// A fair lasso from an initial state of a product that has one.
fn lasso(checker: &Checker, kind: TraceKind) -> Result<Trace> {
    let start = checker.fair_init()?;
    let first = checker.fsm.pick_state(&start)?.unwrap_or(start);
    let mut path = Path::new(first);
    checker.lasso_in(&mut path, checker.fair())?;
    path.trace(checker.fsm, kind)
}
