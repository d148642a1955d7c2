//! What every float operation means, bit for bit as on x86-64: the kinds, and the operations on patterns of any kind.
//!
//! Patterns of kinds up to 64 bits live in words (`float::word`, and `float::single` and `float::double` for the hot
//! ones); `X87` and `Quad` live in the low 80 and 128 bits of a `u128`. The functions here take every kind as `u128`.
//!
//! NaNs follow the machine. SSE: the first operand that is a NaN, made quiet. x87: the one with the larger significand.
//! An invalid operation gives a negative quiet NaN. Rounding is to nearest, ties to even, except in `directed`.

pub mod convert;
pub mod directed;
pub mod format;
mod host;
mod soft;
mod unpacked;
pub mod word;

#[cfg(test)]
mod tests;

pub use format::{Class, FloatKind};
pub use host::{double, single};
pub use unpacked::Rounding;

/// How two floats compare. The numbers are those of LLVM's `fcmp`, whose predicates are sets of these.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Relation {
    Equal = 1,
    Greater = 2,
    Less = 4,
    /// At least one is a NaN.
    Unordered = 8,
}

impl Relation {
    /// Whether the relation is in a set: bit 0 equal, bit 1 greater, bit 2 less, bit 3 unordered. So `fcmp oeq` is 1,
    /// `une` 14, `ord` 7, `true` 15.
    #[inline]
    pub const fn within(self, predicate: u8) -> bool {
        predicate & self as u8 != 0
    }
}

/// The same operation from `word` or from `soft`, by the size of the kind.
macro_rules! by_size {
    ($($(#[$doc:meta])* $name:ident($($operand:ident),+));* $(;)?) => {$(
        $(#[$doc])*
        pub fn $name(kind: FloatKind, $($operand: u128),+) -> u128 {
            if kind.is_word() {
                word::$name(kind, $($operand as u64),+).into()
            } else {
                soft::$name(kind, $($operand),+)
            }
        }
    )*};
}

by_size! {
    add(a, b);
    sub(a, b);
    mul(a, b);
    div(a, b);
    /// C's `fmod`, which is exact.
    rem(a, b);
    /// `a * b + c`, rounded once; half and bfloat are rounded twice, as the machine's code does.
    fma(a, b, c);
    sqrt(a);
    floor(a);
    ceil(a);
    trunc(a);
    /// Halves away from zero.
    round(a);
    /// Halves to even. Also `rint` and `nearbyint`: the rounding mode is never changed.
    roundeven(a);
    /// `llvm.minnum`: the other operand where one is a quiet NaN.
    minnum(a, b);
    /// `llvm.maxnum`: the other operand where one is a quiet NaN.
    maxnum(a, b);
    /// `llvm.minimum`: NaNs win, and -0 is less than +0.
    minimum(a, b);
    /// `llvm.maximum`: NaNs win, and +0 is greater than -0.
    maximum(a, b);
}

/// The sign flipped, of NaNs too.
pub fn neg(kind: FloatKind, a: u128) -> u128 {
    a ^ kind.sign_mask()
}

pub fn abs(kind: FloatKind, a: u128) -> u128 {
    a & !kind.sign_mask()
}

pub fn copysign(kind: FloatKind, a: u128, sign: u128) -> u128 {
    abs(kind, a) | sign & kind.sign_mask()
}

pub fn relation(kind: FloatKind, a: u128, b: u128) -> Relation {
    if kind.is_word() { word::relation(kind, a as u64, b as u64) } else { soft::relation(kind, a, b) }
}

/// LLVM's `fcmp`: whether the relation of the operands is in the set (see `Relation::within`).
pub fn compare(kind: FloatKind, predicate: u8, a: u128, b: u128) -> bool {
    if kind.is_word() {
        word::compare(kind, predicate, a as u64, b as u64)
    } else {
        soft::relation(kind, a, b).within(predicate)
    }
}
