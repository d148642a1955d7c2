//! Compiling snippets, loading the result, and showing functions of it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use symcrete_frontend::{Error, Input, load};
use symcrete_ir::print::Printer;
use symcrete_ir::{Body, Callee, Function, Global, Program};

/// What `make` compiles programs with, so that the source survives.
pub const FAITHFUL: &[&str] = &["-O0", "-g", "-Xclang", "-disable-O0-optnone"];

/// All clangs of the machine, one for each version, oldest first.
pub fn clangs() -> &'static [String] {
    static CLANGS: OnceLock<Vec<String>> = OnceLock::new();
    CLANGS.get_or_init(|| {
        let works = |name: &String| Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success());
        let found: Vec<String> = (14..=30).map(|version| format!("clang-{version}")).filter(works).collect();
        assert!(!found.is_empty(), "these tests need clang");
        found
    })
}

/// The oldest and the newest clang: typed pointers and debug intrinsics, opaque pointers and debug records.
pub fn extremes() -> Vec<&'static str> {
    let all = clangs();
    let mut both = vec![all[0].as_str()];
    if all.len() > 1 {
        both.push(all[all.len() - 1].as_str());
    }
    both
}

pub fn newest() -> &'static str {
    let all = clangs();
    &all[all.len() - 1]
}

pub fn version(clang: &str) -> u32 {
    clang.rsplit('-').next().unwrap().parse().unwrap()
}

fn scratch(name: &str) -> PathBuf {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lower-{}-{number}-{name}", std::process::id()))
}

/// Compiles text in a language that clang knows (`c`, `ir`) to bitcode.
pub fn compile(clang: &str, language: &str, text: &str, flags: &[&str]) -> Vec<u8> {
    let (source, bitcode) = (scratch("source"), scratch("out.bc"));
    std::fs::write(&source, text).unwrap();
    let mut command = Command::new(clang);
    command.args(["-c", "-emit-llvm", "-w", "-x", language]).arg(&source).arg("-o").arg(&bitcode).args(flags);
    if language == "ir" && version(clang) == 14 {
        // Text with opaque pointers is an option there.
        command.args(["-mllvm", "-opaque-pointers"]);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    let bytes = std::fs::read(&bitcode).unwrap();
    std::fs::remove_file(source).unwrap();
    std::fs::remove_file(bitcode).unwrap();
    bytes
}

pub fn try_load(files: &[(&str, &[u8], bool)]) -> Result<Program, Error> {
    let inputs: Vec<Input> =
        files.iter().map(|(name, bytes, runtime)| Input { name, bytes, runtime: *runtime }).collect();
    load(&inputs)
}

/// A C program of one file, compiled faithfully.
pub fn c(clang: &str, text: &str) -> Program {
    try_load(&[("test.c", &compile(clang, "c", text, FAITHFUL), false)]).unwrap()
}

/// A module in LLVM's text form. The target is added.
pub fn ll(text: &str) -> Program {
    try_ll(text).unwrap()
}

pub fn try_ll(text: &str) -> Result<Program, Error> {
    let text = format!("target triple = \"x86_64-pc-linux-gnu\"\n{text}");
    try_load(&[("test.ll", &compile(newest(), "ir", &text, &["-O0"]), false)])
}

pub trait Look {
    fn function(&self, name: &str) -> &Function;
    fn body(&self, name: &str) -> &Body;
    fn global(&self, name: &str) -> &Global;
    /// A function in text form, without locations.
    fn text(&self, name: &str) -> String;
}

impl Look for Program {
    fn function(&self, name: &str) -> &Function {
        &self.functions[self.function_named(name).unwrap_or_else(|| panic!("no function {name}"))]
    }

    fn body(&self, name: &str) -> &Body {
        self.function(name).body.as_ref().unwrap_or_else(|| panic!("{name} has no body"))
    }

    fn global(&self, name: &str) -> &Global {
        self.globals.values().find(|global| global.name == name).unwrap_or_else(|| panic!("no global {name}"))
    }

    fn text(&self, name: &str) -> String {
        let text = Printer::new(self).function(self.function_named(name).unwrap()).to_string();
        let without_location = |line: &str| line.split("  ; ").next().unwrap().trim().to_owned();
        text.lines().map(without_location).filter(|line| line != "marker").collect::<Vec<_>>().join("\n")
    }
}

/// The lines of a function's text between its head and its end.
pub fn assert_lines(program: &Program, name: &str, expected: &[&str]) {
    let text = program.text(name);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(&lines[1..lines.len() - 1], expected, "{text}");
}

/// What the calls of a function that Symcrete does not execute say.
pub fn unsupported(body: &Body) -> Vec<&str> {
    let text = |callee: &'_ Callee| matches!(callee, Callee::Unsupported(_));
    let calls = body.calls.values().filter(|call| text(&call.callee));
    calls
        .filter_map(|call| match &call.callee {
            Callee::Unsupported(what) => Some(&**what),
            _ => None,
        })
        .collect()
}
