//! The regression suite: everything that runs the program as its users do.
//!
//! * `golden::*`, `formats::*`: expected output, byte for byte ([`goldens`]).
//! * `differential::*`: random models × random properties against the real NuSMV.
//! * `certify::*`: the JSON document, and traces judged by the real NuSMV.
//! * `vacuity::*`: both engines, the naive method, and replaced formulas.
//! * `queries::*`: solutions against brute force, and the worked examples of `regression/queries`.
//! * `documentation::*`: what README.md and docs/queries.md show is what is printed.
//! * `worlds::*`: all small Kripke structures against brute force ([`kripke`]).
//! * `shell::*`: the shell under strain; its output is among the goldens.
//! * `terminal::*`: the shell at a terminal: completion, history, editing, ^C.
//! * `parallel::*`: `-j` changes nothing that is printed.
//! * `mutate::*`, `robust::*`: damaged, deep, large and interrupted input.
//!
//! Every test takes only the binary; nothing here knows the library. `scripts/fuzz` runs the random
//! ones on other seeds.

#![allow(clippy::explicit_auto_deref)]

mod certify;
mod differential;
mod documentation;
mod gen_expr;
mod gen_formula;
mod gen_psl;
mod generate;
mod goldens;
mod kripke;
mod mutate;
mod output;
mod parallel;
mod peer;
mod queries;
mod rng;
mod robustness;
mod run;
mod shell;
mod shrink;
mod small_worlds;
mod smv;
mod terminal;
mod vacuity;

use libtest_mimic::{Arguments, Trial};

fn main() {
    let args = Arguments::from_args();
    let mut trials = vec![self_test("output", output::self_test)];
    trials.push(self_test("shrink", shrink::self_test));
    trials.extend(goldens::trials());
    trials.extend(differential::trials());
    trials.extend(small_worlds::trials());
    trials.extend(certify::trials());
    trials.extend(vacuity::trials());
    trials.extend(queries::trials());
    trials.extend(documentation::trials());
    trials.extend(mutate::trials());
    trials.extend(robustness::trials());
    trials.extend(shell::trials());
    trials.extend(terminal::trials());
    trials.extend(parallel::trials());
    libtest_mimic::run(&args, trials).exit();
}

fn self_test(name: &str, test: fn()) -> Trial {
    Trial::test(format!("harness::{name}"), move || {
        test();
        Ok(())
    })
}
