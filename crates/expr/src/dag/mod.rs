//! The expression DAG: what a symbolic value is made of. Every node is unique in its [`Arena`], so equal expressions have equal
//! numbers. Expressions are simplified while they are built (`simplify/`); what is known of a node without a solver is in `facts`.
//!
//! A value is a bit-vector. Booleans are vectors of one bit. Floats are the bits of their format, and float operations say which
//! format they read their operands in, so that a float in memory, in a register and under a mask is the same expression.
//! An array maps indices to elements; it stands for an allocation that was accessed at an index that is not a constant.

mod arena;
mod build;
mod collect;
mod derived;
mod display;
mod evaluate;
mod facts;
mod model;
mod node;
mod partition;
mod pool;
pub mod semantics;
mod simplify;
mod variables;
mod visit;

#[cfg(test)]
mod tests;

pub use arena::{Arena, Evaluate, Function, FunctionId, Native, Signature, Variable, VariableId};
pub use derived::Arithmetic;
pub use display::Display;
pub use evaluate::{Evaluator, evaluate};
pub use facts::Facts;
pub use model::{ArrayModel, Model};
pub use node::{Expr, FloatOperation, Node, Op, Rounding};
pub use partition::{NoPartition, NumberKind, Partition};
pub use variables::{GatheredVariables, VariableBlock, VariableSet, VariableSets};
pub use visit::{post_order, substitute, substitute_next, transplant};
