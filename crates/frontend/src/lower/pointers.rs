//! Address arithmetic: `getelementptr` as base + constant + scaled indices.

use symcrete_ir::{AddressTerm, Inst, Operand, Type};

use super::function::FunctionLowering;
use super::lanes::Arithmetic;
use super::types::Types;
use super::{Result, malformed, too_large};
use crate::module::{Instruction, Type as LlvmType, TypeId, Value};

/// Follows the indices of address arithmetic through the types that they select.
pub(crate) struct Walk<'t, 'a> {
    types: &'t Types<'a>,
    ty: TypeId,
    first: bool,
    fields: i64,
}

impl<'t, 'a> Walk<'t, 'a> {
    pub fn new(types: &'t Types<'a>, source: TypeId) -> Self {
        Walk { types, ty: source, first: true, fields: 0 }
    }

    /// What the next index is to be multiplied by; 0 if it selects a field, whose offset is then part of `fields`.
    pub fn step(&mut self, known: Option<i64>) -> Result<i64> {
        if std::mem::replace(&mut self.first, false) {
            return self.stride(self.ty);
        }
        match &self.types.table[self.ty] {
            LlvmType::Array { element, .. } | LlvmType::Vector { element, .. } => {
                self.ty = *element;
                self.stride(self.ty)
            }
            LlvmType::Struct(structure) => {
                let index = known.and_then(|known| usize::try_from(known).ok());
                let index = index.ok_or_else(|| malformed("a field whose number is not known"))?;
                let offset = self.types.layout(self.ty)?.offsets.get(index);
                let (Some(offset), Some(field)) = (offset, structure.fields.get(index)) else {
                    return Err(malformed("a field that is not there"));
                };
                self.fields = self.fields.wrapping_add(*offset as i64);
                self.ty = *field;
                Ok(0)
            }
            _ => Err(malformed("an index into something without elements")),
        }
    }

    fn stride(&self, ty: TypeId) -> Result<i64> {
        i64::try_from(self.types.layout(ty)?.size).map_err(|_| too_large("an array element"))
    }

    /// The sum of the offsets of the fields selected so far.
    pub fn fields(&self) -> i64 {
        self.fields
    }
}

impl FunctionLowering<'_, '_> {
    pub fn element_pointer(
        &mut self,
        instruction: &Instruction,
        source: TypeId,
        base: Value,
        indices: &[Value],
    ) -> Result<()> {
        let scalar = self.unit.types.scalar(instruction.ty)?.is_some();
        if scalar {
            let base = self.scalar(base)?;
            let address = self.address(source, base, indices, 0)?;
            return self.define_one(instruction, address);
        }
        let count = self.unit.types.count(instruction.ty) as usize;
        self.spend(count)?;
        let bases = self.list(base)?;
        let mut addresses = Vec::with_capacity(count);
        for lane in 0..count {
            let base = pick(&bases, lane)?;
            addresses.push(self.address(source, base, indices, lane)?);
        }
        self.define(instruction, &addresses)
    }

    /// The address that one lane of the indices selects.
    fn address(&mut self, source: TypeId, base: Operand, indices: &[Value], lane: usize) -> Result<Operand> {
        if !self.type_of(base).is_pointer() {
            return Err(malformed("address arithmetic on something that is no address"));
        }
        let unit = self.unit;
        let mut walk = Walk::new(&unit.types, source);
        let mut offset = 0i64;
        let first_term = self.body.address_terms.len();
        for index in indices {
            let index = self.lane(*index, lane)?;
            let known = self.lowering.known_integer(index);
            let scale = walk.step(known)?;
            match known {
                Some(known) => offset = offset.wrapping_add(known.wrapping_mul(scale)),
                None if scale == 0 => {}
                None => self.push_term(index, scale)?,
            }
        }
        self.finish_address(base, offset.wrapping_add(walk.fields()), first_term)
    }

    fn push_term(&mut self, index: Operand, scale: i64) -> Result<()> {
        let ty = self.type_of(index);
        if !ty.is_int() {
            return Err(malformed("an index that is no integer"));
        }
        self.body.address_terms.push(AddressTerm { index, ty, scale });
        Ok(())
    }

    /// Emits the sum of a base, a number, and the terms pushed since `first_term`.
    fn finish_address(&mut self, base: Operand, offset: i64, first_term: usize) -> Result<Operand> {
        // On 32-bit targets addresses wrap, so that every offset fits.
        let offset = if self.pointer_bits() == 32 { i64::from(offset as i32) } else { offset };
        let no_terms = self.body.address_terms.len() == first_term;
        if no_terms && base.as_const().is_some() {
            return self.lowering.constant_offset(base, offset);
        }
        let short = match i32::try_from(offset) {
            Ok(short) => short,
            Err(_) => {
                let index = self.word(Type::I64, offset as u64);
                self.body.address_terms.push(AddressTerm { index, ty: Type::I64, scale: 1 });
                0
            }
        };
        let count = self.body.address_terms.len() - first_term;
        if count == 0 && short == 0 {
            return Ok(base);
        }
        let terms = u16::try_from(count).map_err(|_| too_large("address arithmetic"))?;
        let first_term = u32::try_from(first_term).map_err(|_| too_large("address arithmetic"))?;
        let dst = self.register(Type::POINTER);
        self.emit(Inst::Address { dst, base, offset: short, first_term, terms })?;
        Ok(dst.into())
    }

    /// `base + index`, the index sign-extended.
    pub fn sum_address(&mut self, base: Operand, index: Operand) -> Result<Operand> {
        let first_term = self.body.address_terms.len();
        self.push_term(index, 1)?;
        self.finish_address(base, 0, first_term)
    }

    /// `base + offset`.
    pub fn offset_address(&mut self, base: Operand, offset: u64) -> Result<Operand> {
        let first_term = self.body.address_terms.len();
        self.finish_address(base, offset as i64, first_term)
    }
}

/// A lane of a vector, or the scalar that stands for all lanes.
pub(crate) fn pick(lanes: &[Operand], lane: usize) -> Result<Operand> {
    let found = if lanes.len() == 1 { lanes.first() } else { lanes.get(lane) };
    found.copied().ok_or_else(|| malformed("vectors of different lengths"))
}
