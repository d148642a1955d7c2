//! `symcrete reach`: programs whose comments say which lines can be reached, and what is said of bad input.
//!
//! A line with `//~ reached` is reached by some input, one with `//~ unreachable` by none. `// flags: …` at the head of a program are given to
//! `reach`.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{root, run, symcrete};

/// What is said of a line of a program.
fn verdict(program: &Path, line: usize, flags: &[&str]) -> (Value, i32) {
    let out = tempfile::tempdir().unwrap();
    let mut command = symcrete();
    command.args(["reach", "--json", "--time", "60", "--out"]).arg(out.path());
    let shown = run(command.args(flags).arg(format!("{}:{line}", program.display())), b"");
    let said =
        serde_json::from_slice(&shown.stdout).unwrap_or_else(|_| panic!("{}:{line}: {shown:?}", program.display()));
    (said, shown.status)
}

#[test]
fn lines_are_reached_or_not_as_their_comments_say() {
    let folder = root().join("tests/programs/reach");
    let mut programs: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "c" || extension == "cpp"));
    programs.sort();
    assert!(!programs.is_empty());
    for program in programs {
        let text = fs::read_to_string(&program).unwrap();
        let flags = text.lines().find_map(|line| line.strip_prefix("// flags: ")).unwrap_or("");
        let flags: Vec<&str> = flags.split_whitespace().collect();
        let mut targets = 0;
        for (number, line) in text.lines().enumerate() {
            let Some((_, expected)) = line.split_once("//~ ") else { continue };
            let (said, status) = verdict(&program, number + 1, &flags);
            let place = format!("{}:{}", program.display(), number + 1);
            assert_eq!(said["verdict"], expected.trim(), "{place}: {said}");
            assert_eq!(said["target"]["line"], number + 1, "{place}: {said}");
            assert_eq!(status, if expected.trim() == "reached" { 0 } else { 4 }, "{place}: {said}");
            if status == 0 {
                assert_eq!(said["replayed"], true, "{place}: {said}");
            }
            targets += 1;
        }
        assert!(targets > 0, "{} has no targets", program.display());
    }
}

#[test]
fn several_targets_share_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("main.c");
    let text = "#include <symcrete.h>\nint main(void) {\n    int x = symcrete_int(\"x\");\n    if (x == 77)\n        return 1;\n    \
                if (x > 5 && x < 3)\n        return 2;\n    return 0;\n}\n";
    fs::write(&program, text).unwrap();
    let mut command = symcrete();
    command.args(["reach", "--json", "--out"]).arg(folder.path().join("out"));
    let targets = [5, 7].map(|line| format!("{}:{line}", program.display()));
    let shown = run(command.args(targets), b"");
    let said: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!(said["targets"][0]["verdict"], "reached", "{said}");
    assert_eq!(said["targets"][0]["inputs"][0]["value"], "77", "{said}");
    assert_eq!(said["targets"][1]["verdict"], "unreachable", "{said}");
    assert_eq!(shown.status, 4);
}

#[test]
fn bad_input_gets_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let program = file(
        "main.c",
        "static int f(int x) { return x; }\n\nint main(int n, char **w) {\n\n    return f(n) + !w;\n}\n",
    );
    let without_lines = format!("{}/bare.bc", folder.path().display());
    let made =
        std::process::Command::new("clang").args(["-O0", "-emit-llvm", "-c", "-o", &without_lines, &program]).status();
    assert!(made.unwrap().success());
    let cases: [(Vec<String>, i32, &str); 7] = [
        (vec![format!("{program}:99")], 2, "the last line with code is"),
        (vec![format!("{program}:0")], 2, "lines are counted from 1"),
        (vec!["nowhere.c:3".to_owned()], 2, "nowhere.c"),
        (vec!["nowhere.c:3".to_owned(), program.clone()], 2, "it comes from"),
        (vec!["missing".to_owned(), program.clone()], 2, "its functions are"),
        (vec![program.clone()], 2, "no target is named"),
        (vec![format!("{program}:5"), without_lines], 2, "no debug information"),
    ];
    for (words, status, sentence) in cases {
        let mut command = symcrete();
        command.arg("reach").arg("--out").arg(folder.path().join("out")).args(&words);
        let shown = run(&mut command, b"");
        assert_eq!(shown.status, status, "{words:?}: {shown:?}");
        assert!(shown.stderr.contains(sentence), "{words:?}: {}", shown.stderr);
    }
    // A line without code: the next one is taken, which is said.
    let mut command = symcrete();
    command.arg("reach").arg("--out").arg(folder.path().join("out")).arg(format!("{program}:4"));
    let shown = run(&mut command, b"");
    assert_eq!(shown.status, 0, "{shown:?}");
    let text = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(text.contains("has no code; the next line that has some is 5"), "{text}");
}

#[test]
fn what_no_entry_leads_to_is_proved_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("main.c");
    let text = "int apart(int x) {\n    return x + 1;\n}\n\nint loop(int x) {\n    while (x)\n        x++;\n    return 0;\n}\n";
    fs::write(&program, text).unwrap();
    let (said, status) = verdict(&program, 2, &["--entry", "loop"]);
    assert_eq!((said["verdict"].as_str(), status), (Some("unreachable"), 4), "{said}");
    assert!(said["reason"].as_str().unwrap().contains("no chain of calls"), "{said}");
}

/// Behind what the engine does not execute, and where exceptions or jumps lead, nothing is proved unreachable.
#[test]
fn what_is_not_executed_is_no_proof() {
    let folder = tempfile::tempdir().unwrap();
    let programs: [(&str, &str, &[usize]); 4] = [
        (
            "intrinsic.c",
            "#include <xmmintrin.h>\nint f(int n) {\n    unsigned c = _mm_getcsr();\n    if (n == 3)\n        return 1;\n    return c == 7;\n}\n",
            &[5, 6],
        ),
        (
            "assembly.c",
            "int f(int n) {\n    unsigned short word;\n    __asm__ volatile(\"fnstcw %0\" : \"=m\"(word));\n    if (n == 3)\n        return 1;\n    return 0;\n}\n",
            &[5, 6],
        ),
        (
            "handler.cpp",
            "static int check(int n) {\n    if (n > 5)\n        throw 3;\n    return n;\n}\nextern \"C\" int f(int n) {\n    try {\n        check(9);\n    } catch (int e) {\n        if (n == 77)\n            return 1;\n        return 2;\n    }\n    return 0;\n}\n",
            &[10, 11, 12],
        ),
        (
            "goto.c",
            "int f(int n) {\n    asm goto(\"nop\" : : : : out);\n    if (n == 4)\n        return 2;\n    return 0;\nout:\n    return 1;\n}\n",
            &[4, 5, 7],
        ),
    ];
    for (name, text, lines) in programs {
        let program = folder.path().join(name);
        fs::write(&program, text).unwrap();
        for line in lines {
            let (said, status) = verdict(&program, *line, &["--entry", "f"]);
            assert_eq!((said["verdict"].as_str(), status), (Some("unknown"), 3), "{name}:{line}: {said}");
        }
    }
}
