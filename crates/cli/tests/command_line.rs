//! The command line itself: its groups of options, how durations and sizes are written, and what is said of slips.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;

use support::{Shown, run, symcrete};
use tempfile::TempDir;

const BRANCH: &str = "int main(void) { return 0; }\nint helper(int value) { return value > 4; }\n";

/// A folder with one program.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("program.c"), BRANCH).unwrap();
    folder
}

fn shown(folder: &TempDir, words: &[&str]) -> Shown {
    run(symcrete().current_dir(folder.path()).args(words), b"")
}

fn stdout(words: &[&str]) -> String {
    let shown = run(symcrete().args(words), b"");
    assert_eq!(shown.status, 0, "{words:?}: {shown:?}");
    String::from_utf8(shown.stdout).unwrap()
}

/// The headings of a help text, in their order.
fn headings(help: &str) -> Vec<&str> {
    help.lines().filter(|line| !line.starts_with(' ')).filter_map(|line| line.strip_suffix(':')).collect()
}

#[test]
fn options_stand_in_groups() {
    let groups = ["Arguments", "Options", "Program", "Inputs", "Limits", "Output", "Search", "Solver", "Research"];
    for command in ["cover", "reach"] {
        assert_eq!(headings(&stdout(&[command, "--help"])), groups, "{command}");
        assert_eq!(headings(&stdout(&[command, "-h"])), groups[..7], "{command}");
    }
    assert_eq!(
        headings(&stdout(&["replay", "--help"])),
        ["Arguments", "Options", "Program", "Inputs", "Limits", "Output"]
    );
}

#[test]
fn a_command_takes_what_it_uses() {
    let folder = folder();
    for flag in ["--every-path", "--resume", "--checkpoint", "--partition", "--abstract", "--simplify"] {
        let shown = shown(&folder, &["reach", "program.c:1", flag]);
        assert_eq!(shown.status, 2);
        assert!(shown.stderr.contains(&format!("unexpected argument '{flag}'")), "{}", shown.stderr);
    }
    let shown = shown(&folder, &["doctor", "-D", "X"]);
    assert!(shown.status == 2 && shown.stderr.contains("unexpected argument '-D'"), "{shown:?}");
}

#[test]
fn durations_and_sizes_have_units() {
    let folder = folder();
    for time in ["500ms", "10s", "2m", "1h30m", "7"] {
        assert_eq!(shown(&folder, &["run", "program.c", "--time", time]).status, 0, "{time}");
    }
    let shown = |words: &[&str]| {
        let shown = shown(&folder, words);
        assert_eq!(shown.status, 2, "{words:?}: {shown:?}");
        shown.stderr
    };
    let text = shown(&["run", "program.c", "--time", "10x"]);
    let expected = "error: invalid value '10x' for '--time <TIME>': give a duration above 0, such as `90`, `10s`, `2m`, \
                    `1h30m` or `500ms` (without a unit, seconds)\n";
    assert!(text.starts_with(expected), "{text}");
    let text = shown(&["replay", "tests", "--memory", "2X"]);
    let expected = "error: invalid value '2X' for '--memory <SIZE>': give a size above 0, such as `512M` or `2G` (without a \
                    unit, a whole number of MiB)\n";
    assert!(text.starts_with(expected), "{text}");
}
