//! Compiles the C shim over the host's libm. Nothing else is built here.

fn main() {
    for source in ["libm/shim.c", "libm/functions.def"] {
        println!("cargo::rerun-if-changed={source}");
    }
    cc::Build::new()
        .file("libm/shim.c")
        .warnings(true)
        .extra_warnings(true)
        // Every call must reach the library: none may be folded, inlined or replaced by the compiler's idea of it.
        .flag("-fno-builtin")
        .flag("-fno-fast-math")
        .flag_if_supported("-ffp-contract=off")
        // Newer headers mark old names such as gamma, drem and scalb as deprecated; programs still call them.
        .flag_if_supported("-Wno-deprecated-declarations")
        .compile("symcrete_libm");
    println!("cargo::rustc-link-lib=m");
    println!("cargo::rustc-link-lib=dl");
}
