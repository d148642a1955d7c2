//! Wrapping arithmetic and comparison of bit-vectors. Whether a result fits is asked in `overflow`.

use std::cmp::Ordering;

use smallvec::SmallVec;

use super::{Bits, LIMB_BITS};

impl Bits {
    pub fn add(&self, other: &Bits) -> Bits {
        debug_assert_eq!(self.width, other.width);
        if let (Some(a), Some(b)) = (self.small(), other.small()) {
            return Bits::from_u128(self.width, a.wrapping_add(b));
        }
        let mut carry = false;
        let sum = |(&a, &b): (&u64, &u64)| {
            let limb;
            (limb, carry) = a.carrying_add(b, carry);
            limb
        };
        let limbs = self.limbs.iter().zip(&other.limbs).map(sum).collect();
        Bits { width: self.width, limbs }.cleared()
    }

    pub fn sub(&self, other: &Bits) -> Bits {
        debug_assert_eq!(self.width, other.width);
        if let (Some(a), Some(b)) = (self.small(), other.small()) {
            return Bits::from_u128(self.width, a.wrapping_sub(b));
        }
        let mut borrow = false;
        let difference = |(&a, &b): (&u64, &u64)| {
            let limb;
            (limb, borrow) = a.borrowing_sub(b, borrow);
            limb
        };
        let limbs = self.limbs.iter().zip(&other.limbs).map(difference).collect();
        Bits { width: self.width, limbs }.cleared()
    }

    pub fn neg(&self) -> Bits {
        Bits::zero(self.width).sub(self)
    }

    pub fn mul(&self, other: &Bits) -> Bits {
        debug_assert_eq!(self.width, other.width);
        if let (Some(a), Some(b)) = (self.small(), other.small()) {
            return Bits::from_u128(self.width, a.wrapping_mul(b));
        }
        let count = self.limbs.len();
        let mut product = Bits::zero(self.width);
        for (low, &a) in self.limbs.iter().enumerate().filter(|(_, a)| **a != 0) {
            let mut carry = 0;
            for index in low..count {
                let limb = &mut product.limbs[index];
                (*limb, carry) = a.carrying_mul_add(other.limbs[index - low], carry, *limb);
            }
        }
        product.cleared()
    }

    /// Quotient and remainder of unsigned division; `None` where the divisor is zero.
    pub fn udivrem(&self, divisor: &Bits) -> Option<(Bits, Bits)> {
        debug_assert_eq!(self.width, divisor.width);
        if divisor.is_zero() {
            return None;
        }
        let width = self.width;
        if let (Some(a), Some(b)) = (self.to_u128(), divisor.to_u128()) {
            return Some((Bits::from_u128(width, a / b), Bits::from_u128(width, a % b)));
        }
        let (quotient, remainder) = divide_limbs(&self.limbs, &divisor.limbs);
        Some((Bits::from_limbs(width, &quotient), Bits::from_limbs(width, &remainder)))
    }

    /// `None` where the divisor is zero.
    pub fn udiv(&self, divisor: &Bits) -> Option<Bits> {
        self.udivrem(divisor).map(|(quotient, _)| quotient)
    }

    /// `None` where the divisor is zero.
    pub fn urem(&self, divisor: &Bits) -> Option<Bits> {
        self.udivrem(divisor).map(|(_, remainder)| remainder)
    }

    /// Rounds toward zero. `None` where the divisor is zero; the smallest number divided by -1 wraps to itself
    /// (ask `sdiv_overflows`).
    pub fn sdiv(&self, divisor: &Bits) -> Option<Bits> {
        let quotient = self.abs().udiv(&divisor.abs())?;
        Some(if self.is_negative() == divisor.is_negative() { quotient } else { quotient.neg() })
    }

    /// Takes the sign of the dividend. `None` where the divisor is zero.
    pub fn srem(&self, divisor: &Bits) -> Option<Bits> {
        let remainder = self.abs().urem(&divisor.abs())?;
        Some(if self.is_negative() { remainder.neg() } else { remainder })
    }

    /// The smallest number is its own absolute value; read as unsigned it is right.
    pub fn abs(&self) -> Bits {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    pub fn compare_unsigned(&self, other: &Bits) -> Ordering {
        debug_assert_eq!(self.width, other.width);
        self.limbs.iter().rev().cmp(other.limbs.iter().rev())
    }

    pub fn compare_signed(&self, other: &Bits) -> Ordering {
        match (self.is_negative(), other.is_negative()) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            // Within one sign two's complement orders as the unsigned numbers do.
            _ => self.compare_unsigned(other),
        }
    }

    pub fn unsigned_less(&self, other: &Bits) -> bool {
        self.compare_unsigned(other).is_lt()
    }

    pub fn unsigned_less_or_equal(&self, other: &Bits) -> bool {
        self.compare_unsigned(other).is_le()
    }

    pub fn signed_less(&self, other: &Bits) -> bool {
        self.compare_signed(other).is_lt()
    }

    pub fn signed_less_or_equal(&self, other: &Bits) -> bool {
        self.compare_signed(other).is_le()
    }

    pub fn min_unsigned(&self, other: &Bits) -> Bits {
        if other.unsigned_less(self) { other.clone() } else { self.clone() }
    }

    pub fn max_unsigned(&self, other: &Bits) -> Bits {
        if self.unsigned_less(other) { other.clone() } else { self.clone() }
    }

    pub fn min_signed(&self, other: &Bits) -> Bits {
        if other.signed_less(self) { other.clone() } else { self.clone() }
    }

    pub fn max_signed(&self, other: &Bits) -> Bits {
        if self.signed_less(other) { other.clone() } else { self.clone() }
    }
}

type Limbs = SmallVec<[u64; 8]>;

/// Quotient and remainder of numbers in little-endian limbs; the divisor is not zero.
///
/// Long division by limbs (Knuth, The Art of Computer Programming, volume 2, 4.3.1, algorithm D).
fn divide_limbs(dividend: &[u64], divisor: &[u64]) -> (Limbs, Limbs) {
    let divisor_length = divisor.iter().rposition(|&limb| limb != 0).map_or(1, |top| top + 1);
    // A divisor whose top bit is set makes the guess of each digit at most two too large.
    let scale = divisor[divisor_length - 1].leading_zeros();
    let divisor = shifted_left(&divisor[..divisor_length], scale);
    let divisor = &divisor[..divisor_length];
    let mut rest = shifted_left(dividend, scale);
    let mut quotient: Limbs = SmallVec::from_elem(0, dividend.len());
    for place in (0..=rest.len() - 1 - divisor_length).rev() {
        let window = &mut rest[place..=place + divisor_length];
        let mut digit = guess_digit(window, divisor);
        if subtract_multiple(window, divisor, digit) {
            digit -= 1;
            if !add_back(window, divisor) {
                digit -= 1;
                add_back(window, divisor);
            }
        }
        quotient[place] = digit;
    }
    rest.truncate(divisor_length);
    let mut remainder: Limbs = SmallVec::new();
    for (index, &limb) in rest.iter().enumerate() {
        let above = rest.get(index + 1).copied().unwrap_or(0);
        remainder.push(if scale == 0 { limb } else { limb >> scale | above << (LIMB_BITS - scale) });
    }
    (quotient, remainder)
}

/// One limb longer than its argument; `count` is less than 64.
fn shifted_left(limbs: &[u64], count: u32) -> Limbs {
    let mut result: Limbs = SmallVec::new();
    let mut below = 0;
    for &limb in limbs {
        result.push(if count == 0 { limb } else { limb << count | below >> (LIMB_BITS - count) });
        below = limb;
    }
    result.push(if count == 0 { 0 } else { below >> (LIMB_BITS - count) });
    result
}

/// From the two top limbs of the window and the top one of the divisor: never too small, at most two too large.
fn guess_digit(window: &[u64], divisor: &[u64]) -> u64 {
    let top = divisor.len();
    let numerator = u128::from(window[top]) << 64 | u128::from(window[top - 1]);
    u64::try_from(numerator / u128::from(divisor[top - 1])).unwrap_or(u64::MAX)
}

/// Takes `digit` times the divisor off the window; true if that went below zero.
fn subtract_multiple(window: &mut [u64], divisor: &[u64], digit: u64) -> bool {
    let (mut carry, mut borrow) = (0, false);
    for (index, limb) in window.iter_mut().enumerate() {
        let product;
        (product, carry) = divisor.get(index).copied().unwrap_or(0).carrying_mul(digit, carry);
        (*limb, borrow) = limb.borrowing_sub(product, borrow);
    }
    borrow
}

/// Adds the divisor to the window; true if that brought it back above zero.
fn add_back(window: &mut [u64], divisor: &[u64]) -> bool {
    let mut carry = false;
    for (index, limb) in window.iter_mut().enumerate() {
        (*limb, carry) = limb.carrying_add(divisor.get(index).copied().unwrap_or(0), carry);
    }
    carry
}
