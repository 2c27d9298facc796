//! What `-vacuity` adds to the check of one property.

use super::{Check, Extra, Work};
use crate::cli::vacuity;
use crate::encode::EncodeError;
use crate::engine::ltl;
use crate::engine::outcome::Verdict;
use crate::engine::vacuity::Analysis;
use crate::model::{PropKind, Property};
use crate::report;
use crate::report::vacuity::{Occurrences, Summary};
use crate::trace::{Trace, TraceKind};
use std::time::Duration;

impl Check<'_> {
    /// `-vacuity`: the analysis of one property, whose plain check took `check` of CPU time.
    pub(super) fn vacuity(
        &self,
        p: &Property,
        work: &mut Work,
        check: Duration,
    ) -> Result<Extra, EncodeError> {
        let options = &self.batch.options;
        let mut extra = Extra::default();
        let Some(config) = &options.vacuity else {
            return Ok(extra);
        };
        let Some(tree) = vacuity::tree(self.model, &self.source.ast, p) else {
            return Ok(extra);
        };
        let found = vacuity::of_property(work, &tree, p, options.reachable, config)?;
        let Some(analysis) = found else {
            extra.lines = "--   not analysed for vacuity: it reads inputs or next values\n".into();
            return Ok(extra);
        };
        extra.summary = Summary::of(&analysis, check);
        let at = Occurrences {
            ast: &self.source.ast,
            tree: &tree,
        };
        extra.lines = report::vacuity::lines(&analysis, &at);
        extra.vacuity = Some(report::vacuity::json(&analysis, &at));
        if options.witnesses && analysis.truth {
            extra.witnesses = self.witnesses(p, work, &analysis, &at)?;
        }
        Ok(extra)
    }

    /// For each atom that matters in a true formula, a counterexample to the formula with the
    /// atom replaced.
    fn witnesses(
        &self,
        p: &Property,
        work: &mut Work,
        analysis: &Analysis,
        at: &Occurrences,
    ) -> Result<Vec<(String, Trace)>, EncodeError> {
        let mut found = Vec::new();
        let replaced = self.batch.replaced.borrow();
        let unfair;
        let (checker, kind) = match p.kind {
            PropKind::Ctl => (
                work.checker(self.batch.options.reachable)?,
                TraceKind::CtlCounterexample,
            ),
            PropKind::Ltl => (
                work.checker(self.batch.options.reachable)?,
                TraceKind::LtlCounterexample,
            ),
            PropKind::Invar => {
                unfair = vacuity::of_invariants(work)?;
                (&unfair, TraceKind::AgAlphaCounterexample)
            }
            _ => return Ok(found),
        };
        for atom in analysis.atoms.iter().filter(|a| !a.vacuous) {
            for constant in [false, true] {
                let Some(&e) = replaced.get(&(p.index, atom.node, constant)) else {
                    continue;
                };
                let trace = if p.kind == PropKind::Ltl {
                    let config = ltl::Config {
                        trace: Some(kind),
                        ..ltl::Config::default()
                    };
                    let Verdict::False(Some(trace)) = ltl::check(checker, e, &config)?.verdict
                    else {
                        continue;
                    };
                    trace
                } else {
                    if checker.holds(e)? {
                        continue;
                    }
                    checker.counterexample(e, kind)?
                };
                found.push((
                    report::vacuity::witness_heading(atom.node, constant, at),
                    trace,
                ));
                break;
            }
        }
        Ok(found)
    }
}
