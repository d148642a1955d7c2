//! Instructions, laid out for execution: operands are register or constant numbers, addresses are base + constant +
//! scaled indices, phis are arguments of edges.

use crate::intrinsic::Intrinsic;
use crate::{Call, EdgeId, FuncId, Operand, Reg, Type, ids::SwitchId};

/// One instruction. What it means is in `exec::step`, and nowhere else.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Inst {
    /// Integer arithmetic; wraps. `flags` say what the source promised; they justify nothing.
    Binary {
        op: BinaryOp,
        ty: Type,
        flags: WrapFlags,
        dst: Reg,
        lhs: Operand,
        rhs: Operand,
    },
    FloatBinary {
        op: FloatOp,
        ty: Type,
        dst: Reg,
        lhs: Operand,
        rhs: Operand,
    },
    FloatNegate {
        ty: Type,
        dst: Reg,
        src: Operand,
    },
    IntCompare {
        predicate: IntPredicate,
        ty: Type,
        dst: Reg,
        lhs: Operand,
        rhs: Operand,
    },
    FloatCompare {
        predicate: FloatPredicate,
        ty: Type,
        dst: Reg,
        lhs: Operand,
        rhs: Operand,
    },
    Cast {
        op: CastOp,
        from: Type,
        to: Type,
        dst: Reg,
        src: Operand,
    },
    Select {
        ty: Type,
        dst: Reg,
        condition: Operand,
        if_true: Operand,
        if_false: Operand,
    },
    /// `base + offset + sum of terms`, modulo the pointer's width. `terms` is a range of `Body::address_terms`.
    Address {
        dst: Reg,
        base: Operand,
        offset: i32,
        first_term: u32,
        terms: u16,
    },
    Load {
        ty: Type,
        dst: Reg,
        address: Operand,
        volatile: bool,
    },
    Store {
        ty: Type,
        address: Operand,
        value: Operand,
        volatile: bool,
    },
    /// `count * element_bytes` bytes of the frame's memory.
    Alloca {
        dst: Reg,
        count: Operand,
        element_bytes: u32,
        align_log2: u8,
    },
    Call {
        call: Call,
    },
    /// A value that is the same at each use, even if it was undefined.
    Freeze {
        ty: Type,
        dst: Reg,
        src: Operand,
    },
    /// `dst = src`.
    Copy {
        ty: Type,
        dst: Reg,
        src: Operand,
    },
    /// Does nothing; its location stands for a store that promotion removed.
    Marker,
}

const _: () = assert!(size_of::<Inst>() == 20);

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
}

/// LLVM's promises on integer arithmetic and casts, kept for overflow findings.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct WrapFlags(pub u8);

impl WrapFlags {
    pub const NONE: WrapFlags = WrapFlags(0);
    pub const NO_UNSIGNED_WRAP: u8 = 1;
    pub const NO_SIGNED_WRAP: u8 = 2;
    pub const EXACT: u8 = 4;

    pub fn no_signed_wrap(self) -> bool {
        self.0 & Self::NO_SIGNED_WRAP != 0
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum IntPredicate {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

impl IntPredicate {
    /// What holds if this one does not.
    pub fn opposite(self) -> IntPredicate {
        match self {
            IntPredicate::Eq => IntPredicate::Ne,
            IntPredicate::Ne => IntPredicate::Eq,
            IntPredicate::Ugt => IntPredicate::Ule,
            IntPredicate::Uge => IntPredicate::Ult,
            IntPredicate::Ult => IntPredicate::Uge,
            IntPredicate::Ule => IntPredicate::Ugt,
            IntPredicate::Sgt => IntPredicate::Sle,
            IntPredicate::Sge => IntPredicate::Slt,
            IntPredicate::Slt => IntPredicate::Sge,
            IntPredicate::Sle => IntPredicate::Sgt,
        }
    }

    /// The same, with its sides exchanged.
    pub fn mirrored(self) -> IntPredicate {
        match self {
            IntPredicate::Eq | IntPredicate::Ne => self,
            IntPredicate::Ugt => IntPredicate::Ult,
            IntPredicate::Uge => IntPredicate::Ule,
            IntPredicate::Ult => IntPredicate::Ugt,
            IntPredicate::Ule => IntPredicate::Uge,
            IntPredicate::Sgt => IntPredicate::Slt,
            IntPredicate::Sge => IntPredicate::Sle,
            IntPredicate::Slt => IntPredicate::Sgt,
            IntPredicate::Sle => IntPredicate::Sge,
        }
    }
}

/// Float comparison as a set of outcomes: bit 0 equal, bit 1 greater, bit 2 less, bit 3 unordered. This is also how LLVM numbers them.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct FloatPredicate(pub u8);

impl FloatPredicate {
    pub const EQUAL: u8 = 1;
    pub const GREATER: u8 = 2;
    pub const LESS: u8 = 4;
    pub const UNORDERED: u8 = 8;

    pub fn name(self) -> &'static str {
        const NAMES: [&str; 16] = [
            "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge", "ult", "ule", "une",
            "true",
        ];
        NAMES[(self.0 & 15) as usize]
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum CastOp {
    Trunc,
    ZeroExtend,
    SignExtend,
    FloatToUnsigned,
    FloatToSigned,
    UnsignedToFloat,
    SignedToFloat,
    FloatTruncate,
    FloatExtend,
    /// Pointer to integer, integer to pointer: zero-extended or truncated to the target's width.
    PointerToInt,
    IntToPointer,
    /// The same bits under another type.
    Bitcast,
}

/// `index * scale`, the index sign-extended from its own width.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct AddressTerm {
    pub index: Operand,
    pub ty: Type,
    pub scale: i64,
}

/// A call, with as many results as the callee returns scalars.
#[derive(Clone, Debug, PartialEq)]
pub struct CallData {
    pub callee: Callee,
    pub args: Vec<Operand>,
    pub arg_types: Vec<Type>,
    /// Arguments passed by value in memory: (argument, bytes, alignment). The callee gets the address of a copy.
    pub by_value: Vec<(u32, u64, u32)>,
    pub results: Vec<Reg>,
    pub result_types: Vec<Type>,
    /// How many of the arguments the called type names; the rest are variadic.
    pub fixed_args: u32,
    /// The arguments, and whether the result, of fewer than 32 bits that the caller takes to be signed: it extends these arguments
    /// with their sign.
    pub sign_extended: Vec<u32>,
    pub sign_extended_result: bool,
    /// Calls that LLVM's `musttail` marks keep their caller's variadic arguments.
    pub must_tail: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    Direct(FuncId),
    Indirect(Operand),
    /// The type that an overloaded intrinsic works on stands with it.
    Intrinsic(Intrinsic, Type),
    /// What Symcrete does not execute; reaching it ends the path with this text.
    Unsupported(Box<str>),
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Terminator {
    Jump(EdgeId),
    Branch {
        condition: Operand,
        if_true: EdgeId,
        if_false: EdgeId,
    },
    Switch {
        value: Operand,
        ty: Type,
        table: SwitchId,
    },
    /// A computed goto; `targets` are all the blocks it may name.
    IndirectJump {
        address: Operand,
        targets: Vec<EdgeId>,
    },
    Return(Vec<Operand>),
    /// A call that may unwind.
    Invoke {
        call: Call,
        normal: EdgeId,
        unwind: EdgeId,
    },
    Resume(Vec<Operand>),
    Unreachable,
    /// A terminator that Symcrete does not execute; its successors are kept for the analyses.
    Unsupported {
        what: Box<str>,
        successors: Vec<EdgeId>,
    },
}

/// The cases of a switch on at most 64 bits; values zero-extended, no value twice.
#[derive(Clone, Debug, PartialEq)]
pub struct SwitchTable {
    /// Sorted by value, so that a search can halve it.
    pub cases: Vec<(u64, EdgeId)>,
    pub default: EdgeId,
}

impl SwitchTable {
    pub fn edge(&self, value: u64) -> EdgeId {
        match self.cases.binary_search_by_key(&value, |case| case.0) {
            Ok(at) => self.cases[at].1,
            Err(_) => self.default,
        }
    }
}

impl Inst {
    /// The register that this instruction writes; calls list theirs in `CallData::results`.
    pub fn dst(&self) -> Option<Reg> {
        match *self {
            Inst::Binary { dst, .. }
            | Inst::FloatBinary { dst, .. }
            | Inst::FloatNegate { dst, .. }
            | Inst::IntCompare { dst, .. }
            | Inst::FloatCompare { dst, .. }
            | Inst::Cast { dst, .. }
            | Inst::Select { dst, .. }
            | Inst::Address { dst, .. }
            | Inst::Load { dst, .. }
            | Inst::Alloca { dst, .. }
            | Inst::Freeze { dst, .. }
            | Inst::Copy { dst, .. } => Some(dst),
            Inst::Store { .. } | Inst::Call { .. } | Inst::Marker => None,
        }
    }
}
