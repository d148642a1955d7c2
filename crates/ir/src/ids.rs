//! Typed indices. Each prints as it does in text dumps.

use cranelift_entity::{EntityRef, entity_impl};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {
        $(
            $(#[$doc])*
            #[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
            pub struct $name(u32);
            entity_impl!($name, $prefix);
        )*
    };
}

ids! {
    /// A function of the program.
    FuncId = "fn";
    /// A global variable.
    GlobalId = "global";
    /// A constant in the program's pool.
    Const = "c";
    /// A virtual register of a function, assigned exactly once.
    Reg = "r";
    /// A basic block of a function.
    Block = "bb";
    /// A control-flow edge of a function. Its number identifies a side of a branch.
    EdgeId = "edge";
    /// The data of a call instruction.
    Call = "call";
    /// The cases of a switch.
    SwitchId = "switch";
    /// A source location in the program's pool; number 0 is "nowhere".
    LocId = "loc";
    /// A source file.
    FileId = "file";
    /// A C type as the debug information tells it.
    DebugTypeId = "type";
}

impl Block {
    pub const ENTRY: Block = Block(0);
}

impl LocId {
    pub const NOWHERE: LocId = LocId(0);
}

/// What an instruction reads: a register or a constant, in four bytes.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Operand(u32);

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum OperandKind {
    Reg(Reg),
    Const(Const),
}

impl Operand {
    const CONSTANT: u32 = 1 << 31;

    #[inline(always)]
    pub fn kind(self) -> OperandKind {
        if self.0 & Self::CONSTANT == 0 {
            OperandKind::Reg(Reg(self.0))
        } else {
            OperandKind::Const(Const(self.0 & !Self::CONSTANT))
        }
    }

    pub fn as_reg(self) -> Option<Reg> {
        match self.kind() {
            OperandKind::Reg(reg) => Some(reg),
            OperandKind::Const(_) => None,
        }
    }

    pub fn as_const(self) -> Option<Const> {
        match self.kind() {
            OperandKind::Const(constant) => Some(constant),
            OperandKind::Reg(_) => None,
        }
    }
}

impl From<Reg> for Operand {
    fn from(reg: Reg) -> Self {
        debug_assert!((reg.index() as u32) < Self::CONSTANT);
        Operand(reg.index() as u32)
    }
}

impl From<Const> for Operand {
    fn from(constant: Const) -> Self {
        debug_assert!((constant.index() as u32) < Self::CONSTANT);
        Operand(constant.index() as u32 | Self::CONSTANT)
    }
}

impl std::fmt::Debug for Operand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind() {
            OperandKind::Reg(reg) => write!(f, "{reg}"),
            OperandKind::Const(constant) => write!(f, "{constant}"),
        }
    }
}
