//! Constraints that no assignment satisfies, whatever the expressions in them are.

use symcrete_expr::dag::{FloatOperation, Op, Rounding};
use symcrete_expr::{Expr, FloatKind};

use crate::expressions::{Expressions, Type, WIDTHS};
use crate::functions;

/// Some of them, and why they contradict each other.
pub fn contradiction(expressions: &mut Expressions) -> (&'static str, Vec<Expr>) {
    match expressions.random.below(if expressions.flavour.floats { 22 } else { 13 }) {
        0 => square_of_wrong_remainder(expressions),
        1 => even_and_odd(expressions),
        2 => empty_range(expressions),
        3 => circle(expressions),
        4 => masked_bits(expressions),
        5 => large_remainder(expressions),
        6 => same_but_different(expressions),
        7 => binomial(expressions),
        8 => larger_part(expressions),
        9 => taken_apart(expressions),
        10 => different_results(expressions),
        11 => odd_element(expressions),
        12 => two_values(expressions),
        13 | 14 => less_both_ways(expressions),
        15 => compared_nan(expressions),
        16 => negative_number(expressions),
        17 => sum_below(expressions),
        18 => large_integer(expressions),
        _ => beyond_function(expressions),
    }
}

/// Of some width, with a few operations.
fn operand(expressions: &mut Expressions, width: u32) -> Expr {
    let operations = expressions.random.below(5) as u32;
    expressions.value(Type::Bits(width), operations)
}

fn operands<const COUNT: usize>(expressions: &mut Expressions) -> (u32, [Expr; COUNT]) {
    let width = expressions.pick(&WIDTHS);
    (width, std::array::from_fn(|_| operand(expressions, width)))
}

fn binary(expressions: &mut Expressions, op: Op, a: Expr, b: Expr) -> Expr {
    expressions.arena.binary(op, a, b)
}

fn compare(expressions: &mut Expressions, op: Op, a: Expr, b: Expr) -> Expr {
    expressions.arena.compare(op, a, b)
}

fn different(expressions: &mut Expressions, a: Expr, b: Expr) -> Expr {
    let equal = compare(expressions, Op::Equal, a, b);
    expressions.arena.not(equal)
}

fn square_of_wrong_remainder(expressions: &mut Expressions) -> (&'static str, Vec<Expr>) {
    let (width, [x, y]) = operands(expressions);
    let square = binary(expressions, Op::Mul, x, x);
    let (four, rest) = (expressions.arena.word(width, 4), expressions.pick(&[2, 3]));
    let rest = expressions.arena.word(width, rest);
    let multiple = binary(expressions, Op::Mul, y, four);
    let sum = binary(expressions, Op::Add, multiple, rest);
    ("squares are 0 or 1 modulo 4", vec![compare(expressions, Op::Equal, square, sum)])
}

fn even_and_odd(expressions: &mut Expressions) -> (&'static str, Vec<Expr>) {
    let (width, [x, y]) = operands(expressions);
    let one = expressions.arena.word(width, 1);
    let even = binary(expressions, Op::Add, x, x);
    let shifted = binary(expressions, Op::Shl, y, one);
    let odd = binary(expressions, Op::Add, shifted, one);
    ("an even number is odd", vec![compare(expressions, Op::Equal, odd, even)])
}

fn empty_range(expressions: &mut Expressions) -> (&'static str, Vec<Expr>) {
    let (width, [x]) = operands(expressions);
    let low = expressions.random.below(200) + 2;
    let high = low - expressions.random.below(2);
    let (low, high) = (expressions.arena.word(width, low), expressions.arena.word(width, high));
    let op = expressions.pick(&[Op::UnsignedLess, Op::SignedLess]);
    // Numbers of 8 bits from 128 on are negative.
    let (low, high) =
        if width == 8 { (expressions.arena.word(8, 100), expressions.arena.word(8, 100)) } else { (low, high) };
    let (above, below) = (compare(expressions, op, low, x), compare(expressions, op, x, high));
    ("more than the larger and less than the smaller", vec![above, below])
}

fn circle(expressions: &mut Expressions) -> (&'static str, Vec<Expr>) {
    let (_, [x, y, z]) = operands(expressions);
    let op = expressions.pick(&[Op::UnsignedLess, Op::SignedLess]);
    let steps = [(x, y), (y, z), (z, x)];
    ("a circle of orders", steps.into_iter().map(|(a, b)| compare(expressions, op, a, b)).collect())
}

fn masked_bits(expressions: &mut Expressions) -> (&'static str, Vec<Expr>) {
    let (width, [x]) = operands(expressions);
    let mask = expressions.random.bits() & !4;
    let (mask, value) = (expressions.arena.word(width, mask), expressions.arena.word(width, 4));
    let masked = binary(expressions, Op::And, x, mask);
    let part = binary(expressions, Op::And, masked, value);
    ("a bit that was masked", vec![compare(expressions, Op::Equal, part, value)])
}

fn large_remainder(expressions: &mut Expressions) -> (&'static str, Vec<Expr>) {
    let (width, [x, y]) = operands(expressions);
    let one = expressions.arena.word(width, 1);
    let divisor = binary(expressions, Op::Or, y, one);
    let remainder = binary(expressions, Op::URem, x, divisor);
    let at_least = compare(expressions, Op::UnsignedLessEqual, divisor, remainder);
    ("a remainder not below the divisor", vec![at_least])
}

fn same_but_different(expressions: &mut Expressions) -> (&'static str, Vec<Expr>) {
    let (width, [x, y]) = operands(expressions);
    let (difference, zero) = (binary(expressions, Op::Sub, x, y), expressions.arena.word(width, 0));
    let same = compare(expressions, Op::Equal, difference, zero);
    ("without a difference, and different", vec![same, different(expressions, y, x)])
}

fn binomial(expressions: &mut Expressions) -> (&'static str, Vec<Expr>) {
    let (width, [x, y]) = operands(expressions);
    let sum = binary(expressions, Op::Add, x, y);
    let square = binary(expressions, Op::Mul, sum, sum);
    let (first, last) = (binary(expressions, Op::Mul, x, x), binary(expressions, Op::Mul, y, y));
    let (product, two) = (binary(expressions, Op::Mul, x, y), expressions.arena.word(width, 2));
    let middle = binary(expressions, Op::Mul, product, two);
    let expanded = binary(expressions, Op::Add, first, middle);
    let expanded = binary(expressions, Op::Add, expanded, last);
    ("the binomial formula", vec![different(expressions, square, expanded)])
}

fn larger_part(expressions: &mut Expressions) -> (&'static str, Vec<Expr>) {
    let (_, [x, y]) = operands(expressions);
    let (both, some) = (binary(expressions, Op::And, x, y), binary(expressions, Op::Or, x, y));
    ("more bits in the intersection than in the union", vec![compare(expressions, Op::UnsignedLess, some, both)])
}

fn taken_apart(expressions: &mut Expressions) -> (&'static str, Vec<Expr>) {
    let (width, [x]) = operands(expressions);
    let cut = expressions.random.below(u64::from(width) - 1) as u32 + 1;
    let (high, low) = (expressions.arena.extract(x, cut, width - cut), expressions.arena.extract(x, 0, cut));
    let together = expressions.arena.concat(high, low);
    ("taken apart and put together again", vec![different(expressions, together, x)])
}

fn different_results(expressions: &mut Expressions) -> (&'static str, Vec<Expr>) {
    let (width, [x, y]) = operands(expressions);
    let opaque = expressions.arena.add_function(functions::opaque());
    let (a, b) = (expressions.arena.call(opaque, width, &[x]), expressions.arena.call(opaque, width, &[y]));
    let same = compare(expressions, Op::Equal, x, y);
    ("different results of the same call", vec![different(expressions, a, b), same])
}

fn odd_element(expressions: &mut Expressions) -> (&'static str, Vec<Expr>) {
    let (width, elements): (u32, [Expr; 3]) = operands(expressions);
    let two = expressions.arena.word(width, 2);
    let even = elements.map(|element| binary(expressions, Op::Mul, element, two));
    let table = expressions.arena.table(8, width, &even);
    let index = operand(expressions, 8);
    let element = expressions.arena.select(table, index);
    let odd = expressions.arena.extract(element, 0, 1);
    ("an odd element of a table of even ones", vec![odd])
}

fn two_values(expressions: &mut Expressions) -> (&'static str, Vec<Expr>) {
    let (width, [x]) = operands(expressions);
    let value = expressions.random.below(200);
    let (value, next) = (expressions.arena.word(width, value), expressions.arena.word(width, value + 1));
    let (a, b) = (compare(expressions, Op::Equal, x, value), compare(expressions, Op::Equal, next, x));
    ("two values at once", vec![a, b])
}

fn float_operand(expressions: &mut Expressions, kind: FloatKind) -> Expr {
    let operations = expressions.random.below(5) as u32;
    expressions.value(Type::Float(kind), operations)
}

fn float_operands(expressions: &mut Expressions) -> (FloatKind, Expr, Expr) {
    let kind = expressions.pick(&[FloatKind::Single, FloatKind::Double]);
    (kind, float_operand(expressions, kind), float_operand(expressions, kind))
}

fn float(expressions: &mut Expressions, operation: FloatOperation, kind: FloatKind, operands: &[Expr]) -> Expr {
    let width = if operation.is_comparison() { 1 } else { kind.bits() };
    expressions.arena.float(operation, kind, Rounding::NearestEven, width, operands)
}

/// A number as a float.
fn number(expressions: &mut Expressions, kind: FloatKind, number: f64) -> Expr {
    match kind {
        FloatKind::Single => expressions.arena.word(32, u64::from((number as f32).to_bits())),
        _ => expressions.arena.word(64, number.to_bits()),
    }
}

fn less_both_ways(expressions: &mut Expressions) -> (&'static str, Vec<Expr>) {
    let (kind, x, y) = float_operands(expressions);
    let less = float(expressions, FloatOperation::Less, kind, &[x, y]);
    let back = float(expressions, FloatOperation::LessEqual, kind, &[y, x]);
    ("less, and not less", vec![less, back])
}

fn compared_nan(expressions: &mut Expressions) -> (&'static str, Vec<Expr>) {
    let (kind, x, y) = float_operands(expressions);
    let number = float(expressions, FloatOperation::Equal, kind, &[x, x]);
    let nan = expressions.arena.not(number);
    let operation = expressions.pick(&crate::expressions::FLOAT_COMPARISONS);
    let sides = if expressions.chance(2) { [x, y] } else { [y, x] };
    ("a NaN that compares", vec![float(expressions, operation, kind, &sides), nan])
}

fn negative_number(expressions: &mut Expressions) -> (&'static str, Vec<Expr>) {
    let (kind, x, _) = float_operands(expressions);
    let never_negative = match expressions.random.below(3) {
        0 => float(expressions, FloatOperation::Mul, kind, &[x, x]),
        1 => float(expressions, FloatOperation::SquareRoot, kind, &[x]),
        _ => expressions.arena.float_abs(kind, x),
    };
    let zero = number(expressions, kind, 0.0);
    (
        "a square, a root or a magnitude below zero",
        vec![float(expressions, FloatOperation::Less, kind, &[never_negative, zero])],
    )
}

fn sum_below(expressions: &mut Expressions) -> (&'static str, Vec<Expr>) {
    let (kind, x, _) = float_operands(expressions);
    let one = number(expressions, kind, 1.0);
    let sum = float(expressions, FloatOperation::Add, kind, &[x, one]);
    ("one more is less", vec![float(expressions, FloatOperation::Less, kind, &[sum, x])])
}

fn large_integer(expressions: &mut Expressions) -> (&'static str, Vec<Expr>) {
    let kind = expressions.pick(&[FloatKind::Single, FloatKind::Double]);
    let x = operand(expressions, 16);
    let converted =
        expressions.arena.float(FloatOperation::FromUnsigned, kind, Rounding::NearestEven, kind.bits(), &[x]);
    let limit = number(expressions, kind, 65535.0);
    ("a short above all shorts", vec![float(expressions, FloatOperation::Less, kind, &[limit, converted])])
}

/// What no sine and no exponential is.
fn beyond_function(expressions: &mut Expressions) -> (&'static str, Vec<Expr>) {
    let kind = FloatKind::Double;
    let x = float_operand(expressions, kind);
    let functions = functions::doubles();
    let mut call = |name: &str| {
        let (function, _) = functions.iter().find(|(function, _)| function.name == name).unwrap();
        let function = expressions.arena.add_function(function.clone());
        expressions.arena.call(function, 64, &[x])
    };
    let (sine, power) = (call("sin"), call("exp"));
    if expressions.chance(2) {
        let limit = number(expressions, kind, 1.0);
        return ("a sine above one", vec![float(expressions, FloatOperation::Less, kind, &[limit, sine])]);
    }
    let limit = number(expressions, kind, 0.0);
    ("an exponential below zero", vec![float(expressions, FloatOperation::Less, kind, &[power, limit])])
}
