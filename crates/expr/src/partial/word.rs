//! Undefined bits of operations on values of up to 64 bits. Masks, like values, are zero above the width.

use crate::word;

/// A word of which some bits are undefined.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Masked {
    pub bits: u64,
    /// One where the bit is undefined.
    pub undefined: u64,
}

impl Masked {
    pub const fn defined(bits: u64) -> Masked {
        Masked { bits, undefined: 0 }
    }

    /// The smallest number that the undefined bits allow.
    const fn smallest(self) -> u64 {
        self.bits & !self.undefined
    }

    /// The largest number that the undefined bits allow.
    const fn largest(self) -> u64 {
        self.bits | self.undefined
    }

    /// The same with the sign bit flipped: signed order becomes unsigned order.
    const fn sign_flipped(self, width: u32) -> Masked {
        Masked { bits: self.bits ^ word::sign_bit(width), ..self }
    }
}

/// Where nothing better is known: all bits are undefined if any is.
pub fn any(result_width: u32, undefined: &[u64]) -> u64 {
    if undefined.iter().any(|&mask| mask != 0) { word::mask(result_width) } else { 0 }
}

/// A defined zero on either side decides.
pub fn and(a: Masked, b: Masked) -> u64 {
    (a.undefined | b.undefined) & a.largest() & b.largest()
}

/// A defined one on either side decides.
pub fn or(a: Masked, b: Masked) -> u64 {
    (a.undefined | b.undefined) & !(a.smallest() | b.smallest())
}

pub fn xor(a: Masked, b: Masked) -> u64 {
    a.undefined | b.undefined
}

/// A carry may reach everything from the lowest undefined bit upward.
fn spread_upward(width: u32, undefined: u64) -> u64 {
    word::truncate(width, undefined | undefined.wrapping_neg())
}

/// For `add` and `sub`.
pub fn add(width: u32, a: Masked, b: Masked) -> u64 {
    spread_upward(width, a.undefined | b.undefined)
}

/// An undefined bit is multiplied at least by the lowest bit of the other factor that may be one.
pub fn mul(width: u32, a: Masked, b: Masked) -> u64 {
    let lowest = |undefined: u64, factor: Masked| match (undefined, factor.largest()) {
        (0, _) | (_, 0) => u32::MAX,
        (undefined, factor) => undefined.trailing_zeros() + factor.trailing_zeros(),
    };
    let place = lowest(a.undefined, b).min(lowest(b.undefined, a));
    if place >= width { 0 } else { word::mask(width) & u64::MAX << place }
}

/// An undefined count leaves nothing defined; a defined one moves the mask as it moves the value.
pub fn shl(width: u32, a: Masked, count: Masked) -> u64 {
    if count.undefined != 0 { word::mask(width) } else { word::shl(width, a.undefined, count.bits) }
}

/// See `shl`.
pub fn lshr(width: u32, a: Masked, count: Masked) -> u64 {
    if count.undefined != 0 { word::mask(width) } else { word::lshr(width, a.undefined, count.bits) }
}

/// See `shl`; an undefined sign fills the result with undefined bits.
pub fn ashr(width: u32, a: Masked, count: Masked) -> u64 {
    if count.undefined != 0 { word::mask(width) } else { word::ashr(width, a.undefined, count.bits) }
}

/// See `shl`.
pub fn funnel_shift_left(width: u32, high: Masked, low: Masked, count: Masked) -> u64 {
    match count.undefined {
        0 => word::funnel_shift_left(width, high.undefined, low.undefined, count.bits),
        _ => word::mask(width),
    }
}

/// See `shl`.
pub fn funnel_shift_right(width: u32, high: Masked, low: Masked, count: Masked) -> u64 {
    match count.undefined {
        0 => word::funnel_shift_right(width, high.undefined, low.undefined, count.bits),
        _ => word::mask(width),
    }
}

pub fn trunc(to_width: u32, undefined: u64) -> u64 {
    word::truncate(to_width, undefined)
}

/// The new bits are defined zeros.
pub fn zext(undefined: u64) -> u64 {
    undefined
}

/// The new bits are as defined as the sign.
pub fn sext(from_width: u32, to_width: u32, undefined: u64) -> u64 {
    word::sign_extend_to(from_width, to_width, undefined)
}

/// `width` bits from bit `low` upward.
pub fn extract(undefined: u64, low: u32, width: u32) -> u64 {
    word::truncate(width, undefined >> low)
}

/// `high` above the `low_width` bits of `low`; together at most 64 bits.
pub fn concat(high: u64, low: u64, low_width: u32) -> u64 {
    // A shift by 64 can only happen where there is no room for a high part.
    high.checked_shl(low_width).unwrap_or(0) | low
}

/// The condition has one bit. Where that is undefined, only what both sides agree on is defined.
pub fn select(condition: Masked, on_true: Masked, on_false: Masked) -> u64 {
    match (condition.undefined, condition.bits) {
        (0, 0) => on_false.undefined,
        (0, _) => on_true.undefined,
        _ => on_true.undefined | on_false.undefined | (on_true.bits ^ on_false.bits),
    }
}

/// Whether the result of `icmp eq` or `ne` is undefined: no defined bits differ, and some are undefined.
pub fn equality(a: Masked, b: Masked) -> bool {
    let undefined = a.undefined | b.undefined;
    undefined != 0 && (a.bits ^ b.bits) & !undefined == 0
}

/// Whether the result of `a < b` is undefined: the ranges of the operands overlap.
pub fn unsigned_less(a: Masked, b: Masked) -> bool {
    a.largest() >= b.smallest() && a.smallest() < b.largest()
}

/// Whether the result of `a <= b` is undefined.
pub fn unsigned_less_or_equal(a: Masked, b: Masked) -> bool {
    unsigned_less(b, a)
}

/// Whether the result of `a < b`, both signed, is undefined.
pub fn signed_less(width: u32, a: Masked, b: Masked) -> bool {
    unsigned_less(a.sign_flipped(width), b.sign_flipped(width))
}

/// Whether the result of `a <= b`, both signed, is undefined.
pub fn signed_less_or_equal(width: u32, a: Masked, b: Masked) -> bool {
    signed_less(width, b, a)
}
