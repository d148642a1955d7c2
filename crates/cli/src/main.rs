//! The command line: flags, words, files, exit codes.
fn main() {}
