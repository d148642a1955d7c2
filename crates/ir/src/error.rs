//! What can be wrong with a program: the one error type of this crate. Nothing here finds errors; see `verify` and `parse`.

use crate::ids::{DebugTypeId, FileId, SwitchId};
use crate::{Block, Call, Const, EdgeId, FuncId, GlobalId, LocId, Reg, Type};

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// The program breaks an invariant of the representation.
    #[error("{place}: {violation}")]
    Invalid { place: Box<Place>, violation: Violation },
    /// The text form could not be read.
    #[error("line {line}: {problem}")]
    Syntax { line: u32, problem: SyntaxProblem },
}

/// Where in a program an invariant is broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// `None`: in what functions share, such as constants and globals.
    pub function: Option<(FuncId, String)>,
    pub site: Site,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Site {
    Whole,
    Block(Block),
    Inst(Block, usize),
    Terminator(Block),
    Edge(EdgeId),
    Constant(Const),
    Global(GlobalId),
    Loc(LocId),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.function {
            Some((id, name)) => write!(f, "function {name} ({id})")?,
            None => f.write_str("program")?,
        }
        match self.site {
            Site::Whole => Ok(()),
            Site::Block(block) => write!(f, ", {block}"),
            Site::Inst(block, at) => write!(f, ", {block}, instruction {at}"),
            Site::Terminator(block) => write!(f, ", {block}, terminator"),
            Site::Edge(edge) => write!(f, ", {edge}"),
            Site::Constant(constant) => write!(f, ", constant {constant}"),
            Site::Global(global) => write!(f, ", {global}"),
            Site::Loc(loc) => write!(f, ", {loc}"),
        }
    }
}

/// Which invariant is broken. The list of invariants heads `verify`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Violation {
    #[error("there is no {0}")]
    NoSuchRegister(Reg),
    #[error("there is no {0}")]
    NoSuchBlock(Block),
    #[error("there is no {0}")]
    NoSuchEdge(EdgeId),
    #[error("there is no constant {0}")]
    NoSuchConstant(Const),
    #[error("there is no {0}")]
    NoSuchFunction(FuncId),
    #[error("there is no {0}")]
    NoSuchGlobal(GlobalId),
    #[error("there is no {0}")]
    NoSuchCall(Call),
    #[error("there is no {0}")]
    NoSuchSwitch(SwitchId),
    #[error("there is no {0}")]
    NoSuchLoc(LocId),
    #[error("there is no {0}")]
    NoSuchFile(FileId),
    #[error("there is no {0}")]
    NoSuchDebugType(DebugTypeId),
    #[error("terms {first}..{first}+{count} lie outside the function's address terms")]
    NoSuchTerms { first: u32, count: u16 },
    #[error("{0} is assigned more than once")]
    AssignedTwice(Reg),
    #[error("{0} is assigned nowhere")]
    NeverAssigned(Reg),
    #[error("{0} is used where its assignment does not come before on every path")]
    NotDominated(Reg),
    #[error("{what} is {found} where {expected} is needed")]
    WrongType { what: &'static str, found: Type, expected: Type },
    #[error("{what} is {found}, which is not {expected}")]
    WrongKind { what: &'static str, found: Type, expected: &'static str },
    #[error("{what}: {found} where {expected} are needed")]
    WrongCount { what: &'static str, found: usize, expected: usize },
    #[error("no such cast from {from} to {to}")]
    BadCast { from: Type, to: Type },
    #[error("{what} out of range: {value}")]
    OutOfRange { what: &'static str, value: u64 },
    #[error("the alignment {0} is not a power of two")]
    BadAlignment(u64),
    #[error("the function has no blocks")]
    NoEntry,
    #[error("{0} leads to the entry block")]
    EdgeToEntry(EdgeId),
    #[error("the edge says that it leaves {says}, but it is in the terminator of {found}")]
    WrongSource { says: Block, found: Block },
    #[error("no terminator leads along this edge")]
    UnusedEdge,
    #[error("the cases of {0} are not sorted and distinct")]
    UnsortedCases(SwitchId),
    #[error("the constant's operand {0} does not stand before it in the pool")]
    ForwardConstant(Const),
    #[error("the function {0} has no body, so none of its blocks has an address")]
    BlockOfExternal(FuncId),
    #[error("location 0 must be the place that stands for none")]
    NowhereMoved,
    #[error("the location it is inlined at, {0}, does not stand before it")]
    ForwardLoc(LocId),
    #[error("the local variables are not in order of their registers")]
    UnsortedLocals,
    #[error("overlaps is not set, although an argument is overwritten before it is read")]
    MissedOverlap,
}

/// What the parser of the text form stumbled on.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SyntaxProblem {
    #[error("expected {expected}, found {found}")]
    Unexpected { expected: &'static str, found: String },
    #[error("text that does not end")]
    OpenText,
    #[error("`{0}` is not a number of this type")]
    BadNumber(String),
    #[error("nothing is named @{0}")]
    UnknownName(String),
    #[error("@{0} is defined twice")]
    DefinedTwice(String),
    #[error("expected block {expected}, found {found}: blocks stand in order")]
    BlockOutOfOrder { expected: Block, found: String },
    #[error("there is no {0}")]
    UnknownBlock(Block),
    #[error("the block before has no terminator")]
    NoTerminator,
    #[error("an instruction outside of a block")]
    OutsideBlock,
    #[error("the function does not end")]
    OpenFunction,
    #[error("constants nested too deep")]
    TooDeep,
    #[error("register number {0} is too large")]
    RegisterTooLarge(u64),
}
