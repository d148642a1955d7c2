//! Quotients and remainders, by constants above all.

use crate::dag::arena::Arena;
use crate::dag::node::{Expr, Op};

/// The place of the only bit of a constant.
fn power_of_two(arena: &Arena, constant: Expr) -> Option<u32> {
    let bits = arena.as_constant(constant)?;
    (bits.count_ones() == 1).then(|| bits.trailing_zeros())
}

/// Both operands in the width of the wider of two zero-extended ones, or of one and a constant that fits there.
fn narrowed(arena: &mut Arena, a: Expr, b: Expr) -> Option<(Expr, Expr)> {
    let width_of = |expr| match arena.inner(Op::ZeroExtend, expr) {
        Some(inner) => Some(arena.width(inner)),
        None => {
            let bits = arena.as_constant(expr)?;
            Some((bits.width() - bits.leading_zeros()).max(1))
        }
    };
    let width = width_of(a)?.max(width_of(b)?);
    (width < arena.width(a)).then(|| (arena.extract(a, 0, width), arena.extract(b, 0, width)))
}

/// Whether the signs of both are known to be positive.
fn are_positive(arena: &Arena, a: Expr, b: Expr) -> bool {
    let is_positive = |expr| match arena.width(expr) {
        ..=64 => arena.facts(expr).signed_min >= 0,
        _ => match arena.as_constant(expr) {
            Some(bits) => !bits.is_negative(),
            None => arena.inner(Op::ZeroExtend, expr).is_some(),
        },
    };
    is_positive(a) && is_positive(b)
}

fn is_never_zero(arena: &Arena, expr: Expr) -> bool {
    match arena.width(expr) {
        ..=64 => arena.facts(expr).min > 0,
        _ => arena.is_constant(expr) && !arena.is_zero(expr),
    }
}

pub fn unsigned_quotient(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    let width = arena.width(a);
    if arena.is_zero(b) {
        return Some(arena.ones(width));
    }
    if let Some(place) = power_of_two(arena, b) {
        let count = arena.small(width, u64::from(place));
        return Some(arena.binary(Op::LShr, a, count));
    }
    if a == b && is_never_zero(arena, b) {
        return Some(arena.small(width, 1));
    }
    // A quotient by zero has ones in all of the width.
    if is_never_zero(arena, b)
        && let Some((a, b)) = narrowed(arena, a, b)
    {
        let quotient = arena.binary(Op::UDiv, a, b);
        return Some(arena.zero_extend(quotient, width));
    }
    None
}

pub fn unsigned_remainder(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    let width = arena.width(a);
    if arena.is_zero(b) {
        return Some(a);
    }
    if a == b || arena.is_zero(a) || arena.is_one(b) {
        return Some(arena.zero(width));
    }
    if let Some(place) = power_of_two(arena, b) {
        let low = arena.extract(a, 0, place);
        return Some(arena.zero_extend(low, width));
    }
    if width <= 64 && arena.facts(a).max < arena.facts(b).min {
        return Some(a);
    }
    let (a, b) = narrowed(arena, a, b)?;
    let remainder = arena.binary(Op::URem, a, b);
    Some(arena.zero_extend(remainder, width))
}

/// The operands of a signed division in fewer bits: a sign-extended dividend and a constant divisor that fits.
fn signed_narrowed(arena: &mut Arena, a: Expr, b: Expr) -> Option<(Expr, Expr)> {
    let inner = arena.inner(Op::SignExtend, a)?;
    let width = arena.width(inner);
    (arena.is_sign_extension(b, width)).then(|| (inner, arena.extract(b, 0, width)))
}

pub fn signed_quotient(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    let width = arena.width(a);
    let zero = arena.zero(width);
    if arena.is_zero(b) {
        let negative = arena.compare(Op::SignedLess, a, zero);
        let (one, minus_one) = (arena.small(width, 1), arena.ones(width));
        return Some(arena.ite(negative, one, minus_one));
    }
    // In this order: of one bit, all ones is -1.
    if arena.is_ones(b) {
        return Some(arena.binary(Op::Sub, zero, a));
    }
    if arena.is_one(b) {
        return Some(a);
    }
    if are_positive(arena, a, b) {
        return Some(arena.binary(Op::UDiv, a, b));
    }
    let (a, b) = signed_narrowed(arena, a, b)?;
    let quotient = arena.binary(Op::SDiv, a, b);
    Some(arena.sign_extend(quotient, width))
}

pub fn signed_remainder(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    let width = arena.width(a);
    let zero = arena.zero(width);
    if arena.is_zero(b) {
        return Some(a);
    }
    if a == b || arena.is_zero(a) || arena.is_one(b) || arena.is_ones(b) {
        return Some(zero);
    }
    if are_positive(arena, a, b) {
        return Some(arena.binary(Op::URem, a, b));
    }
    // The sign of the divisor does not matter.
    if arena.as_constant(b).is_some_and(|bits| bits.is_negative() && bits.count_ones() > 1) {
        let positive = arena.binary(Op::Sub, zero, b);
        return Some(arena.binary(Op::SRem, a, positive));
    }
    let (a, b) = signed_narrowed(arena, a, b)?;
    let remainder = arena.binary(Op::SRem, a, b);
    Some(arena.sign_extend(remainder, width))
}
