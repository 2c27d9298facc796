//! What is written of one property: its line, its trace, what was asked for besides, its entry in the
//! document. No trace is written that does not replay.

use super::verdict::NOT_AG_ONLY;
use super::{Answer, Check, Outcome, Status, Work};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::encode::EncodeError;
use crate::engine::accepting::Accepting;
use crate::engine::outcome::{Unknown, Verdict};
use crate::model::{PropFormula, Property, PslFormula};
use crate::report::{self, verdict, warning};
use crate::trace::replay::ReplayError;
use crate::trace::{self, Trace};
use std::fs::File;
use std::io::Write;

impl Check<'_> {
    /// Writes the verdict. A trace is replayed first; one that fails is not written.
    pub(super) fn report(&mut self, p: &Property, outcome: Outcome) {
        let Outcome {
            verdict,
            extra,
            time,
        } = outcome;
        self.summary.add(&extra.summary);
        if extra.summary.disagreements > 0 {
            self.exit = self.exit.max(Exit::Internal);
        }
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
        let style = self.batch.options.property_style;
        let mut console = self.batch.console();
        let formula = match &p.formula {
            PropFormula::Psl { formula, .. } => matches!(formula, PslFormula::Ltl(_)),
            formula => matches!(formula, PropFormula::Ltl(_)),
        };
        if formula && !self.batch.options.syntactic_checks {
            // The tableau is a model of its own.
            console.out(warning::UNCHECKED_NOTE);
        }
        let (status, shown) = match &verdict {
            Verdict::True => (Status::True, None),
            Verdict::False(trace) => (Status::False, trace.as_ref()),
            Verdict::Quantity(q) => (Status::Quantity(*q), None),
            Verdict::Unknown(_) => (Status::Unchecked, None),
        };
        let place_of_trace = self.shown.len();
        self.answers.push(Answer {
            index: p.index,
            status,
            trace: shown.map(|_| self.traces + 1),
        });
        match &verdict {
            Verdict::True => console.out(&verdict::truth(p, style, true)),
            Verdict::Quantity(q) => console.out(&verdict::quantity(p, style, *q)),
            Verdict::False(_) => {
                let mut text = verdict::truth(p, style, false);
                if let Some(table) = &table {
                    self.traces += 1;
                    text += verdict::DEMONSTRATED;
                    text += &self.batch.trace_text(table, self.traces);
                }
                console.out(&text);
            }
            Verdict::Unknown(Unknown::NotSupported(why)) if why == NOT_AG_ONLY => {
                console.err(verdict::not_ag_only(p, style));
            }
            Verdict::Unknown(why) => {
                self.exit = self.exit.max(Exit::from(why));
                console.err(verdict::unchecked(p, style, &why.to_string()));
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
        if let Verdict::False(Some(trace)) = verdict {
            self.shown.insert(place_of_trace, trace);
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

    /// `-a`: which states satisfy a CTL property. `-AG` knows none of them.
    pub(super) fn accepting(
        &self,
        p: &Property,
        work: &mut Work,
    ) -> Result<Option<Accepting>, EncodeError> {
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
}
