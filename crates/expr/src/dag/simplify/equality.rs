//! Whether two values are equal. Which is less is in `comparison`.

use super::comparison::{fits, split};
use crate::dag::arena::Arena;
use crate::dag::node::{Expr, Op};

pub fn simplify(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    if arena.width(a) == 1 && arena.is_constant(b) {
        return Some(if arena.is_zero(b) { arena.not(a) } else { a });
    }
    if arena.width(a) == 1 {
        let differ = arena.binary(Op::Xor, a, b);
        return Some(arena.not(differ));
    }
    if arena.are_complements(a, b) {
        return Some(arena.boolean(false));
    }
    if arena.is_constant(b) {
        return with_constant(arena, a, b);
    }
    if let (Some(x), Some(y)) = (arena.inner(Op::Not, a), arena.inner(Op::Not, b)) {
        return Some(arena.compare(Op::Equal, x, y));
    }
    of_extensions(arena, a, b)
        .or_else(|| of_parts(arena, a, b))
        .or_else(|| of_parts(arena, b, a))
        .or_else(|| of_sums(arena, a, b))
        .or_else(|| of_made_from_other(arena, a, b))
        .or_else(|| of_made_from_other(arena, b, a))
        .or_else(|| of_choice(arena, a, b))
        .or_else(|| of_choice(arena, b, a))
}

fn with_constant(arena: &mut Arena, a: Expr, constant: Expr) -> Option<Expr> {
    let node = arena.node(a);
    let (x, y) = (node.first(), node.second());
    match node.op {
        Op::Not => {
            let complement = arena.not(constant);
            Some(arena.compare(Op::Equal, x, complement))
        }
        Op::Add if arena.is_constant(y) => {
            let rest = arena.binary(Op::Sub, constant, y);
            Some(arena.compare(Op::Equal, x, rest))
        }
        Op::Sub if arena.is_constant(x) => {
            let rest = arena.binary(Op::Sub, x, constant);
            Some(arena.compare(Op::Equal, y, rest))
        }
        Op::Xor if arena.is_constant(y) => {
            let rest = arena.binary(Op::Xor, constant, y);
            Some(arena.compare(Op::Equal, x, rest))
        }
        Op::Sub | Op::Xor if arena.is_zero(constant) => Some(arena.compare(Op::Equal, x, y)),
        Op::Mul => divided(arena, x, y, constant),
        Op::ZeroExtend | Op::SignExtend => {
            let width = arena.width(x);
            if !fits(arena, node.op, constant, width) {
                return Some(arena.boolean(false));
            }
            let constant = arena.extract(constant, 0, width);
            Some(arena.compare(Op::Equal, x, constant))
        }
        Op::Concat => of_parts(arena, a, constant),
        Op::Ite => of_choice(arena, a, constant),
        _ => None,
    }
}

/// A product with an odd constant: it has an inverse.
fn divided(arena: &mut Arena, x: Expr, factor: Expr, product: Expr) -> Option<Expr> {
    let factor = arena.as_word(factor).filter(|factor| factor & 1 == 1)?;
    let product = arena.as_word(product)?;
    // Each step doubles the number of low bits that are right, from three on.
    let mut inverse = factor;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(factor.wrapping_mul(inverse)));
    }
    let quotient = arena.word(arena.width(x), product.wrapping_mul(inverse));
    Some(arena.compare(Op::Equal, x, quotient))
}

/// Two extensions of one kind.
fn of_extensions(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    for extension in [Op::ZeroExtend, Op::SignExtend] {
        if let (Some(x), Some(y)) = (arena.inner(extension, a), arena.inner(extension, b)) {
            let width = arena.width(x).max(arena.width(y));
            let (x, y) = match extension {
                Op::ZeroExtend => (arena.zero_extend(x, width), arena.zero_extend(y, width)),
                _ => (arena.sign_extend(x, width), arena.sign_extend(y, width)),
            };
            return Some(arena.compare(Op::Equal, x, y));
        }
    }
    None
}

/// `a` was joined: part by part, where the other side has a constant there or the parts of one side are the same.
fn of_parts(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    let (high, low) = arena.operands_of(Op::Concat, a)?;
    let low_width = arena.width(low);
    let (other_high, other_low) = match split(arena, b, low_width) {
        Some(parts) => parts,
        None => {
            let inner = arena.inner(Op::ZeroExtend, b).filter(|inner| arena.width(*inner) <= low_width)?;
            (arena.zero(arena.width(high)), arena.zero_extend(inner, low_width))
        }
    };
    let is_constant = |part| arena.is_constant(part);
    let simpler =
        high == other_high || low == other_low || [high, low, other_high, other_low].into_iter().any(is_constant);
    if !simpler {
        return None;
    }
    let high = arena.compare(Op::Equal, high, other_high);
    if arena.is_zero(high) {
        return Some(high);
    }
    let low = arena.compare(Op::Equal, low, other_low);
    Some(arena.binary(Op::And, high, low))
}

/// Two sums, differences or the like with an operand in common.
fn of_sums(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    let (first, second) = (arena.node(a), arena.node(b));
    if first.op != second.op || !matches!(first.op, Op::Add | Op::Sub | Op::Xor) {
        return None;
    }
    let (x, y) = (first.first(), first.second());
    let (z, w) = (second.first(), second.second());
    let (left, right) = match () {
        _ if x == z => (y, w),
        _ if y == w => (x, z),
        _ if first.op != Op::Sub && x == w => (y, z),
        _ if first.op != Op::Sub && y == z => (x, w),
        // x + c1 = z + c2
        _ if first.op == Op::Add && arena.is_constant(y) && arena.is_constant(w) => {
            let difference = arena.binary(Op::Sub, w, y);
            (x, arena.binary(Op::Add, z, difference))
        }
        _ => return None,
    };
    Some(arena.compare(Op::Equal, left, right))
}

/// `a` is a sum or the like of `b` and something.
fn of_made_from_other(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    let node = arena.node(a);
    let (x, y) = (node.first(), node.second());
    let rest = match node.op {
        Op::Add | Op::Xor if x == b => y,
        Op::Add | Op::Xor if y == b => x,
        Op::Sub if x == b => y,
        _ => return None,
    };
    let zero = arena.zero(node.width);
    Some(arena.compare(Op::Equal, rest, zero))
}

/// `a` is a choice with `b` among the branches, or a constant that is not `b`.
fn of_choice(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    let node = arena.node(a);
    if node.op != Op::Ite {
        return None;
    }
    let (condition, x, y) = (node.first(), node.second(), node.third());
    let differs = |arena: &Arena, branch: Expr| branch != b && arena.is_constant(branch) && arena.is_constant(b);
    if x == b || differs(arena, x) {
        let otherwise = arena.compare(Op::Equal, y, b);
        if x == b {
            return Some(arena.binary(Op::Or, condition, otherwise));
        }
        let unless = arena.not(condition);
        return Some(arena.binary(Op::And, unless, otherwise));
    }
    if y == b || differs(arena, y) {
        let then = arena.compare(Op::Equal, x, b);
        if y == b {
            let unless = arena.not(condition);
            return Some(arena.binary(Op::Or, unless, then));
        }
        return Some(arena.binary(Op::And, condition, then));
    }
    None
}
