//! Atomic operations as plain ones: load, compute, store. There is one thread, so nothing comes in between.

use symcrete_ir::{BinaryOp, FloatOp, IntPredicate, Intrinsic, Operand, WrapFlags};

use super::function::FunctionLowering;
use super::lanes::Arithmetic;
use super::{Result, malformed};
use crate::module::{CompareExchange, Instruction, ReadModifyWrite, ReadModifyWriteOperator};

impl FunctionLowering<'_, '_> {
    pub fn compare_exchange(&mut self, instruction: &Instruction, exchange: &CompareExchange) -> Result<()> {
        let address = self.scalar(exchange.pointer)?;
        let expected = self.scalar(exchange.expected)?;
        let replacement = self.scalar(exchange.replacement)?;
        let ty = self.type_of(expected);
        let old = self.load_scalar(ty, address, exchange.volatile)?;
        let equal = self.compare(IntPredicate::Eq, old, expected)?;
        let new = self.select(equal, replacement, old)?;
        self.store_scalar(address, new, exchange.volatile)?;
        self.define(instruction, &[old, equal])
    }

    pub fn read_modify_write(&mut self, instruction: &Instruction, operation: &ReadModifyWrite) -> Result<()> {
        let address = self.scalar(operation.pointer)?;
        let operands = self.list(operation.value)?;
        let ty = self.type_id(operation.value);
        let old = self.load_value(ty, address, operation.volatile)?;
        if old.len() != operands.len() {
            return Err(malformed("an atomic operation on different types"));
        }
        let mut new = Vec::with_capacity(old.len());
        for (old, operand) in old.iter().zip(operands) {
            new.push(self.modified(operation.operator, *old, operand)?);
        }
        self.store_value(ty, address, &new, operation.volatile)?;
        self.define(instruction, &old)
    }

    fn modified(&mut self, operator: ReadModifyWriteOperator, old: Operand, operand: Operand) -> Result<Operand> {
        use ReadModifyWriteOperator as Operator;
        let extreme = |this: &mut Self, predicate| {
            let keep = this.compare(predicate, old, operand)?;
            this.select(keep, old, operand)
        };
        match operator {
            Operator::Exchange => Ok(operand),
            Operator::Add => self.integer(BinaryOp::Add, WrapFlags::NONE, old, operand),
            Operator::Subtract => self.integer(BinaryOp::Sub, WrapFlags::NONE, old, operand),
            Operator::And => self.integer(BinaryOp::And, WrapFlags::NONE, old, operand),
            Operator::Or => self.integer(BinaryOp::Or, WrapFlags::NONE, old, operand),
            Operator::Xor => self.integer(BinaryOp::Xor, WrapFlags::NONE, old, operand),
            Operator::Nand => {
                let both = self.integer(BinaryOp::And, WrapFlags::NONE, old, operand)?;
                let ones = self.all_ones(both)?;
                self.integer(BinaryOp::Xor, WrapFlags::NONE, both, ones)
            }
            Operator::SignedMaximum => extreme(self, IntPredicate::Sgt),
            Operator::SignedMinimum => extreme(self, IntPredicate::Sle),
            Operator::UnsignedMaximum => extreme(self, IntPredicate::Ugt),
            Operator::UnsignedMinimum => extreme(self, IntPredicate::Ule),
            Operator::FloatAdd => self.float(FloatOp::Add, old, operand),
            Operator::FloatSubtract => self.float(FloatOp::Sub, old, operand),
            Operator::FloatMaximumNumber | Operator::FloatMaximumNumberIeee => {
                self.float_extreme(Intrinsic::MaxNum, old, operand)
            }
            Operator::FloatMinimumNumber | Operator::FloatMinimumNumberIeee => {
                self.float_extreme(Intrinsic::MinNum, old, operand)
            }
            Operator::FloatMaximum => self.float_extreme(Intrinsic::Maximum, old, operand),
            Operator::FloatMinimum => self.float_extreme(Intrinsic::Minimum, old, operand),
            Operator::IncrementWrap | Operator::DecrementWrap => self.wrapped_step(operator, old, operand),
            Operator::SubtractIfGreater | Operator::SubtractSaturating => {
                let enough = self.compare(IntPredicate::Uge, old, operand)?;
                let difference = self.integer(BinaryOp::Sub, WrapFlags::NONE, old, operand)?;
                let ty = self.type_of(old);
                let zero = self.lowering.zero(ty);
                let otherwise = if operator == Operator::SubtractSaturating { zero } else { old };
                self.select(enough, difference, otherwise)
            }
        }
    }

    /// `uinc_wrap` counts up to the operand and then from 0, `udec_wrap` down to 0 and then from the operand.
    fn wrapped_step(&mut self, operator: ReadModifyWriteOperator, old: Operand, limit: Operand) -> Result<Operand> {
        let ty = self.type_of(old);
        let one = self.word(ty, 1);
        let zero = self.lowering.zero(ty);
        if operator == ReadModifyWriteOperator::IncrementWrap {
            let next = self.integer(BinaryOp::Add, WrapFlags::NONE, old, one)?;
            let at_end = self.compare(IntPredicate::Uge, old, limit)?;
            return self.select(at_end, zero, next);
        }
        let next = self.integer(BinaryOp::Sub, WrapFlags::NONE, old, one)?;
        let at_zero = self.compare(IntPredicate::Eq, old, zero)?;
        let beyond = self.compare(IntPredicate::Ugt, old, limit)?;
        let restart = self.integer(BinaryOp::Or, WrapFlags::NONE, at_zero, beyond)?;
        self.select(restart, limit, next)
    }

    fn float_extreme(&mut self, intrinsic: Intrinsic, old: Operand, operand: Operand) -> Result<Operand> {
        let ty = self.type_of(old);
        self.call_intrinsic(intrinsic, ty, &[old, operand], ty)
    }

    /// A constant of the operand's type with all bits set.
    fn all_ones(&mut self, like: Operand) -> Result<Operand> {
        let ty = self.type_of(like);
        if ty.bits(0) <= 64 {
            return Ok(self.word(ty, u64::MAX));
        }
        let zero = self.lowering.zero(ty);
        let one = self.word(ty, 1);
        self.binary(BinaryOp::Sub, ty, zero, one)
    }
}
