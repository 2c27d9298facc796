//! Engines: machine and property → verdict with evidence.
//!
//! [`reach`] computes reachable states, [`checker`] adds fair states and holds what checks share,
//! [`ctl`] evaluates formulas by the operators of [`fixpoint`] over an [`algebra`] (state sets, or words
//! for [`vacuity`]), [`invar`], [`ag_only`], [`compute`] and [`totality`] answer the other
//! questions, [`explain`] finds traces.
//!
//! Deliberately absent: printing, options, files.

pub mod algebra;
pub mod checker;
pub mod ctl;
pub mod fixpoint;
pub mod obligations;
pub mod outcome;
pub mod reach;
pub mod vacuity;

pub use checker::Checker;
