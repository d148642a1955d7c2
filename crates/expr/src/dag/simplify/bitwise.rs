//! `And`, `Or` and `Xor`. What holds for single bits only is in `boolean`.

use super::boolean;
use crate::dag::arena::Arena;
use crate::dag::node::{Expr, Op};
use crate::word::mask;

pub fn simplify(arena: &mut Arena, op: Op, a: Expr, b: Expr) -> Option<Expr> {
    let width = arena.width(a);
    if a == b {
        return Some(if op == Op::Xor { arena.zero(width) } else { a });
    }
    if arena.are_complements(a, b) {
        return Some(if op == Op::And { arena.zero(width) } else { arena.ones(width) });
    }
    if arena.is_constant(b) {
        return neutral(arena, op, a, b)
            .or_else(|| constants(arena, op, a, b))
            .or_else(|| extended(arena, op, a, b))
            .or_else(|| split_constant(arena, op, a, b))
            .or_else(|| if op == Op::And { masked(arena, a, b) } else { None });
    }
    if let Some(simpler) = absorbed(arena, op, a, b).or_else(|| absorbed(arena, op, b, a)) {
        return Some(simpler);
    }
    if op == Op::Xor
        && let Some(simpler) = flipped(arena, a, b)
    {
        return Some(simpler);
    }
    if width == 1 && op != Op::Xor {
        return boolean::bits(arena, op, a, b);
    }
    extended(arena, op, a, b)
        .or_else(|| extended(arena, op, b, a))
        .or_else(|| joined(arena, op, a, b))
        .or_else(|| joined(arena, op, b, a))
}

/// Constants that change nothing or decide everything, for all bits or for those that are not known anyway.
fn neutral(arena: &mut Arena, op: Op, a: Expr, constant: Expr) -> Option<Expr> {
    let (zero, ones) = (arena.is_zero(constant), arena.is_ones(constant));
    match op {
        Op::And if zero => return Some(constant),
        Op::And if ones => return Some(a),
        Op::Or if zero => return Some(a),
        Op::Or if ones => return Some(constant),
        Op::Xor if zero => return Some(a),
        Op::Xor if ones => return Some(arena.not(a)),
        _ => {}
    }
    let bits = arena.as_word(constant)?;
    let facts = arena.facts(a);
    match op {
        // Every bit that is masked out is zero already.
        Op::And if !bits & !facts.zeros & mask(arena.width(a)) == 0 => Some(a),
        Op::Or if bits & !facts.ones == 0 => Some(a),
        _ => None,
    }
}

/// Two constants are one.
fn constants(arena: &mut Arena, op: Op, a: Expr, constant: Expr) -> Option<Expr> {
    if let Some((x, inner)) = arena.operands_of(op, a)
        && arena.is_constant(inner)
    {
        let both = arena.binary(op, inner, constant);
        return Some(arena.binary(op, x, both));
    }
    if op == Op::Xor
        && let Some(x) = arena.inner(Op::Not, a)
    {
        let complement = arena.not(constant);
        return Some(arena.binary(op, x, complement));
    }
    None
}

/// Constants with a part that decides or does nothing, on something that was joined: part by part.
fn split_constant(arena: &mut Arena, op: Op, a: Expr, constant: Expr) -> Option<Expr> {
    let (high, low) = arena.operands_of(Op::Concat, a)?;
    let low_width = arena.width(low);
    let constant_high = arena.extract(constant, low_width, arena.width(high));
    let constant_low = arena.extract(constant, 0, low_width);
    let trivial = |constant| arena.is_zero(constant) || arena.is_ones(constant);
    if !trivial(constant_high) && !trivial(constant_low) && !arena.is_constant(low) {
        return None;
    }
    let high = arena.binary(op, high, constant_high);
    let low = arena.binary(op, low, constant_low);
    Some(arena.concat(high, low))
}

/// A mask of adjacent bits cuts them out.
fn masked(arena: &mut Arena, a: Expr, constant: Expr) -> Option<Expr> {
    let bits = arena.as_constant(constant)?;
    let (width, low) = (bits.width(), bits.trailing_zeros());
    let count = bits.count_ones();
    if low + count + bits.leading_zeros() != width {
        return None;
    }
    let mut part = arena.extract(a, low, count);
    if low > 0 {
        let zeros = arena.zero(low);
        part = arena.concat(part, zeros);
    }
    Some(arena.zero_extend(part, width))
}

/// `a` says something of `b`, which is made of `a`.
fn absorbed(arena: &mut Arena, op: Op, a: Expr, b: Expr) -> Option<Expr> {
    let node = arena.node(b);
    let (x, y) = (node.first(), node.second());
    let dual = match op {
        Op::And => Op::Or,
        Op::Or => Op::And,
        _ => Op::Xor,
    };
    if node.op == Op::Not && op != Op::Xor {
        // a and not (a and y) is a and not y.
        let (x, y) = arena.operands_of(op, x)?;
        let rest = if x == a { y } else { x };
        if x != a && y != a {
            return None;
        }
        let rest = arena.not(rest);
        return Some(arena.binary(op, a, rest));
    }
    if node.op != op && node.op != dual {
        return None;
    }
    let other = match () {
        _ if x == a => Some(y),
        _ if y == a => Some(x),
        _ => None,
    };
    match other {
        Some(other) if op == Op::Xor => return Some(other),
        Some(_) if node.op == op => return Some(b),
        Some(_) => return Some(a),
        None => {}
    }
    if op == Op::Xor {
        return None;
    }
    let (complement, rest) = match () {
        _ if arena.are_complements(x, a) => (x, y),
        _ if arena.are_complements(y, a) => (y, x),
        _ => return None,
    };
    debug_assert!(arena.are_complements(complement, a));
    if node.op == dual {
        return Some(arena.binary(op, a, rest));
    }
    let width = arena.width(a);
    Some(if op == Op::And { arena.zero(width) } else { arena.ones(width) })
}

/// Complements leave a `Xor`: two cancel, one goes outside. So do operands that two have in common.
fn flipped(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    if let (Some((x, y)), Some((z, w))) = (arena.operands_of(Op::Xor, a), arena.operands_of(Op::Xor, b)) {
        let (first, second) = match () {
            _ if x == z => (y, w),
            _ if x == w => (y, z),
            _ if y == z => (x, w),
            _ if y == w => (x, z),
            _ => return None,
        };
        return Some(arena.binary(Op::Xor, first, second));
    }
    let (x, y) = (arena.inner(Op::Not, a), arena.inner(Op::Not, b));
    match (x, y) {
        (Some(x), Some(y)) => Some(arena.binary(Op::Xor, x, y)),
        (Some(x), None) => {
            let xor = arena.binary(Op::Xor, x, b);
            Some(arena.not(xor))
        }
        (None, Some(y)) => {
            let xor = arena.binary(Op::Xor, a, y);
            Some(arena.not(xor))
        }
        (None, None) => None,
    }
}

/// Whether cutting bits out leaves nothing of the expression's own operation.
fn is_cut_for_free(arena: &Arena, expr: Expr) -> bool {
    matches!(arena.node(expr).op, Op::Constant | Op::ZeroExtend | Op::SignExtend | Op::Concat | Op::Extract)
}

/// `a` is an extension: the operation is done in the smaller width where the other operand allows.
fn extended(arena: &mut Arena, op: Op, a: Expr, b: Expr) -> Option<Expr> {
    let width = arena.width(a);
    if let Some(inner) = arena.inner(Op::ZeroExtend, a) {
        let inner_width = arena.width(inner);
        if op == Op::And && is_cut_for_free(arena, b) {
            let low = arena.extract(b, 0, inner_width);
            let result = arena.binary(op, inner, low);
            return Some(arena.zero_extend(result, width));
        }
        if is_cut_for_free(arena, b) && arena.is_zero_above(b, inner_width) {
            let low = arena.extract(b, 0, inner_width);
            let result = arena.binary(op, inner, low);
            return Some(arena.zero_extend(result, width));
        }
    }
    if let Some(inner) = arena.inner(Op::SignExtend, a) {
        let inner_width = arena.width(inner);
        let other = match arena.inner(Op::SignExtend, b) {
            Some(other) if arena.width(other) == inner_width => Some(other),
            Some(_) => None,
            None if arena.is_sign_extension(b, inner_width) => Some(arena.extract(b, 0, inner_width)),
            None => None,
        };
        if let Some(other) = other {
            let result = arena.binary(op, inner, other);
            return Some(arena.sign_extend(result, width));
        }
        if op == Op::And && arena.is_constant(b) && arena.is_zero_above(b, inner_width) {
            let low = arena.extract(b, 0, inner_width);
            let result = arena.binary(op, inner, low);
            return Some(arena.zero_extend(result, width));
        }
    }
    None
}

/// `a` is joined of parts: with what has zeros in the one, or constants, the operation is done part by part.
fn joined(arena: &mut Arena, op: Op, a: Expr, b: Expr) -> Option<Expr> {
    let (high, low) = arena.operands_of(Op::Concat, a)?;
    let low_width = arena.width(low);
    if op != Op::And && arena.is_zero_above(b, low_width) && (arena.is_zero(low) || is_cut_for_free(arena, b)) {
        let part = arena.extract(b, 0, low_width);
        let low = arena.binary(op, low, part);
        return Some(arena.concat(high, low));
    }
    let (other_high, other_low) = arena.operands_of(Op::Concat, b)?;
    if arena.width(other_low) != low_width {
        return None;
    }
    if [high, low, other_high, other_low].into_iter().any(|part| arena.is_constant(part)) {
        let high = arena.binary(op, high, other_high);
        let low = arena.binary(op, low, other_low);
        return Some(arena.concat(high, low));
    }
    None
}
