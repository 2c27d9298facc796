//! `QUERYSPEC`, `-query` and `-query_file`: from texts to answers.

use super::check::Work;
use super::context::Context;
use super::exit::Exit;
use crate::encode::EncodeError;
use crate::encode::error::Result;
use crate::engine::query::cubes::value_at;
use crate::engine::query::{Answer, Cube, Question, Shape, answer, shape};
use crate::model::dependencies::coi::{Cones, VarSet};
use crate::model::{
    ExprId, FlatModel, Node, PropFormula, PropKind, Property, Query, Source, VarId, flatten,
};
use crate::report::query::{CSV_HEAD, Report};
use crate::trace::{self, TraceKind};
use smv_grammar::ast::{Ast, Item, Site, Span, SpecKind};
use smv_grammar::ops::{BinOp, UnOp};
use smv_grammar::parse_queries;
use std::ops::Range;
use std::rc::Rc;

impl Context {
    /// The source with the queries of the command line added to `main`; nothing if there are none.
    pub fn with_queries(&self, source: &Source) -> std::result::Result<Option<Source>, Exit> {
        let asked = &self.options.query;
        let mut texts: Vec<(String, Vec<u8>)> = Vec::new();
        for text in &asked.texts {
            texts.push((format!("query \"{text}\""), text.clone().into_bytes()));
        }
        for file in &asked.files {
            let name = file.to_string_lossy().into_owned();
            let Ok(bytes) = std::fs::read(file) else {
                let message = format!("cannot open input file {name}");
                return Err(self.fail(
                    &message,
                    &format!("\nfile {name}: {message}\n{}", self.last_words_of_parser()),
                ));
            };
            texts.push((format!("query file {name}"), bytes));
        }
        if texts.is_empty() {
            return Ok(None);
        }
        let mut source = source.clone();
        for (origin, bytes) in texts {
            let added = add(&mut source.ast, &bytes);
            if let Err(what) = added {
                let message = format!("{origin}: {what}");
                return Err(self.fail(&message, &format!("nusmv-rs: {message}\n")));
            }
        }
        Ok(Some(source))
    }

    /// The flat model with the queries of the command line. The model alone is known to be correct.
    pub fn flatten_with_queries(&self, source: &Source) -> std::result::Result<FlatModel, Exit> {
        flatten(source, &self.flatten_options()).map_err(|messages| {
            let mut exit = Exit::Model;
            for d in &messages.items {
                let message = d.text.trim();
                exit = self.fail(message, &format!("nusmv-rs: {message}\n"));
            }
            exit
        })
    }

    /// Answers all queries of the model, on a machine of their own; with `-coi` each on that of its
    /// cone.
    pub fn answer_queries(
        &self,
        source: &Source,
        model: &Rc<FlatModel>,
    ) -> std::result::Result<Exit, Exit> {
        let mut exit = Exit::Evaluated;
        if model.queries.is_empty() {
            return Ok(exit);
        }
        self.console().csv(CSV_HEAD);
        if self.options.cone {
            let cones = Cones::new(model);
            for (index, query) in model.queries.iter().enumerate() {
                let cone = Some(cones.query_cone(query));
                exit = exit.max(self.answer_on(source, model, cone, index..index + 1)?);
            }
        } else {
            exit = self.answer_on(source, model, None, 0..model.queries.len())?;
        }
        Ok(exit)
    }

    /// Answers some of the queries on one machine.
    fn answer_on(
        &self,
        source: &Source,
        model: &Rc<FlatModel>,
        cone: Option<VarSet>,
        asked: Range<usize>,
    ) -> std::result::Result<Exit, Exit> {
        let queries = &model.queries[asked.clone()];
        let mut fresh: Vec<VarId> = queries.iter().flat_map(|q| q.over.clone()).collect();
        fresh.sort();
        fresh.dedup();
        let fsm = match self.build_with(model, cone, fresh) {
            Ok(fsm) => fsm,
            Err(EncodeError::Dd(error)) => return Ok(self.gave_up("queries", &error.into())),
            Err(error) => {
                self.encode_error(source, &error);
                return Err(Exit::Model);
            }
        };
        let mut work = Work::new(&fsm, self.options.verbosity);
        let mut exit = Exit::Evaluated;
        for (index, query) in asked.zip(queries) {
            match self.one_query(&mut work, query) {
                Ok(found) => {
                    let report = Report {
                        model,
                        query,
                        answer: &found,
                    };
                    let mut console = self.console();
                    console.out(&report.lines());
                    console.csv(&report.csv(index));
                    if let Some(document) = console.document() {
                        document.query(report.json());
                    }
                    drop(console);
                    if found.naive.is_some_and(|n| n.differ > 0) {
                        exit = exit.max(Exit::Internal);
                    }
                    if let Some(k) = self.options.query.trace {
                        exit = exit.max(self.trace_to(source, model, index, &found.some.cubes, k));
                    }
                }
                Err(EncodeError::Dd(error)) => {
                    let what = format!("query {}", query.text);
                    exit = exit.max(self.gave_up(&what, &error.into()));
                }
                Err(error) => {
                    self.encode_error(source, &error);
                    return Err(Exit::Model);
                }
            }
        }
        Ok(exit)
    }

    fn one_query(&self, work: &mut Work, query: &Query) -> Result<Answer> {
        let checker = work.checker(self.options.reachable)?;
        let shape = Shape::new(&checker.fsm.model, query.formula);
        let question = Question {
            checker,
            formula: query.formula,
            shape: &shape,
            over: &query.over,
        };
        let mut told = std::time::Instant::now();
        answer(&question, &self.options.query.config, &mut |done, all| {
            if self.options.verbosity >= 1 && told.elapsed().as_secs() >= 1 {
                told = std::time::Instant::now();
                self.console()
                    .err(format!("naive: {done} of {all} minterms\n"));
            }
        })
    }

    /// `-query_trace`: a path that shows the formula with a solution put in; for the first minterm of
    /// the cube.
    fn trace_to(
        &self,
        source: &Source,
        model: &FlatModel,
        index: usize,
        cubes: &[Cube],
        k: usize,
    ) -> Exit {
        let Some(cube) = k.checked_sub(1).and_then(|i| cubes.get(i)) else {
            let text = &model.queries[index].text;
            self.console().err(format!(
                "nusmv-rs: query {text}: no solution {k} is listed\n"
            ));
            return Exit::Evaluated;
        };
        match self.show_path(model, index, cube, k) {
            Ok(exit) => exit,
            Err(EncodeError::Dd(error)) => self.gave_up("trace to a solution", &error.into()),
            Err(error) => {
                self.encode_error(source, &error);
                Exit::Model
            }
        }
    }

    fn show_path(&self, model: &FlatModel, index: usize, cube: &Cube, k: usize) -> Result<Exit> {
        let query = &model.queries[index];
        let mut model = model.clone();
        let minterm = minterm(&mut model, cube);
        let formula = shape::substitute(&mut model.pool, query.formula, minterm);
        let negated = model
            .pool
            .add(Node::Unary(UnOp::Not, formula), Site::of_line(query.line));
        model.extend_types();
        let text = model.text(negated);
        let model = Rc::new(model);
        let partial = self.options.cone;
        let cone = partial.then(|| Cones::new(&model).cone([negated]));
        let fsm = self.build(&model, cone)?;
        let mut work = Work::new(&fsm, 0);
        let checker = work.checker(self.options.reachable)?;
        let trace = checker.counterexample(negated, TraceKind::CtlCounterexample)?;
        let property = Property {
            index: 0,
            name: None,
            context: String::new(),
            kind: PropKind::Ctl,
            formula: PropFormula::Ctl(negated),
            text,
            words: None,
            source: SpecKind::Ctl(smv_grammar::ast::ExprId(0)),
            span: Span::default(),
            line: query.line,
            completed: None,
        };
        let mut console = self.console();
        if let Err(error) = trace::replay::replay(&model, &property, &trace, partial) {
            let message = format!("query {}: a trace: {error}", query.text);
            console.err(format!("nusmv-rs: internal error: {message}\n"));
            console.fail(Exit::Internal, &message, None);
            return Ok(Exit::Internal);
        }
        let table = trace::build::table(&model, &trace);
        let (text, exit) = self.trace_text(&mut console, &table, index + 1);
        console.out(&format!("--   solution {k} comes about so\n{text}"));
        if let Some(document) = console.document() {
            document.query_trace(trace::json::write(&table));
        }
        Ok(exit)
    }
}

/// Parses queries and adds them to `main`; or what is wrong with them.
fn add(ast: &mut Ast, text: &[u8]) -> std::result::Result<(), String> {
    let specs = parse_queries(ast, text).map_err(|errors| {
        let first = errors.first();
        first.map_or_else(String::new, |e| {
            format!("line {}: {}", e.pos.line, e.message())
        })
    })?;
    if specs.is_empty() {
        return Err("no query in it".to_owned());
    }
    let main = (0..ast.modules.len()).find(|&i| ast.name(ast.modules[i].name) == "main");
    if let Some(main) = main {
        ast.modules[main]
            .items
            .extend(specs.into_iter().map(Item::Spec));
    }
    Ok(())
}

/// The conjunction of the least values of a cube.
fn minterm(model: &mut FlatModel, cube: &Cube) -> ExprId {
    let mut all = None;
    for (v, values) in &cube.values {
        let value = value_at(&model.var(*v).ty, &values.0[0].0);
        let pool = &mut model.pool;
        let mut add = |node| pool.add(node, Site::default());
        let (x, c) = (add(Node::Var(*v)), add(Node::Const(value)));
        let equal = add(Node::Binary(BinOp::Eq, x, c));
        all = Some(match all {
            None => equal,
            Some(others) => add(Node::Binary(BinOp::And, others, equal)),
        });
    }
    all.unwrap_or_else(|| {
        let truth = Node::Const(crate::model::Value::Bool(true));
        model.pool.add(truth, Site::default())
    })
}
