//! What a byte of memory can be: a number, some of whose bits may be undefined, or a part of an expression. How pages
//! store it is in `page`.

use cranelift_entity::EntityRef;
use symcrete_expr::Expr;

/// Byte `index` of an expression, where byte 0 has its lowest bits; of an array, byte `index` of its elements laid out
/// one after the other. Memory does not ask which, nor whether the expression has so many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    pub expr: Expr,
    pub index: u32,
}

/// One byte of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// A set bit in `undefined` says that the bit was never given a value; it is zero in `bits`.
    Byte { bits: u8, undefined: u8 },
    /// See [`Part`].
    Part { expr: Expr, index: u32 },
}

/// A part in one word: the number of the expression plus one, then the index, so that zero is none and the parts of one
/// expression that follow each other are numbers that follow each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PackedPart(pub u64);

impl PackedPart {
    pub const NONE: PackedPart = PackedPart(0);

    pub fn new(part: Part) -> PackedPart {
        PackedPart((part.expr.index() as u64 + 1) << 32 | u64::from(part.index))
    }

    pub fn unpack(self) -> Option<Part> {
        let number = (self.0 >> 32).checked_sub(1)?;
        Some(Part { expr: Expr::new(number as usize), index: self.0 as u32 })
    }

    /// The part that comes `bytes` later in the same expression.
    pub fn plus(self, bytes: usize) -> PackedPart {
        PackedPart(self.0 + bytes as u64)
    }
}
