//! Random programs by csmith: the engine and the machine must print the same checksum, at -O0 and at -O2.
//!
//! 30 programs, 200 with SYMCRETE_FULL=1. `tools/fuzz` goes on from there.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use support::{Shown, bitcode, full, native, run, symcrete};

/// Keeps the programs small enough for an interpreter.
const SMALL: &[&str] =
    &["--max-funcs", "5", "--max-block-depth", "3", "--max-block-size", "4", "--max-expr-complexity", "8"];

/// What the programs are made of; the seed chooses. No floats: csmith's programs with floats use uninitialised memory at times.
const MIXES: &[&[&str]] = &[
    &["--bitfields", "--packed-struct"],
    &["--no-bitfields", "--no-packed-struct"],
    &["--no-bitfields", "--packed-struct", "--no-volatiles"],
    &["--bitfields", "--no-packed-struct", "--no-unions"],
];

/// A program that takes longer natively would take seconds in an interpreter.
const LONGEST: Duration = Duration::from_millis(50);

/// The folder of csmith.h.
fn csmith_headers() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let beside =
        std::env::split_paths(&path).filter(|folder| folder.join("csmith").is_file()).map(|bin| bin.join("../include"));
    let places = beside.chain([PathBuf::from("/usr/include"), PathBuf::from("/usr/local/include")]);
    for place in places {
        let mut folders = vec![place.clone()];
        folders.extend(fs::read_dir(&place).into_iter().flatten().flatten().map(|entry| entry.path()));
        folders.sort();
        if let Some(found) = folders.into_iter().find(|folder| folder.join("csmith.h").is_file()) {
            return found;
        }
    }
    panic!("csmith.h was found nowhere; `make test` installs it (on Debian and Ubuntu: apt install csmith)");
}

fn options(seed: u64) -> Vec<String> {
    let mix = MIXES[seed as usize % MIXES.len()];
    SMALL.iter().chain(mix).map(|option| (*option).to_owned()).chain(["--seed".to_owned(), seed.to_string()]).collect()
}

fn generate(seed: u64, folder: &Path) -> PathBuf {
    let path = folder.join("program.c");
    let mut command = Command::new("csmith");
    command.args(options(seed)).arg("--output").arg(&path);
    let done = command.output().expect("csmith");
    assert!(done.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&done.stderr));
    path
}

/// The native behaviour of a program that ends soon enough; others are skipped.
fn native_run(program: &Path) -> Option<Shown> {
    for _ in 0..3 {
        let began = Instant::now();
        // `timeout`, because csmith's programs need not end; it shows that by status 124.
        let shown = run(Command::new("timeout").arg("1").arg(program), b"");
        if shown.status == 124 {
            return None;
        }
        if began.elapsed() <= LONGEST {
            return Some(shown);
        }
    }
    None
}

enum Verdict {
    Agrees,
    Skipped,
    Differs(String),
}

fn summary(shown: &Shown) -> String {
    let errors: Vec<&str> = shown.stderr.lines().take(12).collect();
    format!("status {}, {}{}", shown.status, String::from_utf8_lossy(&shown.stdout), errors.join("\n"))
}

/// Whether clang's own sanitizer, where it is installed, blames the program.
fn uses_uninitialised_memory(folder: &Path, include: &str, source: &Path) -> bool {
    let program = folder.join("sanitized");
    let mut command = Command::new("clang");
    command.args(["-w", "-O0", "-fsanitize=memory", include, "-o"]).arg(&program).arg(source).arg("-lm");
    let built = command.output().expect("clang").status.success();
    built && run(Command::new("timeout").arg("10").arg(&program), b"").stderr.contains("use-of-uninitialized-value")
}

fn check(seed: u64, headers: &Path) -> Verdict {
    let folder = tempfile::tempdir().unwrap();
    let sources = [generate(seed, folder.path())];
    let include = format!("-I{}", headers.display());
    for level in ["-O0", "-O2"] {
        let mut flags = vec![level, &include];
        let Some(expected) = native_run(&native(folder.path(), &flags, &sources)) else { return Verdict::Skipped };
        if level == "-O0" {
            flags.extend(["-Xclang", "-disable-O0-optnone"]);
        }
        let mut command = symcrete();
        command.args(["run", "--time", "120"]).args(bitcode(folder.path(), &flags, &sources));
        let shown = run(&mut command, b"");
        if shown != expected {
            if uses_uninitialised_memory(folder.path(), &include, &sources[0]) {
                return Verdict::Skipped;
            }
            let (options, expected, shown) = (options(seed).join(" "), summary(&expected), summary(&shown));
            return Verdict::Differs(format!("csmith {options} at {level}\nnatively {expected}\nin symcrete {shown}"));
        }
    }
    Verdict::Agrees
}

#[test]
fn csmith_programs_agree_with_native() {
    let wanted = if full() { 200 } else { 30 };
    let headers = csmith_headers();
    let seeds = Mutex::new(1..);
    let (agreed, failures) = (Mutex::new(0), Mutex::new(Vec::new()));
    let done = AtomicBool::new(false);
    let work = || {
        while !done.load(Ordering::Relaxed) {
            let seed = { seeds.lock().unwrap().next().unwrap() };
            match check(seed, &headers) {
                Verdict::Skipped => {}
                Verdict::Agrees => *agreed.lock().unwrap() += 1,
                Verdict::Differs(how) => failures.lock().unwrap().push(how),
            }
            let tried = *agreed.lock().unwrap() + failures.lock().unwrap().len();
            done.fetch_or(tried >= wanted || seed > 20 * wanted as u64, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let (agreed, failures) = (agreed.into_inner().unwrap(), failures.into_inner().unwrap());
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), agreed + failures.len(), failures.join("\n"));
    assert!(agreed >= wanted, "only {agreed} programs were short enough; is the machine overloaded?");
}
