//! Why bitcode could not be loaded, in one sentence that says in which file and what to do.

use thiserror::Error;

use crate::decode::DecodeError;
use crate::lower::function::Failure;
use crate::lower::{Problem, Unit};
use crate::module::GlobalId;

/// Why bitcode could not be loaded.
#[derive(Debug, Error)]
pub enum Error {
    #[error("there is nothing to load: name at least one bitcode file")]
    NoInput,
    #[error("{file}: {source}")]
    Decode { file: String, source: DecodeError },
    #[error(
        "{file}: compiled for {target}; Symcrete executes x86-64 and 32-bit x86 bitcode: compile with \
         -target x86_64-linux-gnu"
    )]
    ForeignTarget { file: String, target: String },
    #[error(
        "{first} has pointers of {first_bits} bits and {second} of {second_bits}: compile all files for the same target"
    )]
    PointerWidths { first: String, first_bits: u16, second: String, second_bits: u16 },
    #[error(
        "`{symbol}` is defined in {first} and again in {second}: leave one of them out, or make one of them static"
    )]
    SymbolClash { symbol: String, first: String, second: String },
    #[error("{file}{place}: {what} is not supported")]
    Unsupported { file: String, place: Place, what: String },
    #[error("{file}{place}: the bitcode is damaged: {what}")]
    Malformed { file: String, place: Place, what: String },
    #[error("{file}: the bitcode is damaged: {source}")]
    Invalid { file: String, source: symcrete_ir::error::Error },
    #[error("{file}{place}: {what} is out of proportion to the size of the file")]
    TooLarge { file: String, place: Place, what: String },
}

/// Where in a module something is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The function or variable.
    pub symbol: Option<String>,
    /// The line in the source of that function.
    pub line: Option<u32>,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.symbol, self.line) {
            (Some(symbol), Some(line)) => write!(f, ", `{symbol}`, line {line}"),
            (Some(symbol), None) => write!(f, ", `{symbol}`"),
            (None, _) => Ok(()),
        }
    }
}

impl Error {
    pub(crate) fn in_file(file: &str, problem: Problem) -> Error {
        Error::at(file, Place::default(), problem)
    }

    pub(crate) fn in_symbol(unit: &Unit, global: GlobalId, problem: Problem) -> Error {
        Error::at(unit.name, Place { symbol: Some(symbol_name(unit, global)), line: None }, problem)
    }

    pub(crate) fn in_function(unit: &Unit, global: GlobalId, failure: Failure) -> Error {
        let place = Place { symbol: Some(symbol_name(unit, global)), line: failure.line };
        Error::at(unit.name, place, failure.problem)
    }

    fn at(file: &str, place: Place, problem: Problem) -> Error {
        let file = file.to_owned();
        match problem {
            Problem::Malformed(what) => Error::Malformed { file, place, what },
            Problem::Unsupported(what) => Error::Unsupported { file, place, what },
            Problem::TooLarge(what) => Error::TooLarge { file, place, what },
        }
    }
}

fn symbol_name(unit: &Unit, global: GlobalId) -> String {
    unit.module.globals[global].name.chars().take(200).collect()
}
