//! Loads and stores of scalars.

use symcrete_expr::{Bits, Value, word};
use symcrete_ir::Type;
use symcrete_memory::{Fault, Memory, Word};

#[inline(always)]
pub fn load(memory: &mut Memory, address: u64, ty: Type, pointer_bits: u16) -> Result<Value, Fault> {
    let width = u32::from(ty.bits(pointer_bits));
    if width > 64 {
        return load_wide(memory, address, width);
    }
    match memory.read_word(address, width.div_ceil(8))? {
        Word::Defined(bits) => Ok(Value::Word(word::truncate(width, bits))),
        Word::Partial { bits, undefined, .. } => {
            // Undefined bits may lie only in the padding of a type such as i1 or i24.
            let (bits, undefined) = (word::truncate(width, bits), word::truncate(width, undefined));
            Ok(Value::from_masked_word(width, bits, undefined, origin(memory, address)))
        }
    }
}

/// How the origin of undefined bits is numbered: by allocation here, by constant in the image.
fn origin(memory: &mut Memory, address: u64) -> u32 {
    memory.resolve(address).map_or(0, |(allocation, _)| crate::diagnose::origin_of_allocation(allocation))
}

#[cold]
fn load_wide(memory: &mut Memory, address: u64, width: u32) -> Result<Value, Fault> {
    let mut bytes = vec![0; width.div_ceil(8) as usize];
    let mut undefined = bytes.clone();
    memory.read_bytes_masked(address, &mut bytes, &mut undefined)?;
    let (bits, undefined) = (Bits::from_le_bytes(width, &bytes), Bits::from_le_bytes(width, &undefined));
    Ok(Value::from_parts(bits, undefined, origin(memory, address)))
}

#[inline(always)]
pub fn store(memory: &mut Memory, address: u64, ty: Type, pointer_bits: u16, value: &Value) -> Result<(), Fault> {
    match value {
        Value::Word(bits) => memory.write_word(address, ty.store_bytes(pointer_bits), *bits),
        other => store_bytes(memory, address, ty.store_bytes(pointer_bits), other),
    }
}

/// Stores a value of any kind into so many bytes.
#[cold]
pub fn store_bytes(memory: &mut Memory, address: u64, bytes: u32, value: &Value) -> Result<(), Fault> {
    let padded = |bits: &Bits| {
        let mut out = bits.to_le_bytes();
        out.resize(bytes as usize, 0);
        out
    };
    match value {
        Value::Word(bits) => memory.write_word(address, bytes, *bits),
        Value::Wide(bits) => memory.write_bytes(address, &padded(bits)),
        Value::Partial(partial) => {
            memory.write_bytes_masked(address, &padded(&partial.bits), &padded(&partial.undefined))
        }
    }
}
