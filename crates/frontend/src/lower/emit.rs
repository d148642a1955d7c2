//! Emission of single instructions, after a look whether their types fit.

use symcrete_ir::{BinaryOp, CastOp, FloatOp, Inst, IntPredicate, Operand, OperandKind, Type, WrapFlags};

use super::function::FunctionLowering;
use super::lanes::Arithmetic;
use super::{Result, malformed};

impl FunctionLowering<'_, '_> {
    pub fn compare(&mut self, predicate: IntPredicate, lhs: Operand, rhs: Operand) -> Result<Operand> {
        let ty = self.type_of(lhs);
        if ty != self.type_of(rhs) || ty.float_kind().is_some() {
            return Err(malformed("a comparison of different types"));
        }
        let dst = self.register(Type::BOOL);
        self.emit(Inst::IntCompare { predicate, ty, dst, lhs, rhs })?;
        Ok(dst.into())
    }

    pub fn select(&mut self, condition: Operand, if_true: Operand, if_false: Operand) -> Result<Operand> {
        let ty = self.type_of(if_true);
        if ty != self.type_of(if_false) || self.type_of(condition) != Type::BOOL {
            return Err(malformed("a selection between different types"));
        }
        let dst = self.register(ty);
        self.emit(Inst::Select { ty, dst, condition, if_true, if_false })?;
        Ok(dst.into())
    }

    pub fn integer(&mut self, op: BinaryOp, flags: WrapFlags, lhs: Operand, rhs: Operand) -> Result<Operand> {
        let ty = self.type_of(lhs);
        if ty != self.type_of(rhs) || !ty.is_int() {
            return Err(malformed("integer arithmetic on other types"));
        }
        let dst = self.register(ty);
        self.emit(Inst::Binary { op, ty, flags, dst, lhs, rhs })?;
        Ok(dst.into())
    }

    pub fn float(&mut self, op: FloatOp, lhs: Operand, rhs: Operand) -> Result<Operand> {
        let ty = self.type_of(lhs);
        if ty != self.type_of(rhs) || ty.float_kind().is_none() {
            return Err(malformed("float arithmetic on other types"));
        }
        let dst = self.register(ty);
        self.emit(Inst::FloatBinary { op, ty, dst, lhs, rhs })?;
        Ok(dst.into())
    }
}

impl Arithmetic for FunctionLowering<'_, '_> {
    fn binary(&mut self, op: BinaryOp, ty: Type, lhs: Operand, rhs: Operand) -> Result<Operand> {
        // Divisions may end the program, so they stay where they are.
        let moves = !matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem);
        if moves && lhs.as_const().is_some() && rhs.as_const().is_some() {
            return self.lowering.binary(op, ty, lhs, rhs);
        }
        self.integer(op, WrapFlags::NONE, lhs, rhs)
    }

    fn cast(&mut self, op: CastOp, from: Type, to: Type, src: Operand) -> Result<Operand> {
        if src.as_const().is_some() {
            return self.lowering.cast(op, from, to, src);
        }
        let dst = self.register(to);
        self.emit(Inst::Cast { op, from, to, dst, src })?;
        Ok(dst.into())
    }

    #[inline]
    fn type_of(&self, operand: Operand) -> Type {
        match operand.kind() {
            OperandKind::Reg(reg) => self.body.registers[reg],
            OperandKind::Const(constant) => self.lowering.program.constants[constant].ty(),
        }
    }

    fn word(&mut self, ty: Type, bits: u64) -> Operand {
        self.lowering.word(ty, bits)
    }

    fn pointer_bits(&self) -> u16 {
        self.lowering.program.layout.pointer_bits
    }
}
