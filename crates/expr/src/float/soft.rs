//! Arithmetic of x87 extended and quad precision, by `rustc_apfloat` where two numbers meet. NaNs are settled here,
//! before it sees them: x87 and the compiler's library for quads have rules of their own.

use rustc_apfloat::ieee::{Quad, X87DoubleExtended};
use rustc_apfloat::{Float, StatusAnd};

use super::Relation;
use super::format::{Class, FloatKind};
use super::unpacked::{self, Number, Rounding, unpack};

/// The operations whose choice between two NaNs may differ.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Operation {
    /// Sum or product.
    Commutative,
    /// Difference, quotient or remainder.
    Directed,
}

/// The result where an operand is a NaN; `None` where none is.
fn propagate_nan(kind: FloatKind, operation: Operation, a: u128, b: u128) -> Option<u128> {
    let (class_a, class_b) = (kind.class(a), kind.class(b));
    if class_a == Class::Unsupported || class_b == Class::Unsupported {
        return Some(kind.default_nan());
    }
    let chosen = match (kind.is_nan(a), kind.is_nan(b)) {
        (false, false) => return None,
        (true, false) => a,
        (false, true) => b,
        (true, true) => {
            let (fraction_a, fraction_b) = (a & kind.fraction_mask(), b & kind.fraction_mask());
            let first = match kind {
                // A quiet NaN goes before a signalling one; equal ones differ in sign only, and the positive goes first.
                FloatKind::X87 if class_a != class_b => class_a == Class::QuietNan,
                FloatKind::X87 if fraction_a == fraction_b => !kind.is_negative(a),
                _ if fraction_a == fraction_b => operation == Operation::Commutative,
                _ => fraction_a > fraction_b,
            };
            if first { a } else { b }
        }
    };
    Some(kind.quieted(chosen))
}

/// x87's denormals with a leading bit become the normal numbers that they equal.
pub(super) fn canonical(kind: FloatKind, pattern: u128) -> u128 {
    match unpack(kind, pattern) {
        Number::Finite(number) => number.pack(kind, false),
        _ => pattern,
    }
}

/// Computes by `rustc_apfloat` with the type that the kind stands for. A NaN that comes out was not there before.
macro_rules! compute {
    ($kind:expr, $operation:expr, $($operand:expr),+) => {
        match $kind {
            FloatKind::X87 => settle($kind, $operation($(X87DoubleExtended::from_bits(canonical($kind, $operand))),+)),
            _ => settle($kind, $operation($(Quad::from_bits($operand)),+)),
        }
    };
}

fn settle<F: Float>(kind: FloatKind, result: StatusAnd<F>) -> u128 {
    if result.value.is_nan() { kind.default_nan() } else { result.value.to_bits() }
}

pub(super) fn add(kind: FloatKind, a: u128, b: u128) -> u128 {
    propagate_nan(kind, Operation::Commutative, a, b).unwrap_or_else(|| compute!(kind, |x, y| x + y, a, b))
}

pub(super) fn sub(kind: FloatKind, a: u128, b: u128) -> u128 {
    propagate_nan(kind, Operation::Directed, a, b).unwrap_or_else(|| compute!(kind, |x, y| x - y, a, b))
}

pub(super) fn mul(kind: FloatKind, a: u128, b: u128) -> u128 {
    propagate_nan(kind, Operation::Commutative, a, b).unwrap_or_else(|| compute!(kind, |x, y| x * y, a, b))
}

pub(super) fn div(kind: FloatKind, a: u128, b: u128) -> u128 {
    propagate_nan(kind, Operation::Directed, a, b).unwrap_or_else(|| compute!(kind, |x, y| x / y, a, b))
}

/// Not by `rustc_apfloat`, which takes one step for each binary place between the operands.
pub(super) fn rem(kind: FloatKind, a: u128, b: u128) -> u128 {
    if let Some(nan) = propagate_nan(kind, Operation::Directed, a, b) {
        return nan;
    }
    match (unpack(kind, a), unpack(kind, b)) {
        (Number::Infinite { .. }, _) | (_, Number::Zero { .. }) => kind.default_nan(),
        (Number::Finite(dividend), Number::Finite(divisor)) => unpacked::remainder(kind, dividend, divisor),
        _ => canonical(kind, a),
    }
}

pub(super) fn fma(kind: FloatKind, a: u128, b: u128, c: u128) -> u128 {
    let is_special = |operand| kind.is_nan(operand) || kind.class(operand) == Class::Infinite;
    if kind.class(c) == Class::Infinite && !is_special(a) && !is_special(b) {
        // Even where the product alone would overflow to the other infinity.
        return c;
    }
    if is_special(a) || is_special(b) || is_special(c) {
        // As the library does it: nothing is rounded here, and the NaN is chosen in two steps.
        return add(kind, mul(kind, a, b), c);
    }
    compute!(kind, Float::mul_add, a, b, c)
}

pub(super) fn sqrt(kind: FloatKind, a: u128) -> u128 {
    unpacked::square_root(kind, a, Rounding::NearestEven)
}

pub(super) fn floor(kind: FloatKind, a: u128) -> u128 {
    unpacked::round_to_integral(kind, a, Rounding::Down)
}

pub(super) fn ceil(kind: FloatKind, a: u128) -> u128 {
    unpacked::round_to_integral(kind, a, Rounding::Up)
}

pub(super) fn trunc(kind: FloatKind, a: u128) -> u128 {
    unpacked::round_to_integral(kind, a, Rounding::TowardZero)
}

pub(super) fn round(kind: FloatKind, a: u128) -> u128 {
    unpacked::round_to_integral(kind, a, Rounding::NearestAway)
}

pub(super) fn roundeven(kind: FloatKind, a: u128) -> u128 {
    unpacked::round_to_integral(kind, a, Rounding::NearestEven)
}

pub(super) fn relation(kind: FloatKind, a: u128, b: u128) -> Relation {
    if kind.is_nan(a) || kind.is_nan(b) {
        return Relation::Unordered;
    }
    // Sign and magnitude order as integers do; both zeros are zero.
    let ordered = |pattern: u128| {
        let magnitude = (canonical(kind, pattern) & !kind.sign_mask()) as i128;
        if kind.is_negative(pattern) { -magnitude } else { magnitude }
    };
    match ordered(a).cmp(&ordered(b)) {
        std::cmp::Ordering::Less => Relation::Less,
        std::cmp::Ordering::Equal => Relation::Equal,
        std::cmp::Ordering::Greater => Relation::Greater,
    }
}

/// The library's `fminl`: of two zeros the second for x87, the first for quads.
pub(super) fn minnum(kind: FloatKind, a: u128, b: u128) -> u128 {
    library_choice(kind, a, b, Relation::Less)
}

/// The library's `fmaxl`: of two zeros the first.
pub(super) fn maxnum(kind: FloatKind, a: u128, b: u128) -> u128 {
    library_choice(kind, a, b, Relation::Greater)
}

fn library_choice(kind: FloatKind, a: u128, b: u128, wanted: Relation) -> u128 {
    let relation = relation(kind, a, b);
    match relation {
        Relation::Equal if kind == FloatKind::X87 && wanted == Relation::Less => b,
        Relation::Equal => a,
        Relation::Less | Relation::Greater if relation == wanted => a,
        Relation::Less | Relation::Greater => b,
        Relation::Unordered => match (kind.class(a), kind.class(b)) {
            (Class::QuietNan, Class::QuietNan) if kind == FloatKind::Quad => a,
            (Class::QuietNan, _) if !kind.is_nan(b) => b,
            (_, Class::QuietNan) if !kind.is_nan(a) => a,
            _ => add(kind, a, b),
        },
    }
}

pub(super) fn minimum(kind: FloatKind, a: u128, b: u128) -> u128 {
    choose_strictly(kind, a, b, Relation::Less)
}

pub(super) fn maximum(kind: FloatKind, a: u128, b: u128) -> u128 {
    choose_strictly(kind, a, b, Relation::Greater)
}

fn choose_strictly(kind: FloatKind, a: u128, b: u128, wanted: Relation) -> u128 {
    match relation(kind, a, b) {
        Relation::Unordered => add(kind, a, b),
        // Equal numbers differ in sign only if they are zeros: -0 is the lesser.
        Relation::Equal => {
            let first = kind.is_negative(a) == (wanted == Relation::Less);
            if first { a } else { b }
        }
        relation => {
            if relation == wanted {
                a
            } else {
                b
            }
        }
    }
}
