//! Programs with runs that never end: `cover` tries everything else beside them in all modes, in little memory, and tells where they are.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;

use serde_json::Value;
use support::{run, symcrete};

/// Goes round without an end unless `x` is 7; the ways on are the same each time.
const ENDLESS: &str = r#"
#include <symcrete.h>
int g(int x) {
    int n = 0;
    while (x != 7) {
        n++;
        if (x == 9 && n > 100000000)
            break;
    }
    return n;
}
int f(int x) { return g(x) == 0 ? 1 : 2; }
int main(void) { return f(symcrete_int("x")); }
"#;

/// The lexer does not advance on a question mark.
const STUCK: &str = r#"
#include <symcrete.h>
static char text[6];
static int at;
static int word(void) {
    int letters = 0;
    while (text[at]) {
        if (text[at] == ' ') {
            at++;
            break;
        }
        if (text[at] == '?')
            continue;
        at++;
        letters++;
    }
    return letters;
}
int f(void) {
    int first = word();
    int second = word();
    if (first == 2 && second == 1)
        return 1;
    return first == 0 ? 2 : 3;
}
int main(void) {
    symcrete_make_symbolic(text, 5, "text");
    return f();
}
"#;

/// Goes round for nearly ever, and meets something new each time.
const GROWING: &str = r#"
#include <symcrete.h>
int g(unsigned x) {
    unsigned n = 1;
    while (x != n)
        n += 2;
    return n;
}
int main(void) {
    int first = symcrete_int("first");
    if (first == 1234)
        return 1;
    return g(symcrete_int("x"));
}
"#;

fn cover(program: &str, mode: &str, steps: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("program.c");
    fs::write(&source, program).unwrap();
    let mut command = symcrete();
    command.args(["cover", "--json", "--no-replay", "--mode", mode, "--budget-steps", steps, "--out"]);
    let shown = run(command.arg(folder.path().join("out")).arg(&source), b"");
    serde_json::from_slice(&shown.stdout).unwrap_or_else(|_| panic!("{mode}: {shown:?}"))
}

#[test]
fn endless_runs_leave_room_for_others_and_are_told() {
    for mode in ["forward", "concolic", "lazy"] {
        for (program, paths) in [(ENDLESS, 1), (STUCK, 3)] {
            let said = cover(program, mode, "1000000");
            assert!(said["paths"]["completed"].as_u64().unwrap() >= paths, "{mode}: {said}");
            assert!(said["stats"]["peak_mib"].as_u64().unwrap() < 300, "{mode}: {said}");
            let limits = said["limits"].as_array().unwrap();
            assert!(
                limits.iter().any(|limit| limit["what"].as_str().unwrap().contains("still running")),
                "{mode}: {said}"
            );
        }
    }
}

#[test]
fn what_a_long_run_passed_is_tried_before_its_end() {
    let said = cover(GROWING, "concolic", "100000");
    // `first` is 1234, and what the run itself executes.
    assert!(said["tests"].as_u64().unwrap() >= 2, "{said}");
    assert!(said["stats"]["peak_mib"].as_u64().unwrap() < 1000, "{said}");
}
