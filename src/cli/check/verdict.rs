//! The verdict on one property: by which engine, and on the machine of the whole model or of a cone.

use super::{Check, Work};
use crate::encode::EncodeError;
use crate::engine::algebra::Machine;
use crate::engine::complete::complete;
use crate::engine::compute::{Computed, compute};
use crate::engine::outcome::{Unknown, Verdict};
use crate::engine::{ag_only, invar, ltl, safety};
use crate::model::{ExprId, MinMax, PropFormula, Property, PslFormula};
use crate::report::Warning;
use crate::trace::{Trace, TraceKind};
use std::rc::Rc;

impl Check<'_> {
    pub(super) fn verdict(&self, p: &Property, work: &mut Work) -> Result<Verdict, EncodeError> {
        match self.within_cone(p, work)? {
            Some(verdict) => Ok(verdict),
            None => self.on_machine(p, work),
        }
    }

    /// The verdict from the machine of the cone, where that is worth while and the same; a trace is
    /// completed to one of the whole model. `None` if the whole machine has to tell.
    fn within_cone(&self, p: &Property, work: &mut Work) -> Result<Option<Verdict>, EncodeError> {
        if !self.may_narrow(p, work) {
            return Ok(None);
        }
        let options = &self.batch.options;
        let Some(lent) = work.known.narrow.lend(work.fsm, p, options.cone_from)? else {
            return Ok(None);
        };
        let fsm = Rc::clone(&lent.fsm);
        let mut inner = Work::resume(&fsm, lent.kept, options.verbosity);
        if options.verbosity >= 1 {
            let (cone, all) = (fsm.state_bits.len(), work.fsm.state_bits.len());
            let text = format!("checked in its cone of influence, {cone} of {all} state bits\n");
            self.batch.console().err(text);
        }
        let result = self.on_machine(p, &mut inner);
        work.known.narrow.give_back(lent.at, inner.suspend());
        Ok(match result? {
            Verdict::False(Some(trace)) => complete(work.fsm, &trace)?.map(|mut whole| {
                if let PropFormula::Ltl(e) = *p.checked() {
                    whole.repeats = ltl::repeats(self.model, e, &whole);
                }
                Verdict::False(Some(whole))
            }),
            verdict => Some(verdict),
        })
    }

    /// Whether [`Self::within_cone`] looks for a cone. This must not depend on what was checked before: the
    /// trace of a property does not depend on the others.
    pub(super) fn may_narrow(&self, p: &Property, work: &Work) -> bool {
        let options = &self.batch.options;
        let known = || work.known_reach().is_some();
        !(options.cone
            || *self.known_before.get_or_init(known)
            || options.print_reachable
            || options.accepting.is_some()
            || options.vacuity.is_some()
            || matches!(p.formula, PropFormula::Compute { .. }))
    }

    fn on_machine(&self, p: &Property, work: &mut Work) -> Result<Verdict, EncodeError> {
        let options = &self.batch.options;
        match *p.checked() {
            PropFormula::Ctl(e)
            | PropFormula::Psl {
                formula: PslFormula::Ctl(e),
                ..
            } if options.ag_only => {
                let verdict = ag_only::check(work.fsm, &mut work.known.reach, e, options.traces)?;
                Ok(verdict.unwrap_or_else(|| {
                    Verdict::Unknown(Unknown::NotSupported(NOT_AG_ONLY.to_owned()))
                }))
            }
            PropFormula::Ctl(e) => self.ctl(work, e, TraceKind::CtlCounterexample),
            PropFormula::Compute { op, start, target } => {
                let reachable = work.reach()?.states().clone();
                let checker = work.checker(options.reachable)?;
                let found = compute(checker, &reachable, op, start, target)?;
                if op == MinMax::Max {
                    self.warn_of_no_distance(&found);
                }
                Ok(Verdict::Quantity(found.quantity))
            }
            PropFormula::Invar(e) => {
                if self.model.reads_step(e) {
                    // NuSMV makes a machine of its own for such an invariant, and warns again.
                    self.batch.warn_of_empty_sets(work.fsm);
                }
                invar::check(
                    work.fsm,
                    &mut work.known.reach,
                    e,
                    options.traces,
                    options.invar_strategy,
                )
            }
            PropFormula::Ltl(e) => self.ltl(work, e, TraceKind::LtlCounterexample),
            PropFormula::Psl { ref formula, .. } => match *formula {
                PslFormula::Ltl(e) => self.ltl(work, e, TraceKind::PslCounterexample),
                PslFormula::Ctl(e) => self.ctl(work, e, TraceKind::PslCounterexample),
                PslFormula::Unsupported(_) => Ok(Verdict::Unknown(no_engine())),
            },
        }
    }

    fn ctl(&self, work: &mut Work, e: ExprId, kind: TraceKind) -> Result<Verdict, EncodeError> {
        let options = &self.batch.options;
        if options.reachable && !work.known.is_ready(true, true) {
            let kind = options.traces.then_some(kind);
            if let Some(verdict) = safety::check(work.fsm, &mut work.known.reach, e, kind)? {
                return Ok(verdict);
            }
        }
        let checker = work.checker(options.reachable)?;
        if checker.fair().is_zero() {
            // What has no value is an error all the same.
            for atom in self.model.atoms(e) {
                checker.leaf(atom)?;
            }
            self.batch.warn(Warning::FairEmpty);
        }
        if checker.holds(e)? {
            return Ok(Verdict::True);
        }
        if !options.traces {
            return Ok(Verdict::False(None));
        }
        let trace = match work.known.traces.get(&e) {
            Some(known) => Trace {
                kind,
                ..known.clone()
            },
            None => {
                let checker = work.checker(options.reachable)?;
                let trace = checker.counterexample(e, kind)?;
                if self.is_shared(e) {
                    work.known.traces.insert(e, trace.clone());
                }
                trace
            }
        };
        Ok(Verdict::False(Some(trace)))
    }

    /// Whether several properties are about this CTL formula.
    fn is_shared(&self, e: ExprId) -> bool {
        let all = self.model.properties.iter();
        let same = all.filter(|p| matches!(*p.checked(), PropFormula::Ctl(other) if other == e));
        same.count() > 1
    }

    fn ltl(&self, work: &mut Work, e: ExprId, kind: TraceKind) -> Result<Verdict, EncodeError> {
        let options = &self.batch.options;
        if self.model.reads_step(e) {
            // NuSMV makes a machine of its own here too.
            self.batch.warn_of_empty_sets(work.fsm);
        }
        ltl::atoms_have_values(work.fsm, e)?;
        let checker = work.checker(options.reachable)?;
        let config = ltl::Config {
            trace: options.traces.then_some(kind),
            forward: options.fair_forward,
            reach_product: options.reach_tableau,
        };
        let answer = ltl::check(checker, e, &config)?;
        if answer.contradiction {
            self.batch.warn(Warning::InitialEmpty);
        }
        Ok(answer.verdict)
    }

    fn warn_of_no_distance(&self, found: &Computed) {
        let mut console = self.batch.console();
        if found.no_fair_state {
            console.err("Warning: fair states are empty. Check FSM totality with check_fsm.\n");
        }
        if found.no_start {
            console.err("Warning: in COMPUTE initial state is empty\n");
        } else if found.no_target {
            console.err("Warning: in COMPUTE final state is empty\n");
        }
    }
}

pub(super) const NOT_AG_ONLY: &str = "not of the form AG p, which is all that -AG checks";

/// For properties that no engine checks.
pub(super) fn no_engine() -> Unknown {
    Unknown::NotSupported("this kind of property has no engine here yet".to_owned())
}
