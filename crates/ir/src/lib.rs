//! The program as Symcrete executes it: functions, blocks, scalar instructions, constants, debug information, and the
//! analyses over them. Knows nothing of LLVM, of values at run time, or of how a path is chosen.
//!
//! Everything first-class is a scalar here. Vectors and aggregates are taken apart before they arrive, so that no later
//! stage (executor, expressions, backward executor, compiled evaluation) ever meets one.
#![forbid(unsafe_code)]

mod adjacency;
pub mod call_graph;
pub mod cfg;
mod components;
pub mod constant;
pub mod convention;
pub mod debug;
pub mod dominators;
pub mod error;
pub mod function;
pub mod ids;
pub mod inst;
pub mod intrinsic;
pub mod loops;
mod mnemonic;
pub mod parse;
pub mod print;
pub mod program;
pub mod promote;
pub mod returns;
mod split;
#[cfg(test)]
mod testing;
pub mod types;
pub mod verify;

pub use call_graph::{CallGraph, CallSite};
pub use cfg::Cfg;
pub use constant::{Constant, ConstantExpression};
pub use dominators::{Dominators, PostDominators};
pub use error::Error;
pub use function::{BlockData, Body, Edge, Function, Linkage, Param};
pub use ids::{Block, Call, Const, EdgeId, FuncId, GlobalId, LocId, Operand, OperandKind, Reg};
pub use inst::{
    AddressTerm, BinaryOp, CallData, Callee, CastOp, FloatOp, FloatPredicate, Inst, IntPredicate, SwitchTable,
    Terminator, WrapFlags,
};
pub use intrinsic::Intrinsic;
pub use loops::Loops;
pub use print::Printer;
pub use program::{Global, Initialiser, Layout, Program, Relocation};
pub use returns::Returns;
pub use types::{FloatKind, Type, TypeKind};
