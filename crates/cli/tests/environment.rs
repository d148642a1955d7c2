//! What a program finds around it (docs/book/src/reference/environment.md): environment variables, errno, files, and
//! where it may write. The engine and native replay must agree. Also which function `--entry` means, and runs that take
//! long.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::PathBuf;

use support::cover::{Covered, cover};
use support::{Shown, root, run, symcrete};
use tempfile::TempDir;

fn program(name: &str) -> PathBuf {
    root().join("tests/environment").join(name)
}

/// A folder with sources, and room for tests.
struct Case {
    folder: TempDir,
    sources: Vec<PathBuf>,
}

impl Case {
    fn new(sources: &[(&str, &str)]) -> Case {
        let folder = tempfile::tempdir().unwrap();
        let write = |(name, text): &(&str, &str)| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            path
        };
        let sources = sources.iter().map(write).collect();
        Case { folder, sources }
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn cover(&self, flags: &[&str]) -> Covered {
        let sources = self.sources.iter().map(|source| source.display().to_string());
        let covered = cover(&self.out(), sources.chain(flags.iter().map(|flag| (*flag).to_owned()))).unwrap();
        assert_eq!(covered.internal_errors(), None);
        covered
    }

    /// As people type it: no JSON.
    fn shown(&self, flags: &[&str]) -> Shown {
        run(symcrete().arg("cover").args(&self.sources).arg("--out").arg(self.out()).args(flags), b"")
    }
}

/// The statuses that the tests claim, sorted.
fn statuses(case: &Case) -> Vec<Option<i32>> {
    let mut statuses: Vec<Option<i32>> =
        support::cover::written_tests(&case.out()).iter().map(|(_, test)| test.ends.status).collect();
    statuses.sort_unstable();
    statuses
}

#[test]
fn engine_and_replay_give_one_environment_and_no_errno() {
    for level in ["--cflag=-O0", "--cflag=-O2"] {
        let case = Case::new(&[("seen.c", &fs::read_to_string(program("seen.c")).unwrap())]);
        let covered = case.cover(&[level]);
        assert_eq!(statuses(&case), [Some(0), Some(1)], "{}", covered.json);
        assert_eq!(covered.replay_troubles(), None);
    }
}

#[test]
fn errno_is_zero_when_a_function_under_test_starts() {
    let text =
        "#include <errno.h>\nint f(int *p, int n) { if (errno != 0) return 1 / (n - n); return n == 3 ? p[0] : 0; }";
    let case = Case::new(&[("f.c", text)]);
    let covered = case.cover(&["--entry", "f"]);
    assert_eq!(covered.findings().iter().map(|finding| finding.1.as_str()).collect::<Vec<_>>(), ["null-dereference"]);
    assert_eq!(covered.replay_troubles(), None);
}

#[test]
fn tests_see_no_homes_and_an_empty_tmp() {
    let case = Case::new(&[("seen.c", &fs::read_to_string(program("seen.c")).unwrap())]);
    let covered = case.cover(&["-D", "FILES"]);
    assert_eq!(covered.replay_troubles(), None);
    assert_eq!(statuses(&case), [Some(0), Some(1)]);
}

#[test]
fn nothing_can_be_changed_outside_of_the_working_directory() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = symcrete();
    command.arg("run").arg(program("outside.c")).current_dir(folder.path());
    let shown = run(&mut command, b"");
    assert_eq!((shown.status, String::from_utf8_lossy(&shown.stdout).as_ref(), shown.stderr.as_str()), (0, "", ""));
    let case = Case::new(&[("outside.c", &fs::read_to_string(program("outside.c")).unwrap())]);
    let covered = case.cover(&[]);
    // Natively it tries to change the machine, and gets the same answers.
    assert_eq!(covered.replay_troubles(), None);
    assert!(statuses(&case).iter().all(|status| *status == Some(0)), "{:?}", statuses(&case));
}

const ONE: &str = "static int helper(int x) { return x > 3 ? 1 : 2; }\nint one(int x) { return helper(x); }\n";
const TWO: &str = "static int helper(int x) {\n    if (x == 42) __builtin_trap();\n    return 3;\n}\nint two(int x) { return helper(x); }\n";

#[test]
fn one_of_several_functions_of_a_name_is_chosen_by_its_file() {
    let case = Case::new(&[("one.c", ONE), ("inner/two.c", TWO)]);
    let refused = case.shown(&["--entry", "helper"]);
    assert_eq!(refused.status, 2, "{refused:?}");
    for name in ["one.c:helper", "two.c:helper"] {
        assert!(refused.stderr.contains(name), "{refused:?}");
    }
    for file in ["two.c", "inner/two.c"] {
        let covered = case.cover(&["--entry", &format!("{file}:helper")]);
        assert_eq!(covered.findings(), [(2, "trap".to_owned())]);
        assert_eq!(covered.replay_troubles(), None);
        let mut again = symcrete();
        let replayed = run(again.arg("replay").arg(case.out()).args(&case.sources).arg("--json"), b"");
        let json: serde_json::Value = serde_json::from_slice(&replayed.stdout).unwrap();
        assert_eq!(json["confirmed"], covered.json["tests"], "{json}");
    }
    let unknown = case.shown(&["--entry", "three.c:helper"]);
    assert_eq!(unknown.status, 2, "{unknown:?}");
    // Where only one can be meant, its name is enough.
    assert_eq!(case.cover(&["--entry", "one"]).findings(), []);
}

/// The path does not print, since nobody reads that; the run of its inputs does.
const LONG_OUTPUT: &str = "#include <stdio.h>\nvoid klee_make_symbolic(void *, unsigned long, const char *);\n\
    int main(void) {\n    int x;\n    klee_make_symbolic(&x, sizeof x, \"x\");\n\
    if (x == 77) printf(\"%*d\\n\", WIDTH + x, x);\n    return 0;\n}\n";

#[test]
fn a_long_run_confirms_its_path() {
    let case = Case::new(&[("long.c", LONG_OUTPUT)]);
    let covered = case.cover(&["-D", "WIDTH=40000"]);
    assert_eq!((covered.shown.status, covered.list("warnings").len()), (0, 0), "{}", covered.json);
    assert_eq!(statuses(&case), [Some(0), Some(0)]);
}

#[test]
fn a_run_that_takes_too_long_contradicts_nothing() {
    let case = Case::new(&[("long.c", LONG_OUTPUT)]);
    let covered = case.cover(&["-D", "WIDTH=2000000000", "--no-replay"]);
    assert_eq!(covered.shown.status, 0, "{}", covered.json);
    let warnings = format!("{:?}", covered.list("warnings"));
    assert!(warnings.contains("takes too long"), "{warnings}");
}

#[test]
fn panics_of_different_places_are_different_findings() {
    let text = fs::read_to_string(program("panics.rs")).unwrap();
    let case = Case::new(&[("panics.rs", &text)]);
    let covered = case.cover(&["--no-replay"]);
    let lines: Vec<u64> = covered.findings().iter().map(|finding| finding.0).collect();
    let line_of = |words: &str| text.lines().position(|line| line.contains(words)).unwrap() as u64 + 1;
    assert_eq!(lines, ["\"first\"", "unwrap()", "WORDS[input"].map(line_of), "{}", covered.json["findings"]);
}
