//! Compiles the C file through which native functions of any signature are called. Nothing else is built here.

fn main() {
    println!("cargo::rerun-if-changed=call.c");
    cc::Build::new().file("call.c").warnings(true).extra_warnings(true).compile("symcrete_native_call");
    println!("cargo::rustc-link-lib=dl");
}
