//! `symcrete replay`: suites of every format and of every kind of program, written by `symcrete cover` or by hand, run
//! natively and told about.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{Shown, run, symcrete};

/// A directory with one source.
struct Place {
    folder: tempfile::TempDir,
    source: PathBuf,
}

impl Place {
    fn new(name: &str, text: &str) -> Place {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join(name);
        fs::write(&source, text).unwrap();
        Place { folder, source }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }

    /// Covers the source, with tests in every format that replay reads.
    fn cover(&self, flags: &[&str]) -> Value {
        let formats = ["--format=ktest", "--format=testcomp", "--format=corpus", "--json", "--out"];
        let mut command = symcrete();
        command.arg("cover").args(formats).arg(self.path("out")).arg(&self.source).args(flags);
        let shown = run(&mut command, b"");
        assert!(shown.status <= 1, "{shown:?}");
        let result = json(&shown);
        assert_eq!(result["replay"]["confirmed"], result["tests"], "{result}");
        result
    }

    fn replay(&self, tests: &Path, flags: &[&str]) -> (i32, Value) {
        let mut command = symcrete();
        command.arg("replay").arg(tests).arg(&self.source).arg("--json").args(flags);
        let shown = run(&mut command, b"");
        let result = json(&shown);
        (shown.status, result)
    }

    /// Whether all tests of the suite do what they claim, with the coverage that `cover` saw.
    fn agrees(&self, flags: &[&str]) -> Value {
        let covered = self.cover(flags);
        let (status, replayed) = self.replay(&self.path("out"), &[]);
        let has_findings = !covered["findings"].as_array().unwrap().is_empty();
        assert_eq!((status, &replayed["confirmed"]), (i32::from(has_findings), &covered["tests"]), "{replayed}");
        assert_eq!(replayed["coverage"]["lines"], covered["coverage"]["lines"]);
        assert_eq!(replayed["findings"].as_array().unwrap().len(), covered["findings"].as_array().unwrap().len());
        replayed
    }
}

fn json(shown: &Shown) -> Value {
    serde_json::from_slice(&shown.stdout).unwrap_or_else(|error| panic!("{error}: {shown:?}"))
}

fn outcomes(result: &Value) -> Vec<&str> {
    result["tests"].as_array().unwrap().iter().map(|test| test["outcome"].as_str().unwrap()).collect()
}

const KLEE: &str = "#include <klee/klee.h>\n\
    #include <assert.h>\n\
    int main(void) {\n\
    \x20 int x;\n\
    \x20 char s[3];\n\
    \x20 klee_make_symbolic(&x, sizeof x, \"x\");\n\
    \x20 klee_make_symbolic(s, sizeof s, \"s\");\n\
    \x20 klee_assume(x > 0);\n\
    \x20 if (s[0] == 'a')\n\
    \x20   assert(x != 7);\n\
    \x20 if (x == 9)\n\
    \x20   return klee_range(1, 5, \"r\");\n\
    \x20 klee_assert(x != 100);\n\
    \x20 return 2;\n\
    }\n";

#[test]
fn programs_for_klee() {
    let place = Place::new("klee.c", KLEE);
    let replayed = place.agrees(&[]);
    assert_eq!(replayed["findings"].as_array().unwrap().len(), 2, "{replayed}");
    let lines = &replayed["coverage"]["lines"];
    assert_eq!(lines["covered"], lines["total"], "{replayed}");
    // The same tests in KLEE's own format claim nothing; those that abort are told.
    let out = place.path("out/tests");
    let files = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path());
    for file in files.filter(|path| path.extension().is_some_and(|extension| extension == "json")) {
        fs::remove_file(file).unwrap();
    }
    let (status, replayed) = place.replay(&out, &[]);
    assert_eq!((status, &replayed["crashed"], &replayed["diverged"]), (1, &2.into(), &0.into()), "{replayed}");
    assert!(replayed["tests"][0]["claims"].is_null());
}

#[test]
fn programs_for_symcrete() {
    let text = "#include <symcrete.h>\n\
        int main() {\n\
        \x20 unsigned c = symcrete_choice(3, \"c\");\n\
        \x20 double d = symcrete_double(\"d\");\n\
        \x20 if (c == 1)\n\
        \x20   symcrete_assert(d < 5.0 || d >= 6.0);\n\
        \x20 return c;\n\
        }\n";
    for name in ["own.c", "own.cpp"] {
        let replayed = Place::new(name, text).agrees(&[]);
        assert_eq!(replayed["findings"][0]["kind"], "assertion-failed", "{replayed}");
    }
}

#[test]
fn tasks_of_sv_comp() {
    let defined = "extern void abort(void);\n\
        extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__noreturn__));\n\
        void reach_error() { __assert_fail(\"0\", \"task.c\", 3, \"reach_error\"); }\n\
        extern int __VERIFIER_nondet_int(void);\n\
        extern unsigned char __VERIFIER_nondet_uchar(void);\n\
        void __VERIFIER_assert(int cond) { if (!cond) { ERROR: { reach_error(); abort(); } } }\n\
        int main(void) {\n\
        \x20 int x = __VERIFIER_nondet_int();\n\
        \x20 if (x == 12345)\n\
        \x20   __VERIFIER_assert(__VERIFIER_nondet_uchar() != 200);\n\
        \x20 return 0;\n\
        }\n";
    let place = Place::new("task.c", defined);
    let replayed = place.agrees(&[]);
    assert_eq!(replayed["findings"][0]["kind"], "assertion-failed", "{replayed}");
    let (status, replayed) = place.replay(&place.path("out/test-suite"), &[]);
    assert_eq!((status, &replayed["crashed"], &replayed["diverged"]), (1, &1.into(), &0.into()), "{replayed}");

    let declared = "extern void reach_error(void);\n\
        extern void __VERIFIER_assume(int);\n\
        extern int __VERIFIER_nondet_int(void);\n\
        extern _Bool __VERIFIER_nondet_bool(void);\n\
        extern float __VERIFIER_nondet_float(void);\n\
        int main(void) {\n\
        \x20 int x = __VERIFIER_nondet_int();\n\
        \x20 __VERIFIER_assume(x > 10);\n\
        \x20 if (__VERIFIER_nondet_bool() && x == 42 && __VERIFIER_nondet_float() > 3.5f)\n\
        \x20   reach_error();\n\
        \x20 return 0;\n\
        }\n";
    let replayed = Place::new("task.c", declared).agrees(&[]);
    assert_eq!(replayed["findings"][0]["kind"], "error-reached", "{replayed}");
}

#[test]
fn targets_of_fuzzers() {
    let body = "int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {\n\
        \x20 if (size == 2 && data[0] == 'H')\n\
        \x20   if (data[1] == 'i')\n\
        \x20     abort();\n\
        \x20 return 0;\n\
        }\n";
    let includes = "#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n";
    for (name, text) in
        [("fuzz.c", format!("{includes}{body}")), ("fuzz.cpp", format!("{includes}extern \"C\" {body}"))]
    {
        let place = Place::new(name, &text);
        let replayed = place.agrees(&[]);
        assert_eq!(replayed["findings"][0]["kind"], "abort", "{replayed}");
        let (status, replayed) = place.replay(&place.path("out/corpus"), &[]);
        assert_eq!((status, &replayed["crashed"]), (1, &1.into()), "{replayed}");
        let raw = place.write("raw/input", b"Ho");
        let (status, replayed) = place.replay(&raw, &[]);
        assert_eq!((status, outcomes(&replayed)), (0, vec!["ran"]), "{replayed}");
    }
}

#[test]
fn functions_of_several_files() {
    let text = "int limit(int);\n\
        static int scale(int x, short y) {\n\
        \x20 if (x == limit(7))\n\
        \x20   return 100 / y;\n\
        \x20 return x;\n\
        }\n\
        int main(void) { return scale(0, 0); }\n";
    let place = Place::new("scale.c", text);
    let other = place.write("limit.c", b"int limit(int x) { return x + 1; }\n");
    let other = other.to_str().unwrap();
    place.cover(&["--entry", "scale", other]);
    let (status, replayed) = place.replay(&place.path("out"), &[other]);
    assert_eq!((status, &replayed["findings"][0]["kind"]), (1, &"division-by-zero".into()), "{replayed}");
    // Test-Comp's format does not say which function it was.
    let (status, replayed) = place.replay(&place.path("out/test-suite"), &["--entry", "scale", other]);
    assert_eq!((status, &replayed["crashed"], &replayed["ran"]), (1, &1.into(), &2.into()), "{replayed}");
    let (status, replayed) = place.replay(&place.path("out/corpus"), &["--entry", "scale", other]);
    assert_eq!((status, &replayed["not_replayed"]), (1, &3.into()), "{replayed}");
}

#[test]
fn arguments_input_and_files_are_recreated() {
    let text = "#include <stdio.h>\n#include <string.h>\n\
        int main(int argc, char **argv) {\n\
        \x20 char b[4] = {0};\n\
        \x20 if (argc > 1 && argv[1][0] == '-') { fread(b, 1, 3, stdin); if (!memcmp(b, \"abc\", 3)) return 3; }\n\
        \x20 FILE *f = fopen(\"A\", \"r\");\n\
        \x20 return f && fgetc(f) == 'z' ? 5 : 0;\n\
        }\n";
    let place = Place::new("world.c", text);
    place.agrees(&["--sym-args", "1", "1", "2", "--sym-stdin", "3", "--sym-files", "1", "2"]);
    // A raw file is standard input where nothing takes it as data.
    let raw = place.write("raw", b"abc");
    let (status, replayed) = place.replay(&raw, &[]);
    assert_eq!((status, outcomes(&replayed)), (0, vec!["ran"]), "{replayed}");
}

#[test]
fn bitcode_is_replayed() {
    let place = Place::new("klee.c", &KLEE.replace("<klee/klee.h>", "\"klee.h\""));
    let root = support::root();
    fs::copy(root.join("runtime/include/klee/klee.h"), place.path("klee.h")).unwrap();
    let bitcode = support::bitcode(place.folder.path(), &["-O0"], std::slice::from_ref(&place.source));
    let place = Place { source: bitcode[0].clone(), ..place };
    place.agrees(&[]);
}

#[test]
fn the_table_tells_each_test() {
    let place = Place::new("klee.c", KLEE);
    let test = |x: i32, ends: &str| {
        let bytes: String = x.to_le_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        format!(
            "{{\"inputs\":[{{\"name\":\"x\",\"bytes\":\"{bytes}\"}},{{\"name\":\"s\",\"bytes\":\"610000\"}}],\"ends\":{ends}}}"
        )
    };
    let tests = [
        test(1, "{\"kind\":\"exit\",\"status\":2}"),
        test(7, "{\"kind\":\"assertion-failed\",\"file\":\"klee.c\",\"line\":10}"),
        test(1, "{\"kind\":\"exit\",\"status\":3}"),
        test(-1, "{\"kind\":\"unknown\"}"),
        test(9, "{\"kind\":\"exit\",\"status\":1}"),
    ];
    let list = place.write("list.json", format!("[{}]", tests.join(",")).as_bytes());
    let mut command = symcrete();
    command.arg("replay").arg(&list).arg(&place.source);
    let shown = run(&mut command, b"");
    assert_eq!(shown.status, 1, "{shown:?}");
    let text = String::from_utf8(shown.stdout).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["test", "claims", "did", "time"]);
    let starts: Vec<_> = rows[1..6].iter().map(|row| (row[0], row[1])).collect();
    let expected =
        [("ok", "list"), ("ok", "list#2"), ("DIVERGED", "list#3"), ("DIVERGED", "list#4"), ("DIVERGED", "list#5")];
    assert_eq!(starts, expected, "{text}");
    for words in [
        "klee.c:10: assertion-failed",
        "it claims exit with status 3, and the program: exit with status 2",
        "a condition of klee_assume that does not hold",
        "one more input, r",
        "5 tests: 2 did what they claim, 3 diverged",
        "(counted by ",
    ] {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
}

#[test]
fn trouble_is_said_in_words() {
    let place = Place::new("plain.c", "int main(void) { for (;;); }\n");
    let says = |command: &mut std::process::Command, words: &str| {
        let shown = run(command, b"");
        assert_eq!(shown.status, 2, "{shown:?}");
        assert!(shown.stderr.contains(words), "{words}: {shown:?}");
    };
    let empty = place.path("empty");
    fs::create_dir(&empty).unwrap();
    says(symcrete().arg("replay").arg(&empty).arg(&place.source), "holds no tests");
    says(symcrete().arg("replay").arg(place.path("nowhere")).arg(&place.source), "nowhere");
    let ktest = place.write("a.ktest", b"KTEST\0\0\0\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    says(symcrete().arg("replay").arg(&ktest), "name its files after the tests");
    says(symcrete().arg("replay").arg(&ktest).arg(&place.source).args(["--entry", "f"]), "no function `f`");
    says(symcrete().arg("replay").arg(&ktest).arg(&place.source).args(["--time", "0"]), "'0' for '--time");
    let named = place.write("named.json", b"{\"program\":[\"gone.c\"]}");
    says(symcrete().arg("replay").arg(&named), "gone.c");
    let bad = place.write("bad.c", b"int main(void) { return nothing; }\n");
    says(symcrete().arg("replay").arg(&named).arg(&bad), "use of undeclared identifier 'nothing'");
    let (status, replayed) = place.replay(&ktest, &["--time", "0.2"]);
    assert_eq!((status, outcomes(&replayed)), (1, vec!["crashed"]), "{replayed}");
    assert_eq!(replayed["tests"][0]["did"], "still running at the time limit");
}
