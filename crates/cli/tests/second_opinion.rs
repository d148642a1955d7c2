//! Another solver's word on every query that the decision procedures called unsatisfiable while the programs of tests/symbolic were
//! explored: z3 must not find a solution. Satisfiable ones need none, since their models are evaluated.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use support::{root, run, symcrete};

/// Seconds that z3 may take for one query. What it cannot decide by then is no contradiction, but must stay rare.
const PATIENCE: u32 = 20;

#[test]
fn z3_agrees_with_every_unsat() {
    let mut programs: Vec<PathBuf> =
        fs::read_dir(root().join("tests/symbolic")).unwrap().map(|entry| entry.unwrap().path()).collect();
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    programs.sort();
    let folder = tempfile::tempdir().unwrap();
    let (next, checked, undecided) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (all, open) = check(program, &folder.path().join(program.file_stem().unwrap()));
                    checked.fetch_add(all, Ordering::Relaxed);
                    undecided.fetch_add(open, Ordering::Relaxed);
                }
            });
        }
    });
    let (checked, undecided) = (checked.into_inner(), undecided.into_inner());
    println!("{checked} unsatisfiable queries, {undecided} of which z3 could not decide");
    assert!(checked > 400, "{checked} queries only");
    assert!(undecided * 50 <= checked, "z3 could not decide {undecided} of {checked}");
}

/// How many queries were unsatisfiable, and how many of them z3 could not decide.
fn check(program: &Path, folder: &Path) -> (usize, usize) {
    let text = fs::read_to_string(program).unwrap();
    let flags = text.lines().find_map(|line| line.strip_prefix("// flags:")).unwrap_or("");
    let (flags, arguments) = flags.split_once(" -- ").unwrap_or((flags, ""));
    let queries = folder.join("queries");
    let mut command = symcrete();
    command.arg("cover").arg(program).args(flags.split_whitespace());
    command
        .args(["--no-replay", "--no-burst", "--json", "--out"])
        .arg(folder.join("out"))
        .arg("--log-queries")
        .arg(&queries);
    if !arguments.is_empty() {
        command.arg("--").args(arguments.split_whitespace());
    }
    let shown = run(&mut command, b"");
    assert!(matches!(shown.status, 0 | 1), "{}: {shown:?}", program.display());
    let mut files: Vec<PathBuf> = fs::read_dir(&queries).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.to_str().is_some_and(|name| name.ends_with("-unsat.smt2")));
    files.sort();
    // One process for all: starting it costs more than most of the queries.
    let script: String = files.iter().map(|file| fs::read_to_string(file).unwrap() + "(reset)\n").collect();
    let path = folder.join("all.smt2");
    fs::write(&path, script).unwrap();
    let answers = run(Command::new("z3").arg(format!("-t:{}", PATIENCE * 1000)).arg(&path), b"");
    let answers = String::from_utf8(answers.stdout).unwrap();
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers.len(), files.len(), "{}: {answers:?}", program.display());
    for (file, answer) in files.iter().zip(&answers) {
        let query = || fs::read_to_string(file).unwrap();
        assert!(matches!(*answer, "unsat" | "unknown"), "{}: z3 says {answer}:\n{}", program.display(), query());
    }
    (files.len(), answers.iter().filter(|answer| **answer == "unknown").count())
}
