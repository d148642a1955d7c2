//! The program as native replay builds it: which of its functions are called, and with what.

use std::path::{Path, PathBuf};

use symcrete_ir::ids::DebugTypeId;
use symcrete_ir::{FuncId, GlobalId, Program};
use symcrete_sandbox::Policy;
use symcrete_testcase::{Build, Entry, Function, Parameter, Source};

use crate::compile;
use crate::library::Libraries;

/// A build of these sources with the tools of the user's path, to be run in this sandbox.
pub fn build(clang: &Path, sources: &[Source], entry: Entry, sandbox: Result<Policy, String>) -> Build {
    let mut build = Build::new(clang, sources.to_vec());
    build.entry = entry;
    build.sandbox = sandbox;
    build.search_path = compile::search_path();
    build
}

/// Links the program with what `--library` names.
pub fn link_with(build: &mut Build, libraries: Option<&Libraries>) {
    let Some(libraries) = libraries else { return };
    build.link_flags.extend(libraries.link_flags());
    build.shared.extend(libraries.objects().iter().cloned());
}

/// A function as its source declares it.
pub fn function(program: &Program, id: FuncId) -> Function {
    let data = &program.functions[id];
    let debug = &program.debug;
    let name = |ty: Option<DebugTypeId>| ty.map_or(String::new(), |ty| debug.type_name(ty));
    let (parameters, result, source) = match &data.debug {
        Some(known) => (
            known.params.iter().map(|param| Parameter::new(&param.name, &name(param.ty))).collect(),
            Some(known.result.map_or("void".to_owned(), |result| debug.type_name(result))),
            // A source of C is included by whoever calls the function; one of Rust cannot be.
            known
                .file
                .map(|file| PathBuf::from(&debug.files[file].directory).join(&debug.files[file].name))
                .filter(|path| path.extension().is_none_or(|extension| extension != "rs")),
        ),
        None => (Vec::new(), None, None),
    };
    Function { name: data.source_name().to_owned(), parameters, result, source }
}

/// Variables as their source declares them.
pub fn globals(program: &Program, globals: &[GlobalId]) -> Vec<Parameter> {
    let name = |ty: Option<DebugTypeId>| ty.map_or(String::new(), |ty| program.debug.type_name(ty));
    let known = globals.iter().filter_map(|global| program.globals[*global].debug.as_ref());
    known.map(|known| Parameter::new(&known.name, &name(known.ty))).collect()
}
