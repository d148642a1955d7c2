//! What can go wrong before a program runs: each with what to do about it.

use std::io;
use std::path::PathBuf;

use symcrete_explore::strategy::{Row, STRATEGIES, UnknownStrategy};

use crate::{compile, suggest};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} is neither a source file nor bitcode; give .c, .cpp, .rs, .ll or .bc files, or a directory with a compile_commands.json", path.display())]
    UnknownKind { path: PathBuf },
    #[error(
        "no clang was found, which compiles sources and, once, Symcrete's C runtime; install it (on Debian and Ubuntu: apt \
         install clang) or name one with --clang"
    )]
    NoClang,
    #[error("cannot start {}: {source}; install it, or name another with --clang", path.display())]
    Start { path: PathBuf, source: io::Error },
    #[error("{} does not compile", path.display())]
    Compile { path: PathBuf, output: String },
    #[error("Symcrete's C runtime does not compile with {}; its headers may be missing (on Debian and Ubuntu: apt install libc6-dev)", clang.display())]
    Runtime { clang: PathBuf, output: String },
    #[error("the program is compiled for 32-bit x86, and Symcrete's C runtime does not compile for it with {}; the 32-bit headers may be missing (on Debian and Ubuntu: apt install gcc-multilib)", clang.display())]
    RuntimeOf32Bits { clang: PathBuf, output: String },
    #[error("cannot write to {}: {source}; choose another directory with --out", path.display())]
    OutputDirectory { path: PathBuf, source: io::Error },
    #[error("another run is writing to {}; wait for it, or choose another directory with --out", path.display())]
    OutputInUse { path: PathBuf },
    #[error("{} has no compile_commands.json; make one with `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON` or `bear -- make`", path.display())]
    NoCompilationDatabase { path: PathBuf },
    #[error("{}: {reason}", path.display())]
    BadCompilationDatabase { path: PathBuf, reason: String },
    #[error(transparent)]
    Load(#[from] symcrete_frontend::Error),
    #[error(transparent)]
    Image(#[from] symcrete_exec::LoadError),
    #[error("the program has no `main`; add the file that defines it")]
    NoMain,
    #[error(
        "the program has no `main`; add the file that defines it, or name a function to call with --entry: {known}"
    )]
    NoEntry { known: String },
    #[error("the program has no function `{name}`; it has: {known}")]
    UnknownFunction { name: String, known: String, nearest: Option<String> },
    /// Another name that is not known, in a sentence.
    #[error("{sentence}")]
    UnknownName { sentence: String, nearest: Option<String> },
    #[error("several functions are called `{name}`; name one of {known}")]
    SeveralFunctions { name: String, known: String },
    #[error("{}", strategy_words(.0))]
    UnknownStrategy(#[from] UnknownStrategy),
    #[error(transparent)]
    Test(#[from] symcrete_testcase::Error),
    #[error(
        "no program is named; give .c, .cpp, .rs, .ll or .bc files, or a directory with a compile_commands.json (`symcrete cover --help` \
         tells more)"
    )]
    NoProgram,
    #[error("{0}")]
    Usage(String),
    #[error("the directory for written files, {}, cannot be made: {source}", path.display())]
    Scratch { path: PathBuf, source: io::Error },
    #[error("the standard streams cannot be used: {source}")]
    Streams { source: io::Error },
    #[error("internal error: {0}; please report it with the program")]
    Internal(String),
}

impl Error {
    pub fn status(&self) -> u8 {
        match self {
            Error::Internal(_) => 101,
            _ => 2,
        }
    }

    /// What to try instead, if that can be guessed.
    pub fn hint(&self) -> Option<String> {
        use symcrete_testcase::Error as TestError;
        let nearest = match self {
            Error::UnknownFunction { nearest, .. } | Error::UnknownName { nearest, .. } => nearest.clone(),
            Error::UnknownStrategy(UnknownStrategy::Name { nearest, .. }) => nearest.map(str::to_owned),
            Error::Read { path, source } | Error::Test(TestError::Read { path, source })
                if source.kind() == io::ErrorKind::NotFound =>
            {
                suggest::file(path).map(|path| path.display().to_string())
            }
            Error::Start { path, source } if source.kind() == io::ErrorKind::NotFound => {
                suggest::program(path, &compile::search_path())
            }
            _ => None,
        };
        nearest.map(|name| format!("did you mean `{name}`?"))
    }

    /// The compiler's own words, to be shown as they are.
    pub fn output(&self) -> Option<&str> {
        match self {
            Error::Compile { output, .. } | Error::Runtime { output, .. } | Error::RuntimeOf32Bits { output, .. } => {
                Some(output)
            }
            Error::Test(error) => error.output(),
            _ => None,
        }
    }
}

/// The sentence of an unknown strategy; what it resembles is the hint.
fn strategy_words(unknown: &UnknownStrategy) -> String {
    match unknown {
        UnknownStrategy::Name { given, .. } => {
            let names = STRATEGIES.iter().map(Row::usage).collect::<Vec<_>>().join(", ");
            format!("there is no search strategy `{given}`; there are {names}")
        }
        other => other.to_string(),
    }
}
