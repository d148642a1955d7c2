//! What cannot be run: each gets status 2 and one clear sentence on standard error, and nothing on standard output.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::{Shown, bitcode, run, symcrete};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn write(folder: &TempDir, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    path
}

fn run_on(paths: &[&Path]) -> Shown {
    run(symcrete().arg("run").args(paths), b"")
}

/// Status 2, one sentence that says these words, nothing else that a user should not see.
fn assert_refused(shown: &Shown, words: &[&str]) {
    assert_eq!(shown.status, 2, "{shown:#?}");
    assert!(shown.stdout.is_empty(), "{shown:#?}");
    let sentences: Vec<&str> = shown.stderr.lines().filter(|line| line.starts_with("symcrete: ")).collect();
    let [sentence] = sentences[..] else { panic!("not one sentence: {}", shown.stderr) };
    for word in words {
        assert!(sentence.contains(word), "`{word}` is not in: {sentence}");
    }
    assert_unshaken(shown);
}

fn assert_unshaken(shown: &Shown) {
    for word in ["panicked", "RUST_BACKTRACE", "internal error", "thread '"] {
        assert!(!shown.stderr.contains(word), "{}", shown.stderr);
    }
}

const HEADER_FREE: &str = "int main(void) { return 0; }\n";

#[test]
fn no_such_file() {
    for name in ["missing.c", "missing.bc", "missing.ll", "missing"] {
        assert_refused(&run_on(&[Path::new(name)]), &[name, "No such file"]);
    }
}

#[test]
fn not_bitcode() {
    let folder = folder();
    for (name, content) in
        [("text.bc", "just some text\n"), ("empty.bc", ""), ("short.bc", "BC"), ("magic.bc", "BC\u{c0}\u{de}")]
    {
        assert_refused(&run_on(&[&write(&folder, name, content)]), &[name]);
    }
    let unknown = write(&folder, "notes.txt", "just some text\n");
    assert_refused(&run_on(&[&unknown]), &["notes.txt", ".bc", "compile_commands.json"]);
}

#[test]
fn an_object_file_is_not_bitcode() {
    let folder = folder();
    let source = write(&folder, "program.c", HEADER_FREE);
    let object = folder.path().join("program.o");
    assert!(Command::new("clang").arg("-c").arg(&source).arg("-o").arg(&object).status().unwrap().success());
    assert_refused(&run_on(&[&object]), &["program.o", "-emit-llvm"]);
}

#[test]
fn truncated_bitcode() {
    let folder = folder();
    let source = write(&folder, "program.c", "#include <stdio.h>\nint main(void) { return puts(\"hello\"); }\n");
    let whole = fs::read(&bitcode(folder.path(), &[], &[source])[0]).unwrap();
    for part in 1..8 {
        let cut = write(&folder, "cut.bc", &whole[..whole.len() * part / 8]);
        assert_refused(&run_on(&[&cut]), &["cut.bc"]);
    }
}

#[test]
fn foreign_targets() {
    let folder = folder();
    let source = write(&folder, "program.c", HEADER_FREE);
    for target in
        ["powerpc64-linux-gnu", "s390x-linux-gnu", "aarch64-linux-gnu", "riscv64-linux-gnu", "wasm32-unknown-unknown"]
    {
        let compiled = bitcode(folder.path(), &["-target", target], std::slice::from_ref(&source));
        let machine = target.split('-').next().unwrap();
        assert_refused(&run_on(&[&compiled[0]]), &[machine, "x86"]);
    }
}

#[test]
fn no_main() {
    let folder = folder();
    let source = write(&folder, "library.c", "int helper(int value) { return value + 1; }\n");
    assert_refused(&run_on(&[&source]), &["`main`"]);
    assert_refused(
        &run_on(&[&write(&folder, "declared.c", "int main(void);\nint (*user)(void) = main;\n")]),
        &["`main`"],
    );
    assert_refused(&run_on(&[&write(&folder, "empty.c", "")]), &["`main`"]);
}

#[test]
fn two_mains() {
    let folder = folder();
    let (first, second) = (write(&folder, "first.c", HEADER_FREE), write(&folder, "second.c", HEADER_FREE));
    assert_refused(&run_on(&[&first, &second]), &["`main`", "first.c", "second.c"]);
    assert_refused(&run_on(&[&first, &first]), &["`main`", "first.c"]);
}

#[test]
fn unresolved_function() {
    let folder = folder();
    let source = write(&folder, "program.c", "int nowhere(int);\nint main(void) {\n    return nowhere(3);\n}\n");
    let shown = run_on(&[&source]);
    assert_refused(&shown, &["`nowhere`", "defined"]);
    assert!(shown.stderr.contains("program.c:3:"), "{}", shown.stderr);
}

#[test]
fn unresolved_variable() {
    let folder = folder();
    let source = write(&folder, "program.c", "extern int nowhere;\nint main(void) {\n    return nowhere;\n}\n");
    assert_refused(&run_on(&[&source]), &["`nowhere`", "defined"]);
}

#[test]
fn no_clang() {
    let folder = folder();
    let source = write(&folder, "program.c", HEADER_FREE);
    let named = run(symcrete().args(["run", "--clang", "/nonexistent/clang"]).arg(&source), b"");
    assert_refused(&named, &["/nonexistent/clang"]);
    let searched = run(symcrete().arg("run").arg(&source).env("PATH", ""), b"");
    assert_refused(&searched, &["clang", "install", "--clang"]);
}

#[test]
fn a_source_that_does_not_compile() {
    let folder = folder();
    let source = write(&folder, "wrong.c", "int main(void) {\n    return missing_variable;\n}\n");
    let shown = run_on(&[&source]);
    assert_refused(&shown, &["wrong.c", "does not compile"]);
    assert!(shown.stderr.contains("wrong.c:2:") && shown.stderr.contains("missing_variable"), "{}", shown.stderr);
}

#[test]
fn bad_flags() {
    for arguments in
        [&["run"][..], &["run", "--no-such-flag", "a.c"], &["frobnicate"], &["run", "--time", "soon", "a.c"], &[]]
    {
        let shown = run(symcrete().args(arguments), b"");
        assert_eq!(shown.status, 2, "{arguments:?} {shown:#?}");
        assert!(shown.stdout.is_empty() && shown.stderr.contains("--help"), "{arguments:?} {shown:#?}");
        assert_unshaken(&shown);
    }
}

#[test]
fn a_directory_without_a_compilation_database() {
    let folder = folder();
    assert_refused(&run_on(&[folder.path()]), &["compile_commands.json", "bear"]);
    write(&folder, "compile_commands.json", "[{\"file\": ");
    assert_refused(&run_on(&[folder.path()]), &["compile_commands.json"]);
    write(&folder, "compile_commands.json", "{}");
    assert_refused(&run_on(&[folder.path()]), &["compile_commands.json", "list"]);
    write(&folder, "compile_commands.json", r#"[{"directory": ".", "file": "gone.c", "command": "cc -c gone.c"}]"#);
    assert_refused(&run_on(&[folder.path()]), &["gone.c"]);
}

#[test]
fn a_compilation_database_is_followed() {
    let folder = folder();
    write(&folder, "main.c", "int answer(void);\nint main(void) { return answer() - FORTY; }\n");
    write(&folder, "answer.c", "int answer(void) { return 42; }\n");
    let database = r#"[{"directory": ".", "file": "main.c", "command": "cc -O2 -DFORTY=40 -c main.c -o main.o"},
                       {"directory": ".", "file": "answer.c", "arguments": ["cc", "-c", "answer.c"]}]"#;
    write(&folder, "compile_commands.json", database);
    let shown = run_on(&[folder.path()]);
    assert_eq!((shown.status, shown.stderr.as_str()), (2, ""), "the program's own status is 42 - 40");
}
