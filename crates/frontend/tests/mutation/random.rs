//! Random numbers that are the same every time.

/// A generator (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ value >> 31
    }

    /// A number less than `limit`, which is not zero.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// A number of the kind that breaks things.
    pub fn interesting(&mut self) -> u64 {
        const NUMBERS: [u64; 16] = [
            0,
            1,
            2,
            3,
            7,
            64,
            255,
            65_537,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_fffe,
            0xffff_ffff,
            0x1_0000_0000,
            0x7fff_ffff_ffff_ffff,
            0x8000_0000_0000_0000,
            u64::MAX,
        ];
        match self.below(3) {
            0 => NUMBERS[self.below(NUMBERS.len())],
            1 => self.next() % 200,
            _ => self.next() >> self.below(64),
        }
    }
}
