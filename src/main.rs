//! The program; everything happens in the library.

fn main() {
    std::process::exit(nusmv_rs::cli::main(std::env::args_os().skip(1)));
}
