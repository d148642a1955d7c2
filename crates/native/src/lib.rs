//! Native functions of which only machine code is there, called in a process of their own: a crash or an endless loop
//! there is an answer like any other. `Helper` is the caller's side, `serve` the process; what they say to each other
//! is in `protocol`. Knows nothing of programs and expressions: functions take and give numbers.

mod foreign;
mod helper;
mod protocol;
mod serve;

pub use helper::{Answer, Command, Error, Failure, FunctionNumber, Helper};
pub use serve::serve;

/// The type of a number that a function takes or gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// An integer of up to 64 bits. Narrow ones are extended to a register as the caller must.
    Integer { bits: u8, signed: bool },
    /// `float`.
    Single,
    /// `double`.
    Double,
    /// x87 `long double`, 80 bits.
    X87,
}

impl Kind {
    pub fn bits(self) -> u32 {
        match self {
            Kind::Integer { bits, .. } => u32::from(bits),
            Kind::Single => 32,
            Kind::Double => 64,
            Kind::X87 => 80,
        }
    }
}

/// Types of parameters and result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    pub parameters: Vec<Kind>,
    /// `None` for `void`.
    pub result: Option<Kind>,
}

/// What a call can pass: as many as there are registers, and a few long doubles on the stack.
pub const MOST_INTEGERS: usize = 6;
pub const MOST_FLOATS: usize = 8;
pub const MOST_LONG_DOUBLES: usize = 4;

impl Signature {
    /// Why a function of this signature cannot be called, if it cannot.
    pub fn trouble(&self) -> Option<String> {
        let count = |wanted: fn(&Kind) -> bool| self.parameters.iter().filter(|kind| wanted(kind)).count();
        let kinds = [
            (count(|kind| matches!(kind, Kind::Integer { .. })), MOST_INTEGERS, "integers"),
            (count(|kind| matches!(kind, Kind::Single | Kind::Double)), MOST_FLOATS, "floats"),
            (count(|kind| *kind == Kind::X87), MOST_LONG_DOUBLES, "long doubles"),
        ];
        let many = kinds.into_iter().find(|(count, most, _)| count > most);
        many.map(|(count, most, what)| format!("it takes {count} {what}, and at most {most} can be passed"))
    }
}
