//! What can go wrong with files of tests and with compilers, each in a sentence that names the place.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{}, line {line}, column {column}: {reason}", path.display())]
    BadText { path: PathBuf, line: usize, column: usize, reason: String },
    #[error("{}, byte {offset}: {reason}", path.display())]
    BadBytes { path: PathBuf, offset: usize, reason: String },
    #[error("{} holds no tests (.json, .ktest, .xml, .zip, or raw inputs of a fuzzer)", path.display())]
    NoTests { path: PathBuf },
    #[error("`{name}` is no format of tests; the formats are {}", crate::format::NAMES.join(", "))]
    UnknownFormat { name: String },
    #[error("cannot start {}: {source}", path.display())]
    Start { path: PathBuf, source: io::Error },
    #[error("{} does not compile natively", what)]
    Compile { what: String, output: String },
    #[error("{0}")]
    NotBuildable(String),
    #[error("{0}")]
    NoSandbox(String),
}

impl Error {
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Read { path, source }
    }

    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Write { path, source }
    }

    /// The error with the first complaint of the compiler.
    pub fn in_one_line(&self) -> String {
        let complaint = |line: &&str| line.contains("error:") || line.contains("undefined reference");
        let output = self.output().unwrap_or_default();
        match output.lines().find(complaint).or_else(|| output.lines().next()) {
            Some(line) => format!("{self}: {}", line.trim()),
            None => self.to_string(),
        }
    }

    /// The compiler's own words, to be shown as they are.
    pub fn output(&self) -> Option<&str> {
        match self {
            Error::Compile { output, .. } => Some(output),
            _ => None,
        }
    }
}
