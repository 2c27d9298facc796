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
use crate::report::verdict as lines;
use crate::report::{self, warning};
use crate::trace::replay::ReplayError;
use crate::trace::{self, Table, Trace};
use std::fs::File;
use std::io::Write;

impl Check<'_> {
    /// Writes what was found, once its trace has passed replay.
    pub(super) fn report(&mut self, p: &Property, outcome: Outcome) {
        let Outcome {
            verdict,
            extra,
            time,
        } = outcome;
        self.summary.add(&extra.summary);
        if extra.summary.disagreements > 0 {
            self.worsen(Exit::Internal);
        }
        let (verdict, table) = self.replayed(p, verdict);
        let place_of_trace = self.shown.len();
        // Held to the end, so that the watchdog finds nothing half written.
        let batch = self.batch;
        let mut console = batch.console();
        self.tell_verdict(&mut console, p, &verdict, table.as_ref());
        if let Some(accepting) = &extra.accepting {
            let told = self.tell_accepting(&mut console, p, accepting, &verdict);
            self.worsen(told.err().unwrap_or(Exit::Evaluated));
        }
        console.out(&extra.lines);
        let witnesses = self.tell_witnesses(&mut console, p, &extra.witnesses);
        if let Some(document) = console.document() {
            let place = self.source.ast.pos(p.span.start);
            let trace = table.as_ref().map(trace::json::write);
            document.property(p, place, &verdict, trace, time);
            if let Some(accepting) = &extra.accepting {
                document.attach("accepting", report::accepting::json(accepting));
            }
            if let Some(mut vacuity) = extra.vacuity {
                if batch.options.witnesses {
                    vacuity["witnesses"] = witnesses.into();
                }
                document.attach("vacuity", vacuity);
            }
        }
        if let Verdict::False(Some(trace)) = verdict {
            self.shown.insert(place_of_trace, trace);
        }
    }

    fn worsen(&mut self, exit: Exit) {
        self.exit = self.exit.max(exit);
    }

    /// The verdict with the table of its trace; unknown if the trace does not pass replay.
    fn replayed(&mut self, p: &Property, verdict: Verdict) -> (Verdict, Option<Table>) {
        let Verdict::False(Some(trace)) = &verdict else {
            return (verdict, None);
        };
        let partial = self.batch.options.cone;
        let Err(error) = trace::replay::replay(self.model, p, trace, partial) else {
            let table = trace::build::table(self.model, trace);
            return (verdict, Some(table));
        };
        self.worsen(Exit::Internal);
        let mut console = self.batch.console();
        console.err(format!(
            "nusmv-rs: internal error: the trace for \"{}\" does not replay: {error}\n",
            p.text.trim()
        ));
        console.fail(Exit::Internal, &error.to_string(), None);
        let why = format!("its counterexample does not replay: {error}");
        (Verdict::Unknown(Unknown::NotSupported(why)), None)
    }

    /// The line of the verdict, with the trace behind it; [`Self::answers`] gets its entry.
    fn tell_verdict(
        &mut self,
        console: &mut Console,
        p: &Property,
        verdict: &Verdict,
        table: Option<&Table>,
    ) {
        let options = &self.batch.options;
        let style = options.property_style;
        if is_ltl(&p.formula) && !options.syntactic_checks {
            // The tableau is a model of its own.
            console.out(warning::UNCHECKED_NOTE);
        }
        let (status, text) = match verdict {
            Verdict::True => (Status::True, lines::truth(p, style, true)),
            Verdict::Quantity(q) => (Status::Quantity(*q), lines::quantity(p, style, *q)),
            Verdict::False(_) => (Status::False, lines::truth(p, style, false)),
            Verdict::Unknown(_) => (Status::Unchecked, String::new()),
        };
        let trace = table.map(|table| (self.next_trace(), table));
        self.answers.push(Answer {
            index: p.index,
            status,
            trace: trace.map(|(number, _)| number),
        });
        match (verdict, trace) {
            (Verdict::Unknown(Unknown::NotSupported(why)), _) if why == NOT_AG_ONLY => {
                console.err(lines::not_ag_only(p, style));
            }
            (Verdict::Unknown(why), _) => {
                self.worsen(Exit::from(why));
                console.err(lines::unchecked(p, style, &why.to_string()));
                if !matches!(why, Unknown::NotSupported(_)) {
                    self.exhausted.get_or_insert(why.clone());
                }
            }
            (_, Some((number, table))) => {
                let (trace, exit) = self.batch.trace_text(console, table, number);
                self.worsen(exit);
                console.out(&(text + lines::DEMONSTRATED + &trace));
            }
            (_, None) => console.out(&text),
        }
    }

    /// Writes the traces that show why atoms matter, and returns them for the document.
    fn tell_witnesses(
        &mut self,
        console: &mut Console,
        p: &Property,
        witnesses: &[(String, Trace)],
    ) -> Vec<serde_json::Value> {
        let mut told = Vec::new();
        for (heading, trace) in witnesses {
            // It violates another formula, so only its being a path is checked.
            let partial = self.batch.options.cone;
            match trace::replay::replay(self.model, p, trace, partial) {
                Ok(()) | Err(ReplayError::NotViolated(_)) => {}
                Err(error) => {
                    self.worsen(Exit::Internal);
                    console.err(format!("nusmv-rs: internal error: a witness: {error}\n"));
                    continue;
                }
            }
            let table = trace::build::table(self.model, trace);
            let number = self.next_trace();
            self.shown.push(trace.clone());
            let (text, exit) = self.batch.trace_text(console, &table, number);
            self.worsen(exit);
            console.out(&format!("{heading}{text}"));
            told.push(trace::json::write(&table));
        }
        told
    }

    /// The number of the trace that is written next.
    fn next_trace(&mut self) -> usize {
        self.traces += 1;
        self.traces
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

fn is_ltl(formula: &PropFormula) -> bool {
    match formula {
        PropFormula::Psl { formula, .. } => matches!(formula, PslFormula::Ltl(_)),
        formula => matches!(formula, PropFormula::Ltl(_)),
    }
}
