//! Constants: plain bits, addresses that are known only once the program is laid out, and expressions over those.

use crate::inst::{BinaryOp, CastOp, IntPredicate};
use crate::{Block, Const, FuncId, GlobalId, Type};

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Constant {
    /// An integer, pointer or float of up to 64 bits: its bits, zero-extended.
    Word {
        ty: Type,
        bits: u64,
    },
    /// A wider integer or float: little-endian limbs, bits past the width zero.
    Wide {
        ty: Type,
        limbs: Box<[u64]>,
    },
    /// The address of a global variable, plus an offset.
    Global {
        global: GlobalId,
        offset: i64,
    },
    Function(FuncId),
    /// The address of a block, for computed gotos.
    BlockAddress(FuncId, Block),
    /// What was never written: LLVM's undef and poison, and reads of uninitialised locals (by the variable's name).
    Undefined {
        ty: Type,
        variable: Option<Box<str>>,
    },
    /// Arithmetic on addresses.
    Expression(ConstantExpression),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ConstantExpression {
    Binary { op: BinaryOp, ty: Type, lhs: Const, rhs: Const },
    Cast { op: CastOp, from: Type, to: Type, src: Const },
    IntCompare { predicate: IntPredicate, ty: Type, lhs: Const, rhs: Const },
    Select { ty: Type, condition: Const, if_true: Const, if_false: Const },
}

impl Constant {
    pub fn ty(&self) -> Type {
        match self {
            Constant::Word { ty, .. } | Constant::Wide { ty, .. } | Constant::Undefined { ty, .. } => *ty,
            Constant::Global { .. } | Constant::Function(_) | Constant::BlockAddress(..) => Type::POINTER,
            Constant::Expression(expression) => match expression {
                ConstantExpression::Binary { ty, .. } | ConstantExpression::Select { ty, .. } => *ty,
                ConstantExpression::Cast { to, .. } => *to,
                ConstantExpression::IntCompare { .. } => Type::BOOL,
            },
        }
    }
}
