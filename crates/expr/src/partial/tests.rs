//! Masks against the truth: every operand of few bits is tried under every choice of its undefined bits.

use super::wide;
use super::word::{self as masks, Masked};
use crate::{Bits, word};

const WIDTH: u32 = 4;

/// All values that the undefined bits allow.
fn choices(operand: Masked) -> impl Iterator<Item = u64> {
    (0..=word::mask(WIDTH)).filter(move |value| (value ^ operand.bits) & !operand.undefined == 0)
}

/// The bits of the result that differ between some two choices.
fn truth(a: Masked, b: Masked, operation: impl Fn(u64, u64) -> u64) -> u64 {
    let (mut always_one, mut ever_one) = (u64::MAX, 0);
    for x in choices(a) {
        for y in choices(b) {
            let result = operation(x, y);
            always_one &= result;
            ever_one |= result;
        }
    }
    ever_one & !always_one
}

fn operands() -> impl Iterator<Item = Masked> {
    let all = 0..=word::mask(WIDTH);
    all.clone().flat_map(move |bits| all.clone().map(move |undefined| Masked { bits, undefined }))
}

fn operand_pairs() -> impl Iterator<Item = (Masked, Masked)> {
    operands().flat_map(|a| operands().map(move |b| (a, b)))
}

/// Every bit that can differ is in the mask.
fn assert_covers(mask: u64, truth: u64, what: &str, a: Masked, b: Masked) {
    assert_eq!(truth & !mask, 0, "{what} of {a:?} and {b:?}: mask {mask:#b}, truth {truth:#b}");
}

#[test]
fn logic_is_exact() {
    for (a, b) in operand_pairs() {
        assert_eq!(masks::and(a, b), truth(a, b, |x, y| x & y));
        assert_eq!(masks::or(a, b), truth(a, b, |x, y| x | y));
        assert_eq!(masks::xor(a, b), truth(a, b, |x, y| x ^ y));
        let equal = |x, y| u64::from(x == y);
        assert_eq!(u64::from(masks::equality(a, b)), truth(a, b, equal));
    }
}

#[test]
fn arithmetic_is_covered() {
    for (a, b) in operand_pairs() {
        assert_covers(masks::add(WIDTH, a, b), truth(a, b, |x, y| word::add(WIDTH, x, y)), "add", a, b);
        assert_covers(masks::add(WIDTH, a, b), truth(a, b, |x, y| word::sub(WIDTH, x, y)), "sub", a, b);
        assert_covers(masks::mul(WIDTH, a, b), truth(a, b, |x, y| word::mul(WIDTH, x, y)), "mul", a, b);
        assert_covers(masks::shl(WIDTH, a, b), truth(a, b, |x, y| word::shl(WIDTH, x, y)), "shl", a, b);
        assert_covers(masks::lshr(WIDTH, a, b), truth(a, b, |x, y| word::lshr(WIDTH, x, y)), "lshr", a, b);
        assert_covers(masks::ashr(WIDTH, a, b), truth(a, b, |x, y| word::ashr(WIDTH, x, y)), "ashr", a, b);
        let rotate = |x, y| word::funnel_shift_left(WIDTH, x, x, y);
        assert_covers(masks::funnel_shift_left(WIDTH, a, a, b), truth(a, b, rotate), "rotate", a, b);
        if a.undefined | b.undefined == 0 {
            let nothing = masks::add(WIDTH, a, b) | masks::mul(WIDTH, a, b) | masks::shl(WIDTH, a, b);
            assert_eq!(nothing, 0);
        }
    }
}

#[test]
fn order_is_exact() {
    for (a, b) in operand_pairs() {
        let less = |x, y| u64::from(x < y);
        assert_eq!(u64::from(masks::unsigned_less(a, b)), truth(a, b, less));
        let less_or_equal = |x, y| u64::from(x <= y);
        assert_eq!(u64::from(masks::unsigned_less_or_equal(a, b)), truth(a, b, less_or_equal));
        let signed = |x, y| u64::from(word::signed_less(WIDTH, x, y));
        assert_eq!(u64::from(masks::signed_less(WIDTH, a, b)), truth(a, b, signed));
        let signed = |x, y| u64::from(word::signed_less_or_equal(WIDTH, x, y));
        assert_eq!(u64::from(masks::signed_less_or_equal(WIDTH, a, b)), truth(a, b, signed));
    }
}

#[test]
fn a_choice_of_equal_sides_is_defined() {
    let (a, b) = (Masked::defined(0b1100), Masked::defined(0b1010));
    let unknown = Masked { bits: 0, undefined: 1 };
    assert_eq!(masks::select(unknown, a, b), 0b0110);
    assert_eq!(masks::select(Masked::defined(1), a, Masked { undefined: 0b1111, ..b }), 0);
    assert_eq!(masks::select(Masked::defined(0), a, Masked { undefined: 0b0011, ..b }), 0b0011);
}

#[test]
fn structure_moves_masks() {
    assert_eq!(masks::sext(4, 8, 0b1000), 0b1111_1000);
    assert_eq!(masks::zext(0b1000), 0b1000);
    assert_eq!(masks::trunc(3, 0b1011), 0b011);
    assert_eq!(masks::extract(0b110100, 2, 3), 0b101);
    assert_eq!(masks::concat(0b1, 0b01, 2), 0b101);
    assert_eq!(masks::any(8, &[0, 4]), 0xff);
    assert_eq!(masks::any(8, &[0, 0]), 0);
}

/// The wide rules give what the rules for words give.
#[test]
fn wide_masks_are_the_same() {
    for (a, b) in operand_pairs() {
        let bits = [a.bits, a.undefined, b.bits, b.undefined].map(|value| Bits::from_u64(WIDTH, value));
        let wide_a = wide::Masked { bits: &bits[0], undefined: &bits[1] };
        let wide_b = wide::Masked { bits: &bits[2], undefined: &bits[3] };
        assert_eq!(wide::and(wide_a, wide_b).low_u64(), masks::and(a, b));
        assert_eq!(wide::or(wide_a, wide_b).low_u64(), masks::or(a, b));
        assert_eq!(wide::xor(wide_a, wide_b).low_u64(), masks::xor(a, b));
        assert_eq!(wide::add(wide_a, wide_b).low_u64(), masks::add(WIDTH, a, b));
        assert_eq!(wide::mul(wide_a, wide_b).low_u64(), masks::mul(WIDTH, a, b));
        assert_eq!(wide::shl(wide_a, wide_b).low_u64(), masks::shl(WIDTH, a, b));
        assert_eq!(wide::lshr(wide_a, wide_b).low_u64(), masks::lshr(WIDTH, a, b));
        assert_eq!(wide::ashr(wide_a, wide_b).low_u64(), masks::ashr(WIDTH, a, b));
        let funnel = wide::funnel_shift_right(wide_a, wide_a, wide_b).low_u64();
        assert_eq!(funnel, masks::funnel_shift_right(WIDTH, a, a, b));
        assert_eq!(wide::equality(wide_a, wide_b), masks::equality(a, b));
        assert_eq!(wide::unsigned_less(wide_a, wide_b), masks::unsigned_less(a, b));
        assert_eq!(wide::signed_less(wide_a, wide_b), masks::signed_less(WIDTH, a, b));
        assert_eq!(wide::signed_less_or_equal(wide_a, wide_b), masks::signed_less_or_equal(WIDTH, a, b));
    }
}
