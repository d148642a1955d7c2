//! Shifts. By constants they are cuts, joins and extensions, which other rules see through.

use crate::dag::arena::Arena;
use crate::dag::node::{Expr, Op};

/// The count, if it is a constant; at most the width.
fn count(arena: &Arena, count: Expr) -> Option<u32> {
    let width = arena.width(count);
    let bits = arena.as_constant(count)?;
    Some(bits.to_u64().map_or(width, |count| count.min(u64::from(width)) as u32))
}

pub fn left(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    if arena.is_zero(a) {
        return Some(a);
    }
    let (width, count) = (arena.width(a), count(arena, b)?);
    match count {
        0 => Some(a),
        _ if count == width => Some(arena.zero(width)),
        _ => {
            let (kept, zeros) = (arena.extract(a, 0, width - count), arena.zero(count));
            Some(arena.concat(kept, zeros))
        }
    }
}

pub fn right(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    if arena.is_zero(a) {
        return Some(a);
    }
    let (width, count) = (arena.width(a), count(arena, b)?);
    match count {
        0 => Some(a),
        _ if count == width => Some(arena.zero(width)),
        _ => {
            let kept = arena.extract(a, count, width - count);
            Some(arena.zero_extend(kept, width))
        }
    }
}

pub fn right_signed(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    if arena.is_zero(a) || arena.is_ones(a) {
        return Some(a);
    }
    let width = arena.width(a);
    if width <= 64 && arena.facts(a).signed_min >= 0 {
        return Some(arena.binary(Op::LShr, a, b));
    }
    let count = count(arena, b)?.min(width - 1);
    let kept = arena.extract(a, count, width - count);
    Some(arena.sign_extend(kept, width))
}
