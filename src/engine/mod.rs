//! Engines: machine and property → verdict with evidence.
//!
//! | question | module |
//! |---|---|
//! | which states are reachable | [`reach`] (onion rings), [`saturation`] where only the set matters |
//! | what all checks of a machine share | [`checker`]: care set, fair states, values kept |
//! | CTL | [`ctl`] over the operators of [`fixpoint`], which work over an [`algebra`] (state sets, or words); [`compassion`] for strong fairness |
//! | `AG` at the top | [`obligations`] (what must hold where), [`safety`] without fair states, [`ag_only`] for `-AG` |
//! | INVARSPEC | [`invar`], [`bidirectional`] |
//! | LTL and PSL | [`ltl`]: tableau beside the machine, three searches for a fair path |
//! | COMPUTE | [`compute`] |
//! | `-a`, `-ctt` | [`accepting`], [`totality`] |
//! | why does it fail | [`explain`] over [`paths`]; [`complete`] from a cone to the whole model; [`execution`] of given traces |
//! | does a part of the formula matter | [`vacuity`] |
//! | which formulas hold | [`query`] |
//!
//! [`outcome`] has the answers. Deliberately absent: printing, options, files. What an engine chose to do is logged
//! (`log::debug!`).

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
