//! Memory: stack objects, loads and stores, one for each scalar of the value moved.

use symcrete_ir::{BinaryOp, CastOp, Inst, Operand, Type, WrapFlags};

use super::function::FunctionLowering;
use super::lanes::{Arithmetic, wide_integer};
use super::types::Piece;
use super::{Result, malformed, too_large};
use crate::module::{Instruction, Type as LlvmType, TypeId, Value};

impl FunctionLowering<'_, '_> {
    pub fn alloca(
        &mut self,
        instruction: &Instruction,
        allocated: TypeId,
        count: Value,
        alignment: Option<u64>,
    ) -> Result<()> {
        let layout = self.unit.types.layout(allocated)?;
        let (size, align) = (layout.size, alignment.unwrap_or(layout.align).max(1));
        if !align.is_power_of_two() {
            return Err(malformed("an alignment that is no power of two"));
        }
        let mut count = self.scalar(count)?;
        let ty = self.type_of(count);
        if !ty.is_int() {
            return Err(malformed("a number of stack objects that is no integer"));
        }
        if ty.bits(0) > 64 {
            count = self.cast(CastOp::Trunc, ty, Type::I64, count)?;
        }
        let (count, element_bytes) = match u32::try_from(size) {
            Ok(bytes) => (count, bytes),
            Err(_) => (self.large_object(count, size)?, 1),
        };
        let dst = self.register(Type::POINTER);
        self.emit(Inst::Alloca { dst, count, element_bytes, align_log2: align.trailing_zeros() as u8 })?;
        self.define_one(instruction, dst.into())
    }

    /// The bytes of objects of more than 4 GiB each.
    fn large_object(&mut self, count: Operand, size: u64) -> Result<Operand> {
        if let Some(known) = self.lowering.known_integer(count) {
            let bytes = u64::try_from(known).ok().and_then(|known| known.checked_mul(size));
            return Ok(self.word(Type::I64, bytes.ok_or_else(|| too_large("a stack object"))?));
        }
        let ty = self.type_of(count);
        let wide = if ty == Type::I64 { count } else { self.cast(CastOp::ZeroExtend, ty, Type::I64, count)? };
        let size = self.word(Type::I64, size);
        self.integer(BinaryOp::Mul, WrapFlags::NONE, wide, size)
    }

    pub fn load(&mut self, instruction: &Instruction, pointer: Value, volatile: bool) -> Result<()> {
        if let Some(space) = self.segment(pointer) {
            return self.unsupported_call(instruction, space);
        }
        let address = self.scalar(pointer)?;
        if let Some(ty) = self.unit.types.scalar(instruction.ty)? {
            let loaded = self.load_scalar(ty, address, volatile)?;
            return self.define_one(instruction, loaded);
        }
        let loaded = self.load_value(instruction.ty, address, volatile)?;
        self.define(instruction, &loaded)
    }

    pub fn store(&mut self, pointer: Value, value: Value, volatile: bool) -> Result<()> {
        if let Some(space) = self.segment(pointer) {
            return self.emit_unsupported(space);
        }
        let address = self.scalar(pointer)?;
        let ty = self.type_id(value);
        if self.unit.types.scalar(ty)?.is_some() {
            let value = self.scalar(value)?;
            return self.store_scalar(address, value, volatile);
        }
        let operands = self.list(value)?;
        self.store_value(ty, address, &operands, volatile)
    }

    /// What to say about accesses through the segment registers of x86, which have no memory here.
    fn segment(&self, pointer: Value) -> Option<&'static str> {
        let element = self.unit.types.table.scalar_of(self.type_id(pointer));
        match self.unit.types.table[element] {
            LlvmType::Pointer { address_space: 256 } => Some("memory addressed by the register gs"),
            LlvmType::Pointer { address_space: 257 } => Some("memory addressed by the register fs"),
            LlvmType::Pointer { address_space: 258 } => Some("memory addressed by the register ss"),
            _ => None,
        }
    }

    pub fn load_scalar(&mut self, ty: Type, address: Operand, volatile: bool) -> Result<Operand> {
        self.check_address(address)?;
        let dst = self.register(ty);
        self.emit(Inst::Load { ty, dst, address, volatile })?;
        Ok(dst.into())
    }

    pub fn store_scalar(&mut self, address: Operand, value: Operand, volatile: bool) -> Result<()> {
        self.check_address(address)?;
        let ty = self.type_of(value);
        self.emit(Inst::Store { ty, address, value, volatile })
    }

    fn check_address(&self, address: Operand) -> Result<()> {
        if self.type_of(address).is_pointer() { Ok(()) } else { Err(malformed("an access to what is no address")) }
    }

    /// All scalars of a value of this type, from where it lies in memory.
    pub fn load_value(&mut self, ty: TypeId, address: Operand, volatile: bool) -> Result<Vec<Operand>> {
        let shape = self.lowering.shape(self.unit_index, ty)?;
        let mut loaded = Vec::with_capacity(shape.scalars.len());
        for Piece { offset, first, lanes } in shape.pieces.iter().copied() {
            let address = self.offset_address(address, offset)?;
            let types = &shape.scalars[first as usize..(first + lanes) as usize];
            if let [ty] = types {
                loaded.push(self.load_scalar(*ty, address, volatile)?);
                continue;
            }
            let whole = self.load_scalar(packed(types)?, address, volatile)?;
            loaded.extend(self.split(whole, types)?);
        }
        Ok(loaded)
    }

    pub fn store_value(&mut self, ty: TypeId, address: Operand, operands: &[Operand], volatile: bool) -> Result<()> {
        let shape = self.lowering.shape(self.unit_index, ty)?;
        if shape.scalars.len() != operands.len() {
            return Err(malformed("a stored value that does not fit its type"));
        }
        for Piece { offset, first, lanes } in shape.pieces.iter().copied() {
            let address = self.offset_address(address, offset)?;
            let operands = &operands[first as usize..(first + lanes) as usize];
            let value = match operands {
                [operand] => *operand,
                lanes => self.join(lanes)?,
            };
            self.store_scalar(address, value, volatile)?;
        }
        Ok(())
    }
}

/// The integer in which lanes that share bytes lie in memory.
fn packed(lanes: &[Type]) -> Result<Type> {
    wide_integer(lanes.iter().map(|lane| u32::from(lane.bits(64))).sum())
}
