//! Loads and stores of scalars at addresses that are words.

use smallvec::SmallVec;
use symcrete_expr::{Bits, Expr, Value, word};
use symcrete_ir::Type;
use symcrete_memory::{Cell, Fault, Memory, Part, Word};

use super::symbolic::{Note, Symbolic};

#[inline(always)]
pub(crate) fn load(
    memory: &mut Memory,
    symbolic: &mut Symbolic,
    address: u64,
    ty: Type,
    pointer_bits: u16,
) -> Result<Value, Fault> {
    let width = u32::from(ty.bits(pointer_bits));
    if width > 64 {
        return load_wide(memory, symbolic, address, width);
    }
    match memory.read_word(address, width.div_ceil(8))? {
        Word::Defined(bits) => Ok(Value::Word(word::truncate(width, bits))),
        Word::Partial { bits, undefined, .. } => {
            // Undefined bits may lie only in the padding of a type such as i1 or i24.
            let (bits, undefined) = (word::truncate(width, bits), word::truncate(width, undefined));
            Ok(Value::from_masked_word(width, bits, undefined, origin(memory, address)))
        }
        Word::Symbolic => load_symbolic(memory, symbolic, address, width),
    }
}

/// How the origin of undefined bits is numbered: by allocation here, by constant in the image.
fn origin(memory: &mut Memory, address: u64) -> u32 {
    memory.resolve(address).map_or(0, |(allocation, _)| crate::diagnose::origin_of_allocation(allocation))
}

#[cold]
fn load_wide(memory: &mut Memory, symbolic: &mut Symbolic, address: u64, width: u32) -> Result<Value, Fault> {
    if memory.is_symbolic(address, u64::from(width.div_ceil(8))) {
        return load_symbolic(memory, symbolic, address, width);
    }
    let mut bytes = vec![0; width.div_ceil(8) as usize];
    let mut undefined = bytes.clone();
    memory.read_bytes_masked(address, &mut bytes, &mut undefined)?;
    let (bits, undefined) = (Bits::from_le_bytes(width, &bytes), Bits::from_le_bytes(width, &undefined));
    Ok(Value::from_parts(bits, undefined, origin(memory, address)))
}

/// Loads bytes of which some depend on inputs.
#[cold]
fn load_symbolic(memory: &mut Memory, symbolic: &mut Symbolic, address: u64, width: u32) -> Result<Value, Fault> {
    let bytes = width.div_ceil(8);
    let whole = match memory.read_run(address, u64::from(bytes))? {
        Some(Part { expr, index }) if !symbolic.arena.is_array(expr) => {
            symbolic.arena.extract(expr, index * 8, bytes * 8)
        }
        _ => {
            let mut cells: SmallVec<[Cell; 16]> = SmallVec::new();
            memory.read_cells(address, u64::from(bytes), &mut cells)?;
            join_cells(symbolic, &cells)
        }
    };
    let expr = symbolic.resize(whole, width, false);
    Ok(symbolic.value(expr))
}

/// Bytes of memory as one expression, the lowest first.
pub(crate) fn join_cells(symbolic: &mut Symbolic, cells: &[Cell]) -> Expr {
    let parts: SmallVec<[Expr; 16]> = cells
        .iter()
        .map(|cell| match *cell {
            Cell::Byte { bits, undefined } => {
                if undefined != 0 {
                    symbolic.notes.push(Note::UndefinedInExpression { origin: 0 });
                }
                symbolic.constant_byte(bits)
            }
            Cell::Part { expr, index } => symbolic.byte(expr, index),
        })
        .collect();
    symbolic.join(&parts)
}

#[inline(always)]
pub(crate) fn store(
    memory: &mut Memory,
    symbolic: &mut Symbolic,
    address: u64,
    ty: Type,
    pointer_bits: u16,
    value: &Value,
) -> Result<(), Fault> {
    match value {
        Value::Word(bits) => memory.write_word(address, ty.store_bytes(pointer_bits), *bits),
        other => store_bytes(memory, symbolic, address, ty.store_bytes(pointer_bits), other),
    }
}

/// Stores a value of any kind into so many bytes.
#[cold]
pub(crate) fn store_bytes(
    memory: &mut Memory,
    symbolic: &mut Symbolic,
    address: u64,
    bytes: u32,
    value: &Value,
) -> Result<(), Fault> {
    match value {
        Value::Expr(expr) => {
            let whole = symbolic.resize(*expr, bytes * 8, false);
            memory.write_run(address, u64::from(bytes), symbolic.as_part(whole))
        }
        other => store_constant(memory, address, bytes, other),
    }
}

/// Fills bytes with one that depends on inputs: the lowest of an expression.
pub(crate) fn fill(memory: &mut Memory, address: u64, byte: Expr, bytes: u64) -> Result<(), Fault> {
    let cells = vec![Cell::Part { expr: byte, index: 0 }; bytes as usize];
    memory.write_cells(address, &cells)
}

/// Stores a value that does not depend on inputs.
pub(crate) fn store_constant(memory: &mut Memory, address: u64, bytes: u32, value: &Value) -> Result<(), Fault> {
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
        Value::Expr(expr) => unreachable!("{expr} is not a constant"),
    }
}
