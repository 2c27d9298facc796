//! The command line: options, banner, batch pipeline, shell. The only module that sees all others.
//!
//! `args` → [`options`] → [`main`] → `batch` (`load` a file, flatten and encode it in `context`, `check` the properties on
//! the machine or on those of `cones`, `query`, `inspect`) or `shell` (a session, one file a family of commands) →
//! [`exit`] code. `console` has the streams, `messages` the errors on them, `limits` what ends a run from outside.
//!
//! Deliberately absent: algorithms.

mod banner;
mod batch;
mod check;
mod cones;
mod console;
mod context;
pub mod exit;
mod inspect;
mod limits;
mod load;
mod messages;
pub mod options;
mod order_file;
mod preprocess;
mod query;
mod run;
mod shell;
mod vacuity;

pub use run::main;
