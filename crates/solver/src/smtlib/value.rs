//! How sorts and values are written.

use symcrete_expr::dag::ArrayModel;
use symcrete_expr::float::Class;
use symcrete_expr::{Bits, FloatKind};

pub(super) fn bits_sort(width: u32) -> String {
    format!("(_ BitVec {width})")
}

/// The widths of exponent and significand, the leading bit included.
pub(super) fn float_format(kind: FloatKind) -> (u32, u32) {
    let exponent = kind.bits() - 1 - kind.fraction_bits();
    (exponent, kind.precision())
}

pub(super) fn float_sort(kind: FloatKind) -> String {
    let (exponent, significand) = float_format(kind);
    format!("(_ FloatingPoint {exponent} {significand})")
}

pub(super) fn array_sort(index_width: u32, width: u32) -> String {
    format!("(Array {} {})", bits_sort(index_width), bits_sort(width))
}

/// A name as a symbol, between bars where it must be.
pub(super) fn symbol(name: &str) -> String {
    let simple = |byte: u8| byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte);
    let plain = name.bytes().all(simple) && !name.starts_with(|first: char| first.is_ascii_digit()) && !name.is_empty();
    if plain { name.to_owned() } else { format!("|{name}|") }
}

/// A bit-vector: hexadecimal where the width allows it.
pub(super) fn literal(bits: &Bits) -> String {
    if bits.width().is_multiple_of(4) {
        return format!("#x{bits:x}");
    }
    let digits: String = (0..bits.width()).rev().map(|at| if bits.bit(at) { '1' } else { '0' }).collect();
    format!("#b{digits}")
}

/// A float from its pattern; patterns that x87 takes for NaNs are NaN.
pub(super) fn float_literal(kind: FloatKind, pattern: u128) -> String {
    let (exponent, significand) = float_format(kind);
    let sign = if kind.is_negative(pattern) { '-' } else { '+' };
    match kind.class(pattern) {
        Class::QuietNan | Class::SignallingNan | Class::Unsupported => format!("(_ NaN {exponent} {significand})"),
        Class::Infinite => format!("(_ {sign}oo {exponent} {significand})"),
        Class::Zero => format!("(_ {sign}zero {exponent} {significand})"),
        Class::Subnormal | Class::Normal => {
            let below_leading = pattern & (u128::MAX >> (128 - (significand - 1)));
            let leading = kind.stores_leading_bit() && pattern >> (significand - 1) & 1 == 1;
            // x87's denormals with a leading bit are normal numbers of the smallest exponent.
            let field = kind.exponent_field(pattern).max(u32::from(leading));
            let sign = u32::from(kind.is_negative(pattern));
            let fraction = literal(&Bits::from_u128(significand - 1, below_leading));
            format!("(fp #b{sign} #b{field:0width$b} {fraction})", width = exponent as usize)
        }
    }
}

/// An array as stores into a constant one.
pub(super) fn array_literal(index_width: u32, array: &ArrayModel) -> String {
    let sort = array_sort(index_width, array.default.width());
    let stored: Vec<_> = array.entries.iter().filter(|(_, element)| **element != array.default).collect();
    let mut text = "(store ".repeat(stored.len());
    text += &format!("((as const {sort}) {})", literal(&array.default));
    for (index, element) in stored {
        text += &format!(" {} {})", literal(index), literal(element));
    }
    text
}
