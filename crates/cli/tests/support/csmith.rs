//! csmith, which makes random C programs: its options, its headers, and a program for each seed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// The folder of csmith.h.
pub fn headers() -> PathBuf {
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

pub fn options(seed: u64) -> Vec<String> {
    let mix = MIXES[seed as usize % MIXES.len()];
    SMALL.iter().chain(mix).map(|option| (*option).to_owned()).chain(["--seed".to_owned(), seed.to_string()]).collect()
}

pub fn generate(seed: u64, folder: &Path) -> PathBuf {
    let path = folder.join("program.c");
    let mut command = Command::new("csmith");
    command.args(options(seed)).arg("--output").arg(&path);
    let done = command.output().expect("csmith");
    assert!(done.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&done.stderr));
    path
}
