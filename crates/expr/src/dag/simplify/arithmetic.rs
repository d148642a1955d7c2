//! Sums, differences and products. Divisions are in `divisions`.

use crate::dag::arena::Arena;
use crate::dag::node::{Expr, Op};

pub fn add(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    let width = arena.width(a);
    if width == 1 {
        return Some(arena.binary(Op::Xor, a, b));
    }
    if arena.is_constant(b) {
        return add_constant(arena, a, b);
    }
    if a == b {
        let (kept, zero) = (arena.extract(a, 0, width - 1), arena.zero(1));
        return Some(arena.concat(kept, zero));
    }
    if arena.are_complements(a, b) {
        return Some(arena.ones(width));
    }
    // Constants go outside.
    if let Some((x, constant)) = arena.offset(a) {
        let sum = arena.binary(Op::Add, x, b);
        return Some(arena.binary(Op::Add, sum, constant));
    }
    if let Some((y, constant)) = arena.offset(b) {
        let sum = arena.binary(Op::Add, a, y);
        return Some(arena.binary(Op::Add, sum, constant));
    }
    add_difference(arena, a, b).or_else(|| add_difference(arena, b, a)).or_else(|| add_disjoint(arena, a, b))
}

fn add_constant(arena: &mut Arena, a: Expr, constant: Expr) -> Option<Expr> {
    if arena.is_zero(constant) {
        return Some(a);
    }
    if let Some((x, inner)) = arena.offset(a) {
        let sum = arena.binary(Op::Add, inner, constant);
        return Some(arena.binary(Op::Add, x, sum));
    }
    if let Some((inner, x)) = arena.distance(a) {
        let sum = arena.binary(Op::Add, inner, constant);
        return Some(arena.binary(Op::Sub, sum, x));
    }
    // !x is -1 - x.
    let x = arena.inner(Op::Not, a)?;
    let minus_one = arena.ones(arena.width(a));
    let sum = arena.binary(Op::Add, minus_one, constant);
    Some(arena.binary(Op::Sub, sum, x))
}

/// The second operand is a difference.
fn add_difference(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    let (x, y) = arena.operands_of(Op::Sub, b)?;
    if y == a {
        return Some(x);
    }
    if arena.is_zero(x) {
        return Some(arena.binary(Op::Sub, a, y));
    }
    if arena.is_constant(x) {
        let difference = arena.binary(Op::Sub, a, y);
        return Some(arena.binary(Op::Add, difference, x));
    }
    None
}

/// Nothing is carried where no place has two ones: bytes that are shifted to their places and added are joined.
fn add_disjoint(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    let is_placed = |expr| matches!(arena.node(expr).op, Op::Concat | Op::ZeroExtend);
    if arena.width(a) > 64 || !is_placed(a) || !is_placed(b) {
        return None;
    }
    let possible = !arena.facts(a).zeros & !arena.facts(b).zeros & crate::word::mask(arena.width(a));
    if possible != 0 {
        return None;
    }
    let joined = arena.binary(Op::Or, a, b);
    (arena.node(joined).op != Op::Or).then_some(joined)
}

pub fn sub(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    let width = arena.width(a);
    if a == b {
        return Some(arena.zero(width));
    }
    if width == 1 {
        return Some(arena.binary(Op::Xor, a, b));
    }
    if arena.is_constant(b) {
        let zero = arena.zero(width);
        let negated = arena.binary(Op::Sub, zero, b);
        return Some(arena.binary(Op::Add, a, negated));
    }
    if arena.is_constant(a) {
        return sub_from_constant(arena, a, b);
    }
    if let Some(y) = arena.negated(b) {
        return Some(arena.binary(Op::Add, a, y));
    }
    if let Some((x, constant)) = arena.offset(a) {
        let difference = arena.binary(Op::Sub, x, b);
        return Some(arena.binary(Op::Add, difference, constant));
    }
    if let Some((y, constant)) = arena.offset(b) {
        let difference = arena.binary(Op::Sub, a, y);
        return Some(arena.binary(Op::Sub, difference, constant));
    }
    cancelled(arena, a, b)
}

fn sub_from_constant(arena: &mut Arena, constant: Expr, b: Expr) -> Option<Expr> {
    if arena.is_ones(constant) {
        return Some(arena.not(b));
    }
    if let Some((y, inner)) = arena.offset(b) {
        let difference = arena.binary(Op::Sub, constant, inner);
        return Some(arena.binary(Op::Sub, difference, y));
    }
    if let Some((inner, y)) = arena.distance(b) {
        let difference = arena.binary(Op::Sub, constant, inner);
        return Some(arena.binary(Op::Add, y, difference));
    }
    if let Some(y) = arena.inner(Op::Not, b) {
        let one = arena.small(arena.width(b), 1);
        let sum = arena.binary(Op::Add, constant, one);
        return Some(arena.binary(Op::Add, y, sum));
    }
    if arena.is_zero(constant)
        && let Some((x, y)) = arena.operands_of(Op::Sub, b)
    {
        return Some(arena.binary(Op::Sub, y, x));
    }
    None
}

/// What is added and taken away again.
fn cancelled(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    let zero = arena.zero(arena.width(a));
    if let Some((x, y)) = arena.operands_of(Op::Add, a) {
        if x == b {
            return Some(y);
        }
        if y == b {
            return Some(x);
        }
    }
    if let Some((x, y)) = arena.operands_of(Op::Sub, a)
        && x == b
    {
        return Some(arena.binary(Op::Sub, zero, y));
    }
    if let Some((x, y)) = arena.operands_of(Op::Add, b) {
        if x == a {
            return Some(arena.binary(Op::Sub, zero, y));
        }
        if y == a {
            return Some(arena.binary(Op::Sub, zero, x));
        }
    }
    let (x, y) = arena.operands_of(Op::Sub, b)?;
    (x == a).then_some(y)
}

pub fn mul(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    let width = arena.width(a);
    if width == 1 {
        return Some(arena.binary(Op::And, a, b));
    }
    if let (Some(x), Some(y)) = (arena.negated(a), arena.negated(b)) {
        return Some(arena.binary(Op::Mul, x, y));
    }
    if !arena.is_constant(b) {
        return None;
    }
    if arena.is_zero(b) {
        return Some(b);
    }
    if arena.is_one(b) {
        return Some(a);
    }
    let zero = arena.zero(width);
    if arena.is_ones(b) {
        return Some(arena.binary(Op::Sub, zero, a));
    }
    let bits = arena.as_constant(b)?;
    if bits.count_ones() == 1 {
        let count = arena.small(width, u64::from(bits.trailing_zeros()));
        return Some(arena.binary(Op::Shl, a, count));
    }
    if let Some((x, constant)) = arena.operands_of(Op::Mul, a)
        && arena.is_constant(constant)
    {
        let product = arena.binary(Op::Mul, constant, b);
        return Some(arena.binary(Op::Mul, x, product));
    }
    let x = arena.negated(a)?;
    let negated = arena.binary(Op::Sub, zero, b);
    Some(arena.binary(Op::Mul, x, negated))
}
