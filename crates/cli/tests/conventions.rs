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

/// How `main` gets at `f`: it declares it, or has a pointer to it.
fn declaration(row: &Row, is_pointer: bool) -> String {
    let (result, params, ..) = row;
    match is_pointer {
        false => format!("{result} f{params};\n"),
        true => format!("void *address(void);\n#define f (({result} (*){params})address())\n"),
    }
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

/// The file with the definition, and a pointer to it.
fn definition(folder: &Path, row: &Row) -> PathBuf {
    write(folder, "defined.c", &format!("{}\nvoid *address(void) {{ return (void *)f; }}\n", row.2))
}

/// All values, and what the machine makes of them.
fn expected(folder: &Path, row: &Row, is_pointer: bool) -> (Vec<PathBuf>, Vec<u8>) {
    let values = VALUES.map(|value| format!("{value}LL")).join(", ");
    let main = format!(
        "int printf(const char *, ...);\n{}long long values[] = {{ {values} }};\n\
         int main(void) {{\n    for (int i = 0; i < {}; i++) {{\n        long long v = values[i];\n        \
         printf(\"%lld\\n\", (long long)({}));\n    }}\n    return 0;\n}}\n",
        declaration(row, is_pointer),
        VALUES.len(),
        row.3
    );
    let sources = vec![write(folder, "main.c", &main), definition(folder, row)];
    let program = native(folder, &["-O0"], &sources);
    let shown = run(&mut Command::new(program), b"");
    assert_eq!(shown.status, 0, "{row:?}");
    (sources, shown.stdout)
}

#[test]
fn registers_are_read_as_the_machine_reads_them() {
    let cases: Vec<(&Row, bool)> = ROWS.iter().flat_map(|row| [(row, false), (row, true)]).collect();
    assert_all(&cases, |(row, is_pointer)| {
        let folder = tempfile::tempdir().unwrap();
        let (sources, expected) = expected(folder.path(), row, *is_pointer);
        for flags in [&["run"][..], &["run", "--general"]] {
            let shown = run(symcrete().args(flags).args(&sources), b"");
            if shown.stdout != expected || shown.status != 0 {
                let (found, expected) = (String::from_utf8_lossy(&shown.stdout), String::from_utf8_lossy(&expected));
                return Err(format!("{row:?} {flags:?} {is_pointer}:\n{found}natively\n{expected}{}", shown.stderr));
            }
        }
        Ok(())
    });
}

/// `f` of a symbolic value is what the machine says, and nothing else.
#[test]
fn symbolic_values_are_read_as_the_machine_reads_them() {
    // What a symbolic float of another width is, the solver would have to find bit by bit.
    let rows: Vec<&Row> = ROWS.iter().filter(|row| !row.3.contains("0.125")).collect();
    let modes: [&[&str]; 2] = [&["--mode", "forward"], &["--mode", "backward"]];
    let cases: Vec<(&Row, bool, &[&str])> =
        (rows.iter().enumerate()).map(|(at, row)| (*row, at % 4 > 1, modes[at % 2])).collect();
    assert_all(&cases, |(row, is_pointer, mode)| {
        let folder = tempfile::tempdir().unwrap();
        let (_, expected) = expected(folder.path(), row, *is_pointer);
        let expected = String::from_utf8(expected).unwrap();
        let known: Vec<(i64, i64)> =
            VALUES.into_iter().zip(expected.lines().map(|line| line.parse().unwrap())).collect();
        let mut main = format!(
            "#include <symcrete.h>\n{}int main(void) {{\n    long long v = symcrete_llong(\"v\");\n    long long r = {};\n",
            declaration(row, *is_pointer),
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
