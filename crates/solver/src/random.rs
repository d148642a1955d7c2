//! Pseudo-random numbers: splitmix64 (Steele, Lea, Flood 2014). Our own, because the same seed must give the same
//! files for good, and a crate may change its stream with its version.

/// A stream of numbers that depends on its seed alone.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, which is not 0, each equally likely.
    pub fn below(&mut self, limit: u64) -> u64 {
        // The high half of a product with 64 random bits; the few products that would favour some numbers are drawn
        // again.
        let unfair = limit.wrapping_neg() % limit;
        loop {
            let product = u128::from(self.bits()) * u128::from(limit);
            if product as u64 >= unfair {
                return (product >> 64) as u64;
            }
        }
    }

    /// A number from 0 to below 1, a multiple of 2^-53.
    pub fn fraction(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// One of the members of a slice that is not empty.
    pub fn one_of<'a, T>(&mut self, members: &'a [T]) -> &'a T {
        &members[self.below(members.len() as u64) as usize]
    }

    /// True once in so many times, on average.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// Normally distributed, with mean 0 and standard deviation 1, by the method of Box and Muller.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.fraction()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.fraction()).cos()
    }

    /// A stream of its own for someone else.
    pub fn split(&mut self) -> Random {
        Random::new(self.bits())
    }
}
