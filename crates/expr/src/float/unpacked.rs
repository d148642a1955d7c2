//! A finite number taken apart, and put together again in any format: the ground of conversions, rounding, remainder
//! and square root. Sums and products of the wide formats are in `soft`.

use super::format::{Class, FloatKind};

const TOP_BIT: u128 = 1 << 127;

/// A finite number other than zero: `significand * 2^(exponent - 127)`, the top bit of the significand set.
#[derive(Copy, Clone, Debug)]
pub(super) struct Unpacked {
    pub negative: bool,
    pub exponent: i32,
    pub significand: u128,
}

/// What a pattern is, sign included for zero and infinity.
#[derive(Copy, Clone, Debug)]
pub(super) enum Number {
    Zero {
        negative: bool,
    },
    Finite(Unpacked),
    Infinite {
        negative: bool,
    },
    /// A NaN, or an x87 pattern that is treated as one.
    Nan,
}

/// The ways to round.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Rounding {
    Down,
    Up,
    TowardZero,
    NearestEven,
    NearestAway,
}

impl Unpacked {
    /// From an integer other than zero.
    pub fn from_integer(negative: bool, magnitude: u128) -> Unpacked {
        let shift = magnitude.leading_zeros();
        Unpacked { negative, exponent: 127 - shift as i32, significand: magnitude << shift }
    }

    /// The nearest number of the format, ties to even; infinity past the largest one. `sticky` says that the exact
    /// number is a little larger in magnitude than what the significand holds.
    pub fn pack(self, kind: FloatKind, sticky: bool) -> u128 {
        self.pack_rounded(kind, sticky, Rounding::NearestEven)
    }

    /// The same, rounding in any direction. Past the largest number of the format comes infinity, or not, as IEEE 754 says for the
    /// direction.
    pub fn pack_rounded(self, kind: FloatKind, sticky: bool, rounding: Rounding) -> u128 {
        let (precision, min_exponent) = (kind.precision(), kind.min_exponent());
        let subnormal_shift = (min_exponent - self.exponent).max(0) as u32;
        let dropped = 128 - precision + subnormal_shift.min(precision + 2);
        // All of it is dropped only where even the guard bit is: then it is less than half of the last place.
        let kept = if dropped >= 128 { 0 } else { self.significand >> dropped };
        let (guard, rest) = match dropped {
            0 => (false, false),
            1..=128 => {
                let rest_mask = (1 << (dropped - 1)) - 1;
                (self.significand >> (dropped - 1) & 1 == 1, self.significand & rest_mask != 0)
            }
            _ => (false, true),
        };
        let away = match rounding {
            Rounding::NearestEven => guard && (rest || sticky || kept & 1 == 1),
            Rounding::NearestAway => guard,
            Rounding::TowardZero => false,
            Rounding::Up => !self.negative && (guard || rest || sticky),
            Rounding::Down => self.negative && (guard || rest || sticky),
        };
        let exponent = self.exponent.max(min_exponent);
        let pattern = encode(kind, self.negative, exponent, kept + u128::from(away));
        let stops_at_largest = match rounding {
            Rounding::NearestEven | Rounding::NearestAway => false,
            Rounding::TowardZero => true,
            Rounding::Up => self.negative,
            Rounding::Down => !self.negative,
        };
        if stops_at_largest && pattern == kind.infinity(self.negative) { kind.largest(self.negative) } else { pattern }
    }

    /// The number rounded to an integer; `None` if its magnitude is 2^128 or more.
    pub fn to_integer(self, rounding: Rounding) -> Option<u128> {
        if self.exponent > 127 {
            return None;
        }
        let (whole, fraction) = match self.exponent {
            // A fraction is compared with one half as the significand with its top bit.
            ..=-2 => (0, 1),
            -1 => (0, self.significand),
            127 => (self.significand, 0),
            exponent => (self.significand >> (127 - exponent), self.significand << (exponent + 1)),
        };
        let away = match rounding {
            Rounding::TowardZero => false,
            Rounding::Down => self.negative && fraction != 0,
            Rounding::Up => !self.negative && fraction != 0,
            Rounding::NearestAway => fraction >= TOP_BIT,
            Rounding::NearestEven => fraction > TOP_BIT || (fraction == TOP_BIT && whole & 1 == 1),
        };
        whole.checked_add(u128::from(away))
    }
}

/// A significand of at most `precision` bits, or the power of two just past that, becomes a pattern.
fn encode(kind: FloatKind, negative: bool, exponent: i32, mut significand: u128) -> u128 {
    let mut field = (exponent + kind.max_exponent()) as u32;
    let leading = 1 << (kind.precision() - 1);
    if significand == leading << 1 {
        significand = leading;
        field += 1;
    }
    if significand & leading == 0 {
        // Only the smallest exponent comes here without a leading bit.
        field = 0;
    }
    if field >= kind.exponent_field_max() {
        return kind.infinity(negative);
    }
    kind.zero(negative) | u128::from(field) << kind.fraction_bits() | significand & kind.fraction_mask()
}

pub(super) fn unpack(kind: FloatKind, pattern: u128) -> Number {
    let negative = kind.is_negative(pattern);
    match kind.class(pattern) {
        Class::Zero => Number::Zero { negative },
        Class::Infinite => Number::Infinite { negative },
        Class::QuietNan | Class::SignallingNan | Class::Unsupported => Number::Nan,
        Class::Subnormal | Class::Normal => {
            let field = kind.exponent_field(pattern);
            let mut significand = pattern & kind.fraction_mask();
            if field != 0 {
                significand |= 1 << (kind.precision() - 1);
            }
            // The field 0 has the exponent of the field 1, also for x87's denormals with a leading bit.
            let exponent = field.max(1) as i32 - kind.max_exponent();
            let shift = significand.leading_zeros();
            let exponent = exponent + 128 - kind.precision() as i32 - shift as i32;
            Number::Finite(Unpacked { negative, exponent, significand: significand << shift })
        }
    }
}

/// The number rounded to an integral one of the same format. Zeros keep their sign, as does what rounds to zero.
pub(super) fn round_to_integral(kind: FloatKind, pattern: u128, rounding: Rounding) -> u128 {
    match unpack(kind, pattern) {
        Number::Zero { .. } | Number::Infinite { .. } => pattern,
        Number::Nan => kind.quieted(pattern),
        Number::Finite(number) if number.exponent >= kind.precision() as i32 - 1 => pattern,
        Number::Finite(number) => match number.to_integer(rounding) {
            None => pattern,
            Some(0) => kind.zero(number.negative),
            Some(magnitude) => Unpacked::from_integer(number.negative, magnitude).pack(kind, false),
        },
    }
}

/// The square root; an invalid operation for negative numbers.
pub(super) fn square_root(kind: FloatKind, pattern: u128, rounding: Rounding) -> u128 {
    let number = match unpack(kind, pattern) {
        Number::Nan => return kind.quieted(pattern),
        Number::Zero { .. } | Number::Infinite { negative: false } => return pattern,
        Number::Infinite { negative: true } | Number::Finite(Unpacked { negative: true, .. }) => {
            return kind.default_nan();
        }
        Number::Finite(number) => number,
    };
    // Two digits of the radicand for each digit of the root, from the left. The radicand is in [1, 4): an odd
    // exponent lends one factor of two.
    let root_digits = kind.precision() + 2;
    let odd = number.exponent & 1 != 0;
    let radicand_digit = |index: u32| {
        // The digit before the top one is the place for the lent factor.
        let place = if odd { 127i64 - i64::from(index) } else { 128 - i64::from(index) };
        u128::from((0..128).contains(&place) && number.significand >> place & 1 == 1)
    };
    let (mut root, mut rest): (u128, u128) = (0, 0);
    for step in 0..root_digits {
        rest = rest << 2 | radicand_digit(2 * step) << 1 | radicand_digit(2 * step + 1);
        let trial = root << 2 | 1;
        root <<= 1;
        if rest >= trial {
            rest -= trial;
            root |= 1;
        }
    }
    // The radicand has no more digits than the root consumed: precision at most 113, twice 115 consumed.
    let significand = root << (128 - root_digits);
    let exponent = number.exponent.div_euclid(2);
    Unpacked { negative: false, exponent, significand }.pack_rounded(kind, rest != 0, rounding)
}

/// C's `fmod`: the exact remainder of division toward zero, with the sign of the dividend. Both are finite and not zero.
pub(super) fn remainder(kind: FloatKind, dividend: Unpacked, divisor: Unpacked) -> u128 {
    // Whole numbers of at most 113 bits, so that there is room to shift.
    let unused = 128 - kind.precision();
    let divisor_significand = divisor.significand >> unused;
    let mut rest = dividend.significand >> unused;
    let mut places = dividend.exponent - divisor.exponent;
    if places < 0 {
        return dividend.pack(kind, false);
    }
    rest %= divisor_significand;
    while places > 0 && rest != 0 {
        let step = (places as u32).min(rest.leading_zeros());
        rest = (rest << step) % divisor_significand;
        places -= step as i32;
    }
    if rest == 0 {
        return kind.zero(dividend.negative);
    }
    let shift = rest.leading_zeros();
    let exponent = divisor.exponent + unused as i32 - shift as i32;
    Unpacked { negative: dividend.negative, exponent, significand: rest << shift }.pack(kind, false)
}
