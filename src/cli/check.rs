//! The properties of a model: which, in which order, on which machine, and what is said of each.
//!
//! Without `-coi` one machine serves all properties; with it each gets the machine of its cone.
//! Reachable states and fair states are computed once per machine, when first needed. An error in an
//! expression ends the properties of that kind, as in NuSMV; the others go on.

use super::cones::Narrow;
use super::console::Console;
use super::context::Context;
use super::exit::Exit;
use super::messages::ABORT;
use super::vacuity;
use crate::dd::Bdd;
use crate::dd::cpu_time;
use crate::encode::{BddFsm, EncodeError};
use crate::engine::accepting::Accepting;
use crate::engine::algebra::Machine;
use crate::engine::complete::complete;
use crate::engine::compute::{Computed, compute};
use crate::engine::outcome::{Quantity, Unknown, Verdict};
use crate::engine::reach::Reach;
use crate::engine::vacuity::Analysis;
use crate::engine::{Checker, Suspended, ag_only, invar, ltl};
use crate::model::dependencies::coi::{Cones, checking_order};
use crate::model::{
    ExprId, FlatModel, MinMax, PropFormula, PropKind, Property, PslFormula, Source,
};
use crate::report::vacuity::{Occurrences, Summary};
use crate::report::{self, Warning, verdict};
use crate::trace::replay::ReplayError;
use crate::trace::{self, Trace, TraceKind};
use serde_json::Value;
use std::cell::RefCell;
use std::fs::File;
use std::io::Write;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// One run through the properties.
pub struct Check<'a> {
    batch: &'a Context,
    source: &'a Source,
    model: &'a Rc<FlatModel>,
    /// How many traces were printed.
    traces: usize,
    /// What became of the properties, in the order of checking.
    pub answers: Vec<Answer>,
    /// The traces printed.
    pub shown: Vec<Trace>,
    /// The worst that happened.
    pub exit: Exit,
    /// Kinds that met an error, or everything after an exhaustion.
    stopped: Vec<PropKind>,
    /// Whether an expression had no value: the run ends after the properties.
    pub failed: bool,
    exhausted: Option<Unknown>,
    /// That of `-a FILE` once it is needed; none in it if it cannot be written.
    accepting_file: RefCell<Option<Option<File>>>,
    summary: Summary,
}

/// What became of a property.
pub struct Answer {
    pub index: u32,
    pub status: Status,
    /// Number of the counterexample.
    pub trace: Option<usize>,
}

/// What is known of a property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    #[default]
    Unchecked,
    True,
    False,
    Quantity(Quantity),
}

/// What is said of a property besides its verdict.
#[derive(Default)]
struct Extra {
    lines: String,
    accepting: Option<Accepting>,
    vacuity: Option<Value>,
    /// Traces that show why an atom matters, with their headings.
    witnesses: Vec<(String, Trace)>,
}

/// A machine and what has been computed of it so far.
pub struct Work<'f> {
    pub fsm: &'f BddFsm,
    reach: Reach,
    checker: Option<Checker<'f>>,
    /// The checker is one within the reachable states.
    within_reachable: bool,
    narrow: Narrow,
}

/// What has been computed of a machine, between two commands of the shell.
pub struct Kept {
    reach: Reach,
    checker: Option<Suspended>,
    within_reachable: bool,
    narrow: Narrow,
}

impl Kept {
    /// The reachable states, if all are known.
    pub fn known_reach(&self) -> Option<&Bdd> {
        self.reach.is_closed().then(|| self.reach.states())
    }
}

impl<'f> Work<'f> {
    /// Goes on with what was computed before, if anything was.
    pub fn resume(fsm: &'f BddFsm, kept: Option<Kept>, verbosity: i32) -> Self {
        let Some(kept) = kept else {
            return Work::new(fsm, verbosity);
        };
        Work {
            fsm,
            reach: kept.reach,
            checker: kept.checker.map(|c| Checker::resume(fsm, c)),
            within_reachable: kept.within_reachable,
            narrow: kept.narrow,
        }
    }

    /// What has been computed.
    pub fn suspend(self) -> Kept {
        Kept {
            reach: self.reach,
            checker: self.checker.map(Checker::suspend),
            within_reachable: self.within_reachable,
            narrow: self.narrow,
        }
    }

    pub fn new(fsm: &'f BddFsm, verbosity: i32) -> Self {
        let reach = if verbosity >= 2 {
            Reach::observed(fsm, Rc::new(tell_of_ring))
        } else {
            Reach::new(fsm)
        };
        Work {
            fsm,
            reach,
            checker: None,
            within_reachable: false,
            narrow: Narrow::default(),
        }
    }

    /// All reachable states.
    pub fn reach(&mut self) -> Result<&Reach, EncodeError> {
        self.reach.finish(self.fsm)?;
        Ok(&self.reach)
    }

    /// The reachable states, after so many steps at most.
    pub fn reach_within(&mut self, steps: Option<u64>) -> Result<&Reach, EncodeError> {
        let Some(steps) = steps else {
            return self.reach();
        };
        for _ in 0..steps {
            if !self.reach.step(self.fsm)? {
                break;
            }
        }
        Ok(&self.reach)
    }

    /// A machine of a cone of which all reachable states are known, with these.
    pub fn known_in_cone(&self) -> Option<(Rc<BddFsm>, Bdd)> {
        self.narrow.known()
    }

    /// The reachable states, if all are known already.
    pub fn known_reach(&self) -> Option<&Bdd> {
        self.reach.is_closed().then(|| self.reach.states())
    }

    /// The machine with its fair states; within the reachable states if these are wanted.
    pub fn checker(&mut self, reachable: bool) -> Result<&Checker<'f>, EncodeError> {
        if self.checker.is_none() || (reachable && !self.within_reachable) {
            self.within_reachable = reachable;
            let reach = if reachable {
                self.reach.close(self.fsm)?;
                Some(self.reach.clone())
            } else {
                None
            };
            self.checker = Some(Checker::new(self.fsm, reach)?);
        }
        Ok(self.checker.as_ref().expect("just made"))
    }
}

/// `-v 2`: a line on stderr for each step of the search.
fn tell_of_ring(depth: usize, ring: &Bdd) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "step {depth}: {} nodes", ring.size());
}

impl<'a> Check<'a> {
    pub fn new(batch: &'a Context, source: &'a Source, model: &'a Rc<FlatModel>) -> Self {
        Check {
            batch,
            source,
            model,
            traces: 0,
            answers: Vec::new(),
            shown: Vec::new(),
            exit: Exit::Evaluated,
            stopped: Vec::new(),
            failed: false,
            exhausted: None,
            accepting_file: RefCell::default(),
            summary: Summary::default(),
        }
    }

    /// Traces are numbered from the one after `traces`.
    pub fn after(mut self, traces: usize) -> Self {
        self.traces = traces;
        self
    }

    /// Checks one property on a machine, as the shell does.
    pub fn single(&mut self, p: &'a Property, work: &mut Work) {
        self.one(p, |_| Ok(()), Some(work));
    }

    /// Checks one property on the machine of its cone.
    pub fn single_apart(&mut self, p: &'a Property, cones: &Cones) {
        if self.exhausted.is_some() || p.is_unsupported() {
            self.one(p, |_| Ok(()), None);
            return;
        }
        match self.batch.build(self.model, Some(cones.property_cone(p))) {
            Ok(fsm) => {
                self.batch.warn_of_empty_sets(&fsm);
                let mut work = Work::new(&fsm, self.batch.options.verbosity);
                self.one(p, |_| Ok(()), Some(&mut work));
            }
            Err(error) => self.one(p, |_| Err(error), None),
        }
    }

    /// The properties to check, in order. `Err` if `-n` names none.
    fn selected(&self) -> Result<Vec<&'a Property>, Exit> {
        let options = &self.batch.options;
        let properties = &self.model.properties;
        if let Some(n) = options.property {
            let Some(p) = properties.get(n as usize) else {
                let message = format!("Property indexed by {n} not present in the database.");
                let last = properties.len() as i64 - 1;
                let mut console = self.batch.console();
                console.err(format!(
                    "{message}\nValid index are in the range [0..{last}]\n{ABORT}"
                ));
                console.fail(Exit::Model, &message, None);
                return Err(Exit::Model);
            };
            return Ok(vec![p]);
        }
        let skip = options.skip;
        let skipped = |kind| match kind {
            PropKind::Ctl => skip.ctl,
            PropKind::Compute => skip.compute,
            PropKind::Ltl => skip.ltl,
            PropKind::Psl => skip.psl,
            PropKind::Invar => skip.invar,
        };
        let order = checking_order(self.model);
        let all = order.into_iter().map(|i| &properties[i as usize]);
        Ok(all.filter(|p| !skipped(p.kind)).collect())
    }

    /// Checks all on one machine.
    pub fn together(mut self, work: &mut Work) -> Result<Exit, Exit> {
        for p in self.selected()? {
            self.one(p, |_| Ok(()), Some(work));
        }
        self.finish()
    }

    /// Checks each on the machine of its cone.
    pub fn apart(mut self) -> Result<Exit, Exit> {
        let cones = Cones::new(self.model);
        for p in self.selected()? {
            self.single_apart(p, &cones);
        }
        self.finish()
    }

    /// One property: verdict, line, trace, document.
    fn one(
        &mut self,
        p: &'a Property,
        before: impl FnOnce(&Self) -> Result<(), EncodeError>,
        mut work: Option<&mut Work>,
    ) {
        if self.stopped.contains(&p.kind) {
            return;
        }
        let start = Instant::now();
        if let PropFormula::Psl {
            formula: PslFormula::Unsupported(lines),
            ..
        } = &p.formula
        {
            self.batch.refuse(self.source, self.model, lines);
            self.stopped.push(p.kind);
            self.failed = true;
            return;
        }
        self.batch.say(1, &verdict::evaluating(p));
        let start_cpu = cpu_time();
        let result = match &self.exhausted {
            Some(why) => Ok(Verdict::Unknown(why.clone())),
            None => before(self).and_then(|()| self.verdict(p, work.as_deref_mut())),
        };
        let checked = start.elapsed();
        let check_cpu = cpu_time() - start_cpu;
        let result = result.and_then(|verdict| {
            let extra = match work {
                Some(work) if matches!(verdict, Verdict::True | Verdict::False(_)) => Extra {
                    accepting: self.accepting(p, work)?,
                    ..self.vacuity(p, work, check_cpu)?
                },
                _ => Extra::default(),
            };
            Ok((verdict, extra))
        });
        let (verdict, extra) = match result {
            Ok(both) => both,
            Err(EncodeError::Dd(error)) => {
                (Verdict::Unknown(Unknown::from(error)), Extra::default())
            }
            Err(error) => {
                self.batch.encode_error(self.source, &error);
                self.stopped.push(p.kind);
                self.failed = true;
                return;
            }
        };
        self.report(p, verdict, extra, checked);
    }

    fn verdict(&self, p: &Property, work: Option<&mut Work>) -> Result<Verdict, EncodeError> {
        let not_yet = |what: &str| Verdict::Unknown(Unknown::NotSupported(what.to_owned()));
        let Some(work) = work else {
            return Ok(not_yet(NO_ENGINE));
        };
        match self.within_cone(p, work)? {
            Some(verdict) => Ok(verdict),
            None => self.on_machine(p, work),
        }
    }

    /// The verdict from the machine of the cone, where that is worth while and the same; a trace is
    /// completed to one of the whole model. `None` if the whole machine has to tell.
    fn within_cone(&self, p: &Property, work: &mut Work) -> Result<Option<Verdict>, EncodeError> {
        let options = &self.batch.options;
        if options.cone
            || work.known_reach().is_some()
            || options.print_reachable
            || options.accepting.is_some()
            || options.vacuity.is_some()
            || matches!(p.formula, PropFormula::Compute { .. })
        {
            return Ok(None);
        }
        let Some(lent) = work.narrow.lend(work.fsm, p, options.cone_from)? else {
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
        work.narrow.give_back(lent.at, inner.suspend());
        Ok(match result? {
            Verdict::False(Some(trace)) => complete(work.fsm, &trace)?.map(|mut whole| {
                if let PropFormula::Ltl(e) = p.formula {
                    whole.repeats = ltl::repeats(self.model, e, &whole);
                }
                Verdict::False(Some(whole))
            }),
            verdict => Some(verdict),
        })
    }

    fn on_machine(&self, p: &Property, work: &mut Work) -> Result<Verdict, EncodeError> {
        let options = &self.batch.options;
        let not_yet = |what: &str| Verdict::Unknown(Unknown::NotSupported(what.to_owned()));
        match p.formula {
            PropFormula::Ctl(e) if options.ag_only => {
                let verdict = ag_only::check(work.fsm, &mut work.reach, e, options.traces)?;
                Ok(verdict.unwrap_or_else(|| not_yet(NOT_AG_ONLY)))
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
                    &mut work.reach,
                    e,
                    options.traces,
                    options.invar_strategy,
                )
            }
            PropFormula::Ltl(e) => self.ltl(work, e, TraceKind::LtlCounterexample),
            PropFormula::Psl { ref formula, .. } => match *formula {
                PslFormula::Ltl(e) => self.ltl(work, e, TraceKind::PslCounterexample),
                PslFormula::Ctl(e) => self.ctl(work, e, TraceKind::PslCounterexample),
                PslFormula::Unsupported(_) => Ok(not_yet(NO_ENGINE)),
            },
        }
    }

    fn ctl(&self, work: &mut Work, e: ExprId, kind: TraceKind) -> Result<Verdict, EncodeError> {
        let checker = work.checker(self.batch.options.reachable)?;
        if checker.fair().is_zero() {
            self.batch.warn(Warning::FairEmpty);
        }
        if checker.holds(e)? {
            return Ok(Verdict::True);
        }
        let traces = self.batch.options.traces;
        let trace = traces
            .then(|| checker.counterexample(e, kind))
            .transpose()?;
        Ok(Verdict::False(trace))
    }

    fn ltl(&self, work: &mut Work, e: ExprId, kind: TraceKind) -> Result<Verdict, EncodeError> {
        let options = &self.batch.options;
        if self.model.reads_step(e) {
            // NuSMV makes a machine of its own here too.
            self.batch.warn_of_empty_sets(work.fsm);
        }
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

    /// Writes the verdict. A trace is replayed first; one that fails is not written.
    fn report(&mut self, p: &Property, verdict: Verdict, extra: Extra, time: Duration) {
        let mut table = None;
        let verdict = match verdict {
            Verdict::False(Some(trace)) => match self.replayed(p, &trace) {
                Ok(t) => {
                    table = Some(t);
                    Verdict::False(Some(trace))
                }
                Err(why) => {
                    self.exit = self.exit.max(Exit::Internal);
                    Verdict::Unknown(why)
                }
            },
            other => other,
        };
        let mut console = self.batch.console();
        let (status, shown) = match &verdict {
            Verdict::True => (Status::True, None),
            Verdict::False(trace) => (Status::False, trace.as_ref()),
            Verdict::Quantity(q) => (Status::Quantity(*q), None),
            Verdict::Unknown(_) => (Status::Unchecked, None),
        };
        self.shown.extend(shown.cloned());
        self.answers.push(Answer {
            index: p.index,
            status,
            trace: shown.map(|_| self.traces + 1),
        });
        match &verdict {
            Verdict::True => console.out(&verdict::truth(p, true)),
            Verdict::Quantity(q) => console.out(&verdict::quantity(p, *q)),
            Verdict::False(_) => {
                let mut text = verdict::truth(p, false);
                if let Some(table) = &table {
                    self.traces += 1;
                    text += verdict::DEMONSTRATED;
                    text += &self.batch.trace_text(table, self.traces);
                }
                console.out(&text);
            }
            Verdict::Unknown(Unknown::NotSupported(why)) if why == NOT_AG_ONLY => {
                console.err(verdict::not_ag_only(p));
            }
            Verdict::Unknown(why) => {
                self.exit = self.exit.max(Exit::from(why));
                console.err(verdict::unchecked(p, &why.to_string()));
                if !matches!(why, Unknown::NotSupported(_)) {
                    self.exhausted.get_or_insert(why.clone());
                }
            }
        }
        if let Some(accepting) = &extra.accepting {
            if let Err(exit) = self.tell_accepting(&mut console, p, accepting, &verdict) {
                self.exit = self.exit.max(exit);
            }
        }
        console.out(&extra.lines);
        let mut witnesses = Vec::new();
        for (heading, trace) in &extra.witnesses {
            // It violates another formula, so only its being a path is checked.
            let partial = self.batch.options.cone;
            match trace::replay::replay(self.model, p, trace, partial) {
                Ok(()) | Err(ReplayError::NotViolated(_)) => {}
                Err(error) => {
                    self.exit = self.exit.max(Exit::Internal);
                    console.err(format!("nusmv-rs: internal error: a witness: {error}\n"));
                    continue;
                }
            }
            let table = trace::build::table(self.model, trace);
            self.traces += 1;
            self.shown.push(trace.clone());
            console.out(&format!(
                "{heading}{}",
                self.batch.trace_text(&table, self.traces)
            ));
            witnesses.push(trace::json::write(&table));
        }
        if let Some(document) = console.document() {
            let place = self.source.ast.pos(p.span.start);
            let trace = table.as_ref().map(trace::json::write);
            document.property(p, place, &verdict, trace, time);
            if let Some(accepting) = &extra.accepting {
                document.attach("accepting", report::accepting::json(accepting));
            }
            if let Some(mut vacuity) = extra.vacuity {
                if self.batch.options.witnesses {
                    vacuity["witnesses"] = witnesses.into();
                }
                document.attach("vacuity", vacuity);
            }
        }
    }

    /// The table of a trace that passes replay.
    fn replayed(&self, p: &Property, trace: &Trace) -> Result<trace::Table, Unknown> {
        let partial = self.batch.options.cone;
        match trace::replay::replay(self.model, p, trace, partial) {
            Ok(()) => Ok(trace::build::table(self.model, trace)),
            Err(error) => {
                let mut console = self.batch.console();
                console.err(format!(
                    "nusmv-rs: internal error: the trace for \"{}\" does not replay: {error}\n",
                    p.text.trim()
                ));
                console.fail(Exit::Internal, &error.to_string(), None);
                Err(Unknown::NotSupported(format!(
                    "its counterexample does not replay: {error}"
                )))
            }
        }
    }

    /// Reports every property as not checked.
    pub fn give_up(mut self, why: &Unknown) -> Exit {
        let Ok(selected) = self.selected() else {
            return Exit::Model;
        };
        for p in selected {
            self.report(
                p,
                Verdict::Unknown(why.clone()),
                Extra::default(),
                Duration::ZERO,
            );
        }
        self.batch
            .console()
            .fail(Exit::from(why), &why.to_string(), None);
        self.exit.max(Exit::from(why))
    }

    /// `-a`: which states satisfy a CTL property. `-AG` knows none of them.
    fn accepting(&self, p: &Property, work: &mut Work) -> Result<Option<Accepting>, EncodeError> {
        let options = &self.batch.options;
        match p.formula {
            PropFormula::Ctl(e) if options.accepting.is_some() && !options.ag_only => {
                work.checker(options.reachable)?.accepting(e).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Writes what [`Self::accepting`] found, to standard output or to the end of the file; the first
    /// property empties the file.
    fn tell_accepting(
        &self,
        console: &mut Console,
        p: &Property,
        found: &Accepting,
        verdict: &Verdict,
    ) -> Result<(), Exit> {
        let Some(target) = self.batch.options.accepting.as_ref() else {
            return Ok(());
        };
        if target == "print" {
            console.out(&report::accepting::block(found));
            return Ok(());
        }
        let holds = matches!(verdict, Verdict::True);
        let text = report::accepting::file_block(p, found, holds);
        let mut kept = self.accepting_file.borrow_mut();
        let written = match kept.take() {
            None => File::create(target),
            Some(Some(open)) => Ok(open),
            Some(None) => {
                *kept = Some(None);
                return Ok(());
            }
        }
        .and_then(|mut file| file.write_all(text.as_bytes()).map(|()| file));
        let (file, result) = match written {
            Ok(file) => (Some(file), Ok(())),
            Err(error) => {
                let message = format!("Unable to write file \"{}\": {error}", target.display());
                console.err(format!("{message}\n"));
                console.fail(Exit::Model, &message, None);
                (None, Err(Exit::Model))
            }
        };
        *kept = Some(file);
        result
    }

    /// `-vacuity`: the analysis of one property, whose plain check took `check` of CPU time.
    fn vacuity(
        &mut self,
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
        self.summary.add(&analysis, check);
        if analysis.naive.is_some_and(|n| !n.agrees) {
            self.exit = self.exit.max(Exit::Internal);
        }
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

    fn finish(self) -> Result<Exit, Exit> {
        if let Some(config) = &self.batch.options.vacuity {
            let mut console = self.batch.console();
            console.out(&self.summary.lines(config.engine));
            if let Some(document) = console.document() {
                document.extra("vacuity", self.summary.json());
            }
        }
        if self.failed {
            self.batch.console().err(self.batch.last_words());
            return Err(Exit::Model);
        }
        Ok(self.exit)
    }
}

const NOT_AG_ONLY: &str = "not of the form AG p, which is all that -AG checks";
const NO_ENGINE: &str = "this kind of property has no engine here yet";
