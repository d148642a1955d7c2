//! Undefined bits of operations on values of any width: the same rules as for words (see `partial::word`).

use crate::Bits;

/// A bit-vector of which some bits are undefined.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Masked<'a> {
    pub bits: &'a Bits,
    /// One where the bit is undefined; as wide as the bits.
    pub undefined: &'a Bits,
}

impl Masked<'_> {
    fn width(&self) -> u32 {
        self.bits.width()
    }

    fn is_defined(&self) -> bool {
        self.undefined.is_zero()
    }

    /// The smallest number that the undefined bits allow.
    fn smallest(&self) -> Bits {
        self.bits.and(&self.undefined.not())
    }

    /// The largest number that the undefined bits allow.
    fn largest(&self) -> Bits {
        self.bits.or(self.undefined)
    }

    fn any_undefined(&self, other: &Masked) -> Bits {
        self.undefined.or(other.undefined)
    }
}

/// Where nothing better is known: all bits are undefined if any is.
pub fn any(result_width: u32, undefined: &[&Bits]) -> Bits {
    if undefined.iter().all(|mask| mask.is_zero()) { Bits::zero(result_width) } else { Bits::ones(result_width) }
}

/// A defined zero on either side decides.
pub fn and(a: Masked, b: Masked) -> Bits {
    a.any_undefined(&b).and(&a.largest()).and(&b.largest())
}

/// A defined one on either side decides.
pub fn or(a: Masked, b: Masked) -> Bits {
    a.any_undefined(&b).and(&a.smallest().or(&b.smallest()).not())
}

pub fn xor(a: Masked, b: Masked) -> Bits {
    a.any_undefined(&b)
}

/// For `add` and `sub`: a carry may reach everything from the lowest undefined bit upward.
pub fn add(a: Masked, b: Masked) -> Bits {
    let undefined = a.any_undefined(&b);
    undefined.or(&undefined.neg())
}

/// An undefined bit is multiplied at least by the lowest bit of the other factor that may be one.
pub fn mul(a: Masked, b: Masked) -> Bits {
    // Where there is no undefined bit, or nothing to multiply it with, a count reaches the width and so does the sum.
    let lowest = |undefined: &Bits, factor: Bits| undefined.trailing_zeros() + factor.trailing_zeros();
    let place = lowest(a.undefined, b.largest()).min(lowest(b.undefined, a.largest()));
    Bits::ones(a.width()).shl(place.into())
}

/// An undefined count leaves nothing defined; a defined one moves the mask as it moves the value.
pub fn shl(a: Masked, count: Masked) -> Bits {
    if count.is_defined() { a.undefined.machine_shl(count.bits) } else { Bits::ones(a.width()) }
}

/// See `shl`.
pub fn lshr(a: Masked, count: Masked) -> Bits {
    if count.is_defined() { a.undefined.machine_lshr(count.bits) } else { Bits::ones(a.width()) }
}

/// See `shl`; an undefined sign fills the result with undefined bits.
pub fn ashr(a: Masked, count: Masked) -> Bits {
    if count.is_defined() { a.undefined.machine_ashr(count.bits) } else { Bits::ones(a.width()) }
}

/// See `shl`.
pub fn funnel_shift_left(high: Masked, low: Masked, count: Masked) -> Bits {
    if count.is_defined() {
        high.undefined.funnel_shift_left(low.undefined, count.bits)
    } else {
        Bits::ones(high.width())
    }
}

/// See `shl`.
pub fn funnel_shift_right(high: Masked, low: Masked, count: Masked) -> Bits {
    if count.is_defined() {
        high.undefined.funnel_shift_right(low.undefined, count.bits)
    } else {
        Bits::ones(high.width())
    }
}

// Cutting, joining, extending and permuting move masks as they move values: `Bits::trunc`, `zext`, `sext`, `extract`,
// `concat`, `swap_bytes` and `reverse_bits` of the mask.

/// The condition has one bit. Where that is undefined, only what both sides agree on is defined.
pub fn select(condition: Masked, on_true: Masked, on_false: Masked) -> Bits {
    match (condition.is_defined(), condition.bits.is_zero()) {
        (true, true) => on_false.undefined.clone(),
        (true, false) => on_true.undefined.clone(),
        (false, _) => on_true.any_undefined(&on_false).or(&on_true.bits.xor(on_false.bits)),
    }
}

/// Whether the result of `icmp eq` or `ne` is undefined: no defined bits differ, and some are undefined.
pub fn equality(a: Masked, b: Masked) -> bool {
    let undefined = a.any_undefined(&b);
    !undefined.is_zero() && a.bits.xor(b.bits).and(&undefined.not()).is_zero()
}

/// Whether the result of `a < b` is undefined: the ranges of the operands overlap.
pub fn unsigned_less(a: Masked, b: Masked) -> bool {
    !a.largest().unsigned_less(&b.smallest()) && a.smallest().unsigned_less(&b.largest())
}

/// Whether the result of `a <= b` is undefined.
pub fn unsigned_less_or_equal(a: Masked, b: Masked) -> bool {
    unsigned_less(b, a)
}

/// Whether the result of `a < b`, both signed, is undefined.
pub fn signed_less(a: Masked, b: Masked) -> bool {
    // With the sign bits flipped, signed order becomes unsigned order.
    let flip = |value: &Bits| value.xor(&Bits::from_u64(value.width(), 1).shl(u64::from(value.width()) - 1));
    let (flipped_a, flipped_b) = (flip(a.bits), flip(b.bits));
    unsigned_less(Masked { bits: &flipped_a, ..a }, Masked { bits: &flipped_b, ..b })
}

/// Whether the result of `a <= b`, both signed, is undefined.
pub fn signed_less_or_equal(a: Masked, b: Masked) -> bool {
    signed_less(b, a)
}
