//! Engines: machine and property → verdict with evidence.
//!
//! [`reach`] computes reachable states, [`checker`] adds fair states and holds what checks share,
//! [`ctl`] evaluates formulas by the operators of [`fixpoint`] over an [`algebra`] (state sets, or words
//! for [`vacuity`]), [`invar`], [`ag_only`], [`compute`] and [`totality`] answer the other
//! questions, [`query`] solves formulas with placeholders, [`explain`] finds traces.
//!
//! Deliberately absent: printing, options, files.

pub mod accepting;
pub mod ag_only;
pub mod algebra;
pub mod bidirectional;
pub mod checker;
pub mod compassion;
pub mod complete;
pub mod compute;
pub mod ctl;
pub mod execution;
pub mod explain;
pub mod fixpoint;
mod hint;
pub mod invar;
pub mod ltl;
pub mod obligations;
pub mod outcome;
pub mod paths;
pub mod query;
pub mod reach;
pub mod safety;
pub mod saturation;
pub mod totality;
pub mod vacuity;

pub use checker::{Checker, Suspended};
