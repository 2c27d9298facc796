//! Generates the parser of `src/grammar.lalrpop`.

fn main() {
    lalrpop::Configuration::new()
        .use_cargo_dir_conventions()
        .emit_rerun_directives(true)
        .process()
        .expect("src/grammar.lalrpop is a valid grammar");
}
