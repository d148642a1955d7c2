//! Directed results bracket the exact one, which double precision holds for operands of single precision.

use super::*;
use crate::float::{Relation, relation};

const KIND: FloatKind = FloatKind::Single;

fn single(pattern: u128) -> f64 {
    f32::from_bits(pattern as u32).into()
}

/// The neighbours are as they must be for a result of exactly `exact`.
fn check(exact: f64, round: impl Fn(Rounding) -> u128, what: &str) {
    let [down, up, zero, away] =
        [Rounding::Down, Rounding::Up, Rounding::TowardZero, Rounding::NearestAway].map(&round);
    let (below, above) = (single(down), single(up));
    assert!(below <= exact && exact <= above, "{what}: {below} {exact} {above}");
    assert_eq!(below == above, below == exact || above == exact, "{what}");
    if below != above && below.is_finite() && above.is_finite() {
        assert_eq!((below as f32).next_up(), above as f32, "{what}");
        let (to_below, to_above) = (exact - below, above - exact);
        let nearest = match () {
            _ if to_below < to_above => down,
            _ if to_above < to_below => up,
            _ if exact < 0.0 => down,
            _ => up,
        };
        assert_eq!(away, nearest, "{what}");
    }
    assert_eq!(zero, if exact < 0.0 || exact.is_sign_negative() { up } else { down }, "{what}");
}

fn patterns() -> Vec<u128> {
    let mut state = 0x1234_5678_9abc_def1u64;
    let mut patterns: Vec<u128> =
        vec![1, 0x7f_ffff, 0x80_0000, 0x3f80_0000, 0x3f80_0001, 0x7f7f_ffff, 0x4b80_0000, 0x3400_0000];
    for _ in 0..60 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Exponents near one, so that results have few places to hide.
        patterns.push(u128::from(state as u32 & 0x81ff_ffff | 0x3c00_0000));
    }
    patterns
}

#[test]
fn products_quotients_and_sums() {
    for &a in &patterns() {
        for &b in &patterns() {
            let of = |operation| move |rounding| arithmetic(operation, KIND, rounding, [a, b, 0]);
            check(single(a) * single(b), of(Arithmetic::Mul), "product");
            let (x, y) = (single(a), single(b));
            if (x + y) - x == y && (x + y) - y == x && x + y != 0.0 {
                check(x + y, of(Arithmetic::Add), "sum");
                check(
                    x - -y,
                    |rounding| arithmetic(Arithmetic::Sub, KIND, rounding, [a, b ^ KIND.sign_mask(), 0]),
                    "difference",
                );
            }
        }
    }
}

#[test]
fn roots_and_conversions() {
    for &a in &patterns() {
        let [down, up] = [Rounding::Down, Rounding::Up]
            .map(|rounding| single(arithmetic(Arithmetic::SquareRoot, KIND, rounding, [a & !KIND.sign_mask(), 0, 0])));
        let exact = single(a).abs();
        assert!(down * down <= exact && exact <= up * up, "{down} {exact} {up}");
        assert!(down == up || (down as f32).next_up() == up as f32);
        for &b in &patterns() {
            let wide = single(a) * single(b);
            let bits = wide.to_bits().into();
            check(wide, |rounding| convert(FloatKind::Double, KIND, rounding, bits), "conversion");
        }
    }
    for value in [0x7fff_ff40u128, 0x7fff_ffc0, 0x0100_0001, 0x0100_0003, 5, 0x1ff_ffff] {
        check(value as f64, |rounding| from_unsigned(KIND, rounding, value), "integer");
        check(
            -(value as f64),
            |rounding| from_signed(KIND, rounding, value.wrapping_neg() & 0xffff_ffff_ffff, 48),
            "integer",
        );
    }
}

#[test]
fn invalid_operations_are_those_of_the_usual_mode() {
    let (infinity, nan) = (KIND.infinity(false), KIND.infinity(false) | 3);
    for rounding in [Rounding::Down, Rounding::Up, Rounding::TowardZero, Rounding::NearestAway] {
        let of = |a, b| arithmetic(Arithmetic::Sub, KIND, rounding, [a, b, 0]);
        assert_eq!(of(infinity, infinity), KIND.default_nan());
        assert_eq!(of(KIND.one(), nan), KIND.quieted(nan));
        let zero = of(KIND.one(), KIND.one());
        assert_eq!(zero, KIND.zero(rounding == Rounding::Down));
        assert_eq!(relation(KIND, zero, 0), Relation::Equal);
    }
}
