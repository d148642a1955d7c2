//! Bits regrouped into lanes of another width, the same for constants and for instructions.

use symcrete_ir::{BinaryOp, CastOp, Operand, Type};

use super::{Result, malformed, unsupported};

/// Makes values out of values: constants out of constants, or registers by emitting instructions.
pub(crate) trait Arithmetic {
    fn binary(&mut self, op: BinaryOp, ty: Type, lhs: Operand, rhs: Operand) -> Result<Operand>;
    fn cast(&mut self, op: CastOp, from: Type, to: Type, src: Operand) -> Result<Operand>;
    fn type_of(&self, operand: Operand) -> Type;
    fn word(&mut self, ty: Type, bits: u64) -> Operand;
    fn pointer_bits(&self) -> u16;

    /// The same bits as an integer.
    fn to_integer(&mut self, src: Operand) -> Result<Operand> {
        let ty = self.type_of(src);
        let integer = Type::int(ty.bits(self.pointer_bits()));
        match ty {
            _ if ty.is_int() => Ok(src),
            Type::POINTER => self.cast(CastOp::PointerToInt, ty, integer, src),
            _ => self.cast(CastOp::Bitcast, ty, integer, src),
        }
    }

    /// An integer's bits under another type of the same width.
    fn reinterpret(&mut self, src: Operand, to: Type) -> Result<Operand> {
        let from = self.type_of(src);
        match to {
            _ if from == to => Ok(src),
            Type::POINTER => self.cast(CastOp::IntToPointer, from, to, src),
            _ => self.cast(CastOp::Bitcast, from, to, src),
        }
    }

    /// Lanes joined into one integer, the first in the lowest bits.
    fn join(&mut self, lanes: &[Operand]) -> Result<Operand> {
        let mut width = 0u32;
        for lane in lanes {
            width += u32::from(self.type_of(*lane).bits(self.pointer_bits()));
        }
        let whole = wide_integer(width)?;
        let mut joined = None;
        let mut distance = 0u64;
        for lane in lanes {
            let integer = self.to_integer(*lane)?;
            let ty = self.type_of(integer);
            let mut part = if ty == whole { integer } else { self.cast(CastOp::ZeroExtend, ty, whole, integer)? };
            if distance > 0 {
                let amount = self.word(whole, distance);
                part = self.binary(BinaryOp::Shl, whole, part, amount)?;
            }
            joined = Some(match joined {
                Some(lower) => self.binary(BinaryOp::Or, whole, lower, part)?,
                None => part,
            });
            distance += u64::from(ty.bits(self.pointer_bits()));
        }
        joined.ok_or_else(|| malformed("a vector without elements"))
    }

    /// An integer cut into lanes of these types, the first from the lowest bits.
    fn split(&mut self, whole: Operand, lanes: &[Type]) -> Result<Vec<Operand>> {
        let whole_type = self.type_of(whole);
        let mut distance = 0u64;
        let mut parts = Vec::with_capacity(lanes.len());
        for lane in lanes {
            let mut part = whole;
            if distance > 0 {
                let amount = self.word(whole_type, distance);
                part = self.binary(BinaryOp::LShr, whole_type, part, amount)?;
            }
            let integer = Type::int(lane.bits(self.pointer_bits()));
            if integer != whole_type {
                part = self.cast(CastOp::Trunc, whole_type, integer, part)?;
            }
            parts.push(self.reinterpret(part, *lane)?);
            distance += u64::from(integer.bits(self.pointer_bits()));
        }
        Ok(parts)
    }

    /// The same bits as lanes of other types. Both sides have as many bits in all.
    fn regroup(&mut self, lanes: &[Operand], types: &[Type]) -> Result<Vec<Operand>> {
        let (Some(first), Some(target)) = (lanes.first(), types.first()) else { return Ok(Vec::new()) };
        let pointer_bits = self.pointer_bits();
        let from = usize::from(self.type_of(*first).bits(pointer_bits));
        let to = usize::from(target.bits(pointer_bits));
        if from * lanes.len() != to * types.len() {
            return Err(malformed("a bitcast between types of different widths"));
        }
        // As few lanes as possible go through one integer, so that it stays narrow.
        let (lanes_at_once, types_at_once) = match (from, to) {
            _ if from % to == 0 => (1, from / to),
            _ if to % from == 0 => (to / from, 1),
            _ => (lanes.len(), types.len()),
        };
        let mut regrouped = Vec::with_capacity(types.len());
        for (sources, targets) in lanes.chunks(lanes_at_once).zip(types.chunks(types_at_once)) {
            if let ([source], [target]) = (sources, targets) {
                let same = self.type_of(*source) == *target;
                let integer = if same { *source } else { self.to_integer(*source)? };
                regrouped.push(self.reinterpret(integer, *target)?);
                continue;
            }
            let whole = self.join(sources)?;
            regrouped.extend(self.split(whole, targets)?);
        }
        Ok(regrouped)
    }
}

/// The integer type of that width, if registers can have it.
pub(crate) fn wide_integer(width: u32) -> Result<Type> {
    match u16::try_from(width) {
        Ok(bits @ 1..=Type::MAX_INT_BITS) => Ok(Type::int(bits)),
        _ => Err(unsupported(format!("an integer of {width} bits"))),
    }
}
