//! The program; everything happens in the library. `RUST_LOG=nusmv_rs=debug` tells on stderr which ways the
//! engines take.

#[global_allocator]
static HEAP: nusmv_rs::base::heap::Heap = nusmv_rs::base::heap::Heap;

fn main() {
    env_logger::init();
    std::process::exit(nusmv_rs::cli::main(std::env::args_os().skip(1)));
}
