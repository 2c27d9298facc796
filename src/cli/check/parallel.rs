//! Properties checked at the same time, in copies of this process (`-j`).
//!
//! This process checks the properties in their order, and once that has taken a while makes copies of
//! itself: each has the machine and what is known of it, and none knows of the others, so diagrams
//! need no locks and nothing has to be transferred. Copies check properties and send back what they found;
//! this process writes it, in order, as if it had found it itself.
//!
//! What is written does not depend on the number of copies, nor on which of them checks what: verdicts and
//! traces of a property follow from the model alone. When to begin is decided by lookups in the computed
//! table, not by the clock. What is needed by many properties (reachable states, fair states) is computed
//! before: properties whose machine has none yet are one piece of work, in their order.
//!
//! What a copy cannot settle (an error, too little memory, its death) is done again here, alone, and so ends as
//! it would have without copies.

use super::{Check, On, Outcome, Work};
use crate::base::crew::{Crew, Event};
use crate::cli::console::Note;
use crate::cli::context::Context;
use crate::cli::exit::Exit;
use crate::cli::limits;
use crate::dd;
use crate::encode::EncodeError;
use crate::engine::safety;
use crate::model::{PropFormula, Property};
use serde::{Deserialize, Serialize};
use std::num::NonZero;
use std::time::{Duration, Instant};

/// Lookups in the computed table from which on copies pay, where nobody has asked for them: about a second.
const PATIENCE: f64 = 4e6;

/// Between two looks at the wish to stop and at the memory.
const TICK: Duration = Duration::from_millis(100);

/// What a copy says of a property.
#[derive(Serialize, Deserialize)]
struct Answer {
    /// None if this process has to find it.
    found: Option<Outcome>,
    /// Too little memory: the other copies should end, too.
    exhausted: bool,
    notes: Vec<Note>,
    /// See [`super::Work::deadlock`].
    deadlock: Option<bool>,
}

/// The machine of a property.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Whole,
    Cone(usize),
}

/// Properties of which one copy checks all, by their places in a list.
type Unit = Vec<usize>;

/// The copies and what has come from them.
struct Desk {
    /// None once they have been sent away.
    crew: Option<Crew>,
    units: Vec<Unit>,
    /// How many units have been given away.
    given: usize,
    answers: Vec<Option<Answer>>,
}

impl<'a> Check<'a> {
    /// Checks what is to be checked, in order.
    pub(super) fn all(&mut self, on: &mut On) -> Result<(), Exit> {
        let selected = self.selected()?;
        let jobs = self.jobs();
        let patience = match self.batch.options.jobs {
            Some(_) => 0.0,
            None => PATIENCE,
        };
        let start = self.lookups(on);
        for (at, &p) in selected.iter().enumerate() {
            let rest = &selected[at..];
            if jobs == 1 || rest.len() == 1 || self.exhausted.is_some() {
                self.one(p, on);
                continue;
            }
            if !self.begin(p) {
                continue;
            }
            let begun = Instant::now();
            let left = patience - (self.lookups(on) - start);
            let mut found = None;
            if left > 0.0 {
                found = self.within(left, p, on);
            }
            if found.is_none()
                && let Some(units) = self.units(rest, on)
            {
                self.in_copies(rest, units, jobs, on);
                break;
            }
            let found = found.unwrap_or_else(|| self.evaluate(p, on));
            self.conclude(p, found, begun);
        }
        Ok(())
    }

    /// How many properties may be checked at the same time. One after the other where someone watches each
    /// step, or asks for what depends on all that was in the one manager.
    fn jobs(&self) -> usize {
        let options = &self.batch.options;
        if options.verbosity >= 2
            || options.accepting.is_some()
            || options.reorder_at_end
            || options.order_out.is_some()
        {
            return 1;
        }
        let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
        options.jobs.unwrap_or_else(cores)
    }

    /// The work done so far, in lookups.
    fn lookups(&self, on: &On) -> f64 {
        match on {
            On::Whole(work) => work.fsm.manager.lookups(),
            On::Cone(_) => self.spent.get(),
        }
    }

    /// What is found of a property within so many lookups, what many properties need not counted. None if
    /// nothing.
    fn within(
        &self,
        lookups: f64,
        p: &Property,
        on: &mut On,
    ) -> Option<Result<Outcome, EncodeError>> {
        // The times of a vacuity pass are told, so it is not done by halves.
        let work = match on {
            On::Whole(work) if self.batch.options.vacuity.is_none() => work,
            _ => return Some(self.evaluate(p, on)),
        };
        let manager = work.fsm.manager.clone();
        self.batch.console().keep_notes();
        let found = manager.with_budget(lookups as u64, || self.evaluate_on(p, work));
        let mut console = self.batch.console();
        let notes = console.take_notes();
        let found = found.transpose()?;
        console.write_notes(notes);
        Some(found)
    }

    /// The pieces of work in `rest`. None if it is but one.
    fn units(&self, rest: &[&Property], on: &mut On) -> Option<Vec<Unit>> {
        let mut units: Vec<(Option<Place>, Unit)> = Vec::new();
        for (i, p) in rest.iter().enumerate() {
            if p.is_unsupported() || self.stopped.contains(&p.kind) {
                continue;
            }
            let shared = match on {
                On::Whole(work) => self.unknown_machine(p, work),
                On::Cone(_) => None,
            };
            let same = |(of, _): &&mut (Option<Place>, Unit)| shared.is_some() && *of == shared;
            match units.iter_mut().find(same) {
                Some((_, unit)) => unit.push(i),
                None => units.push((shared, vec![i])),
            }
        }
        (units.len() > 1).then(|| units.into_iter().map(|(_, unit)| unit).collect())
    }

    /// The machine for a property, if what is needed of it is not known yet.
    fn unknown_machine(&self, p: &Property, work: &mut Work) -> Option<Place> {
        let options = &self.batch.options;
        let fair = match p.formula {
            PropFormula::Invar(_) => false,
            PropFormula::Ctl(e) => {
                !(options.ag_only || options.reachable && safety::applies(work.fsm, e))
            }
            _ => true,
        };
        let cone = match self.may_narrow(p, work) {
            true => work.known.narrow.place(work.fsm, p, options.cone_from),
            false => None,
        };
        let (place, ready) = match cone {
            Some((at, kept)) => {
                let ready = kept.is_some_and(|k| k.known.is_ready(fair, options.reachable));
                (Place::Cone(at), ready)
            }
            None => (Place::Whole, work.known.is_ready(fair, options.reachable)),
        };
        (!ready).then_some(place)
    }

    /// Checks `rest`, of which the first has been announced, in copies of this process.
    fn in_copies(&mut self, rest: &[&'a Property], units: Vec<Unit>, jobs: usize, on: &mut On) {
        let size = jobs.min(units.len());
        self.batch.say(
            1,
            &format!("{size} processes check {} properties\n", rest.len()),
        );
        let deadlock = match on {
            On::Whole(work) => work.known_reach().is_none() && work.known_in_cone().is_none(),
            On::Cone(_) => false,
        };
        let crew = Crew::new(size, dd::calm, |unit, reply| {
            for &i in &units[unit as usize] {
                let answer = self.answer(rest[i], deadlock, on);
                reply.send(i as u32, &serde_json::to_vec(&answer)?)?;
            }
            Ok(())
        });
        let mut desk = Desk {
            crew: crew.ok(),
            units,
            given: 0,
            answers: rest.iter().map(|_| None).collect(),
        };
        for (i, &p) in rest.iter().enumerate() {
            if i > 0 && !self.begin(p) {
                continue;
            }
            let begun = Instant::now();
            let found = match desk.wait_for(i, self.batch) {
                Some(outcome) => Ok(outcome),
                None => match &self.exhausted {
                    Some(why) => Ok(Outcome::unknown(why.clone())),
                    None => self.evaluate(p, on),
                },
            };
            self.conclude(p, found, begun);
        }
        if let On::Whole(work) = on {
            let told = desk.answers.iter().flatten().find_map(|a| a.deadlock);
            work.deadlock = work.deadlock.or(told);
        }
    }

    /// In a copy: all about one property.
    fn answer(&self, p: &Property, deadlock: bool, on: &mut On) -> Answer {
        self.batch.console().keep_notes();
        let found = self.evaluate(p, on);
        let notes = self.batch.console().take_notes();
        Answer {
            exhausted: matches!(found, Err(EncodeError::Dd(_))),
            found: found.ok(),
            notes,
            deadlock: match on {
                On::Whole(work) if deadlock => self.batch.reachable_deadlock(work),
                _ => None,
            },
        }
    }
}

impl Desk {
    /// What was found of a property, once it has been; its notes are written. None if this process has to
    /// find it.
    fn wait_for(&mut self, i: usize, context: &Context) -> Option<Outcome> {
        while self.answers[i].is_none() && self.crew.is_some() {
            let step = match context.token.reason() {
                Some(_) => None,
                None => self.step(),
            };
            let go_on = match step {
                Some(true) => true,
                Some(false) => !limits::together_over(context.options.memory_mb, self.processes()),
                None => false,
            };
            if !go_on {
                self.crew = None;
            }
        }
        let answer = self.answers[i].as_mut()?;
        if answer.exhausted {
            self.crew = None;
        }
        let outcome = answer.found.take()?;
        context
            .console()
            .write_notes(std::mem::take(&mut answer.notes));
        Some(outcome)
    }

    fn processes(&self) -> impl Iterator<Item = u32> {
        self.crew.iter().flat_map(Crew::processes)
    }

    /// Gives work to the copies that have none, and takes what comes within a tick: true if anything did. None if
    /// a copy is lost.
    fn step(&mut self) -> Option<bool> {
        let crew = self.crew.as_mut()?;
        while let Some(unit) = self.units.get(self.given) {
            if !crew.ask(self.given as u32, unit.len()).ok()? {
                break;
            }
            self.given += 1;
        }
        match crew.wait(TICK).ok()? {
            None => Some(false),
            Some(Event::Answer(i, bytes)) => {
                self.answers[i as usize] = Some(serde_json::from_slice(&bytes).ok()?);
                Some(true)
            }
            Some(Event::Lost) => None,
        }
    }
}
