//! Unit tests in C and Rust, compiled without a warning and run: they pass where the program does what the test claims,
//! fail where it does something else, and leave nothing behind.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use symcrete_testcase::suite::encode;
use symcrete_testcase::{Ends, File, Format, Input, TestCase, Text};

/// Says where it runs and leaves files there, insists on its input to the byte, and ends as the environment says.
const PROGRAM: &str = r#"// A program that is hard to please.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
    char folder[4096], bytes[8];
    if (!getcwd(folder, sizeof folder) || mkdir("more", 0700) != 0)
        return 90;
    fclose(fopen("more/left", "w"));
    printf("ran in %s\n", folder);
    fflush(stdout);
    if (argc != 4 || strcmp(argv[1], "a\n\n") || strcmp(argv[2], "\377'\"$(x)??/") || strcmp(argv[3], ""))
        return 91;
    FILE *file = fopen("A", "rb");
    if (!file || fread(bytes, 1, 8, file) != 3 || memcmp(bytes, "\0\n\n", 3))
        return 92;
    if (fread(bytes, 1, 8, stdin) != 4 || memcmp(bytes, "in\0\n", 4))
        return 93;
    const char *end = getenv("END");
    if (strcmp(end, "abort") == 0)
        abort();
    if (strcmp(end, "null") == 0)
        *(volatile int *)0 = 1;
    return atoi(end);
}
"#;

/// How the program may end, and the claims of the tests: each is right about one end at most.
const ENDS: &[&str] = &["3", "0", "abort", "null", "101"];

fn claims() -> Vec<(Ends, &'static [&'static str])> {
    vec![
        (Ends::exit(3), &["3"]),
        (Ends::exit(-256), &["0"]),
        (Ends::of("abort"), &["abort"]),
        (Ends { message: Some("x /* y */ \n z".to_owned()), ..Ends::of("assertion-failed") }, &["abort"]),
        (Ends::of("panic"), &["abort", "101"]),
        (Ends::of("null-dereference"), &["3", "abort", "null", "101"]),
        (Ends::of("out-of-bounds"), ENDS),
        (Ends::of("unknown"), ENDS),
    ]
}

fn test_of_program(ends: Ends) -> TestCase {
    let mut test = TestCase::of_program();
    test.program = vec!["program.c".to_owned()];
    test.arguments = vec![Text::from("a\n\n"), Text(b"\xff'\"$(x)??/".to_vec()), Text::from("")];
    test.stdin = Some(Text(b"in\0\n".to_vec()));
    test.files = vec![File { name: "A".to_owned(), bytes: Text(b"\0\n\n".to_vec()) }];
    test.ends = ends;
    test
}

fn compile(command: &mut Command) {
    let done = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(done.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&done.stderr));
}

fn strict_c(compiler: &str) -> Command {
    let mut command = Command::new(compiler);
    command.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", "-DNDEBUG", "-O1"]);
    command
}

fn is_there(compiler: &str) -> bool {
    Command::new(compiler).arg("--version").output().is_ok_and(|done| done.status.success())
}

fn program_in(folder: &Path) -> PathBuf {
    let (source, program) = (folder.join("program.c"), folder.join("program"));
    fs::write(&source, PROGRAM).unwrap();
    compile(Command::new("clang").args(["-w", "-o"]).arg(&program).arg(&source));
    program
}

/// A suite of these tests with a main that runs the one that it is told.
fn c_suite(tests: &[TestCase]) -> String {
    let mut text = String::from("// A suite.\n");
    let mut cases = String::new();
    for (number, test) in tests.iter().enumerate() {
        text.push_str(&String::from_utf8(encode(test, Format::C, number)).unwrap());
        cases.push_str(&format!("    if (number == {number})\n        test_{number:06}();\n"));
    }
    format!(
        "{text}int main(int argc, char **argv)\n{{\n    int number = argc == 2 ? atoi(argv[1]) : -1;\n{cases}    return 0;\n}}\n"
    )
}

/// Checks that a run of a test passed or failed, that the program ran, and that its directory is gone.
fn check_run(what: &str, run: &Output, passes: bool) {
    let (stdout, stderr) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert_eq!(run.status.success(), passes, "{what}: {stdout}{stderr}");
    let folder = stdout.lines().find_map(|line| line.split("ran in ").nth(1)).expect("where it ran");
    assert!(Path::new(folder).is_absolute() && !Path::new(folder).exists(), "{what}: {folder} was left behind");
}

#[test]
fn tests_of_programs_in_c_check_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let program = program_in(folder.path());
    let tests: Vec<_> = claims().into_iter().map(|(ends, _)| test_of_program(ends)).collect();
    let (source, suite) = (folder.path().join("suite.c"), folder.path().join("suite"));
    fs::write(&source, c_suite(&tests)).unwrap();
    for compiler in ["clang", "gcc"].into_iter().filter(|compiler| is_there(compiler)) {
        compile(strict_c(compiler).arg("-o").arg(&suite).arg(&source));
        for (number, (ends, right)) in claims().iter().enumerate() {
            for end in ENDS {
                let mut command = Command::new(&suite);
                // A relative path must do as well, although the program runs elsewhere.
                let name = if number == 0 { Path::new("./program") } else { &program };
                command.arg(number.to_string()).env("PROGRAM", name).env("END", end).current_dir(folder.path());
                check_run(&format!("{compiler}: {ends}, but {end}"), &command.output().unwrap(), right.contains(end));
            }
        }
        let run = Command::new(&suite).arg("7").env("PROGRAM", "/nowhere").output().unwrap();
        assert!(!run.status.success() && run.stdout.is_empty(), "{run:?}");
    }
}

#[test]
fn tests_of_programs_in_rust_check_the_end() {
    if !is_there("rustc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = program_in(folder.path());
    let encoded = claims().into_iter().enumerate();
    let text = encoded.map(|(number, (ends, _))| encode(&test_of_program(ends), Format::Rust, number));
    let (source, suite) = (folder.path().join("suite.rs"), folder.path().join("suite"));
    fs::write(&source, text.collect::<Vec<_>>().concat()).unwrap();
    compile(Command::new("rustc").args(["--edition=2024", "--test", "-Dwarnings", "-o"]).arg(&suite).arg(&source));
    for (number, (ends, right)) in claims().iter().enumerate() {
        for end in ENDS {
            let mut command = Command::new(&suite);
            command.args(["--exact", "--nocapture", &format!("test_{number:06}")]);
            command.env("PROGRAM", &program).env("END", end);
            check_run(&format!("{ends}, but {end}"), &command.output().unwrap(), right.contains(end));
        }
    }
}

/// Asks for two inputs and ends as they say, with standard input and an argument beside them.
const ASKING: &str = r#"// A program that asks.
#include <stdio.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void klee_make_symbolic(void *, unsigned long, const char *);
int main(int argc, char **argv) {
    short y;
    int x = __VERIFIER_nondet_int();
    klee_make_symbolic(&y, sizeof y, "y");
    argv[1][0]++;
    if (argc != 2 || argv[1][0] != 'b' || argv[1][1] != '\n' || getchar() != 'i')
        return 9;
    if (x == y)
        abort();
    exit(x + y);
}
"#;

#[test]
fn programs_that_ask_run_in_processes_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let test = |x: i32, y: i16, ends: Ends| {
        let mut test = TestCase::of_program();
        let x = Input::new("__VERIFIER_nondet_int", "int", x.to_le_bytes().to_vec());
        test.inputs = vec![x, Input::new("y", "short", y.to_le_bytes().to_vec())];
        test.arguments = vec![Text::from("a\n")];
        test.stdin = Some(Text::from("in"));
        test.ends = ends;
        test
    };
    let mut short = test(1, 1, Ends::of("abort"));
    short.inputs.pop();
    let tests = [
        (test(1, 4, Ends::exit(5)), true),
        (test(20, 30, Ends::exit(50)), true),
        (test(7, 7, Ends::of("abort")), true),
        (test(7, 8, Ends::of("abort")), false),
        (test(1, 4, Ends::exit(6)), false),
        // That the test has too few inputs is no abort of the program.
        (short, false),
    ];
    let path = |name: &str| folder.path().join(name);
    fs::write(path("asking.c"), ASKING).unwrap();
    compile(
        Command::new("clang")
            .args(["-w", "-Dmain=program_main", "-c", "-o"])
            .args([path("asking.o"), path("asking.c")]),
    );
    let suite = c_suite(&tests.clone().map(|(test, _)| test));
    fs::write(path("suite.c"), suite).unwrap();
    // A second file of the same suite.
    fs::write(path("more.c"), encode(&tests[0].0, Format::C, 99)).unwrap();
    compile(strict_c("clang").arg("-o").args([path("suite"), path("suite.c"), path("more.c"), path("asking.o")]));
    for (number, (test, passes)) in tests.iter().enumerate() {
        let run = Command::new(path("suite")).arg(number.to_string()).output().unwrap();
        assert_eq!(run.status.success(), *passes, "test {number}, {}: {run:?}", test.ends);
    }
}

#[test]
fn panics_of_functions_are_expected() {
    if !is_there("rustc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let test = |x: i32, ends: Ends| {
        let mut test = TestCase::of_function("half");
        test.program = vec!["half.rs".to_owned()];
        test.inputs = vec![Input::new("x", "int", x.to_le_bytes().to_vec()).parameter()];
        test.ends = ends;
        test
    };
    let mut text = b"fn half(x: i32) -> i32 {\n    assert!(x % 2 == 0);\n    x / 2\n}\n".to_vec();
    text.extend(encode(&test(4, Ends::of("return")), Format::Rust, 1));
    text.extend(encode(&test(5, Ends::of("panic")), Format::Rust, 2));
    let (source, suite) = (folder.path().join("suite.rs"), folder.path().join("suite"));
    fs::write(&source, text).unwrap();
    compile(Command::new("rustc").args(["--edition=2024", "--test", "-Dwarnings", "-o"]).arg(&suite).arg(&source));
    let run = Command::new(&suite).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}
