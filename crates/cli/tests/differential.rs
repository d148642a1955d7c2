//! Random programs by csmith: the engine and the machine must print the same checksum, at -O0 and at -O2.
//!
//! 30 programs, 200 with SYMCRETE_FULL=1. `tools/fuzz` goes on from there.
#![allow(clippy::unwrap_used)]

mod support;

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use support::csmith::{generate, headers, options};
use support::{Shown, bitcode, full, native, run, symcrete};

/// A program that takes longer natively would take seconds in an interpreter.
const LONGEST: Duration = Duration::from_millis(50);

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
    let headers = headers();
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
