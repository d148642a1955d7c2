//! What is to be built natively, as data. How is in `compile.rs`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use symcrete_sandbox::Policy;

use crate::test::{EntryKind, Origin, TestCase};

/// A program to replay tests on.
#[derive(Clone, Debug)]
pub struct Build {
    /// The clang (or gcc) that compiles sources, bitcode and the driver.
    pub clang: PathBuf,
    /// For `.rs` files.
    pub rustc: PathBuf,
    pub sources: Vec<Source>,
    /// More words for the linker: `-lz`, objects.
    pub link_flags: Vec<OsString>,
    pub entry: Entry,
    /// `argv[0]` of the program.
    pub name: String,
    /// Directories to look for tools in, and the program's `PATH`.
    pub search_path: Vec<PathBuf>,
    /// The environment of the program, beside `PATH`.
    pub environment: Vec<(OsString, OsString)>,
    pub coverage: bool,
    /// Count lines of the machine code, as `gcov` does, in place of regions of the source: closing braces have code of their own there.
    pub by_line: bool,
    pub limits: Limits,
    /// Where temporary files go; the system's place if absent.
    pub scratch: Option<PathBuf>,
    /// What the program runs in. Without one nothing is run, for the reason that stands there.
    pub sandbox: Result<Policy, String>,
    /// What the program needs to read beside itself, wherever it lies: shared objects that it was linked with.
    pub shared: Vec<PathBuf>,
    /// Set from outside to end replay early: the runs under way are killed, and no others are begun.
    pub stop: Arc<AtomicBool>,
}

/// A file of the program: C, C++, Rust, bitcode or LLVM's text.
#[derive(Clone, Debug)]
pub struct Source {
    pub path: PathBuf,
    pub flags: Vec<OsString>,
    /// Where the compiler is started, for flags with relative paths.
    pub directory: Option<PathBuf>,
    /// For bitcode and LLVM's text: the version of LLVM that wrote it, which older compilers cannot read.
    pub llvm: Option<u32>,
}

impl Source {
    pub fn new(path: impl Into<PathBuf>) -> Source {
        Source { path: path.into(), flags: Vec::new(), directory: None, llvm: None }
    }

    pub(super) fn language(&self) -> Language {
        match self.path.extension().and_then(|extension| extension.to_str()).unwrap_or("") {
            "c" | "i" => Language::C,
            "cc" | "cpp" | "cxx" | "C" | "c++" | "ii" => Language::Cpp,
            "rs" => Language::Rust,
            _ => Language::Bitcode,
        }
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Language {
    C,
    Cpp,
    Rust,
    /// `.bc`, `.ll` and objects: what the compiler takes without knowing the source.
    Bitcode,
}

/// What tests call.
#[derive(Clone, Debug)]
pub enum Entry {
    /// The program's `main`.
    Program,
    /// Functions with parameters, and global variables that tests set.
    Functions { functions: Vec<Function>, globals: Vec<Parameter> },
    /// `LLVMFuzzerTestOneInput`.
    Fuzzer,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<Parameter>,
    /// The type of its result, where known. Only functions of bitcode need it.
    pub result: Option<String>,
    /// The source that defines it. It may be left out where there is only one source.
    pub source: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    /// As C writes it.
    pub of_type: String,
}

/// What one test may use.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    pub time: Duration,
    pub memory_bytes: u64,
    pub stack_bytes: u64,
    pub file_bytes: u64,
    /// How much of standard output and standard error is kept.
    pub output_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            time: Duration::from_secs(10),
            memory_bytes: 4 << 30,
            stack_bytes: 8 << 20,
            file_bytes: 256 << 20,
            output_bytes: 64 << 10,
        }
    }
}

impl Build {
    /// A whole program of these sources, with tools looked for in the usual places.
    pub fn new(clang: impl Into<PathBuf>, sources: Vec<Source>) -> Build {
        Build {
            clang: clang.into(),
            rustc: "rustc".into(),
            sources,
            link_flags: Vec::new(),
            entry: Entry::Program,
            name: "program".to_owned(),
            search_path: ["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from).to_vec(),
            environment: Vec::new(),
            coverage: true,
            by_line: false,
            limits: Limits::default(),
            scratch: None,
            sandbox: Err("no sandbox was chosen".to_owned()),
            shared: Vec::new(),
            stop: Arc::default(),
        }
    }

    pub(super) fn has(&self, language: Language) -> bool {
        self.sources.iter().any(|source| source.language() == language)
    }
}

impl Entry {
    /// What a set of tests calls, by their own words.
    pub fn of_tests<'a>(tests: impl IntoIterator<Item = &'a TestCase>) -> Entry {
        let mut functions: Vec<Function> = Vec::new();
        let mut globals: Vec<Parameter> = Vec::new();
        for test in tests {
            match test.kind {
                EntryKind::Program => return Entry::Program,
                EntryKind::Fuzzer => return Entry::Fuzzer,
                EntryKind::Function => {}
            }
            for call in test.all_calls() {
                let parameters = call.inputs.iter().map(|input| Parameter::new(&input.name, &input.of_type)).collect();
                if !functions.iter().any(|function| function.name == call.function) {
                    functions.push(Function { name: call.function, parameters, result: None, source: None });
                }
            }
            for global in test.inputs_from(Origin::Global) {
                if !globals.iter().any(|known| known.name == global.name) {
                    globals.push(Parameter::new(&global.name, &global.of_type));
                }
            }
        }
        if functions.is_empty() { Entry::Program } else { Entry::Functions { functions, globals } }
    }

    /// One function without globals.
    pub fn function(name: &str, parameters: &[(&str, &str)]) -> Entry {
        let parameters = parameters.iter().map(|(name, of_type)| Parameter::new(name, of_type)).collect();
        let function = Function { name: name.to_owned(), parameters, result: None, source: None };
        Entry::Functions { functions: vec![function], globals: Vec::new() }
    }
}

impl Parameter {
    pub fn new(name: &str, of_type: &str) -> Parameter {
        Parameter { name: name.to_owned(), of_type: of_type.to_owned() }
    }
}
