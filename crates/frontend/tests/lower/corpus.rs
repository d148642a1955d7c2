//! Everything in `tests/corpus`, by every compiler and at several levels of optimisation: it loads, verifies, promotes,
//! and keeps its lines.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use symcrete_frontend::decode::decode;
use symcrete_frontend::module::{FunctionBody, Module};
use symcrete_ir::print::Printer;
use symcrete_ir::promote::promote;
use symcrete_ir::verify::verify;
use symcrete_ir::{Body, Program};

use crate::tools::{clangs, try_load, version};

fn sources(extension: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|it| it == extension)).collect();
    found.sort();
    assert!(!found.is_empty());
    found
}

/// What a comment in the first lines says after a keyword.
fn setting(source: &Path, key: &str) -> Vec<String> {
    let text = std::fs::read_to_string(source).unwrap();
    let line = text.lines().take(5).find_map(|line| line.split_once(key));
    line.map_or(Vec::new(), |line| line.1.trim_end_matches("*/").split_whitespace().map(str::to_owned).collect())
}

fn output(command: &mut Command, name: &str) -> Vec<u8> {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lower-{}-{name}.bc", std::process::id()));
    let output = command.arg("-o").arg(&file).output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    let bytes = std::fs::read(&file).unwrap();
    std::fs::remove_file(file).unwrap();
    bytes
}

fn check_clang(extension: &str, compiler: impl Fn(&str) -> String) {
    for source in sources(extension) {
        let since: u32 = setting(&source, "since:").first().map_or(0, |version| version.parse().unwrap());
        for clang in clangs().iter().filter(|clang| version(clang) >= since) {
            for level in ["-O0", "-O1", "-O2"] {
                let file = source.file_name().unwrap().to_str().unwrap();
                let name = format!("{file}-{clang}{level}");
                let mut command = Command::new(compiler(clang));
                command.args(["-c", "-emit-llvm", "-g", "-w", level]).args(setting(&source, "flags:")).arg(&source);
                check(&name, &output(&mut command, &name));
            }
        }
    }
}

#[test]
fn c() {
    check_clang("c", str::to_owned);
}

#[test]
fn cpp() {
    check_clang("cpp", |clang| clang.replace("clang", "clang++"));
}

#[test]
fn rust() {
    for source in sources("rs") {
        for level in ["0", "2"] {
            let mut command = Command::new("rustc");
            command.args(["--edition=2021", "--emit=llvm-bc", "-g", "-C", &format!("opt-level={level}")]).arg(&source);
            let name = format!("rust-O{level}");
            check(&name, &output(&mut command, &name));
        }
    }
}

fn check(name: &str, bytes: &[u8]) {
    let mut program = try_load(&[(name, bytes, false)]).unwrap_or_else(|error| panic!("{error}"));
    let again = try_load(&[(name, bytes, false)]).unwrap();
    assert_eq!(
        Printer::new(&program).program().to_string(),
        Printer::new(&again).program().to_string(),
        "{name}: two loads differ"
    );
    for module in decode(bytes).unwrap() {
        check_lines(name, &module, &program);
    }
    promote(&mut program);
    verify(&program).unwrap_or_else(|error| panic!("{name}, promoted: {error}"));
}

/// Every line that an instruction of LLVM has, the lowered function has.
fn check_lines(name: &str, module: &Module, program: &Program) {
    for global in module.globals.values() {
        let Some(source) = global.function().and_then(|function| function.body.as_deref()) else { continue };
        let Some(lowered) = program.functions.values().find(|function| function.name == global.name) else { continue };
        let after = lines_after(program, lowered.body.as_ref().unwrap());
        for line in lines_before(module, source) {
            assert!(after.contains(&line), "{name}: {} lost line {line}", global.name);
        }
    }
}

fn lines_before(module: &Module, source: &FunctionBody) -> BTreeSet<u32> {
    let is_code = |instruction: &&symcrete_frontend::module::Instruction| {
        let callee = instruction.kind.call().and_then(|call| module.direct_callee(call));
        // Descriptions and promises are no code.
        let quiet = ["llvm.dbg.", "llvm.lifetime.", "llvm.assume", "llvm.experimental.noalias", "llvm.donothing"];
        callee.is_none_or(|callee| !quiet.iter().any(|prefix| module.globals[callee].name.starts_with(prefix)))
    };
    let code = source.instructions.values().filter(is_code);
    let locations = code.filter_map(|instruction| instruction.location.expand());
    locations.map(|id| source.locations[id].line).filter(|line| *line > 0).collect()
}

fn lines_after(program: &Program, body: &Body) -> BTreeSet<u32> {
    let blocks = body.blocks.values();
    let locs = blocks.flat_map(|block| block.locs.iter().copied().chain([block.terminator_loc]));
    locs.map(|loc| program.debug.locs[loc].line).collect()
}
