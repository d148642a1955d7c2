//! Undefined behaviour: checks that clang puts into programs (`-fsanitize=…`), and those of the engine; what is said, and whether native
//! runs confirm it. Pointers that are inputs, and what else KLEE's functions promise of them.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::{Shown, native, run, symcrete};

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

/// `symcrete cover --json` of a program; what it says, and the status.
fn cover(folder: &Path, name: &str, text: &str, flags: &[&str]) -> (Value, i32) {
    let source = write(folder, name, text);
    let mut command = symcrete();
    command.args(["cover", "--json", "--time", "60", "--out"]).arg(folder.join("out")).args(flags).arg(source);
    let shown = run(&mut command, b"");
    let said = serde_json::from_slice(&shown.stdout).unwrap_or_else(|_| panic!("{shown:?}"));
    (said, shown.status)
}

/// The findings: line, kind and message, in order.
fn findings(said: &Value) -> Vec<(u64, String, String)> {
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let all = said["findings"].as_array().unwrap().iter();
    let mut all: Vec<_> = all.map(|it| (it["line"].as_u64().unwrap(), text(it, "kind"), text(it, "message"))).collect();
    all.sort();
    all
}

fn execute(folder: &Path, name: &str, text: &str, flags: &[&str]) -> Shown {
    let source = write(folder, name, text);
    run(symcrete().arg("run").args(flags).arg(source), b"")
}

const CHECKS: &str = r#"#include <limits.h>
#include <symcrete.h>
int main(void) {
    int x = symcrete_int("x"), y = symcrete_int("y");
    int a[5] = {0};
    switch (y) {
    case 0: return x + 1 < 0;
    case 1: return 1 << x;
    case 2: return -x;
    case 3: if (x) return 0; return INT_MIN / x;
    case 4: if (x != -1) return 0; return INT_MIN / x;
    case 5: if (x != 7 && x != 2) return 0; return a[x];
    case 6: { if (x < -2 || x > 3 || !x) return 0; char v[x]; v[0] = 1; return v[0] - 1; }
    case 7: return (int)((double)x * 1e9) == 5;
    case 8: { _Bool b; if (x > 255 || x < 0) return 0; *(char *)&b = x; return b; }
    case 9: return __builtin_clz(x);
    case 10: { int *p = x == 3 ? 0 : a; return *p; }
    case 11: if (x == 77) __builtin_unreachable(); return 0;
    case 12: return *(int *)((char *)a + (x & 1)) > 5;
    }
    return 0;
}
"#;

#[test]
fn each_handler_of_the_sanitizer_is_a_finding_in_its_words() {
    let folder = tempfile::tempdir().unwrap();
    let (said, status) = cover(folder.path(), "checks.c", CHECKS, &["--cflag=-fsanitize=undefined"]);
    let expected: [(u64, &str, &str); 13] = [
        (7, "signed-overflow", "signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'"),
        (8, "bad-shift", "shift exponent "),
        (9, "signed-overflow", "negation of -2147483648 cannot be represented in type 'int'; cast to an unsigned"),
        (10, "division-by-zero", "division by zero"),
        (11, "division-overflow", "division of -2147483648 by -1 cannot be represented in type 'int'"),
        (12, "out-of-bounds", "index 7 out of bounds for type 'int[5]'"),
        (13, "bad-array-bound", "variable length array bound evaluates to non-positive value -"),
        (14, "float-cast-overflow", "is outside the range of representable values of type 'int'"),
        (15, "invalid-value", "which is not a valid value for type"),
        (16, "bad-builtin-argument", "passing zero to clz(), which is not a valid argument"),
        (17, "null-dereference", "load of null pointer of type 'int'"),
        (18, "unreachable", "execution reached an unreachable program point"),
        (19, "misaligned-access", "load of misaligned address 0x"),
    ];
    let found = findings(&said);
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for ((line, kind, words), found) in expected.iter().zip(&found) {
        assert!(found.0 == *line && found.1 == *kind && found.2.contains(words), "{found:?}");
    }
    assert_eq!(status, 1);
    assert_eq!(said["replay"]["not_replayed"], serde_json::json!([]), "{}", said["replay"]);
    assert_eq!(said["replay"]["diverged"], serde_json::json!([]), "{}", said["replay"]);
}

#[test]
fn checks_that_abort_trap_or_say_little_are_findings() {
    let text = "int main(int n, char **w) {\n    volatile int big = 2147483647;\n    return big + n > 0 && w;\n}\n";
    let cases = [
        (
            &["--cflag=-fsanitize=undefined"][..],
            "signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'",
        ),
        (
            &["--cflag=-fsanitize=undefined", "--cflag=-fno-sanitize-recover=all"],
            "signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'",
        ),
        (&["--cflag=-fsanitize=undefined", "--cflag=-fsanitize-minimal-runtime"], "ubsan: add-overflow"),
        (&["--cflag=-fsanitize=undefined", "--cflag=-fsanitize-trap=undefined"], "the program executed a trap"),
    ];
    for (flags, words) in cases {
        let folder = tempfile::tempdir().unwrap();
        let shown = execute(folder.path(), "main.c", text, flags);
        assert_eq!(shown.status, 1, "{flags:?}: {shown:?}");
        assert!(shown.stderr.contains(words), "{flags:?}: {}", shown.stderr);
        assert!(shown.stderr.contains("main.c:3:"), "{flags:?}: {}", shown.stderr);
    }
    let folder = tempfile::tempdir().unwrap();
    let shown = execute(folder.path(), "main.c", "int main(void) { return 3; }\n", &["--cflag=-fsanitize=undefined"]);
    assert_eq!(shown.status, 3, "{shown:?}");
}

/// Compilers put descriptions of functions into the text, and callers look there.
#[test]
fn types_of_functions_are_compared() {
    let text = "#include <cstdio>\n#include <cstdlib>\nstatic int f(int x) { return x + 1; }\n\
                static int call(int (*p)(int), int x) {\n    return p(x);\n}\nstatic long g(long x) { return x; }\n\
                int main(int n, char **) {\n    std::printf(\"%d\\n\", call(f, n));\n    \
                std::printf(\"%d\\n\", call((int (*)(int))std::abs, -n));\n    fflush(stdout);\n    \
                std::printf(\"%d\\n\", call((int (*)(int))g, n));\n    return 0;\n}\n";
    let folder = tempfile::tempdir().unwrap();
    let flags = ["--cflag=-fsanitize=function"];
    let shown = execute(folder.path(), "main.cpp", text, &flags);
    assert_eq!(String::from_utf8_lossy(&shown.stdout), "2\n1\n", "{shown:?}");
    let words = "call to function g through pointer to incorrect function type 'int (*)(int)'";
    assert!(shown.stderr.contains(words) && shown.stderr.contains("main.cpp:5:"), "{}", shown.stderr);
    // Since LLVM 17 C has them too, before the functions.
    if Command::new("clang-22").arg("--version").output().is_ok() {
        let text = "int printf(const char *, ...);\nstatic int f(int x) { return x + 1; }\nstatic int g(long x) { return x; }\n\
                    static int call(int (*p)(int), int x) {\n    return p(x);\n}\nint main(int n, char **w) {\n    \
                    printf(\"%d\\n\", call(f, n) + !w);\n    return call((int (*)(int))g, n);\n}\n";
        let shown = execute(folder.path(), "main.c", text, &["--cflag=-fsanitize=function", "--clang", "clang-22"]);
        assert!(shown.stderr.contains(words) && shown.stderr.contains("main.c:5:"), "{}", shown.stderr);
    }
}

#[test]
fn shifts_and_absolute_values_are_checked_where_overflows_are() {
    let text = "#include <symcrete.h>\n#include <limits.h>\nint main(void) {\n    unsigned n = symcrete_uint(\"n\");\n    \
                int x = symcrete_int(\"x\");\n    switch (symcrete_choice(4, \"which\")) {\n    case 0: return 1u << n;\n    \
                case 1: return 0x80000000u >> n;\n    case 2: return x >> 3;\n    default: return __builtin_abs(x) < 0;\n    }\n}\n";
    let folder = tempfile::tempdir().unwrap();
    let (said, _) = cover(folder.path(), "main.c", text, &["--overflow"]);
    let found = findings(&said);
    let lines: Vec<(u64, &str)> = found.iter().map(|it| (it.0, it.1.as_str())).collect();
    assert_eq!(lines[..2], [(7, "bad-shift"), (8, "bad-shift")], "{found:?}");
    // What builtins overflow, the sanitizer of older compilers does not see: they do not confirm it.
    let unconfirmed = said["unconfirmed"].as_array().unwrap();
    let absolute = unconfirmed.iter().map(|it| (it["line"].as_u64().unwrap(), it["kind"].as_str().unwrap()));
    let absolute: Vec<(u64, &str)> = lines[2..].iter().copied().chain(absolute).collect();
    assert_eq!(absolute, [(10, "signed-overflow")], "{said}");
    assert!(found[0].2.contains("is too large for a 32-bit type") || found[0].2.contains("is negative"), "{found:?}");
    let diverged = said["replay"]["diverged"].as_array().unwrap();
    let is_absolute = |test: &Value| test["expected"].as_str().unwrap().starts_with("signed-overflow");
    assert!(diverged.iter().all(is_absolute), "{diverged:?}");
    let (said, status) = cover(folder.path(), "main.c", text, &[]);
    assert_eq!((findings(&said), status), (Vec::new(), 0));
    if Command::new("clang-22").arg("--version").output().is_ok() {
        let text = "int main(int n, char **w) {\n    volatile int least = -2147483647 - n;\n    return __builtin_abs(least) > 0 && w;\n}\n";
        let shown = execute(folder.path(), "abs.c", text, &["--overflow", "--clang", "clang-22"]);
        assert!(shown.stderr.contains("signed integer overflow") && shown.stderr.contains("abs.c:3:"), "{shown:?}");
    }
}

#[test]
fn an_array_with_a_negative_length_is_no_deep_recursion() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "int main(int n, char **w) {\n    int k = -n;\n    char v[k];\n    v[0] = w != 0;\n    return v[0];\n}\n";
    let shown = execute(folder.path(), "main.c", text, &[]);
    let words = "variable length array bound evaluates to non-positive value -1";
    assert!(shown.stderr.contains(words) && shown.stderr.contains("main.c:3:"), "{}", shown.stderr);
    let text = "#include <symcrete.h>\nint main(void) {\n    int k = symcrete_int(\"k\");\n    if (k > 100 || k == 0)\n        return 0;\n    \
                char v[k];\n    v[0] = 1;\n    return v[0];\n}\n";
    let (said, _) = cover(folder.path(), "symbolic.c", text, &[]);
    let found = findings(&said);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].0 == 6 && found[0].1 == "bad-array-bound" && found[0].2.contains("value -"), "{found:?}");
}

#[test]
fn sizes_of_objects_are_known_where_compilers_know_them() {
    let text = r#"#include <stdio.h>
#include <stdlib.h>
struct s { char a[8]; char b[24]; };
char g[40];
extern char **environ;
int main(int n, char **w) {
    struct s v;
    char l[10], k[n + 6];
    printf("%ld %ld\n", (long)__builtin_object_size(l, 0), (long)__builtin_object_size(v.b, 1));
    printf("%ld %ld\n", (long)__builtin_object_size(&v.b[4], 0), (long)__builtin_object_size(g + 3, 2));
    char *volatile p = l, *q = l + 2;
    printf("%ld %ld\n", (long)__builtin_object_size(&l[n], 0), (long)__builtin_object_size(p, 0));
    printf("%ld %ld\n", (long)__builtin_object_size(environ, 0), (long)__builtin_object_size(environ, 2));
    printf("%ld %ld\n", (long)__builtin_dynamic_object_size(k, 0), (long)__builtin_object_size(w[0], 1));
    printf("%ld %ld\n", (long)__builtin_object_size(q, 0), (long)__builtin_object_size((n ? l : g), 0));
    return 0;
}
"#;
    let folder = tempfile::tempdir().unwrap();
    let source = write(folder.path(), "main.c", text);
    let expected = run(&mut Command::new(native(folder.path(), &["-O0"], &[source])), b"");
    let shown = execute(folder.path(), "main.c", text, &[]);
    assert_eq!(String::from_utf8_lossy(&shown.stdout), String::from_utf8_lossy(&expected.stdout));
}

/// Nothing is known of the pointer: there is one path for each label, function or object, and one for all other addresses.
#[test]
fn pointers_that_are_inputs_lead_to_what_there_is() {
    let text = r#"#include <stdlib.h>
#include <symcrete.h>
static void one(void) { exit(11); }
static void two(void) { exit(12); }
void (*table[])(void) = { one, two };
int main(void) {
    static void *labels[] = { &&a, &&b };
    void *p, *first = malloc(4), *second = malloc(8);
    int k = symcrete_range(0, 3, "k");
    symcrete_make_symbolic(&p, sizeof p, "p");
    if (k == 1)
        goto *p;
    if (k == 2)
        free(p);
    if (k == 3)
        ((void (*)(void))p)();
    return labels[0] == table[0] || first == second;
a:
    return 1;
b:
    return 2;
}
"#;
    let folder = tempfile::tempdir().unwrap();
    let (said, status) = cover(folder.path(), "main.c", text, &["--no-replay"]);
    assert_eq!(status, 1, "{said}");
    assert_eq!(said["exhausted"], true, "{said}");
    // Compilers give no place to a computed goto.
    let found = findings(&said);
    let lines: Vec<u64> = found.iter().map(|finding| finding.0).collect();
    assert_eq!(lines, [0, 14, 16], "{found:?}");
    // No choice; two labels, two functions, two objects and null, and one path each for what is none of them.
    let paths = ["completed", "failed"].map(|key| said["paths"][key].as_u64().unwrap());
    assert_eq!(paths, [1 + 2 + 3 + 2, 3], "{said}");
}

#[test]
fn what_a_program_prefers_is_combined() {
    let text = "#include <klee/klee.h>\nint main(void) {\n    unsigned char s[4];\n    klee_make_symbolic(s, sizeof s, \"s\");\n    \
                for (int i = 0; i < 4; i++)\n        klee_prefer_cex(s, (s[i] >= 'a') & (s[i] <= 'z'));\n    \
                klee_prefer_cex(s, s[0] == 'A');\n    klee_prefer_cex(s, s[1] > 'x');\n    klee_prefer_cex(s, s[1] != 'z');\n    \
                if (s[2] == 7)\n        return 1;\n    return 0;\n}\n";
    let folder = tempfile::tempdir().unwrap();
    let (said, status) = cover(folder.path(), "main.c", text, &["--every-path"]);
    assert_eq!(status, 0, "{said}");
    let mut seen = Vec::new();
    for entry in fs::read_dir(folder.path().join("out/tests")).unwrap() {
        let test: Value = serde_json::from_slice(&fs::read(entry.unwrap().path()).unwrap()).unwrap();
        seen.push(test["inputs"][0]["bytes"].as_str().unwrap().to_owned());
    }
    let letter = |bytes: &str, at: usize| u8::from_str_radix(&bytes[2 * at..2 * at + 2], 16).unwrap();
    let is_preferred = |bytes: &&String| {
        let is_letter = |at: usize| letter(bytes, at).is_ascii_lowercase();
        is_letter(0) && letter(bytes, 1) == b'y' && is_letter(3)
    };
    // Runs on random bytes, and those for the other sides of conditions, are tests of their own.
    let preferred: Vec<&String> = seen.iter().filter(is_preferred).collect();
    assert!(preferred.iter().any(|bytes| letter(bytes, 2) == 7), "{seen:?}");
    assert!(preferred.iter().any(|bytes| letter(bytes, 2).is_ascii_lowercase()), "{seen:?}");
}

#[test]
fn whether_a_value_is_symbolic_does_not_change_in_the_confirming_run() {
    let text = "#include <klee/klee.h>\nint main(void) {\n    int x, y = 3;\n    klee_make_symbolic(&x, sizeof x, \"x\");\n    \
                if (!klee_is_symbolic(x))\n        return 1;\n    if (klee_is_symbolic(y) || klee_is_symbolic(5))\n        return 2;\n    \
                if (x == 77)\n        return klee_is_symbolic(x) ? 3 : 4;\n    return 0;\n}\n";
    let folder = tempfile::tempdir().unwrap();
    let (said, status) = cover(folder.path(), "main.c", text, &["--every-path"]);
    assert_eq!((status, said["paths"]["completed"].as_u64()), (0, Some(2)), "{said}");
    // Natively the test answers.
    assert_eq!(
        (&said["replay"]["confirmed"], &said["replay"]["diverged"]),
        (&said["tests"], &serde_json::json!([])),
        "{said}"
    );
}

/// What is behind a large allocation is looked at; where native runs have no room for it, the program gets none.
#[test]
fn programs_go_on_behind_large_allocations() {
    let text = "#include <stdlib.h>\n#include <symcrete.h>\nint main(void) {\n    int x = symcrete_int(\"x\");\n    \
                char *p = malloc(3UL << 30);\n    if (!p)\n        return 9;\n    p[(3UL << 30) - 1] = x;\n    \
                if (p[(3UL << 30) - 1] == 7)\n        return 1;\n    free(p);\n    \
                unsigned long n = symcrete_ulong(\"n\");\n    char *q = malloc(n);\n    if (n > (5UL << 30) && n < (6UL << 30)) {\n        \
                if (q)\n            return 2;\n        return 3;\n    }\n    free(q);\n    return calloc(6, 1UL << 30) ? 4 : 5;\n}\n";
    let folder = tempfile::tempdir().unwrap();
    let (said, _) = cover(folder.path(), "main.c", text, &["--every-path"]);
    let mut statuses = Vec::new();
    for entry in fs::read_dir(folder.path().join("out/tests")).unwrap() {
        let test: Value = serde_json::from_slice(&fs::read(entry.unwrap().path()).unwrap()).unwrap();
        statuses.extend(test["ends"]["status"].as_i64());
    }
    statuses.sort_unstable();
    statuses.dedup();
    assert_eq!(statuses, [1, 3, 5], "{said}");
    assert_eq!(said["replay"]["diverged"], serde_json::json!([]), "{said}");
    // That some machines have so much is not forgotten.
    let target = format!("{}:16", folder.path().join("main.c").display());
    let reached = folder.path().join("reached");
    let shown = run(symcrete().args(["reach", "--json", "--time", "30", "--out"]).arg(reached).arg(target), b"");
    assert_ne!(shown.status, 4, "{shown:?}");
}

/// Each end of each program natively does what its test claims, and these are the findings.
#[track_caller]
fn confirms(text: &str, flags: &[&str], expected: &[(u64, &str)]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let (said, status) = cover(folder.path(), "main.c", text, flags);
    let found: Vec<(u64, String)> = findings(&said).into_iter().map(|(line, kind, _)| (line, kind)).collect();
    let found: Vec<(u64, &str)> = found.iter().map(|(line, kind)| (*line, kind.as_str())).collect();
    assert_eq!((found.as_slice(), status), (expected, i32::from(!expected.is_empty())), "{said}");
    assert_eq!(said["replay"]["confirmed"], said["tests"], "{said}");
    said
}

#[test]
fn each_bound_of_an_array_of_arrays_is_checked() {
    let text = "#include <symcrete.h>\nint main(void) {\n    int n = symcrete_int(\"n\"), m = symcrete_int(\"m\");\n    \
                symcrete_assume(n != 0 && n <= 3 && m != 0 && m <= 3);\n    char a[n][m];\n    a[0][0] = 1;\n    return a[0][0];\n}\n";
    let said = confirms(text, &[], &[(5, "bad-array-bound")]);
    let message = said["findings"][0]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("non-positive value -"), "{message}");
}

#[test]
fn a_checked_division_has_two_findings() {
    let text = "#include <symcrete.h>\nint main(void) {\n    int x = symcrete_int(\"x\"), y = symcrete_int(\"y\");\n    return x / y;\n}\n";
    let both = [(4, "division-by-zero"), (4, "division-overflow")];
    confirms(text, &[], &both);
    confirms(text, &["--cflag=-fsanitize=undefined"], &both);
}

#[test]
fn a_symbolic_pointer_is_reallocated_and_called_as_a_concrete_one() {
    let text = "#include <symcrete.h>\n#include <stdlib.h>\nint main(void) {\n    void *p;\n    symcrete_make_symbolic(&p, sizeof p, \"p\");\n    \
                p = realloc(p, 30);\n    return p != 0;\n}\n";
    confirms(text, &[], &[(6, "realloc-misuse")]);
    let text = "#include <symcrete.h>\nstruct a { int (*f)(void); };\nstruct v { struct a *a; };\nstatic int one(void) { return 1; }\n\
                int (*table[1])(void) = {one};\nint main(void) {\n    struct v *p;\n    symcrete_make_symbolic(&p, sizeof p, \"p\");\n    \
                return p->a->f();\n}\n";
    let folder = tempfile::tempdir().unwrap();
    let (said, status) = cover(folder.path(), "main.c", text, &["--every-path", "--no-replay"]);
    assert_eq!(status, 1, "{said}");
}

/// Inside of functions of the C library, the place is that of the call.
#[test]
fn a_crash_inside_of_the_library_is_confirmed() {
    let text = "#include <symcrete.h>\n#include <string.h>\nint main(void) {\n    long a = symcrete_long(\"a\");\n    if (a == 4096)\n        \
                return strlen((char *)a);\n    return 0;\n}\n";
    confirms(text, &[], &[(6, "wild-pointer")]);
}

#[test]
fn a_program_may_kill_itself() {
    let text = "#include <symcrete.h>\n#include <signal.h>\n#include <unistd.h>\nint main(void) {\n    int x = symcrete_int(\"x\");\n    \
                if (x == 4)\n        raise(SIGTERM);\n    if (x == 5)\n        kill(getpid(), SIGKILL);\n    return 0;\n}\n";
    let said = confirms(text, &[], &[]);
    assert_eq!(said["tests"], 3, "{said}");
    let text = "#include <signal.h>\nint main(void) {\n    return raise(SIGTERM);\n}\n";
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(execute(folder.path(), "main.c", text, &[]).status, 128 + 15);
}

#[test]
fn sizes_of_variables_are_told_to_native_runs() {
    let text = "#include <klee/klee.h>\nint g[4];\nint main(void) {\n    int x, l[3];\n    klee_make_symbolic(&x, sizeof x, \"x\");\n    \
                if (x == 5)\n        return klee_get_obj_size(g);\n    if (x == 6)\n        return klee_get_obj_size(l);\n    return 0;\n}\n";
    let said = confirms(text, &["--every-path"], &[]);
    assert!(said["tests"].as_u64().unwrap() >= 3, "{said}");
}

/// What the engine makes for the entry function is not the program's to free.
#[test]
fn inputs_are_no_leaks() {
    let text = "struct p { int a; struct p *n; };\nint f(struct p *x) {\n    return x && x->a > 5;\n}\n";
    confirms(text, &["--entry", "f", "--leaks"], &[]);
    let text = "#include <stddef.h>\n#include <stdint.h>\nint LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {\n    \
                return size > 2 && data[0] == 3;\n}\n";
    confirms(text, &["--leaks"], &[]);
}
