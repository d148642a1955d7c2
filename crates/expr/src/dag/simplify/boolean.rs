//! Complements, choices, and the logic of single bits. Logic of wider vectors is in `bitwise`.

use super::{interval, lift_choice};
use crate::dag::arena::Arena;
use crate::dag::node::{Expr, Op};

pub fn not(arena: &mut Arena, a: Expr) -> Option<Expr> {
    let node = arena.node(a);
    let (x, y) = (node.first(), node.second());
    match node.op {
        Op::Constant => {
            let bits = arena.as_constant(a)?.not();
            Some(arena.constant(&bits))
        }
        Op::Not => Some(x),
        Op::UnsignedLess => Some(arena.compare(Op::UnsignedLessEqual, y, x)),
        Op::UnsignedLessEqual => Some(arena.compare(Op::UnsignedLess, y, x)),
        Op::SignedLess => Some(arena.compare(Op::SignedLessEqual, y, x)),
        Op::SignedLessEqual => Some(arena.compare(Op::SignedLess, y, x)),
        // !(x + c) is !c - x, since !y is -1 - y.
        Op::Add if arena.is_constant(y) => {
            let constant = arena.not(y);
            Some(arena.binary(Op::Sub, constant, x))
        }
        Op::Sub if arena.is_constant(x) => {
            let constant = arena.not(x);
            Some(arena.binary(Op::Add, y, constant))
        }
        Op::Xor if arena.is_constant(y) => {
            let constant = arena.not(y);
            Some(arena.binary(Op::Xor, x, constant))
        }
        Op::And | Op::Or if negates_well(arena, x, y) => {
            let (x, y) = (arena.not(x), arena.not(y));
            Some(arena.binary(if node.op == Op::And { Op::Or } else { Op::And }, x, y))
        }
        Op::SignExtend => {
            let inner = arena.not(x);
            Some(arena.sign_extend(inner, node.width))
        }
        _ => lift_choice(arena, a, |arena, a| arena.not(a)),
    }
}

/// Whether the complements of both, together, are smaller than a complement of the whole.
fn negates_well(arena: &Arena, a: Expr, b: Expr) -> bool {
    let saved = |expr| match arena.node(expr).op {
        Op::Constant => 0,
        Op::Not => 1,
        op if op.is_comparison() && op != Op::Equal => 0,
        _ => -1,
    };
    saved(a) + saved(b) >= 0
}

pub fn ite(arena: &mut Arena, condition: Expr, a: Expr, b: Expr) -> Option<Expr> {
    match arena.as_word(condition) {
        Some(0) => return Some(b),
        Some(_) => return Some(a),
        None if a == b => return Some(a),
        None => {}
    }
    if let Some(inner) = arena.inner(Op::Not, condition) {
        return Some(arena.ite(inner, b, a));
    }
    // What an inner choice on the same condition comes to.
    let is_choice = |arena: &Arena, expr: Expr| matches!(arena.node(expr).op, Op::Ite | Op::ArrayIte);
    let (first, second) = (arena.node(a), arena.node(b));
    if is_choice(arena, a) && first.first() == condition {
        return Some(arena.ite(condition, first.second(), b));
    }
    if is_choice(arena, b) && second.first() == condition {
        return Some(arena.ite(condition, a, second.third()));
    }
    // Two conditions for one outcome.
    if is_choice(arena, b) && second.second() == a {
        let either = arena.binary(Op::Or, condition, second.first());
        return Some(arena.ite(either, a, second.third()));
    }
    if is_choice(arena, a) && first.third() == b {
        let both = arena.binary(Op::And, condition, first.first());
        return Some(arena.ite(both, first.second(), b));
    }
    if arena.is_array(a) {
        return None;
    }
    // Where a and b are equal, either will do.
    if let Some((x, y)) = arena.operands_of(Op::Equal, condition)
        && ((x, y) == (a, b) || (x, y) == (b, a))
    {
        return Some(b);
    }
    // Bits that differ are told by `Xor`.
    if let Some((x, y)) = arena.operands_of(Op::Xor, condition)
        && ((x, y) == (a, b) || (x, y) == (b, a))
    {
        return Some(a);
    }
    if arena.width(a) == 1 { bit_choice(arena, condition, a, b) } else { wide_choice(arena, condition, a, b) }
}

/// A choice between bits with a constant, or the condition itself, among them is one `And` or `Or`.
fn bit_choice(arena: &mut Arena, condition: Expr, a: Expr, b: Expr) -> Option<Expr> {
    if arena.is_ones(a) || a == condition {
        return Some(arena.binary(Op::Or, condition, b));
    }
    if arena.is_zero(b) || b == condition {
        return Some(arena.binary(Op::And, condition, a));
    }
    if arena.are_complements(a, b) {
        // The condition, or its complement, is what b is flipped by.
        return Some(arena.binary(Op::Xor, condition, b));
    }
    let reversed = arena.is_zero(a) || arena.is_ones(b);
    if !reversed && !arena.are_complements(condition, a) && !arena.are_complements(condition, b) {
        return None;
    }
    let unless = arena.not(condition);
    if arena.is_zero(a) || a == unless {
        return Some(arena.binary(Op::And, unless, b));
    }
    Some(arena.binary(Op::Or, unless, a))
}

fn wide_choice(arena: &mut Arena, condition: Expr, a: Expr, b: Expr) -> Option<Expr> {
    let width = arena.width(a);
    if arena.is_zero(b) && arena.is_one(a) {
        return Some(arena.zero_extend(condition, width));
    }
    if arena.is_zero(b) && arena.is_ones(a) {
        return Some(arena.sign_extend(condition, width));
    }
    if arena.is_zero(a) && (arena.is_one(b) || arena.is_ones(b)) {
        let unless = arena.not(condition);
        return Some(if arena.is_one(b) { arena.zero_extend(unless, width) } else { arena.sign_extend(unless, width) });
    }
    pull_extension(arena, Op::ZeroExtend, condition, a, b)
        .or_else(|| pull_extension(arena, Op::SignExtend, condition, a, b))
}

/// A choice between two extensions of one width, or one and a constant that fits, is the extension of a choice.
fn pull_extension(arena: &mut Arena, op: Op, condition: Expr, a: Expr, b: Expr) -> Option<Expr> {
    let inner = arena.inner(op, a).or_else(|| arena.inner(op, b))?;
    let (width, whole) = (arena.width(inner), arena.width(a));
    let a = narrowed(arena, op, a, width)?;
    let b = narrowed(arena, op, b, width)?;
    let choice = arena.ite(condition, a, b);
    Some(if op == Op::ZeroExtend { arena.zero_extend(choice, whole) } else { arena.sign_extend(choice, whole) })
}

/// What extended to its width is the expression, if that is of the given width.
fn narrowed(arena: &mut Arena, op: Op, expr: Expr, width: u32) -> Option<Expr> {
    if let Some(inner) = arena.inner(op, expr) {
        return (arena.width(inner) == width).then_some(inner);
    }
    let fits = match op {
        Op::ZeroExtend => arena.is_constant(expr) && arena.is_zero_above(expr, width),
        _ => arena.is_sign_extension(expr, width),
    };
    fits.then(|| arena.extract(expr, 0, width))
}

/// `And` and `Or` of single bits, after what holds for every width.
pub fn bits(arena: &mut Arena, op: Op, a: Expr, b: Expr) -> Option<Expr> {
    interval::combine(arena, op, a, b)
}
