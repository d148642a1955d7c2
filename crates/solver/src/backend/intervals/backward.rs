//! What operands of a float operation may be if its result lies within bounds. The exact result lies at most one step
//! beyond them, operands follow from it by the inverse operation, in double precision, one more step outward for its
//! own rounding.
//!
//! Where the result may be a NaN, nothing is said of operands that may make one of numbers.

use symcrete_expr::dag::{FloatOperation, Rounding};

use super::number::{Interval, Precision};

/// Both operands, narrowed. `same` says that they are the same expression.
pub fn binary(
    operation: FloatOperation,
    precision: Precision,
    same: bool,
    result: &Interval,
    a: &Interval,
    b: &Interval,
) -> (Interval, Interval) {
    if result.nan || !result.has_numbers() {
        return (*a, *b);
    }
    let (mut first, mut second) = (Interval { nan: false, ..*a }, Interval { nan: false, ..*b });
    if !first.has_numbers() || !second.has_numbers() {
        return (first, second);
    }
    if same {
        if operation == FloatOperation::Mul {
            first = root_of_square(precision, result, &first);
        }
        return (first, first);
    }
    let exact = result.widened(precision);
    match operation {
        FloatOperation::Add => {
            first = first.meet(&difference(&exact, &second));
            second = second.meet(&difference(&exact, &first));
            if result.high < f64::INFINITY {
                first.high = first.high.min(precision.greatest());
                second.high = second.high.min(precision.greatest());
            }
            if result.low > f64::NEG_INFINITY {
                first.low = first.low.max(-precision.greatest());
                second.low = second.low.max(-precision.greatest());
            }
        }
        FloatOperation::Sub => {
            let (minuend, subtrahend) =
                binary(FloatOperation::Add, precision, false, result, &first, &second.negated());
            return (minuend, subtrahend.negated());
        }
        FloatOperation::Mul => {
            first = first.meet(&factor(precision, &exact, &second));
            if first.has_numbers() {
                second = second.meet(&factor(precision, &exact, &first));
            }
        }
        FloatOperation::Div => {
            if result.low > f64::NEG_INFINITY && result.high < f64::INFINITY {
                second = second.without_zero(precision);
                let greatest = precision.greatest();
                first = first.meet(&Interval::new(-greatest, greatest, false));
            }
            if first.has_numbers() && second.has_numbers() {
                first = first.meet(&dividend(&exact, &second));
                second = divisor(&exact, &first, &second);
            }
        }
        FloatOperation::Rem => {
            // Infinite dividends and zeros as divisors give NaNs; the result is never larger than the dividend.
            let greatest = precision.greatest();
            first = first.meet(&Interval::new(-greatest, greatest, false));
            second = second.without_zero(precision);
            if result.low > 0.0 {
                first.low = first.low.max(result.low);
            }
            if result.high < 0.0 {
                first.high = first.high.min(result.high);
            }
        }
        _ => {}
    }
    (first.fitted(precision), second.fitted(precision))
}

/// One step outward, for a bound that was itself rounded. What is invalid is no bound.
fn outward(low: f64, high: f64) -> Interval {
    let low = if low.is_nan() { f64::NEG_INFINITY } else { low.next_down() };
    let high = if high.is_nan() { f64::INFINITY } else { high.next_up() };
    Interval::new(low, high, false)
}

/// What is left of a sum without one of its terms.
fn difference(sum: &Interval, term: &Interval) -> Interval {
    outward(sum.low - term.high, sum.high - term.low)
}

/// What gives one of the products together with one of the other factors.
fn factor(precision: Precision, product: &Interval, other: &Interval) -> Interval {
    if !other.has_zero() {
        return ratio(product, other);
    }
    if product.has_zero() {
        return Interval::NUMBERS;
    }
    // The other factor is not zero either.
    let least = precision.least();
    let negative = Interval::new(other.low, -least, false);
    let positive = Interval::new(least, other.high, false);
    let mut hull = Interval::NOTHING;
    for part in [negative, positive] {
        if part.has_numbers() {
            hull = hull.join(&ratio(product, &part));
        }
    }
    hull
}

/// Quotients by numbers that are not zero. An infinite divisor makes an infinite product of any factor but zero.
fn ratio(dividends: &Interval, divisors: &Interval) -> Interval {
    let mut hull = Interval::NOTHING;
    for dividend in [dividends.low, dividends.high] {
        for divisor in [divisors.low, divisors.high] {
            let quotient = dividend / divisor;
            let (low, high) = match quotient.is_nan() {
                true if (dividend > 0.0) == (divisor > 0.0) => (0.0, f64::INFINITY),
                true => (f64::NEG_INFINITY, 0.0),
                false => (quotient, quotient),
            };
            hull.low = hull.low.min(low);
            hull.high = hull.high.max(high);
        }
    }
    let mut wide = outward(hull.low, hull.high);
    // Signs are exact.
    let (positive, negative) = (divisors.low > 0.0, divisors.high < 0.0);
    if (dividends.low >= 0.0 && positive) || (dividends.high <= 0.0 && negative) {
        wide.low = wide.low.max(0.0);
    }
    if (dividends.low >= 0.0 && negative) || (dividends.high <= 0.0 && positive) {
        wide.high = wide.high.min(0.0);
    }
    wide
}

/// What divided by one of the divisors is one of the quotients.
fn dividend(quotient: &Interval, divisor: &Interval) -> Interval {
    let by_zero = divisor.has_zero() && quotient.has_infinity();
    let by_infinity = divisor.has_infinity() && quotient.has_zero();
    if by_zero || by_infinity {
        return Interval::NUMBERS;
    }
    let products = [
        quotient.low * divisor.low,
        quotient.low * divisor.high,
        quotient.high * divisor.low,
        quotient.high * divisor.high,
    ];
    if products.iter().any(|product| product.is_nan()) {
        return Interval::NUMBERS;
    }
    outward(products.into_iter().fold(f64::INFINITY, f64::min), products.into_iter().fold(f64::NEG_INFINITY, f64::max))
}

/// The divisors that make one of the quotients of one of the dividends.
fn divisor(quotient: &Interval, dividend: &Interval, divisor: &Interval) -> Interval {
    if !quotient.has_zero() {
        // A dividend that is zero has no other quotient.
        let mut hull = ratio(dividend, quotient);
        let infinite = dividend.has_infinity() && quotient.has_infinity();
        if infinite {
            hull = Interval::NUMBERS;
        }
        return divisor.meet(&hull);
    }
    if dividend.has_zero() || dividend.has_infinity() {
        return *divisor;
    }
    // Large enough for either sign of the quotient.
    let (least, _) = dividend.magnitudes();
    let (to_positive, to_negative) = (least / quotient.high, least / -quotient.low);
    let bound = |magnitude: f64| match magnitude.is_nan() || magnitude <= 0.0 {
        true => 0.0,
        false => magnitude.next_down(),
    };
    let (to_positive, to_negative) = (bound(to_positive), bound(to_negative));
    match dividend.low > 0.0 {
        true => divisor.outside(-to_negative, to_positive),
        false => divisor.outside(-to_positive, to_negative),
    }
}

/// What has one of these squares.
fn root_of_square(precision: Precision, square: &Interval, a: &Interval) -> Interval {
    let exact = square.widened(precision);
    if exact.high < 0.0 {
        return Interval::NOTHING;
    }
    let most = exact.high.sqrt().next_up();
    let least = exact.low.max(0.0).sqrt();
    let narrowed = a.meet(&Interval::new(-most, most, false));
    let narrowed = if least > 0.0 { narrowed.outside(-least.next_down(), least.next_down()) } else { narrowed };
    narrowed.fitted(precision)
}

/// What has one of these roots.
pub fn square_root(precision: Precision, root: &Interval, a: &Interval) -> Interval {
    if root.nan || !root.has_numbers() {
        return *a;
    }
    let exact = root.widened(precision);
    if exact.high < 0.0 {
        return Interval::NOTHING;
    }
    let least = exact.low.max(0.0);
    let squares = Interval::new((least * least).next_down().max(0.0), (exact.high * exact.high).next_up(), false);
    a.meet(&squares).fitted(precision)
}

/// What is rounded to one of these integral numbers.
pub fn round_to_integral(precision: Precision, rounding: Rounding, result: &Interval, a: &Interval) -> Interval {
    if !result.has_numbers() {
        return Interval { nan: a.nan && result.nan, ..Interval::NOTHING };
    }
    let below = if rounding == Rounding::Down { result.low } else { (result.low - 1.0).next_down() };
    let above = if rounding == Rounding::Up { result.high } else { (result.high + 1.0).next_up() };
    a.meet(&Interval::new(below, above, result.nan)).fitted(precision)
}

/// What becomes one of these by a conversion between kinds.
pub fn convert(from: Precision, to: Precision, result: &Interval, a: &Interval) -> Interval {
    let source = match (from, to) {
        (Precision::Double, Precision::Single) => result.widened(to),
        _ => *result,
    };
    a.meet(&source).fitted(from)
}

/// The magnitude of which is one of these.
pub fn absolute(result: &Interval, a: &Interval) -> Interval {
    let nan = a.nan && result.nan;
    if !result.has_numbers() || result.high < 0.0 {
        return Interval { nan, ..Interval::NOTHING };
    }
    let narrowed = a.meet(&Interval::new(-result.high, result.high, nan));
    narrowed.outside(-result.low, result.low)
}

/// The integers that become one of these floats, as far as they lie between two others.
pub fn from_integer(to: Precision, result: &Interval, low: i128, high: i128) -> (i128, i128) {
    if !result.has_numbers() {
        // No integer becomes a NaN.
        return (1, 0);
    }
    let exact = result.widened(to);
    // Conversions of floats to integers in Rust saturate.
    (low.max(exact.low.ceil() as i128), high.min(exact.high.floor() as i128))
}

/// The floats that become one of these integers by cutting off what follows the point, if none is the answer to what
/// does not fit.
pub fn to_integer(precision: Precision, low: i64, high: i64, a: &Interval) -> Interval {
    // Rounded to double precision, then one step outward.
    let below = if low > 0 { low as f64 } else { (low as f64 - 1.0).next_down() };
    let above = if high < 0 { high as f64 } else { (high as f64 + 1.0).next_up() };
    a.meet(&outward(below, above)).fitted(precision)
}

/// Both operands of a comparison that holds, or does not.
pub fn compare(
    operation: FloatOperation,
    precision: Precision,
    holds: bool,
    a: &Interval,
    b: &Interval,
) -> (Interval, Interval) {
    let (mut first, mut second) = (*a, *b);
    if holds {
        (first.nan, second.nan) = (false, false);
        match operation {
            FloatOperation::Equal => {
                first = first.meet(&second);
                second = first;
            }
            FloatOperation::Less => {
                (first, second) = (below(precision, &first, second.high), above(precision, &second, first.low));
            }
            _ => {
                first.high = first.high.min(second.high);
                second.low = second.low.max(first.low);
            }
        }
        return (first, second);
    }
    // Either is a NaN, or the opposite holds.
    match operation {
        FloatOperation::Equal => {
            if b.is_point() {
                first = without(precision, a, b.low);
            }
            if a.is_point() {
                second = without(precision, b, a.low);
            }
        }
        FloatOperation::Less => {
            if !b.nan {
                first.low = first.low.max(b.low);
            }
            if !a.nan {
                second.high = second.high.min(a.high);
            }
        }
        _ => {
            if !b.nan {
                first = above(precision, &first, b.low);
            }
            if !a.nan {
                second = below(precision, &second, a.high);
            }
        }
    }
    (first, second)
}

fn below(precision: Precision, a: &Interval, limit: f64) -> Interval {
    match limit == f64::NEG_INFINITY {
        true => Interval { nan: a.nan, ..Interval::NOTHING },
        false => Interval { high: a.high.min(precision.down(limit)), ..*a },
    }
}

fn above(precision: Precision, a: &Interval, limit: f64) -> Interval {
    match limit == f64::INFINITY {
        true => Interval { nan: a.nan, ..Interval::NOTHING },
        false => Interval { low: a.low.max(precision.up(limit)), ..*a },
    }
}

/// Without a number, if that is a bound.
fn without(precision: Precision, a: &Interval, number: f64) -> Interval {
    let mut narrowed = *a;
    if a.low == number && a.high == number {
        return Interval { nan: a.nan, ..Interval::NOTHING };
    }
    if narrowed.low == number {
        narrowed.low = precision.up(number);
    }
    if narrowed.high == number {
        narrowed.high = precision.down(number);
    }
    narrowed
}
