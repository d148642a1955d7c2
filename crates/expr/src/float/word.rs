//! Float operations on patterns held in a machine word, of any kind of up to 64 bits.
//!
//! Half and bfloat are computed as x86-64 code without special instructions does it: widened to single precision,
//! computed there, rounded back, for every single operation.

use super::convert::{narrow, widen};
use super::format::FloatKind;
use super::host::{double, single};
use super::{Relation, convert};

macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[inline]
        pub fn $name(kind: FloatKind, a: u64) -> u64 {
            match kind {
                FloatKind::Double => double::$name(a),
                FloatKind::Single => single::$name(a),
                _ => narrow(kind, single::$name(widen(kind, a))),
            }
        }
    )*};
}

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident, $small:ident);* $(;)?) => {$(
        $(#[$doc])*
        #[inline]
        pub fn $name(kind: FloatKind, a: u64, b: u64) -> u64 {
            match kind {
                FloatKind::Double => double::$name(a, b),
                FloatKind::Single => single::$name(a, b),
                _ => narrow(kind, single::$small(widen(kind, a), widen(kind, b))),
            }
        }
    )*};
}

unary! {
    sqrt,
    floor,
    ceil,
    trunc,
    /// Halves away from zero.
    round,
    /// Halves to even. Also `rint` and `nearbyint`: the rounding mode is never changed.
    roundeven,
}

binary! {
    add, add;
    sub, sub;
    mul, mul;
    div, div;
    /// C's `fmod`, which is exact.
    rem, rem;
    /// `llvm.minnum`: inline code for single and double, the library's `fminf` for the small formats.
    minnum, fmin;
    /// `llvm.maxnum`; see `minnum`.
    maxnum, fmax;
    /// C's `fmin` as the library has it.
    fmin, fmin;
    /// C's `fmax` as the library has it.
    fmax, fmax;
    /// `llvm.minimum`: NaNs win, and -0 is less than +0.
    minimum, minimum;
    /// `llvm.maximum`: NaNs win, and +0 is greater than -0.
    maximum, maximum;
}

/// `a * b + c`, rounded once. Half and bfloat are rounded twice, as the machine's code does: half goes through double
/// precision (LLVM 19 still through single), bfloat through single.
#[inline]
pub fn fma(kind: FloatKind, a: u64, b: u64, c: u64) -> u64 {
    match kind {
        FloatKind::Double => double::fma(a, b, c),
        FloatKind::Single => single::fma(a, b, c),
        FloatKind::Half => {
            let [a, b, c] = [a, b, c].map(|operand| convert(kind, FloatKind::Double, operand));
            convert(FloatKind::Double, kind, double::fma(a, b, c))
        }
        FloatKind::BFloat | FloatKind::X87 | FloatKind::Quad => {
            narrow(kind, single::fma(widen(kind, a), widen(kind, b), widen(kind, c)))
        }
    }
}

/// The sign flipped, of NaNs too.
#[inline]
pub fn neg(kind: FloatKind, a: u64) -> u64 {
    a ^ kind.sign_mask() as u64
}

#[inline]
pub fn abs(kind: FloatKind, a: u64) -> u64 {
    a & !(kind.sign_mask() as u64)
}

#[inline]
pub fn copysign(kind: FloatKind, a: u64, sign: u64) -> u64 {
    abs(kind, a) | sign & kind.sign_mask() as u64
}

#[inline]
pub fn relation(kind: FloatKind, a: u64, b: u64) -> Relation {
    match kind {
        FloatKind::Double => double::relation(a, b),
        FloatKind::Single => single::relation(a, b),
        _ => single::relation(widen(kind, a), widen(kind, b)),
    }
}

/// LLVM's `fcmp`: whether the relation of the operands is in the set (see `Relation::within`).
#[inline]
pub fn compare(kind: FloatKind, predicate: u8, a: u64, b: u64) -> bool {
    match kind {
        FloatKind::Double => double::compare(predicate, a, b),
        FloatKind::Single => single::compare(predicate, a, b),
        _ => single::compare(predicate, widen(kind, a), widen(kind, b)),
    }
}

/// `fptosi` into 1 to 64 bits, as x86-64 code does it; see `convert::to_signed`.
#[inline]
pub fn to_signed(kind: FloatKind, a: u64, width: u32) -> u64 {
    match (kind, width) {
        (FloatKind::Double, ..=32) => crate::word::truncate(width, double::to_signed32(a).into()),
        (FloatKind::Single, ..=32) => crate::word::truncate(width, single::to_signed32(a).into()),
        (FloatKind::Double, _) => crate::word::truncate(width, double::to_signed64(a)),
        (FloatKind::Single, _) => crate::word::truncate(width, single::to_signed64(a)),
        _ => to_signed(FloatKind::Single, widen(kind, a), width),
    }
}

/// `fptoui` into 1 to 64 bits, as x86-64 code does it; see `convert::to_unsigned`.
#[inline]
pub fn to_unsigned(kind: FloatKind, a: u64, width: u32) -> u64 {
    match (kind, width) {
        // A register of 32 bits is signed and still holds all of these; for 32 bits the next larger one is used.
        (_, ..=31) => to_signed(kind, a, width),
        (FloatKind::Double, 64) => double::to_unsigned64(a),
        (FloatKind::Single, 64) => single::to_unsigned64(a),
        (FloatKind::Double, _) => crate::word::truncate(width, double::to_signed64(a)),
        (FloatKind::Single, _) => crate::word::truncate(width, single::to_signed64(a)),
        _ => to_unsigned(FloatKind::Single, widen(kind, a), width),
    }
}

/// `sitofp` from 1 to 64 bits. Half and bfloat go through single precision.
#[inline]
pub fn from_signed(kind: FloatKind, value: u64, width: u32) -> u64 {
    let value = crate::word::sign_extend(width, value);
    match kind {
        FloatKind::Double => double::from_signed(value),
        FloatKind::Single => single::from_signed(value),
        _ => narrow(kind, single::from_signed(value)),
    }
}

/// `uitofp` from 1 to 64 bits. Half and bfloat go through single precision.
#[inline]
pub fn from_unsigned(kind: FloatKind, value: u64) -> u64 {
    match kind {
        FloatKind::Double => double::from_unsigned(value),
        FloatKind::Single => single::from_unsigned(value),
        _ => narrow(kind, single::from_unsigned(value)),
    }
}

/// `fpext` and `fptrunc` between kinds of up to 64 bits.
#[inline]
pub fn convert(from: FloatKind, to: FloatKind, a: u64) -> u64 {
    match (from, to) {
        (FloatKind::Single, FloatKind::Double) => super::host::single_to_double(a),
        (FloatKind::Double, FloatKind::Single) => super::host::double_to_single(a),
        _ => convert::convert(from, to, a.into()) as u64,
    }
}
