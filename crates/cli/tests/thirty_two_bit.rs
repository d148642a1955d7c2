//! Programs compiled for 32-bit x86, compared with native 32-bit runs. Skipped, with a word about it, where 32-bit programs cannot
//! be compiled or run.
//!
//! All are compiled for SSE2. Without it, 32-bit code keeps doubles in x87 registers, whose excess precision depends on what the
//! compiler spills; Symcrete computes every operation in its own type.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::io::Write;
use std::process::Command;

use support::programs::{check_all, in_folder};
use support::{full, run, symcrete};

const FLAGS: &[&str] = &["-m32", "-msse2", "-mfpmath=sse"];

/// Whether 32-bit programs can be compiled and run here.
fn possible() -> bool {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("hello.c"), folder.path().join("hello"));
    fs::write(&source, "#include <errno.h>\n#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n").unwrap();
    let compiled = Command::new("clang").arg("-m32").arg(&source).arg("-o").arg(&program).output().unwrap();
    let runs = compiled.status.success() && Command::new(&program).output().is_ok_and(|done| done.status.success());
    if !runs {
        // The print macros are only heard from tests that fail.
        let message = b"skipped: no 32-bit programs on this machine (on Debian and Ubuntu: apt install gcc-multilib)\n";
        std::io::stderr().write_all(message).unwrap();
    }
    runs
}

/// Both levels of optimisation in the long runs.
fn levels() -> &'static [&'static str] {
    if full() { &["-O0", "-O2"] } else { &["-O0"] }
}

#[test]
fn programs_behave_as_they_do_natively() {
    if possible() {
        let mut programs = in_folder("c");
        programs.retain(|program| program.only_for_64_bits.is_none());
        assert!(programs.len() >= 10, "only {} programs are for 32 bits too", programs.len());
        check_all(&programs, levels(), FLAGS);
    }
}

#[test]
fn programs_about_widths_behave_as_they_do_natively() {
    if possible() {
        check_all(&in_folder("thirty_two_bit"), &["-O0", "-O2"], FLAGS);
    }
}

#[test]
fn memory_errors_are_reported_at_the_guilty_line() {
    if possible() {
        check_all(&in_folder("memory"), levels(), FLAGS);
    }
}

/// A compiler without any headers stands in for one without those of 32 bits.
#[test]
fn missing_headers_are_named_with_the_package_that_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("empty.c"), folder.path().join("empty.bc"));
    fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    let compiled = Command::new("clang").args(["-m32", "-emit-llvm", "-c", "-o"]).arg(&program).arg(&source).output();
    assert!(compiled.unwrap().status.success());
    let clang = folder.path().join("clang-without-headers");
    // By a process of its own: a file that this one has open for writing could not be executed while another test forks.
    let script = "printf '#!/bin/sh\\nexec clang -nostdinc \"$@\"\\n' >\"$1\" && chmod +x \"$1\"";
    assert!(Command::new("sh").args(["-c", script, "sh"]).arg(&clang).status().unwrap().success());
    let mut command = symcrete();
    command.env("XDG_CACHE_HOME", folder.path()).arg("run").arg("--clang").arg(&clang).arg(&program);
    let shown = run(&mut command, b"");
    assert_eq!(shown.status, 2, "{shown:#?}");
    assert!(shown.stderr.contains("apt install gcc-multilib"), "{shown:#?}");
}

/// Tests of 32-bit programs are run natively as others are.
#[test]
fn tests_are_replayed() {
    if !possible() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("price.c");
    fs::write(&source, "int price(int count, const int *table) { return count == 3 && table[2] == 7 ? 1 : 0; }\n")
        .unwrap();
    let words = [source.display().to_string(), "--entry".to_owned(), "price".to_owned(), "--cflag=-m32".to_owned()];
    let covered = support::cover::cover(&folder.path().join("out"), &words).unwrap();
    assert_eq!(covered.replay_troubles(), None);
    assert!(covered.json["tests"].as_u64().unwrap() >= 3, "{}", covered.json);
}
