//! Conditions on floats: whether they hold for all values or for none, and for which they do.

use symcrete_expr::dag::FloatOperation;

use super::number::{Interval, Precision};
use super::program::Test;

/// Whether a comparison of floats holds for all values, or for none.
pub fn decide(operation: FloatOperation, same: bool, a: &Interval, b: &Interval) -> Option<bool> {
    if !a.has_numbers() || !b.has_numbers() {
        return Some(false);
    }
    let ordered = !a.nan && !b.nan;
    let (always, never) = match operation {
        FloatOperation::Less if same => (false, true),
        _ if same => (true, false),
        FloatOperation::Less => (a.high < b.low, a.low >= b.high),
        FloatOperation::LessEqual => (a.high <= b.low, a.low > b.high),
        _ => (a.is_point() && b.is_point() && a.low == b.low, a.low > b.high || a.high < b.low),
    };
    if never { Some(false) } else { (always && ordered).then_some(true) }
}

/// Whether all values pass a test, or none.
pub fn test(test: Test, a: &Interval) -> Option<bool> {
    let finite = a.has_numbers() && !a.has_infinity();
    let infinite = a.has_infinity() && a.low == a.high;
    match test {
        Test::Nan if !a.nan => Some(false),
        Test::Nan if !a.has_numbers() => Some(true),
        Test::Infinite if !a.has_infinity() => Some(false),
        Test::Infinite if infinite && !a.nan => Some(true),
        Test::Special if finite && !a.nan => Some(false),
        Test::Special if infinite || !a.has_numbers() => Some(true),
        _ => None,
    }
}

/// The floats that pass a test, or do not.
pub fn test_backward(test: Test, precision: Precision, passes: bool, a: &Interval) -> Interval {
    let greatest = precision.greatest();
    let finite = |nan: bool| a.meet(&Interval::new(-greatest, greatest, nan));
    let infinite = a.outside(f64::NEG_INFINITY, f64::INFINITY);
    match (test, passes) {
        (Test::Nan, true) => Interval { nan: a.nan, ..Interval::NOTHING },
        (Test::Nan, false) => Interval { nan: false, ..*a },
        (Test::Infinite, true) => Interval { nan: false, ..infinite },
        (Test::Infinite, false) => finite(true),
        (Test::Special, true) => infinite,
        (Test::Special, false) => finite(false),
    }
}
