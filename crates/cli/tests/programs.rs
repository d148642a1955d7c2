//! Every program below tests/programs, run as its comments say.
//!
//! - `// args: a b` and `// input: text` say what it is given; `// flags: …` are for symcrete, `// native: …` for clang.
//! - A line with `//~ words` is guilty: the report must name that line and contain the words, and the status is 1
//!   (`// status: N` says otherwise).
//! - A program without a guilty line must behave as it does natively, at -O0 and at -O2: same output, same status, no report.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use support::{bitcode, native, root, run, symcrete};

struct Program {
    path: PathBuf,
    args: Vec<String>,
    flags: Vec<String>,
    native_flags: Vec<String>,
    input: String,
    status: Option<i32>,
    guilty: Option<(usize, String)>,
}

fn parse(path: &Path) -> Program {
    let text = fs::read_to_string(path).unwrap();
    let directive = |name: &str| {
        let prefix = format!("// {name}:");
        text.lines().find_map(|line| line.strip_prefix(&prefix)).map(|rest| rest.trim().to_owned())
    };
    let words = |name: &str| -> Vec<String> {
        directive(name).map(|rest| rest.split_whitespace().map(str::to_owned).collect()).unwrap_or_default()
    };
    let guilty = text
        .lines()
        .enumerate()
        .find_map(|(number, line)| line.split_once("//~").map(|(_, words)| (number + 1, words.trim().to_owned())));
    Program {
        path: path.to_owned(),
        args: words("args"),
        flags: words("flags"),
        native_flags: words("native"),
        input: directive("input").unwrap_or_default().replace("\\n", "\n"),
        status: directive("status").and_then(|status| status.parse().ok()),
        guilty,
    }
}

fn check(program: &Program) -> Result<(), String> {
    let name = program.path.display();
    match &program.guilty {
        Some((line, words)) => {
            let mut command = symcrete();
            command.arg("run").args(&program.flags).arg(&program.path).arg("--").args(&program.args);
            let shown = run(&mut command, program.input.as_bytes());
            let file = program.path.file_name().unwrap().to_string_lossy();
            let place = format!("{file}:{line}:");
            let expected = program.status.unwrap_or(1);
            if shown.status != expected || !shown.stderr.contains(words) || !shown.stderr.contains(&place) {
                return Err(format!("{name}: wanted status {expected}, `{words}` and `{place}`, got {shown:#?}"));
            }
            Ok(())
        }
        None => ["-O0", "-O2"].iter().try_for_each(|level| agrees(program, level)),
    }
}

fn agrees(program: &Program, level: &str) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let mut flags = vec![level];
    flags.extend(program.native_flags.iter().map(String::as_str));
    let sources = [program.path.clone()];
    let expected = run(
        std::process::Command::new(native(folder.path(), &flags, &sources)).args(&program.args),
        program.input.as_bytes(),
    );
    if level == "-O0" {
        flags.extend(["-Xclang", "-disable-O0-optnone"]);
    }
    let mut command = symcrete();
    command
        .arg("run")
        .args(&program.flags)
        .args(bitcode(folder.path(), &flags, &sources))
        .arg("--")
        .args(&program.args);
    let shown = run(&mut command, program.input.as_bytes());
    if shown.stdout != expected.stdout || shown.status != expected.status || shown.stderr != expected.stderr {
        let name = program.path.display();
        return Err(format!("{name} at {level}: natively {expected:#?}\nin symcrete {shown:#?}"));
    }
    Ok(())
}

fn run_folder(folder: &str) {
    let mut paths: Vec<PathBuf> = fs::read_dir(root().join("tests/programs").join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "no programs in {folder}");
    let failures: Vec<String> = paths.iter().filter_map(|path| check(&parse(path)).err()).collect();
    assert!(failures.is_empty(), "{} of {} failed:\n{}", failures.len(), paths.len(), failures.join("\n"));
}

#[test]
fn memory_errors_are_reported_at_the_guilty_line() {
    run_folder("memory");
}

#[test]
fn other_findings_are_reported_at_the_guilty_line() {
    run_folder("findings");
}

#[test]
fn programs_behave_as_they_do_natively() {
    run_folder("c");
}
