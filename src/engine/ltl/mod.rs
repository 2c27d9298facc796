//! LTL with past: a formula holds if no fair path from an initial state satisfies its negation.
//!
//! `(checker of the model, formula) → Verdict`: the negation goes in negation normal form
//! ([`formula`]), and is decided on the machine itself if it needs no more ([`fragment`]); else it
//! becomes an observer ([`tableau`]), and the product with the machine has a fair path or not
//! ([`emptiness`]). A fair path is shown as a lasso, from which detours are taken out ([`shorten`]), with a shortest stem ([`stem`]).

mod contradiction;
mod emptiness;
pub mod formula;
mod forward;
mod fragment;
mod repeats;
mod shorten;
mod stem;
pub mod tableau;
#[cfg(test)]
mod tests;

use super::algebra::Machine;
use super::checker::Checker;
use super::outcome::{Unknown, Verdict};
use super::paths::Path;
use crate::dd::DdError;
use crate::encode::BddFsm;
use crate::encode::error::{EncodeError, Result};
use crate::logic::{CtlTree, NodeId};
use crate::model::ExprId;
use crate::trace::{Trace, TraceKind};
use formula::{MAX_STEPS, Translator};
use fragment::Fragment;
pub use repeats::repeats;

/// What is wanted of a check.
#[derive(Clone, Copy, Debug, Default)]
pub struct Config {
    /// Show a counterexample of this kind.
    pub trace: Option<TraceKind>,
    /// Search for fair paths forward (`-ojeba EL_fwd`): verdicts without traces.
    pub forward: bool,
    /// Compute the reachable states of the product (`-flt`).
    pub reach_product: bool,
}

/// The verdict, and what NuSMV warns of.
pub struct Answer {
    /// With a lasso where it is false.
    pub verdict: Verdict,
    /// The negation is false whatever the state; see [`contradiction`].
    pub contradiction: bool,
}

/// Checks an LTL formula.
pub fn check(checker: &Checker, e: ExprId, config: &Config) -> Result<Answer> {
    let fsm = checker.fsm;
    let mut translator = Translator::new(&fsm.model, |atom| constant(fsm, atom));
    let negated = translator.form(e, false);
    let Some(mut forms) = translator.finish() else {
        let why = format!("its bounds are more than {MAX_STEPS} steps together");
        return Ok(Answer {
            verdict: Verdict::Unknown(Unknown::NotSupported(why)),
            contradiction: false,
        });
    };
    let contradiction = contradiction::is_contradiction(fsm, e)?;
    let answer = |verdict| Answer {
        verdict,
        contradiction,
    };
    if checker.fair_init()?.is_zero() {
        return Ok(answer(Verdict::True));
    }
    if !config.forward {
        let mut fragment = Fragment::new(checker, &forms);
        match (fragment.has_path(negated)?, config.trace) {
            (Some(false), _) => return Ok(answer(Verdict::True)),
            (Some(true), None) => return Ok(answer(Verdict::False(None))),
            // The product shows what NuSMV's shows.
            (Some(true), Some(_)) | (None, _) => {}
        }
    }
    let observer = tableau::observer(fsm, &mut forms, negated)?;
    let product = fsm.product(&observer)?;
    let search = emptiness::Search::new(checker, &product, &observer, config);
    let Some(checker) = search.run()? else {
        return Ok(answer(Verdict::True));
    };
    let trace = match config.trace.filter(|_| !config.forward) {
        Some(kind) => Some(short_lasso(&checker, e, kind)?),
        None => None,
    };
    Ok(answer(Verdict::False(trace)))
}

/// Encodes the atoms of a formula, as NuSMV does even where they decide nothing; first those that read inputs or
/// next values.
pub fn atoms_have_values(fsm: &BddFsm, e: ExprId) -> Result<()> {
    let model = &fsm.model;
    let atoms = model
        .atoms(e)
        .into_iter()
        .filter(|&a| model.folded(a).is_none());
    let mut atoms: Vec<(bool, ExprId)> = atoms.map(|a| (model.reads_step(a), a)).collect();
    atoms.sort_by_key(|&(of_step, _)| !of_step);
    for (of_step, e) in atoms {
        fsm.boolean(e).map_err(|error| match error {
            EncodeError::Dd(_) => error,
            why => EncodeError::Tableau {
                of_step,
                why: Box::new(why),
            },
        })?;
    }
    Ok(())
}

/// Whether an LTL formula holds with some nodes of its tree replaced by constants.
pub fn holds_with(checker: &Checker, tree: &CtlTree, replaced: &[(NodeId, bool)]) -> Result<bool> {
    let fsm = checker.fsm;
    let mut translator = Translator::new(&fsm.model, |atom| constant(fsm, atom));
    let negated = translator.form_with(tree, tree.root(), replaced, false);
    let mut forms = translator.finish().ok_or(DdError::NodeLimit)?;
    if checker.fair_init()?.is_zero() {
        return Ok(true);
    }
    if let Some(fails) = Fragment::new(checker, &forms).has_path(negated)? {
        return Ok(!fails);
    }
    let observer = tableau::observer(fsm, &mut forms, negated)?;
    let product = fsm.product(&observer)?;
    let config = Config::default();
    let search = emptiness::Search::new(checker, &product, &observer, &config);
    Ok(search.run()?.is_none())
}

/// The value of an atom that has the same one everywhere.
fn constant(fsm: &BddFsm, atom: ExprId) -> Option<bool> {
    if let Some(known) = fsm.model.folded(atom) {
        return Some(known);
    }
    let value = fsm.boolean(atom).ok()?;
    value.is_const().then(|| value.is_one())
}

/// A lasso with a shortest stem, then a short loop; of equals the one that NuSMV would find.
fn short_lasso(checker: &Checker, e: ExprId, kind: TraceKind) -> Result<Trace> {
    let size = |t: &Trace| (t.loop_to, t.steps.len());
    let mut best = shorten::shorten(&checker.fsm.model, e, lasso(checker, kind)?);
    for path in stem::shortest(checker, best.loop_to.unwrap_or(0))? {
        let trace = path.trace(checker.fsm, kind)?;
        let trace = shorten::shorten(&checker.fsm.model, e, trace);
        if size(&trace) < size(&best) {
            best = trace;
        }
    }
    best.repeats = repeats(&checker.fsm.model, e, &best);
    Ok(best)
}

/// A fair lasso from an initial state of a product that has one.
fn lasso(checker: &Checker, kind: TraceKind) -> Result<Trace> {
    let start = checker.fair_init()?;
    let first = checker.fsm.pick_state(&start)?.unwrap_or(start);
    let mut path = Path::new(first);
    checker.lasso_in(&mut path, checker.fair())?;
    path.trace(checker.fsm, kind)
}
