//! Bounds against samples: every result of operands within bounds is within the bounds of the result, and every
//! operand that gives a result within bounds stays.

use symcrete_expr::FloatKind;
use symcrete_expr::dag::{FloatOperation, Op, Rounding, semantics};

use super::integer::{self, Range};
use super::library::Known;
use super::number::{Interval, Precision};
use super::{backward, forward};
use crate::Random;

const PRECISIONS: [Precision; 2] = [Precision::Single, Precision::Double];
const ROUNDINGS: [Rounding; 5] =
    [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];
const BINARY: [FloatOperation; 5] =
    [FloatOperation::Add, FloatOperation::Sub, FloatOperation::Mul, FloatOperation::Div, FloatOperation::Rem];

/// A float of any kind of size, often one at which something changes.
fn number(random: &mut Random, precision: Precision) -> f64 {
    let special = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, 2.0, 0.5, -3.0, 10.0];
    let edges = [precision.least(), precision.greatest(), precision.down(1.0), precision.up(1.0), 2147483648.0];
    let chosen = match random.below(9) {
        0 | 1 => *random.one_of(&special),
        2 => {
            let edge = *random.one_of(&edges);
            if random.once_in(2) { -edge } else { edge }
        }
        3 | 4 => random.below(41) as f64 / 4.0 - 5.0,
        5 => (random.fraction() - 0.5) * 1e3,
        6 => (random.fraction() - 0.5) * if precision == Precision::Double { 1e300 } else { 1e37 },
        7 => (random.fraction() - 0.5) * precision.least() * 64.0,
        _ => precision.number_of_bits(random.bits() as i64),
    };
    if chosen.is_nan() { 7.5 } else { precision.round(chosen) }
}

fn interval(random: &mut Random, precision: Precision) -> Interval {
    let (a, b) = (number(random, precision), number(random, precision));
    let nan = random.once_in(4);
    match random.below(8) {
        0 => Interval::point(a),
        1 => Interval::new(f64::NEG_INFINITY, a, nan),
        2 => Interval::new(a, f64::INFINITY, nan),
        3 => Interval::new(a, precision.up(precision.up(a)), nan),
        _ => Interval::new(a.min(b), a.max(b), nan),
    }
}

/// One of the values of an interval.
fn member(random: &mut Random, precision: Precision, interval: &Interval) -> f64 {
    if interval.nan && random.once_in(6) {
        return f64::NAN;
    }
    let Interval { low, high, .. } = *interval;
    let chosen = match random.below(7) {
        0 => low,
        1 => high,
        2 => precision.up(low),
        3 => precision.down(high),
        4 => precision.round(low + (high - low) * random.fraction()),
        5 => 0.0,
        _ => number(random, precision),
    };
    if !interval.contains(chosen) || chosen.is_nan() {
        return low;
    }
    // Both zeros are meant.
    if chosen == 0.0 && random.once_in(2) { -0.0 } else { chosen }
}

fn kind(precision: Precision) -> FloatKind {
    if precision == Precision::Double { FloatKind::Double } else { FloatKind::Single }
}

fn pattern(precision: Precision, number: f64) -> u128 {
    match precision {
        Precision::Double => u128::from(number.to_bits()),
        Precision::Single => u128::from((number as f32).to_bits()),
    }
}

fn value(precision: Precision, pattern: u128) -> f64 {
    match precision {
        Precision::Double => f64::from_bits(pattern as u64),
        Precision::Single => f64::from(f32::from_bits(pattern as u32)),
    }
}

/// What the engine computes.
fn evaluate(operation: FloatOperation, precision: Precision, rounding: Rounding, operands: &[f64]) -> f64 {
    let mut patterns = [0; 3];
    for (pattern_of, operand) in patterns.iter_mut().zip(operands) {
        *pattern_of = pattern(precision, *operand);
    }
    let width = kind(precision).bits();
    value(precision, semantics::float::operation(operation, kind(precision), rounding, width, width, patterns))
}

fn some_rounding(random: &mut Random) -> Rounding {
    if random.once_in(4) { *random.one_of(&ROUNDINGS) } else { Rounding::NearestEven }
}

/// Bounds of results near one that there is.
fn around(random: &mut Random, precision: Precision, result: f64) -> Interval {
    if result.is_nan() {
        return Interval { nan: true, ..interval(random, precision) };
    }
    let nan = random.once_in(5);
    let other = number(random, precision);
    match random.below(5) {
        0 => Interval::new(result, result, nan),
        1 => Interval::new(precision.down(result), result, nan),
        2 => Interval::new(result, precision.up(result), nan),
        _ => Interval::new(result.min(other), result.max(other), nan),
    }
}

#[test]
fn binary_operations_both_ways() {
    let mut random = Random::new(1);
    let mut narrowed = 0;
    for round in 0..400_000 {
        let precision = PRECISIONS[round % 2];
        let (operation, rounding) = (*random.one_of(&BINARY), some_rounding(&mut random));
        let rounding = if operation == FloatOperation::Rem { Rounding::NearestEven } else { rounding };
        let same = random.once_in(5);
        let a = interval(&mut random, precision);
        let b = if same { a } else { interval(&mut random, precision) };
        let forward = forward::binary(operation, precision, rounding, same, &a, &b);
        for _ in 0..6 {
            let x = member(&mut random, precision, &a);
            let y = if same { x } else { member(&mut random, precision, &b) };
            let result = evaluate(operation, precision, rounding, &[x, y]);
            let place =
                || format!("{operation:?} {precision:?} {rounding:?} same {same}: {x:e} {y:e} gives {result:e}");
            assert!(forward.contains(result), "{}, of {a:?} {b:?} only {forward:?}", place());
            let target = around(&mut random, precision, result);
            let (first, second) = backward::binary(operation, precision, same, &target, &a, &b);
            let stays = first.contains(x) && second.contains(y);
            assert!(stays, "{} in {target:?}, {a:?} {b:?} became {first:?} {second:?}", place());
            narrowed += usize::from((first, second) != (a, b));
        }
    }
    assert!(narrowed > 800_000, "{narrowed}");
}

#[test]
fn bounds_of_results_are_results() {
    let mut random = Random::new(2);
    for round in 0..20_000 {
        let precision = PRECISIONS[round % 2];
        let operation = BINARY[random.below(3) as usize];
        let (a, b) = (interval(&mut random, precision), interval(&mut random, precision));
        let result = forward::binary(operation, precision, Rounding::NearestEven, false, &a, &b);
        let bounded = [&a, &b, &result].into_iter().all(|interval| !interval.has_infinity());
        if bounded {
            let mut reached = [false; 2];
            for x in [a.low, a.high] {
                for y in [b.low, b.high] {
                    let corner = evaluate(operation, precision, Rounding::NearestEven, &[x, y]);
                    reached[0] |= corner == result.low;
                    reached[1] |= corner == result.high;
                }
            }
            assert_eq!(reached, [true; 2], "{operation:?} of {a:?} {b:?}: {result:?}");
        }
    }
}

#[test]
fn operations_on_one_float_both_ways() {
    let mut random = Random::new(3);
    for round in 0..200_000 {
        let precision = PRECISIONS[round % 2];
        let a = interval(&mut random, precision);
        let rounding = *random.one_of(&ROUNDINGS);
        let x = member(&mut random, precision, &a);
        let root = evaluate(FloatOperation::SquareRoot, precision, rounding, &[x]);
        let roots = forward::square_root(precision, rounding, &a);
        assert!(roots.contains(root), "root of {x:e} in {a:?} is {root:e}, not in {roots:?}");
        let target = around(&mut random, precision, root);
        let narrowed = backward::square_root(precision, &target, &a);
        assert!(narrowed.contains(x), "root of {x:e} is in {target:?}, {a:?} became {narrowed:?}");

        let whole = evaluate(FloatOperation::RoundToIntegral, precision, rounding, &[x]);
        let wholes = forward::round_to_integral(rounding, &a);
        assert!(wholes.contains(whole), "{rounding:?} {x:e} in {a:?} is {whole:e}, not in {wholes:?}");
        let target = around(&mut random, precision, whole);
        let narrowed = backward::round_to_integral(precision, rounding, &target, &a);
        assert!(narrowed.contains(x), "{rounding:?} {x:e} is in {target:?}, {a:?} became {narrowed:?}");

        let absolute = a.absolute();
        assert!(absolute.contains(x.abs()), "{x:e} in {a:?}: {absolute:?}");
        let target = around(&mut random, precision, x.abs());
        let narrowed = backward::absolute(&target, &a);
        assert!(narrowed.contains(x), "|{x:e}| is in {target:?}, {a:?} became {narrowed:?}");

        let to = PRECISIONS[1 - round % 2];
        let converted = semantics::float::convert_kind(kind(precision), kind(to), rounding, pattern(precision, x));
        let converted = value(to, converted);
        let all = forward::convert(to, rounding, &a);
        assert!(all.contains(converted), "{rounding:?} {x:e} in {a:?} becomes {converted:e}, not in {all:?}");
        let target = around(&mut random, to, converted);
        let narrowed = backward::convert(precision, to, &target, &a);
        assert!(narrowed.contains(x), "{x:e} becomes one of {target:?}, {a:?} became {narrowed:?}");
    }
}

#[test]
fn fused_operations() {
    let mut random = Random::new(4);
    for round in 0..100_000 {
        let precision = PRECISIONS[round % 2];
        let rounding = some_rounding(&mut random);
        let operands: [Interval; 3] = std::array::from_fn(|_| interval(&mut random, precision));
        let members = operands.map(|operand| member(&mut random, precision, &operand));
        let result = evaluate(FloatOperation::MultiplyAdd, precision, rounding, &members);
        let [a, b, c] = &operands;
        let all = forward::multiply_add(precision, rounding, a, b, c);
        assert!(all.contains(result), "{members:?} of {operands:?} give {result:e}, not in {all:?}");
    }
}

#[test]
fn comparisons_keep_what_satisfies_them() {
    let mut random = Random::new(5);
    for round in 0..300_000 {
        let precision = PRECISIONS[round % 2];
        let operation = *random.one_of(&[FloatOperation::Equal, FloatOperation::Less, FloatOperation::LessEqual]);
        let a = interval(&mut random, precision);
        let b =
            if random.once_in(3) { Interval { nan: random.once_in(2), ..a } } else { interval(&mut random, precision) };
        let (x, y) = (member(&mut random, precision, &a), member(&mut random, precision, &b));
        let holds = match operation {
            FloatOperation::Equal => x == y,
            FloatOperation::Less => x < y,
            _ => x <= y,
        };
        if let Some(decided) = super::condition::decide(operation, false, &a, &b) {
            assert_eq!(decided, holds, "{operation:?} {x:e} {y:e} of {a:?} {b:?}");
        }
        let (first, second) = backward::compare(operation, precision, holds, &a, &b);
        let stays = first.contains(x) && second.contains(y);
        assert!(stays, "{operation:?} {holds}: {x:e} {y:e} of {a:?} {b:?} became {first:?} {second:?}");
    }
}

#[test]
fn conversions_from_and_to_integers() {
    let mut random = Random::new(6);
    for round in 0..200_000 {
        let precision = PRECISIONS[round % 2];
        let width = *random.one_of(&[8, 16, 31, 32, 33, 63, 64]);
        let rounding = some_rounding(&mut random);
        let range = range(&mut random, width);
        let integer = integer_member(&mut random, &range);
        let bits = integer as u64 & (u64::MAX >> (64 - width));
        for (operation, signed) in [(FloatOperation::FromSigned, true), (FloatOperation::FromUnsigned, false)] {
            let float_width = kind(precision).bits();
            let operands = [u128::from(bits), 0, 0];
            let result =
                semantics::float::operation(operation, kind(precision), rounding, float_width, width, operands);
            let result = value(precision, result);
            let (low, high) = match signed {
                true => (range.low.into(), range.high.into()),
                false => integer::unsigned_bounds(width, &range),
            };
            let floats = forward::from_integer(precision, rounding, low, high);
            assert!(floats.contains(result), "{integer} of {range:?} is {result:e}, not in {floats:?}");
            let target = around(&mut random, precision, result);
            let (low, high) = backward::from_integer(precision, &target, low, high);
            let number = if signed { i128::from(integer) } else { i128::from(bits) };
            assert!(low <= number && number <= high, "{number} is {result:e} in {target:?}, but not in {low}..{high}");
            if !signed {
                let narrowed = integer::unsigned_backward(width, low, high, &range);
                assert!(holds(&narrowed, integer), "{integer} {narrowed:?}");
            }
        }
        let a = interval(&mut random, precision);
        let x = member(&mut random, precision, &a);
        let operands = [pattern(precision, x), 0, 0];
        let convert = |operation| {
            let bits = semantics::float::operation(operation, kind(precision), Rounding::Zero, width, width, operands);
            symcrete_expr::word::sign_extend(width, bits as u64)
        };
        let (signed, unsigned) = (convert(FloatOperation::ToSigned), convert(FloatOperation::ToUnsigned));
        let (all, all_unsigned) = (forward::to_signed(width, &a), forward::to_unsigned(width, &a));
        assert!(holds(&all, signed), "{x:e} of {a:?} becomes {signed} in {width} bits, not in {all:?}");
        assert!(holds(&all_unsigned, unsigned), "{x:e} of {a:?} becomes {unsigned}, not in {all_unsigned:?}");
        if matches!(width, 32 | 64) && signed > Range::of_width(width).low {
            let more = random.below(5) as i64;
            let narrowed = backward::to_integer(precision, signed, signed.saturating_add(more), &a);
            assert!(narrowed.contains(x), "{x:e} becomes {signed}, {a:?} became {narrowed:?}");
        }
    }
}

fn range(random: &mut Random, width: u32) -> Range {
    let (a, b) = (any_integer(random, width), any_integer(random, width));
    if random.once_in(4) { Range::new(a, a) } else { Range::new(a.min(b), a.max(b)) }
}

fn any_integer(random: &mut Random, width: u32) -> i64 {
    let bits = match random.below(4) {
        0 => random.below(20).wrapping_sub(10),
        1 => 1 << random.below(u64::from(width)),
        2 => (1_u64 << random.below(u64::from(width))).wrapping_sub(1),
        _ => random.bits() >> random.below(u64::from(width)),
    };
    symcrete_expr::word::sign_extend(width, bits & (u64::MAX >> (64 - width)))
}

fn integer_member(random: &mut Random, range: &Range) -> i64 {
    let size = (range.high as u64).wrapping_sub(range.low as u64);
    match random.below(4) {
        0 => range.low,
        1 => range.high,
        _ if size == u64::MAX => random.bits() as i64,
        _ => range.low.wrapping_add(random.below(size + 1) as i64),
    }
}

fn holds(range: &Range, integer: i64) -> bool {
    range.low <= integer && integer <= range.high
}

#[test]
fn integers_both_ways() {
    const OPERATIONS: [Op; 13] = [
        Op::Add,
        Op::Sub,
        Op::Mul,
        Op::UDiv,
        Op::SDiv,
        Op::URem,
        Op::SRem,
        Op::Shl,
        Op::LShr,
        Op::AShr,
        Op::And,
        Op::Or,
        Op::Xor,
    ];
    const COMPARISONS: [Op; 5] =
        [Op::Equal, Op::UnsignedLess, Op::UnsignedLessEqual, Op::SignedLess, Op::SignedLessEqual];
    let mut random = Random::new(7);
    for _ in 0..300_000 {
        let width = *random.one_of(&[2, 3, 8, 32, 64]);
        let (a, b) = (range(&mut random, width), range(&mut random, width));
        let (x, y) = (integer_member(&mut random, &a), integer_member(&mut random, &b));
        let mask = u64::MAX >> (64 - width);
        let compute = |op| semantics::word::binary(op, width, x as u64 & mask, y as u64 & mask);
        let op = *random.one_of(&OPERATIONS);
        let result = symcrete_expr::word::sign_extend(width, compute(op));
        let all = integer::binary(op, width, &a, &b);
        assert!(holds(&all, result), "{op:?} {width}: {x} {y} of {a:?} {b:?} is {result}, not in {all:?}");
        let other = any_integer(&mut random, width);
        let target = Range::new(result.min(other), result.max(other));
        let (first, second) = integer::binary_backward(op, width, &target, &a, &b);
        let stays = holds(&first, x) && holds(&second, y);
        assert!(stays, "{op:?} {width}: {x} {y} in {target:?}: {a:?} {b:?} became {first:?} {second:?}");

        let op = *random.one_of(&COMPARISONS);
        let truth = compute(op) != 0;
        if let Some(decided) = integer::compare(op, &a, &b) {
            assert_eq!(decided, truth, "{op:?} {x} {y} of {a:?} {b:?}");
        }
        let (first, second) = integer::compare_backward(op, truth, &a, &b);
        let stays = holds(&first, x) && holds(&second, y);
        assert!(stays, "{op:?} {truth} {x} {y}: {a:?} {b:?} became {first:?} {second:?}");
        if width < 64 {
            let extended = (x as u64 & mask) as i64;
            assert!(holds(&integer::zero_extend(width, &a), extended), "{x} of {a:?}");
            let target = Range::new(extended.min(other), extended.max(other));
            assert!(holds(&integer::zero_extend_backward(width, &target, &a), x), "{x} of {a:?} in {target:?}");
        }
        let narrow = 2 + random.below(u64::from(width) - 1) as u32;
        let low = symcrete_expr::word::sign_extend(narrow, x as u64 & (u64::MAX >> (64 - narrow)));
        assert!(holds(&integer::low_bits(narrow, &a), low), "{x} of {a:?} in {narrow} bits");
    }
}

#[test]
fn bits_and_floats_tell_of_each_other() {
    let mut random = Random::new(8);
    for round in 0..200_000 {
        let precision = PRECISIONS[round % 2];
        let width = kind(precision).bits();
        let range = range(&mut random, width);
        let bits = integer_member(&mut random, &range);
        let float = precision.number_of_bits(bits);
        let all = Interval::of_bits(precision, range.low, range.high);
        assert!(all.contains(float), "{bits:#x} of {range:?}: {float:e} is not in {all:?}");
        let a = interval(&mut random, precision);
        let x = member(&mut random, precision, &a);
        if let Some((low, high)) = a.to_bits(precision) {
            assert!(low <= precision.to_bits(x) && precision.to_bits(x) <= high, "{x:e} of {a:?}: {low} {high}");
        }
    }
}

#[test]
fn functions_of_the_library_stay_within_their_bounds() {
    let mut random = Random::new(9);
    for round in 0..300_000 {
        let precision = PRECISIONS[round % 2];
        let (_, name) = super::library::NAMES[random.below(super::library::NAMES.len() as u64) as usize];
        let known = Known { name, precision };
        let a = interval(&mut random, precision);
        let even = Interval::point(*random.one_of(&[0.0, 2.0, 4.0, -2.0, 6.0]));
        let b = if random.once_in(2) { even } else { interval(&mut random, precision) };
        let all = known.forward(&a, &b);
        for _ in 0..4 {
            let (x, y) = (member(&mut random, precision, &a), member(&mut random, precision, &b));
            let result = known.host(x, y);
            assert!(all.contains(result), "{known:?} of {x:e} {y:e} is {result:e}: {a:?} {b:?} give {all:?}");
            let target = around(&mut random, precision, result);
            let (first, second) = known.backward(&target, &a, &b);
            // The second operand of functions with one is none.
            let stays = first.contains(x) && (known.arguments() == 1 || second.contains(y));
            assert!(stays, "{known:?} of {x:e} {y:e} is in {target:?}: {a:?} {b:?} became {first:?} {second:?}");
        }
    }
}
