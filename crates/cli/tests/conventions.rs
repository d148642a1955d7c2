//! Callers and callees that disagree on types: C leaves that undefined, machines do the same every time. What the engine does is compared with
//! native execution, for functions that are named and for pointers to them, forward, backward and over abstract paths.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::{assert_all, native, run, symcrete};

/// The caller's declaration (result and parameters of `f`), the definition, and the call of it on `v`, a `long long`.
type Row = (&'static str, &'static str, &'static str, &'static str);

const ROWS: &[Row] = &[
    // Results that are narrower or wider than the caller believes.
    ("int", "(int)", "unsigned short f(int x) { return x; }", "f(v)"),
    ("int", "(int)", "short f(int x) { return x; }", "f(v)"),
    ("int", "(int)", "unsigned char f(int x) { return x; }", "f(v)"),
    ("int", "(int)", "signed char f(int x) { return x; }", "f(v)"),
    ("int", "(int)", "_Bool f(int x) { return x & 6; }", "f(v)"),
    ("long", "(long)", "int f(int x) { return x + 1; }", "f(v)"),
    ("long", "(long)", "short f(int x) { return x; }", "f(v)"),
    ("unsigned long", "(int)", "int f(int x) { return x; }", "f(v)"),
    ("long", "(long)", "int f(long x) { return (int)x; }", "f(v)"),
    ("long", "(long)", "int f(long x) { return x * 3; }", "f(v)"),
    ("long", "(long)", "int f(long x) { if (x < 0) return 7; return x; }", "f(v)"),
    ("unsigned short", "(int)", "int f(int x) { return x; }", "f(v)"),
    ("short", "(int)", "int f(int x) { return x; }", "f(v)"),
    ("unsigned char", "(int)", "int f(int x) { return x; }", "f(v)"),
    ("signed char", "(int)", "long f(long x) { return x; }", "f(v)"),
    ("int", "(long)", "long f(long x) { return x; }", "f(v)"),
    ("short", "(int)", "unsigned char f(int x) { return x; }", "f(v)"),
    ("unsigned short", "(int)", "signed char f(int x) { return x; }", "f(v)"),
    ("unsigned", "(int)", "signed char f(int x) { return x; }", "f(v)"),
    // Parameters.
    ("int", "(int)", "int f(unsigned char x) { return x; }", "f(v)"),
    ("int", "(int)", "int f(signed char x) { return x; }", "f(v)"),
    ("int", "(int)", "int f(unsigned short x) { return x; }", "f(v)"),
    ("int", "(int)", "int f(short x) { return x + 1; }", "f(v)"),
    ("int", "(int)", "int f(_Bool x) { return x ? 10 : 20; }", "f(v & 1)"),
    ("int", "(long)", "int f(int x) { return x; }", "f(v)"),
    ("long", "(int)", "long f(long x) { return x / 3; }", "f(v)"),
    ("long", "(int)", "long f(unsigned long x) { return x >> 4; }", "f(v * 3)"),
    ("int", "(short)", "int f(int x) { return x; }", "f(v)"),
    ("int", "(unsigned short)", "int f(int x) { return x; }", "f(v)"),
    ("int", "(signed char)", "int f(short x) { return x; }", "f(v)"),
    ("long", "(signed char)", "long f(long x) { return x; }", "f(v)"),
    ("int", "(unsigned char)", "int f(signed char x) { return x; }", "f(v)"),
    ("int", "(signed char)", "int f(unsigned char x) { return x; }", "f(v)"),
    // The seventh argument and those behind it stand on the stack.
    (
        "int",
        "(int, int, int, int, int, int, long, long)",
        "int f(long a, int b, int c, int d, int e, int g, int h, unsigned char i) { return a + g * 3 + h * 5 + i; }",
        "f(v & 255, 2, 3, 4, 5, 6, v, v + 1)",
    ),
    // Pointers.
    ("long", "(long)", "char *f(char *x) { return x + 1; }", "f(v)"),
    ("int", "(long)", "char *f(char *x) { return x + 1; }", "f(v)"),
    ("char *", "(int)", "long f(long x) { return x; }", "(long)f(v)"),
    // Arguments too many, and in registers of another kind.
    ("int", "(int, int, int)", "int f(int x) { return x + 1; }", "f(v, 7, 9)"),
    ("int", "(int, double)", "int f(double y, int x) { return x + (int)(y * 2); }", "f(v & 1023, 1.5)"),
    (
        "int",
        "(double, int, float)",
        "int f(int x, double y, float z) { return x + y * 2 + z; }",
        "f(1.5, v & 1023, 2.0f)",
    ),
    ("double", "(int, int)", "double f(int x) { return x * 0.5; }", "f(v, 1)"),
    ("int", "(double)", "int f(long x, double y) { return y; }", "f(v & 1023)"),
    // Floats of another width: the low half of the register.
    ("int", "(double)", "int f(float x) { return x * 8; }", "f(v * 0.125)"),
    ("int", "(float)", "int f(double x) { return x == 0; }", "({ float w = v * 0.125f; f(w); })"),
    ("int", "(double)", "int f(float x) { union { float f; int i; } u; u.f = x; return u.i; }", "f(v)"),
    // Structures: in registers as one number or several.
    ("int", "(long)", "struct p { int a, b; }; int f(struct p x) { return x.a - x.b; }", "f(v)"),
    ("long", "(int)", "struct p { int a, b; }; struct p f(int x) { struct p r = { x, x + 1 }; return r; }", "f(v)"),
    ("int", "(int)", "struct p { int a, b; }; struct p f(int x) { struct p r = { x, x + 1 }; return r; }", "f(v)"),
    // Any number of arguments.
    (
        "int",
        "(int, int, int)",
        "int f(int x, ...) { __builtin_va_list l; __builtin_va_start(l, x); int y = __builtin_va_arg(l, int); return x + y * 2; }",
        "f(v & 1023, 5, 6)",
    ),
    ("int", "(int, ...)", "int f(long x, int y) { return x + y; }", "f(v & 1023, 5)"),
];

const VALUES: [i64; 18] =
    [0, 1, -1, 5, 127, 128, 200, 255, 256, 300, -129, 32768, 65535, 70000, -70000, 2147483647, 4294967301, -4294967297];

/// How `main` gets at the function of a row: it declares it, or has a pointer to it.
fn declaration(number: usize, is_pointer: bool) -> String {
    let (result, params, ..) = ROWS[number];
    match is_pointer {
        false => format!("#undef f\n#define f f{number}\n{result} f{params};\n"),
        true => {
            format!("void *a{number}(void);\n#undef f\n#define f (({result} (*){params})a{number}())\n")
        }
    }
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

/// The file with the definitions, and pointers to them.
fn definitions(folder: &Path) -> PathBuf {
    let define = |(number, row): (usize, &Row)| {
        let names = format!("#undef f\n#undef p\n#define f f{number}\n#define p p{number}\n");
        format!("{names}{}\nvoid *a{number}(void) {{ return (void *)f; }}\n", row.2)
    };
    let text: String = ROWS.iter().enumerate().map(define).collect();
    write(folder, "defined.c", &text)
}

/// A program that computes every row for all values.
fn sources(folder: &Path, is_pointer: bool) -> Vec<PathBuf> {
    let values = VALUES.map(|value| format!("{value}LL")).join(", ");
    let mut main = format!("int printf(const char *, ...);\nlong long values[] = {{ {values} }};\n");
    for (number, row) in ROWS.iter().enumerate() {
        main += &declaration(number, is_pointer);
        main += &format!(
            "static void row{number}(void) {{\n    for (int i = 0; i < {}; i++) {{\n        long long v = values[i];\n        \
             printf(\"{number} %lld\\n\", (long long)({}));\n    }}\n}}\n",
            VALUES.len(),
            row.3
        );
    }
    let calls: String = (0..ROWS.len()).map(|number| format!("    row{number}();\n")).collect();
    main += &format!("int main(void) {{\n{calls}    return 0;\n}}\n");
    vec![write(folder, "main.c", &main), definitions(folder)]
}

/// What the machine makes of all values, by row.
fn expected(folder: &Path, is_pointer: bool) -> (Vec<PathBuf>, Vec<u8>) {
    let sources = sources(folder, is_pointer);
    let shown = run(&mut Command::new(native(folder, &["-O0"], &sources)), b"");
    assert_eq!(shown.status, 0, "{shown:?}");
    (sources, shown.stdout)
}

#[test]
fn registers_are_read_as_the_machine_reads_them() {
    for is_pointer in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let (sources, expected) = expected(folder.path(), is_pointer);
        for flags in [&["run"][..], &["run", "--general"]] {
            let shown = run(symcrete().args(flags).args(&sources), b"");
            let (found, expected) = (String::from_utf8_lossy(&shown.stdout), String::from_utf8_lossy(&expected));
            let differing = found.lines().zip(expected.lines()).filter(|(found, expected)| found != expected);
            let shown_row = |(found, expected): (&str, &str)| {
                let number: usize = found.split(' ').next().unwrap().parse().unwrap();
                format!("{:?}: {found}, natively {expected}", ROWS[number])
            };
            let wrong: Vec<String> = differing.map(shown_row).collect();
            assert!(wrong.is_empty(), "{flags:?} {is_pointer}:\n{}", wrong.join("\n"));
            assert_eq!((shown.status, found.len()), (0, expected.len()), "{flags:?} {is_pointer}");
        }
    }
}

/// `f` of a symbolic value is what the machine says, and nothing else.
#[test]
fn symbolic_values_are_read_as_the_machine_reads_them() {
    let natively = tempfile::tempdir().unwrap();
    let (_, expected) = expected(natively.path(), false);
    let expected = String::from_utf8(expected).unwrap();
    let results_of = |number: usize| -> Vec<i64> {
        let prefix = format!("{number} ");
        expected.lines().filter_map(|line| line.strip_prefix(&prefix)?.parse().ok()).collect()
    };
    // What a symbolic float of another width is, the solver would have to find bit by bit.
    let rows: Vec<usize> = (0..ROWS.len()).filter(|number| !ROWS[*number].3.contains("0.125")).collect();
    let modes: [&[&str]; 2] = [&["--mode", "forward"], &["--mode", "backward"]];
    let cases: Vec<(usize, bool, &[&str])> =
        rows.iter().map(|number| (*number, number % 4 > 1, modes[number % 2])).collect();
    assert_all(&cases, |(number, is_pointer, mode)| {
        let (folder, row) = (tempfile::tempdir().unwrap(), &ROWS[*number]);
        definitions(folder.path());
        let known: Vec<(i64, i64)> = VALUES.into_iter().zip(results_of(*number)).collect();
        let mut main = format!(
            "#include <symcrete.h>\n{}int main(void) {{\n    long long v = symcrete_llong(\"v\");\n    long long r = {};\n",
            declaration(*number, *is_pointer),
            row.3
        );
        main += &format!("    if (v == {}LL && r == {}LL)\n        return 1;\n    if (", known[9].0, known[9].1);
        let others = known.iter().map(|(value, result)| format!("v == {value}LL && r != {result}LL"));
        main += &(others.collect::<Vec<String>>().join(" ||\n") + ")\n        return 2;\n    return 0;\n}\n");
        let main = write(folder.path(), "main.c", &main);
        let line = |wanted: &str| {
            fs::read_to_string(&main).unwrap().lines().position(|line| line.contains(wanted)).unwrap() + 1
        };
        let targets = [line("return 1"), line("return 2")].map(|line| format!("{}:{line}", main.display()));
        let mut command = symcrete();
        command.args(["reach", "--json", "--time", "60", "--out"]).arg(folder.path().join("out")).args(*mode);
        let shown = run(command.args(targets).arg(&main).arg(folder.path().join("defined.c")), b"");
        let said: Value = serde_json::from_slice(&shown.stdout).unwrap_or_default();
        let verdicts = [0, 1].map(|at| said["targets"][at]["verdict"].as_str().unwrap_or("none").to_owned());
        match verdicts == ["reached", "unreachable"] {
            true => Ok(()),
            false => Err(format!("{row:?} {mode:?} {is_pointer}: {verdicts:?} {}", shown.stderr)),
        }
    });
}

/// Both declarations are told, once, with their places.
#[test]
fn one_warning_names_both_declarations() {
    let folder = tempfile::tempdir().unwrap();
    let main = "int id16(int);\nint main(int n, char **w) {\n    return id16(n + 65536) + id16(n) - 2 * !!w;\n}\n";
    let other = "unsigned short id16(int x) {\n    return x;\n}\n";
    let sources = [write(folder.path(), "main.c", main), write(folder.path(), "id16.c", other)];
    let shown = run(symcrete().current_dir(folder.path()).arg("run").args(["main.c", "id16.c"]), b"");
    assert_eq!(shown.status, 0, "{shown:?}");
    let expected = "warning: `id16` is called as `int id16(int)` at main.c:3, but defined as `unsigned short id16(int)` at id16.c:1";
    assert_eq!(shown.stderr.matches("warning").count(), 1, "{}", shown.stderr);
    assert!(shown.stderr.starts_with(expected), "{}", shown.stderr);
    let mut command = symcrete();
    let shown = run(
        command.args(["cover", "--entry", "main", "--json", "--out"]).arg(folder.path().join("out")).args(&sources),
        b"",
    );
    let said: Value = serde_json::from_slice(&shown.stdout).unwrap_or_else(|_| panic!("{shown:?}"));
    assert_eq!(said["warnings"].as_array().map(Vec::len), Some(1), "{said}");
}
