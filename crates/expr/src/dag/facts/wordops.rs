//! How facts go through arithmetic, logic and shifts of up to 64 bits.

use super::Facts;
use crate::dag::node::Op;
use crate::word::{mask, sign_extend, truncate};

pub fn not(width: u32, a: Facts) -> Facts {
    Facts {
        zeros: a.ones,
        ones: a.zeros,
        min: truncate(width, !a.max),
        max: truncate(width, !a.min),
        signed_min: !a.signed_max,
        signed_max: !a.signed_min,
    }
}

pub fn binary(op: Op, width: u32, a: Facts, b: Facts) -> Facts {
    if let (Some(x), Some(y)) = (a.known(), b.known()) {
        return Facts::constant(width, crate::dag::semantics::word::binary(op, width, x, y));
    }
    match op {
        Op::And => {
            let bits = Facts { zeros: a.zeros | b.zeros, ones: a.ones & b.ones, ..Facts::top(width) };
            Facts { max: a.max.min(b.max), ..bits }.refined(width)
        }
        Op::Or => {
            let bits = Facts { zeros: a.zeros & b.zeros, ones: a.ones | b.ones, ..Facts::top(width) };
            Facts { min: a.min.max(b.min), ..bits }.refined(width)
        }
        Op::Xor => {
            let zeros = (a.zeros & b.zeros) | (a.ones & b.ones);
            Facts::bits(width, zeros, (a.zeros & b.ones) | (a.ones & b.zeros))
        }
        Op::Add => {
            let bits = sum_bits(width, (a.zeros, a.ones), (b.zeros, b.ones), 0);
            let unsigned = (wide(a.min) + wide(b.min), wide(a.max) + wide(b.max));
            let signed = (signed(a.signed_min) + signed(b.signed_min), signed(a.signed_max) + signed(b.signed_max));
            ranged(width, bits, unsigned, signed)
        }
        Op::Sub => {
            // a - b is a + !b + 1.
            let bits = sum_bits(width, (a.zeros, a.ones), (b.ones, b.zeros), 1);
            let unsigned = (wide(a.min) - wide(b.max), wide(a.max) - wide(b.min));
            let signed = (signed(a.signed_min) - signed(b.signed_max), signed(a.signed_max) - signed(b.signed_min));
            ranged(width, bits, unsigned, signed)
        }
        Op::Mul => multiply(width, a, b),
        Op::UDiv => unsigned_quotient(width, a, b),
        Op::URem => unsigned_remainder(width, a, b),
        Op::SDiv => signed_quotient(width, a, b),
        Op::SRem => signed_remainder(width, a, b),
        Op::Shl => shift_left(width, a, b),
        Op::LShr => shift_right(width, a, b),
        Op::AShr => shift_right_signed(width, a, b),
        _ => Facts::top(width),
    }
}

fn wide(number: u64) -> i128 {
    i128::from(number)
}

fn signed(number: i64) -> i128 {
    i128::from(number)
}

/// The bits of a sum that are known: where both operands and the carry into the place are. Given as zeros and ones.
fn sum_bits(width: u32, a: (u64, u64), b: (u64, u64), carry: u64) -> Facts {
    let (least, most) = (a.1.wrapping_add(b.1).wrapping_add(carry), (!a.0).wrapping_add(!b.0).wrapping_add(carry));
    let carry_is_one = least ^ a.1 ^ b.1;
    let carry_is_zero = !(most ^ !a.0 ^ !b.0);
    let known = (a.0 | a.1) & (b.0 | b.1) & (carry_is_one | carry_is_zero);
    Facts { zeros: truncate(width, known & !least), ones: truncate(width, known & least), ..Facts::top(width) }
}

/// Bits joined with the ranges of the exact result: those count if all of the range wraps around as often.
fn ranged(width: u32, bits: Facts, unsigned: (i128, i128), signed: (i128, i128)) -> Facts {
    let mut facts = bits;
    if unsigned.0 >> width == unsigned.1 >> width {
        facts.min = truncate(width, unsigned.0 as u64);
        facts.max = truncate(width, unsigned.1 as u64);
    }
    let half = 1i128 << (width - 1);
    if (signed.0 + half) >> width == (signed.1 + half) >> width {
        facts.signed_min = sign_extend(width, truncate(width, signed.0 as u64));
        facts.signed_max = sign_extend(width, truncate(width, signed.1 as u64));
    }
    facts.refined(width)
}

/// How many low bits are known without a gap.
fn known_low_bits(facts: Facts) -> u32 {
    (facts.zeros | facts.ones).trailing_ones()
}

fn multiply(width: u32, a: Facts, b: Facts) -> Facts {
    let mut bits = Facts::top(width);
    // Each low bit of a product depends on bits of operands that are not higher.
    let known = known_low_bits(a).min(known_low_bits(b)).min(width);
    if known > 0 {
        let product = a.ones.wrapping_mul(b.ones);
        bits.ones = product & mask(known);
        bits.zeros = !product & mask(known);
    }
    let trailing_zeros = (a.zeros.trailing_ones() + b.zeros.trailing_ones()).min(width);
    if trailing_zeros > 0 {
        bits.zeros |= mask(trailing_zeros);
    }
    let unsigned = match a.max.checked_mul(b.max) {
        Some(max) if max <= mask(width) => (wide(a.min * b.min), wide(max)),
        _ => (0, wide(mask(width))),
    };
    let corners = [
        signed(a.signed_min) * signed(b.signed_min),
        signed(a.signed_min) * signed(b.signed_max),
        signed(a.signed_max) * signed(b.signed_min),
        signed(a.signed_max) * signed(b.signed_max),
    ];
    let (least, most) = extremes(corners);
    let half = 1i128 << (width - 1);
    let fits = least >= -half && most < half;
    ranged(width, bits, unsigned, if fits { (least, most) } else { (-half, half - 1) })
}

fn extremes(corners: [i128; 4]) -> (i128, i128) {
    let [a, b, c, d] = corners;
    (a.min(b).min(c).min(d), a.max(b).max(c).max(d))
}

fn unsigned_quotient(width: u32, a: Facts, b: Facts) -> Facts {
    // Division by zero gives the largest number.
    let max = a.max.checked_div(b.min).unwrap_or(mask(width));
    let min = a.min.checked_div(b.max).unwrap_or(mask(width));
    Facts::range(width, min, max)
}

fn unsigned_remainder(width: u32, a: Facts, b: Facts) -> Facts {
    if a.max < b.min {
        return a;
    }
    // The remainder of a division by zero is the dividend.
    let max = if b.min == 0 { a.max } else { a.max.min(b.max - 1) };
    Facts::range(width, 0, max)
}

fn signed_quotient(width: u32, a: Facts, b: Facts) -> Facts {
    let half = 1i128 << (width - 1);
    let (least, most) = if b.signed_min > 0 || b.signed_max < 0 {
        let quotient = |x: i64, y: i64| signed(x) / signed(y);
        extremes([
            quotient(a.signed_min, b.signed_min),
            quotient(a.signed_min, b.signed_max),
            quotient(a.signed_max, b.signed_min),
            quotient(a.signed_max, b.signed_max),
        ])
    } else {
        // Division by zero gives 1 or -1; by anything else nothing larger than the dividend.
        let most = signed(a.signed_min).abs().max(signed(a.signed_max).abs()).max(1);
        (-most, most)
    };
    // The smallest number divided by -1 wraps; of one bit, 1 is not there either.
    if least < -half || most >= half {
        return Facts::top(width);
    }
    Facts::signed_range(width, least as i64, most as i64)
}

fn signed_remainder(width: u32, a: Facts, b: Facts) -> Facts {
    let divisor_is_not_zero = b.signed_min > 0 || b.signed_max < 0 || b.min > 0;
    let most = match divisor_is_not_zero {
        true => signed(b.signed_min).abs().max(signed(b.signed_max).abs()) - 1,
        false => i128::MAX,
    };
    // The remainder has the sign of the dividend and is no larger.
    let least = signed(a.signed_min).min(0).max(-most);
    let most = signed(a.signed_max).max(0).min(most);
    Facts::signed_range(width, least as i64, most as i64)
}

fn shift_left(width: u32, a: Facts, b: Facts) -> Facts {
    if b.min >= u64::from(width) {
        return Facts::constant(width, 0);
    }
    let least = b.min as u32;
    if b.known().is_some() {
        let zeros = truncate(width, a.zeros << least) | low_ones(least);
        let bits = Facts { zeros, ones: truncate(width, a.ones << least), ..Facts::top(width) };
        let unsigned = (wide(a.min) << least, wide(a.max) << least);
        let signed = (signed(a.signed_min) << least, signed(a.signed_max) << least);
        return ranged(width, bits, unsigned, signed);
    }
    let trailing_zeros = (a.zeros.trailing_ones() + least).min(width);
    let mut facts = Facts { zeros: low_ones(trailing_zeros), ..Facts::top(width) };
    if b.max < u64::from(width) && wide(a.max) << b.max <= wide(mask(width)) {
        (facts.min, facts.max) = (a.min << b.min, a.max << b.max);
    }
    facts.refined(width)
}

/// Ones in the low bits; none for 0.
fn low_ones(count: u32) -> u64 {
    if count == 0 { 0 } else { mask(count) }
}

fn shift_right(width: u32, a: Facts, b: Facts) -> Facts {
    let shifted = |number: u64, count: u64| if count >= u64::from(width) { 0 } else { number >> count };
    let mut facts = Facts { min: shifted(a.min, b.max), max: shifted(a.max, b.min), ..Facts::top(width) };
    if let Some(count) = b.known().filter(|count| *count < u64::from(width)) {
        facts.ones = a.ones >> count;
        facts.zeros = a.zeros >> count | (mask(width) & !(mask(width) >> count));
    }
    facts.refined(width)
}

fn shift_right_signed(width: u32, a: Facts, b: Facts) -> Facts {
    let last = u64::from(width - 1);
    let (least, most) = (b.min.min(last), b.max.min(last));
    // Numbers move toward 0 or -1, the farther the larger the count.
    let signed_min = a.signed_min >> if a.signed_min < 0 { least } else { most };
    let signed_max = a.signed_max >> if a.signed_max < 0 { most } else { least };
    let mut facts = Facts { signed_min, signed_max, ..Facts::top(width) };
    if least == most {
        let fill = |bits: u64| truncate(width, (sign_extend(width, bits) >> least) as u64);
        // A sign bit that is known fills with itself; one that is not is in neither.
        (facts.zeros, facts.ones) = (fill(a.zeros), fill(a.ones));
    }
    facts.refined(width)
}
