//! From what the user named to a program that is ready to be executed.

use std::path::{Component, Path, PathBuf};

use symcrete_exec::start::Entry;
use symcrete_frontend::Input;
use symcrete_ir::{FuncId, Function, Linkage, Program};

use crate::args::CompilerArgs;
use crate::error::Error;
use crate::{compile, runtime, suggest};

/// Compiles what has to be compiled, and links it with the C runtime.
pub fn load(program: &[PathBuf], compiler: &CompilerArgs) -> Result<Program, Error> {
    let own = compile::bitcode(program, compiler)?;
    let triple = match own.first() {
        Some(module) => symcrete_frontend::target(&module.name, &module.bytes)?,
        None => String::new(),
    };
    let clang = compile::find_clang(&compiler.clang)?;
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
        Some(name) => entry_function(program, name).map(Entry::Function),
    }
}

/// The function that the user named, `FILE:FUNCTION` where several have one name.
fn entry_function(program: &Program, name: &str) -> Result<FuncId, Error> {
    let found = candidates(program, name);
    match found[..] {
        [] => Err(unknown(program, name)),
        [function] => Ok(function),
        _ => {
            let external = found.iter().filter(|id| program.functions[**id].linkage == Linkage::External);
            match external.copied().collect::<Vec<FuncId>>()[..] {
                [function] => Ok(function),
                _ => Err(Error::SeveralFunctions { name: name.to_owned(), known: places(program, &found) }),
            }
        }
    }
}

/// The functions that a name may mean: by their symbols, else by their names in the source.
fn candidates(program: &Program, name: &str) -> Vec<FuncId> {
    let (file, name) = split_file(name);
    let own = || program.functions.iter().filter(|(_, function)| function.body.is_some() && !function.runtime);
    let file = file.map(|file| file.strip_prefix("./").unwrap_or(file));
    let is_there = |id: &FuncId| {
        let is_end = |known: &str| {
            Path::new(known).ends_with(file.unwrap_or("")) || file.is_some_and(|file| Path::new(file).ends_with(known))
        };
        file.is_none() || file_of(program, *id).is_some_and(is_end)
    };
    let by = |named: &dyn Fn(&Function) -> bool| -> Vec<FuncId> {
        let found = own().filter(|(_, function)| named(function)).map(|(id, _)| id).filter(is_there);
        let found: Vec<FuncId> = found.collect();
        // `a.c` is that file before it is the end of `src/a.c`.
        let exact: Vec<FuncId> =
            found.iter().copied().filter(|id| file.is_some() && file_of(program, *id) == file).collect();
        if exact.is_empty() { found } else { exact }
    };
    let by_symbol = by(&|function| function.name == name);
    if by_symbol.is_empty() { by(&|function| function.source_name() == name) } else { by_symbol }
}

/// `FILE:FUNCTION` in its parts. `::` is part of a name.
fn split_file(name: &str) -> (Option<&str>, &str) {
    match name.rsplit_once(':') {
        Some((file, function)) if !file.is_empty() && !file.ends_with(':') => (Some(file), function),
        _ => (None, name),
    }
}

fn file_of(program: &Program, function: FuncId) -> Option<&str> {
    let file = program.functions[function].debug.as_ref()?.file?;
    Some(&program.debug.files[file].name)
}

/// The name by which a function is asked for: with its file, if there are others of its name in other files.
pub fn entry_name(program: &Program, function: FuncId) -> String {
    let name = program.functions[function].source_name();
    let file = file_of(program, function);
    let is_elsewhere = |other: &FuncId| file_of(program, *other) != file;
    match entry_function(program, name) {
        Ok(found) if found == function => name.to_owned(),
        _ if candidates(program, name).iter().any(is_elsewhere) => qualified(program, function),
        _ => name.to_owned(),
    }
}

fn qualified(program: &Program, function: FuncId) -> String {
    let name = program.functions[function].source_name();
    file_of(program, function).map_or_else(|| name.to_owned(), |file| format!("{file}:{name}"))
}

/// How each of several functions can be named: with its file, or by its symbol where they stand in one file.
fn places(program: &Program, functions: &[FuncId]) -> String {
    let names: Vec<String> = functions.iter().map(|id| qualified(program, *id)).collect();
    let is_clear = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
    let shown = functions.iter().zip(&names).map(|(id, name)| match is_clear(name) {
        true => name.as_str(),
        false => &program.functions[*id].name,
    });
    shown.collect::<Vec<&str>>().join(", ")
}

/// A function of the program's own with this name, as the source has it or as the linker does.
pub fn defined(program: &Program, name: &str) -> Option<FuncId> {
    entry_function(program, name).ok().or_else(|| candidates(program, name).first().copied())
}

fn no_main(program: &Program) -> Error {
    Error::NoEntry { known: functions(program) }
}

fn unknown(program: &Program, name: &str) -> Error {
    Error::UnknownFunction {
        name: name.to_owned(),
        known: functions(program),
        nearest: suggest::function(program, name),
    }
}

/// The names of the program's own functions, or of some of them.
pub fn functions(program: &Program) -> String {
    let own = program.functions.values().filter(|function| function.body.is_some() && !function.runtime);
    let mut known: Vec<String> = own.map(|function| function.source_name().to_owned()).collect();
    known.sort();
    known.truncate(20);
    known.join(", ")
}
