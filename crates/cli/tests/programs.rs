//! Every program below tests/programs, run as its comments say.
//!
//! - `// args: a b` and `// input: text` say what it is given; `// flags: …` are for symcrete, `// native: …` for clang.
//! - A line with `//~ words` is guilty: the report must name that line and contain the words, and the status is 1
//!   (`// status: N` says otherwise).
//! - A program without a guilty line must behave as it does natively, at -O0 and at -O2: same output, same status, no report.
//!
//! thirty_two_bit.rs runs those in tests/programs/thirty_two_bit, and these once more for 32-bit x86, but for those with a line
//! `// 64-bit: why`.

mod support;

use support::programs::{check_all, in_folder};

const LEVELS: &[&str] = &["-O0", "-O2"];

#[test]
fn memory_errors_are_reported_at_the_guilty_line() {
    check_all(&in_folder("memory"), LEVELS, &[]);
}

#[test]
fn other_findings_are_reported_at_the_guilty_line() {
    check_all(&in_folder("findings"), LEVELS, &[]);
}

#[test]
fn programs_behave_as_they_do_natively() {
    check_all(&in_folder("c"), LEVELS, &[]);
}
