//! Functions under test by themselves (`--entry`): what their parameters become, natively as in the engine.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;

use support::cover::{Covered, cover};

/// Covers a function of a program.
fn covered(program: &str, entry: &str) -> Covered {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("program.c");
    fs::write(&source, program).unwrap();
    let words = [source.display().to_string(), "--entry".to_owned(), entry.to_owned()];
    let covered = cover(&folder.path().join("out"), &words).unwrap();
    assert_eq!(covered.internal_errors(), None);
    assert_eq!(covered.replay_troubles(), None, "{program}");
    covered
}

fn all_branches(covered: &Covered) {
    let branches = &covered.json["coverage"]["branches"];
    assert_eq!(branches["covered"], branches["total"], "{}", covered.json);
}

/// A long double takes more bytes than it has, and the parameters behind it are not taken for them.
#[test]
fn parameters_behind_long_doubles_are_their_own() {
    all_branches(&covered("int f(long double x, int j) { if (j == 9) return 1; return x > 2; }\n", "f"));
    let program = "int g(int i, long double x, long double y, short j, double z) {\n    if (i == 3 && y > x)\n        \
                   if (j == 9 && z == 1.5)\n            return 1;\n    return 0;\n}\n";
    all_branches(&covered(program, "g"));
}

/// Pointers to arrays and to functions are declared from the inside.
#[test]
fn rows_of_arrays_are_parameters() {
    let program = "int f(double a[2][2]) {\n    if (a && a[0][0] * a[1][1] == a[0][1] * a[1][0] + 3)\n        return 1;\n    return 0;\n}\n";
    let covered = covered(program, "f");
    assert_eq!(covered.findings(), []);
    all_branches(&covered);
}

/// What the engine computes otherwise than the machine is no proof, and is said.
#[test]
fn how_floats_are_rounded_is_taken_for_granted() {
    let program = "#include <fenv.h>\nint f(float x, float y) {\n    volatile float z = x / y;\n    \
                   return fetestexcept(FE_DIVBYZERO) != 0;\n}\n";
    let covered = covered(program, "f");
    assert_eq!(covered.json["exhausted"], false);
    let granted = covered.list("taken_for_granted");
    assert!(granted.iter().any(|text| text.as_str().unwrap().contains("`fetestexcept`")), "{}", covered.json);
}
