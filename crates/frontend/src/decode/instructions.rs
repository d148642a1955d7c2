//! Instructions: which record is which, arithmetic, and the numbers of operators, flags and predicates.

mod calls;
mod control;
mod memory;

use llvm_bitcode::schema::blocks::FunctionCode;

use crate::module::{
    ArithmeticFlags, BinaryOperator, BlockId, CastOperator, ElementPointerFlags, FastMath, FloatPredicate,
    InstructionKind, IntegerPredicate, Type, TypeId, Value,
};

use super::Problem;
use super::function::FunctionDecoder;
use super::module_block::ModuleDecoder;
use super::operands::{Operands, to_u32};
use super::rules;

/// An instruction and the type of its result.
type Decoded = Result<(InstructionKind, TypeId), Problem>;

/// One instruction record being read.
pub(super) struct InstructionReader<'s, 'a, 'r> {
    pub function: &'s mut FunctionDecoder,
    pub module: &'s mut ModuleDecoder<'a>,
    pub operands: Operands<'r>,
}

impl InstructionReader<'_, '_, '_> {
    /// Decodes the record.
    pub fn instruction(&mut self, code: FunctionCode) -> Decoded {
        use FunctionCode as Code;
        #[allow(deprecated, reason = "old files have old records")]
        match code {
            Code::UnOp => self.unary(),
            Code::BinOp => self.binary(),
            Code::Cast => self.cast(),
            Code::Gep => self.element_pointer(),
            Code::SelectOld => self.old_select(),
            Code::Vselect => self.select(),
            Code::ExtractElt => self.extract_element(),
            Code::InsertElt => self.insert_element(),
            Code::ShuffleVec => self.shuffle_vector(),
            Code::Cmp | Code::Cmp2 => self.compare(),
            Code::ExtractVal => self.extract_value(),
            Code::InsertVal => self.insert_value(),
            Code::Freeze => {
                let (operand, ty) = self.pair()?;
                Ok((InstructionKind::Freeze { operand }, ty))
            }
            Code::Phi => self.phi(),
            Code::Ret => self.return_(),
            Code::Br => self.branch(),
            Code::Switch => self.switch(),
            Code::IndirectBr => self.indirect_branch(),
            Code::Unreachable => self.no_result(InstructionKind::Unreachable),
            Code::Resume => {
                let (value, _) = self.pair()?;
                self.no_result(InstructionKind::Resume { value })
            }
            Code::LandingPad | Code::LandingPadOld => self.landing_pad(code),
            Code::CleanupRet => self.cleanup_return(),
            Code::CatchRet => self.catch_return(),
            Code::CatchSwitch => self.catch_switch(),
            Code::CatchPad | Code::CleanupPad => self.pad(code),
            Code::Call => self.call(),
            Code::Invoke => self.invoke(),
            Code::CallBr => self.call_branch(),
            Code::VaArg => self.variable_argument(),
            Code::Alloca => self.alloca(),
            Code::Load | Code::LoadAtomic => self.load(code == Code::LoadAtomic),
            Code::Store | Code::StoreAtomic => self.store(code == Code::StoreAtomic),
            Code::Fence => self.fence(),
            Code::AtomicCmpXchg => self.compare_exchange(),
            Code::AtomicRmw | Code::AtomicRmwOld => self.read_modify_write(code),
            Code::GepOld | Code::InboundsGepOld | Code::StoreOld | Code::StoreAtomicOld | Code::CmpXchgOld => {
                Err(Problem::Unsupported("an instruction in the form it had before LLVM 4"))
            }
            _ => Err(Problem::UnknownRecord(code as u32)),
        }
    }

    // What records are made of.

    fn no_result(&self, kind: InstructionKind) -> Decoded {
        Ok((kind, self.module.module.types.void_type()))
    }

    /// A value, whose type is known or comes with it.
    fn pair(&mut self) -> Result<(Value, TypeId), Problem> {
        self.function.value_with_type(self.module, &mut self.operands)
    }

    /// A value that must have this type.
    fn value(&mut self, expected: TypeId) -> Result<Value, Problem> {
        let number = self.function.next_number().wrapping_sub(self.operands.take()? as u32);
        self.function.typed_value(self.module, number, expected)
    }

    /// A type.
    fn ty(&mut self) -> Result<TypeId, Problem> {
        self.module.type_at(self.operands.take()?)
    }

    fn intern(&mut self, ty: Type) -> TypeId {
        self.module.module.types.intern(ty)
    }

    /// A block of the function.
    fn block(&mut self) -> Result<BlockId, Problem> {
        let index = self.operands.take()?;
        self.block_at(index)
    }

    fn block_at(&self, index: u64) -> Result<BlockId, Problem> {
        if index >= u64::from(self.function.block_count) {
            return Err(Problem::NoSuch { what: "block", index });
        }
        Ok(BlockId::from_u32(to_u32(index)?))
    }

    /// A pointer that is not a vector.
    fn pointer(&mut self) -> Result<Value, Problem> {
        let (pointer, ty) = self.pair()?;
        match self.module.module.types[ty] {
            Type::Pointer { .. } => Ok(pointer),
            _ => Err(Problem::Invalid("an address that is no pointer")),
        }
    }

    // Arithmetic.

    /// `[operand, operator, flags?]`
    fn unary(&mut self) -> Decoded {
        let (operand, ty) = self.pair()?;
        if self.operands.take()? != 0 {
            return Err(Problem::Invalid("an unknown operator"));
        }
        let ty = rules::negate(&self.module.module.types, ty)?;
        let fast = fast_math(self.operands.or_zero());
        Ok((InstructionKind::Negate { operand, fast }, ty))
    }

    /// `[left, right, operator, flags?]`
    fn binary(&mut self) -> Decoded {
        let (left, ty) = self.pair()?;
        let right = self.value(ty)?;
        let operator = binary_operator(self.operands.take()?, self.module.is_float(ty))?;
        let ty = rules::binary(&self.module.module.types, operator, ty, ty)?;
        let flags = binary_flags(operator, self.operands.or_zero());
        Ok((InstructionKind::Binary { operator, left, right, flags }, ty))
    }

    /// `[operand, type, operator, flags?]`
    fn cast(&mut self) -> Decoded {
        let (operand, from) = self.pair()?;
        let to = self.ty()?;
        let operator = cast_operator(self.operands.take()?)?;
        let ty = rules::cast(&self.module.module.types, operator, from, to)?;
        let bits = self.operands.or_zero();
        let mut flags = ArithmeticFlags::default();
        let mut non_negative = false;
        match operator {
            CastOperator::ZeroExtend => non_negative = bits & 1 != 0,
            CastOperator::UnsignedToFloat => {
                non_negative = bits & 1 != 0;
                flags.fast = fast_math(bits >> 1);
            }
            CastOperator::Truncate => {
                flags.no_unsigned_wrap = bits & 1 != 0;
                flags.no_signed_wrap = bits & 2 != 0;
            }
            _ => flags.fast = fast_math(bits),
        }
        Ok((InstructionKind::Cast { operator, operand, non_negative, flags }, ty))
    }

    /// `[flags, source type, base, indices…]`
    fn element_pointer(&mut self) -> Decoded {
        let flags = element_pointer_flags(self.operands.take()?);
        let source_type = self.ty()?;
        let (base, base_type) = self.pair()?;
        let mut indices = Vec::with_capacity(self.operands.len());
        let mut kinds = Vec::with_capacity(self.operands.len());
        while !self.operands.is_empty() {
            let (index, ty) = self.pair()?;
            indices.push(index);
            kinds.push((ty, index));
        }
        let module = &mut self.module.module;
        let constants = &module.constants;
        let kinds = kinds.into_iter().map(|(ty, index)| match index {
            Value::Constant(constant) => (ty, rules::small_integer(constants, constant)),
            _ => (ty, None),
        });
        let ty = rules::element_pointer(&mut module.types, source_type, base_type, kinds)?;
        Ok((InstructionKind::ElementPointer { source_type, base, indices: indices.into(), flags }, ty))
    }

    /// `[if true, if false, condition]`, the condition being an `i1`.
    fn old_select(&mut self) -> Decoded {
        let (if_true, ty) = self.pair()?;
        let if_false = self.value(ty)?;
        let truth = self.intern(Type::Integer { width: 1 });
        let condition = self.value(truth)?;
        let ty = rules::select(&mut self.module.module.types, truth, ty, ty)?;
        Ok((InstructionKind::Select { condition, if_true, if_false, fast: FastMath::default() }, ty))
    }

    /// `[if true, if false, condition with type, flags?]`
    fn select(&mut self) -> Decoded {
        let (if_true, ty) = self.pair()?;
        let if_false = self.value(ty)?;
        let (condition, condition_type) = self.pair()?;
        let ty = rules::select(&mut self.module.module.types, condition_type, ty, ty)?;
        let fast = fast_math(self.operands.or_zero());
        Ok((InstructionKind::Select { condition, if_true, if_false, fast }, ty))
    }

    /// `[vector, index]`
    fn extract_element(&mut self) -> Decoded {
        let (vector, vector_type) = self.pair()?;
        let (index, index_type) = self.pair()?;
        let ty = rules::extract_element(&self.module.module.types, vector_type, index_type)?;
        Ok((InstructionKind::ExtractElement { vector, index }, ty))
    }

    /// `[vector, element, index]`
    fn insert_element(&mut self) -> Decoded {
        let (vector, ty) = self.pair()?;
        let Some((element_type, _)) = self.module.module.types.vector(ty) else {
            return Err(Problem::Invalid("an element put into something that is no vector"));
        };
        let element = self.value(element_type)?;
        let (index, index_type) = self.pair()?;
        let ty = rules::insert_element(&self.module.module.types, ty, element_type, index_type)?;
        Ok((InstructionKind::InsertElement { vector, element, index }, ty))
    }

    /// `[left, right, mask]`, the mask being a constant.
    fn shuffle_vector(&mut self) -> Decoded {
        let (left, ty) = self.pair()?;
        let right = self.value(ty)?;
        let (Value::Constant(mask), _) = self.pair()? else {
            return Err(Problem::Invalid("a shuffle mask that is no constant"));
        };
        let mask = self.module.shuffle_mask(mask)?;
        let ty = rules::shuffle(&mut self.module.module.types, ty, ty, &mask)?;
        Ok((InstructionKind::ShuffleVector { left, right, mask }, ty))
    }

    /// `[left, right, predicate, flags?]`
    fn compare(&mut self) -> Decoded {
        let (left, ty) = self.pair()?;
        let right = self.value(ty)?;
        let predicate = self.operands.take()?;
        let flags = self.operands.or_zero();
        if self.module.is_float(ty) {
            let ty = rules::float_compare(&mut self.module.module.types, ty, ty)?;
            let predicate = float_predicate(predicate)?;
            return Ok((InstructionKind::FloatCompare { predicate, left, right, fast: fast_math(flags) }, ty));
        }
        let ty = rules::integer_compare(&mut self.module.module.types, ty, ty)?;
        let predicate = integer_predicate(predicate)?;
        Ok((InstructionKind::IntegerCompare { predicate, left, right, same_sign: flags & 1 != 0 }, ty))
    }

    /// `[aggregate, indices…]`
    fn extract_value(&mut self) -> Decoded {
        let (aggregate, ty) = self.pair()?;
        let indices = self.plain_indices()?;
        let ty = rules::part_of_aggregate(&self.module.module.types, ty, &indices)?;
        Ok((InstructionKind::ExtractValue { aggregate, indices }, ty))
    }

    /// `[aggregate, value, indices…]`
    fn insert_value(&mut self) -> Decoded {
        let (aggregate, ty) = self.pair()?;
        let (value, value_type) = self.pair()?;
        let indices = self.plain_indices()?;
        if rules::part_of_aggregate(&self.module.module.types, ty, &indices)? != value_type {
            return Err(Problem::Invalid("a value put into a place of another type"));
        }
        Ok((InstructionKind::InsertValue { aggregate, value, indices }, ty))
    }

    fn plain_indices(&mut self) -> Result<Box<[u32]>, Problem> {
        self.operands.rest().iter().map(|&index| to_u32(index)).collect()
    }
}

pub(super) fn fast_math(bits: u64) -> FastMath {
    // The lowest bit is an old way to say all of them.
    FastMath(if bits & 1 != 0 { FastMath::FAST } else { bits as u8 })
}

pub(super) fn binary_operator(number: u64, float: bool) -> Result<BinaryOperator, Problem> {
    use BinaryOperator as Operator;
    let operator = match (number, float) {
        (0, false) => Operator::Add,
        (1, false) => Operator::Subtract,
        (2, false) => Operator::Multiply,
        (3, false) => Operator::UnsignedDivide,
        (4, false) => Operator::SignedDivide,
        (5, false) => Operator::UnsignedRemainder,
        (6, false) => Operator::SignedRemainder,
        (7, false) => Operator::ShiftLeft,
        (8, false) => Operator::LogicalShiftRight,
        (9, false) => Operator::ArithmeticShiftRight,
        (10, false) => Operator::And,
        (11, false) => Operator::Or,
        (12, false) => Operator::Xor,
        (0, true) => Operator::FloatAdd,
        (1, true) => Operator::FloatSubtract,
        (2, true) => Operator::FloatMultiply,
        (4, true) => Operator::FloatDivide,
        (6, true) => Operator::FloatRemainder,
        _ => return Err(Problem::Invalid("an unknown operator")),
    };
    Ok(operator)
}

pub(super) fn binary_flags(operator: BinaryOperator, bits: u64) -> ArithmeticFlags {
    use BinaryOperator as Operator;
    let mut flags = ArithmeticFlags::default();
    match operator {
        Operator::Add | Operator::Subtract | Operator::Multiply | Operator::ShiftLeft => {
            flags.no_unsigned_wrap = bits & 1 != 0;
            flags.no_signed_wrap = bits & 2 != 0;
        }
        Operator::UnsignedDivide
        | Operator::SignedDivide
        | Operator::LogicalShiftRight
        | Operator::ArithmeticShiftRight => flags.exact = bits & 1 != 0,
        Operator::Or => flags.disjoint = bits & 1 != 0,
        Operator::UnsignedRemainder | Operator::SignedRemainder | Operator::And | Operator::Xor => {}
        Operator::FloatAdd
        | Operator::FloatSubtract
        | Operator::FloatMultiply
        | Operator::FloatDivide
        | Operator::FloatRemainder => flags.fast = fast_math(bits),
    }
    flags
}

pub(super) fn cast_operator(number: u64) -> Result<CastOperator, Problem> {
    use CastOperator as Operator;
    let operator = match number {
        0 => Operator::Truncate,
        1 => Operator::ZeroExtend,
        2 => Operator::SignExtend,
        3 => Operator::FloatToUnsigned,
        4 => Operator::FloatToSigned,
        5 => Operator::UnsignedToFloat,
        6 => Operator::SignedToFloat,
        7 => Operator::FloatTruncate,
        8 => Operator::FloatExtend,
        9 => Operator::PointerToInteger,
        10 => Operator::IntegerToPointer,
        11 => Operator::Bitcast,
        12 => Operator::AddressSpaceCast,
        13 => Operator::PointerToAddress,
        _ => return Err(Problem::Invalid("an unknown conversion")),
    };
    Ok(operator)
}

pub(super) fn element_pointer_flags(bits: u64) -> ElementPointerFlags {
    let inbounds = bits & 1 != 0;
    ElementPointerFlags {
        inbounds,
        no_unsigned_signed_wrap: inbounds || bits & 2 != 0,
        no_unsigned_wrap: bits & 4 != 0,
    }
}

pub(super) fn integer_predicate(number: u64) -> Result<IntegerPredicate, Problem> {
    use IntegerPredicate as Predicate;
    let predicate = match number {
        32 => Predicate::Equal,
        33 => Predicate::NotEqual,
        34 => Predicate::UnsignedGreater,
        35 => Predicate::UnsignedGreaterOrEqual,
        36 => Predicate::UnsignedLess,
        37 => Predicate::UnsignedLessOrEqual,
        38 => Predicate::SignedGreater,
        39 => Predicate::SignedGreaterOrEqual,
        40 => Predicate::SignedLess,
        41 => Predicate::SignedLessOrEqual,
        _ => return Err(Problem::Invalid("an unknown comparison of integers")),
    };
    Ok(predicate)
}

pub(super) fn float_predicate(number: u64) -> Result<FloatPredicate, Problem> {
    if number > 15 {
        return Err(Problem::Invalid("an unknown comparison of floats"));
    }
    Ok(FloatPredicate {
        equal: number & 1 != 0,
        greater: number & 2 != 0,
        less: number & 4 != 0,
        unordered: number & 8 != 0,
    })
}
