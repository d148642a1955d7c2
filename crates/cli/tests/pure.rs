//! External functions in path conditions: pure functions with and without bodies, native calls in the helper process,
//! and what is said of functions that crash, hang, or are not what the user says.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::cover::{Covered, cover};
use support::{run, symcrete};

/// A program and a library, in a folder of their own.
struct Case {
    folder: tempfile::TempDir,
}

impl Case {
    fn new(program: &str, library: &str) -> Case {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("program.c"), program).unwrap();
        fs::write(folder.path().join("library.c"), library).unwrap();
        Case { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Compiles the library natively: nothing of its source is left for the engine.
    fn compile(&self, flags: &[&str], name: &str) -> PathBuf {
        let out = self.path(name);
        let mut command = Command::new("clang");
        let done = command.args(flags).arg("-o").arg(&out).arg(self.path("library.c")).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        out
    }

    fn shared(&self) -> PathBuf {
        self.compile(&["-shared", "-fPIC", "-O2"], "library.so")
    }

    /// Covers the program with the library, which must not shake the engine.
    fn cover(&self, library: Option<&Path>, flags: &[&str]) -> Covered {
        let mut words: Vec<String> = vec![self.path("program.c").display().to_string()];
        if let Some(library) = library {
            words.extend(["--library".to_owned(), library.display().to_string()]);
        }
        words.extend(flags.iter().map(|flag| (*flag).to_owned()));
        let covered = cover(&self.path("out"), &words).unwrap();
        assert_eq!(covered.internal_errors(), None);
        assert_ne!(covered.shown.status, 101);
        covered
    }
}

fn messages(covered: &Covered) -> Vec<String> {
    covered.list("findings").iter().map(|finding| text(&finding["message"])).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or("").to_owned()
}

fn lines_covered(covered: &Covered) -> (u64, u64) {
    let lines = &covered.json["coverage"]["lines"];
    (lines["covered"].as_u64().unwrap(), lines["total"].as_u64().unwrap())
}

const THRESHOLD: &str = "#include <symcrete.h>
int secret(int);
int main(void)
{
    int x = symcrete_int(\"x\");
    if (secret(x) > 100)
        return 1;
    return 0;
}
";

#[test]
fn a_hidden_function_is_part_of_a_condition() {
    let case = Case::new(THRESHOLD, "int secret(int x) { return (x & 0xFFFF) * 3 + 7; }\n");
    let covered = case.cover(Some(&case.shared()), &["--pure", "secret"]);
    assert_eq!(lines_covered(&covered).0, lines_covered(&covered).1);
    assert_eq!(covered.replay_troubles(), None);
    assert!(covered.list("concretised").is_empty() && covered.list("limits").is_empty());
}

#[test]
fn a_program_may_say_itself_what_is_pure() {
    let program = THRESHOLD.replace("int x =", "symcrete_pure(secret);\n    int x =");
    let case = Case::new(&program, "int secret(int x) { return (x & 0xFFFF) * 3 + 7; }\n");
    let covered = case.cover(Some(&case.path("library.c")), &[]);
    assert_eq!(lines_covered(&covered).0, lines_covered(&covered).1);
    assert_eq!(covered.replay_troubles(), None);
    assert!(covered.list("concretised").is_empty(), "{}", covered.json);
}

#[test]
fn objects_and_archives_are_libraries_too() {
    let case = Case::new(THRESHOLD, "int secret(int x) { return (x & 0xFFFF) * 3 + 7; }\n");
    let object = case.compile(&["-c", "-fPIC"], "library.o");
    let archive = case.path("library.a");
    assert!(Command::new("ar").arg("rcs").arg(&archive).arg(&object).status().unwrap().success());
    for library in [object, archive] {
        let covered = case.cover(Some(&library), &["--pure", "secret", "--jobs", "2"]);
        assert_eq!(lines_covered(&covered).0, lines_covered(&covered).1);
        assert_eq!(covered.replay_troubles(), None);
    }
}

/// Optimised code believes the upper parts of registers with narrow arguments.
#[test]
fn narrow_arguments_keep_their_signs() {
    let program = "#include <symcrete.h>
int secret(unsigned char, signed char, unsigned short, short);
int main(void)
{
    unsigned char a = symcrete_uchar(\"a\");
    signed char b = symcrete_char(\"b\");
    unsigned short c = symcrete_ushort(\"c\");
    short d = symcrete_short(\"d\");
    if (a > 127 && b < 0 && c > 32767 && d < 0 && secret(a, b, c, d) > 65600)
        return 1;
    return 0;
}
";
    let library = "int secret(unsigned char a, signed char b, unsigned short c, short d) { return a - b + c - d; }\n";
    let case = Case::new(program, library);
    let covered = case.cover(Some(&case.shared()), &["--pure", "secret"]);
    assert_eq!(lines_covered(&covered).0, lines_covered(&covered).1);
    assert_eq!(covered.replay_troubles(), None);
    assert!(covered.list("warnings").is_empty(), "{}", covered.json);
}

/// The other commands take the library as well.
#[test]
fn a_library_is_run_and_replayed() {
    let case = Case::new(
        "#include <stdio.h>\nint secret(int);\nint main(int count, char **words)\n{\n    (void)words;\n    \
         printf(\"%d\\n\", secret(count));\n    return 0;\n}\n",
        "int secret(int x) { return x * 3 + 7; }\n",
    );
    let library = case.shared();
    let shown = run(symcrete().arg("run").arg(case.path("program.c")).arg("--library").arg(&library), b"");
    assert_eq!((shown.status, &*shown.stdout), (0, &b"10\n"[..]), "{shown:?}");
    let covered = case.cover(Some(&library), &["--sym-args", "0", "1", "2"]);
    assert_eq!(covered.replay_troubles(), None);
    let shown = run(symcrete().arg("replay").arg(case.path("out")).arg("--library").arg(&library), b"");
    assert_eq!(shown.status, 0, "{shown:?}");
}

/// The other input is computed from the call.
#[test]
fn an_equality_with_a_hidden_function_is_solved() {
    let program = "#include <symcrete.h>
unsigned secret(unsigned);
int main(void)
{
    unsigned x = symcrete_uint(\"x\"), y = symcrete_uint(\"y\");
    if (y == secret(x))
        return 1;
    return 0;
}
";
    let case = Case::new(program, "unsigned secret(unsigned x) { return (x ^ 0x5bd1e995u) * 2654435761u + 12345u; }\n");
    let covered = case.cover(Some(&case.shared()), &["--pure", "secret"]);
    assert_eq!(lines_covered(&covered).0, lines_covered(&covered).1);
    assert_eq!(covered.replay_troubles(), None);
}

#[test]
fn a_crash_is_found() {
    let library = "int secret(int x) { if (x < 0) *(volatile int *)0 = 1; return x & 255; }\n";
    let case = Case::new(THRESHOLD, library);
    let covered = case.cover(Some(&case.shared()), &["--pure", "secret"]);
    assert_eq!(covered.findings(), [(6, "crash".to_owned())]);
    assert_eq!(messages(&covered), ["`secret` crashed with SIGSEGV"]);
    assert_eq!(covered.shown.status, 1);
    assert_eq!(covered.replay_troubles(), None);
}

#[test]
fn a_known_crash_is_offered_to_paths() {
    // Concrete runs come to the first call with any arguments; to the second one only paths do.
    let program = "#include <symcrete.h>
int secret(int);
int main(void)
{
    int x = symcrete_int(\"x\"), y = symcrete_int(\"y\");
    if (x == 123456789) {
        if (y > -10)
            return secret(y) & 1;
        return 2;
    }
    return secret(x & 15) & 1;
}
";
    let library = "#include <stdlib.h>\nint secret(int x) { if (x == 9) abort(); return x; }\n";
    let case = Case::new(program, library);
    let covered = case.cover(Some(&case.shared()), &["--pure", "secret"]);
    assert_eq!(covered.findings(), [(8, "crash".to_owned()), (11, "crash".to_owned())]);
    assert_eq!(messages(&covered)[0], "`secret` crashed with SIGABRT");
    assert_eq!(covered.replay_troubles(), None);
}

#[test]
fn a_hang_is_found() {
    let library = "int secret(int x) { while (x == -1) __asm__ volatile(\"\"); return x & 255; }\n";
    let case = Case::new(THRESHOLD, library);
    let covered = case.cover(Some(&case.shared()), &["--pure", "secret", "--call-time", "0.25"]);
    assert_eq!(covered.findings(), [(6, "hang".to_owned())]);
    assert_eq!(messages(&covered), ["`secret` did not return within 0.25 s"]);
}

#[test]
fn a_function_that_is_not_pure_is_found_out() {
    let case = Case::new(THRESHOLD, "int secret(int x) { static int calls; return (x & 3) + calls++; }\n");
    let covered = case.cover(Some(&case.shared()), &["--pure", "secret", "--no-burst"]);
    let warnings: Vec<String> = covered.list("warnings").iter().map(text).collect();
    assert!(warnings[0].starts_with("`secret` is not pure: secret(0) gave 0, then 1"), "{warnings:?}");
}

#[test]
fn calls_of_other_functions_are_concretised_and_listed() {
    let case = Case::new(THRESHOLD, "int secret(int x) { return (x & 0xFFFF) * 3 + 7; }\n");
    let covered = case.cover(Some(&case.shared()), &["--no-burst"]);
    let listed = &covered.list("concretised")[0];
    assert_eq!(listed["line"], 6);
    assert_eq!((text(&listed["function"]), text(&listed["file"]).ends_with("program.c")), ("secret".to_owned(), true));
    assert_eq!(listed["count"], 1);
    assert_eq!(covered.replay_troubles(), None);
    let shown = run(
        symcrete()
            .arg("cover")
            .arg(case.path("program.c"))
            .args(["--no-replay", "--library"])
            .arg(case.path("library.c"))
            .arg("--out")
            .arg(case.path("out")),
        b"",
    );
    let printed = String::from_utf8(shown.stdout).unwrap();
    assert!(printed.contains("the arguments of `secret` were fixed in 1 call;"), "{printed}");
}

#[test]
fn results_of_other_functions_stay_what_they_were_on_a_path() {
    // Every call gives something else, and the path's own run must see the same.
    let program = "#include <symcrete.h>
int ticket(void);
long double share(long double);
int main(void)
{
    int x = symcrete_int(\"x\");
    int first = ticket(), second = ticket();
    if (share(x) < 0)
        return 3;
    if (x > 5)
        return second - first;
    return 2;
}
";
    let library = "int ticket(void) { static int last; return ++last; }\n\
                   long double share(long double x) { static int calls; return x / 3 + calls++ * 0; }\n";
    let case = Case::new(program, library);
    for jobs in ["1", "2"] {
        let covered = case.cover(Some(&case.shared()), &["--no-replay", "--jobs", jobs]);
        assert_eq!(covered.count("paths", "failed"), 0);
        assert_eq!(text(&covered.list("concretised")[0]["function"]), "share");
    }
}

#[test]
fn numbers_of_all_kinds_are_passed() {
    let program = "#include <symcrete.h>
long double mixed(signed char, double, unsigned short, float, long, long double, _Bool, int, double, long double);
float narrow(float, float);
short negative(short);
_Bool is_odd(unsigned long);
int main(void)
{
    symcrete_assert(mixed(-3, 0.5, 32767, 0.25f, 1L << 40, 3.0L, 1, -7, 2.0, 0.125L)
                    == -3 + 0.5L + 32767 + 0.25L + (1L << 40) + 3.0L + 1 - 7 + 2.0L + 0.125L);
    symcrete_assert(narrow(1.5f, 3.0f) == 4.5f);
    symcrete_assert(negative(300) == -300);
    symcrete_assert(is_odd(0x8000000000000001ul) && !is_odd(2));
    return 0;
}
";
    let library =
        "long double mixed(signed char a, double b, unsigned short c, float d, long e, long double f, _Bool g,
    int h, double i, long double j) { return (long double)a + b + c + d + e + f + g + h + i + j; }
float narrow(float a, float b) { return a * b; }
short negative(short a) { return -a; }
_Bool is_odd(unsigned long a) { return a & 1; }
";
    let case = Case::new(program, library);
    for flags in [&["--pure", "mixed,narrow", "--pure", "negative"][..], &[]] {
        let covered = case.cover(Some(&case.shared()), flags);
        assert_eq!(covered.findings(), []);
        assert_eq!(covered.count("paths", "completed"), 1, "{}", covered.json);
        assert_eq!(covered.replay_troubles(), None);
    }
}

#[test]
fn a_function_with_a_body_may_be_pure() {
    let program = "#include <symcrete.h>
static int weird(int x)
{
    int sum = 0;
    for (int i = 0; i < (x & 15); i++)
        if ((x >> i) & 1)
            sum += i * x;
    return sum;
}
int main(void)
{
    int x = symcrete_int(\"x\");
    if (weird(x) > 1000)
        return 1;
    return 0;
}
";
    let case = Case::new(program, "");
    let covered = case.cover(None, &["--pure", "weird"]);
    assert!(covered.paths() <= 2, "{}", covered.json);
    assert_eq!(lines_covered(&covered).0, lines_covered(&covered).1);
    assert_eq!(covered.replay_troubles(), None);
}

#[test]
fn a_body_that_fails_shows_where() {
    let program = "#include <symcrete.h>
static int ratio(int x)
{
    return 1000 / (x - 5);
}
int main(void)
{
    int x = symcrete_int(\"x\");
    if (ratio(x & 7) > 100)
        return 1;
    return 0;
}
";
    let case = Case::new(program, "");
    let covered = case.cover(None, &["--pure", "ratio"]);
    assert_eq!(covered.findings(), [(4, "division-by-zero".to_owned())]);
    assert_eq!(covered.replay_troubles(), None);
}

#[test]
fn calls_can_be_concretised_for_comparison() {
    let program = "#include <math.h>
#include <symcrete.h>
int main(void)
{
    double x = symcrete_double(\"x\");
    if (sin(x) > 0.5)
        return 1;
    return 0;
}
";
    let case = Case::new(program, "");
    let concretised = case.cover(None, &["--calls", "concretise", "--no-burst"]);
    let listed = &concretised.list("concretised")[0];
    assert_eq!(
        (text(&listed["function"]), listed["line"].as_u64(), listed["count"].as_u64()),
        ("sin".to_owned(), Some(6), Some(1))
    );
    assert_eq!(concretised.paths(), 1);
    let symbolic = case.cover(None, &[]);
    assert!(symbolic.list("concretised").is_empty());
    assert_eq!(lines_covered(&symbolic).0, lines_covered(&symbolic).1);
}

#[test]
fn what_cannot_be_called_is_said() {
    let program = "#include <symcrete.h>
int length(const char *);
int main(void)
{
    char c = symcrete_char(\"c\");
    return length(&c);
}
";
    let case = Case::new(program, "int length(const char *text) { return *text; }\n");
    let covered = case.cover(Some(&case.shared()), &["--pure", "length", "--no-replay"]);
    let warning = text(&covered.list("warnings")[0]);
    assert!(warning.starts_with("`length` cannot be part of a path condition: it takes a pointer"), "{warning}");
    let limit = text(&covered.list("limits")[0]["what"]);
    assert!(limit.starts_with("`length` cannot be called natively: it takes a pointer"), "{limit}");
    let covered = case.cover(None, &["--no-replay"]);
    let limit = text(&covered.list("limits")[0]["what"]);
    assert!(limit.contains("is called but defined nowhere") && limit.contains("--library"), "{limit}");
}

#[test]
fn wrong_flags_are_refused() {
    let case = Case::new(THRESHOLD, "int other(void);\nint secret(int x) { return x + other(); }\n");
    let refused = |flags: &[&str]| {
        let shown =
            run(symcrete().arg("cover").arg(case.path("program.c")).args(flags).current_dir(case.folder.path()), b"");
        assert_eq!(shown.status, 2, "{flags:?}: {}", shown.stderr);
        shown.stderr
    };
    assert!(refused(&["--pure", "sceret"]).contains("no function `sceret`"));
    assert!(refused(&["--library", "library.c"]).contains("other"), "a library that misses something");
    assert!(refused(&["--library", "nowhere.so"]).contains("nowhere.so"));
    assert!(refused(&["--library", "program.txt"]).contains("program.txt"));
    assert!(refused(&["--library", "library.c", "--call-time", "-1"]).contains("--call-time"));
}
