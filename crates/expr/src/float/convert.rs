//! Conversions: between float kinds, and between floats and integers of 1 to 128 bits held in a `u128`.
//! Float to integer exists twice: as x86-64 code does it (`to_signed`, `to_unsigned`), and saturating.

use super::format::{Class, FloatKind};
use super::host::{double_to_single, single_to_double};
use super::unpacked::{Number, Rounding, Unpacked, unpack};
use super::{Relation, div, mul, neg, relation, sub, word};

/// Half or bfloat to single precision, as the machine's code does before it computes.
#[inline]
pub(super) fn widen(kind: FloatKind, pattern: u64) -> u64 {
    match kind {
        // The upper half of a single: one shift, which also leaves a signalling NaN as it is.
        FloatKind::BFloat => pattern << 16,
        _ => convert(kind, FloatKind::Single, pattern.into()) as u64,
    }
}

/// Single precision to half or bfloat.
#[inline]
pub(super) fn narrow(kind: FloatKind, pattern: u64) -> u64 {
    convert(FloatKind::Single, kind, pattern.into()) as u64
}

/// `fpext` and `fptrunc`: the nearest number of the other kind. A NaN keeps its sign and as much of its payload as
/// there is room for, and becomes quiet.
pub fn convert(from: FloatKind, to: FloatKind, pattern: u128) -> u128 {
    match (from, to) {
        _ if from == to => return pattern,
        (FloatKind::BFloat, FloatKind::Single) => return pattern << 16,
        (FloatKind::Single, FloatKind::Double) => return single_to_double(pattern as u64).into(),
        (FloatKind::Double, FloatKind::Single) => return double_to_single(pattern as u64).into(),
        _ => {}
    }
    match unpack(from, pattern) {
        Number::Zero { negative } => to.zero(negative),
        Number::Infinite { negative } => to.infinity(negative),
        Number::Finite(number) => number.pack(to, false),
        Number::Nan => convert_nan(from, to, pattern),
    }
}

fn convert_nan(from: FloatKind, to: FloatKind, nan: u128) -> u128 {
    if from.class(nan) == Class::Unsupported {
        return to.default_nan();
    }
    // The payload is aligned at its top, the quiet bit.
    let payload = nan & (from.quiet_bit() - 1);
    let (from_bits, to_bits) = (from.precision(), to.precision());
    let payload =
        if to_bits >= from_bits { payload << (to_bits - from_bits) } else { payload >> (from_bits - to_bits) };
    to.infinity(from.is_negative(nan)) | to.quiet_bit() | payload
}

/// `sitofp`: the nearest number to a two's complement integer of 1 to 128 bits.
pub fn from_signed(kind: FloatKind, value: u128, width: u32) -> u128 {
    let unused = 128 - width;
    let value = ((value << unused) as i128) >> unused;
    from_magnitude(kind, value < 0, value.unsigned_abs())
}

/// `uitofp`: the nearest number to an unsigned integer.
pub fn from_unsigned(kind: FloatKind, value: u128) -> u128 {
    from_magnitude(kind, false, value)
}

fn from_magnitude(kind: FloatKind, negative: bool, magnitude: u128) -> u128 {
    if magnitude == 0 {
        return 0;
    }
    let number = Unpacked::from_integer(negative, magnitude);
    match kind {
        // Rounded twice, as the machine's code does it.
        FloatKind::Half | FloatKind::BFloat => narrow(kind, number.pack(FloatKind::Single, false) as u64).into(),
        _ => number.pack(kind, false),
    }
}

/// What a conversion toward zero gives where the result fits.
fn truncated(kind: FloatKind, pattern: u128, width: u32, signed: bool) -> Option<u128> {
    let number = match unpack(kind, pattern) {
        Number::Zero { .. } => return Some(0),
        Number::Finite(number) => number,
        _ => return None,
    };
    let magnitude = number.to_integer(Rounding::TowardZero)?;
    let value = if number.negative { magnitude.wrapping_neg() } else { magnitude };
    let fits = magnitude <= limit(width, signed, number.negative);
    fits.then_some(value & (u128::MAX >> (128 - width)))
}

/// `llvm.fptosi.sat` into 1 to 128 bits: the nearest limit where the result does not fit, 0 for NaN.
pub fn to_signed_saturating(kind: FloatKind, pattern: u128, width: u32) -> u128 {
    saturated(kind, pattern, width, true, 0)
}

/// `llvm.fptoui.sat` into 1 to 128 bits: the nearest limit where the result does not fit, 0 for NaN.
pub fn to_unsigned_saturating(kind: FloatKind, pattern: u128, width: u32) -> u128 {
    saturated(kind, pattern, width, false, 0)
}

fn saturated(kind: FloatKind, pattern: u128, width: u32, signed: bool, of_nan: u128) -> u128 {
    if kind.is_nan(pattern) {
        return of_nan;
    }
    truncated(kind, pattern, width, signed).unwrap_or_else(|| limit(width, signed, kind.is_negative(pattern)))
}

/// The magnitude of the smallest or the largest integer of a width; for both also the pattern.
fn limit(width: u32, signed: bool, negative: bool) -> u128 {
    match (signed, negative) {
        (true, true) => 1 << (width - 1),
        (true, false) => (1 << (width - 1)) - 1,
        (false, true) => 0,
        (false, false) => u128::MAX >> (128 - width),
    }
}

/// What `cvtt…2si` and `fistp` do: the "integer indefinite", a one and zeros, where the result does not fit.
fn to_register(kind: FloatKind, pattern: u128, register: u32, width: u32) -> u128 {
    let value = truncated(kind, pattern, register, true).unwrap_or(1 << (register - 1));
    value & (u128::MAX >> (128 - width))
}

/// `fptosi` into 1 to 128 bits as x86-64 code compiled without optimisation does it, for any operand.
///
/// The conversion goes into the next larger register that the processor can convert into (32 or 64 bits, for x87 also
/// 16), which holds "integer indefinite" where the result does not fit, and is cut to the width. Past 64 bits
/// the compiler's library computes, and for quads always; there a limit of the type comes out.
pub fn to_signed(kind: FloatKind, pattern: u128, width: u32) -> u128 {
    match (kind, width) {
        (FloatKind::Quad, _) | (FloatKind::Half, 65..) => library_saturated(kind, pattern, width, true),
        (FloatKind::Half | FloatKind::BFloat, _) => {
            to_signed(FloatKind::Single, widen(kind, pattern as u64).into(), width)
        }
        (FloatKind::X87, ..=16) => to_register(kind, pattern, 16, width),
        (FloatKind::X87, ..=32) => to_register(kind, pattern, 32, width),
        (FloatKind::X87, ..=64) => to_register(kind, pattern, 64, width),
        (_, ..=64) => word::to_signed(kind, pattern as u64, width).into(),
        (FloatKind::Single, _) => to_signed(FloatKind::Double, single_to_double(pattern as u64).into(), width),
        _ => {
            let zero_or_more = relation(kind, pattern, 0) != Relation::Less;
            let value = if zero_or_more {
                library_unsigned128(kind, pattern)
            } else {
                library_unsigned128(kind, neg(kind, pattern)).wrapping_neg()
            };
            value & (u128::MAX >> (128 - width))
        }
    }
}

/// `fptoui` into 1 to 128 bits as x86-64 code compiled without optimisation does it, for any operand.
///
/// Up to 63 bits through a signed register that holds every value of the type; for 64 bits in two steps around 2^63.
pub fn to_unsigned(kind: FloatKind, pattern: u128, width: u32) -> u128 {
    match (kind, width) {
        (FloatKind::Quad, _) | (FloatKind::Half, 65..) => library_saturated(kind, pattern, width, false),
        (FloatKind::Half | FloatKind::BFloat, _) => {
            to_unsigned(FloatKind::Single, widen(kind, pattern as u64).into(), width)
        }
        (FloatKind::X87, ..=15) => to_register(kind, pattern, 16, width),
        (FloatKind::X87, ..=31) => to_register(kind, pattern, 32, width),
        (FloatKind::X87, ..=63) => to_register(kind, pattern, 64, width),
        (FloatKind::X87, 64) => around_sign_bit(kind, pattern),
        (_, ..=64) => word::to_unsigned(kind, pattern as u64, width).into(),
        (FloatKind::Single, _) => to_unsigned(FloatKind::Double, single_to_double(pattern as u64).into(), width),
        _ => library_unsigned128(kind, pattern) & (u128::MAX >> (128 - width)),
    }
}

/// A conversion to `u64` by the signed one: numbers from 2^63 upward are moved down first, and back after.
fn around_sign_bit(kind: FloatKind, pattern: u128) -> u128 {
    let half = from_unsigned(kind, 1 << 63);
    match relation(kind, pattern, half) {
        Relation::Greater | Relation::Equal => to_register(kind, sub(kind, pattern, half), 64, 64) ^ 1 << 63,
        _ => to_register(kind, pattern, 64, 64),
    }
}

/// How libgcc converts a double or an x87 number to 128 bits: by halves. Only what comes out for numbers that do not
/// fit needs this much detail.
fn library_unsigned128(kind: FloatKind, pattern: u128) -> u128 {
    let scale = from_unsigned(kind, 1 << 64);
    let negative = relation(kind, pattern, 0) == Relation::Less;
    if kind == FloatKind::X87 && negative {
        return 0;
    }
    let high = around_sign_bit(kind, div(kind, pattern, scale));
    let rest = sub(kind, pattern, mul(kind, from_unsigned(kind, high), scale));
    if kind != FloatKind::X87 {
        return high << 64 | around_sign_bit(kind, rest);
    }
    match relation(kind, rest, 0) {
        Relation::Less => (high << 64).wrapping_sub(around_sign_bit(kind, neg(kind, rest))),
        _ => (high << 64).wrapping_add(around_sign_bit(kind, rest)),
    }
}

/// libgcc's conversions by integer arithmetic, of quads and of half to 128 bits: into 32, 64 or 128 bits, with the limit
/// of the operand's sign where the result does not fit, for NaNs too.
fn library_saturated(kind: FloatKind, pattern: u128, width: u32, signed: bool) -> u128 {
    let register = if width <= 32 { 32 } else { width.next_power_of_two() };
    // A narrower unsigned type fits a signed register, which is what compilers then prefer.
    let signed = signed || (width < register && register <= 64);
    let of_nan = limit(register, signed, kind.is_negative(pattern));
    saturated(kind, pattern, register, signed, of_nan) & (u128::MAX >> (128 - width))
}

/// C's `ldexp`: the number times a power of two, rounded once.
pub fn ldexp(kind: FloatKind, pattern: u128, exponent: i32) -> u128 {
    match unpack(kind, pattern) {
        Number::Nan => kind.quieted(pattern),
        Number::Zero { .. } | Number::Infinite { .. } => pattern,
        Number::Finite(number) => {
            // Past these bounds every number is zero or infinite, and sums of exponents cannot overflow.
            let exponent = number.exponent + exponent.clamp(-50_000, 50_000);
            Unpacked { exponent, ..number }.pack(kind, false)
        }
    }
}

/// C's `frexp`: a fraction in [1/2, 1) and a power of two. For zero, infinity and NaN the power is 0.
pub fn frexp(kind: FloatKind, pattern: u128) -> (u128, i32) {
    match unpack(kind, pattern) {
        Number::Nan => (kind.quieted(pattern), 0),
        Number::Zero { .. } | Number::Infinite { .. } => (pattern, 0),
        Number::Finite(number) => (Unpacked { exponent: -1, ..number }.pack(kind, false), number.exponent + 1),
    }
}
