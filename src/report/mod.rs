//! What is said about results: lines as NuSMV prints them, and the JSON document.
//!
//! [`verdict`] lines, [`warning`]s, [`vacuity`], [`mod@query`] and [`accepting`] say what was found of properties;
//! [`reachable`], [`totality`], [`statistics`] and [`usage`] what was found of the machine; [`listing`] and [`formula`] what the
//! model has. [`flat_model`], [`boolean_model`], [`hierarchy`] and [`diagram`] write models and diagrams for other programs.
//! [`json::Document`] collects it all for `--format json`.
//!
//! Deliberately absent: streams, options, traces (module `trace` writes those).

pub mod accepting;
mod anonymous_model;
pub mod boolean_model;
pub mod diagram;
mod expr_text;
pub mod flat_model;
pub mod formula;
pub mod hierarchy;
pub mod json;
pub mod listing;
pub mod query;
pub mod reachable;
pub mod statistics;
pub mod totality;
pub mod usage;
pub mod vacuity;
pub mod verdict;
pub mod warning;

pub use json::Document;
pub use warning::Warning;
