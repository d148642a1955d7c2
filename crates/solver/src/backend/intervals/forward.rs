//! What a float operation may give for operands of which bounds are known. Rounding to nearest never changes the
//! order of two numbers, so the bounds of a result are results for bounds, and exact.

use symcrete_expr::dag::{FloatOperation, Rounding};

use super::integer::Range;
use super::number::{Interval, Precision};

/// The operation on numbers, rounded to nearest.
#[inline]
pub fn compute(operation: FloatOperation, precision: Precision, a: f64, b: f64) -> f64 {
    match precision {
        Precision::Double => match operation {
            FloatOperation::Add => a + b,
            FloatOperation::Sub => a - b,
            FloatOperation::Mul => a * b,
            _ => a / b,
        },
        Precision::Single => {
            let (a, b) = (a as f32, b as f32);
            f64::from(match operation {
                FloatOperation::Add => a + b,
                FloatOperation::Sub => a - b,
                FloatOperation::Mul => a * b,
                _ => a / b,
            })
        }
    }
}

/// Sums, differences, products, quotients and remainders. `same` says that both operands are the same expression,
/// `rounding` in which direction the result is rounded.
pub fn binary(
    operation: FloatOperation,
    precision: Precision,
    rounding: Rounding,
    same: bool,
    a: &Interval,
    b: &Interval,
) -> Interval {
    let nan = a.nan || b.nan;
    if !a.has_numbers() || !b.has_numbers() {
        return Interval { nan, ..Interval::NOTHING };
    }
    if same {
        return of_itself(operation, precision, rounding, a);
    }
    let result = match operation {
        FloatOperation::Add => sum(precision, a, b),
        FloatOperation::Sub => sum(precision, a, &b.negated()),
        FloatOperation::Mul => product(precision, a, b),
        FloatOperation::Div => quotient(precision, a, b),
        // Remainders are exact.
        _ => return remainder(precision, a, b),
    };
    match rounding {
        Rounding::NearestEven => result,
        _ => result.widened(precision),
    }
}

/// An operation on a value and itself.
fn of_itself(operation: FloatOperation, precision: Precision, rounding: Rounding, a: &Interval) -> Interval {
    let infinite = a.has_infinity();
    match operation {
        FloatOperation::Add => {
            let sum = Interval::new(
                compute(operation, precision, a.low, a.low),
                compute(operation, precision, a.high, a.high),
                a.nan,
            );
            if rounding == Rounding::NearestEven { sum } else { sum.widened(precision) }
        }
        FloatOperation::Sub => match a.low == a.high && infinite {
            true => Interval::NAN,
            false => Interval::new(0.0, 0.0, a.nan || infinite),
        },
        FloatOperation::Mul => {
            let (least, greatest) = a.magnitudes();
            let square = |magnitude| compute(FloatOperation::Mul, precision, magnitude, magnitude);
            let squares = Interval::new(square(least), square(greatest), a.nan);
            let squares = if rounding == Rounding::NearestEven { squares } else { squares.widened(precision) };
            Interval { low: squares.low.max(0.0), ..squares }
        }
        FloatOperation::Div => Interval::new(1.0, 1.0, a.nan || infinite || a.has_zero()),
        _ => Interval::new(0.0, 0.0, a.nan || infinite || a.has_zero()),
    }
}

fn sum(precision: Precision, a: &Interval, b: &Interval) -> Interval {
    let low = compute(FloatOperation::Add, precision, a.low, b.low);
    let high = compute(FloatOperation::Add, precision, a.high, b.high);
    let opposite = (a.low == f64::NEG_INFINITY && b.high == f64::INFINITY)
        || (a.high == f64::INFINITY && b.low == f64::NEG_INFINITY);
    Interval {
        low: if low.is_nan() { f64::NEG_INFINITY } else { low },
        high: if high.is_nan() { f64::INFINITY } else { high },
        nan: a.nan || b.nan || opposite,
    }
}

/// The bounds of results for bounds. Where that is invalid, the results nearby are zero, or those of other bounds.
fn corners(operation: FloatOperation, precision: Precision, a: &Interval, b: &Interval) -> Interval {
    let mut hull = Interval::NOTHING;
    for first in [a.low, a.high] {
        for second in [b.low, b.high] {
            let result = compute(operation, precision, first, second);
            let result = if result.is_nan() { 0.0 } else { result };
            hull.low = hull.low.min(result);
            hull.high = hull.high.max(result);
        }
    }
    hull
}

fn product(precision: Precision, a: &Interval, b: &Interval) -> Interval {
    let invalid = (a.has_zero() && b.has_infinity()) || (a.has_infinity() && b.has_zero());
    Interval { nan: a.nan || b.nan || invalid, ..corners(FloatOperation::Mul, precision, a, b) }
}

fn quotient(precision: Precision, a: &Interval, b: &Interval) -> Interval {
    let invalid = (a.has_zero() && b.has_zero()) || (a.has_infinity() && b.has_infinity());
    let nan = a.nan || b.nan || invalid;
    match b.has_zero() {
        // Zeros have two signs.
        true => Interval { nan, ..Interval::NUMBERS },
        false => Interval { nan, ..corners(FloatOperation::Div, precision, a, b) },
    }
}

/// Of the sign of the dividend, not larger than it, and smaller than the divisor.
fn remainder(precision: Precision, a: &Interval, b: &Interval) -> Interval {
    let nan = a.nan || b.nan || a.has_infinity() || b.has_zero();
    let ((_, dividend), (least, divisor)) = (a.magnitudes(), b.magnitudes());
    if dividend < least {
        return Interval { nan, ..*a };
    }
    let limit = if divisor == f64::INFINITY { dividend } else { dividend.min(precision.down(divisor).max(0.0)) };
    let low = if a.low < 0.0 { (-limit).max(a.low) } else { 0.0 };
    let high = if a.high > 0.0 { limit.min(a.high) } else { 0.0 };
    Interval::new(low, high, nan)
}

pub fn square_root(precision: Precision, rounding: Rounding, a: &Interval) -> Interval {
    let nan = a.nan || (a.has_numbers() && a.low < 0.0);
    if !a.has_numbers() || a.high < 0.0 {
        return Interval { nan, ..Interval::NOTHING };
    }
    let root = |number: f64| match precision {
        Precision::Double => number.sqrt(),
        Precision::Single => f64::from((number as f32).sqrt()),
    };
    let roots = Interval::new(root(a.low.max(0.0)), root(a.high.max(0.0)), nan);
    let roots = if rounding == Rounding::NearestEven { roots } else { roots.widened(precision) };
    Interval { low: roots.low.max(0.0), ..roots }
}

/// `a * b + c`, rounded once. Nothing is said where infinities may meet.
pub fn multiply_add(precision: Precision, rounding: Rounding, a: &Interval, b: &Interval, c: &Interval) -> Interval {
    let nan = a.nan || b.nan || c.nan;
    if ![a, b, c].into_iter().all(Interval::has_numbers) {
        return Interval { nan, ..Interval::NOTHING };
    }
    if [a, b, c].into_iter().any(Interval::has_infinity) {
        return Interval::ANYTHING;
    }
    let fused = |a: f64, b: f64, c: f64| match precision {
        Precision::Double => a.mul_add(b, c),
        Precision::Single => f64::from((a as f32).mul_add(b as f32, c as f32)),
    };
    let mut hull = Interval { nan, ..Interval::NOTHING };
    for first in [a.low, a.high] {
        for second in [b.low, b.high] {
            hull.low = hull.low.min(fused(first, second, c.low));
            hull.high = hull.high.max(fused(first, second, c.high));
        }
    }
    if rounding == Rounding::NearestEven { hull } else { hull.widened(precision) }
}

pub fn round_to_integral(rounding: Rounding, a: &Interval) -> Interval {
    // Of a number of either kind, the nearest integral numbers are of that kind too.
    let round = |number: f64| match rounding {
        Rounding::NearestEven => number.round_ties_even(),
        Rounding::NearestAway => number.round(),
        Rounding::Up => number.ceil(),
        Rounding::Down => number.floor(),
        Rounding::Zero => number.trunc(),
    };
    if a.has_numbers() { Interval::new(round(a.low), round(a.high), a.nan) } else { *a }
}

/// From one kind to another.
pub fn convert(to: Precision, rounding: Rounding, a: &Interval) -> Interval {
    if !a.has_numbers() {
        return *a;
    }
    let converted = Interval::new(to.round(a.low), to.round(a.high), a.nan);
    match (to, rounding) {
        (Precision::Double, _) | (_, Rounding::NearestEven) => converted,
        _ => converted.widened(to),
    }
}

/// An integer between two others, as a float.
pub fn from_integer(to: Precision, rounding: Rounding, low: i128, high: i128) -> Interval {
    let converted = |integer: i128| match to {
        Precision::Double => integer as f64,
        Precision::Single => f64::from(integer as f32),
    };
    let converted = Interval::new(converted(low), converted(high), false);
    if rounding == Rounding::NearestEven { converted } else { converted.widened(to) }
}

/// `fptosi` into so many bits: through a register of 32 or 64 bits, whose least value stands for what does not fit.
pub fn to_signed(width: u32, a: &Interval) -> Range {
    let register = if width <= 32 { 32 } else { 64 };
    let limit = (1_u64 << (register - 1)) as f64;
    let all = Range::of_width(width);
    let fits = a.has_numbers() && !a.nan && a.low.trunc() >= -limit && a.high < limit;
    if fits {
        let converted = Range::new(a.low as i64, a.high as i64);
        return if converted.meet(&all) == converted { converted } else { all };
    }
    match width == register {
        true if !a.has_numbers() || a.high <= -limit => Range::new(all.low, all.low),
        true => Range::new(all.low, (a.high as i64).min(all.high)),
        false => all,
    }
}

/// `fptoui` into so many bits, where the result has no sign bit.
pub fn to_unsigned(width: u32, a: &Interval) -> Range {
    let limit = (1_u64 << (width - 1)) as f64;
    match a.has_numbers() && !a.nan && a.low > -1.0 && a.high < limit {
        true => Range::new(a.low as i64, a.high as i64),
        false => Range::of_width(width),
    }
}
