//! The operands: special values first, then seeded random ones.

use symcrete_expr::FloatKind;

use crate::harness::Operands;

/// A small generator (splitmix64), so that failures repeat.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

pub fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

/// Boundaries of integers, powers of two and their neighbours, random numbers of every length.
pub fn integers(width: u32, random: &mut Random) -> Vec<u128> {
    let mut values = vec![0, 1, 2, 3, 5, 7, 10, 100];
    for power in 0..width {
        if power % 8 == 7 || power % 8 == 0 || width <= 16 || power == 24 || power == 53 || power == 31 {
            let bit = 1u128 << power;
            values.extend([bit, bit.wrapping_sub(1), bit.wrapping_add(1), bit.wrapping_neg(), !bit]);
        }
    }
    for _ in 0..24 {
        values.push(random.wide() >> random.below(128));
    }
    values.iter().map(|value| value & mask(width)).collect()
}

/// Zeros, subnormals, limits, infinities, NaNs of both sorts with payloads, small integers and halves, boundaries of
/// integer types, random patterns and random numbers of moderate size.
pub fn floats(kind: FloatKind, random: &mut Random) -> Vec<u128> {
    let leading = if kind.stores_leading_bit() { 1u128 << (kind.precision() - 1) } else { 0 };
    let quiet = kind.quiet_bit();
    let infinity = kind.infinity(false);
    let one = kind.one();
    let smallest_normal = 1u128 << kind.fraction_bits() | leading;
    let subnormals = [1, 2, 3, quiet, quiet | 1, (quiet << 1) - 1];
    let nans = [quiet, quiet | 1, quiet | quiet >> 1, quiet | 0x2a, quiet >> 1, 1, 0x55, (quiet << 1) - 1, quiet - 1];
    let mut values = vec![0, infinity, one, one | 1, one | quiet, (one - 1) | leading, kind.largest(false)];
    values.extend(subnormals);
    values.extend([smallest_normal, smallest_normal | 1, kind.largest(false) - 1]);
    values.extend(nans.iter().map(|payload| infinity | payload));
    for exponent in [0i64, 1, 7, 8, 15, 16, 23, 24, 31, 32, 52, 53, 62, 63, 64, 112, 126, 127, 128, -1, -2, -10] {
        if exponent.unsigned_abs() < kind.max_exponent() as u64 {
            let field = (i64::from(kind.max_exponent()) + exponent) as u128;
            let power = field << kind.fraction_bits() | leading;
            values.extend([power, power | 1, power | quiet, (power - 1) | leading, power | ((quiet << 1) - 1)]);
        }
    }
    for _ in 0..12 {
        values.push(with_leading(kind, random.wide() & kind.mask()));
        // A number of moderate size, with some fraction bits.
        let exponent =
            (kind.max_exponent() as i64 + random.below(40) as i64 - 12).min(2 * i64::from(kind.max_exponent()));
        let fraction =
            random.wide() & kind.fraction_mask() & !((1u128 << random.below(kind.fraction_bits() as usize)) - 1);
        values.push((exponent.max(1) as u128) << kind.fraction_bits() | fraction | leading);
    }
    let negative: Vec<u128> = values.iter().map(|value| value ^ kind.sign_mask()).collect();
    values.extend(negative);
    values
}

/// Makes a random x87 pattern one that the processor supports.
fn with_leading(kind: FloatKind, pattern: u128) -> u128 {
    if !kind.stores_leading_bit() {
        return pattern;
    }
    let leading = 1u128 << (kind.precision() - 1);
    if kind.exponent_field(pattern) == 0 { pattern & !leading } else { pattern | leading }
}

/// x87 patterns whose leading bit contradicts the exponent, pseudo-denormals among them.
pub fn contradictory_x87() -> Vec<u128> {
    let leading = 1u128 << 63;
    let mut values =
        vec![leading, leading | 1, leading | 1 << 62, 1 << 64, 1 << 64 | 1, 0x7fff << 64, 0x7fff << 64 | 1];
    values.extend([0x7fff << 64 | 1 << 62, 0x3fff << 64, 0x3fff << 64 | 1 << 62, 0x403e << 64 | 5]);
    let negative: Vec<u128> = values.iter().map(|value| value | 1 << 79).collect();
    values.extend(negative);
    values
}

pub fn singles(values: &[u128]) -> Vec<Operands> {
    values.iter().map(|&value| [value, 0, 0]).collect()
}

/// A bounded number of pairs: every one of a few, a random choice of many.
pub fn pairs(first: &[u128], second: &[u128], limit: usize, random: &mut Random) -> Vec<Operands> {
    if first.len() * second.len() <= limit {
        return first.iter().flat_map(|&a| second.iter().map(move |&b| [a, b, 0])).collect();
    }
    (0..limit).map(|_| [first[random.below(first.len())], second[random.below(second.len())], 0]).collect()
}

pub fn triples(values: &[u128], limit: usize, random: &mut Random) -> Vec<Operands> {
    (0..limit).map(|_| [0; 3].map(|_| values[random.below(values.len())])).collect()
}
