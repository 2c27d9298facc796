//! Compiles vendor/cudd-mv against CUDD's internal headers and binds what it exports.
//!
//! CUDD itself is built by the crate cudd2-sys, which tells us its build directory. That crate
//! forgets CUDD's `epd` library, so it is linked here.

use std::env;
use std::path::PathBuf;

const SOURCES: [&str; 5] = [
    "cmv_manager.c",
    "cmv_apply.c",
    "cmv_event.c",
    "cmv_permute.c",
    "cmv_word.c",
];

fn main() {
    let cudd = PathBuf::from(env::var_os("DEP_CUDD_DIR").expect("cudd2-sys sets DEP_CUDD_DIR"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let ours = PathBuf::from("vendor/cudd-mv");
    let include = cudd.join("include");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={}", ours.display());

    // The flags CUDD is compiled with: the layout of its structures depends on them.
    cc::Build::new()
        .files(SOURCES.map(|file| ours.join(file)))
        .include(&include)
        .define("HAVE_IEEE_754", None)
        .define("BSD", None)
        .define("SIZEOF_VOID_P", "8")
        .define("SIZEOF_LONG", "8")
        .opt_level(2)
        .warnings(true)
        .compile("cudd_mv");

    println!("cargo:rustc-link-search={}", cudd.join("epd").display());
    println!("cargo:rustc-link-lib=static=epd");

    bindgen::Builder::default()
        .header(ours.join("cudd_mv.h").to_string_lossy())
        .clang_arg(format!("-I{}", include.display()))
        .allowlist_function("cmv_.*")
        .allowlist_type("CmvLimits")
        .blocklist_type("Dd.*")
        .raw_line("use cudd2_sys::{DdManager, DdNode};")
        .layout_tests(false)
        .generate()
        .expect("bindings for cudd_mv.h")
        .write_to_file(out.join("cudd_mv.rs"))
        .expect("writing the bindings");
}
