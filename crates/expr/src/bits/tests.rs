//! Bit-vectors against `u128`, and past 128 bits against a model that works bit by bit.
#![allow(clippy::unwrap_used)]

use super::Bits;

/// A small generator, so that failures repeat.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let x = self.0 ^ (self.0 >> 33);
        x.wrapping_mul(0xff51_afd7_ed55_8ccd) ^ (x >> 29)
    }

    /// Numbers with long runs of equal bits are more interesting than noise.
    fn bits(&mut self, width: u32) -> Bits {
        let limbs: Vec<u64> = (0..width.div_ceil(64))
            .map(|_| match self.next() % 4 {
                0 => 0,
                1 => u64::MAX,
                2 => u64::MAX >> (self.next() % 64),
                _ => self.next(),
            })
            .collect();
        let value = Bits::from_limbs(width, &limbs);
        value.lshr(if self.next().is_multiple_of(3) { self.next() % u64::from(width) } else { 0 })
    }
}

/// Little-endian bits.
type Model = Vec<bool>;

fn model(bits: &Bits) -> Model {
    (0..bits.width()).map(|index| bits.bit(index)).collect()
}

fn model_add(a: &Model, b: &Model, mut carry: bool) -> Model {
    let mut sum = Vec::new();
    for (&x, &y) in a.iter().zip(b) {
        sum.push(x ^ y ^ carry);
        carry = (x & y) | (carry & (x | y));
    }
    sum
}

fn model_not(a: &Model) -> Model {
    a.iter().map(|bit| !bit).collect()
}

fn model_shl(a: &Model, count: usize) -> Model {
    let count = count.min(a.len());
    let mut result = vec![false; count];
    result.extend(&a[..a.len() - count]);
    result
}

fn model_shr(a: &Model, count: usize, fill: bool) -> Model {
    let count = count.min(a.len());
    let mut result = a[count..].to_vec();
    result.resize(a.len(), fill);
    result
}

fn model_mul(a: &Model, b: &Model) -> Model {
    let mut product = vec![false; a.len()];
    for (place, _) in b.iter().enumerate().filter(|(_, bit)| **bit) {
        product = model_add(&product, &model_shl(a, place), false);
    }
    product
}

fn model_less(a: &Model, b: &Model) -> bool {
    a.iter().rev().lt(b.iter().rev())
}

#[test]
fn wide_operations_agree_with_the_model() {
    let mut random = Random(1);
    for width in [65, 100, 127, 128, 129, 191, 192, 193, 256, 300, 511, 512, 1000] {
        for _ in 0..30 {
            let (a, b) = (random.bits(width), random.bits(width));
            let (ma, mb) = (model(&a), model(&b));
            let sign = ma[width as usize - 1];
            assert_eq!(model(&a.add(&b)), model_add(&ma, &mb, false));
            assert_eq!(model(&a.sub(&b)), model_add(&ma, &model_not(&mb), true));
            assert_eq!(model(&a.mul(&b)), model_mul(&ma, &mb));
            assert_eq!(a.unsigned_less(&b), model_less(&ma, &mb));
            let count = random.next() % (u64::from(width) + 70);
            assert_eq!(model(&a.shl(count)), model_shl(&ma, count as usize));
            assert_eq!(model(&a.lshr(count)), model_shr(&ma, count as usize, false));
            assert_eq!(model(&a.ashr(count)), model_shr(&ma, count as usize, sign));
            let reversed: Model = ma.iter().rev().copied().collect();
            assert_eq!(model(&a.reverse_bits()), reversed);
            assert_eq!(a.count_ones() as usize, ma.iter().filter(|bit| **bit).count());
            assert_eq!(a.trailing_zeros() as usize, ma.iter().take_while(|bit| !**bit).count());
            assert_eq!(a.leading_zeros() as usize, reversed.iter().take_while(|bit| !**bit).count());
            let wide = a.concat(&b);
            assert_eq!(model(&wide), [mb.clone(), ma.clone()].concat());
            assert_eq!(wide.extract(width, width), a);
            assert_eq!(wide.extract(0, width), b);
            assert_eq!(model(&a.sext(width + 77))[width as usize..], vec![sign; 77]);
            assert_eq!(Bits::from_le_bytes(width, &a.to_le_bytes()), a);
        }
    }
}

#[test]
fn division_is_the_inverse_of_multiplication() {
    let mut random = Random(2);
    for width in [7, 64, 65, 128, 129, 192, 256, 257, 640, 2000] {
        for _ in 0..200 {
            let (a, b) = (random.bits(width), random.bits(width));
            let Some((quotient, remainder)) = a.udivrem(&b) else {
                assert!(b.is_zero());
                continue;
            };
            assert!(remainder.unsigned_less(&b));
            assert_eq!(quotient.mul(&b).add(&remainder), a);
            assert!(!quotient.mul_overflow_unsigned(&b).1);
            let (quotient, remainder) = (a.sdiv(&b).unwrap(), a.srem(&b).unwrap());
            assert_eq!(quotient.mul(&b).add(&remainder), a);
            assert!(remainder.is_zero() || remainder.is_negative() == a.is_negative());
            assert!(remainder.abs().unsigned_less(&b.abs()));
        }
    }
}

#[test]
fn the_digit_guess_is_corrected_twice() {
    // Chosen so that the guess from the top limbs is two too large.
    let dividend = Bits::from_limbs(256, &[0, 0, 1 << 63, u64::MAX >> 1]);
    let divisor = Bits::from_limbs(256, &[u64::MAX, 0, 1 << 63, 0]);
    let (quotient, remainder) = dividend.udivrem(&divisor).unwrap();
    assert_eq!(quotient.mul(&divisor).add(&remainder), dividend);
    assert!(remainder.unsigned_less(&divisor));
}

#[test]
fn up_to_64_bits_they_are_words() {
    use crate::word;
    let mut random = Random(3);
    for round in 0..4000 {
        let width = 1 + round % 64;
        let (a, b) = (random.bits(width), random.bits(width));
        let (x, y) = (a.low_u64(), b.low_u64());
        let small = |value: Bits| value.to_u64().unwrap();
        let flagged = |(value, flag): (Bits, bool)| (small(value), flag);
        assert_eq!(flagged(a.add_overflow_signed(&b)), word::add_overflow_signed(width, x, y));
        assert_eq!(flagged(a.add_overflow_unsigned(&b)), word::add_overflow_unsigned(width, x, y));
        assert_eq!(flagged(a.sub_overflow_signed(&b)), word::sub_overflow_signed(width, x, y));
        assert_eq!(flagged(a.sub_overflow_unsigned(&b)), word::sub_overflow_unsigned(width, x, y));
        assert_eq!(flagged(a.mul_overflow_signed(&b)), word::mul_overflow_signed(width, x, y));
        assert_eq!(flagged(a.mul_overflow_unsigned(&b)), word::mul_overflow_unsigned(width, x, y));
        assert_eq!(small(a.add_saturate_signed(&b)), word::add_saturate_signed(width, x, y));
        assert_eq!(small(a.add_saturate_unsigned(&b)), word::add_saturate_unsigned(width, x, y));
        assert_eq!(small(a.sub_saturate_signed(&b)), word::sub_saturate_signed(width, x, y));
        assert_eq!(small(a.sub_saturate_unsigned(&b)), word::sub_saturate_unsigned(width, x, y));
        assert_eq!(a.sdiv(&b).map(small), word::sdiv(width, x, y));
        assert_eq!(a.srem(&b).map(small), word::srem(width, x, y));
        assert_eq!(a.udiv(&b).map(small), word::udiv(width, x, y));
        assert_eq!(a.urem(&b).map(small), word::urem(width, x, y));
        assert_eq!(a.sdiv_overflows(&b), word::sdiv_overflows(width, x, y));
        assert_eq!(small(a.machine_shl(&b)), word::shl(width, x, y));
        assert_eq!(small(a.machine_lshr(&b)), word::lshr(width, x, y));
        assert_eq!(small(a.machine_ashr(&b)), word::ashr(width, x, y));
        assert_eq!(small(a.funnel_shift_left(&b, &a)), word::funnel_shift_left(width, x, y, x));
        assert_eq!(small(a.funnel_shift_right(&b, &a)), word::funnel_shift_right(width, x, y, x));
        assert_eq!(a.compare_signed(&b), word::compare_signed(width, x, y));
        assert_eq!(small(a.min_signed(&b)), word::min_signed(width, x, y));
        assert_eq!(small(a.max_unsigned(&b)), word::max_unsigned(x, y));
        assert_eq!(small(a.neg()), word::neg(width, x));
        assert_eq!(u64::from(a.leading_zeros()), word::leading_zeros(width, x));
        assert_eq!(u64::from(a.trailing_zeros()), word::trailing_zeros(width, x));
        assert_eq!(small(a.reverse_bits()), word::reverse_bits(width, x));
        if width % 8 == 0 {
            assert_eq!(small(a.swap_bytes()), word::swap_bytes(width, x));
        }
    }
}

#[test]
fn overflow_of_wide_products() {
    let mut random = Random(4);
    for width in [100, 128, 160, 256] {
        for _ in 0..100 {
            let (a, b) = (random.bits(width), random.bits(width));
            let exact = a.sext(2 * width).mul(&b.sext(2 * width));
            let (product, overflow) = a.mul_overflow_signed(&b);
            assert_eq!(product, a.mul(&b));
            assert_eq!(overflow, product.sext(2 * width) != exact);
            let exact = a.zext(2 * width).mul(&b.zext(2 * width));
            assert_eq!(a.mul_overflow_unsigned(&b), (a.mul(&b), product.zext(2 * width) != exact));
        }
    }
}

#[test]
fn shifts_past_the_width() {
    let a = Bits::ones(128);
    assert!(a.shl(128).is_zero());
    assert!(a.lshr(u64::MAX).is_zero());
    assert!(a.ashr(128).is_ones());
    // Register pairs look at seven bits of the count.
    assert_eq!(a.machine_shl(&Bits::from_u64(128, 129)), a.shl(1));
    assert_eq!(a.machine_lshr(&Bits::from_u64(128, 256)), a);
}

#[test]
fn a_part_replaced_leaves_the_rest() {
    let whole = Bits::ones(200).with_part(70, &Bits::zero(60));
    assert_eq!(whole.count_ones(), 140);
    assert!(whole.extract(70, 60).is_zero());
    assert_eq!(format!("{:x}", Bits::from_u64(20, 0xabc)), "00abc");
}
