//! Every operation by itself on all pairs of special values: all bits of the compiled result against those of the
//! interpreter.

use symcrete_expr::dag::{FloatOperation, Op, Rounding, Variable};
use symcrete_expr::word::{mask, truncate};
use symcrete_expr::{Arena, Expr, FloatKind};
use symcrete_tape::{Compiled, Interpreter, Metric, Tape};

const WIDTHS: &[u32] = &[1, 2, 7, 8, 15, 16, 31, 32, 33, 48, 63, 64];

/// Numbers at which something changes.
fn integers(width: u32) -> Vec<u64> {
    let (ones, top) = (mask(width), 1 << (width - 1));
    let near = [0, 1, 2, 3, ones, ones - 1, top, top - 1, top | 1, width.into(), u64::from(width) - 1, 62, 63, 64, 65];
    let mut values: Vec<u64> = near.into_iter().chain([100, 0x0123_4567_89ab_cdef]).collect();
    values.iter_mut().for_each(|value| *value = truncate(width, *value));
    values.sort_unstable();
    values.dedup();
    values
}

fn doubles() -> Vec<u64> {
    let powers = [31, 32, 52, 53, 62, 63, 64].map(|power| 2f64.powi(power));
    let mut numbers =
        vec![0.0, 0.25, 0.5, 1.0, 1.5, 2.5, 3.0, 1e-300, f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::INFINITY];
    numbers.extend(powers.iter().flat_map(|power| [*power, power.next_down(), power - 0.5, power + 1.0]));
    let mut patterns: Vec<u64> = numbers.iter().map(|number| number.to_bits()).collect();
    patterns.extend([0x7ff8_0000_0000_0000, 0x7ff8_0000_dead_beef, 0x7ff0_0000_0000_0001, 0x7ff4_1234_5678_9abc]);
    patterns.iter().flat_map(|pattern| [*pattern, pattern | 1 << 63]).collect()
}

fn singles() -> Vec<u64> {
    let powers = [23, 24, 31, 32, 62, 63, 64].map(|power| 2f32.powi(power));
    let mut numbers =
        vec![0.0, 0.25, 0.5, 1.0, 1.5, 2.5, 3.0, 1e-30, f32::MIN_POSITIVE, 1e-45, f32::MAX, f32::INFINITY];
    numbers.extend(powers.iter().flat_map(|power| [*power, power.next_down(), power - 0.5, power + 1.0]));
    let mut patterns: Vec<u64> = numbers.iter().map(|number| number.to_bits().into()).collect();
    patterns.extend([0x7fc0_0000, 0x7fc0_beef, 0x7f80_0001, 0x7fa1_2345]);
    patterns.iter().flat_map(|pattern| [*pattern, pattern | 1 << 31]).collect()
}

fn floats(kind: FloatKind) -> Vec<u64> {
    if kind == FloatKind::Single { singles() } else { doubles() }
}

/// All combinations of a value for each operand.
fn points(operands: &[Vec<u64>]) -> Vec<u64> {
    let mut rows = vec![Vec::new()];
    for values in operands {
        let longer =
            |row: &Vec<u64>| values.iter().map(|value| [row.as_slice(), &[*value]].concat()).collect::<Vec<_>>();
        rows = rows.iter().flat_map(longer).collect();
    }
    rows.concat()
}

/// Compares an operation on operands of these widths, compiled and not. Its two halves of 32 bits are seen as numbers
/// less zero.
fn check(widths: &[u32], values: &[Vec<u64>], what: &str, build: impl Fn(&mut Arena, &[Expr]) -> Expr) {
    let mut arena = Arena::without_rules();
    let variable =
        |(input, width): (usize, &u32)| Variable { input: input as u32, offset: 0, width: *width, index_width: 0 };
    let operands: Vec<Expr> = widths.iter().enumerate().map(|each| arena.variable(variable(each))).collect();
    let result = build(&mut arena, &operands);
    let width = arena.width(result);
    let halves = [(0, width.min(32)), (32, width.saturating_sub(32))];
    let mut constraints = Vec::new();
    for (low, width) in halves.into_iter().filter(|(_, width)| *width > 0) {
        let half = arena.extract(result, low, width);
        let zero = arena.word(width, 0);
        constraints.push(arena.compare(Op::UnsignedLess, half, zero));
    }
    let tape = Tape::new(&arena, &constraints, Metric::Steps, usize::MAX).expect("there are no arrays");
    let points = points(values);
    let (rows, count) = (points.len() / tape.words(), constraints.len());
    let [mut scores, mut gaps, mut other_scores, mut other_gaps] = [(); 4].map(|()| vec![0.0; rows * count]);
    Interpreter::new(&tape).run_rows(&tape, &points, rows, &mut scores, &mut gaps);
    let mut compiled = Compiled::new(&tape).unwrap_or_else(|error| panic!("{what}: {error}"));
    compiled.run(&points, rows, &mut other_scores, &mut other_gaps);
    for row in 0..rows {
        let results = row * count..(row + 1) * count;
        let inputs = &points[row * tape.words()..][..tape.words()];
        assert_eq!(gaps[results.clone()], other_gaps[results.clone()], "{what} {inputs:x?}");
        assert_eq!(scores[results.clone()], other_scores[results], "{what} {inputs:x?}");
    }
}

#[test]
fn operations_on_integers() {
    use Op::*;
    let operations = [And, Or, Xor, Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr];
    let comparisons = [Equal, UnsignedLess, UnsignedLessEqual, SignedLess, SignedLessEqual];
    for width in WIDTHS.iter().copied() {
        let (widths, values) = ([width; 2], [integers(width), integers(width)]);
        for op in operations {
            check(&widths, &values, &format!("{op:?}.{width}"), |arena, x| arena.binary(op, x[0], x[1]));
            // Constants on the right have code of their own.
            for constant in integers(width) {
                check(&widths[..1], &values[..1], &format!("{op:?}.{width} {constant:#x}"), |arena, x| {
                    let constant = arena.word(width, constant);
                    arena.binary(op, x[0], constant)
                });
            }
        }
        for op in comparisons {
            check(&widths, &values, &format!("{op:?}.{width}"), |arena, x| arena.compare(op, x[0], x[1]));
        }
        check(&widths[..1], &values[..1], "not", |arena, x| arena.not(x[0]));
        for to in WIDTHS.iter().copied().filter(|to| *to >= width) {
            check(&widths[..1], &values[..1], "sext", |arena, x| arena.sign_extend(x[0], to));
            let low = to - width;
            check(&[to], &[integers(to)], "extract", |arena, x| arena.extract(x[0], low, width));
        }
    }
}

#[test]
fn operations_on_floats() {
    use FloatOperation::*;
    for kind in [FloatKind::Single, FloatKind::Double] {
        let width = kind.bits();
        let values = floats(kind);
        for operation in [Add, Sub, Mul, Div, Rem, SquareRoot, Equal, Less, LessEqual] {
            let count = operation.operands();
            let result = if operation.is_comparison() { 1 } else { width };
            let what = format!("{operation:?}.{kind:?}");
            check(&vec![width; count], &vec![values.clone(); count], &what, |arena, x| {
                arena.float(operation, kind, Rounding::NearestEven, result, x)
            });
        }
        let few: Vec<u64> = values.iter().copied().step_by(3).collect();
        check(&[width; 3], &vec![few; 3], "fused", |arena, x| {
            arena.float(MultiplyAdd, kind, Rounding::NearestEven, width, x)
        });
        use Rounding::*;
        for rounding in [NearestEven, NearestAway, Up, Down, Zero] {
            check(&[width], std::slice::from_ref(&values), &format!("{rounding:?}"), |arena, x| {
                arena.float(RoundToIntegral, kind, rounding, width, x)
            });
        }
    }
}

#[test]
fn conversions() {
    use FloatOperation::*;
    for kind in [FloatKind::Single, FloatKind::Double] {
        let width = kind.bits();
        for integer in 1..=64 {
            for operation in [ToSigned, ToUnsigned] {
                check(&[width], &[floats(kind)], &format!("{operation:?}.{kind:?}.{integer}"), |arena, x| {
                    arena.float(operation, kind, Rounding::Zero, integer, x)
                });
            }
            for operation in [FromSigned, FromUnsigned] {
                check(&[integer], &[integers(integer)], &format!("{operation:?}.{kind:?}.{integer}"), |arena, x| {
                    arena.float(operation, kind, Rounding::NearestEven, width, x)
                });
            }
        }
        for to in [FloatKind::Single, FloatKind::Double] {
            check(&[width], &[floats(kind)], &format!("{kind:?} to {to:?}"), |arena, x| {
                arena.float_convert(kind, to, Rounding::NearestEven, x[0])
            });
        }
    }
}
