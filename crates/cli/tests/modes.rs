//! `cover --mode concolic` and `--mode lazy` on the programs of the paper on lazy expansion, whose numbers of paths and iterations are known.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use support::{root, run, symcrete};

/// What a run of `cover` says, without native replay.
fn cover(out: &Path, program: &str, arguments: &[&str]) -> Value {
    let source = root().join("benches/papers").join(program);
    let mut command = symcrete();
    command.args(["cover", "--json", "--no-replay", "--out"]).arg(out).args(arguments).arg(source);
    let shown = run(&mut command, b"");
    serde_json::from_slice(&shown.stdout).unwrap_or_else(|_| panic!("{program} {arguments:?}: {shown:?}"))
}

/// The exit statuses that the tests of a suite claim.
fn statuses(out: &Path) -> Vec<i64> {
    let tests = fs::read_dir(out.join("tests")).unwrap();
    let status = |path: std::path::PathBuf| {
        let test: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        test["ends"]["status"].as_i64().unwrap()
    };
    let mut statuses: Vec<i64> = tests.map(|test| status(test.unwrap().path())).collect();
    statuses.sort_unstable();
    statuses
}

#[test]
fn concolic_testing_has_the_paths_of_the_paper() {
    let folder = tempfile::tempdir().unwrap();
    let paths = [("lazy_fig1.c", 720), ("lazy_program1.c", 676), ("lazy_program2.c", 651), ("lazy_program3.c", 841)];
    for (program, expected) in paths {
        for search in ["dfs", "generational", "combined"] {
            let said = cover(folder.path(), program, &["--mode", "concolic", "--search", search]);
            assert_eq!(said["paths"]["completed"], expected, "{program} {search}");
            assert_eq!(said["exhausted"], true, "{program} {search}");
            assert_eq!(said["stats"]["divergences"], 0, "{program} {search}");
        }
    }
}

#[test]
fn concolic_testing_goes_on_on_two_threads_and_after_a_stop() {
    let folder = tempfile::tempdir().unwrap();
    let said = cover(folder.path(), "lazy_fig1.c", &["--mode", "concolic", "--jobs", "2"]);
    assert_eq!((&said["paths"]["completed"], &said["exhausted"]), (&Value::from(720), &Value::from(true)));
    let said = cover(folder.path(), "lazy_fig1.c", &["--mode", "concolic", "--max-paths", "100"]);
    assert_eq!((&said["paths"]["completed"], &said["exhausted"]), (&Value::from(100), &Value::from(false)));
    let resumed = run(symcrete().args(["cover", "--json", "--no-replay", "--resume"]).arg(folder.path()), b"");
    let said: Value = serde_json::from_slice(&resumed.stdout).unwrap();
    assert_eq!((&said["paths"]["completed"], &said["exhausted"]), (&Value::from(720), &Value::from(true)));
}

#[test]
fn paths_are_cut_short_in_all_modes() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("words.c");
    let text = "#include <symcrete.h>\nstatic char text[8];\nstatic int at;\nstatic int next(void) {\n    int c = text[at];\n    if (c == 0)\n        \
                return 0;\n    at++;\n    return c >= 'a' && c <= 'z' ? 1 : 2;\n}\nint f(void) {\n    int n = 0, t;\n    while ((t = next())) {\n        \
                if (t == 2)\n            return 9;\n        n++;\n    }\n    return n;\n}\nint main(void) {\n    symcrete_make_symbolic(text, 7, \
                \"text\");\n    return f();\n}\n";
    fs::write(&source, text).unwrap();
    for mode in ["forward", "concolic", "lazy"] {
        // Before there are inputs, and after some.
        for (steps, has_tests) in [("20", false), ("200", true)] {
            let out = folder.path().join("out");
            let mut command = symcrete();
            command.args([
                "cover",
                "--json",
                "--no-replay",
                "--no-burst",
                "--mode",
                mode,
                "--max-steps",
                steps,
                "--out",
            ]);
            let shown = run(command.arg(&out).arg(&source), b"");
            let said: Value = serde_json::from_slice(&shown.stdout).unwrap();
            let limits = said["limits"].as_array().unwrap();
            assert!(said["paths"]["partial"].as_u64().unwrap() > 0, "{mode} {steps}: {said}");
            assert!(
                limits.iter().any(|limit| limit["what"].as_str().unwrap().contains("--max-steps")),
                "{mode} {steps}"
            );
            assert_eq!(said["exhausted"], false, "{mode} {steps}");
            assert_eq!(said["tests"].as_u64().unwrap() > 0, has_tests, "{mode} {steps}: {said}");
            for test in fs::read_dir(out.join("tests")).unwrap() {
                let test: Value = serde_json::from_slice(&fs::read(test.unwrap().path()).unwrap()).unwrap();
                assert!(!test["inputs"].as_array().unwrap().is_empty(), "{mode} {steps}: {test}");
            }
        }
    }
}

#[test]
fn functions_that_were_named_and_not_passed_over_are_told_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("named.c");
    let text = "#include <symcrete.h>\nint plain(int x) { return x + 1; }\nint unused(int x) { return x > 1 ? x : 2; }\n\
                int size(int x) { if (x > 3) return 7; return x < 0 ? 1 : 2; }\n\
                int sign(int x) { if (x > 0) return 1; return 2; }\n\
                int main(void) {\n    int x = symcrete_int(\"x\");\n    \
                if (sign(x) == 1 && plain(x) == 5)\n        return 1;\n    return size(3);\n}\n";
    fs::write(&source, text).unwrap();
    let out = folder.path().join("out");
    let mut command = symcrete();
    command.args(["cover", "--json", "--no-replay", "--mode", "lazy", "--abstract", "sign,plain,size,unused", "--out"]);
    let shown = run(command.arg(&out).arg(&source), b"");
    let said: Value = serde_json::from_slice(&shown.stdout).unwrap();
    let functions = &said["stats"]["lazy"]["functions"];
    assert_eq!(functions["passed_over"], serde_json::json!(["sign"]), "{functions}");
    assert_eq!(functions["never_called"], serde_json::json!(["unused"]), "{functions}");
    let overruled = functions["overruled"].as_array().unwrap();
    let why: Vec<&str> = overruled.iter().map(|one| one["why"].as_str().unwrap()).collect();
    let names: Vec<&str> = overruled.iter().map(|one| one["function"].as_str().unwrap()).collect();
    assert_eq!(names, ["plain", "size"], "{functions}");
    assert!(why[0].contains("one path only") && why[1].contains("inputs decide nothing"), "{functions}");
}

#[test]
fn simplification_says_that_completeness_was_lost() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("product.c");
    let text = "#include <symcrete.h>\nint main(void) {\n    int x = symcrete_int(\"x\"), y = symcrete_int(\"y\");\n    \
                if (x * y == 35)\n        return 1;\n    return x + 2 * y == 99;\n}\n";
    fs::write(&source, text).unwrap();
    let run_with = |arguments: &[&str]| -> Value {
        let out = folder.path().join("out");
        let mut command = symcrete();
        command.args(["cover", "--json", "--no-replay", "--mode", "concolic", "--out"]).arg(out);
        let shown = run(command.args(arguments).arg(&source), b"");
        serde_json::from_slice(&shown.stdout).unwrap()
    };
    let (whole, part) = (run_with(&[]), run_with(&["--simplify"]));
    assert_eq!((&whole["paths"]["completed"], &whole["exhausted"]), (&Value::from(2), &Value::from(true)));
    assert_eq!(part["exhausted"], false);
    assert!(part["stats"]["simplified"].as_u64().unwrap() > 0);
}

#[test]
fn lazy_expansion_needs_no_more_iterations_than_the_paper() {
    let folder = tempfile::tempdir().unwrap();
    // The program, its size, the most iterations, and how many tests.
    let cases: [(&str, &[&str], u64, u64); 8] = [
        ("lazy_fig1.c", &[], 113, 3),
        ("lazy_fig7.c", &["-D", "N=8"], 10, 3),
        ("lazy_fig7.c", &["-D", "N=128"], 10, 3),
        ("lazy_program1.c", &[], 59, 9),
        ("lazy_program2.c", &[], 63, 7),
        ("lazy_program3.c", &[], 68, 3),
        ("lazy_calculator.c", &[], 206, 16),
        ("lazy_calculator.c", &["-D", "OPERATIONS=2"], 1671, 68),
    ];
    for (program, size, most, tests) in cases {
        let said = cover(folder.path(), program, &[&["--mode", "lazy", "--no-deeper"], size].concat());
        assert!(said["stats"]["iterations"].as_u64().unwrap() <= most, "{program} {size:?}: {said}");
        assert_eq!(
            (&said["tests"], &said["exhausted"]),
            (&Value::from(tests), &Value::from(true)),
            "{program} {size:?}"
        );
    }
    // The last was the calculator with two operations: 26 valid inputs.
    let valid = statuses(folder.path()).into_iter().filter(|status| *status != 1).count();
    assert_eq!(valid, 26);
}

#[test]
fn side_effects_are_not_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    // Figure 6 of the paper: the label cannot be reached, because the call changes a variable. Its line is the only one that no mode covers.
    let uncovered = |mode: &str| {
        let said = cover(folder.path(), "lazy_fig6.c", &["--no-burst", "--no-climb", "--mode", mode]);
        assert_eq!(said["exhausted"], true, "{mode}");
        let lines = &said["coverage"]["files"][0]["lines"];
        lines["total"].as_u64().unwrap() - lines["covered"].as_u64().unwrap()
    };
    assert_eq!((uncovered("forward"), uncovered("concolic"), uncovered("lazy")), (1, 1, 1));
}

/// What goes wrong depends on what calls give: a null pointer, a division by zero, and an access that never goes wrong.
const FAULTS: &str = r#"
#include <symcrete.h>
struct entry { int key, value; } table[4] = {{1, 10}, {2, 20}, {3, 30}, {4, 40}};
static struct entry *lookup(int key) {
    for (int i = 0; i < 4; i++)
        if (table[i].key == key)
            return &table[i];
    return 0;
}
static int weight(int v, int k) {
    if (v > 100)
        return v - k;
    return v < -100 ? 9 : 1;
}
static int rest(int v) {
    if (v < 0)
        return 3;
    return v % 4;
}
static int test(int a, int v, int k) {
    if (v == k)
        return table[rest(a)].value;
    struct entry *e = lookup(a);
    return e->value / (weight(v, k) == 9 ? 0 : 1);
}
int main(void) { return test(symcrete_int("a"), symcrete_int("v"), symcrete_int("k")); }
"#;

#[test]
fn faults_that_hang_on_what_calls_give_are_found_or_ruled_out() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("faults.c");
    fs::write(&source, FAULTS).unwrap();
    let found = |mode: &str| {
        let said = cover(&folder.path().join("out"), source.to_str().unwrap(), &["--mode", mode]);
        assert_eq!(said["exhausted"], true, "{mode}");
        let findings = said["findings"].as_array().unwrap().clone();
        let place = |finding: &Value| format!("{} {}", finding["line"], finding["kind"]);
        (findings.iter().map(place).collect::<BTreeSet<String>>(), said)
    };
    let ((concolic, _), (lazy, said)) = (found("concolic"), found("lazy"));
    assert_eq!(concolic.len(), 2, "{concolic:?}");
    assert_eq!(lazy, concolic);
    let suspicions = &said["stats"]["lazy"]["suspicions"];
    assert_eq!((&suspicions["real"], &suspicions["open"]), (&Value::from(2), &Value::from(Vec::<Value>::new())));
    assert!(suspicions["refuted"].as_u64().unwrap() > 0, "{suspicions}");
}

#[test]
fn each_kind_of_fault_at_a_place_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("kinds.c");
    let text = "#include <stdio.h>\n\
        static int *slot(int *a, int c) { return c >= '0' && c <= '4' ? &a[c - '0'] : c == 'a' ? a : NULL; }\n\
        struct pair { int first, second; };\nstatic struct pair pairs[2];\n\
        static struct pair *pair(int c) { if (c < 'k') return NULL; return c < 'n' ? &pairs[c - 'k'] : pairs; }\n\
        int main(void) {\n    int array[4] = {0, 1, 2, 3};\n    if (getchar() == 'x') return pair(getchar())->second;\n\
        return *slot(array, getchar()) == 3 ? 7 : 8;\n}\n";
    fs::write(&source, text).unwrap();
    let found = |mode: &str| {
        let said = cover(folder.path(), source.to_str().unwrap(), &["--mode", mode, "--sym-stdin", "2"]);
        assert_eq!(said["exhausted"], true, "{mode}");
        let place = |finding: &Value| format!("{} {}", finding["line"], finding["kind"]);
        (said["findings"].as_array().unwrap().iter().map(place).collect::<BTreeSet<String>>(), said)
    };
    let ((concolic, _), (lazy, said)) = (found("concolic"), found("lazy"));
    assert_eq!(concolic.len(), 4, "{concolic:?}");
    assert_eq!(lazy, concolic, "{said}");
    let suspicions = &said["stats"]["lazy"]["suspicions"];
    let count = |what: &str| suspicions[what].as_u64().unwrap();
    assert_eq!((count("all"), count("real")), (count("real") + count("refuted"), 4), "{suspicions}");
}

#[test]
fn a_parser_gets_exactly_its_programs() {
    let folder = tempfile::tempdir().unwrap();
    let grammar = root().join("benches/papers/lazy_pl0_grammar.py");
    let listed = run(std::process::Command::new("python3").arg(grammar).arg("5"), b"");
    let listed = String::from_utf8(listed.stdout).unwrap();
    let expected: BTreeSet<&str> = listed.lines().filter(|line| !line.starts_with('#')).collect();
    let said = cover(folder.path(), "lazy_pl0.c", &["--mode", "lazy", "--abstract", "lex,compare", "-D", "TOKENS=5"]);
    assert_eq!(said["exhausted"], true);
    let valid = statuses(folder.path()).into_iter().filter(|status| *status == 0).count();
    assert_eq!(valid, expected.len());
}

/// A small parser over a lexer that finds the next character in one of several ways.
const PARSER: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <symcrete.h>
static char text[5];
static const char *cursor = text;
struct lexer { const char *at; int token; };
static struct lexer lexer = {text, 0};
static int token;
static int next_of_stream(void) { int c; do c = getchar(); while (c == ' '); return c == EOF ? 0 : c; }
static int next_put_back(void) { int c; do c = getchar(); while (c == ' '); ungetc(c, stdin); c = getchar(); return c == EOF ? 0 : c; }
static int next_or_never(void) {
    int c = next_put_back();
    if (c >= 'a' && c <= 'z') { fprintf(stderr, "a letter: %c (%d)\n", c, c); exit(3); }
    return c;
}
static int complain(const char *what, int c) {
    char text[40];
    snprintf(text, sizeof text, "%s: %d", what, c);
    return fprintf(stderr, "a letter: %c, %s\n", c, text);
}
static int next_with_messages(void) {
    int c = next_put_back();
    if (c >= 'a' && c <= 'z') { complain("no number", c); printf("%5.1f\n", c * 0.5); return '!'; }
    return c;
}
static int next_by_pointer(void) { while (*cursor == ' ') cursor++; return *cursor ? *cursor++ : 0; }
static struct lexer *skip(struct lexer *it) { if (!it) return NULL; while (*it->at == ' ') it->at++; return it; }
static int next_of_struct(void) { struct lexer *it = skip(&lexer); return *it->at ? *it->at++ : 0; }
static int *copy_of(int c) { int *made = malloc(sizeof *made); if (made) *made = c; return made; }
static int next_with_memory(void) { int *made = copy_of(next_by_pointer()); int c = made ? *made : 0; free(made); return c; }
static int next(void) { return token = NEXT(); }
static int list(void) {
    if (token == '(') { next(); if (!list() || token != ')') return 0; next(); return 1; }
    if (token < '0' || token > '9') return 0;
    next();
    return token == ',' ? (next(), list()) : 1;
}
int main(void) {
#ifdef TEXT
    symcrete_make_symbolic(text, 4, "text");
#endif
    next();
    if (!list()) return 2;
    return token != 0;
}
"#;

#[test]
fn calls_are_passed_over_whatever_they_read_from() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("parser.c");
    fs::write(&source, PARSER).unwrap();
    let forms: [(&str, &[&str]); 7] = [
        ("next_of_stream", &["--sym-stdin", "4"]),
        ("next_put_back", &["--sym-stdin", "4"]),
        ("next_or_never", &["--sym-stdin", "4"]),
        ("next_with_messages", &["--sym-stdin", "4"]),
        ("next_by_pointer", &["-D", "TEXT"]),
        ("next_of_struct", &["-D", "TEXT"]),
        ("next_with_memory", &["-D", "TEXT"]),
    ];
    let mut numbers = BTreeSet::new();
    for (next, arguments) in forms {
        let out = folder.path().join(next);
        let mut command = symcrete();
        command.args([
            "cover",
            "--json",
            "--mode",
            "lazy",
            "--no-deeper",
            "--no-abstract",
            "list",
            "-D",
            &format!("NEXT={next}"),
        ]);
        let shown = run(command.args(arguments).arg("--out").arg(&out).arg(&source), b"");
        let said: Value = serde_json::from_slice(&shown.stdout).unwrap_or_else(|_| panic!("{next}: {shown:?}"));
        assert_eq!(said["exhausted"], true, "{next}: {said}");
        let passed_over = &said["stats"]["lazy"]["functions"]["passed_over"];
        assert!(
            *passed_over == serde_json::json!(["next"]) || *passed_over == serde_json::json!([next]),
            "{next}: {said}"
        );
        assert_eq!(said["replay"]["confirmed"], said["tests"], "{next}: {said}");
        numbers.insert(statuses(&out).into_iter().filter(|status| *status == 2).count());
    }
    // The parser has the same syntax errors over each of them.
    assert_eq!(numbers.len(), 1, "{numbers:?}");
}

#[test]
fn a_call_is_not_taken_for_an_earlier_one() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("again.c");
    // The first call of `twice` has one way; a later one at the same place of `outer` has two.
    let text = "#include <symcrete.h>\n\
        static int twice(int v) { return v > 3 ? v * 2 : v + 1; }\n\
        static int outer(int v) { return twice(v) + 1; }\nstatic volatile int seen;\n\
        int main(void) {\n    unsigned char in[2];\n    symcrete_make_symbolic(in, sizeof in, \"in\");\n\
        int first = outer(1);\n    if (in[0] & 1)\n        seen = 1;\n    else\n        seen = 2;\n\
        if (outer(in[1]) == first + 10)\n        return 1;\n\
        if (in[0] == in[1])\n        return 2;\n    return 3;\n}\n";
    fs::write(&source, text).unwrap();
    let mut ends = Vec::new();
    for mode in [&["--mode", "concolic"][..], &["--mode", "lazy", "--abstract", "twice"][..]] {
        let out = folder.path().join(mode[1]);
        let mut command = symcrete();
        command.args(["cover", "--json", "--every-path"]).args(mode).arg("--out").arg(&out);
        let shown = run(command.arg(&source), b"");
        let said: Value = serde_json::from_slice(&shown.stdout).unwrap_or_else(|_| panic!("{shown:?}"));
        assert_eq!((&said["exhausted"], &said["replay"]["confirmed"]), (&Value::from(true), &said["tests"]), "{said}");
        ends.push(statuses(&out));
    }
    let of_lazy: BTreeSet<_> = ends[1].iter().copied().collect();
    assert_eq!(of_lazy, ends[0].iter().copied().collect());
    // Two ways to the second call, three ends each: none is lost, none is found twice.
    assert_eq!(ends[1].len(), 6, "{ends:?}");
}

/// Paths through `look` are without number, and what differs in most of them is not asked for; `LEFT` says how it leaves its result.
fn counting_program(left: &str, result: &str) -> String {
    format!(
        "#include <symcrete.h>\n\
        static int digits, letters, others, kind;\n\
        static int look(const unsigned char *text, int n) {{\n    for (int i = 0; i < n; i++) {{\n\
        if (text[i] >= '0' && text[i] <= '9') digits++;\n        else if (text[i] >= 'a' && text[i] <= 'z') letters++;\n\
        else others++;\n    }}\n    int is = text[3] == 'x' && text[7] == 'y' ? 42 : 1;\n    {left}\n}}\n\
        int main(void) {{\n    unsigned char text[16];\n    symcrete_make_symbolic(text, sizeof text, \"text\");\n\
        {result} look(text, 16);\n    if (kind % 5 == 4) return 3;\n    if (kind == 42) {{\n\
        {result} look(text + 1, 8);\n        return kind == 42 ? 5 : 2;\n    }}\n    return 1;\n}}\n"
    )
}

#[test]
fn goals_are_answered_from_behind_where_paths_are_many() {
    let folder = tempfile::tempdir().unwrap();
    for (name, left, result) in [("result", "return is;", "kind ="), ("global", "kind = is; return 0;", "")] {
        let (source, out) = (folder.path().join(format!("{name}.c")), folder.path().join(name));
        fs::write(&source, counting_program(left, result)).unwrap();
        let mut command = symcrete();
        command.args(["cover", "--json", "--mode", "lazy", "--time", "60", "--no-deeper", "--out"]).arg(&out);
        let shown = run(command.arg(&source), b"");
        let said: Value = serde_json::from_slice(&shown.stdout).unwrap_or_else(|_| panic!("{shown:?}"));
        assert_eq!((&said["exhausted"], &said["replay"]["confirmed"]), (&Value::from(true), &said["tests"]), "{said}");
        // The second call needs of the inputs what the first one must not forbid; nothing gives 4 modulo 5.
        let ends: BTreeSet<_> = statuses(&out).into_iter().collect();
        assert_eq!(ends, [1, 2, 5].into_iter().collect(), "{said}");
        assert!(said["stats"]["lazy"]["answered_backward"].as_u64() > Some(2), "{said}");
    }
}
