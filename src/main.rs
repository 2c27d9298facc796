//! The program; everything happens in the library. `RUST_LOG=nusmv_rs=debug` tells on stderr which ways the
//! engines take.

fn main() {
    env_logger::init();
    std::process::exit(nusmv_rs::cli::main(std::env::args_os().skip(1)));
}
