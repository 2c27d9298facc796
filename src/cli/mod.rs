//! The command line: options, banner, batch pipeline. The only module that sees all others.

pub mod banner;
pub mod console;
pub mod exit;
pub mod limits;
mod preprocess;
pub mod options;
