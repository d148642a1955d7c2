//! Floats and calls: constants are folded by what the evaluator computes. Beyond that only what holds for every bit of every NaN.

use smallvec::SmallVec;

use crate::dag::arena::{Arena, FunctionId};
use crate::dag::node::{Expr, FloatOperation, Op, Rounding};
use crate::dag::semantics;
use crate::{Bits, FloatKind};

fn constants(arena: &Arena, operands: &[Expr]) -> Option<SmallVec<[Bits; 3]>> {
    operands.iter().map(|operand| arena.as_constant(*operand)).collect()
}

pub fn float(
    arena: &mut Arena,
    operation: FloatOperation,
    kind: FloatKind,
    rounding: Rounding,
    width: u32,
    operands: &[Expr],
) -> Option<Expr> {
    if let Some(constants) = constants(arena, operands) {
        let bits = semantics::float::operation_on_bits(operation, kind, rounding, width, &constants);
        return Some(arena.constant(&bits));
    }
    match (operation, operands) {
        // No number is less than itself, and no NaN.
        (FloatOperation::Less, [a, b]) if a == b => Some(arena.boolean(false)),
        (FloatOperation::LessEqual, [a, b]) if a == b => {
            Some(arena.float(FloatOperation::Equal, kind, rounding, width, operands))
        }
        (FloatOperation::Equal, [a, b]) if b < a => Some(arena.float(operation, kind, rounding, width, &[*b, *a])),
        // What counts is the number, not in how many bits it is given. (Past 128 bits only those are looked at.)
        (FloatOperation::FromSigned | FloatOperation::FromUnsigned, [a]) if arena.width(*a) <= 128 => {
            let node = arena.node(*a);
            let operation = match (node.op, operation) {
                (Op::ZeroExtend, _) => FloatOperation::FromUnsigned,
                (Op::SignExtend, FloatOperation::FromSigned) => FloatOperation::FromSigned,
                _ => return None,
            };
            Some(arena.float(operation, kind, rounding, width, &[node.first()]))
        }
        _ => None,
    }
}

pub fn float_convert(arena: &mut Arena, from: FloatKind, to: FloatKind, rounding: Rounding, a: Expr) -> Option<Expr> {
    // Nothing is done to the bits then, not even to a signalling NaN.
    if from == to {
        return Some(a);
    }
    let pattern = arena.as_constant(a)?.low_u128();
    let converted = semantics::float::convert_kind(from, to, rounding, pattern);
    Some(arena.constant(&Bits::from_u128(to.bits(), converted)))
}

/// A function of constants is a constant.
pub fn call(arena: &mut Arena, function: FunctionId, width: u32, arguments: &[Expr]) -> Option<Expr> {
    let constants = constants(arena, arguments)?;
    let bits = (arena.function(function).evaluate)(&constants, width);
    Some(arena.constant(&bits))
}
