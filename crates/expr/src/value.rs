//! What a register holds: a machine word as long as it can, something rarer otherwise.

use std::rc::Rc;

use crate::{Bits, Expr};

/// The content of one register.
///
/// Integers of up to 64 bits, pointers, and half, bfloat, float and double are a `Word`: their bits, zero-extended.
/// Everything wider (i128, x87 long double, fp128) is `Wide`. A value of which some bits were never written is
/// `Partial`; no other code path needs to look at definedness. A value that depends on an input is an `Expr`, of any width;
/// whoever asks for the bits of one has not looked first, which is a mistake of ours.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Word(u64),
    Wide(Rc<Bits>),
    Partial(Rc<Partial>),
    Expr(Expr),
}

/// A value with bits that nobody wrote.
#[derive(Clone, Debug, PartialEq)]
pub struct Partial {
    /// The bits, as the machine would find them; zero where undefined.
    pub bits: Bits,
    /// One where the bit is undefined. Same width as `bits`; never all zero.
    pub undefined: Bits,
    /// Where the undefined bits came from, as numbered by the executor (0: unknown).
    pub origin: u32,
}

const _: () = assert!(size_of::<Value>() == 16);

impl Value {
    /// A defined value of any width.
    pub fn from_bits(bits: Bits) -> Value {
        if bits.width() <= 64 { Value::Word(bits.low_u64()) } else { Value::Wide(Rc::new(bits)) }
    }

    /// A defined value of at most 128 bits.
    pub fn from_u128(width: u32, bits: u128) -> Value {
        if width <= 64 {
            Value::Word(crate::word::truncate(width, bits as u64))
        } else {
            Value::Wide(Rc::new(Bits::from_u128(width, bits)))
        }
    }

    /// A value with a mask of undefined bits, which may be empty.
    pub fn from_parts(bits: Bits, undefined: Bits, origin: u32) -> Value {
        debug_assert_eq!(bits.width(), undefined.width());
        if undefined.is_zero() {
            return Value::from_bits(bits);
        }
        Value::Partial(Rc::new(Partial { bits, undefined, origin }))
    }

    /// A word with a mask of undefined bits, which may be empty.
    pub fn from_masked_word(width: u32, bits: u64, undefined: u64, origin: u32) -> Value {
        if undefined == 0 {
            return Value::Word(bits);
        }
        Value::from_parts(Bits::from_u64(width, bits), Bits::from_u64(width, undefined), origin)
    }

    /// A value of which nothing was written.
    pub fn undefined(width: u32, origin: u32) -> Value {
        Value::from_parts(Bits::zero(width), Bits::ones(width), origin)
    }

    /// The word, if the value is one and all of it is defined.
    #[inline]
    pub fn as_word(&self) -> Option<u64> {
        if let Value::Word(word) = self { Some(*word) } else { None }
    }

    /// The bits, undefined ones included. A `Word` does not know its width.
    pub fn to_bits(&self, width: u32) -> Bits {
        match self {
            Value::Word(word) => Bits::from_u64(width, *word),
            Value::Wide(bits) => Bits::clone(bits),
            Value::Partial(partial) => partial.bits.clone(),
            Value::Expr(expr) => no_bits(*expr),
        }
    }

    /// These bits, none of which can be relied on.
    pub fn tainted(bits: Bits, origin: u32) -> Value {
        let undefined = Bits::ones(bits.width());
        Value::from_parts(bits, undefined, origin)
    }

    /// The lowest 64 bits, undefined ones included.
    #[inline]
    pub fn low_word(&self) -> u64 {
        match self {
            Value::Word(word) => *word,
            other => other.low_u128() as u64,
        }
    }

    /// The lowest 128 bits, undefined ones included.
    pub fn low_u128(&self) -> u128 {
        match self {
            Value::Word(word) => (*word).into(),
            Value::Wide(bits) => bits.low_u128(),
            Value::Partial(partial) => partial.bits.low_u128(),
            Value::Expr(expr) => no_bits(*expr),
        }
    }

    /// One where a bit is undefined.
    pub fn undefined_bits(&self, width: u32) -> Bits {
        match self {
            Value::Word(_) | Value::Wide(_) | Value::Expr(_) => Bits::zero(width),
            Value::Partial(partial) => partial.undefined.clone(),
        }
    }

    /// Where the undefined bits came from; 0 if unknown or if there are none.
    pub fn origin(&self) -> u32 {
        match self {
            Value::Word(_) | Value::Wide(_) | Value::Expr(_) => 0,
            Value::Partial(partial) => partial.origin,
        }
    }

    pub fn is_defined(&self) -> bool {
        !matches!(self, Value::Partial(_))
    }

    #[inline]
    pub fn as_expr(&self) -> Option<Expr> {
        if let Value::Expr(expr) = self { Some(*expr) } else { None }
    }
}

#[cold]
fn no_bits(expr: Expr) -> ! {
    panic!("{expr} was taken for a value with bits of its own")
}

impl Partial {
    /// For the rules of `partial::wide`.
    pub fn masked(&self) -> crate::partial::wide::Masked<'_> {
        crate::partial::wide::Masked { bits: &self.bits, undefined: &self.undefined }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_mask_leaves_a_plain_value() {
        assert_eq!(Value::from_parts(Bits::from_u64(8, 7), Bits::zero(8), 3), Value::Word(7));
        assert_eq!(Value::from_masked_word(8, 7, 0, 3), Value::Word(7));
        assert!(matches!(Value::from_parts(Bits::ones(80), Bits::zero(80), 3), Value::Wide(_)));
        assert_eq!(Value::from_u128(16, 0x1_2345), Value::Word(0x2345));
    }

    #[test]
    fn undefined_values_remember_their_origin() {
        let value = Value::undefined(32, 9);
        assert!(!value.is_defined());
        assert_eq!(value.origin(), 9);
        assert!(value.undefined_bits(32).is_ones());
        assert_eq!(value.as_word(), None);
        assert_eq!(Value::Word(5).undefined_bits(8), Bits::zero(8));
    }
}
