//! Float operations against `rustc_apfloat`, identities and known patterns. The comparison with the machine is in
//! the crate's `tests/machine`.
#![allow(clippy::unwrap_used)]

use rustc_apfloat::ieee;
use rustc_apfloat::{Float, FloatConvert};

use super::FloatKind::{self, BFloat, Double, Half, Quad, Single, X87};
use super::{Class, Relation, convert};

/// A small generator, so that failures repeat.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let x = self.0 ^ (self.0 >> 33);
        x.wrapping_mul(0xff51_afd7_ed55_8ccd) ^ (x >> 29)
    }

    /// A finite number whose exponent lies within `spread` of that of one.
    fn finite(&mut self, kind: FloatKind, spread: u64) -> u128 {
        let noise = u128::from(self.next()) << 64 | u128::from(self.next());
        let exponent = kind.max_exponent() as i64 + (self.next() % (2 * spread)) as i64 - spread as i64;
        let exponent = exponent.clamp(1, i64::from(kind.exponent_field_max()) - 1) as u128;
        let leading = if kind.stores_leading_bit() { 1 << 63 } else { 0 };
        noise & kind.sign_mask() | exponent << kind.fraction_bits() | noise & kind.fraction_mask() | leading
    }
}

#[test]
fn parameters_of_the_formats() {
    assert_eq!(Double.default_nan(), 0xfff8_0000_0000_0000);
    assert_eq!(Single.infinity(true), 0xff80_0000);
    assert_eq!(X87.infinity(false), 0x7fff_8000_0000_0000_0000);
    assert_eq!(X87.one(), 0x3fff_8000_0000_0000_0000);
    assert_eq!(Half.largest(false), 0x7bff);
    assert_eq!(BFloat.one(), 0x3f80);
    assert_eq!(Quad.default_nan() >> 112, 0xffff);
    assert_eq!(X87.class(0x3fff_0000_0000_0000_0000), Class::Unsupported);
    assert_eq!(X87.class(0x8000_0000_0000_0000), Class::Subnormal);
    assert_eq!(Double.class(0x7ff0_0000_0000_0001), Class::SignallingNan);
}

#[test]
fn invalid_operations_give_the_negative_nan() {
    for kind in FloatKind::ALL {
        let (zero, infinity) = (kind.zero(false), kind.infinity(false));
        assert_eq!(super::div(kind, zero, zero), kind.default_nan());
        assert_eq!(super::sub(kind, infinity, infinity), kind.default_nan());
        assert_eq!(super::mul(kind, zero, infinity), kind.default_nan());
        assert_eq!(super::rem(kind, kind.one(), zero), kind.default_nan());
        assert_eq!(super::sqrt(kind, super::neg(kind, kind.one())), kind.default_nan());
        assert_eq!(super::fma(kind, zero, infinity, kind.one()), kind.default_nan());
        assert_eq!(super::sqrt(kind, kind.zero(true)), kind.zero(true));
    }
}

#[test]
fn the_first_nan_is_passed_on_quiet() {
    let (signalling, quiet) = (0x7ff0_0000_0000_0001, 0xfff8_0000_0000_0002);
    assert_eq!(super::double::add(signalling, quiet), 0x7ff8_0000_0000_0001);
    assert_eq!(super::double::add(quiet, signalling), quiet);
    assert_eq!(super::double::mul(0, signalling), 0x7ff8_0000_0000_0001);
    assert_eq!(super::relation(Double, signalling.into(), 0), Relation::Unordered);
}

/// `X87DoubleExtended` and the others as one list would need a trait object; each test names its types.
macro_rules! against_apfloat {
    ($test:ident, $from:ident, $from_type:ident, [$($to:ident, $to_type:ident);*]) => {
        #[test]
        fn $test() {
            let mut random = Random(5);
            for round in 0..3000 {
                let spread = [4, 30, 160, 1100, 17000][round % 5];
                let pattern = random.finite($from, spread);
                let number = ieee::$from_type::from_bits(pattern);
                $({
                    let mut loses = false;
                    let expected: ieee::$to_type = number.convert(&mut loses).value;
                    let ours = convert::convert($from, $to, pattern);
                    assert_eq!(ours, expected.to_bits(), "{:#x} from {:?} to {:?}", pattern, $from, $to);
                })*
                for width in [8, 31, 64, 100, 128] {
                    let signed = number.to_i128(width).value as u128 & (u128::MAX >> (128 - width));
                    assert_eq!(convert::to_signed_saturating($from, pattern, width as u32), signed);
                    assert_eq!(convert::to_unsigned_saturating($from, pattern, width as u32), number.to_u128(width).value);
                }
            }
        }
    };
}

against_apfloat!(half_conversions, Half, Half, [Single, Single; Double, Double; X87, X87DoubleExtended; Quad, Quad]);
against_apfloat!(bfloat_conversions, BFloat, BFloat, [Single, Single; Double, Double; Quad, Quad]);
against_apfloat!(single_conversions, Single, Single, [Half, Half; BFloat, BFloat; Double, Double; X87, X87DoubleExtended]);
against_apfloat!(double_conversions, Double, Double, [Half, Half; BFloat, BFloat; Single, Single; Quad, Quad]);
against_apfloat!(x87_conversions, X87, X87DoubleExtended, [Half, Half; BFloat, BFloat; Single, Single; Double, Double]);
against_apfloat!(quad_conversions, Quad, Quad, [BFloat, BFloat; Single, Single; Double, Double; X87, X87DoubleExtended]);

#[test]
fn remainders_and_rounding_of_quads() {
    let mut random = Random(6);
    for _ in 0..400 {
        let (a, b) = (random.finite(Quad, 60), random.finite(Quad, 60));
        let (x, y) = (ieee::Quad::from_bits(a), ieee::Quad::from_bits(b));
        assert_eq!(super::rem(Quad, a, b), x.c_fmod(y).value.to_bits());
        let directions = [
            (super::floor as fn(FloatKind, u128) -> u128, rustc_apfloat::Round::TowardNegative),
            (super::ceil, rustc_apfloat::Round::TowardPositive),
            (super::trunc, rustc_apfloat::Round::TowardZero),
            (super::round, rustc_apfloat::Round::NearestTiesToAway),
            (super::roundeven, rustc_apfloat::Round::NearestTiesToEven),
        ];
        for (ours, direction) in directions {
            assert_eq!(ours(Quad, a), x.round_to_integral(direction).value.to_bits());
        }
    }
}

#[test]
fn square_roots_of_quads() {
    let mut random = Random(7);
    for _ in 0..400 {
        // A double squared is exact as a quad.
        let root = super::abs(Quad, convert::convert(Double, Quad, random.finite(Double, 400)));
        assert_eq!(super::sqrt(Quad, super::mul(Quad, root, root)), root);
        // In general the square of the next smaller and larger number enclose the operand.
        let a = super::abs(Quad, random.finite(Quad, 5000));
        let root = super::sqrt(Quad, a);
        let residue = |root: u128| super::fma(Quad, root, root, super::neg(Quad, a));
        assert_eq!(super::relation(Quad, residue(root - 1), 0), Relation::Less);
        assert_eq!(super::relation(Quad, residue(root + 1), 0), Relation::Greater);
    }
    let two = convert::from_unsigned(Quad, 2);
    assert_eq!(super::sqrt(Quad, two), 0x3fff_6a09_e667_f3bc_c908_b2fb_1366_ea95);
}

#[test]
fn scaling_by_powers_of_two() {
    for kind in FloatKind::ALL {
        assert_eq!(convert::ldexp(kind, kind.one(), 3), convert::from_unsigned(kind, 8));
        assert_eq!(convert::ldexp(kind, kind.one(), i32::MAX), kind.infinity(false));
        assert_eq!(convert::ldexp(kind, super::neg(kind, kind.one()), i32::MIN), kind.zero(true));
        assert_eq!(convert::frexp(kind, convert::from_unsigned(kind, 12)).1, 4);
        assert_eq!(convert::frexp(kind, kind.infinity(true)), (kind.infinity(true), 0));
        let mut random = Random(8);
        for _ in 0..100 {
            let a = random.finite(kind, 100);
            let (fraction, exponent) = convert::frexp(kind, a);
            assert_eq!(convert::ldexp(kind, fraction, exponent), a);
        }
    }
    // The smallest subnormal double, and half of it (a tie, to even).
    assert_eq!(convert::ldexp(Double, Double.one(), -1074), 1);
    assert_eq!(convert::ldexp(Double, Double.one(), -1075), 0);
}

/// The hot functions on words and the general ones must not drift apart.
#[test]
fn words_convert_as_the_general_functions_do() {
    let mut random = Random(9);
    for kind in [Half, BFloat, Single, Double] {
        for round in 0..4000u32 {
            let width = 1 + round % 64;
            let integer = crate::word::truncate(width, random.next() >> (random.next() % 64));
            let signed = convert::from_signed(kind, integer.into(), width);
            assert_eq!(u128::from(super::word::from_signed(kind, integer, width)), signed);
            let unsigned = convert::from_unsigned(kind, integer.into());
            assert_eq!(u128::from(super::word::from_unsigned(kind, integer)), unsigned);
            let pattern = random.next() & kind.mask() as u64;
            let signed = convert::to_signed(kind, pattern.into(), width);
            assert_eq!(u128::from(super::word::to_signed(kind, pattern, width)), signed);
            let unsigned = convert::to_unsigned(kind, pattern.into(), width);
            assert_eq!(u128::from(super::word::to_unsigned(kind, pattern, width)), unsigned);
            for to in [Half, BFloat, Single, Double] {
                let converted = convert::convert(kind, to, pattern.into());
                assert_eq!(u128::from(super::word::convert(kind, to, pattern)), converted);
            }
        }
    }
}

#[test]
fn bfloat_is_the_upper_half_of_a_single() {
    assert_eq!(convert::convert(BFloat, Single, 0x7f81), 0x7f81_0000);
    assert_eq!(convert::convert(Single, BFloat, 0x7f80_0001), 0x7fc0);
    // An odd integer of 25 bits is rounded to 24 bits first, and to 8 after.
    assert_eq!(convert::from_unsigned(BFloat, 0x101_0001), convert::from_unsigned(BFloat, 0x101_0000));
}

#[test]
fn classes_follow_llvm() {
    let expected = [
        (0x7ff0_0000_0000_0001, 0),
        (0x7ff8_0000_0000_0000, 1),
        (0xfff0_0000_0000_0000, 2),
        (0xbff0_0000_0000_0000, 3),
        (0x8000_0000_0000_0001, 4),
        (0x8000_0000_0000_0000, 5),
        (0, 6),
        (1, 7),
        (0x3ff0_0000_0000_0000, 8),
        (0x7ff0_0000_0000_0000, 9),
    ];
    for (pattern, bit) in expected {
        for other in 0..10 {
            assert_eq!(Double.is_class(pattern, 1 << other), bit == other);
        }
    }
}
