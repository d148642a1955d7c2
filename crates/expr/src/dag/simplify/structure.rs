//! Cutting, joining and extending.

use super::lift_choice;
use crate::Bits;
use crate::dag::arena::Arena;
use crate::dag::node::{Expr, Op};

/// How deep an expression is looked into to see whether it can be computed in fewer bits.
const NARROWING_DEPTH: u32 = 4;

pub fn extract(arena: &mut Arena, a: Expr, low: u32, width: u32) -> Option<Expr> {
    let node = arena.node(a);
    if width == node.width {
        return Some(a);
    }
    let (x, y) = (node.first(), node.second());
    match node.op {
        Op::Constant => {
            let bits = match arena.as_word(a) {
                Some(bits) => Bits::from_u64(width, bits >> low),
                None => arena.as_constant(a)?.extract(low, width),
            };
            Some(arena.constant(&bits))
        }
        Op::Extract => Some(arena.extract(x, node.b + low, width)),
        Op::Concat => Some(extract_joined(arena, x, y, low, width)),
        Op::ZeroExtend => Some(extract_zero_extended(arena, x, low, width)),
        Op::SignExtend => extract_sign_extended(arena, x, low, width),
        Op::Not if width == 1 || narrows(arena, x, NARROWING_DEPTH) => {
            let part = arena.extract(x, low, width);
            Some(arena.not(part))
        }
        Op::And | Op::Or | Op::Xor => extract_bitwise(arena, a, low, width),
        // The low bits of these depend on low bits only. Where most bits are kept (as by a shift to the left), the whole is likely
        // to be wanted too, and a second sum would be more work, not less.
        Op::Add | Op::Sub | Op::Mul if low == 0 && 2 * width <= node.width && narrows(arena, a, NARROWING_DEPTH) => {
            let (x, y) = (arena.extract(x, 0, width), arena.extract(y, 0, width));
            Some(arena.binary(node.op, x, y))
        }
        Op::Ite => lift_choice(arena, a, |arena, a| arena.extract(a, low, width)),
        _ => None,
    }
}

fn extract_joined(arena: &mut Arena, high: Expr, low_part: Expr, low: u32, width: u32) -> Expr {
    let split = arena.width(low_part);
    if low >= split {
        return arena.extract(high, low - split, width);
    }
    if low + width <= split {
        return arena.extract(low_part, low, width);
    }
    let below = arena.extract(low_part, low, split - low);
    let above = arena.extract(high, 0, low + width - split);
    arena.concat(above, below)
}

fn extract_zero_extended(arena: &mut Arena, inner: Expr, low: u32, width: u32) -> Expr {
    let end = arena.width(inner);
    if low >= end {
        return arena.zero(width);
    }
    if low + width <= end {
        return arena.extract(inner, low, width);
    }
    let part = arena.extract(inner, low, end - low);
    arena.zero_extend(part, width)
}

/// Copies of the sign alone stay as they are cut, except single ones: so they can be joined again to what they were.
fn extract_sign_extended(arena: &mut Arena, inner: Expr, low: u32, width: u32) -> Option<Expr> {
    let end = arena.width(inner);
    if low + width <= end {
        return Some(arena.extract(inner, low, width));
    }
    if low < end - 1 || low == 0 {
        let part = arena.extract(inner, low, end - low);
        return Some(arena.sign_extend(part, width));
    }
    (width == 1).then(|| arena.extract(inner, end - 1, 1))
}

fn extract_bitwise(arena: &mut Arena, a: Expr, low: u32, width: u32) -> Option<Expr> {
    let node = arena.node(a);
    let (x, y) = (node.first(), node.second());
    let decided = arena.is_constant(y) && {
        let part = arena.extract(y, low, width);
        arena.is_zero(part) || arena.is_ones(part)
    };
    if !decided && !narrows(arena, a, NARROWING_DEPTH) {
        return None;
    }
    let (x, y) = (arena.extract(x, low, width), arena.extract(y, low, width));
    Some(arena.binary(node.op, x, y))
}

/// Whether the low bits are computed with no more operations than the whole: all that is computed comes from extended, joined, cut or
/// constant operands.
fn narrows(arena: &Arena, expr: Expr, depth: u32) -> bool {
    let node = arena.node(expr);
    match node.op {
        Op::Constant | Op::Extract | Op::ZeroExtend | Op::SignExtend | Op::Concat => true,
        Op::Not => depth > 0 && narrows(arena, node.first(), depth - 1),
        Op::And | Op::Or | Op::Xor | Op::Add | Op::Sub | Op::Mul => {
            depth > 0 && narrows(arena, node.first(), depth - 1) && narrows(arena, node.second(), depth - 1)
        }
        _ => false,
    }
}

pub fn concat(arena: &mut Arena, high: Expr, low: Expr) -> Option<Expr> {
    let width = arena.width(high) + arena.width(low);
    if let Some(merged) = merge(arena, high, low) {
        return Some(merged);
    }
    if arena.is_zero(high) {
        return Some(arena.zero_extend(low, width));
    }
    let (upper, lower) = (arena.node(high), arena.node(low));
    match upper.op {
        Op::Concat => {
            let rest = arena.concat(upper.second(), low);
            return Some(arena.concat(upper.first(), rest));
        }
        Op::ZeroExtend => {
            let joined = arena.concat(upper.first(), low);
            return Some(arena.zero_extend(joined, width));
        }
        Op::SignExtend => {
            let joined = arena.concat(upper.first(), low);
            return Some(arena.sign_extend(joined, width));
        }
        _ => {}
    }
    if lower.op == Op::Concat
        && let Some(merged) = merge(arena, high, lower.first())
    {
        return Some(arena.concat(merged, lower.second()));
    }
    None
}

/// Two neighbours that are one thing.
fn merge(arena: &mut Arena, high: Expr, low: Expr) -> Option<Expr> {
    let (upper, lower) = (arena.node(high), arena.node(low));
    if upper.op == Op::Constant && lower.op == Op::Constant {
        let bits = arena.as_constant(high)?.concat(&arena.as_constant(low)?);
        return Some(arena.constant(&bits));
    }
    let (high_width, low_width) = (upper.width, lower.width);
    let whole = high_width + low_width;
    if upper.op == Op::Extract && lower.op == Op::Extract && upper.a == lower.a {
        return (upper.b == lower.b + low_width).then(|| arena.extract(lower.first(), lower.b, whole));
    }
    // One more copy of the sign.
    if upper.op == Op::Extract && high_width == 1 && upper.b + 1 == arena.width(upper.first()) {
        let source = upper.first();
        if low == source || arena.inner(Op::SignExtend, low) == Some(source) {
            return Some(arena.sign_extend(source, whole));
        }
    }
    // What was cut may have been simplified since: cut the neighbour again and see.
    if upper.op == Op::Extract && upper.b >= low_width && is_computed(arena, upper.first()) {
        let (source, from) = (upper.first(), upper.b - low_width);
        if arena.extract(source, from, low_width) == low {
            return Some(arena.extract(source, from, whole));
        }
    }
    if lower.op == Op::Extract && is_computed(arena, lower.first()) {
        let (source, end) = (lower.first(), lower.b + low_width);
        if end + high_width <= arena.width(source) && arena.extract(source, end, high_width) == high {
            return Some(arena.extract(source, lower.b, whole));
        }
    }
    merge_choices(arena, high, low)
}

/// Whether cutting may give something other than an `Extract` of this expression.
fn is_computed(arena: &Arena, expr: Expr) -> bool {
    let op = arena.node(expr).op;
    matches!(
        op,
        Op::Not | Op::And | Op::Or | Op::Xor | Op::Add | Op::Sub | Op::Mul | Op::ZeroExtend | Op::SignExtend | Op::Ite
    )
}

/// Choices between constants on one condition, or one beside a constant.
fn merge_choices(arena: &mut Arena, high: Expr, low: Expr) -> Option<Expr> {
    let (upper, lower) = (arena.node(high), arena.node(low));
    if arena.is_constant(high) && !arena.is_zero(high) {
        return lift_choice(arena, low, |arena, low| arena.concat(high, low));
    }
    if arena.is_constant(low) {
        return lift_choice(arena, high, |arena, high| arena.concat(high, low));
    }
    if upper.op != Op::Ite || lower.op != Op::Ite || upper.a != lower.a {
        return None;
    }
    let branches = [upper.second(), upper.third(), lower.second(), lower.third()];
    if !branches.into_iter().all(|branch| arena.is_constant(branch)) {
        return None;
    }
    let (a, b) = (arena.concat(branches[0], branches[2]), arena.concat(branches[1], branches[3]));
    Some(arena.ite(upper.first(), a, b))
}

pub fn zero_extend(arena: &mut Arena, a: Expr, width: u32) -> Option<Expr> {
    let node = arena.node(a);
    if node.width == width {
        return Some(a);
    }
    match node.op {
        Op::Constant => {
            let bits = arena.as_constant(a)?.zext(width);
            Some(arena.constant(&bits))
        }
        Op::ZeroExtend => Some(arena.zero_extend(node.first(), width)),
        // What was cut off was zero.
        Op::Extract if node.b == 0 && arena.is_zero_above(node.first(), node.width) => {
            let source = node.first();
            Some(match arena.width(source) {
                whole if whole > width => arena.extract(source, 0, width),
                _ => arena.zero_extend(source, width),
            })
        }
        _ => lift_choice(arena, a, |arena, a| arena.zero_extend(a, width)),
    }
}

pub fn sign_extend(arena: &mut Arena, a: Expr, width: u32) -> Option<Expr> {
    let node = arena.node(a);
    if node.width == width {
        return Some(a);
    }
    match node.op {
        Op::Constant => {
            let bits = arena.as_constant(a)?.sext(width);
            return Some(arena.constant(&bits));
        }
        Op::SignExtend => return Some(arena.sign_extend(node.first(), width)),
        Op::ZeroExtend => return Some(arena.zero_extend(node.first(), width)),
        _ => {}
    }
    if node.width <= 64 && arena.facts(a).signed_min >= 0 {
        return Some(arena.zero_extend(a, width));
    }
    if node.op == Op::Extract && node.b == 0 && arena.width(node.first()) <= 64 {
        // What was cut off were copies of the sign.
        let (source, facts) = (node.first(), arena.facts(node.first()));
        let largest = (crate::word::mask(node.width) >> 1) as i64;
        if facts.signed_min >= !largest && facts.signed_max <= largest {
            return Some(match arena.width(source) {
                whole if whole > width => arena.extract(source, 0, width),
                _ => arena.sign_extend(source, width),
            });
        }
    }
    lift_choice(arena, a, |arena, a| arena.sign_extend(a, width))
}
