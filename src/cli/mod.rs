//! The command line: options, banner, batch pipeline. The only module that sees all others.
//!
//! `args` → [`options`] → [`run`](main) → [`batch`] → exit code. Deliberately absent: algorithms.

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
