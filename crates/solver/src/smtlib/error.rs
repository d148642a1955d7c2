//! What can be wrong with a script, and where.

use std::fmt;

/// Counted from 1, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

impl Place {
    /// The place of a byte.
    pub(super) fn of(text: &str, offset: usize) -> Place {
        let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
        Place { line, column }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct Error {
    pub place: Place,
    pub problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("this parenthesis is never closed")]
    Unclosed,
    #[error("there is nothing open that this parenthesis could close")]
    NothingOpen,
    #[error("this {0} has no end")]
    Endless(&'static str),
    #[error("the character {0:?} means nothing here")]
    Character(char),
    #[error("a command is a list that begins with its name")]
    NotACommand,
    #[error("{0} is expected here")]
    Expected(&'static str),
    #[error("`{0}` is not a command of SMT-LIB, or not one that is supported")]
    UnknownCommand(String),
    #[error("`{0}` is not declared")]
    UnknownSymbol(String),
    #[error("`{0}` is declared already")]
    Redeclared(String),
    #[error(
        "`{0}` is not a sort that is supported (there are Bool, BitVec, FloatingPoint, RoundingMode, and Array of vectors)"
    )]
    UnknownSort(String),
    #[error(
        "floats of {exponent} exponent and {significand} significand bits are not supported (5 11, 8 8, 8 24, 11 53, 15 64 and 15 113 are)"
    )]
    FloatFormat { exponent: u64, significand: u64 },
    #[error("a width of {0} bits is not supported (1 to {most} are)", most = super::term::MOST_BITS)]
    Width(u64),
    #[error("`{name}` cannot be applied to {given}")]
    Arguments { name: String, given: String },
    #[error("`{name}` cannot have these indices")]
    Indices { name: String },
    #[error("the number does not fit into {0} bits")]
    DoesNotFit(u32),
    #[error("a number this long is not supported")]
    LongNumber,
    #[error("this is of sort {found}, where {expected} is expected")]
    WrongSort { expected: String, found: String },
    #[error("{0} are not supported")]
    Unsupported(&'static str),
    #[error(
        "`{0}` is declared without a body, and no function of that name is known; `:pure \"sin\"` at the end says that it is `sin`"
    )]
    WithoutBody(String),
    #[error("no function `{0}` is known")]
    UnknownFunction(String),
    #[error("the function `{name}` {right}, which is not what is declared here")]
    FunctionSorts { name: String, right: String },
    #[error("functions that are declared without a body take and give vectors and floats, not {0}")]
    FunctionOf(String),
    #[error("the script asks for more than can be built")]
    TooLarge,
    #[error("there are only {0} levels to pop")]
    Levels(usize),
    #[error("there is no model; the last check-sat must have answered sat")]
    NoModel,
    #[error("a term of sort {0} has no value that can be printed")]
    NoValue(String),
}
