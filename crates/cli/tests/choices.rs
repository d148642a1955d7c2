//! Both sides of a choice that does not fork get a test, and so do cases that lead the same way.
#![allow(clippy::unwrap_used)]

mod support;

use support::{root, run, symcrete};

#[test]
fn every_side_of_a_choice_is_covered() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = symcrete();
    command.args(["cover", "--no-burst", "--json", "--out"]).arg(folder.path());
    let shown = run(command.arg(root().join("tests/symbolic/choices.c")), b"");
    let result: serde_json::Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!(result["paths"]["completed"], 1, "{result}");
    assert_eq!(result["coverage"]["branches"], serde_json::json!({"covered": 6, "total": 6}), "{result}");
    assert_eq!(result["replay"]["confirmed"], result["tests"], "{result}");
    // Each side of three choices: at least three inputs, and no more than four are needed.
    assert!(matches!(result["tests"].as_u64(), Some(3 | 4)), "{result}");
}

#[test]
fn every_case_that_shares_its_way_is_covered() {
    let folder = tempfile::tempdir().unwrap();
    for mode in ["forward", "concolic", "lazy"] {
        let mut command = symcrete();
        command.args(["cover", "--no-burst", "--json", "--mode", mode, "--out"]).arg(folder.path());
        let shown = run(command.arg(root().join("tests/symbolic/switch_shared_targets.c")), b"");
        let result: serde_json::Value = serde_json::from_slice(&shown.stdout).unwrap();
        let branches = &result["coverage"]["branches"];
        assert_eq!(result["paths"]["completed"], 7, "{mode}: {result}");
        assert_eq!(branches["covered"], branches["total"], "{mode}: {result}");
        assert_eq!(result["replay"]["confirmed"], result["tests"], "{mode}: {result}");
    }
}
