//! Numbers and values for tests, the same in every run.

use symcrete_expr::Bits;

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Less than the bound.
    pub fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 16) % bound
    }

    pub fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    pub fn choose<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }

    /// Often a number at which something changes.
    pub fn bits(&mut self, width: u32) -> Bits {
        match self.below(8) {
            0 => Bits::zero(width),
            1 => Bits::ones(width),
            2 => Bits::from_u64(width, self.below(8)),
            3 => Bits::from_u64(width, self.below(8)).neg(),
            4 => {
                let mut bits = Bits::zero(width);
                bits.set_bit(self.below(width.into()) as u32, true);
                bits
            }
            5 => {
                let mut bits = Bits::zero(width);
                bits.set_bit(width - 1, true);
                if self.one_in(2) { bits } else { bits.not() }
            }
            6 => {
                let count = self.below(width.into());
                let mask = Bits::ones(width).lshr(count);
                if self.one_in(2) { mask } else { mask.shl(self.below(width.into())) }
            }
            _ => {
                let limbs: Vec<u64> = (0..width.div_ceil(64)).map(|_| self.next()).collect();
                Bits::from_limbs(width, &limbs)
            }
        }
    }
}
