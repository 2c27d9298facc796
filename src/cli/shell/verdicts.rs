//! Properties are checked in NuSMV's order, each once: what came out is kept with the session.

use super::session::{Parts, Record, Session};
use super::{Answer, Stop};
use crate::cli::check::{self, Check, Work};
use crate::cli::exit::Exit;
use crate::cli::vacuity;
use crate::model::dependencies::coi::{Cones, by_cone, checking_order};
use crate::model::{FlatModel, PropKind};
use crate::trace::Trace;
use std::rc::Rc;

impl Session {
    /// Numbers of the properties (of a kind) in the order in which NuSMV checks them.
    pub fn in_order(&self, kind: Option<PropKind>) -> Answer<Vec<usize>> {
        let model = self.model()?;
        let all = checking_order(model, self.small_cones_first()).into_iter();
        let all = all.map(|i| i as usize);
        Ok(all
            .filter(|&i| kind.is_none_or(|k| model.properties[i].kind == k))
            .collect())
    }

    fn small_cones_first(&self) -> bool {
        self.variables.is_on("use_coi_size_sorting")
    }

    /// Numbers of all properties in the order in which `check_property` takes them, whatever their kind.
    pub fn by_size(&self) -> Answer<Vec<usize>> {
        let model = self.model()?;
        if !self.small_cones_first() {
            return Ok((0..model.properties.len()).collect());
        }
        Ok(by_cone(model).into_iter().map(|i| i as usize).collect())
    }

    /// Checks all properties.
    pub fn check_all(&mut self) -> Answer {
        let all = self.in_order(None)?;
        self.check(&all)
    }

    /// Checks those of the properties that have not been.
    pub fn check(&mut self, chosen: &[usize]) -> Answer {
        let todo: Vec<usize> = chosen
            .iter()
            .copied()
            .filter(|&i| self.records[i].status == Default::default())
            .collect();
        if todo.is_empty() {
            return Ok(());
        }
        let (answers, traces, failed) = self.with_work(|parts, work| {
            let options = &parts.context.options;
            if options.witnesses && options.vacuity.is_some() {
                return with_witnesses(parts, &todo);
            }
            let mut check =
                Check::new(parts.context, parts.source, parts.model).after(parts.traces);
            let cones = parts.context.options.cone.then(|| Cones::new(parts.model));
            for &i in &todo {
                let p = &parts.model.properties[i];
                match &cones {
                    Some(cones) => check.single_apart(p, cones),
                    None => check.single(p, work),
                }
            }
            let failed = check.failed || check.exit != Exit::Evaluated;
            Ok((check.answers, check.shown, failed))
        })??;
        for a in answers {
            self.records[a.index as usize] = Record {
                status: a.status,
                trace: a.trace,
            };
        }
        self.traces.extend(traces);
        if failed { Err(Stop::Failed) } else { Ok(()) }
    }
}

type Checked = (Vec<check::Answer>, Vec<Trace>, bool);

/// Analyses properties with traces that show why atoms matter. These are about formulas that the model of the
/// session does not hold, so this is done on a model and a machine of their own.
fn with_witnesses(parts: &Parts, todo: &[usize]) -> Answer<Checked> {
    let context = parts.context;
    let mut model = FlatModel::clone(parts.model);
    let replaced = vacuity::prepare_replacements(&mut model, &parts.source.ast);
    *context.replaced.borrow_mut() = replaced;
    let model = Rc::new(model);
    let fsm = match context.build(&model, None) {
        Ok(fsm) => fsm,
        Err(error) => {
            context.encode_error(parts.source, &error);
            return Err(Stop::Failed);
        }
    };
    let mut check = Check::new(context, parts.source, &model).after(parts.traces);
    let mut work = Work::new(&fsm, context.options.verbosity);
    for &i in todo {
        check.single(&model.properties[i], &mut work);
    }
    let failed = check.failed || check.exit != Exit::Evaluated;
    Ok((check.answers, check.shown, failed))
}
