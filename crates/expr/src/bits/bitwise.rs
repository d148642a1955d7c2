//! Operations on bits as bits: logic, shifts, counting and permuting. Carries are in `arithmetic`.

use super::{Bits, LIMB_BITS};

impl Bits {
    fn zip_limbs(&self, other: &Bits, operation: impl Fn(u64, u64) -> u64) -> Bits {
        debug_assert_eq!(self.width, other.width);
        let limbs = self.limbs.iter().zip(&other.limbs).map(|(&a, &b)| operation(a, b)).collect();
        Bits { width: self.width, limbs }.cleared()
    }

    pub fn and(&self, other: &Bits) -> Bits {
        self.zip_limbs(other, |a, b| a & b)
    }

    pub fn or(&self, other: &Bits) -> Bits {
        self.zip_limbs(other, |a, b| a | b)
    }

    pub fn xor(&self, other: &Bits) -> Bits {
        self.zip_limbs(other, |a, b| a ^ b)
    }

    pub fn not(&self) -> Bits {
        Bits { width: self.width, limbs: self.limbs.iter().map(|limb| !limb).collect() }.cleared()
    }

    /// Shift left. A count not less than the width gives zero.
    ///
    /// These three shifts are total, as SMT solvers have them: LLVM's poison for large counts is not modelled.
    /// What x86-64 code does with such counts is in `machine_shl` and its siblings.
    pub fn shl(&self, count: u64) -> Bits {
        if count >= u64::from(self.width) {
            return Bits::zero(self.width);
        }
        if let Some(value) = self.small() {
            return Bits::from_u128(self.width, value << count);
        }
        let (whole, part) = ((count / u64::from(LIMB_BITS)) as usize, (count % u64::from(LIMB_BITS)) as u32);
        let mut result = Bits::zero(self.width);
        for index in whole..self.limbs.len() {
            let mut limb = self.limbs[index - whole] << part;
            if part != 0 && index > whole {
                limb |= self.limbs[index - whole - 1] >> (LIMB_BITS - part);
            }
            result.limbs[index] = limb;
        }
        result.cleared()
    }

    /// Shift right, filling with zeros. A count not less than the width gives zero.
    pub fn lshr(&self, count: u64) -> Bits {
        if count >= u64::from(self.width) {
            return Bits::zero(self.width);
        }
        if let Some(value) = self.small() {
            return Bits::from_u128(self.width, value >> count);
        }
        let (whole, part) = ((count / u64::from(LIMB_BITS)) as usize, (count % u64::from(LIMB_BITS)) as u32);
        let mut result = Bits::zero(self.width);
        for index in whole..self.limbs.len() {
            let mut limb = self.limbs[index] >> part;
            if part != 0 && index + 1 < self.limbs.len() {
                limb |= self.limbs[index + 1] << (LIMB_BITS - part);
            }
            result.limbs[index - whole] = limb;
        }
        result
    }

    /// Shift right, filling with the sign. A count not less than the width leaves the sign alone in every bit.
    pub fn ashr(&self, count: u64) -> Bits {
        if !self.is_negative() {
            return self.lshr(count);
        }
        // Ones enter from the left exactly where zeros enter the complement.
        self.not().lshr(count).not()
    }

    /// The count that x86-64 code uses for operands of this width, or a count that shifts everything out.
    ///
    /// Up to 64 bits as `word::machine_shift_count` says; up to 128 bits the code works on register pairs and looks at
    /// seven bits of the count. Beyond, compilers differ: the count is taken as it is.
    fn machine_shift_count(&self, count: &Bits) -> u64 {
        match self.width {
            0..=64 => u64::from(crate::word::machine_shift_count(self.width, count.low_u64())),
            65..=128 => count.low_u64() & 127,
            _ => count.to_u64().unwrap_or(u64::MAX),
        }
    }

    /// `shl` as x86-64 code does it for any count.
    pub fn machine_shl(&self, count: &Bits) -> Bits {
        self.shl(self.machine_shift_count(count))
    }

    /// `lshr` as x86-64 code does it for any count.
    pub fn machine_lshr(&self, count: &Bits) -> Bits {
        self.lshr(self.machine_shift_count(count))
    }

    /// `ashr` as x86-64 code does it for any count.
    pub fn machine_ashr(&self, count: &Bits) -> Bits {
        self.ashr(self.machine_shift_count(count))
    }

    pub fn count_ones(&self) -> u32 {
        self.limbs.iter().map(|limb| limb.count_ones()).sum()
    }

    /// The width for zero.
    pub fn leading_zeros(&self) -> u32 {
        let unused = self.limbs.len() as u32 * LIMB_BITS - self.width;
        let mut zeros = 0;
        for limb in self.limbs.iter().rev() {
            zeros += limb.leading_zeros();
            if *limb != 0 {
                break;
            }
        }
        zeros - unused
    }

    /// The width for zero.
    pub fn trailing_zeros(&self) -> u32 {
        let mut zeros = 0;
        for limb in &self.limbs {
            zeros += limb.trailing_zeros();
            if *limb != 0 {
                break;
            }
        }
        zeros.min(self.width)
    }

    /// The bytes in opposite order; the width is a multiple of 8.
    pub fn swap_bytes(&self) -> Bits {
        debug_assert_eq!(self.width % 8, 0);
        let mut bytes = self.to_le_bytes();
        bytes.reverse();
        Bits::from_le_bytes(self.width, &bytes)
    }

    pub fn reverse_bits(&self) -> Bits {
        let limbs = self.limbs.iter().rev().map(|limb| limb.reverse_bits()).collect();
        let unused = self.limbs.len() as u32 * LIMB_BITS - self.width;
        // Reversing whole limbs leaves the unused bits at the bottom.
        let reversed = Bits { width: self.limbs.len() as u32 * LIMB_BITS, limbs };
        reversed.lshr(u64::from(unused)).trunc(self.width)
    }

    /// The count modulo the width, as funnel shifts take it.
    fn funnel_count(&self, count: &Bits) -> u64 {
        let width = u64::from(self.width);
        match count.to_u64() {
            Some(count) => count % width,
            None => {
                let divisor = Bits::from_u64(count.width, width);
                count.urem(&divisor).map_or(0, |remainder| remainder.low_u64())
            }
        }
    }

    /// The high half of `self:low` shifted left by the count modulo the width. With equal halves, a rotation.
    pub fn funnel_shift_left(&self, low: &Bits, count: &Bits) -> Bits {
        match self.funnel_count(count) {
            0 => self.clone(),
            count => self.shl(count).or(&low.lshr(u64::from(self.width) - count)),
        }
    }

    /// The low half of `self:low` shifted right by the count modulo the width.
    pub fn funnel_shift_right(&self, low: &Bits, count: &Bits) -> Bits {
        match self.funnel_count(count) {
            0 => low.clone(),
            count => self.shl(u64::from(self.width) - count).or(&low.lshr(count)),
        }
    }
}
