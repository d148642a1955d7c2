//! Weights of paths: positive numbers of any size. A path of depth 5,000 weighs 2^-5000 where each fork halves it,
//! which no `f64` holds.

use super::roster::Summary;

/// `mantissa * 2^exponent`, the mantissa in `1.0 .. 2.0`; or zero.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Weight {
    mantissa: f64,
    exponent: i64,
}

const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;
const BIAS: i64 = f64::MAX_EXP as i64 - 1;

impl Weight {
    pub const ZERO: Weight = Weight { mantissa: 0.0, exponent: i64::MIN / 2 };
    pub const ONE: Weight = Weight { mantissa: 1.0, exponent: 0 };

    /// A weight from a number of ordinary size; zero for what is not a positive normal number.
    pub fn new(value: f64) -> Self {
        if !value.is_normal() || value < 0.0 {
            return Weight::ZERO;
        }
        let exponent = (value.to_bits() >> FRACTION_BITS) as i64 - BIAS;
        Weight { mantissa: value * power_of_two(-exponent), exponent }
    }

    /// `2^-times`.
    pub fn halved(times: u32) -> Self {
        Weight { mantissa: 1.0, exponent: -i64::from(times) }
    }

    /// How many times the other, zero if it is too little to matter. The other is not zero.
    pub fn relative_to(self, other: Weight) -> f64 {
        self.mantissa / other.mantissa * power_of_two(self.exponent - other.exponent)
    }
}

impl PartialOrd for Weight {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        (self.exponent, self.mantissa).partial_cmp(&(other.exponent, other.mantissa))
    }
}

impl Summary for Weight {
    const NOTHING: Weight = Weight::ZERO;

    fn join(self, other: Weight) -> Weight {
        let (large, small) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let mantissa = large.mantissa + small.mantissa * power_of_two(small.exponent - large.exponent);
        match mantissa >= 2.0 {
            true => Weight { mantissa: mantissa / 2.0, exponent: large.exponent + 1 },
            false => Weight { mantissa, exponent: large.exponent },
        }
    }
}

/// Zero below what a normal number holds, infinite above.
fn power_of_two(exponent: i64) -> f64 {
    match exponent + BIAS {
        ..=0 => 0.0,
        biased if biased <= 2 * BIAS => f64::from_bits((biased as u64) << FRACTION_BITS),
        _ => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_ratios_are_those_of_numbers() {
        for (a, b) in [(1.0, 1.0), (0.1, 3.7), (1e-8, 2.5e9), (7.0, 0.125), (1e-300, 1e-300)] {
            let sum = Weight::new(a).join(Weight::new(b));
            assert!((sum.relative_to(Weight::new(a + b)) - 1.0).abs() < 1e-15, "{a} {b}");
            assert!((Weight::new(a).relative_to(Weight::new(b)) / (a / b) - 1.0).abs() < 1e-15, "{a} {b}");
            assert_eq!(Weight::new(a) < Weight::new(b), a < b);
        }
    }

    #[test]
    fn zero_is_neutral() {
        let some = Weight::new(0.3);
        assert_eq!(Weight::ZERO.join(some), some);
        assert_eq!(some.join(Weight::ZERO), some);
        assert_eq!(Weight::ZERO.join(Weight::ZERO), Weight::ZERO);
        assert_eq!(Weight::ZERO.relative_to(some), 0.0);
        assert!(Weight::ZERO < Weight::halved(u32::MAX));
        assert_eq!(Weight::new(-1.0), Weight::ZERO);
        assert_eq!(Weight::new(f64::NAN), Weight::ZERO);
    }

    #[test]
    fn tiny_weights_are_told_apart() {
        let (deep, deeper) = (Weight::halved(100_000), Weight::halved(100_001));
        assert_eq!(deeper.relative_to(deep), 0.5);
        assert_eq!(deeper.join(deeper), deep);
        assert_eq!(deep.relative_to(Weight::ONE), 0.0);
    }
}
