//! The bitcode reader: LLVM bitcode to `ir`. The only crate that knows LLVM's format.
//!
//! A file goes through three rooms: `decode` reads its bits into `module::Module`, `link` decides which definition each
//! symbol means, `lower` translates what is needed.
#![forbid(unsafe_code)]

mod bitstream;
pub mod decode;
mod error;
mod link;
mod lower;
pub mod module;

pub use error::{Error, Place};
use symcrete_ir::Program;

/// A bitcode file.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// What to call it in messages.
    pub name: &'a str,
    pub bytes: &'a [u8],
    /// Part of Symcrete's own runtime. Such files serve like a static library: a definition is used only where the
    /// program refers to it and does not have its own.
    pub runtime: bool,
}

/// Reads, links and lowers bitcode files, and verifies the result. Locals are still in memory: `symcrete_ir::promote` makes registers of them.
pub fn load(inputs: &[Input]) -> Result<Program, Error> {
    let mut parts = Vec::with_capacity(inputs.len());
    for input in inputs {
        let modules =
            decode::decode(input.bytes).map_err(|source| Error::Decode { file: input.name.to_owned(), source })?;
        let file_bytes = input.bytes.len() as u64;
        let runtime = input.runtime;
        parts.extend(modules.into_iter().map(|module| link::Part { name: input.name, module, runtime, file_bytes }));
    }
    let mut program = link::link(&parts)?;
    symcrete_ir::convention::agree(&mut program);
    // What the decoder does not check (that values are made before they are used) is checked here, for all that follows.
    symcrete_ir::verify::verify(&program).map_err(|source| Error::Invalid { file: names(inputs), source })?;
    Ok(program)
}

fn names(inputs: &[Input]) -> String {
    let names: Vec<&str> = inputs.iter().filter(|input| !input.runtime).map(|input| input.name).collect();
    names.join(", ")
}

/// The target that a bitcode file was compiled for, as an LLVM triple; empty if it does not say. Foreign ones are an error.
pub fn target(name: &str, bytes: &[u8]) -> Result<String, Error> {
    let modules = decode::decode(bytes).map_err(|source| Error::Decode { file: name.to_owned(), source })?;
    let Some(module) = modules.into_iter().next() else { return Err(Error::NoInput) };
    link::check_target(name, &module)?;
    Ok(module.triple)
}
