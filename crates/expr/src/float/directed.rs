//! Operations under a rounding mode other than to nearest, ties to even. No compiled program that leaves the mode alone comes here.
//!
//! NaNs are those of the usual mode, since what is invalid does not depend on it. Half and bfloat are rounded once, in their own
//! format: there is no machine code to follow.

#[cfg(test)]
mod tests;

use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, Round};

use super::format::FloatKind;
use super::unpacked::{self, Number, Rounding, Unpacked, unpack};

/// The operations whose results are rounded.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
    SquareRoot,
    MultiplyAdd,
}

pub fn arithmetic(operation: Arithmetic, kind: FloatKind, rounding: Rounding, operands: [u128; 3]) -> u128 {
    let [a, b, c] = operands;
    let nearest = match operation {
        Arithmetic::Add => super::add(kind, a, b),
        Arithmetic::Sub => super::sub(kind, a, b),
        Arithmetic::Mul => super::mul(kind, a, b),
        Arithmetic::Div => super::div(kind, a, b),
        Arithmetic::SquareRoot => return unpacked::square_root(kind, a, rounding),
        Arithmetic::MultiplyAdd => super::fma(kind, a, b, c),
    };
    if kind.is_nan(nearest) {
        return nearest;
    }
    match kind {
        FloatKind::Half => compute::<Half>(operation, kind, rounding, operands),
        FloatKind::BFloat => compute::<BFloat>(operation, kind, rounding, operands),
        FloatKind::Single => compute::<Single>(operation, kind, rounding, operands),
        FloatKind::Double => compute::<Double>(operation, kind, rounding, operands),
        FloatKind::X87 => compute::<X87DoubleExtended>(operation, kind, rounding, operands),
        FloatKind::Quad => compute::<Quad>(operation, kind, rounding, operands),
    }
}

fn compute<F: Float>(operation: Arithmetic, kind: FloatKind, rounding: Rounding, operands: [u128; 3]) -> u128 {
    let [a, b, c] = operands.map(|operand| F::from_bits(super::soft::canonical(kind, operand)));
    let round = match rounding {
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::NearestAway => Round::NearestTiesToAway,
        Rounding::Up => Round::TowardPositive,
        Rounding::Down => Round::TowardNegative,
        Rounding::TowardZero => Round::TowardZero,
    };
    let result = match operation {
        Arithmetic::Add => a.add_r(b, round),
        Arithmetic::Sub => a.sub_r(b, round),
        Arithmetic::Mul => a.mul_r(b, round),
        Arithmetic::Div => a.div_r(b, round),
        Arithmetic::MultiplyAdd => a.mul_add_r(b, c, round),
        Arithmetic::SquareRoot => unreachable!("roots are not taken here"),
    };
    result.value.to_bits()
}

/// Between kinds; see `convert::convert`.
pub fn convert(from: FloatKind, to: FloatKind, rounding: Rounding, pattern: u128) -> u128 {
    match unpack(from, pattern) {
        Number::Finite(number) if from != to => number.pack_rounded(to, false, rounding),
        _ => super::convert::convert(from, to, pattern),
    }
}

/// From a two's complement integer of 1 to 128 bits.
pub fn from_signed(kind: FloatKind, rounding: Rounding, value: u128, width: u32) -> u128 {
    let unused = 128 - width;
    let value = ((value << unused) as i128) >> unused;
    from_magnitude(kind, rounding, value < 0, value.unsigned_abs())
}

pub fn from_unsigned(kind: FloatKind, rounding: Rounding, value: u128) -> u128 {
    from_magnitude(kind, rounding, false, value)
}

fn from_magnitude(kind: FloatKind, rounding: Rounding, negative: bool, magnitude: u128) -> u128 {
    match magnitude {
        0 => 0,
        _ => Unpacked::from_integer(negative, magnitude).pack_rounded(kind, false, rounding),
    }
}
