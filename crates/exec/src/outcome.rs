//! Why execution paused or stopped. One table of the ways in which a path can end.

use symcrete_expr::Value;
use symcrete_ir::{EdgeId, LocId, Reg};
use symcrete_memory::Fault;

/// What `run` came back with. An explorer decides what happens next; the executor never does.
#[derive(Debug)]
pub enum Outcome {
    /// The step budget is used up; the state can go on.
    Continue,
    /// The way forward hangs on a value that is not a machine word. The explorer answers with `Executor::take`.
    Branch { condition: Value, choices: Vec<Choice> },
    /// An address or a length that is not a machine word. The explorer answers with `Executor::resolve`.
    Resolve { register: Reg, value: Value },
    /// The entry function returned these values.
    Return(Vec<Value>),
    /// The path is over.
    Ended(Ended),
}

/// One way on from a branch: the value that the condition must have, `None` for "any other", and the edge taken then.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub value: Option<u64>,
    pub edge: EdgeId,
}

/// How a path can end. What the program did, what it did wrong, and what we cannot do are told apart by `class`.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    Exited(i32),
    Aborted,
    AssertionFailed {
        expression: String,
        function: String,
    },
    Memory(Box<Fault>),
    /// Memory that was still reachable by nobody's `free` when the program ended.
    Leaked {
        allocations: usize,
        bytes: u64,
    },
    DivisionByZero,
    /// The quotient does not fit: INT_MIN / -1.
    DivisionOverflow,
    /// Signed arithmetic wrapped; only where the user asks for it.
    SignedOverflow,
    Unreachable,
    Trap,
    StackOverflow,
    /// A call through a pointer that is no function.
    BadFunctionPointer(u64),
    /// `longjmp` to a place whose function has returned, or that was never set.
    BadJump,
    OutOfMemory {
        bytes: u64,
    },
    /// Called, but defined nowhere.
    UndefinedFunction(String),
    /// What this version does not execute.
    Unsupported(String),
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Class {
    /// The program came to its own end.
    Normal,
    /// A bug in the program under test.
    Finding,
    /// A limit of Symcrete.
    Limit,
}

impl Ended {
    pub fn class(&self) -> Class {
        match self {
            Ended::Exited(_) => Class::Normal,
            Ended::UndefinedFunction(_) | Ended::Unsupported(_) | Ended::OutOfMemory { .. } => Class::Limit,
            _ => Class::Finding,
        }
    }

    /// A short name for tables and JSON.
    pub fn name(&self) -> &'static str {
        use symcrete_memory::FaultKind;
        match self {
            Ended::Exited(_) => "exit",
            Ended::Aborted => "abort",
            Ended::AssertionFailed { .. } => "assertion-failed",
            Ended::Memory(fault) => match fault.kind {
                FaultKind::NullDereference => "null-dereference",
                FaultKind::OutOfBounds => "out-of-bounds",
                FaultKind::UseAfterFree => "use-after-free",
                FaultKind::UseAfterReturn => "use-after-return",
                FaultKind::WriteToReadOnly => "write-to-read-only",
                FaultKind::DoubleFree => "double-free",
                FaultKind::InvalidFree { .. } => "invalid-free",
                FaultKind::ReallocMisuse { .. } => "realloc-misuse",
                FaultKind::Wild => "wild-pointer",
            },
            Ended::Leaked { .. } => "leak",
            Ended::DivisionByZero => "division-by-zero",
            Ended::DivisionOverflow => "division-overflow",
            Ended::SignedOverflow => "signed-overflow",
            Ended::Unreachable => "unreachable",
            Ended::Trap => "trap",
            Ended::StackOverflow => "stack-overflow",
            Ended::BadFunctionPointer(_) => "bad-function-pointer",
            Ended::BadJump => "bad-longjmp",
            Ended::OutOfMemory { .. } => "out-of-memory",
            Ended::UndefinedFunction(_) => "undefined-function",
            Ended::Unsupported(_) => "unsupported",
        }
    }
}

/// A function on the call stack, innermost first: its name and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct StackEntry {
    pub function: String,
    pub loc: LocId,
    /// Inside Symcrete's C runtime.
    pub runtime: bool,
}
