//! Constants of modules and functions. Operands may come later in the same block; so their types are checked when the
//! block has ended (`constant_checks`), and that they form no cycle when the module has (`checks`).

use llvm_bitcode::schema::blocks::ConstantsCodes;

use crate::bitstream::Record;
use crate::module::{
    BlockId, Constant, ConstantExpression, ConstantId, ConstantKind, FloatKind, InlineAssembly, Type, TypeId,
};

use super::Problem;
use super::attributes::skip_range;
use super::instructions::{
    binary_flags, binary_operator, cast_operator, element_pointer_flags, float_predicate, integer_predicate,
};
use super::module_block::ModuleDecoder;
use super::operands::{Operands, signed, text, to_u32};

/// Wider integers occur in no known program; their constants would cost much memory for few bits of the file.
const MAXIMUM_CONSTANT_WIDTH: u32 = 4096;

/// How numbers of the file become constants while a block of constants is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct ConstantNumbers {
    /// Values of the module: their numbers are those of constants.
    pub module_values: u32,
    /// The number that the function's first constant has; those between belong to its arguments.
    pub first_local: u32,
    /// Which constant that is.
    pub first_local_constant: u32,
}

impl ConstantNumbers {
    fn constant(self, index: u64) -> Result<ConstantId, Problem> {
        let index = to_u32(index)?;
        if index < self.module_values {
            return Ok(ConstantId::from_u32(index));
        }
        let local = index.checked_sub(self.first_local).ok_or(Problem::Invalid("a constant made of an argument"))?;
        let id = self.first_local_constant.checked_add(local).filter(|&id| id != u32::MAX);
        id.map(ConstantId::from_u32).ok_or(Problem::NoSuch { what: "value", index: index.into() })
    }
}

/// The state of one block of constants.
struct ConstantBlock {
    numbers: ConstantNumbers,
    /// The type of the constants that follow, and its index in the file.
    ty: TypeId,
    file_type: Option<u64>,
    /// Shuffle expressions and their masks, which are constants that may come later.
    masks: Vec<(ConstantId, ConstantId)>,
}

impl<'a> ModuleDecoder<'a> {
    /// Reads the module's block of constants, which has just been entered.
    pub(super) fn read_module_constants(&mut self, record: &mut Record<'a>) -> Result<(), Problem> {
        let numbers =
            ConstantNumbers { module_values: u32::MAX, first_local: u32::MAX, first_local_constant: u32::MAX };
        self.read_constants(numbers, record)
    }

    /// Reads a block of constants, which has just been entered.
    pub(super) fn read_constants(&mut self, numbers: ConstantNumbers, record: &mut Record<'a>) -> Result<(), Problem> {
        let ty = self.module.types.intern(Type::Integer { width: 32 });
        let mut block = ConstantBlock { numbers, ty, file_type: None, masks: Vec::new() };
        let first = self.module.constants.len();
        while self.reader.next_record(record)? {
            if let Some(kind) = self.read_constant(record, &mut block)? {
                self.module.constants.push(Constant { ty: block.ty, kind });
            }
        }
        for (shuffle, mask) in block.masks {
            self.finish_shuffle(shuffle, mask)?;
        }
        self.check_constant_types(first)
    }

    /// Reads one record; `None` if it makes no constant.
    fn read_constant(
        &mut self,
        record: &Record<'_>,
        block: &mut ConstantBlock,
    ) -> Result<Option<ConstantKind>, Problem> {
        use ConstantsCodes as Code;
        let code = u8::try_from(record.code).ok().and_then(|code| Code::try_from(code).ok());
        let code = code.ok_or(Problem::UnknownRecord(record.code))?;
        let mut operands = Operands::new(&record.values);
        #[allow(deprecated, reason = "old files have old records")]
        let kind = match code {
            Code::Settype => {
                let index = operands.take()?;
                block.ty = self.type_at(index)?;
                block.file_type = Some(index);
                if !self.module.types[block.ty].is_first_class() {
                    return Err(Problem::Invalid("constants of a type that has none"));
                }
                return Ok(None);
            }
            Code::Null => ConstantKind::Null,
            Code::Undef => ConstantKind::Undef,
            Code::Poison => ConstantKind::Poison,
            Code::Integer | Code::WideInteger => self.integer(block.ty, operands, code == Code::WideInteger)?,
            Code::Float => self.float(block.ty, operands)?,
            Code::Aggregate => {
                let elements = operands.rest().iter().map(|&index| block.numbers.constant(index));
                ConstantKind::Aggregate(elements.collect::<Result<_, _>>()?)
            }
            Code::String => ConstantKind::Data(record.values.iter().map(|&value| value as u8).collect()),
            Code::CString => {
                let terminated = record.values.iter().chain([&0]);
                ConstantKind::Data(terminated.map(|&value| value as u8).collect())
            }
            Code::Data => self.data(block.ty, operands.rest())?,
            Code::BlockAddress => {
                let _function_type = operands.take()?;
                let function = self.global_operand(operands.take()?)?;
                let number = operands.take_u32()?;
                ConstantKind::BlockAddress { function, block: BlockId::from_u32(number.min(u32::MAX - 1)) }
            }
            Code::DsoLocalEquivalent | Code::NoCfiValue => {
                let _type = operands.take()?;
                let global = self.global_operand(operands.take()?)?;
                match code {
                    Code::NoCfiValue => ConstantKind::NoCfi(global),
                    _ => ConstantKind::DsoLocalEquivalent(global),
                }
            }
            Code::InlineasmOld | Code::InlineAsmOld2 | Code::InlineAsmOld3 | Code::InlineAsm => {
                self.inline_assembly(code, operands, block)?
            }
            Code::PtrAuth => return Err(Problem::Unsupported("signed pointers")),
            _ => ConstantKind::Expression(Box::new(self.expression(code, operands, block)?)),
        };
        Ok(Some(kind))
    }

    fn global_operand(&self, index: u64) -> Result<crate::module::GlobalId, Problem> {
        let constant = self.module_constant(index)?;
        self.module.global_of(constant).ok_or(Problem::Invalid("a value that should be a global"))
    }

    fn integer(&self, ty: TypeId, mut operands: Operands<'_>, wide: bool) -> Result<ConstantKind, Problem> {
        let scalar = self.module.types.scalar_of(ty);
        let Type::Integer { width } = self.module.types[scalar] else {
            return Err(Problem::Invalid("an integer constant of another type"));
        };
        let kind = if width <= 64 {
            let mask = u64::MAX >> (64 - width);
            ConstantKind::Integer(signed(operands.take()?) as u64 & mask)
        } else if width > MAXIMUM_CONSTANT_WIDTH {
            return Err(Problem::Unsupported("integer constants of more than 4096 bits"));
        } else {
            let mut words = vec![0; width.div_ceil(64) as usize];
            if operands.is_empty() || operands.len() > words.len() {
                return Err(Problem::Invalid("an integer constant of another width than its type"));
            }
            for (word, value) in words.iter_mut().zip(operands.rest()) {
                *word = signed(*value) as u64;
            }
            if !wide && words[0] >> 63 == 1 {
                words[1..].fill(u64::MAX);
            }
            if let Some(last) = words.last_mut()
                && !width.is_multiple_of(64)
            {
                *last &= u64::MAX >> (64 - width % 64);
            }
            ConstantKind::WideInteger(words.into())
        };
        Ok(if scalar == ty { kind } else { ConstantKind::Splat(Box::new(kind)) })
    }

    fn float(&self, ty: TypeId, mut operands: Operands<'_>) -> Result<ConstantKind, Problem> {
        let scalar = self.module.types.scalar_of(ty);
        let Type::Float(format) = self.module.types[scalar] else {
            return Err(Problem::Invalid("a float constant of another type"));
        };
        let first = operands.take()?;
        let kind = match format {
            FloatKind::Half | FloatKind::BFloat => ConstantKind::Float(first & 0xffff),
            FloatKind::Float => ConstantKind::Float(first & 0xffff_ffff),
            FloatKind::Double => ConstantKind::Float(first),
            // The 64 bits of the significand's top and the exponent come first.
            FloatKind::X86Fp80 => {
                ConstantKind::WideFloat(Box::new(u128::from(first) << 16 | u128::from(operands.take()? & 0xffff)))
            }
            FloatKind::Fp128 | FloatKind::PpcFp128 => {
                ConstantKind::WideFloat(Box::new(u128::from(operands.take()?) << 64 | u128::from(first)))
            }
        };
        Ok(if scalar == ty { kind } else { ConstantKind::Splat(Box::new(kind)) })
    }

    fn data(&self, ty: TypeId, values: &[u64]) -> Result<ConstantKind, Problem> {
        let types = &self.module.types;
        let element = match types[ty] {
            Type::Array { element, .. } | Type::Vector { element, .. } => element,
            _ => return Err(Problem::Invalid("array data of another type")),
        };
        let size = match types[element] {
            Type::Integer { width: width @ (8 | 16 | 32 | 64) } => width / 8,
            Type::Float(format) if format.width() <= 64 => format.width() / 8,
            _ => return Err(Problem::Invalid("array data of elements that cannot be stored so")),
        };
        let bytes = values.iter().flat_map(|value| value.to_le_bytes().into_iter().take(size as usize));
        Ok(ConstantKind::Data(bytes.collect()))
    }

    /// `[function type?, flags, text length, text…, constraints length, constraints…]`
    fn inline_assembly(
        &self,
        code: ConstantsCodes,
        mut operands: Operands<'_>,
        block: &ConstantBlock,
    ) -> Result<ConstantKind, Problem> {
        let function_type = match (code, block.file_type) {
            (ConstantsCodes::InlineAsm, _) => Some(self.type_at(operands.take()?)?),
            (_, Some(index)) if self.file_type(index)?.pointee.is_some() => Some(self.pointee_at(index)?),
            _ => None,
        };
        if function_type.is_some_and(|ty| self.module.types.function(ty).is_none()) {
            return Err(Problem::Invalid("inline assembly whose type is no function type"));
        }
        let flags = operands.take()?;
        let length = operands.take()?;
        let assembly = text(operands.take_many(length)?);
        let length = operands.take()?;
        let constraints = text(operands.take_many(length)?);
        #[allow(deprecated, reason = "old files have old records")]
        let oldest = code == ConstantsCodes::InlineasmOld;
        Ok(ConstantKind::InlineAssembly(Box::new(InlineAssembly {
            function_type,
            text: assembly,
            constraints,
            side_effects: flags & 1 != 0,
            align_stack: flags & 2 != 0,
            intel_syntax: !oldest && flags & 4 != 0,
            can_unwind: !oldest && flags & 8 != 0,
        })))
    }

    fn expression(
        &mut self,
        code: ConstantsCodes,
        mut operands: Operands<'_>,
        block: &mut ConstantBlock,
    ) -> Result<ConstantExpression, Problem> {
        use ConstantsCodes as Code;
        let numbers = block.numbers;
        let constant = |operands: &mut Operands<'_>| operands.take().and_then(|index| numbers.constant(index));
        #[allow(deprecated, reason = "old files have old records")]
        let expression = match code {
            Code::UnOp => {
                if operands.take()? != 0 {
                    return Err(Problem::Invalid("an unknown operator"));
                }
                ConstantExpression::Negate(constant(&mut operands)?)
            }
            Code::BinOp => {
                let number = operands.take()?;
                let operator = binary_operator(number, self.is_float(block.ty))?;
                let (left, right) = (constant(&mut operands)?, constant(&mut operands)?);
                ConstantExpression::Binary { operator, left, right, flags: binary_flags(operator, operands.or_zero()) }
            }
            Code::Cast => {
                let operator = cast_operator(operands.take()?)?;
                let _type = operands.take()?;
                ConstantExpression::Cast { operator, operand: constant(&mut operands)? }
            }
            Code::Select => ConstantExpression::Select {
                condition: constant(&mut operands)?,
                if_true: constant(&mut operands)?,
                if_false: constant(&mut operands)?,
            },
            Code::ExtractElt => {
                let _type = operands.take()?;
                let vector = constant(&mut operands)?;
                skip_index_type(&mut operands)?;
                ConstantExpression::ExtractElement { vector, index: constant(&mut operands)? }
            }
            Code::InsertElt => {
                let (vector, element) = (constant(&mut operands)?, constant(&mut operands)?);
                skip_index_type(&mut operands)?;
                ConstantExpression::InsertElement { vector, element, index: constant(&mut operands)? }
            }
            Code::ShuffleVec | Code::ShufVecEx => {
                if code == Code::ShufVecEx {
                    operands.take()?;
                }
                let (left, right) = (constant(&mut operands)?, constant(&mut operands)?);
                block.masks.push((self.module.constants.next_key(), constant(&mut operands)?));
                ConstantExpression::ShuffleVector { left, right, mask: Box::new([]) }
            }
            Code::Cmp => {
                let ty = self.type_at(operands.take()?)?;
                let (left, right) = (constant(&mut operands)?, constant(&mut operands)?);
                let predicate = operands.take()?;
                if self.is_float(ty) {
                    ConstantExpression::FloatCompare { predicate: float_predicate(predicate)?, left, right }
                } else {
                    ConstantExpression::IntegerCompare { predicate: integer_predicate(predicate)?, left, right }
                }
            }
            _ => return self.element_pointer_expression(code, operands, numbers),
        };
        Ok(expression)
    }

    /// `[source type, flags?, range?, (type, value)…]`
    fn element_pointer_expression(
        &self,
        code: ConstantsCodes,
        mut operands: Operands<'_>,
        numbers: ConstantNumbers,
    ) -> Result<ConstantExpression, Problem> {
        use ConstantsCodes as Code;
        #[allow(deprecated, reason = "old files have old records")]
        let old = matches!(code, Code::GepOld | Code::InboundsGep);
        let source_type = if !old || operands.len() % 2 == 1 {
            self.type_at(operands.take()?)?
        } else {
            // The first operand is a pointer, whose type comes before it.
            self.pointee_at(*operands.rest().first().ok_or(Problem::MissingOperand)?)?
        };
        #[allow(deprecated, reason = "old files have old records")]
        let flags = match code {
            Code::GepOld => 0,
            Code::InboundsGep => 1,
            Code::GepWithInrangeIndexOld => operands.take()? & 1,
            Code::Gep => operands.take()?,
            Code::GepWithInrange => {
                let flags = operands.take()?;
                let width = operands.take()?;
                skip_range(&mut operands, width)?;
                flags
            }
            _ => return Err(Problem::UnknownRecord(code as u32)),
        };
        let mut values = Vec::with_capacity(operands.len() / 2);
        while !operands.is_empty() {
            let _type = operands.take()?;
            values.push(numbers.constant(operands.take()?)?);
        }
        let (&base, indices) = values.split_first().ok_or(Problem::MissingOperand)?;
        let flags = element_pointer_flags(flags);
        Ok(ConstantExpression::ElementPointer { source_type, base, indices: indices.into(), flags })
    }

    pub(super) fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.module.types[self.module.types.scalar_of(ty)], Type::Float(_))
    }

    /// Fills in the mask of a shuffle, now that it is known.
    fn finish_shuffle(&mut self, shuffle: ConstantId, mask: ConstantId) -> Result<(), Problem> {
        let picked = self.shuffle_mask(mask)?;
        if let ConstantKind::Expression(expression) = &mut self.module.constants[shuffle].kind
            && let ConstantExpression::ShuffleVector { mask, .. } = &mut **expression
        {
            *mask = picked;
        }
        Ok(())
    }

    /// The places that a constant vector of `i32` names, `None` for undefined ones.
    pub(super) fn shuffle_mask(&mut self, mask: ConstantId) -> Result<Box<[Option<u32>]>, Problem> {
        let wrong = Problem::Invalid("a shuffle mask that is no vector of integers");
        let ty = self.module.constants.get(mask).ok_or(wrong.clone())?.ty;
        let Some((element, length)) = self.module.types.vector(ty) else { return Err(wrong) };
        self.spend(length as usize * size_of::<Option<u32>>())?;
        let constant = &self.module.constants[mask];
        if self.module.types[element] != (Type::Integer { width: 32 }) {
            return Err(wrong);
        }
        let place = |kind: &ConstantKind| match kind {
            ConstantKind::Integer(value) => Ok(Some(*value as u32)),
            ConstantKind::Null => Ok(Some(0)),
            ConstantKind::Undef | ConstantKind::Poison => Ok(None),
            _ => Err(wrong.clone()),
        };
        match &constant.kind {
            ConstantKind::Aggregate(elements) => {
                let kind = |id: &ConstantId| self.module.constants.get(*id).ok_or(wrong.clone());
                elements.iter().map(|id| place(&kind(id)?.kind)).collect()
            }
            ConstantKind::Data(bytes) => {
                let words = bytes.chunks_exact(4).map(|word| {
                    // The chunks are exact.
                    let word = word.first_chunk::<4>().copied().unwrap_or_default();
                    Some(u32::from_le_bytes(word)).filter(|&place| place != u32::MAX)
                });
                Ok(words.collect())
            }
            ConstantKind::Splat(kind) => Ok(vec![place(kind)?; length as usize].into()),
            kind => Ok(vec![place(kind)?; length as usize].into()),
        }
    }
}

/// Newer records have the type of an index before it.
fn skip_index_type(operands: &mut Operands<'_>) -> Result<(), Problem> {
    if operands.len() >= 2 {
        operands.take()?;
    }
    Ok(())
}
