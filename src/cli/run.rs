//! From arguments to exit code: options, banner, watchers, the batch run on a thread of its own.

use super::banner::banner;
use super::batch;
use super::console::Console;
use super::context::Context;
use super::exit::Exit;
use super::limits;
use super::options::{self, ColorChoice, Format, Options, Stop};
use super::shell;
use crate::base::{CancelToken, fork, heap, nearest};
use std::ffi::OsString;
use std::sync::{Arc, Mutex, PoisonError};

/// Stack of the working thread: decision diagrams recurse over variables, in C.
const STACK_BYTES: usize = 512 << 20;

/// Runs the program; the result is its exit code.
pub fn main(args: impl IntoIterator<Item = OsString>) -> i32 {
    report_panics();
    let mut messages = Console::new(Format::Text, ColorChoice::Auto);
    let parsed = options::parse(args, &mut |line| messages.err(format!("{line}\n")));
    let exit = match parsed {
        Ok(options) => run(options),
        Err(Stop::Help { usage, quiet }) => {
            let banner = if quiet { String::new() } else { banner() };
            messages.err(banner + &usage);
            Exit::Help
        }
        Err(Stop::Unknown(word)) => {
            let word = word.to_string_lossy();
            messages.err(format!("The command line option \"{word}\" is unknown\n"));
            let similar = nearest(&word, options::names());
            if let Some(similar) = similar.filter(|_| messages.explains()) {
                messages.err(format!(
                    "  help: did you mean {similar}? -h shows all options\n"
                ));
            }
            Exit::BadCommandLine
        }
        Err(Stop::Bad(lines)) => {
            messages.err(lines.join("\n") + "\n");
            Exit::BadCommandLine
        }
    };
    exit.code()
}

fn run(options: Options) -> Exit {
    let console = Arc::new(Mutex::new(Console::new(options.format, options.color)));
    if !options.quiet {
        console
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .out(&banner());
    }
    let token = CancelToken::default();
    let shell = options.shell.wanted;
    limits::watch(
        &token,
        &console,
        options.timeout_s,
        options.memory_mb,
        shell,
    );
    let work = {
        let console = Arc::clone(&console);
        move || {
            let shell = options.shell.wanted;
            let context = Context::new(options, console, token);
            if shell {
                shell::run(context)
            } else {
                batch::run(&context)
            }
        }
    };
    let exit = with_stack(work).unwrap_or_else(|| {
        let mut console = console.lock().unwrap_or_else(PoisonError::into_inner);
        console.fail(Exit::Internal, "internal error", None);
        Exit::Internal
    });
    console
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .finish();
    exit
}

/// Runs `work` on a thread with a large stack, or a smaller one where address space is short.
/// `None` if it panicked.
fn with_stack(work: impl FnOnce() -> Exit + Send + 'static) -> Option<Exit> {
    let work = Arc::new(Mutex::new(Some(work)));
    for size in [STACK_BYTES, STACK_BYTES / 8, STACK_BYTES / 64] {
        let shared = Arc::clone(&work);
        let body = move || {
            let work = shared.lock().unwrap_or_else(PoisonError::into_inner).take();
            work.map(|w| w())
        };
        let builder = std::thread::Builder::new()
            .name("main work".to_owned())
            .stack_size(size);
        if let Ok(thread) = builder.spawn(body) {
            return thread.join().ok().flatten();
        }
    }
    heap::exhausted()
}

/// A panic is a bug of ours and says so.
fn report_panics() {
    std::panic::set_hook(Box::new(|info| {
        use std::io::Write;
        if fork::is_copy() {
            // Whoever made it does its work again and says what is wrong.
            return;
        }
        // More stack for `base::deep` is memory too.
        if info
            .location()
            .is_some_and(|l| l.file().contains("stacker"))
        {
            heap::exhausted();
        }
        let version = env!("CARGO_PKG_VERSION");
        let _ = writeln!(
            std::io::stderr(),
            "nusmv-rs {version}: internal error, please report it with the model:\n{info}"
        );
    }));
}
