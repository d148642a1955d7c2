//! Functions decoded once more, for words only: what the interpreter's fast loop executes.
//!
//! A register file is an array of words: first the function's constants, then its registers, then one scratch word for parallel
//! copies. An operand is an index into it, with no question asked. Values that are not words (wide, partly undefined) stand beside,
//! in `Specials`; while there are none in a frame, nothing looks for them. Whatever the fast loop has no operation for is executed
//! from the `ir` by `step`, which is the meaning of every instruction; the operations here are its short forms for words.

mod compile;
mod inline;
mod registers;
mod signatures;

pub use compile::compile;
pub use registers::Registers;
pub use signatures::{Signature, Signatures};

use symcrete_ir::{Block, EdgeId};

/// The place of a register or constant in the register file.
pub type Slot = u32;

/// One operation of the fast loop. Most are one instruction; an address with several terms is several.
#[derive(Copy, Clone, Debug)]
pub struct Op {
    pub code: OpCode,
    /// A small parameter: a shift that leaves a type's width, a number of bytes, an operation.
    pub x: u8,
    pub y: u8,
    pub dst: Slot,
    pub a: Slot,
    pub b: Slot,
    /// A third operand, a scale, an offset, or an index into a table.
    pub c: u32,
}

const _: () = assert!(size_of::<Op>() == 20);

impl Op {
    /// What the general way executes.
    pub const GENERAL: Op = Op { code: OpCode::General, x: 0, y: 0, dst: 0, a: 0, b: 0, c: 0 };
}

/// `x` is 64 minus the width of the result where that is named a shift.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum OpCode {
    // Wrapping arithmetic; x: shift.
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    /// Shifts and divisions; x: width, y: the `BinaryOp`.
    Binary,
    // Comparisons; x: shift for the signed ones.
    Equal,
    NotEqual,
    LessUnsigned,
    LessEqualUnsigned,
    LessSigned,
    LessEqualSigned,
    /// Sign extension; x: shift of the source, y: shift of the result.
    SignExtend,
    /// Keeps the low bits; x: shift.
    Truncate,
    Move,
    /// `a + c`, c signed; x: shift of a pointer.
    Offset,
    /// `a + b * c`, b sign-extended and c signed; x: shift of b, y: shift of a pointer.
    Index,
    /// x: bytes, y: shift.
    Load,
    /// a: address, b: value; x: bytes.
    Store,
    // An address and the access to it, where nobody else uses the address. `a + b * c` (x: shift of b), y: bytes; the store's value
    // is in dst.
    LoadIndex,
    StoreIndex,
    // `a + c`, x: bytes; the store's value is in b.
    LoadOffset,
    StoreOffset,
    /// Says which side a choice takes; a: its condition, c: its number.
    Choice,
    /// `a ? b : c`.
    Select,
    DoubleAdd,
    DoubleSub,
    DoubleMul,
    DoubleDiv,
    SingleAdd,
    SingleSub,
    SingleMul,
    SingleDiv,
    /// x: the predicate.
    DoubleCompare,
    SingleCompare,
    /// Conversions of words through `step::arithmetic`'s functions; c: index into `Code::conversions`.
    Convert,
    /// c: index into `Code::edges`.
    Jump,
    /// a: condition, b and c: indices into `Code::edges`.
    Branch,
    // A comparison and the branch on it; c: index into `Code::pairs`, x: shift for the signed ones.
    BranchEqual,
    BranchLessUnsigned,
    BranchLessEqualUnsigned,
    BranchLessSigned,
    BranchLessEqualSigned,
    /// a: value, c: index into `Code::switches`.
    Switch,
    /// c: the call.
    Call,
    /// c: index into `Code::returns`.
    Return,
    /// Executed by `step` from the `ir`: an instruction or a terminator.
    General,
}

/// A conversion between integers and floats, or between floats.
#[derive(Copy, Clone, Debug)]
pub struct Conversion {
    pub op: symcrete_ir::CastOp,
    pub from: symcrete_ir::Type,
    pub to: symcrete_ir::Type,
}

/// What happens on an edge: copies, in order, then the target.
#[derive(Copy, Clone, Debug)]
pub struct CodeEdge {
    pub first_copy: u32,
    pub copies: u32,
    /// Where the target block begins.
    pub target: u32,
    /// How many instructions the source block has: what taking the edge completes.
    pub weight: u32,
}

#[derive(Clone, Debug, Default)]
pub struct CodeSwitch {
    pub cases: Vec<(u64, u32)>,
    pub default: u32,
}

/// A call that only moves words: no arguments in memory.
#[derive(Clone, Debug)]
pub struct CodeCall {
    pub target: CodeTarget,
    pub args: Box<[Slot]>,
    pub results: Box<[Slot]>,
    /// The types with which a pointer is called; `None`: no function that has a body takes and gives these.
    pub signature: Option<Signature>,
}

#[derive(Copy, Clone, Debug)]
pub enum CodeTarget {
    Function(symcrete_ir::FuncId),
    /// The function whose address stands there.
    Pointer(Slot),
}

/// What a return hands back, and how many instructions it completes.
#[derive(Clone, Debug)]
pub struct CodeReturn {
    pub values: Box<[Slot]>,
    pub weight: u32,
}

/// The instructions of a block that an operation executes; the number of instructions stands for the terminator.
#[derive(Copy, Clone, Debug)]
pub struct Origin {
    pub block: Block,
    pub first: u32,
    /// The one that can fail.
    pub last: u32,
}

/// A function for the fast loop.
#[derive(Clone, Debug, Default)]
pub struct Code {
    pub ops: Vec<Op>,
    /// For each operation, the instructions that it is (part of).
    pub origins: Vec<Origin>,
    /// Where each block begins.
    pub starts: Vec<u32>,
    /// One for each edge of the body, in its order.
    pub edges: Vec<CodeEdge>,
    /// (destination, source)
    pub copies: Vec<(Slot, Slot)>,
    pub pairs: Vec<(u32, u32)>,
    pub switches: Vec<CodeSwitch>,
    /// By the number of the call; `None` where more than words is moved.
    pub calls: Vec<Option<CodeCall>>,
    pub returns: Vec<CodeReturn>,
    pub conversions: Vec<Conversion>,
    /// The register file at entry: constants, then zeros.
    pub template: Vec<u64>,
    /// Constants that are not words: their slot, and which constant.
    pub special_constants: Vec<(Slot, symcrete_ir::Const)>,
    /// The slot of register 0.
    pub first_register: Slot,
}

impl Code {
    /// The operation that begins with an instruction; there is none for one that was joined to those before it.
    pub fn position(&self, block: Block, inst: u32) -> Option<u32> {
        let start = self.starts[block.as_u32() as usize] as usize;
        let end = self.starts.get(block.as_u32() as usize + 1).map_or(self.ops.len(), |end| *end as usize);
        let within = self.origins[start..end].partition_point(|origin| origin.first < inst);
        let at = start + within;
        (at < end && self.origins[at].first == inst).then_some(at as u32)
    }

    /// The operation after all those of the instruction that `pc` belongs to: a call may have been several.
    pub fn after(&self, pc: u32) -> u32 {
        let Origin { block, first, .. } = self.origins[pc as usize];
        let rest = self.origins[pc as usize..].iter();
        pc + rest.take_while(|origin| origin.block == block && origin.first == first).count() as u32
    }

    pub fn edge(&self, edge: EdgeId) -> &CodeEdge {
        &self.edges[edge.as_u32() as usize]
    }
}
