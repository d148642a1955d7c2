//! What is known of a value without asking a solver: bits, and ranges. How operations carry it on is in `transfer`.

mod transfer;
mod wordops;

#[cfg(test)]
mod tests;

pub(super) use transfer::{decide, of_node};

use crate::word::{mask, sign_bit, sign_extend, truncate};

/// Every value that the expression can have agrees with all of this. For values of up to 64 bits.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// Bits that are always 0.
    pub zeros: u64,
    /// Bits that are always 1.
    pub ones: u64,
    /// Unsigned.
    pub min: u64,
    pub max: u64,
    pub signed_min: i64,
    pub signed_max: i64,
}

impl Facts {
    /// Nothing is known. Also what is said of wider values.
    #[inline]
    pub fn top(width: u32) -> Facts {
        let width = width.min(64);
        let smallest = sign_extend(width, sign_bit(width));
        Facts { zeros: 0, ones: 0, min: 0, max: mask(width), signed_min: smallest, signed_max: !smallest }
    }

    #[inline]
    pub fn constant(width: u32, bits: u64) -> Facts {
        let signed = sign_extend(width, bits);
        let zeros = truncate(width, !bits);
        Facts { zeros, ones: bits, min: bits, max: bits, signed_min: signed, signed_max: signed }
    }

    /// Only an unsigned range; the rest follows.
    pub fn range(width: u32, min: u64, max: u64) -> Facts {
        Facts { min, max, ..Facts::top(width) }.refined(width)
    }

    /// Only a signed range; the rest follows.
    pub fn signed_range(width: u32, signed_min: i64, signed_max: i64) -> Facts {
        Facts { signed_min, signed_max, ..Facts::top(width) }.refined(width)
    }

    /// Only bits; the rest follows.
    pub fn bits(width: u32, zeros: u64, ones: u64) -> Facts {
        Facts { zeros, ones, ..Facts::top(width) }.refined(width)
    }

    /// The value, if there is only one.
    #[inline]
    pub fn known(&self) -> Option<u64> {
        (self.min == self.max).then_some(self.min)
    }

    /// Whether an expression with these facts may have this value.
    pub fn contains(&self, width: u32, bits: u64) -> bool {
        let signed = sign_extend(width, bits);
        bits & self.zeros == 0
            && bits & self.ones == self.ones
            && (self.min..=self.max).contains(&bits)
            && (self.signed_min..=self.signed_max).contains(&signed)
    }

    /// Whether no value agrees with both.
    pub fn excludes(&self, other: &Facts) -> bool {
        self.zeros & other.ones != 0
            || self.ones & other.zeros != 0
            || self.max < other.min
            || other.max < self.min
            || self.signed_max < other.signed_min
            || other.signed_max < self.signed_min
    }

    /// The sign bit, if it is known.
    #[inline]
    pub fn negative(&self) -> Option<bool> {
        match () {
            _ if self.signed_min >= 0 => Some(false),
            _ if self.signed_max < 0 => Some(true),
            _ => None,
        }
    }

    /// What holds for values of either.
    pub fn join(&self, other: &Facts) -> Facts {
        Facts {
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            signed_min: self.signed_min.min(other.signed_min),
            signed_max: self.signed_max.max(other.signed_max),
        }
    }

    /// What holds where both do.
    fn meet(&self, other: &Facts, width: u32) -> Facts {
        Facts {
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
            min: self.min.max(other.min),
            max: self.max.min(other.max),
            signed_min: self.signed_min.max(other.signed_min),
            signed_max: self.signed_max.min(other.signed_max),
        }
        .refined(width)
    }

    /// Lets each part learn from the others. Two rounds find nearly everything; the facts are sound after any number.
    fn refined(self, width: u32) -> Facts {
        self.refined_once(width).refined_once(width)
    }

    fn refined_once(mut self, width: u32) -> Facts {
        let sign = sign_bit(width);
        let possible = truncate(width, !self.zeros);
        self.min = self.min.max(self.ones);
        self.max = self.max.min(possible);
        // The smallest number has its sign bit if it may, and no other bit that it need not have.
        let may_be_negative = self.zeros & sign == 0;
        let must_be_negative = self.ones & sign != 0;
        let smallest = if may_be_negative { self.ones | sign } else { self.ones };
        let largest = if must_be_negative { possible } else { possible & !sign };
        self.signed_min = self.signed_min.max(sign_extend(width, smallest));
        self.signed_max = self.signed_max.min(sign_extend(width, largest));
        // Within one sign both orders agree.
        if self.max < sign || self.min >= sign {
            self.signed_min = self.signed_min.max(sign_extend(width, self.min));
            self.signed_max = self.signed_max.min(sign_extend(width, self.max));
        }
        if self.signed_min >= 0 || self.signed_max < 0 {
            self.min = self.min.max(truncate(width, self.signed_min as u64));
            self.max = self.max.min(truncate(width, self.signed_max as u64));
        }
        // The bits above the first in which the bounds differ are those of every number between.
        let differing = self.min ^ self.max;
        let same = if differing == 0 { mask(width) } else { mask(width) & !(u64::MAX >> differing.leading_zeros()) };
        self.ones |= self.min & same;
        self.zeros |= !self.min & same;
        self
    }
}
