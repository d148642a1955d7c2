//! Both sides of a choice that does not fork get a test.
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
