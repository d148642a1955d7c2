//! The decoder against `llvm-dis`: a corpus of C, C++ and Rust sources is compiled by every compiler on the machine,
//! decoded, printed in LLVM's text form and compared with what `llvm-dis` of the same version says, instruction by
//! instruction. Differences that carry no meaning for us (attributes, metadata numbers, the types that pointers had
//! before LLVM 15) are removed from both sides first.
#![allow(clippy::unwrap_used)]

mod instructions;
mod listing;
mod metadata;
mod print;
mod tokens;
mod tools;

use std::path::{Path, PathBuf};

use symcrete_frontend::decode::decode;
use symcrete_frontend::module::{FunctionBody, Global, GlobalKind, Module};

use listing::{Listing, TextFunction};
use print::Printer;
use tools::{Compiler, Source};

/// Compiles a source by all compilers that can, at -O0, -O1 and -O2, and compares each result. Returns how many.
fn check(source: &str) -> usize {
    let source = Source::open(source);
    let mut compared = 0;
    for compiler in tools::compilers().iter().filter(|compiler| compiler.accepts(&source)) {
        for level in 0..=2 {
            let bitcode = compiler.compile_apart(&source, level, "oracle");
            compare(compiler, &bitcode);
            compared += 1;
        }
    }
    compared
}

fn compare(compiler: &Compiler, bitcode: &Path) {
    let bytes = std::fs::read(bitcode).unwrap();
    let modules = decode(&bytes).unwrap_or_else(|error| panic!("{}: {error}", bitcode.display()));
    assert_eq!(modules.len(), 1, "{}", bitcode.display());
    let text = compiler.disassemble(bitcode);
    let listing = Listing::parse(&text);
    let comparison = Comparison { file: bitcode.to_path_buf(), module: &modules[0], listing: &listing };
    comparison.run();
}

struct Comparison<'a> {
    file: PathBuf,
    module: &'a Module,
    listing: &'a Listing,
}

impl Comparison<'_> {
    fn run(&self) {
        let listing = self.listing;
        self.equal("triple", &self.module.triple, &listing.triple);
        self.equal("data layout", &self.module.data_layout, &listing.data_layout);
        self.equal("source file", &self.module.source_file, &listing.source_file);
        self.types();
        self.globals();
        let ours: Vec<String> = metadata::summary(self.module);
        let theirs = metadata::summary_of_text(listing);
        self.lists("metadata", &ours, &theirs);
    }

    fn equal(&self, what: &str, ours: &str, theirs: &str) {
        assert!(ours == theirs, "{}: {what}\n  decoded: {ours}\n llvm-dis: {theirs}", self.file.display());
    }

    fn lists(&self, what: &str, ours: &[String], theirs: &[String]) {
        for (ours, theirs) in ours.iter().zip(theirs) {
            self.equal(what, ours, theirs);
        }
        let more = if ours.len() > theirs.len() { &ours[theirs.len()..] } else { &theirs[ours.len()..] };
        assert_eq!(ours.len(), theirs.len(), "{}: {what}: {:?}", self.file.display(), more.first());
    }

    /// Named structures. (The text has only those that are used.)
    fn types(&self) {
        let printer = Printer::new(self.module, None);
        for (name, definition) in &self.listing.types {
            let ours = printer.struct_definition(name);
            self.equal("type", &tokens::normalize(&ours).join(" "), &tokens::normalize(definition).join(" "));
        }
    }

    fn globals(&self) {
        let mut variables = Vec::new();
        let mut functions = Vec::new();
        for global in self.module.globals.values() {
            match &global.kind {
                GlobalKind::Function(function) => functions.push((global, function)),
                _ => variables.push(global),
            }
        }
        let printer = Printer::new(self.module, None);
        // The text has variables, aliases and ifuncs in this order; the file need not.
        let order = |global: &&Global| match &global.kind {
            GlobalKind::Variable(_) => 0,
            GlobalKind::Alias(_) => 1,
            _ => 2,
        };
        variables.sort_by_key(order);
        let ours: Vec<String> =
            variables.iter().map(|global| tokens::normalize(&printer.variable(global)).join(" ")).collect();
        let theirs: Vec<String> = self.listing.variables.iter().map(|line| tokens::normalize(line).join(" ")).collect();
        self.lists("global", &ours, &theirs);

        assert_eq!(functions.len(), self.listing.functions.len(), "{}: functions", self.file.display());
        for ((global, function), text) in functions.into_iter().zip(&self.listing.functions) {
            let printer = Printer::new(self.module, function.body.as_deref());
            let ours = printer.function_header(global, function);
            self.equal("function", &tokens::header(&ours), &tokens::header(&text.header));
            if let Some(body) = &function.body {
                self.body(&global.name, &printer, body, text);
            }
            self.subprogram(global, text);
        }
    }

    fn body(&self, name: &str, printer: &Printer<'_>, body: &FunctionBody, text: &TextFunction) {
        assert_eq!(body.blocks.len(), text.blocks.len(), "{}: blocks of {name}", self.file.display());
        for (block, text) in body.blocks.keys().zip(&text.blocks) {
            let ours: Vec<String> =
                body.instructions_of(block).map(|(id, _)| tokens::instruction(&printer.instruction(id))).collect();
            let theirs: Vec<String> = text.instructions.iter().map(|line| tokens::instruction(line)).collect();
            self.lists(&format!("instruction of {name}"), &ours, &theirs);
            for ((id, instruction), line) in body.instructions_of(block).zip(&text.instructions) {
                let ours = metadata::location(body, instruction);
                let theirs = self.listing.location(line);
                self.equal(&format!("location of {id} of {name}: {line}"), &ours, &theirs);
            }
        }
        let ours = metadata::variables(self.module, printer, body);
        let theirs = metadata::variables_of_text(self.listing, text);
        self.lists(&format!("debug record of {name}"), &ours, &theirs);
    }

    fn subprogram(&self, global: &Global, text: &TextFunction) {
        let ours = metadata::subprogram(self.module, global);
        self.equal("subprogram", &ours, &self.listing.subprogram(&text.header));
    }
}

/// More files to compare, as a list in `SYMCRETE_ORACLE_FILES`, written by the newest LLVM of the machine.
#[test]
fn extra_files() {
    let Ok(files) = std::env::var("SYMCRETE_ORACLE_FILES") else { return };
    let newest = tools::compilers().iter().max_by_key(|compiler| compiler.version()).unwrap();
    files.split_whitespace().for_each(|file| compare(newest, Path::new(file)));
}

/// One test for each source, so that they run side by side and failures say which.
macro_rules! corpus {
    ($($name:ident: $file:literal;)*) => {
        $(
            #[test]
            fn $name() {
                let compared = check($file);
                // Wide `_BitInt`s want a clang, and Rust an `llvm-dis`, that is newer than what some systems have.
                let modern = tools::compilers().iter().any(|compiler| compiler.version() >= 22);
                assert!(compared > 0 || !modern, "no compiler accepts {}", $file);
                if compared == 0 {
                    eprintln!("skipped: {} needs a newer clang or llvm-dis than this machine has", $file);
                }
            }
        )*
    };
}

corpus! {
    assembly: "assembly.c";
    atomics: "atomics.c";
    control: "control.c";
    exceptions: "exceptions.cpp";
    fast_math: "fast_math.c";
    initializers: "initializers.c";
    linkage: "linkage.c";
    numbers: "numbers.c";
    pointers: "pointers.c";
    recursion: "recursion.c";
    rust_program: "program.rs";
    small_target: "32bit.c";
    structures: "structures.c";
    vectors: "vectors.c";
    wide_bits: "wide_bits.c";
    wider_bits: "wider_bits.c";
    windows_exceptions: "windows.cpp";
}
