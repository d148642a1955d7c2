//! Instructions that make, read and write memory.

use llvm_bitcode::schema::blocks::FunctionCode;

use crate::module::{
    Atomic, AtomicOrdering, CompareExchange, InstructionKind, ReadModifyWrite, ReadModifyWriteOperator, StructType,
    SyncScope, Type, TypeId,
};

use super::super::Problem;
use super::super::operands::{alignment, to_u32};
use super::super::rules;
use super::{Decoded, InstructionReader};

impl InstructionReader<'_, '_, '_> {
    /// `[type, type of the count, count, flags | alignment, address space?]`, the count counting from the first value.
    pub(super) fn alloca(&mut self) -> Decoded {
        let ty = self.operands.take()?;
        let count_type = self.ty()?;
        let count = self.operands.take()?;
        let count = self.function.absolute_value(self.module, count, count_type)?;
        let flags = self.operands.take()?;
        let explicit_type = flags >> 6 & 1 != 0;
        let allocated_type = if explicit_type { self.module.type_at(ty)? } else { self.module.pointee_at(ty)? };
        let types = &self.module.module.types;
        if !matches!(types[count_type], Type::Integer { .. }) || !types.is_sized(allocated_type) {
            return Err(Problem::Invalid("a stack object without a size"));
        }
        let alignment = alignment((flags & 0x1f) | (flags >> 8 & 7) << 5)?;
        let pointer = match (explicit_type, self.operands.optional()) {
            (false, _) => self.module.type_at(ty)?,
            (true, Some(address_space)) => self.module.pointer_type(to_u32(address_space)?),
            (true, None) => self.module.pointer_type(0),
        };
        let (in_alloca, swift_error) = (flags >> 5 & 1 != 0, flags >> 7 & 1 != 0);
        Ok((InstructionKind::Alloca { allocated_type, count, alignment, in_alloca, swift_error }, pointer))
    }

    /// `[pointer, type, alignment, volatile]`, and `[ordering, scope]` if atomic.
    pub(super) fn load(&mut self, atomic: bool) -> Decoded {
        let pointer = self.pointer()?;
        if self.operands.len() < if atomic { 5 } else { 3 } {
            return Err(Problem::Unsupported("an instruction in the form it had before LLVM 4"));
        }
        let ty = self.ty()?;
        if !rules::is_loadable(&self.module.module.types, ty) {
            return Err(Problem::Invalid("a load of something that has no size"));
        }
        let alignment = alignment(self.operands.take()?)?;
        let volatile = self.operands.flag()?;
        let atomic = if atomic { Some(self.atomic()?) } else { None };
        Ok((InstructionKind::Load { pointer, alignment, volatile, atomic }, ty))
    }

    /// `[pointer, value, alignment, volatile]`, and `[ordering, scope]` if atomic.
    pub(super) fn store(&mut self, atomic: bool) -> Decoded {
        let pointer = self.pointer()?;
        let (value, ty) = self.pair()?;
        if !rules::is_loadable(&self.module.module.types, ty) {
            return Err(Problem::Invalid("a store of something that has no size"));
        }
        let alignment = alignment(self.operands.take()?)?;
        let volatile = self.operands.flag()?;
        let atomic = if atomic { Some(self.atomic()?) } else { None };
        self.no_result(InstructionKind::Store { pointer, value, alignment, volatile, atomic })
    }

    /// `[ordering, scope]`
    pub(super) fn fence(&mut self) -> Decoded {
        let atomic = self.atomic()?;
        self.no_result(InstructionKind::Fence(atomic))
    }

    /// `[pointer, expected, replacement, volatile, success ordering, scope, failure ordering, weak, alignment?]`
    pub(super) fn compare_exchange(&mut self) -> Decoded {
        let pointer = self.pointer()?;
        let (expected, ty) = self.pair()?;
        let replacement = self.value(ty)?;
        if !matches!(self.module.module.types[ty], Type::Integer { .. } | Type::Pointer { .. }) {
            return Err(Problem::Invalid("a compared exchange of something that is no integer or pointer"));
        }
        let volatile = self.operands.flag()?;
        let success = self.atomic()?;
        let failure = ordering(self.operands.take()?)?;
        let weak = self.operands.flag()?;
        let alignment = alignment(self.operands.or_zero())?;
        let result = self.exchange_result(ty);
        let exchange = CompareExchange { pointer, expected, replacement, alignment, volatile, weak, success, failure };
        Ok((InstructionKind::CompareExchange(Box::new(exchange)), result))
    }

    /// The old value and whether it was exchanged.
    fn exchange_result(&mut self, ty: TypeId) -> TypeId {
        let truth = self.intern(Type::Integer { width: 1 });
        let fields = Box::new([ty, truth]);
        self.intern(Type::Struct(StructType { name: None, packed: false, opaque: false, fields }))
    }

    /// `[pointer, value, operator, volatile, ordering, scope, alignment?]`; the old form gives the value without its
    /// type, which is known all the same unless the value comes later.
    pub(super) fn read_modify_write(&mut self, code: FunctionCode) -> Decoded {
        let pointer = self.pointer()?;
        #[allow(deprecated, reason = "old files have old records")]
        let old = code == FunctionCode::AtomicRmwOld;
        let before = self.operands.len();
        let (value, ty) = self.pair()?;
        if old && before - self.operands.len() != 1 {
            return Err(Problem::Unsupported("an old atomic operation on a value that comes later"));
        }
        let operator = operator(self.operands.take()?)?;
        let types = &self.module.module.types;
        let fits = match operator {
            ReadModifyWriteOperator::Exchange => rules::is_exchangeable(types, ty),
            _ if is_float_operator(operator) => matches!(types[types.scalar_of(ty)], Type::Float(_)),
            _ => matches!(types[ty], Type::Integer { .. }),
        };
        if !fits {
            return Err(Problem::Invalid("an atomic operation on a value of another type"));
        }
        let volatile = self.operands.flag()?;
        let atomic = self.atomic()?;
        let alignment = alignment(self.operands.or_zero())?;
        let operation = ReadModifyWrite { operator, pointer, value, alignment, volatile, atomic };
        Ok((InstructionKind::ReadModifyWrite(Box::new(operation)), ty))
    }

    fn atomic(&mut self) -> Result<Atomic, Problem> {
        let ordering = ordering(self.operands.take()?)?;
        Ok(Atomic { ordering, scope: SyncScope(self.operands.take_u32()?) })
    }
}

fn ordering(number: u64) -> Result<AtomicOrdering, Problem> {
    match number {
        1 => Ok(AtomicOrdering::Unordered),
        2 => Ok(AtomicOrdering::Monotonic),
        3 => Ok(AtomicOrdering::Acquire),
        4 => Ok(AtomicOrdering::Release),
        5 => Ok(AtomicOrdering::AcquireRelease),
        6 => Ok(AtomicOrdering::SequentiallyConsistent),
        _ => Err(Problem::Invalid("an atomic access without an ordering")),
    }
}

fn operator(number: u64) -> Result<ReadModifyWriteOperator, Problem> {
    use ReadModifyWriteOperator as Operator;
    let operator = match number {
        0 => Operator::Exchange,
        1 => Operator::Add,
        2 => Operator::Subtract,
        3 => Operator::And,
        4 => Operator::Nand,
        5 => Operator::Or,
        6 => Operator::Xor,
        7 => Operator::SignedMaximum,
        8 => Operator::SignedMinimum,
        9 => Operator::UnsignedMaximum,
        10 => Operator::UnsignedMinimum,
        11 => Operator::FloatAdd,
        12 => Operator::FloatSubtract,
        13 => Operator::FloatMaximumNumber,
        14 => Operator::FloatMinimumNumber,
        15 => Operator::IncrementWrap,
        16 => Operator::DecrementWrap,
        17 => Operator::SubtractIfGreater,
        18 => Operator::SubtractSaturating,
        19 => Operator::FloatMaximum,
        20 => Operator::FloatMinimum,
        21 => Operator::FloatMaximumNumberIeee,
        22 => Operator::FloatMinimumNumberIeee,
        _ => return Err(Problem::Invalid("an unknown atomic operation")),
    };
    Ok(operator)
}

fn is_float_operator(operator: ReadModifyWriteOperator) -> bool {
    use ReadModifyWriteOperator as Operator;
    matches!(
        operator,
        Operator::FloatAdd
            | Operator::FloatSubtract
            | Operator::FloatMaximumNumber
            | Operator::FloatMinimumNumber
            | Operator::FloatMaximum
            | Operator::FloatMinimum
            | Operator::FloatMaximumNumberIeee
            | Operator::FloatMinimumNumberIeee
    )
}
