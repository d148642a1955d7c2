//! The tools that stand beside a compiler: which versions match, and what is missing.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What can count covered lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Counter {
    /// Source-based coverage of clang and rustc, with these two tools of the same version.
    Llvm { profdata: PathBuf, cov: PathBuf },
    /// Line coverage of clang by `llvm-cov gcov`.
    LlvmGcov { cov: PathBuf },
    /// Line coverage by GNU gcov, for gcc.
    Gcov { gcov: PathBuf },
    /// Nothing, and why.
    None(String),
}

/// What a compiler says it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiler {
    pub path: PathBuf,
    pub is_clang: bool,
    pub major: u32,
}

impl Compiler {
    /// `None` if it cannot be started.
    pub fn ask(path: &Path, search_path: &[PathBuf]) -> Option<Compiler> {
        let path = if path.components().count() > 1 { path.to_owned() } else { on_path(path, search_path)? };
        let text = output(&path, &["--version"])?;
        let is_clang = text.contains("clang");
        let major = match is_clang {
            true => version_after(&text, "version "),
            false => output(&path, &["-dumpversion"])?.trim().split('.').next()?.parse().ok(),
        };
        Some(Compiler { path, is_clang, major: major? })
    }
}

/// The newest version that is looked for by name.
const NEWEST: u32 = 40;

/// A compiler that can read what this version of LLVM wrote: the given one, or the oldest clang on the path that is new enough.
pub fn able_to_read(
    given: Compiler,
    written_by: u32,
    file: &Path,
    search_path: &[PathBuf],
) -> Result<Compiler, String> {
    if !given.is_clang || given.major >= written_by {
        return Ok(given);
    }
    let others = (1..=NEWEST).filter_map(|major| {
        let name = PathBuf::from(format!("clang-{major}"));
        Compiler::ask(&on_path(&name, search_path)?, search_path)
    });
    let others: Vec<Compiler> = others.filter(|other| other.is_clang).collect();
    if let Some(able) = others.iter().find(|other| other.major >= written_by) {
        return Ok(able.clone());
    }
    let mut found: Vec<u32> = others.iter().map(|other| other.major).chain([given.major]).collect();
    found.sort_unstable();
    found.dedup();
    let found: Vec<String> = found.iter().map(u32::to_string).collect();
    Err(format!(
        "{} was written by LLVM {written_by} and needs clang {written_by} or newer; found clang {}; install clang-{written_by} \
         (on Debian and Ubuntu: apt install clang-{written_by} llvm-{written_by} libclang-rt-{written_by}-dev)",
        file.display(),
        found.join(", "),
    ))
}

fn version_after(text: &str, word: &str) -> Option<u32> {
    let rest = text.split(word).nth(1)?;
    rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok()
}

pub fn output(program: &Path, arguments: &[&str]) -> Option<String> {
    let done = Command::new(program).args(arguments).output().ok()?;
    done.status.success().then(|| String::from_utf8_lossy(&done.stdout).into_owned())
}

pub fn on_path(name: &Path, search_path: &[PathBuf]) -> Option<PathBuf> {
    search_path.iter().map(|folder| folder.join(name)).find(|candidate| candidate.is_file())
}

/// A tool of LLVM of exactly this version: beside the compiler, or on the path with or without its version in the name.
pub fn llvm_tool(name: &str, compiler: &Path, major: u32, search_path: &[PathBuf]) -> Option<PathBuf> {
    let home = compiler.canonicalize().ok();
    let beside = home.as_deref().and_then(Path::parent).map(|folder| folder.join(name));
    let named = on_path(Path::new(&format!("{name}-{major}")), search_path);
    let plain = on_path(Path::new(name), search_path);
    let candidates = beside.into_iter().chain(named).chain(plain);
    candidates.filter(|path| path.is_file()).find(|path| {
        // llvm-profdata has --version only since LLVM 15; its usual place says enough then.
        let says = output(path, &["--version"]).and_then(|text| version_after(&text, "LLVM version "));
        let place = path.canonicalize().ok();
        let in_folder = place.is_some_and(|place| place.to_string_lossy().contains(&format!("llvm-{major}/")));
        says.map_or(in_folder || path.ends_with(format!("{name}-{major}")), |says| says == major)
    })
}

/// The best way to count that the machine offers for what this compiler writes.
///
/// GNU's gcov reads only what its own gcc writes, and crashes on files of clang that claim to be such. `llvm-cov gcov`
/// of any version reads those of every clang.
pub fn counter(compiler: &Compiler, search_path: &[PathBuf]) -> Counter {
    if !compiler.is_clang {
        return match on_path(Path::new("gcov"), search_path) {
            Some(gcov) => Counter::Gcov { gcov },
            None => Counter::None("gcov was not found".to_owned()),
        };
    }
    let cov = llvm_tool("llvm-cov", &compiler.path, compiler.major, search_path);
    let profdata = llvm_tool("llvm-profdata", &compiler.path, compiler.major, search_path);
    let other = || {
        let versions = (14..=22).rev().map(|version| format!("llvm-cov-{version}"));
        let mut names = ["llvm-cov".to_owned()].into_iter().chain(versions);
        names.find_map(|name| on_path(Path::new(&name), search_path))
    };
    match (cov, profdata) {
        (Some(cov), Some(profdata)) => Counter::Llvm { profdata, cov },
        (cov, _) => match cov.or_else(other) {
            Some(cov) => Counter::LlvmGcov { cov },
            None => Counter::None(missing(compiler.major)),
        },
    }
}

pub fn missing(major: u32) -> String {
    format!(
        "llvm-cov and llvm-profdata of version {major} were not found (on Debian and Ubuntu: apt install llvm-{major})"
    )
}

/// What to install, if a linker complained that a library of the compiler's own is not there: that of the counters or of
/// the sanitizers.
pub fn missing_library(output: &str, compiler: &Compiler) -> Option<String> {
    let libraries = ["clang_rt", "profiler_builtins", "gcov", "asan", "ubsan"];
    let names_one = |line: &str| libraries.iter().any(|library| line.contains(library));
    let complains =
        |line: &str| ["cannot find", "cannot open", "No such file"].iter().any(|words| line.contains(words));
    output.lines().find(|line| names_one(line) && complains(line))?;
    let major = compiler.major;
    Some(match compiler.is_clang {
        true => format!(
            "clang {major} lacks its library for counting and for sanitizers (on Debian and Ubuntu: apt install libclang-rt-{major}-dev)"
        ),
        false => format!(
            "gcc {major} lacks its library for counting and for sanitizers (on Debian and Ubuntu: apt install libgcc-{major}-dev)"
        ),
    })
}

/// The version of LLVM inside a rustc, and where its own tools would be.
pub fn rustc_llvm(rustc: &Path) -> Option<(u32, PathBuf)> {
    let text = output(rustc, &["-vV"])?;
    let major = version_after(&text, "LLVM version: ")?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "))?.to_owned();
    let root = output(rustc, &["--print", "sysroot"])?;
    Some((major, Path::new(root.trim()).join("lib/rustlib").join(host).join("bin/rustc")))
}
