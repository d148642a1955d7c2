//! Access to the operands and results of instructions in place.

use crate::{Inst, Operand, Reg, Terminator};

/// Calls `visit` on the operands that stand in the instruction itself: not on address terms or arguments of calls.
pub(super) fn operands_mut(inst: &mut Inst, mut visit: impl FnMut(&mut Operand)) {
    match inst {
        Inst::Binary { lhs, rhs, .. }
        | Inst::FloatBinary { lhs, rhs, .. }
        | Inst::IntCompare { lhs, rhs, .. }
        | Inst::FloatCompare { lhs, rhs, .. } => {
            visit(lhs);
            visit(rhs);
        }
        Inst::FloatNegate { src, .. } | Inst::Cast { src, .. } | Inst::Freeze { src, .. } | Inst::Copy { src, .. } => {
            visit(src)
        }
        Inst::Select { condition, if_true, if_false, .. } => {
            visit(condition);
            visit(if_true);
            visit(if_false);
        }
        Inst::Address { base, .. } => visit(base),
        Inst::Load { address, .. } => visit(address),
        Inst::Store { address, value, .. } => {
            visit(address);
            visit(value);
        }
        Inst::Alloca { count, .. } => visit(count),
        Inst::Call { .. } | Inst::Marker => {}
    }
}

/// Calls `visit` on the operands of a terminator: not on arguments of edges or of an invoked function.
pub(super) fn terminator_operands_mut(terminator: &mut Terminator, mut visit: impl FnMut(&mut Operand)) {
    match terminator {
        Terminator::Branch { condition, .. } => visit(condition),
        Terminator::Switch { value, .. } => visit(value),
        Terminator::IndirectJump { address, .. } => visit(address),
        Terminator::Return(values) | Terminator::Resume(values) => values.iter_mut().for_each(visit),
        Terminator::Jump(_) | Terminator::Invoke { .. } | Terminator::Unreachable | Terminator::Unsupported { .. } => {}
    }
}

/// The register that an instruction writes; not the results of a call.
pub(super) fn dst_mut(inst: &mut Inst) -> Option<&mut Reg> {
    match inst {
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
