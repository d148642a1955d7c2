//! From what the user named to a program that is ready to be executed.

use std::path::{Component, Path, PathBuf};

use symcrete_exec::start::Entry;
use symcrete_frontend::Input;
use symcrete_ir::{FuncId, Program};

use crate::args::CompilerArgs;
use crate::error::Error;
use crate::{compile, runtime};

/// Compiles what has to be compiled, and links it with the C runtime.
pub fn load(program: &[PathBuf], compiler: &CompilerArgs) -> Result<Program, Error> {
    let own = compile::bitcode(program, compiler)?;
    let triple = match own.first() {
        Some(module) => symcrete_frontend::target(&module.name, &module.bytes)?,
        None => String::new(),
    };
    let clang = compile::find_clang(compiler)?;
    let library = runtime::bitcode(&clang, runtime::Target::of_triple(&triple))?;
    let own = own.iter().map(|module| Input { name: &module.name, bytes: &module.bytes, runtime: false });
    let library = library.iter().map(|module| Input { name: &module.name, bytes: &module.bytes, runtime: true });
    let inputs: Vec<Input> = own.chain(library).collect();
    let mut program = symcrete_frontend::load(&inputs)?;
    name_from_here(&mut program);
    Ok(program)
}

/// Names of sources that are there, as somebody would name them who stands where we do. Compilers name them from where they stood, or from
/// a folder that both have in common.
fn name_from_here(program: &mut Program) {
    let Ok(here) = std::env::current_dir() else { return };
    for file in program.debug.files.values_mut() {
        let directory = Path::new(&file.directory);
        if directory == here || !directory.is_absolute() || Path::new(&file.name).is_absolute() {
            continue;
        }
        let whole = plain(&directory.join(&file.name));
        if !whole.is_file() {
            continue;
        }
        let (Some(name), Some(directory)) = (whole.strip_prefix(&here).unwrap_or(&whole).to_str(), here.to_str())
        else {
            continue;
        };
        (file.name, file.directory) = (name.to_owned(), directory.to_owned());
    }
}

/// A path without the detours in it.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// The function that the user named, or else `main`, or else the target of a fuzzer.
pub fn entry(program: &Program, named: Option<&str>) -> Result<Entry, Error> {
    const FUZZER: &str = "LLVMFuzzerTestOneInput";
    match named {
        None => match (defined(program, "main"), defined(program, FUZZER)) {
            (Some(main), _) => Ok(Entry::Main(main)),
            (None, Some(target)) => Ok(Entry::Fuzzer(target)),
            (None, None) => Err(no_main(program)),
        },
        Some("main") => defined(program, "main").map(Entry::Main).ok_or_else(|| no_main(program)),
        Some(FUZZER) => defined(program, FUZZER).map(Entry::Fuzzer).ok_or_else(|| unknown(program, FUZZER)),
        Some(name) => defined(program, name).map(Entry::Function).ok_or_else(|| unknown(program, name)),
    }
}

/// A function of the program's own with this name, as the source has it or as the linker does.
pub fn defined(program: &Program, name: &str) -> Option<FuncId> {
    let own = || program.functions.iter().filter(|(_, function)| function.body.is_some() && !function.runtime);
    let by_symbol = own().find(|(_, function)| function.name == name);
    by_symbol.or_else(|| own().find(|(_, function)| function.source_name() == name)).map(|(id, _)| id)
}

fn no_main(program: &Program) -> Error {
    Error::NoEntry { known: functions(program) }
}

fn unknown(program: &Program, name: &str) -> Error {
    Error::UnknownFunction { name: name.to_owned(), known: functions(program) }
}

/// The names of the program's own functions, or of some of them.
pub fn functions(program: &Program) -> String {
    let own = program.functions.values().filter(|function| function.body.is_some() && !function.runtime);
    let mut known: Vec<String> = own.map(|function| function.source_name().to_owned()).collect();
    known.sort();
    known.truncate(20);
    known.join(", ")
}
