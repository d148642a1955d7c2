//! Finding and running compilers and disassemblers. Those that are missing are left out.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A file of the corpus. Comments in it may say `flags:` (for the compiler) and `since:` (a version).
pub struct Source {
    path: PathBuf,
    name: String,
    language: Language,
    flags: Vec<String>,
    since: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    C,
    Cpp,
    Rust,
}

impl Source {
    pub fn open(name: &str) -> Source {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        let setting = |key: &str| {
            let line = text.lines().take(5).find_map(|line| line.split_once(key))?;
            Some(line.1.trim_end_matches("*/").split_whitespace().map(str::to_string).collect::<Vec<_>>())
        };
        let language = match path.extension().and_then(|extension| extension.to_str()) {
            Some("c") => Language::C,
            Some("cpp") => Language::Cpp,
            _ => Language::Rust,
        };
        let since = setting("since:").and_then(|words| words.first()?.parse().ok()).unwrap_or(0);
        Source { path, name: name.to_string(), language, flags: setting("flags:").unwrap_or_default(), since }
    }
}

/// A compiler with a disassembler that reads what it writes.
pub struct Compiler {
    program: String,
    disassembler: String,
    /// Of the LLVM in it.
    version: u32,
    rust: bool,
}

/// All compilers of the machine: clang in every version, and rustc.
pub fn compilers() -> &'static [Compiler] {
    static COMPILERS: OnceLock<Vec<Compiler>> = OnceLock::new();
    COMPILERS.get_or_init(find_compilers)
}

fn find_compilers() -> Vec<Compiler> {
    const NEWEST: u32 = 30;
    let names = |program: &str| {
        let versioned = (14..=NEWEST).map(|version| format!("{program}-{version}"));
        [program.to_string()].into_iter().chain(versioned).collect::<Vec<_>>()
    };
    let disassemblers: Vec<(u32, String)> =
        names("llvm-dis").into_iter().filter_map(|name| Some((llvm_version(&name)?, name))).collect();
    // One of the same version changes nothing; a newer one may upgrade old constructs.
    let disassembler = |version: u32| {
        let fitting = disassemblers.iter().filter(|(other, _)| *other >= version).min();
        fitting.map(|(_, name)| name.clone())
    };
    let mut found: Vec<Compiler> = Vec::new();
    for program in names("clang") {
        let Some(version) = llvm_version(&program).filter(|version| *version >= 14) else { continue };
        let Some(disassembler) = disassembler(version) else { continue };
        if !found.iter().any(|other| other.version == version) {
            found.push(Compiler { program, disassembler, version, rust: false });
        }
    }
    if let Some(version) = rust_llvm_version()
        && let Some(disassembler) = disassembler(version)
    {
        found.push(Compiler { program: "rustc".to_string(), disassembler, version, rust: true });
    }
    found
}

fn output_of(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The number after the word `version`.
fn llvm_version(program: &str) -> Option<u32> {
    let text = output_of(Command::new(program).arg("--version"))?;
    let (_, rest) = text.split_once("version ")?;
    rest.split('.').next()?.trim().parse().ok()
}

fn rust_llvm_version() -> Option<u32> {
    let text = output_of(Command::new("rustc").arg("-vV"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("LLVM version: "))?;
    line.split('.').next()?.parse().ok()
}

impl Compiler {
    pub fn accepts(&self, source: &Source) -> bool {
        self.version >= source.since && self.rust == (source.language == Language::Rust)
    }

    #[allow(dead_code, reason = "only one of the tests that share this file needs it")]
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Compiles with debug information and returns the file with bitcode. Tests that run at the same time must use
    /// different words for `user`, so as not to write the same files.
    pub fn compile_apart(&self, source: &Source, level: u32, user: &str) -> PathBuf {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let thread = std::thread::current();
        let user = format!("{user}.{}", thread.name().unwrap_or("main"));
        let bitcode = directory.join(format!("{}.{}.O{level}.{user}.bc", source.name, self.program));
        let mut command = match source.language {
            Language::Cpp => Command::new(self.program.replace("clang", "clang++")),
            _ => Command::new(&self.program),
        };
        if self.rust {
            command.args(["--edition=2021", "--emit=llvm-bc", "-g", "-C"]).arg(format!("opt-level={level}"));
        } else {
            command.args(["-c", "-emit-llvm", "-g", "-w"]).arg(format!("-O{level}"));
        }
        command.args(&source.flags).arg(&source.path).arg("-o").arg(&bitcode);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{command:?}:\n{}", String::from_utf8_lossy(&output.stderr));
        bitcode
    }

    #[allow(dead_code, reason = "only one of the tests that share this file needs it")]
    pub fn disassemble(&self, bitcode: &Path) -> String {
        output_of(Command::new(&self.disassembler).arg(bitcode).args(["-o", "-"])).unwrap()
    }
}
