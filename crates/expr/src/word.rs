//! Integer operations on values of 1 to 64 bits held in a machine word: the executor's hot path.
//! Wider integers are `Bits`; floats live in `float`.
//!
//! Every operand is zero-extended: bits at and above `width` are zero. Every result is so too.
//! Integers wrap; overflow is told by separate functions, never by a different result.

use std::cmp::Ordering;

/// Ones in the low `width` bits.
#[inline]
pub const fn mask(width: u32) -> u64 {
    debug_assert!(width >= 1 && width <= 64);
    u64::MAX >> (64 - width)
}

/// Drops the bits at and above `width`.
#[inline]
pub const fn truncate(width: u32, bits: u64) -> u64 {
    bits & mask(width)
}

/// The operand as a signed number.
#[inline]
pub const fn sign_extend(width: u32, bits: u64) -> i64 {
    let unused = 64 - width;
    ((bits << unused) as i64) >> unused
}

/// `sext`: from one width to a larger one.
#[inline]
pub const fn sign_extend_to(from_width: u32, to_width: u32, bits: u64) -> u64 {
    truncate(to_width, sign_extend(from_width, bits) as u64)
}

/// The sign bit alone: also the smallest signed number.
#[inline]
pub const fn sign_bit(width: u32) -> u64 {
    1 << (width - 1)
}

#[inline]
pub const fn is_negative(width: u32, bits: u64) -> bool {
    bits & sign_bit(width) != 0
}

#[inline]
pub const fn add(width: u32, a: u64, b: u64) -> u64 {
    truncate(width, a.wrapping_add(b))
}

#[inline]
pub const fn sub(width: u32, a: u64, b: u64) -> u64 {
    truncate(width, a.wrapping_sub(b))
}

#[inline]
pub const fn mul(width: u32, a: u64, b: u64) -> u64 {
    truncate(width, a.wrapping_mul(b))
}

#[inline]
pub const fn neg(width: u32, a: u64) -> u64 {
    truncate(width, a.wrapping_neg())
}

#[inline]
pub const fn not(width: u32, a: u64) -> u64 {
    truncate(width, !a)
}

/// `None` where the divisor is zero.
#[inline]
pub const fn udiv(_width: u32, a: u64, b: u64) -> Option<u64> {
    a.checked_div(b)
}

/// `None` where the divisor is zero.
#[inline]
pub const fn urem(_width: u32, a: u64, b: u64) -> Option<u64> {
    a.checked_rem(b)
}

/// Rounds toward zero. `None` where the divisor is zero; the smallest number divided by -1 wraps to itself
/// (the machine traps there: ask `sdiv_overflows`).
#[inline]
pub const fn sdiv(width: u32, a: u64, b: u64) -> Option<u64> {
    if b == 0 {
        return None;
    }
    Some(truncate(width, sign_extend(width, a).wrapping_div(sign_extend(width, b)) as u64))
}

/// Takes the sign of the dividend. `None` where the divisor is zero.
#[inline]
pub const fn srem(width: u32, a: u64, b: u64) -> Option<u64> {
    if b == 0 {
        return None;
    }
    Some(truncate(width, sign_extend(width, a).wrapping_rem(sign_extend(width, b)) as u64))
}

/// Whether `sdiv` and `srem` are out of range: the smallest number divided by -1.
#[inline]
pub const fn sdiv_overflows(width: u32, a: u64, b: u64) -> bool {
    a == sign_bit(width) && b == mask(width)
}

/// The count that an x86-64 shift instruction really uses.
///
/// LLVM calls a shift by the width or more poison; machine code does something definite. Operands of up to 32 bits are
/// shifted in a 32-bit register, which looks at five bits of the count, wider ones in a 64-bit register, which looks at
/// six: `1 << 33` is 2 for an `i32`, and for an `i8`. A count that is still not less than the width shifts
/// everything out.
#[inline]
pub const fn machine_shift_count(width: u32, count: u64) -> u32 {
    if width <= 32 { (count & 31) as u32 } else { (count & 63) as u32 }
}

/// Shift left; for counts not less than the width see `machine_shift_count`.
#[inline]
pub const fn shl(width: u32, a: u64, count: u64) -> u64 {
    truncate(width, a << machine_shift_count(width, count))
}

/// Shift right, filling with zeros; for counts not less than the width see `machine_shift_count`.
#[inline]
pub const fn lshr(width: u32, a: u64, count: u64) -> u64 {
    a >> machine_shift_count(width, count)
}

/// Shift right, filling with the sign; for counts not less than the width see `machine_shift_count`.
#[inline]
pub const fn ashr(width: u32, a: u64, count: u64) -> u64 {
    truncate(width, (sign_extend(width, a) >> machine_shift_count(width, count)) as u64)
}

#[inline]
pub const fn unsigned_less(a: u64, b: u64) -> bool {
    a < b
}

#[inline]
pub const fn unsigned_less_or_equal(a: u64, b: u64) -> bool {
    a <= b
}

#[inline]
pub const fn signed_less(width: u32, a: u64, b: u64) -> bool {
    sign_extend(width, a) < sign_extend(width, b)
}

#[inline]
pub const fn signed_less_or_equal(width: u32, a: u64, b: u64) -> bool {
    sign_extend(width, a) <= sign_extend(width, b)
}

#[inline]
pub fn compare_unsigned(a: u64, b: u64) -> Ordering {
    a.cmp(&b)
}

#[inline]
pub fn compare_signed(width: u32, a: u64, b: u64) -> Ordering {
    sign_extend(width, a).cmp(&sign_extend(width, b))
}

/// The wrapped sum, and whether the signed one did not fit.
#[inline]
pub const fn add_overflow_signed(width: u32, a: u64, b: u64) -> (u64, bool) {
    let sum = add(width, a, b);
    // Overflow: the operands agree in sign and the sum does not.
    (sum, is_negative(width, !(a ^ b) & (a ^ sum)))
}

/// The wrapped sum, and whether the unsigned one did not fit.
#[inline]
pub const fn add_overflow_unsigned(width: u32, a: u64, b: u64) -> (u64, bool) {
    let sum = add(width, a, b);
    (sum, sum < a)
}

/// The wrapped difference, and whether the signed one did not fit.
#[inline]
pub const fn sub_overflow_signed(width: u32, a: u64, b: u64) -> (u64, bool) {
    let difference = sub(width, a, b);
    (difference, is_negative(width, (a ^ b) & (a ^ difference)))
}

/// The wrapped difference, and whether the unsigned one did not fit.
#[inline]
pub const fn sub_overflow_unsigned(width: u32, a: u64, b: u64) -> (u64, bool) {
    (sub(width, a, b), a < b)
}

/// The wrapped product, and whether the signed one did not fit.
#[inline]
pub const fn mul_overflow_signed(width: u32, a: u64, b: u64) -> (u64, bool) {
    let exact = sign_extend(width, a) as i128 * sign_extend(width, b) as i128;
    let product = truncate(width, exact as u64);
    (product, sign_extend(width, product) as i128 != exact)
}

/// The wrapped product, and whether the unsigned one did not fit.
#[inline]
pub const fn mul_overflow_unsigned(width: u32, a: u64, b: u64) -> (u64, bool) {
    let exact = a as u128 * b as u128;
    (truncate(width, exact as u64), exact >> width != 0)
}

/// The largest signed number, or the smallest.
#[inline]
const fn signed_limit(width: u32, negative: bool) -> u64 {
    if negative { sign_bit(width) } else { mask(width) >> 1 }
}

#[inline]
pub const fn add_saturate_signed(width: u32, a: u64, b: u64) -> u64 {
    match add_overflow_signed(width, a, b) {
        (_, true) => signed_limit(width, is_negative(width, a)),
        (sum, false) => sum,
    }
}

#[inline]
pub const fn add_saturate_unsigned(width: u32, a: u64, b: u64) -> u64 {
    match add_overflow_unsigned(width, a, b) {
        (_, true) => mask(width),
        (sum, false) => sum,
    }
}

#[inline]
pub const fn sub_saturate_signed(width: u32, a: u64, b: u64) -> u64 {
    match sub_overflow_signed(width, a, b) {
        (_, true) => signed_limit(width, is_negative(width, a)),
        (difference, false) => difference,
    }
}

#[inline]
pub const fn sub_saturate_unsigned(_width: u32, a: u64, b: u64) -> u64 {
    a.saturating_sub(b)
}

/// A value that changes when shifted back gives the limit of its sign.
#[inline]
pub const fn shl_saturate_signed(width: u32, a: u64, count: u64) -> u64 {
    let shifted = shl(width, a, count);
    if ashr(width, shifted, count) == a { shifted } else { signed_limit(width, is_negative(width, a)) }
}

#[inline]
pub const fn shl_saturate_unsigned(width: u32, a: u64, count: u64) -> u64 {
    let shifted = shl(width, a, count);
    if lshr(width, shifted, count) == a { shifted } else { mask(width) }
}

#[inline]
pub const fn min_signed(width: u32, a: u64, b: u64) -> u64 {
    if signed_less(width, b, a) { b } else { a }
}

#[inline]
pub const fn max_signed(width: u32, a: u64, b: u64) -> u64 {
    if signed_less(width, a, b) { b } else { a }
}

#[inline]
pub const fn min_unsigned(a: u64, b: u64) -> u64 {
    if b < a { b } else { a }
}

#[inline]
pub const fn max_unsigned(a: u64, b: u64) -> u64 {
    if a < b { b } else { a }
}

/// The smallest number is its own absolute value.
#[inline]
pub const fn abs(width: u32, a: u64) -> u64 {
    if is_negative(width, a) { neg(width, a) } else { a }
}

#[inline]
pub const fn count_ones(a: u64) -> u64 {
    a.count_ones() as u64
}

/// The width for zero.
#[inline]
pub const fn leading_zeros(width: u32, a: u64) -> u64 {
    (a.leading_zeros() - (64 - width)) as u64
}

/// The width for zero.
#[inline]
pub const fn trailing_zeros(width: u32, a: u64) -> u64 {
    if a == 0 { width as u64 } else { a.trailing_zeros() as u64 }
}

/// The width is a multiple of 8.
#[inline]
pub const fn swap_bytes(width: u32, a: u64) -> u64 {
    a.swap_bytes() >> (64 - width)
}

#[inline]
pub const fn reverse_bits(width: u32, a: u64) -> u64 {
    a.reverse_bits() >> (64 - width)
}

/// The high half of `high:low` shifted left by the count modulo the width. With equal halves, a rotation.
#[inline]
pub const fn funnel_shift_left(width: u32, high: u64, low: u64, count: u64) -> u64 {
    let count = (count % width as u64) as u32;
    if count == 0 {
        return high;
    }
    truncate(width, (high << count) | (low >> (width - count)))
}

/// The low half of `high:low` shifted right by the count modulo the width.
#[inline]
pub const fn funnel_shift_right(width: u32, high: u64, low: u64, count: u64) -> u64 {
    let count = (count % width as u64) as u32;
    if count == 0 {
        return low;
    }
    truncate(width, (high << (width - count)) | (low >> count))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair of operands of every width up to 6, against arithmetic in 64 bits.
    #[test]
    fn small_widths_exhaustively() {
        for width in 1..=6 {
            for a in 0..=mask(width) {
                for b in 0..=mask(width) {
                    check_pair(width, a, b);
                }
            }
        }
    }

    fn check_pair(width: u32, a: u64, b: u64) {
        let (sa, sb) = (sign_extend(width, a), sign_extend(width, b));
        let wrap = |x: i64| x as u64 & mask(width);
        let fits = |x: i64| sign_extend(width, wrap(x)) == x;
        let fits_unsigned = |x: i64| x >= 0 && x as u64 <= mask(width);
        let clamp = |x: i64| wrap(x.clamp(sign_extend(width, sign_bit(width)), (mask(width) >> 1) as i64));
        let clamp_unsigned = |x: i64| x.clamp(0, mask(width) as i64) as u64;
        let (ua, ub) = (a as i64, b as i64);
        assert_eq!(add_overflow_signed(width, a, b), (wrap(sa + sb), !fits(sa + sb)));
        assert_eq!(sub_overflow_signed(width, a, b), (wrap(sa - sb), !fits(sa - sb)));
        assert_eq!(mul_overflow_signed(width, a, b), (wrap(sa * sb), !fits(sa * sb)));
        assert_eq!(add_overflow_unsigned(width, a, b), (wrap(ua + ub), !fits_unsigned(ua + ub)));
        assert_eq!(sub_overflow_unsigned(width, a, b), (wrap(ua - ub), !fits_unsigned(ua - ub)));
        assert_eq!(mul_overflow_unsigned(width, a, b), (wrap(ua * ub), !fits_unsigned(ua * ub)));
        assert_eq!(add_saturate_signed(width, a, b), clamp(sa + sb));
        assert_eq!(sub_saturate_signed(width, a, b), clamp(sa - sb));
        assert_eq!(add_saturate_unsigned(width, a, b), clamp_unsigned(ua + ub));
        assert_eq!(sub_saturate_unsigned(width, a, b), clamp_unsigned(ua - ub));
        if b < u64::from(width) {
            assert_eq!(shl_saturate_signed(width, a, b), clamp(sa << b));
            assert_eq!(shl_saturate_unsigned(width, a, b), clamp_unsigned(ua << b));
            assert_eq!(shl(width, a, b), wrap(ua << b));
            assert_eq!(lshr(width, a, b), a >> b);
            assert_eq!(ashr(width, a, b), wrap(sa >> b));
        }
        assert_eq!(sdiv(width, a, b), (b != 0).then(|| wrap(sa / sb.max(1).max(sb.abs()) * sb.signum())));
        assert_eq!(srem(width, a, b), (b != 0).then(|| wrap(sa % if sb == 0 { 1 } else { sb })));
        assert_eq!(udiv(width, a, b), (b != 0).then(|| a / b.max(1)));
        assert_eq!(sdiv_overflows(width, a, b), b != 0 && !fits(sa / if sb == 0 { 1 } else { sb }));
        assert_eq!(min_signed(width, a, b), wrap(sa.min(sb)));
        assert_eq!(max_signed(width, a, b), wrap(sa.max(sb)));
        assert_eq!(abs(width, a), wrap(sa.abs()));
        let double = (a << width) | b;
        let count = b % u64::from(width);
        assert_eq!(funnel_shift_left(width, a, b, b), wrap(((double << count) >> width) as i64));
        assert_eq!(funnel_shift_right(width, a, b, b), wrap((double >> count) as i64));
    }

    #[test]
    fn shifts_past_the_width_mask_their_count() {
        assert_eq!(shl(32, 1, 33), 2);
        assert_eq!(shl(8, 1, 33), 2);
        assert_eq!(shl(8, 1, 9), 0);
        assert_eq!(lshr(16, 0x8000, 20), 0);
        assert_eq!(ashr(16, 0x8000, 20), 0xffff);
        assert_eq!(shl(64, 1, 65), 2);
        assert_eq!(lshr(64, 1 << 63, 127), 1);
    }

    #[test]
    fn bit_counts_and_permutations() {
        assert_eq!(leading_zeros(8, 0), 8);
        assert_eq!(leading_zeros(64, 1), 63);
        assert_eq!(trailing_zeros(5, 0), 5);
        assert_eq!(trailing_zeros(64, 1 << 63), 63);
        assert_eq!(swap_bytes(16, 0x1234), 0x3412);
        assert_eq!(swap_bytes(64, 0x0102_0304_0506_0708), 0x0807_0605_0403_0201);
        assert_eq!(reverse_bits(4, 0b0010), 0b0100);
        assert_eq!(funnel_shift_left(64, 1, 1 << 63, 65), 3);
        assert_eq!(sign_extend_to(4, 8, 0x9), 0xf9);
        assert_eq!(sign_extend_to(64, 64, u64::MAX), u64::MAX);
    }
}
