//! The regression suite: everything that runs the program as its users do.
//!
//! * `golden::*`, `formats::*`: expected output, byte for byte ([`goldens`]).
//! * `differential::*`: random models × random properties against the real NuSMV.
//!
//! Every test takes only the binary; nothing here knows the library.

mod goldens;
mod output;
mod peer;
mod rng;
mod run;

use libtest_mimic::{Arguments, Trial};

fn main() {
    let args = Arguments::from_args();
    let mut trials = vec![Trial::test("harness::output", || {
        output::self_test();
        Ok(())
    })];
    trials.extend(goldens::trials());
    libtest_mimic::run(&args, trials).exit();
}
