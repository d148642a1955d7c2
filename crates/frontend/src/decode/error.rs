//! What can be wrong with a bitcode file, and where.

use thiserror::Error;

use crate::bitstream::Place;

use super::names;

/// Why a file could not be decoded.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// It is something else.
    #[error("not LLVM bitcode: {0}")]
    NotBitcode(&'static str),
    /// It is damaged, or has something that is not supported.
    #[error("bitcode at byte {offset:#x}, {record}: {problem}")]
    Record {
        /// Block and record by name, e.g. `Function block, record Call`.
        record: String,
        /// Where the record begins, in bytes from the start of the file.
        offset: usize,
        /// What is wrong with it.
        problem: Problem,
    },
}

impl DecodeError {
    /// The problem, found at a place of a stream that begins at byte `base` of the file.
    pub(crate) fn at(place: Place, base: usize, problem: Problem) -> Self {
        DecodeError::Record { record: names::describe(place), offset: base + place.bit / 8, problem }
    }
}

/// What is wrong with a record or block.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Problem {
    /// The bits of the block or file are used up.
    #[error("the data ends too early")]
    Truncated,
    /// A variable-width number is wider than any field.
    #[error("a number does not fit into 64 bits")]
    NumberTooWide,
    /// The record is too short.
    #[error("an operand is missing")]
    MissingOperand,
    /// A reference leads nowhere.
    #[error("there is no {what} {index}")]
    NoSuch {
        /// What should be there.
        what: &'static str,
        /// Its number in the file.
        index: u64,
    },
    /// A record code that is not known and cannot be ignored.
    #[error("unknown record code {0}")]
    UnknownRecord(u32),
    /// Something contradicts the rules of the format or of LLVM.
    #[error("found {0}")]
    Invalid(&'static str),
    /// Something that is legal but not supported.
    #[error("not supported: {0}")]
    Unsupported(&'static str),
}
