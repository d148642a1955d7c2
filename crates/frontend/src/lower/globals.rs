//! Initial contents of global variables: bytes, and addresses to be written over them.

use symcrete_ir::{Const, Constant, Initialiser, Operand, Relocation, Type};

use super::lanes::Arithmetic;
use super::types::Piece;
use super::{Lowering, Result, UnitIndex, malformed, too_large};
use crate::module::{ConstantId, ConstantKind, Type as LlvmType, TypeId};

/// An initialiser in the making. Bytes that are zero take no room at its end.
struct Image {
    size: u64,
    initialiser: Initialiser,
}

impl Lowering<'_> {
    /// The initial contents of a variable of this size.
    pub fn initialiser(&mut self, unit: UnitIndex, constant: ConstantId, size: u64) -> Result<Initialiser> {
        let mut image = Image { size, initialiser: Initialiser::default() };
        self.write(unit, &mut image, constant, 0)?;
        Ok(image.initialiser)
    }

    /// Writes a constant and, by recursion whose depth the decoder bounds, its parts.
    fn write(&mut self, unit: UnitIndex, image: &mut Image, id: ConstantId, offset: u64) -> Result<()> {
        self.caches[unit].budget.spend(1)?;
        let constant = &self.units[unit].module.constants[id];
        match &constant.kind {
            ConstantKind::Null | ConstantKind::Undef | ConstantKind::Poison => Ok(()),
            ConstantKind::Integer(bits) | ConstantKind::Float(bits) => {
                let Some(ty) = self.units[unit].types.scalar(constant.ty)? else {
                    return Err(malformed("a number of an aggregate type"));
                };
                let count = ty.store_bytes(self.pointer_bits()).min(8) as usize;
                self.put(unit, image, offset, &bits.to_le_bytes()[..count])
            }
            ConstantKind::Data(bytes) => self.put(unit, image, offset, bytes),
            ConstantKind::Aggregate(parts) => self.write_parts(unit, image, constant.ty, parts, offset),
            _ => {
                let operands = self.constant_list(unit, id)?;
                self.write_operands(unit, image, constant.ty, &operands, offset)
            }
        }
    }

    fn write_parts(
        &mut self,
        unit: UnitIndex,
        image: &mut Image,
        ty: TypeId,
        parts: &[ConstantId],
        offset: u64,
    ) -> Result<()> {
        let types = &self.units[unit].types;
        let place = |at: u64| offset.checked_add(at).ok_or_else(|| too_large("an initial value"));
        match &types.table[ty] {
            LlvmType::Struct(_) => {
                for (part, at) in parts.iter().zip(&types.layout(ty)?.offsets) {
                    self.write(unit, image, *part, place(*at)?)?;
                }
                Ok(())
            }
            LlvmType::Array { element, .. } => {
                let stride = types.layout(*element)?.size;
                for (part, at) in parts.iter().zip(0u64..) {
                    let at = at.checked_mul(stride).ok_or_else(|| too_large("an initial value"))?;
                    self.write(unit, image, *part, place(at)?)?;
                }
                Ok(())
            }
            _ => {
                let mut operands = Vec::with_capacity(parts.len());
                for part in parts {
                    operands.extend(self.constant_list(unit, *part)?);
                }
                self.write_operands(unit, image, ty, &operands, offset)
            }
        }
    }

    /// Writes scalars to where a value of this type has them.
    fn write_operands(
        &mut self,
        unit: UnitIndex,
        image: &mut Image,
        ty: TypeId,
        operands: &[Operand],
        offset: u64,
    ) -> Result<()> {
        let shape = self.shape(unit, ty)?;
        if operands.len() != shape.scalars.len() {
            return Err(malformed("an initial value that does not fit its type"));
        }
        for Piece { offset: at, first, lanes } in shape.pieces.iter().copied() {
            let at = offset.checked_add(at).ok_or_else(|| too_large("an initial value"))?;
            let operands = &operands[first as usize..(first + lanes) as usize];
            let value = match operands {
                [operand] => *operand,
                lanes => self.join(lanes)?,
            };
            let constant = value.as_const().ok_or_else(|| malformed("an initial value that is not constant"))?;
            self.write_constant(unit, image, constant, at)?;
        }
        Ok(())
    }

    fn write_constant(&mut self, unit: UnitIndex, image: &mut Image, constant: Const, offset: u64) -> Result<()> {
        let pointer_bits = self.pointer_bits();
        let bytes_of = |ty: Type| ty.store_bytes(pointer_bits) as usize;
        let bytes: Vec<u8> = match &self.program.constants[constant] {
            Constant::Word { ty, bits } => bits.to_le_bytes()[..bytes_of(*ty).min(8)].to_vec(),
            Constant::Wide { ty, limbs } => {
                limbs.iter().flat_map(|limb| limb.to_le_bytes()).take(bytes_of(*ty)).collect()
            }
            Constant::Undefined { .. } => return Ok(()),
            address => {
                let end = offset.checked_add(bytes_of(address.ty()) as u64);
                if end.is_none_or(|end| end > image.size) {
                    return Err(malformed("an initial value larger than its variable"));
                }
                image.initialiser.relocations.push(Relocation { offset, constant });
                return Ok(());
            }
        };
        self.put(unit, image, offset, &bytes)
    }

    fn put(&mut self, unit: UnitIndex, image: &mut Image, offset: u64, bytes: &[u8]) -> Result<()> {
        let end = offset.checked_add(bytes.len() as u64);
        if end.is_none_or(|end| end > image.size) {
            return Err(malformed("an initial value larger than its variable"));
        }
        let Some(last) = bytes.iter().rposition(|byte| *byte != 0) else { return Ok(()) };
        let bytes = &bytes[..=last];
        let start = usize::try_from(offset).map_err(|_| too_large("an initial value"))?;
        let end = start + bytes.len();
        let known = &mut image.initialiser.bytes;
        if end > known.len() {
            self.caches[unit].data_budget.spend((end - known.len()) as u64)?;
            known.resize(end, 0);
        }
        known[start..end].copy_from_slice(bytes);
        Ok(())
    }
}
