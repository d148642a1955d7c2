//! Operations on floats, on patterns in the low bits of a `u128`. Rounding to nearest, ties to even, is what `exec` does and goes to
//! the same functions; other directions are in `crate::float::directed`.

use crate::dag::node::{FloatOperation, Rounding};
use crate::float::{self, Relation, convert, directed};
use crate::{Bits, FloatKind};

/// `width` is that of the result, `operand_width` that of the first operand (which matters for integers).
pub fn operation(
    operation: FloatOperation,
    kind: FloatKind,
    rounding: Rounding,
    width: u32,
    operand_width: u32,
    operands: [u128; 3],
) -> u128 {
    use FloatOperation::*;
    let [a, b, c] = operands;
    if rounding != Rounding::NearestEven
        && let Some(arithmetic) = directed_operation(operation)
    {
        return directed::arithmetic(arithmetic, kind, direction(rounding), operands);
    }
    match operation {
        Add => float::add(kind, a, b),
        Sub => float::sub(kind, a, b),
        Mul => float::mul(kind, a, b),
        Div => float::div(kind, a, b),
        Rem => float::rem(kind, a, b),
        SquareRoot => float::sqrt(kind, a),
        MultiplyAdd => float::fma(kind, a, b, c),
        RoundToIntegral => round_to_integral(kind, rounding, a),
        Equal => u128::from(float::relation(kind, a, b) == Relation::Equal),
        Less => u128::from(float::relation(kind, a, b) == Relation::Less),
        LessEqual => u128::from(matches!(float::relation(kind, a, b), Relation::Less | Relation::Equal)),
        ToSigned => convert::to_signed(kind, a, width.min(128)),
        ToUnsigned => convert::to_unsigned(kind, a, width.min(128)),
        FromSigned if rounding != Rounding::NearestEven => {
            directed::from_signed(kind, direction(rounding), a, operand_width.min(128))
        }
        FromUnsigned if rounding != Rounding::NearestEven => directed::from_unsigned(kind, direction(rounding), a),
        FromSigned => convert::from_signed(kind, a, operand_width.min(128)),
        FromUnsigned => convert::from_unsigned(kind, a),
    }
}

/// Of the same arguments as bits.
pub fn operation_on_bits(
    op: FloatOperation,
    kind: FloatKind,
    rounding: Rounding,
    width: u32,
    operands: &[Bits],
) -> Bits {
    let operand = |at: usize| operands.get(at).map_or(0, Bits::low_u128);
    let operand_width = operands.first().map_or(1, Bits::width);
    let result = operation(op, kind, rounding, width, operand_width, [operand(0), operand(1), operand(2)]);
    widened(op, width, result)
}

/// Integers past 128 bits are those of 128 bits, extended.
pub fn widened(operation: FloatOperation, width: u32, result: u128) -> Bits {
    let bits = Bits::from_u128(width.min(128), result);
    match operation {
        FloatOperation::ToSigned => bits.sext(width),
        _ => bits.zext(width),
    }
}

pub fn convert_kind(from: FloatKind, to: FloatKind, rounding: Rounding, a: u128) -> u128 {
    match rounding {
        Rounding::NearestEven => convert::convert(from, to, a),
        _ => directed::convert(from, to, direction(rounding), a),
    }
}

fn round_to_integral(kind: FloatKind, rounding: Rounding, a: u128) -> u128 {
    match rounding {
        Rounding::NearestEven => float::roundeven(kind, a),
        Rounding::NearestAway => float::round(kind, a),
        Rounding::Up => float::ceil(kind, a),
        Rounding::Down => float::floor(kind, a),
        Rounding::Zero => float::trunc(kind, a),
    }
}

/// The operations whose result is rounded in the given direction.
fn directed_operation(operation: FloatOperation) -> Option<directed::Arithmetic> {
    Some(match operation {
        FloatOperation::Add => directed::Arithmetic::Add,
        FloatOperation::Sub => directed::Arithmetic::Sub,
        FloatOperation::Mul => directed::Arithmetic::Mul,
        FloatOperation::Div => directed::Arithmetic::Div,
        FloatOperation::SquareRoot => directed::Arithmetic::SquareRoot,
        FloatOperation::MultiplyAdd => directed::Arithmetic::MultiplyAdd,
        _ => return None,
    })
}

fn direction(rounding: Rounding) -> float::Rounding {
    match rounding {
        Rounding::NearestEven => float::Rounding::NearestEven,
        Rounding::NearestAway => float::Rounding::NearestAway,
        Rounding::Up => float::Rounding::Up,
        Rounding::Down => float::Rounding::Down,
        Rounding::Zero => float::Rounding::TowardZero,
    }
}
