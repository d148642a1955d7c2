//! From what the user named to bitcode: clang for sources, bitcode as it is, compilation databases.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use symcrete_testcase::Source;

use crate::args::CompilerArgs;
use crate::args::program::ClangArgs;
use crate::error::Error;
use crate::runtime;

/// A file of bitcode in memory.
pub struct Bitcode {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Compiled faithfully: every branch and line of the source survives.
const FAITHFUL: &[&str] = &["-O0", "-g", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names"];

/// All the bitcode of a program.
pub fn bitcode(program: &[PathBuf], args: &CompilerArgs) -> Result<Vec<Bitcode>, Error> {
    sources(program, args)?.iter().map(|source| compile(source, args)).collect()
}

/// The files of a program, each with the flags that it is compiled with: those of the user or of a compilation database, and not ours.
pub fn sources(program: &[PathBuf], args: &CompilerArgs) -> Result<Vec<Source>, Error> {
    let mut all = Vec::new();
    for path in program {
        if path.is_dir() {
            database_sources(path, args, &mut all)?;
            continue;
        }
        let mut source = Source { llvm: written_by(path), ..Source::new(path) };
        if is_rust(path) {
            source.flags.push("--edition=2021".into());
            all.push(source);
            continue;
        }
        for folder in &args.includes {
            source.flags.extend([OsString::from("-I"), folder.into()]);
        }
        source.flags.extend(args.defines.iter().map(|define| format!("-D{define}").into()));
        source.flags.extend(args.flags.iter().map(OsString::from));
        all.push(source);
    }
    Ok(all)
}

/// The version of LLVM that wrote bitcode or LLVM's text, where it says so.
fn written_by(path: &Path) -> Option<u32> {
    let number = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok();
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    match extension {
        "c" | "i" | "cc" | "cpp" | "cxx" | "C" | "rs" => None,
        "ll" => {
            let text = String::from_utf8_lossy(&fs::read(path).ok()?).into_owned();
            let idents = text.lines().filter(|line| line.starts_with('!') && line.contains("= !{!\""));
            idents.filter_map(|line| number(line.split("clang version ").nth(1)?)).max()
        }
        _ => number(symcrete_frontend::decode::producer(&fs::read(path).ok()?)?.strip_prefix("LLVM")?),
    }
}

fn compile(source: &Source, args: &CompilerArgs) -> Result<Bitcode, Error> {
    let extension = source.path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    match extension {
        "c" | "i" | "cc" | "cpp" | "cxx" | "C" | "ll" => compile_source(source, args),
        "rs" => compile_rust(source),
        _ => read(&source.path),
    }
}

fn read(path: &Path) -> Result<Bitcode, Error> {
    let bytes = fs::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
    let known = path.extension().is_some_and(|extension| extension == "bc" || extension == "o");
    if !known && !bytes.starts_with(b"BC\xC0\xDE") && !bytes.starts_with(&[0xDE, 0xC0, 0x17, 0x0B]) {
        return Err(Error::UnknownKind { path: path.to_owned() });
    }
    Ok(Bitcode { name: path.display().to_string(), bytes })
}

fn compile_source(source: &Source, args: &CompilerArgs) -> Result<Bitcode, Error> {
    readable(&source.path)?;
    let mut flags: Vec<OsString> = source.flags.clone();
    flags.splice(0..0, FAITHFUL.iter().map(OsString::from));
    flags.extend([OsString::from("-I"), runtime::headers()?.into()]);
    let mut clang = find_clang(&args.clang)?;
    if let Some(version) = source.llvm {
        clang = symcrete_testcase::replay::clang_for(&clang, version, &source.path, &search_path())?;
    }
    let bytes = run_compiler(&clang, &flags, &source.path, source.directory.as_deref())?;
    Ok(Bitcode { name: source.path.display().to_string(), bytes })
}

/// Says at once what the compiler would say in its own way.
fn readable(path: &Path) -> Result<(), Error> {
    fs::metadata(path).map(drop).map_err(|source| Error::Read { path: path.to_owned(), source })
}

/// Compiles one file to bitcode and returns it.
pub fn run_compiler(clang: &Path, flags: &[OsString], path: &Path, folder: Option<&Path>) -> Result<Vec<u8>, Error> {
    let out = temporary()?;
    let mut command = Command::new(clang);
    command.args(flags).args(["-emit-llvm", "-c", "-o"]).arg(out.path()).arg(path);
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    let done = command.output().map_err(|source| Error::Start { path: clang.to_owned(), source })?;
    if !done.status.success() {
        let output = String::from_utf8_lossy(&done.stderr).into_owned();
        return Err(Error::Compile { path: path.to_owned(), output });
    }
    fs::read(out.path()).map_err(|source| Error::Read { path: out.path().to_owned(), source })
}

fn temporary() -> Result<tempfile::NamedTempFile, Error> {
    let made = tempfile::Builder::new().prefix("symcrete-").suffix(".bc").tempfile();
    made.map_err(|source| Error::Write { path: std::env::temp_dir(), source })
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

fn compile_rust(source: &Source) -> Result<Bitcode, Error> {
    let path = &source.path;
    readable(path)?;
    let out = temporary()?;
    let text = fs::read_to_string(path).unwrap_or_default();
    // A file without a `main` is a library, of which a function is called.
    let kind = if text.contains("fn main(") { "--crate-type=bin" } else { "--crate-type=lib" };
    let mut command = Command::new("rustc");
    command.args(&source.flags);
    command.args(["--emit=llvm-bc", "-g", "-C", "panic=abort", "-C", "codegen-units=1", kind, "-o"]);
    let done = command.arg(out.path()).arg(path).output();
    let done = done.map_err(|source| Error::Start { path: "rustc".into(), source })?;
    if !done.status.success() {
        let output = String::from_utf8_lossy(&done.stderr).into_owned();
        return Err(Error::Compile { path: path.to_owned(), output });
    }
    let bytes = fs::read(out.path()).map_err(|source| Error::Read { path: out.path().to_owned(), source })?;
    Ok(Bitcode { name: path.display().to_string(), bytes })
}

/// The clang that the user named, or the first one on the path.
pub fn find_clang(args: &ClangArgs) -> Result<PathBuf, Error> {
    match &args.clang {
        Some(named) if named.components().count() > 1 || named.is_absolute() => Ok(named.clone()),
        Some(named) => on_path(named).ok_or_else(|| {
            let source = std::io::Error::new(std::io::ErrorKind::NotFound, "no program on the path has this name");
            Error::Start { path: named.clone(), source }
        }),
        None => {
            let versions = (14..=22).rev().map(|version| PathBuf::from(format!("clang-{version}")));
            let mut names = [PathBuf::from("clang")].into_iter().chain(versions);
            names.find_map(|name| on_path(&name)).ok_or(Error::NoClang)
        }
    }
}

pub fn search_path() -> Vec<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect()
}

fn on_path(name: &Path) -> Option<PathBuf> {
    search_path().into_iter().map(|folder| folder.join(name)).find(|candidate| candidate.is_file())
}

/// The files of a compilation database, with their own flags but for those of optimisation and output.
fn database_sources(folder: &Path, args: &CompilerArgs, all: &mut Vec<Source>) -> Result<(), Error> {
    let path = folder.join("compile_commands.json");
    let text = fs::read(&path).map_err(|_| Error::NoCompilationDatabase { path: folder.to_owned() })?;
    let bad = |reason: &str| Error::BadCompilationDatabase { path: path.clone(), reason: reason.to_owned() };
    let database: serde_json::Value = serde_json::from_slice(&text).map_err(|error| bad(&error.to_string()))?;
    let entries = database.as_array().ok_or_else(|| bad("it is not a list of commands"))?;
    for entry in entries {
        let file = entry["file"].as_str().ok_or_else(|| bad("an entry names no file"))?;
        let words = command_words(entry).ok_or_else(|| bad("an entry has no command"))?;
        let directory = folder.join(entry["directory"].as_str().unwrap_or("."));
        let mut flags: Vec<OsString> = kept_flags(&words, file).into_iter().map(OsString::from).collect();
        flags.extend(args.flags.iter().map(OsString::from));
        all.push(Source { flags, directory: Some(directory.clone()), ..Source::new(directory.join(file)) });
    }
    Ok(())
}

fn command_words(entry: &serde_json::Value) -> Option<Vec<String>> {
    if let Some(arguments) = entry["arguments"].as_array() {
        return arguments.iter().map(|word| word.as_str().map(str::to_owned)).collect();
    }
    entry["command"].as_str().map(split_command)
}

/// Splits a shell command into words: white space, quotes and backslashes.
fn split_command(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut inside = false;
    let mut quote = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\\', None | Some('"')) => {
                inside = true;
                word.extend(characters.next());
            }
            (mark, Some(open)) if mark == open => quote = None,
            (mark @ ('"' | '\''), None) => {
                inside = true;
                quote = Some(mark);
            }
            (space, None) if space.is_whitespace() => {
                if inside || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                inside = false;
            }
            (other, _) => word.push(other),
        }
    }
    if inside || !word.is_empty() {
        words.push(word);
    }
    words
}

/// The flags of a compile command that matter for the meaning of the source.
fn kept_flags(words: &[String], file: &str) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        let skip_next = matches!(word.as_str(), "-o" | "-MF" | "-MT" | "-MQ");
        if skip_next {
            words.next();
        } else if !(word == file
            || word == "-c"
            || word.starts_with("-O")
            || word.starts_with("-M")
            || word.starts_with("-o"))
        {
            kept.push(word.clone());
        }
    }
    kept
}
