//! Whether the result of arithmetic fits its width, and the operations that stop at the limit instead of wrapping.

use super::Bits;

impl Bits {
    /// The largest signed number, or the smallest.
    fn signed_limit(width: u32, negative: bool) -> Bits {
        let mut smallest = Bits::zero(width);
        smallest.set_bit(width - 1, true);
        if negative { smallest } else { smallest.not() }
    }

    /// Whether `sdiv` and `srem` are out of range: the smallest number divided by -1.
    pub fn sdiv_overflows(&self, divisor: &Bits) -> bool {
        *self == Self::signed_limit(self.width, true) && divisor.is_ones()
    }

    /// The wrapped sum, and whether the signed one did not fit.
    pub fn add_overflow_signed(&self, other: &Bits) -> (Bits, bool) {
        let sum = self.add(other);
        let overflow = self.is_negative() == other.is_negative() && sum.is_negative() != self.is_negative();
        (sum, overflow)
    }

    /// The wrapped sum, and whether the unsigned one did not fit.
    pub fn add_overflow_unsigned(&self, other: &Bits) -> (Bits, bool) {
        let sum = self.add(other);
        let overflow = sum.unsigned_less(self);
        (sum, overflow)
    }

    /// The wrapped difference, and whether the signed one did not fit.
    pub fn sub_overflow_signed(&self, other: &Bits) -> (Bits, bool) {
        let difference = self.sub(other);
        let overflow = self.is_negative() != other.is_negative() && difference.is_negative() != self.is_negative();
        (difference, overflow)
    }

    /// The wrapped difference, and whether the unsigned one did not fit.
    pub fn sub_overflow_unsigned(&self, other: &Bits) -> (Bits, bool) {
        (self.sub(other), self.unsigned_less(other))
    }

    /// The wrapped product, and whether the signed one did not fit.
    pub fn mul_overflow_signed(&self, other: &Bits) -> (Bits, bool) {
        if let (Some(a), Some(b)) = (self.small_signed(), other.small_signed())
            && let Some(exact) = a.checked_mul(b)
        {
            let product = Bits::from_u128(self.width, exact as u128);
            let overflow = product.small_signed() != Some(exact);
            return (product, overflow);
        }
        let wide = self.sext(self.width * 2).mul(&other.sext(self.width * 2));
        let product = wide.trunc(self.width);
        let overflow = product.sext(self.width * 2) != wide;
        (product, overflow)
    }

    /// The wrapped product, and whether the unsigned one did not fit.
    pub fn mul_overflow_unsigned(&self, other: &Bits) -> (Bits, bool) {
        if let (Some(a), Some(b)) = (self.small(), other.small())
            && let Some(exact) = a.checked_mul(b)
        {
            let product = Bits::from_u128(self.width, exact);
            let overflow = product.low_u128() != exact;
            return (product, overflow);
        }
        let wide = self.zext(self.width * 2).mul(&other.zext(self.width * 2));
        (wide.trunc(self.width), wide.leading_zeros() < self.width)
    }

    pub fn add_saturate_signed(&self, other: &Bits) -> Bits {
        match self.add_overflow_signed(other) {
            (_, true) => Self::signed_limit(self.width, self.is_negative()),
            (sum, false) => sum,
        }
    }

    pub fn add_saturate_unsigned(&self, other: &Bits) -> Bits {
        match self.add_overflow_unsigned(other) {
            (_, true) => Bits::ones(self.width),
            (sum, false) => sum,
        }
    }

    pub fn sub_saturate_signed(&self, other: &Bits) -> Bits {
        match self.sub_overflow_signed(other) {
            (_, true) => Self::signed_limit(self.width, self.is_negative()),
            (difference, false) => difference,
        }
    }

    pub fn sub_saturate_unsigned(&self, other: &Bits) -> Bits {
        match self.sub_overflow_unsigned(other) {
            (_, true) => Bits::zero(self.width),
            (difference, false) => difference,
        }
    }

    /// A value that changes when shifted back gives the limit of its sign.
    pub fn shl_saturate_signed(&self, count: u64) -> Bits {
        let shifted = self.shl(count);
        if shifted.ashr(count) == *self { shifted } else { Self::signed_limit(self.width, self.is_negative()) }
    }

    pub fn shl_saturate_unsigned(&self, count: u64) -> Bits {
        let shifted = self.shl(count);
        if shifted.lshr(count) == *self { shifted } else { Bits::ones(self.width) }
    }
}
