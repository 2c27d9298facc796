//! What is said about results: lines as NuSMV prints them, and the JSON document.
//!
//! Verdicts, lists and state counts → text. Deliberately absent: streams, options, traces (module
//! `trace` writes those).

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
