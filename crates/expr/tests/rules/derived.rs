//! Operations built out of others, against the functions that `exec` computes with.

use std::rc::Rc;

use symcrete_expr::dag::{Arena, Arithmetic, Evaluator, Expr, Model};
use symcrete_expr::float::{self, convert};
use symcrete_expr::{Bits, FloatKind, word};

use crate::random::Random;
use crate::shape::variable;

/// Computes with constants, and with variables that have these values: both ways must give the same.
fn evaluate(values: &[Bits], build: impl Fn(&mut Arena, &[Expr]) -> Expr) -> Bits {
    let mut arena = Arena::new();
    let variables: Vec<Expr> =
        values.iter().enumerate().map(|(at, bits)| variable(&mut arena, at as u32, bits.width())).collect();
    let expr = build(&mut arena, &variables);
    let mut model = Model::default();
    for (variable, bits) in variables.iter().zip(values) {
        model.set(arena.variable_of(*variable).unwrap(), bits.clone());
    }
    let value = Evaluator::new(Rc::new(model)).value(&arena, expr);
    let constants: Vec<Expr> = values.iter().map(|bits| arena.constant(bits)).collect();
    let folded = build(&mut arena, &constants);
    assert_eq!(arena.as_constant(folded), Some(value.clone()), "{values:?}");
    value
}

fn flag(value: bool) -> Bits {
    Bits::from_u64(1, u64::from(value))
}

const WIDTHS: [u32; 16] = [1, 2, 3, 5, 7, 8, 16, 24, 31, 32, 33, 63, 64, 65, 80, 128];

#[test]
fn one_operand() {
    let mut random = Random::new(1);
    for width in WIDTHS {
        for _ in 0..60 {
            let a = random.bits(width);
            let number = |number: u32| Bits::from_u64(width, number.into());
            let of = |build: fn(&mut Arena, Expr) -> Expr| {
                evaluate(std::slice::from_ref(&a), |arena, operands| build(arena, operands[0]))
            };
            assert_eq!(of(Arena::neg), a.neg());
            assert_eq!(of(Arena::abs), a.abs());
            assert_eq!(of(Arena::count_ones), number(a.count_ones()));
            assert_eq!(of(Arena::leading_zeros), number(a.leading_zeros()), "{a:?}");
            assert_eq!(of(Arena::trailing_zeros), number(a.trailing_zeros()));
            assert_eq!(of(Arena::reverse_bits), a.reverse_bits());
            if width % 8 == 0 {
                assert_eq!(of(Arena::swap_bytes), a.swap_bytes());
            }
        }
    }
}

#[test]
fn extremes_overflow_and_saturation() {
    let mut random = Random::new(2);
    for width in WIDTHS {
        for _ in 0..60 {
            let (a, b) = (random.bits(width), random.bits(width));
            let operands = [a.clone(), b.clone()];
            let of = |build: fn(&mut Arena, Expr, Expr) -> Expr| {
                evaluate(&operands, |arena, operands| build(arena, operands[0], operands[1]))
            };
            assert_eq!(of(Arena::min_signed), a.min_signed(&b));
            assert_eq!(of(Arena::max_signed), a.max_signed(&b));
            assert_eq!(of(Arena::min_unsigned), a.min_unsigned(&b));
            assert_eq!(of(Arena::max_unsigned), a.max_unsigned(&b));
            assert_eq!(of(Arena::sdiv_overflows), flag(a.sdiv_overflows(&b)));
            let order = |order: std::cmp::Ordering| Bits::from_u64(64, order as i8 as i64 as u64).trunc(8);
            assert_eq!(of(|arena, a, b| arena.order_signed(a, b, 8)), order(a.compare_signed(&b)));
            assert_eq!(of(|arena, a, b| arena.order_unsigned(a, b, 8)), order(a.compare_unsigned(&b)));
            check_overflow(&operands);
            assert_eq!(of(Arena::shl_saturate_signed), saturated_shift(&a, &b, true), "{a:?} {b:?}");
            assert_eq!(of(Arena::shl_saturate_unsigned), saturated_shift(&a, &b, false), "{a:?} {b:?}");
        }
    }
}

fn saturated_shift(a: &Bits, b: &Bits, signed: bool) -> Bits {
    let width = a.width();
    match (width, signed) {
        (..=64, true) => Bits::from_u64(width, word::shl_saturate_signed(width, a.low_u64(), b.low_u64())),
        (..=64, false) => Bits::from_u64(width, word::shl_saturate_unsigned(width, a.low_u64(), b.low_u64())),
        (_, true) => a.shl_saturate_signed(b.low_u64()),
        (_, false) => a.shl_saturate_unsigned(b.low_u64()),
    }
}

fn check_overflow(operands: &[Bits; 2]) {
    use Arithmetic::*;
    let [a, b] = operands;
    let expected = [
        (Add, a.add_overflow_signed(b), a.add_overflow_unsigned(b)),
        (Sub, a.sub_overflow_signed(b), a.sub_overflow_unsigned(b)),
        (Mul, a.mul_overflow_signed(b), a.mul_overflow_unsigned(b)),
    ];
    for (arithmetic, signed, unsigned) in expected {
        let result = |part: fn((Expr, Expr)) -> Expr, is_signed: bool| {
            evaluate(operands, |arena, operands| {
                part(match is_signed {
                    true => arena.overflow_signed(arithmetic, operands[0], operands[1]),
                    false => arena.overflow_unsigned(arithmetic, operands[0], operands[1]),
                })
            })
        };
        assert_eq!((result(|pair| pair.0, true), result(|pair| pair.1, true)), (signed.0, flag(signed.1)));
        assert_eq!((result(|pair| pair.0, false), result(|pair| pair.1, false)), (unsigned.0, flag(unsigned.1)));
    }
    let saturated = [
        (Add, a.add_saturate_signed(b), a.add_saturate_unsigned(b)),
        (Sub, a.sub_saturate_signed(b), a.sub_saturate_unsigned(b)),
    ];
    for (arithmetic, signed, unsigned) in saturated {
        let result = |signed| {
            evaluate(operands, |arena, operands| match signed {
                true => arena.saturate_signed(arithmetic, operands[0], operands[1]),
                false => arena.saturate_unsigned(arithmetic, operands[0], operands[1]),
            })
        };
        assert_eq!((result(true), result(false)), (signed, unsigned));
    }
}

#[test]
fn machine_shifts_and_funnels() {
    let mut random = Random::new(3);
    for width in WIDTHS.into_iter().chain([200]) {
        for round in 0..80 {
            let (a, b) = (random.bits(width), random.bits(width));
            let count = if round % 2 == 0 { Bits::from_u64(width, random.below(140)) } else { random.bits(width) };
            let of = |build: fn(&mut Arena, Expr, Expr) -> Expr| {
                evaluate(&[a.clone(), count.clone()], |arena, operands| build(arena, operands[0], operands[1]))
            };
            assert_eq!(of(Arena::machine_shl), a.machine_shl(&count));
            assert_eq!(of(Arena::machine_lshr), a.machine_lshr(&count));
            assert_eq!(of(Arena::machine_ashr), a.machine_ashr(&count));
            assert_eq!(of(Arena::rotate_left), a.funnel_shift_left(&a, &count));
            assert_eq!(of(Arena::rotate_right), a.funnel_shift_right(&a, &count));
            let funnel = |build: fn(&mut Arena, Expr, Expr, Expr) -> Expr| {
                evaluate(&[a.clone(), b.clone(), count.clone()], |arena, operands| {
                    build(arena, operands[0], operands[1], operands[2])
                })
            };
            assert_eq!(funnel(Arena::funnel_shift_left), a.funnel_shift_left(&b, &count));
            assert_eq!(funnel(Arena::funnel_shift_right), a.funnel_shift_right(&b, &count));
        }
    }
}

/// Numbers, limits and NaNs of every sort.
fn patterns(kind: FloatKind, random: &mut Random) -> Vec<u128> {
    let one = kind.one();
    let mut patterns = vec![0, one, one + 1, kind.infinity(false), kind.largest(false), kind.default_nan(), 1];
    patterns.push(kind.infinity(false) | 1);
    patterns.push(kind.infinity(false) | kind.quiet_bit() | 5);
    patterns.push(kind.quiet_bit());
    patterns.extend((1..130).step_by(7).map(|power| convert::ldexp(kind, one, power)));
    patterns.extend((1..130).step_by(9).map(|power| convert::ldexp(kind, one + 3, power)));
    patterns.push(convert::ldexp(kind, one, -1));
    for _ in 0..12 {
        patterns.push((u128::from(random.next()) << 64 | u128::from(random.next())) & kind.mask());
    }
    let negative: Vec<u128> = patterns.iter().map(|pattern| pattern ^ kind.sign_mask()).collect();
    patterns.extend(negative);
    patterns
}

fn pattern(kind: FloatKind, bits: u128) -> Bits {
    Bits::from_u128(kind.bits(), bits)
}

#[test]
fn signs_and_classes_of_floats() {
    let mut random = Random::new(4);
    for kind in FloatKind::ALL {
        for a in patterns(kind, &mut random) {
            let of = |build: &dyn Fn(&mut Arena, Expr) -> Expr| {
                evaluate(&[pattern(kind, a)], |arena, operands| build(arena, operands[0]))
            };
            assert_eq!(of(&|arena, a| arena.float_neg(kind, a)), pattern(kind, float::neg(kind, a)));
            assert_eq!(of(&|arena, a| arena.float_abs(kind, a)), pattern(kind, float::abs(kind, a)));
            assert_eq!(of(&|arena, a| arena.float_is_nan(kind, a)), flag(kind.is_nan(a)), "{kind:?} {a:#x}");
            let masks = (0..10).map(|bit| 1 << bit).chain([0, 0x3ff, 0x264, random.below(1024) as u32]);
            for mask in masks {
                let expected = flag(kind.is_class(a, mask));
                assert_eq!(of(&|arena, a| arena.float_is_class(kind, a, mask)), expected, "{kind:?} {a:#x} {mask:#x}");
            }
        }
    }
}

#[test]
fn saturating_conversions() {
    let mut random = Random::new(5);
    for kind in FloatKind::ALL {
        for a in patterns(kind, &mut random) {
            for width in [1, 2, 8, 16, 31, 32, 33, 63, 64, 65, 100, 128] {
                let of = |build: &dyn Fn(&mut Arena, Expr) -> Expr| {
                    evaluate(&[pattern(kind, a)], |arena, operands| build(arena, operands[0]))
                };
                let (signed, unsigned) =
                    (convert::to_signed_saturating(kind, a, width), convert::to_unsigned_saturating(kind, a, width));
                let result = of(&|arena, a| arena.float_to_signed_saturating(kind, a, width));
                assert_eq!(result.low_u128(), signed, "{kind:?} {a:#x} to {width}");
                let result = of(&|arena, a| arena.float_to_unsigned_saturating(kind, a, width));
                assert_eq!(result.low_u128(), unsigned, "{kind:?} {a:#x} to {width}");
            }
        }
    }
}

#[test]
fn comparisons_and_extremes_of_floats() {
    let mut random = Random::new(6);
    for kind in FloatKind::ALL {
        let all = patterns(kind, &mut random);
        for round in 0..700 {
            let (a, b) = (random.choose(&all), random.choose(&all));
            let b = if round % 9 == 0 { a ^ kind.sign_mask() } else { b };
            let operands = [pattern(kind, a), pattern(kind, b)];
            let of = |build: &dyn Fn(&mut Arena, Expr, Expr) -> Expr| {
                evaluate(&operands, |arena, operands| build(arena, operands[0], operands[1])).low_u128()
            };
            for predicate in 0..16 {
                let expected = u128::from(float::compare(kind, predicate, a, b));
                assert_eq!(of(&|arena, a, b| arena.float_compare(kind, predicate, a, b)), expected);
            }
            let name = format!("{kind:?} {a:#x} {b:#x}");
            assert_eq!(of(&|arena, a, b| arena.float_copysign(kind, a, b)), float::copysign(kind, a, b));
            assert_eq!(of(&|arena, a, b| arena.float_minnum(kind, a, b)), float::minnum(kind, a, b), "{name}");
            assert_eq!(of(&|arena, a, b| arena.float_maxnum(kind, a, b)), float::maxnum(kind, a, b), "{name}");
            assert_eq!(of(&|arena, a, b| arena.float_minimum(kind, a, b)), float::minimum(kind, a, b), "{name}");
            assert_eq!(of(&|arena, a, b| arena.float_maximum(kind, a, b)), float::maximum(kind, a, b), "{name}");
            let (least, most) = match kind.is_word() {
                true => (
                    float::word::fmin(kind, a as u64, b as u64).into(),
                    float::word::fmax(kind, a as u64, b as u64).into(),
                ),
                false => (float::minnum(kind, a, b), float::maxnum(kind, a, b)),
            };
            assert_eq!(of(&|arena, a, b| arena.float_fmin(kind, a, b)), least, "{name}");
            assert_eq!(of(&|arena, a, b| arena.float_fmax(kind, a, b)), most, "{name}");
        }
    }
}
