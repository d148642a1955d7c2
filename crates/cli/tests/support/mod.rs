//! What the end-to-end tests share: the binary under test, native builds, and comparing the two.
#![allow(dead_code, clippy::unwrap_used)]

pub mod cover;
pub mod csmith;
pub mod ktest;
pub mod partition;
pub mod programs;
pub mod symbolic;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project's root")
}

pub fn symcrete() -> Command {
    Command::new(env!("CARGO_BIN_EXE_symcrete"))
}

/// What a run showed: output, errors, and the status as a shell would show it.
#[derive(Debug, PartialEq)]
pub struct Shown {
    pub stdout: Vec<u8>,
    pub stderr: String,
    pub status: i32,
}

impl From<Output> for Shown {
    fn from(output: Output) -> Self {
        use std::os::unix::process::ExitStatusExt;
        let status = output.status.code().or(output.status.signal().map(|signal| 128 + signal)).unwrap_or(-1);
        Shown { stdout: output.stdout, stderr: String::from_utf8_lossy(&output.stderr).into_owned(), status }
    }
}

/// Runs a command with some standard input.
pub fn run(command: &mut Command, input: &[u8]) -> Shown {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    // A program that does not read all of its input is no fault.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the program's output");
    writer.join().expect("the writing thread");
    output.into()
}

/// Compiles natively; returns the program's path inside `folder`.
pub fn native(folder: &Path, flags: &[&str], sources: &[PathBuf]) -> PathBuf {
    let program = folder.join("native");
    let mut command = Command::new("clang");
    command.args(["-w", "-o"]).arg(&program).args(flags).args(sources).arg("-lm");
    let done = command.output().expect("clang");
    assert!(done.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&done.stderr));
    program
}

/// Compiles each source to bitcode with these flags.
pub fn bitcode(folder: &Path, flags: &[&str], sources: &[PathBuf]) -> Vec<PathBuf> {
    let compile = |(number, source): (usize, &PathBuf)| {
        let name = source.file_stem().expect("a file").to_string_lossy();
        let out = folder.join(format!("{number}-{name}.bc"));
        let mut command = Command::new("clang");
        command.args(["-w", "-g", "-emit-llvm", "-c", "-o"]).arg(&out).args(flags).arg(source);
        let done = command.output().expect("clang");
        assert!(done.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&done.stderr));
        out
    };
    sources.iter().enumerate().map(compile).collect()
}

/// Where cargo keeps the sources of a crate that `tests/sources` names.
pub fn crate_sources(name: &str) -> PathBuf {
    let manifest = root().join("tests/sources/Cargo.toml");
    let done = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--manifest-path"])
        .arg(manifest)
        .output()
        .expect("cargo metadata");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let package = packages.iter().find(|package| package["name"] == name).expect("the package");
    let manifest = PathBuf::from(package["manifest_path"].as_str().expect("a path"));
    manifest.parent().expect("a folder").to_owned()
}

/// Whether the long runs are asked for.
pub fn full() -> bool {
    std::env::var_os("SYMCRETE_FULL").is_some()
}

/// Does the same to many things, on all cores; gives back what went wrong, in the order of the things.
pub fn failures<T: Sync>(things: &[T], check: impl Fn(&T) -> Result<(), String> + Sync) -> Vec<String> {
    let next = Mutex::new(things.iter().enumerate());
    let failures = Mutex::new(Vec::new());
    let work = || {
        loop {
            let Some((number, thing)) = next.lock().unwrap().next() else { return };
            if let Err(why) = check(thing) {
                failures.lock().unwrap().push((number, why));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    failures.into_iter().map(|(_, why)| why).collect()
}

/// Fails with everything that went wrong.
pub fn assert_all<T: Sync>(things: &[T], check: impl Fn(&T) -> Result<(), String> + Sync) {
    assert!(!things.is_empty(), "there is nothing to check");
    let failures = failures(things, check);
    assert!(failures.is_empty(), "{} of {} failed:\n{}", failures.len(), things.len(), failures.join("\n"));
}
