//! Why execution paused or stopped. One table of the ways in which a path can end.

use std::time::Duration;

use smallvec::SmallVec;
use symcrete_expr::{Expr, Value};
use symcrete_ir::{EdgeId, FuncId, LocId, Reg};
use symcrete_memory::{Access, AllocationId, Fault, Site};

use crate::opaque::Failure;
use crate::undefined::Undefined;

/// What `run` came back with. An explorer decides what happens next; the executor never does.
#[derive(Debug)]
pub enum Outcome {
    /// The step budget is used up; the state can go on.
    Continue,
    /// The way forward depends on bits that nobody wrote. The explorer answers with `Executor::take`.
    Branch { condition: Value, choices: Vec<Choice> },
    /// An address or a length with bits that nobody wrote. The explorer answers with `Executor::resolve`.
    Resolve { register: Reg, value: Value },
    /// The way forward depends on inputs. The explorer answers with `Executor::proceed`, once for each state that goes on.
    Fork(Fork),
    /// The same, but a value that the expression can have is needed to say what the ways are. The explorer proposes one with
    /// `Executor::propose`, which gives the fork.
    Ask(Question),
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

/// The ways on from a place where inputs decide. Exactly one condition holds for any input; of the answer to a question
/// that leaves something out, at most one.
#[derive(Clone, Debug)]
pub struct Fork {
    pub alternatives: SmallVec<[Alternative; 2]>,
}

#[derive(Clone, Debug)]
pub struct Alternative {
    /// One bit.
    pub condition: Expr,
    pub then: Then,
}

/// What happens on one way on.
#[derive(Clone, Debug)]
pub enum Then {
    /// A branch takes this edge.
    Edge(EdgeId),
    /// The instruction is executed again, with this knowledge.
    Know(Fact),
    /// The register holds this word from now on, and the instruction is executed again.
    Word {
        register: Reg,
        bits: u64,
    },
    /// The byte at this address holds these bits from now on, and the instruction is executed again.
    Byte {
        address: u64,
        bits: u8,
    },
    End(Box<Ended>),
    /// An access that misses its object ends the path; by how much depends on the address. Inputs that satisfy `near` are better than others: they miss the object by a few
    /// bytes only, which every checker of memory notices.
    Fault {
        fault: Box<Fault>,
        address: Expr,
        near: Expr,
    },
}

/// What an instruction that is executed again may rely on.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// What was proposed does not hold.
    Otherwise,
    Holds(Expr),
    /// An access at this address stays inside the allocation.
    Within {
        address: Expr,
        allocation: AllocationId,
    },
    /// The arguments of the call are to be fixed.
    Concretise,
    /// The function that is called is not pure, whatever the user says.
    NotPure,
    /// Half an argument of the call has this value.
    Argument {
        number: u32,
        bits: u64,
    },
    /// The next word of what a native call gave.
    Native(u64),
}

/// A value that an instruction cannot do without.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub value: Expr,
    pub purpose: Purpose,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Purpose {
    /// This register must become a word.
    Word(Reg),
    /// The byte at this address must become concrete.
    Byte(u64),
    /// An access to so many bytes. `object` is an address in what the program made the address from, where it says so; an access
    /// elsewhere is then a mistake. The address stands in the register, if there is one.
    Address { bytes: u64, write: bool, object: Option<u64>, register: Option<Reg> },
    /// A call through a pointer, which stands in this register.
    Function(Reg),
    /// A computed goto to the label in this register.
    Label(Reg),
    /// Memory is given back whose address stands in this register.
    Freed { register: Reg, access: Access },
    /// Whether a call of a pure function with these arguments returns; 0 if it does.
    Status { function: FuncId, arguments: SmallVec<[Expr; 4]> },
    /// Half an argument of a call must become a word. Other values are not followed.
    Argument(u32),
    /// A word of what a function that is not pure gives for these arguments; the first one is its status.
    Native { function: FuncId, arguments: SmallVec<[u128; 4]>, word: u32 },
}

impl Question {
    /// Whether it is what a native function gives: no inputs decide that.
    pub fn is_native(&self) -> bool {
        matches!(self.purpose, Purpose::Native { .. })
    }

    /// Whether the ways on that an answer leads to are not all that there are.
    pub fn leaves_out(&self) -> bool {
        matches!(self.purpose, Purpose::Status { .. } | Purpose::Argument(_) | Purpose::Native { .. })
    }
}

/// How a path can end. What the program did, what it did wrong, and what we cannot do are told apart by `class`.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    Exited(i32),
    /// The status depends on inputs; whoever has a model of the path knows which one it is.
    ExitedWith(Expr),
    Aborted,
    /// Killed by a signal that the program sent to itself and did not handle.
    Killed(i32),
    AssertionFailed {
        expression: String,
        function: String,
    },
    Memory(Box<Fault>),
    /// Memory that was still reachable by nobody's `free` when the program ended.
    Leaked {
        allocations: usize,
        bytes: u64,
        /// Where the first of it was allocated.
        site: Site,
    },
    DivisionByZero,
    /// The quotient does not fit: INT_MIN / -1.
    DivisionOverflow,
    /// Signed arithmetic wrapped; only where the user asks for it.
    SignedOverflow,
    /// A check for undefined behaviour failed: one that the compiler put into the program, or one of ours.
    Undefined(Box<Undefined>),
    Unreachable,
    Trap,
    StackOverflow,
    /// A call through a pointer that is no function.
    BadFunctionPointer(u64),
    /// Of C++, by the name of its type.
    UncaughtException(String),
    /// Of Rust.
    Panicked,
    /// `longjmp` to a place whose function has returned, or that was never set.
    BadJump,
    /// The program said by an intrinsic that this path is of no interest, or that it went wrong.
    Discarded,
    Reported {
        message: String,
        kind: String,
    },
    OutOfMemory {
        bytes: u64,
    },
    /// Called, but defined nowhere.
    UndefinedFunction(String),
    /// A native function that did not return.
    CallFailed {
        function: String,
        failure: Failure,
        /// The time limit of a call.
        within: Duration,
    },
    /// There is no body, and it cannot be called natively.
    NotCallable {
        function: String,
        why: String,
    },
    /// What this version does not execute.
    Unsupported(String),
    /// An explorer gave the path up at a limit that somebody set.
    GivenUp(String),
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
            Ended::Exited(_) | Ended::ExitedWith(_) | Ended::Killed(_) | Ended::Discarded => Class::Normal,
            Ended::UndefinedFunction(_)
            | Ended::NotCallable { .. }
            | Ended::Unsupported(_)
            | Ended::GivenUp(_)
            | Ended::OutOfMemory { .. } => Class::Limit,
            _ => Class::Finding,
        }
    }

    /// Whether the machine may not notice an error and execute what comes next.
    pub fn may_be_survived(&self) -> bool {
        use symcrete_memory::FaultKind;
        match self {
            Ended::Memory(fault) => !matches!(fault.kind, FaultKind::NullDereference | FaultKind::WriteToReadOnly),
            Ended::SignedOverflow
            | Ended::Undefined(_)
            | Ended::Unreachable
            | Ended::StackOverflow
            | Ended::BadJump => true,
            _ => false,
        }
    }

    /// A short name for tables and JSON.
    pub fn name(&self) -> &'static str {
        use symcrete_memory::FaultKind;
        match self {
            Ended::Exited(_) | Ended::ExitedWith(_) => "exit",
            Ended::Aborted => "abort",
            Ended::Killed(_) => "killed",
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
            Ended::Undefined(undefined) => undefined.name(),
            Ended::Unreachable => "unreachable",
            Ended::Trap => "trap",
            Ended::StackOverflow => "stack-overflow",
            Ended::BadFunctionPointer(_) => "bad-function-pointer",
            Ended::UncaughtException(_) => "uncaught-exception",
            Ended::Panicked => "panic",
            Ended::BadJump => "bad-longjmp",
            Ended::Discarded => "discarded",
            Ended::Reported { .. } => "reported",
            Ended::OutOfMemory { .. } => "out-of-memory",
            Ended::CallFailed { failure: Failure::TimedOut, .. } => "hang",
            Ended::CallFailed { .. } => "crash",
            Ended::UndefinedFunction(_) | Ended::NotCallable { .. } => "undefined-function",
            Ended::Unsupported(_) => "unsupported",
            Ended::GivenUp(_) => "given-up",
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
    /// A function that Rust's `panic!` calls, the program's own handler of panics among them.
    pub panics: bool,
}
