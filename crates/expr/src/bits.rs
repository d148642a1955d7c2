//! Bit-vectors of any width: how they are made, read, cut and joined. Their arithmetic is in the modules below;
//! values of up to 64 bits normally never come here (see `word`).

mod arithmetic;
mod bitwise;
mod overflow;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::fmt;

use smallvec::{SmallVec, smallvec};

const LIMB_BITS: u32 = u64::BITS;

/// A bit-vector: `width` bits in little-endian 64-bit limbs. Bits past the width are zero.
///
/// Two operands of one operation have the same width, except where it says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    width: u32,
    limbs: SmallVec<[u64; 2]>,
}

impl Bits {
    fn limb_count(width: u32) -> usize {
        debug_assert!(width >= 1, "a bit-vector has at least one bit");
        width.div_ceil(LIMB_BITS) as usize
    }

    pub fn zero(width: u32) -> Bits {
        Bits { width, limbs: smallvec![0; Self::limb_count(width)] }
    }

    pub fn ones(width: u32) -> Bits {
        Bits { width, limbs: smallvec![u64::MAX; Self::limb_count(width)] }.cleared()
    }

    /// The number, modulo 2^width.
    pub fn from_u64(width: u32, value: u64) -> Bits {
        Self::from_limbs(width, &[value])
    }

    /// The number, modulo 2^width.
    pub fn from_u128(width: u32, value: u128) -> Bits {
        Self::from_limbs(width, &[value as u64, (value >> 64) as u64])
    }

    /// Little-endian limbs; missing ones are zero, what lies past the width is dropped.
    pub fn from_limbs(width: u32, limbs: &[u64]) -> Bits {
        let count = Self::limb_count(width);
        let mut own: SmallVec<[u64; 2]> = SmallVec::from_slice(&limbs[..limbs.len().min(count)]);
        own.resize(count, 0);
        Bits { width, limbs: own }.cleared()
    }

    /// Little-endian bytes; missing ones are zero, what lies past the width is dropped.
    pub fn from_le_bytes(width: u32, bytes: &[u8]) -> Bits {
        let mut result = Self::zero(width);
        for (limb, chunk) in result.limbs.iter_mut().zip(bytes.chunks(8)) {
            let mut buffer = [0; 8];
            buffer[..chunk.len()].copy_from_slice(chunk);
            *limb = u64::from_le_bytes(buffer);
        }
        result.cleared()
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    /// Little-endian; as many as the width needs.
    pub fn limbs(&self) -> &[u64] {
        &self.limbs
    }

    /// The lowest 64 bits.
    pub fn low_u64(&self) -> u64 {
        self.limbs[0]
    }

    /// The lowest 128 bits.
    pub fn low_u128(&self) -> u128 {
        let high = self.limbs.get(1).copied().unwrap_or(0);
        u128::from(self.limbs[0]) | u128::from(high) << 64
    }

    /// The number, if it is less than 2^64.
    pub fn to_u64(&self) -> Option<u64> {
        self.limbs[1..].iter().all(|&limb| limb == 0).then(|| self.limbs[0])
    }

    /// The number, if it is less than 2^128.
    pub fn to_u128(&self) -> Option<u128> {
        self.limbs.iter().skip(2).all(|&limb| limb == 0).then(|| self.low_u128())
    }

    /// As many little-endian bytes as the width needs; the last is padded with zeros.
    pub fn to_le_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
        bytes.truncate(self.width.div_ceil(8) as usize);
        bytes
    }

    pub fn is_zero(&self) -> bool {
        self.limbs.iter().all(|&limb| limb == 0)
    }

    pub fn is_ones(&self) -> bool {
        self.count_ones() == self.width
    }

    pub fn bit(&self, index: u32) -> bool {
        debug_assert!(index < self.width);
        self.limbs[(index / LIMB_BITS) as usize] >> (index % LIMB_BITS) & 1 == 1
    }

    pub fn set_bit(&mut self, index: u32, on: bool) {
        debug_assert!(index < self.width);
        let limb = &mut self.limbs[(index / LIMB_BITS) as usize];
        let bit = 1 << (index % LIMB_BITS);
        if on { *limb |= bit } else { *limb &= !bit }
    }

    /// The sign of the number read as two's complement.
    pub fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// The low `width` bits.
    pub fn trunc(&self, width: u32) -> Bits {
        debug_assert!(width <= self.width);
        Self::from_limbs(width, &self.limbs)
    }

    pub fn zext(&self, width: u32) -> Bits {
        debug_assert!(width >= self.width);
        Self::from_limbs(width, &self.limbs)
    }

    pub fn sext(&self, width: u32) -> Bits {
        let mut result = self.zext(width);
        if self.is_negative() {
            let top = result.limbs.len().min(self.limbs.len()) - 1;
            let used = self.width % LIMB_BITS;
            if used != 0 {
                result.limbs[top] |= u64::MAX << used;
            }
            result.limbs[top + 1..].fill(u64::MAX);
        }
        result.cleared()
    }

    /// `width` bits from bit `low` upward.
    pub fn extract(&self, low: u32, width: u32) -> Bits {
        debug_assert!(low + width <= self.width);
        self.lshr(u64::from(low)).trunc(width)
    }

    /// `self` above `low`: the width of the result is the sum of both.
    pub fn concat(&self, low: &Bits) -> Bits {
        let width = self.width + low.width;
        self.zext(width).shl(u64::from(low.width)).or(&low.zext(width))
    }

    /// This value with the bits from `low` upward replaced by `part`.
    pub fn with_part(&self, low: u32, part: &Bits) -> Bits {
        debug_assert!(low + part.width <= self.width);
        let hole = Self::ones(part.width).zext(self.width).shl(u64::from(low));
        self.and(&hole.not()).or(&part.zext(self.width).shl(u64::from(low)))
    }

    /// Restores the invariant after an operation that may have set bits past the width.
    fn cleared(mut self) -> Bits {
        let used = self.width % LIMB_BITS;
        if used != 0
            && let Some(top) = self.limbs.last_mut()
        {
            *top &= u64::MAX >> (LIMB_BITS - used);
        }
        self
    }

    /// The number, where it is held in at most two limbs: the fast case of most operations.
    fn small(&self) -> Option<u128> {
        (self.limbs.len() <= 2).then(|| self.low_u128())
    }

    /// The number as signed, where it is held in at most two limbs.
    fn small_signed(&self) -> Option<i128> {
        let unused = 128u32.checked_sub(self.width)?;
        Some(((self.low_u128() << unused) as i128) >> unused)
    }
}

/// Narrower ones first, those of one width as unsigned numbers: an order to keep tables in.
impl Ord for Bits {
    fn cmp(&self, other: &Bits) -> Ordering {
        self.width.cmp(&other.width).then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev()))
    }
}

impl PartialOrd for Bits {
    fn partial_cmp(&self, other: &Bits) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Hexadecimal, with as many digits as the width needs.
impl fmt::LowerHex for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.width.div_ceil(4) as usize;
        let all: String = self.limbs.iter().rev().map(|limb| format!("{limb:016x}")).collect();
        f.write_str(&all[all.len() - digits..])
    }
}
