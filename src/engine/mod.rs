//! Engines: they take a `BddFsm` and a property and return an [`outcome::Verdict`].
//!
//! Deliberately absent: printing, options, files.

pub mod outcome;
