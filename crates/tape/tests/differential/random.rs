//! Numbers and values for the tests, the same in every run.

use symcrete_expr::{Bits, FloatKind};

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A counter, well mixed.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed ^ mixed >> 32
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub fn choose<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Often a number at which something changes, or a float that is special.
    pub fn bits(&mut self, width: u32) -> Bits {
        if let Some(kind) = FloatKind::ALL.into_iter().find(|kind| kind.bits() == width && *kind != FloatKind::Half)
            && self.one_in(2)
        {
            return Bits::from_u128(width, self.float(kind));
        }
        let mut power = Bits::zero(width);
        power.set_bit(self.below(width as usize) as u32, true);
        let near = Bits::from_u64(width, self.below(6) as u64);
        match self.below(7) {
            0 => near,
            1 => near.neg(),
            2 => power.sub(&near),
            3 => power.add(&near),
            4 => Bits::ones(width).lshr(self.below(width as usize) as u64),
            _ => {
                let limbs: Vec<u64> = (0..width.div_ceil(64)).map(|_| self.next()).collect();
                Bits::from_limbs(width, &limbs)
            }
        }
    }

    /// Zeros, infinities, NaNs of both sorts, subnormals, limits of integers, small numbers, and anything.
    fn float(&mut self, kind: FloatKind) -> u128 {
        let sign = if self.one_in(2) { kind.sign_mask() } else { 0 };
        let fraction = (u128::from(self.next()) << 64 | u128::from(self.next())) & kind.fraction_mask();
        let number =
            |value: f64| symcrete_expr::float::convert::convert(FloatKind::Double, kind, value.to_bits().into());
        let magnitude = match self.below(9) {
            0 => 0,
            1 => kind.infinity(false),
            2 => kind.infinity(false) | kind.quiet_bit() | fraction,
            3 => kind.infinity(false) | (fraction & (kind.quiet_bit() - 1)) | 1,
            4 => fraction,
            5 => number(2f64.powi(self.choose(&[7, 8, 15, 16, 31, 32, 52, 53, 62, 63, 64]))),
            6 => number(self.below(40) as f64 / 4.0),
            _ => number(f64::from_bits(self.next())) & !kind.sign_mask(),
        };
        // Numbers of 80 bits that are not normal forms are there too.
        (magnitude ^ sign) & kind.mask()
    }
}
