use super::console::Console;
use super::exit::Exit;
use super::load::load;
use super::messages;
use super::options::Options;
use crate::base::CancelToken;
use std::sync::{Mutex, PoisonError};
pub fn run(options: &Options, console: &Mutex<Console>, _token: &CancelToken) -> Exit {
    let lock = || console.lock().unwrap_or_else(PoisonError::into_inner);
    match load(options) {
        Ok(_) => Exit::Evaluated,
        Err(e) => messages::load_error(&mut lock(), &e),
    }
}
