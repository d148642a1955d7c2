//! What is known of an integer of up to 64 bits: bounds of its value as a signed number. A single bit is 0 or 1.

use symcrete_expr::dag::Op;

/// All integers from `low` to `high`; none if `low` is more than `high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    pub low: i64,
    pub high: i64,
}

impl Range {
    pub fn new(low: i64, high: i64) -> Range {
        Range { low, high }
    }

    /// Everything that so many bits can say.
    pub fn of_width(width: u32) -> Range {
        match width {
            1 => Range::new(0, 1),
            2..=63 => Range::new(-(1 << (width - 1)), (1 << (width - 1)) - 1),
            _ => Range::new(i64::MIN, i64::MAX),
        }
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.low > self.high
    }

    #[inline]
    pub fn known(&self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    #[inline]
    pub fn meet(&self, other: &Range) -> Range {
        Range::new(self.low.max(other.low), self.high.min(other.high))
    }

    #[inline]
    pub fn join(&self, other: &Range) -> Range {
        match (self.is_empty(), other.is_empty()) {
            (false, false) => Range::new(self.low.min(other.low), self.high.max(other.high)),
            (true, _) => *other,
            (_, true) => *self,
        }
    }

    /// The range if all of it is among the values of a width, everything otherwise: where bits are cut off, nothing
    /// is known.
    fn unless_wrapped(low: i128, high: i128, width: u32) -> Range {
        Range::exact(low, high, width).unwrap_or(Range::of_width(width))
    }

    fn exact(low: i128, high: i128, width: u32) -> Option<Range> {
        let all = Range::of_width(width);
        (low >= i128::from(all.low) && high <= i128::from(all.high)).then(|| Range::new(low as i64, high as i64))
    }

    /// The narrowest range within 64 bits.
    fn clamped(low: i128, high: i128) -> Range {
        let clamp = |value: i128| value.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
        match low > i128::from(i64::MAX) || high < i128::from(i64::MIN) {
            true => Range::new(1, 0),
            false => Range::new(clamp(low), clamp(high)),
        }
    }
}

/// The sum or difference before anything is cut off.
fn exact_sum(op: Op, a: &Range, b: &Range) -> (i128, i128) {
    let [a_low, a_high, b_low, b_high] = [a.low, a.high, b.low, b.high].map(i128::from);
    match op {
        Op::Add => (a_low + b_low, a_high + b_high),
        _ => (a_low - b_high, a_high - b_low),
    }
}

/// Whether a sum or difference is that of the numbers, for all values of its operands.
pub fn is_exact(op: Op, width: u32, a: &Range, b: &Range) -> bool {
    let (low, high) = exact_sum(op, a, b);
    Range::exact(low, high, width).is_some()
}

/// Operations on operands of one width of more than one bit.
pub fn binary(op: Op, width: u32, a: &Range, b: &Range) -> Range {
    let all = Range::of_width(width);
    match op {
        Op::Add | Op::Sub => {
            let (low, high) = exact_sum(op, a, b);
            Range::unless_wrapped(low, high, width)
        }
        Op::Mul => {
            let products = [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)]
                .map(|(a, b)| i128::from(a) * i128::from(b));
            let (low, high) = products
                .iter()
                .fold((i128::MAX, i128::MIN), |(low, high), product| (low.min(*product), high.max(*product)));
            Range::unless_wrapped(low, high, width)
        }
        Op::And if a.low >= 0 && b.low >= 0 => Range::new(0, a.high.min(b.high)),
        Op::And if a.low >= 0 => Range::new(0, a.high),
        Op::And if b.low >= 0 => Range::new(0, b.high),
        Op::URem if a.low >= 0 && b.low > 0 => Range::new(0, a.high.min(b.high - 1)),
        Op::SRem if a.low >= 0 && b.low > 0 => Range::new(0, a.high.min(b.high - 1)),
        Op::SRem if b.low > 0 => {
            let limit = b.high - 1;
            Range::new(a.low.max(-limit).min(0), a.high.min(limit).max(0))
        }
        // Toward zero; only dividends that are not negative, or constants as divisors, keep their order.
        Op::UDiv if a.low >= 0 && b.low > 0 => Range::new(a.low / b.high, a.high / b.low),
        Op::SDiv if b.low > 0 && b.low == b.high => Range::new(a.low / b.low, a.high / b.low),
        Op::Shl | Op::LShr | Op::AShr => shift(op, width, a, b),
        _ => all,
    }
}

fn shift(op: Op, width: u32, a: &Range, b: &Range) -> Range {
    let all = Range::of_width(width);
    let Some(count) = b.known().filter(|count| (0..i64::from(width)).contains(count)) else { return all };
    match op {
        Op::Shl => Range::unless_wrapped(i128::from(a.low) << count, i128::from(a.high) << count, width),
        Op::LShr if a.low >= 0 => Range::new(a.low >> count, a.high >> count),
        Op::LShr if count > 0 => Range::new(0, ((1_i128 << (i128::from(width) - i128::from(count))) - 1) as i64),
        Op::AShr => Range::new(a.low >> count, a.high >> count),
        _ => all,
    }
}

/// Both operands of an operation with a result in a range, narrowed.
pub fn binary_backward(op: Op, width: u32, result: &Range, a: &Range, b: &Range) -> (Range, Range) {
    match op {
        Op::Add if is_exact(op, width, a, b) => {
            let left = |other: &Range| {
                let (low, high) = exact_sum(Op::Sub, result, other);
                Range::clamped(low, high)
            };
            (a.meet(&left(b)), b.meet(&left(a)))
        }
        Op::Sub if is_exact(op, width, a, b) => {
            let (low, high) = exact_sum(Op::Add, result, b);
            let minuend = a.meet(&Range::clamped(low, high));
            let (low, high) = exact_sum(Op::Sub, a, result);
            (minuend, b.meet(&Range::clamped(low, high)))
        }
        Op::Mul if is_exact_product(width, a, b) => match (a.known(), b.known()) {
            (_, Some(factor)) if factor > 0 => (a.meet(&quotients(result, factor)), *b),
            (Some(factor), _) if factor > 0 => (*a, b.meet(&quotients(result, factor))),
            _ => (*a, *b),
        },
        _ => (*a, *b),
    }
}

fn is_exact_product(width: u32, a: &Range, b: &Range) -> bool {
    let all = Range::of_width(width);
    [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)].into_iter().all(|(a, b)| {
        let product = i128::from(a) * i128::from(b);
        i128::from(all.low) <= product && product <= i128::from(all.high)
    })
}

/// The integers whose product with a positive one is in a range.
fn quotients(result: &Range, factor: i64) -> Range {
    let up = result.low.div_euclid(factor) + i64::from(result.low.rem_euclid(factor) != 0);
    Range::new(up, result.high.div_euclid(factor))
}

/// Bounds of the value without a sign, of so many bits.
pub fn unsigned_bounds(width: u32, a: &Range) -> (i128, i128) {
    let modulus = 1_i128 << width;
    let (low, high) = (i128::from(a.low), i128::from(a.high));
    match width {
        1 => (low, high),
        _ if low >= 0 => (low, high),
        _ if high < 0 => (low + modulus, high + modulus),
        _ => (0, modulus - 1),
    }
}

/// Of `from` bits, fewer than 64.
pub fn zero_extend(from: u32, a: &Range) -> Range {
    let (low, high) = unsigned_bounds(from, a);
    Range::clamped(low, high)
}

pub fn zero_extend_backward(from: u32, result: &Range, a: &Range) -> Range {
    if from == 1 {
        return a.meet(result);
    }
    let half = 1_i128 << (from - 1);
    if i128::from(result.high) < half {
        a.meet(&Range::new(result.low.max(0), result.high))
    } else if i128::from(result.low) >= half {
        a.meet(&Range::clamped(i128::from(result.low) - 2 * half, i128::from(result.high) - 2 * half))
    } else {
        *a
    }
}

/// What was extended, given bounds of the value without a sign.
pub fn unsigned_backward(width: u32, low: i128, high: i128, a: &Range) -> Range {
    let half = 1_i128 << (width - 1);
    if a.low >= 0 || high < half { a.meet(&Range::clamped(low.max(0), high)) } else { *a }
}

pub fn sign_extend(from: u32, a: &Range) -> Range {
    if from == 1 { Range::new(-a.high, -a.low) } else { *a }
}

pub fn sign_extend_backward(from: u32, result: &Range, a: &Range) -> Range {
    a.meet(&if from == 1 { Range::new(result.high.saturating_neg(), result.low.saturating_neg()) } else { *result })
}

/// The lowest bits: all that count if the value is among theirs.
pub fn low_bits(width: u32, a: &Range) -> Range {
    if width == 1 {
        return Range::of_width(1);
    }
    Range::unless_wrapped(i128::from(a.low), i128::from(a.high), width)
}

/// Whether a comparison holds for all values, or for none. Operands of one bit are only compared by `Equal`.
pub fn compare(op: Op, a: &Range, b: &Range) -> Option<bool> {
    match op {
        Op::Equal => match a.meet(b).is_empty() {
            true => Some(false),
            false => (a.low == a.high && a == b).then_some(true),
        },
        Op::SignedLess => ordered(a.high < b.low, b.high <= a.low),
        Op::SignedLessEqual => ordered(a.high <= b.low, b.high < a.low),
        _ => {
            let signed = if op == Op::UnsignedLess { Op::SignedLess } else { Op::SignedLessEqual };
            match (sign(a)?, sign(b)?) {
                (first, second) if first == second => compare(signed, a, b),
                // What has the sign bit is the larger one.
                (_, second) => Some(second),
            }
        }
    }
}

fn ordered(always: bool, never: bool) -> Option<bool> {
    if always { Some(true) } else { never.then_some(false) }
}

/// Whether it is negative, if that is known.
fn sign(a: &Range) -> Option<bool> {
    if a.low >= 0 { Some(false) } else { (a.high < 0).then_some(true) }
}

/// Both operands of a comparison that holds, or does not.
pub fn compare_backward(op: Op, holds: bool, a: &Range, b: &Range) -> (Range, Range) {
    match (op, holds) {
        (Op::Equal, true) => (a.meet(b), a.meet(b)),
        (Op::Equal, false) => (without(a, b), without(b, a)),
        (Op::SignedLess, true) => less(a, b),
        (Op::SignedLessEqual, true) => less_equal(a, b),
        (Op::SignedLess, false) => swapped(less_equal(b, a)),
        (Op::SignedLessEqual, false) => swapped(less(b, a)),
        (Op::UnsignedLess, true) => unsigned(Op::SignedLess, a, b),
        (Op::UnsignedLessEqual, true) => unsigned(Op::SignedLessEqual, a, b),
        (Op::UnsignedLess, false) => swapped(unsigned(Op::SignedLessEqual, b, a)),
        (Op::UnsignedLessEqual, false) => swapped(unsigned(Op::SignedLess, b, a)),
        _ => (*a, *b),
    }
}

fn swapped((first, second): (Range, Range)) -> (Range, Range) {
    (second, first)
}

fn less(a: &Range, b: &Range) -> (Range, Range) {
    if b.high == i64::MIN || a.low == i64::MAX {
        return (Range::new(1, 0), Range::new(1, 0));
    }
    (Range::new(a.low, a.high.min(b.high - 1)), Range::new(b.low.max(a.low + 1), b.high))
}

fn less_equal(a: &Range, b: &Range) -> (Range, Range) {
    (Range::new(a.low, a.high.min(b.high)), Range::new(b.low.max(a.low), b.high))
}

/// The first is less as an unsigned number: below what is not negative, nothing is.
fn unsigned(signed: Op, a: &Range, b: &Range) -> (Range, Range) {
    let (mut first, mut second) = (*a, *b);
    if b.low >= 0 {
        first.low = first.low.max(0);
    }
    if a.high < 0 {
        second.high = second.high.min(-1);
    }
    let same_sign = (first.low >= 0 && second.low >= 0) || (first.high < 0 && second.high < 0);
    if same_sign { compare_backward(signed, true, &first, &second) } else { (first, second) }
}

/// Without the only value of another, if that is a bound.
fn without(a: &Range, other: &Range) -> Range {
    match other.known() {
        Some(value) if a.known() == Some(value) => Range::new(1, 0),
        Some(value) if a.low == value => Range::new(value + 1, a.high),
        Some(value) if a.high == value => Range::new(a.low, value - 1),
        _ => *a,
    }
}
