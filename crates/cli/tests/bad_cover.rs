//! What `symcrete cover` says where there is little to cover: what was typed is refused with status 2 and one clear sentence; programs
//! that assume too much, never end, fork or recurse without end give what could be had of them.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use support::cover::{cover, written_tests};
use support::{Shown, run, symcrete};
use tempfile::TempDir;

/// A folder with one program, and room for its tests.
struct Case {
    folder: TempDir,
    program: PathBuf,
}

impl Case {
    fn new(text: &str) -> Case {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program.c");
        let intrinsics =
            "void klee_make_symbolic(void *, unsigned long, const char *);\nvoid klee_assume(unsigned long);\n";
        fs::write(&program, format!("{intrinsics}{text}")).unwrap();
        Case { folder, program }
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    /// As people type it: no JSON.
    fn run(&self, flags: &[&str]) -> Shown {
        run(symcrete().arg("cover").arg(&self.program).arg("--out").arg(self.out()).args(flags), b"")
    }
}

const BRANCH: &str = "int main(void) {
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, \"x\");
    return x == 7;
}
int helper(int value) { return value > 4; }
int constant(void) { return 3; }
";

fn assert_unshaken(shown: &Shown) {
    for word in ["panicked", "RUST_BACKTRACE", "internal error", "thread '"] {
        assert!(!shown.stderr.contains(word), "{}", shown.stderr);
    }
}

/// Status 2, these words, nothing on standard output, and no output directory that somebody would have to remove.
fn assert_refused(case: &Case, shown: &Shown, words: &[&str]) {
    assert_eq!(shown.status, 2, "{shown:#?}");
    assert!(shown.stdout.is_empty(), "{shown:#?}");
    for word in words {
        assert!(shown.stderr.contains(word), "`{word}` is not in: {}", shown.stderr);
    }
    assert!(!case.out().exists(), "something was written");
    assert_unshaken(shown);
}

#[test]
fn unknown_names_are_answered_with_the_known_ones() {
    let case = Case::new(BRANCH);
    assert_refused(&case, &case.run(&["--search", "sideways"]), &["`sideways`", "dfs", "random-path", "subpath:N"]);
    assert_refused(&case, &case.run(&["--search", "dfs,sideways"]), &["`sideways`", "bfs"]);
    assert_refused(&case, &case.run(&["--search", "subpath:many"]), &["subpath"]);
    assert_refused(&case, &case.run(&["--format", "punched-cards"]), &["'punched-cards'", "ktest", "testcomp"]);
    assert_refused(&case, &case.run(&["--solver", "oracle"]), &["oracle", "bitwuzla", "blast"]);
    assert_refused(&case, &case.run(&["--entry", "missing"]), &["`missing`", "helper", "constant"]);
}

#[test]
fn flags_of_one_mode_are_not_for_another() {
    let case = Case::new(BRANCH);
    assert_refused(&case, &case.run(&["--mode", "sideways"]), &["sideways", "forward", "concolic", "lazy"]);
    assert_refused(&case, &case.run(&["--simplify"]), &["--simplify", "--mode concolic"]);
    assert_refused(&case, &case.run(&["--mode", "lazy", "--simplify"]), &["--simplify", "--mode concolic"]);
    assert_refused(&case, &case.run(&["--mode", "lazy", "--join", "never"]), &["--join", "--mode forward"]);
    assert_refused(&case, &case.run(&["--abstract", "helper"]), &["--abstract", "--mode lazy"]);
    assert_refused(&case, &case.run(&["--mode", "concolic", "--no-abstract", "helper"]), &["--mode lazy"]);
    let both = ["--mode", "lazy", "--abstract", "helper", "--no-abstract", "helper"];
    assert_refused(&case, &case.run(&both), &["`helper`", "--abstract", "--no-abstract"]);
    assert_refused(&case, &case.run(&["--mode", "lazy", "--search", "bfs"]), &["--search", "--mode lazy"]);
    assert_refused(&case, &case.run(&["--mode", "lazy", "--max-depth", "3"]), &["--max-depth", "--mode lazy"]);
    assert_refused(&case, &case.run(&["--mode", "lazy", "--jobs", "2"]), &["--jobs", "--mode lazy", "one thread"]);
    assert_refused(&case, &case.run(&["--mode", "lazy", "--abstract", "helper,"]), &["--abstract", "empty"]);
    assert_refused(
        &case,
        &case.run(&["--mode", "lazy", "--abstract", "missing"]),
        &["`missing`", "helper", "constant"],
    );
    assert_refused(&case, &case.run(&["--mode", "lazy", "--no-abstract", "helper,gone"]), &["`gone`", "constant"]);
    for flag in ["--abstract", "--no-abstract"] {
        assert_refused(&case, &case.run(&["--mode", "lazy", flag, "main"]), &["`main` is the entry", flag]);
    }
}

#[test]
fn impossible_numbers() {
    let case = Case::new(BRANCH);
    assert_refused(&case, &case.run(&["--sym-args", "3", "1", "2"]), &["--sym-args 3 1 2"]);
    assert_refused(&case, &case.run(&["--", "--sym-args", "3", "1", "2"]), &["--sym-args 3 1 2"]);
    assert_refused(&case, &case.run(&["--sym-args", "1", "2"]), &["--sym-args", "MIN", "MAX", "LEN"]);
    assert_refused(&case, &case.run(&["--", "--sym-args", "1", "2"]), &["--sym-args"]);
    assert_refused(&case, &case.run(&["--time", "soon"]), &["--time", "soon"]);
    assert_refused(&case, &case.run(&["--time=-1"]), &["--time"]);
    assert_refused(&case, &case.run(&["--time", "inf"]), &["--time", "inf"]);
}

#[test]
fn programs_that_are_not_there() {
    let case = Case::new(BRANCH);
    let out = case.out();
    let nothing = run(symcrete().arg("cover").arg("--out").arg(&out), b"");
    assert_refused(&case, &nothing, &["no program"]);
    let missing = run(symcrete().args(["cover", "missing.c", "--out"]).arg(&out), b"");
    assert_refused(&case, &missing, &["missing.c", "No such file"]);
    let library = Case::new("int helper(int value) { return value > 4; }\n");
    assert_refused(&library, &library.run(&[]), &["`main`"]);
}

#[test]
fn a_source_that_does_not_compile_is_shown_in_the_compilers_words() {
    let case = Case::new("int main(void) {\n    return missing_variable;\n}\n");
    let words = ["program.c:4:", "use of undeclared identifier 'missing_variable'", "does not compile"];
    assert_refused(&case, &case.run(&[]), &words);
}

#[test]
fn output_directories_that_cannot_be_written() {
    let case = Case::new(BRANCH);
    let file = case.folder.path().join("file");
    fs::write(&file, "kept").unwrap();
    // Not a directory without permissions: for some users there is no such thing.
    for out in [file.as_path(), Path::new("/proc/nowhere")] {
        let shown = run(symcrete().arg("cover").arg(&case.program).arg("--out").arg(out), b"");
        assert_refused(&case, &shown, &["cannot write", out.to_str().unwrap()]);
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "kept");
}

#[test]
fn contradictory_assumptions_leave_nothing_to_test() {
    let first = "int main(void) {\n    klee_assume(0);\n    return 1;\n}\n";
    let second = "int main(void) {
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, \"x\");
    klee_assume(x > 5);
    klee_assume(x < 3);
    return x == 7;
}
";
    for text in [first, second] {
        let case = Case::new(text);
        let covered = cover(&case.out(), [&case.program]).unwrap();
        assert_eq!(covered.shown.status, 0, "{:#?}", covered.shown);
        assert_unshaken(&covered.shown);
        assert_eq!((covered.paths(), covered.json["tests"].as_u64()), (0, Some(0)), "{}", covered.json);
        assert!(covered.count("paths", "discarded") > 0 && covered.is_exhausted(), "{}", covered.json);
        assert!(written_tests(&case.out()).is_empty());
        let shown = case.run(&[]);
        assert!(String::from_utf8_lossy(&shown.stdout).contains("0 tests"), "{shown:#?}");
    }
}

#[test]
fn without_inputs_there_is_one_path() {
    for (text, flags) in [("int main(void) { return 3; }\n", &[][..]), (BRANCH, &["--entry", "constant"])] {
        let case = Case::new(text);
        let flags = [case.program.to_str().unwrap()].into_iter().chain(flags.iter().copied());
        let covered = cover(&case.out(), flags).unwrap();
        assert_eq!((covered.shown.status, covered.paths()), (0, 1), "{:#?}", covered.shown);
        assert!(covered.is_exhausted() && covered.replay_troubles().is_none(), "{}", covered.json);
        assert_eq!(written_tests(&case.out()).len(), 1);
    }
}

/// How a test of this program ends with this status, if there is one.
fn has_test_with_status(case: &Case, status: i32) -> bool {
    written_tests(&case.out()).iter().any(|(_, test)| test.ends.status == Some(status))
}

#[test]
fn a_program_that_never_ends_keeps_what_it_gave() {
    let case = Case::new(
        "int main(void) {
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, \"x\");
    if (x == 7)
        return 5;
    for (;;)
        ;
}
",
    );
    let covered = cover(&case.out(), [case.program.to_str().unwrap(), "--time", "2"]).unwrap();
    assert_eq!(covered.shown.status, 0, "{:#?}", covered.shown);
    assert_unshaken(&covered.shown);
    assert!(has_test_with_status(&case, 5), "{}", covered.json);
    assert!(!covered.is_exhausted() && covered.json["pending"].as_u64() > Some(0), "{}", covered.json);
    assert_eq!(covered.replay_troubles(), None);
    let shown = Case::new("int main(void) {\n    for (;;)\n        ;\n}\n").run(&["--time", "2"]);
    assert_eq!(shown.status, 0, "{shown:#?}");
    assert!(String::from_utf8_lossy(&shown.stdout).contains("stopped: the time is up"), "{shown:#?}");
}

#[test]
fn a_program_that_forks_without_end_keeps_what_it_gave() {
    let case = Case::new(
        "int main(void) {
    for (int rounds = 0;; rounds++) {
        unsigned char x;
        klee_make_symbolic(&x, sizeof x, \"x\");
        if (x == 7)
            return rounds;
    }
}
",
    );
    let covered = cover(&case.out(), [case.program.to_str().unwrap(), "--time", "2"]).unwrap();
    assert_eq!(covered.shown.status, 0, "{:#?}", covered.shown);
    assert_unshaken(&covered.shown);
    assert!(covered.paths() > 0 && !covered.is_exhausted(), "{}", covered.json);
    assert!(covered.json["pending"].as_u64() > Some(0), "{}", covered.json);
    assert!(!written_tests(&case.out()).is_empty());
    assert_eq!(covered.replay_troubles(), None);
}

#[test]
fn a_program_that_recurses_without_end_overflows_its_stack() {
    let case = Case::new(
        "static int depth(int number) {
    return depth(number + 1) + 1;
}
int main(void) {
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, \"x\");
    return x == 7 ? 5 : depth(x);
}
",
    );
    let covered = cover(&case.out(), [&case.program]).unwrap();
    assert_eq!(covered.shown.status, 1, "{:#?}", covered.shown.stderr);
    assert_unshaken(&covered.shown);
    assert_eq!(covered.findings(), [(4, "stack-overflow".to_owned())]);
    assert_eq!(covered.paths(), 2);
    assert!(has_test_with_status(&case, 5));
    assert!(covered.is_exhausted());
    assert_eq!(covered.replay_troubles(), None);
}
