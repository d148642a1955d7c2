//! A supervisor by itself, for the tests of this crate. `symcrete` is its own supervisor.

use std::ffi::OsString;

fn main() {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let word = arguments.first().and_then(|word| word.to_str()).unwrap_or_default();
    let status = symcrete_sandbox::serve(word, arguments.get(1..).unwrap_or_default());
    std::process::exit(status.unwrap_or(2));
}
