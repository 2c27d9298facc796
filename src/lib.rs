//! nusmv-rs: a symbolic model checker for SMV, drop-in for NuSMV 2.6.0, with vacuity detection and
//! temporal-logic queries.
//!
//! ```text
//! SMV text ─smv-grammar─▶ Ast ─model─▶ FlatModel ─encode─▶ BddFsm ─engine─▶ Verdict + Trace ─report─▶ text | json
//! ```
//!
//! Where is what, in the order of the pipeline:
//!
//! | looking for | module | begin with |
//! |---|---|---|
//! | syntax, source tree, PSL | crate [`smv_grammar`] | [`smv_grammar::parse`], [`smv_grammar::ast::Ast`] |
//! | instances, types, assignments: what the model means | [`model`] | [`model::flatten`], [`model::FlatModel`] |
//! | values of expressions without diagrams; the oracle of replay and tests | [`model::eval`], [`model::explicit`] | [`model::eval::Evaluator`] |
//! | formulas as trees of occurrences | [`logic`] | [`logic::CtlTree`] |
//! | decision diagrams (CUDD) | [`dd`] | [`dd::Manager`], [`dd::Bdd`] |
//! | variable order, expressions as diagrams, transition relation | [`encode`] | [`encode::BddFsm`] |
//! | reachability, CTL, LTL, invariants, COMPUTE | [`engine`] | [`engine::Checker`], [`engine::fixpoint`] |
//! | vacuity | [`engine::vacuity`] | [`engine::vacuity::analyse`] |
//! | queries | [`engine::query`] | [`engine::query::answer()`] |
//! | counterexamples: replay, text, XML, VCD, HTML, JSON | [`trace`] | [`trace::Trace`], [`trace::Plugin`] |
//! | the lines that are printed of results | [`report`] | [`report::verdict`] |
//! | messages on wrong input | [`diag`] | [`diag::Diagnostic`] |
//! | options, batch run, shell, exit codes | [`cli`] | [`cli::options`], [`cli::exit`] |
//!
//! ARCHITECTURE.md tells the decisions behind this, and what each module deliberately lacks.

#![warn(missing_docs)]

pub mod base;
pub mod cli;
pub mod dd;
pub mod diag;
pub mod encode;
pub mod engine;
pub mod logic;
pub mod model;
pub mod report;
pub mod trace;
