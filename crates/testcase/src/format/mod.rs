//! The file formats of tests, one file each, and their names.

pub mod corpus;
pub mod json;
pub mod ktest;
pub mod testcomp;
pub mod unit_c;
pub mod unit_rust;
mod xml;
pub mod zip;

use crate::error::Error;

#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// Symcrete's own; always written.
    Json,
    /// KLEE's binary tests.
    Ktest,
    /// The XML of Test-Comp.
    Testcomp,
    /// Raw bytes, for fuzzers.
    Corpus,
    /// A unit test in C.
    C,
    /// A unit test in Rust.
    Rust,
}

/// The names that `Format::from_str` knows, in the order of the documentation.
pub const NAMES: &[&str] = &["json", "ktest", "testcomp", "corpus", "c", "rust"];

impl std::str::FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Format, Error> {
        Ok(match name {
            "json" => Format::Json,
            "ktest" => Format::Ktest,
            "testcomp" => Format::Testcomp,
            "corpus" => Format::Corpus,
            "c" => Format::C,
            "rust" => Format::Rust,
            _ => return Err(Error::UnknownFormat { name: name.to_owned() }),
        })
    }
}
