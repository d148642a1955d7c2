//! Instructions that are not terminators: the dispatch, and arithmetic, conversions, comparisons, parts of aggregates.

use symcrete_ir::{BinaryOp, CastOp, FloatOp, FloatPredicate, Inst, IntPredicate, Operand, Type, WrapFlags};

use super::function::FunctionLowering;
use super::lanes::Arithmetic;
use super::{Result, malformed};
use crate::module::{
    ArithmeticFlags, BinaryOperator, CastOperator, FloatPredicate as LlvmFloatPredicate, Instruction, InstructionKind,
    IntegerPredicate, Value,
};

impl FunctionLowering<'_, '_> {
    pub fn instruction(&mut self, instruction: &Instruction) -> Result<()> {
        use InstructionKind as Kind;
        match &instruction.kind {
            Kind::Binary { operator, left, right, flags } => {
                self.arithmetic(instruction, *operator, *left, *right, *flags)
            }
            Kind::Negate { operand, .. } => self.lanewise(instruction, [*operand], |this, [src]| this.negate(src)),
            Kind::Cast { operator, operand, .. } => self.conversion(instruction, *operator, *operand),
            Kind::IntegerCompare { predicate, left, right, .. } => {
                let predicate = int_predicate(*predicate);
                self.lanewise(instruction, [*left, *right], |this, [lhs, rhs]| this.compare(predicate, lhs, rhs))
            }
            Kind::FloatCompare { predicate, left, right, .. } => {
                let predicate = float_predicate(*predicate);
                self.lanewise(instruction, [*left, *right], |this, [lhs, rhs]| this.compare_floats(predicate, lhs, rhs))
            }
            Kind::Select { condition, if_true, if_false, .. } => {
                let values = [*condition, *if_true, *if_false];
                self.lanewise(instruction, values, |this, [condition, a, b]| this.select(condition, a, b))
            }
            Kind::Freeze { operand } => self.lanewise(instruction, [*operand], |this, [src]| {
                let ty = this.type_of(src);
                let dst = this.register(ty);
                this.emit(Inst::Freeze { ty, dst, src })?;
                Ok(dst.into())
            }),
            Kind::ElementPointer { source_type, base, indices, .. } => {
                self.element_pointer(instruction, *source_type, *base, indices)
            }
            Kind::ExtractElement { vector, index } => self.extract_element(instruction, *vector, *index),
            Kind::InsertElement { vector, element, index } => {
                self.insert_element(instruction, *vector, *element, *index)
            }
            Kind::ShuffleVector { left, right, mask } => self.shuffle(instruction, *left, *right, mask),
            Kind::ExtractValue { aggregate, indices } => self.extract_value(instruction, *aggregate, indices),
            Kind::InsertValue { aggregate, value, indices } => {
                self.insert_value(instruction, *aggregate, *value, indices)
            }
            Kind::Phi { .. } => self.phi(instruction),
            Kind::Alloca { allocated_type, count, alignment, .. } => {
                self.alloca(instruction, *allocated_type, *count, *alignment)
            }
            Kind::Load { pointer, volatile, .. } => self.load(instruction, *pointer, *volatile),
            Kind::Store { pointer, value, volatile, .. } => self.store(*pointer, *value, *volatile),
            Kind::Fence(_) => Ok(()),
            Kind::CompareExchange(exchange) => self.compare_exchange(instruction, exchange),
            Kind::ReadModifyWrite(operation) => self.read_modify_write(instruction, operation),
            Kind::Call(call) => self.call(instruction, call),
            Kind::VariableArgument { list } => self.variable_argument(instruction, *list),
            Kind::LandingPad { .. } => self.unsupported_call(instruction, "the handling of an exception"),
            Kind::CleanupPad { .. } | Kind::CatchPad { .. } => {
                self.unsupported_call(instruction, "the handling of a Windows exception")
            }
            _ => Err(malformed("a terminator in the middle of a block")),
        }
    }

    fn arithmetic(
        &mut self,
        instruction: &Instruction,
        operator: BinaryOperator,
        left: Value,
        right: Value,
        flags: ArithmeticFlags,
    ) -> Result<()> {
        let values = [left, right];
        if let Some(op) = integer_op(operator) {
            let flags = wrap_flags(flags);
            return self.lanewise(instruction, values, |this, [lhs, rhs]| this.integer(op, flags, lhs, rhs));
        }
        let op = float_op(operator);
        self.lanewise(instruction, values, |this, [lhs, rhs]| this.float(op, lhs, rhs))
    }

    pub fn negate(&mut self, src: Operand) -> Result<Operand> {
        let ty = self.type_of(src);
        if ty.float_kind().is_none() {
            return Err(malformed("the negation of something that is no float"));
        }
        let dst = self.register(ty);
        self.emit(Inst::FloatNegate { ty, dst, src })?;
        Ok(dst.into())
    }

    pub fn compare_floats(&mut self, predicate: FloatPredicate, lhs: Operand, rhs: Operand) -> Result<Operand> {
        let ty = self.type_of(lhs);
        if ty != self.type_of(rhs) || ty.float_kind().is_none() {
            return Err(malformed("a comparison of different types"));
        }
        let dst = self.register(Type::BOOL);
        self.emit(Inst::FloatCompare { predicate, ty, dst, lhs, rhs })?;
        Ok(dst.into())
    }

    fn conversion(&mut self, instruction: &Instruction, operator: CastOperator, operand: Value) -> Result<()> {
        match operator {
            CastOperator::AddressSpaceCast => self.lanewise(instruction, [operand], |_, [src]| Ok(src)),
            CastOperator::Bitcast => {
                let lanes = self.list(operand)?;
                let shape = self.lowering.shape(self.unit_index, instruction.ty)?;
                let regrouped = self.regroup(&lanes, &shape.scalars)?;
                self.define(instruction, &regrouped)
            }
            _ => {
                let op = cast_op(operator);
                let scalar = self.unit.types.table.scalar_of(instruction.ty);
                let to = self.unit.types.scalar(scalar)?.ok_or_else(|| malformed("a conversion to an aggregate"))?;
                self.lanewise(instruction, [operand], |this, [src]| this.convert(op, to, src))
            }
        }
    }

    /// One conversion, after a look whether its types fit.
    pub fn convert(&mut self, op: CastOp, to: Type, src: Operand) -> Result<Operand> {
        let from = self.type_of(src);
        let (is_float, to_float) = (from.float_kind().is_some(), to.float_kind().is_some());
        let fits = match op {
            CastOp::Trunc => from.is_int() && to.is_int() && from.bits(0) > to.bits(0),
            CastOp::ZeroExtend | CastOp::SignExtend => from.is_int() && to.is_int() && from.bits(0) < to.bits(0),
            CastOp::FloatToUnsigned | CastOp::FloatToSigned => is_float && to.is_int(),
            CastOp::UnsignedToFloat | CastOp::SignedToFloat => from.is_int() && to_float,
            CastOp::FloatTruncate | CastOp::FloatExtend => is_float && to_float,
            CastOp::PointerToInt => from.is_pointer() && to.is_int(),
            CastOp::IntToPointer => from.is_int() && to.is_pointer(),
            CastOp::Bitcast => true,
        };
        if fits { self.cast(op, from, to, src) } else { Err(malformed("a conversion between types that do not fit")) }
    }

    fn extract_value(&mut self, instruction: &Instruction, aggregate: Value, indices: &[u32]) -> Result<()> {
        let whole = self.type_id(aggregate);
        let (ty, first) = self.unit.types.part(whole, indices)?;
        let count = self.unit.types.count(ty) as usize;
        if count == 1 {
            let operand = self.lane(aggregate, first as usize)?;
            return self.define_one(instruction, operand);
        }
        let operands = self.list(aggregate)?;
        let part = operands.get(first as usize..).and_then(|rest| rest.get(..count));
        let part = part.ok_or_else(|| malformed("a part that the value does not have"))?;
        self.define(instruction, part)
    }

    fn insert_value(
        &mut self,
        instruction: &Instruction,
        aggregate: Value,
        value: Value,
        indices: &[u32],
    ) -> Result<()> {
        let whole = self.type_id(aggregate);
        let (_, first) = self.unit.types.part(whole, indices)?;
        let mut operands = self.list(aggregate)?;
        let inserted = self.list(value)?;
        let part = operands.get_mut(first as usize..).and_then(|rest| rest.get_mut(..inserted.len()));
        let part = part.ok_or_else(|| malformed("a part that the value does not have"))?;
        part.copy_from_slice(&inserted);
        self.define(instruction, &operands)
    }
}

pub(crate) fn integer_op(operator: BinaryOperator) -> Option<BinaryOp> {
    Some(match operator {
        BinaryOperator::Add => BinaryOp::Add,
        BinaryOperator::Subtract => BinaryOp::Sub,
        BinaryOperator::Multiply => BinaryOp::Mul,
        BinaryOperator::UnsignedDivide => BinaryOp::UDiv,
        BinaryOperator::SignedDivide => BinaryOp::SDiv,
        BinaryOperator::UnsignedRemainder => BinaryOp::URem,
        BinaryOperator::SignedRemainder => BinaryOp::SRem,
        BinaryOperator::ShiftLeft => BinaryOp::Shl,
        BinaryOperator::LogicalShiftRight => BinaryOp::LShr,
        BinaryOperator::ArithmeticShiftRight => BinaryOp::AShr,
        BinaryOperator::And => BinaryOp::And,
        BinaryOperator::Or => BinaryOp::Or,
        BinaryOperator::Xor => BinaryOp::Xor,
        _ => return None,
    })
}

/// Of the operators that `integer_op` does not know.
fn float_op(operator: BinaryOperator) -> FloatOp {
    match operator {
        BinaryOperator::FloatSubtract => FloatOp::Sub,
        BinaryOperator::FloatMultiply => FloatOp::Mul,
        BinaryOperator::FloatDivide => FloatOp::Div,
        BinaryOperator::FloatRemainder => FloatOp::Rem,
        _ => FloatOp::Add,
    }
}

fn wrap_flags(flags: ArithmeticFlags) -> WrapFlags {
    let mut bits = 0;
    if flags.no_unsigned_wrap {
        bits |= WrapFlags::NO_UNSIGNED_WRAP;
    }
    if flags.no_signed_wrap {
        bits |= WrapFlags::NO_SIGNED_WRAP;
    }
    if flags.exact {
        bits |= WrapFlags::EXACT;
    }
    WrapFlags(bits)
}

pub(crate) fn cast_op(operator: CastOperator) -> CastOp {
    match operator {
        CastOperator::Truncate => CastOp::Trunc,
        CastOperator::ZeroExtend => CastOp::ZeroExtend,
        CastOperator::SignExtend => CastOp::SignExtend,
        CastOperator::FloatToUnsigned => CastOp::FloatToUnsigned,
        CastOperator::FloatToSigned => CastOp::FloatToSigned,
        CastOperator::UnsignedToFloat => CastOp::UnsignedToFloat,
        CastOperator::SignedToFloat => CastOp::SignedToFloat,
        CastOperator::FloatTruncate => CastOp::FloatTruncate,
        CastOperator::FloatExtend => CastOp::FloatExtend,
        CastOperator::PointerToInteger | CastOperator::PointerToAddress => CastOp::PointerToInt,
        CastOperator::IntegerToPointer => CastOp::IntToPointer,
        CastOperator::Bitcast | CastOperator::AddressSpaceCast => CastOp::Bitcast,
    }
}

pub(crate) fn int_predicate(predicate: IntegerPredicate) -> IntPredicate {
    match predicate {
        IntegerPredicate::Equal => IntPredicate::Eq,
        IntegerPredicate::NotEqual => IntPredicate::Ne,
        IntegerPredicate::UnsignedGreater => IntPredicate::Ugt,
        IntegerPredicate::UnsignedGreaterOrEqual => IntPredicate::Uge,
        IntegerPredicate::UnsignedLess => IntPredicate::Ult,
        IntegerPredicate::UnsignedLessOrEqual => IntPredicate::Ule,
        IntegerPredicate::SignedGreater => IntPredicate::Sgt,
        IntegerPredicate::SignedGreaterOrEqual => IntPredicate::Sge,
        IntegerPredicate::SignedLess => IntPredicate::Slt,
        IntegerPredicate::SignedLessOrEqual => IntPredicate::Sle,
    }
}

fn float_predicate(predicate: LlvmFloatPredicate) -> FloatPredicate {
    let bit = |set: bool, bit: u8| if set { bit } else { 0 };
    FloatPredicate(
        bit(predicate.equal, FloatPredicate::EQUAL)
            | bit(predicate.greater, FloatPredicate::GREATER)
            | bit(predicate.less, FloatPredicate::LESS)
            | bit(predicate.unordered, FloatPredicate::UNORDERED),
    )
}
