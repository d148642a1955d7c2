//! Which of two numbers is less. Whether they are equal is in `equality`.

use super::equality;
use crate::dag::arena::Arena;
use crate::dag::facts::decide;
use crate::dag::node::{Expr, Op};
use crate::word::{mask, sign_bit, sign_extend, truncate};

pub fn simplify(arena: &mut Arena, op: Op, a: Expr, b: Expr) -> Option<Expr> {
    if a == b {
        let reflexive = matches!(op, Op::Equal | Op::UnsignedLessEqual | Op::SignedLessEqual);
        return Some(arena.boolean(reflexive));
    }
    if let Some(outcome) = decide(arena, op, a, b) {
        return Some(arena.boolean(outcome));
    }
    if op == Op::Equal {
        return equality::simplify(arena, a, b);
    }
    if arena.width(a) == 1 {
        return Some(of_bits(arena, op, a, b));
    }
    if let Some(op) = unsigned_instead(arena, op, a, b) {
        return Some(arena.compare(op, a, b));
    }
    if let Some(strict) = strict(arena, op, a, b) {
        return Some(strict);
    }
    if let Some(narrowed) = extended(arena, op, a, b) {
        return Some(narrowed);
    }
    let strict = matches!(op, Op::UnsignedLess | Op::SignedLess);
    let constants = (arena.is_constant(a), arena.is_constant(b));
    if !strict || constants == (false, false) || arena.width(a) > 64 {
        return joined(arena, op, a, b);
    }
    at_the_end(arena, op, a, b)
        .or_else(|| joined(arena, op, a, b))
        .or_else(|| without_offset(arena, op, a, b))
        .or_else(|| if op == Op::UnsignedLess { range_check(arena, a, b) } else { difference_sign(arena, a, b) })
}

fn of_bits(arena: &mut Arena, op: Op, a: Expr, b: Expr) -> Expr {
    // As a signed number, a bit that is set is -1.
    let (less, more) = if matches!(op, Op::UnsignedLess | Op::UnsignedLessEqual) { (a, b) } else { (b, a) };
    let not_less = arena.not(less);
    let join = if matches!(op, Op::UnsignedLess | Op::SignedLess) { Op::And } else { Op::Or };
    arena.binary(join, not_less, more)
}

/// Numbers of one sign compare alike. (Where the signs differ, facts decide.)
fn unsigned_instead(arena: &Arena, op: Op, a: Expr, b: Expr) -> Option<Op> {
    let unsigned = match op {
        Op::SignedLess => Op::UnsignedLess,
        Op::SignedLessEqual => Op::UnsignedLessEqual,
        _ => return None,
    };
    let sign = |expr: Expr| match arena.width(expr) {
        ..=64 => arena.facts(expr).negative(),
        _ => match arena.as_constant(expr) {
            Some(bits) => Some(bits.is_negative()),
            None => arena.inner(Op::ZeroExtend, expr).map(|_| false),
        },
    };
    (sign(a)? == sign(b)?).then_some(unsigned)
}

/// With a constant, "at most" is "less than one more". (Facts decide where there is no such constant.)
fn strict(arena: &mut Arena, op: Op, a: Expr, b: Expr) -> Option<Expr> {
    let less = match op {
        Op::UnsignedLessEqual => Op::UnsignedLess,
        Op::SignedLessEqual => Op::SignedLess,
        _ => return None,
    };
    let width = arena.width(a);
    let one = arena.small(width, 1);
    if arena.is_constant(b) {
        let bound = arena.binary(Op::Add, b, one);
        let wrapped = arena.compare(less, bound, b);
        return if arena.is_zero(wrapped) { Some(arena.compare(less, a, bound)) } else { Some(arena.boolean(true)) };
    }
    if arena.is_constant(a) {
        let bound = arena.binary(Op::Sub, a, one);
        let wrapped = arena.compare(less, a, bound);
        return if arena.is_zero(wrapped) { Some(arena.compare(less, bound, b)) } else { Some(arena.boolean(true)) };
    }
    None
}

/// Extended operands, or one and a constant, compare as what was extended.
fn extended(arena: &mut Arena, op: Op, a: Expr, b: Expr) -> Option<Expr> {
    let whole = arena.width(a);
    for extension in [Op::ZeroExtend, Op::SignExtend] {
        let (x, y) = (arena.inner(extension, a), arena.inner(extension, b));
        // Zero-extended numbers have no sign.
        let narrow_op = match (extension, op) {
            (Op::ZeroExtend, Op::SignedLess) => Op::UnsignedLess,
            (Op::ZeroExtend, Op::SignedLessEqual) => Op::UnsignedLessEqual,
            _ => op,
        };
        match (x, y) {
            (Some(x), Some(y)) => {
                let width = arena.width(x).max(arena.width(y));
                debug_assert!(width < whole);
                let (x, y) = match extension {
                    Op::ZeroExtend => (arena.zero_extend(x, width), arena.zero_extend(y, width)),
                    _ => (arena.sign_extend(x, width), arena.sign_extend(y, width)),
                };
                return Some(arena.compare(narrow_op, x, y));
            }
            (Some(x), None) if arena.is_constant(b) => {
                let width = arena.width(x);
                if fits(arena, extension, b, width) {
                    let y = arena.extract(b, 0, width);
                    return Some(arena.compare(narrow_op, x, y));
                }
            }
            (None, Some(y)) if arena.is_constant(a) => {
                let width = arena.width(y);
                if fits(arena, extension, a, width) {
                    let x = arena.extract(a, 0, width);
                    return Some(arena.compare(narrow_op, x, y));
                }
            }
            _ => {}
        }
    }
    sign_only(arena, op, a, b)
}

pub(super) fn fits(arena: &Arena, extension: Op, constant: Expr, width: u32) -> bool {
    match extension {
        Op::ZeroExtend => arena.is_constant(constant) && arena.is_zero_above(constant, width),
        _ => arena.is_sign_extension(constant, width),
    }
}

/// A sign-extended number compared as unsigned with a constant that no such number can be: all that are not negative are less,
/// the others are more.
fn sign_only(arena: &mut Arena, op: Op, a: Expr, b: Expr) -> Option<Expr> {
    if op != Op::UnsignedLess {
        return None;
    }
    if let Some(x) = arena.inner(Op::SignExtend, a)
        && arena.is_constant(b)
    {
        let zero = arena.zero(arena.width(x));
        return Some(arena.compare(Op::SignedLessEqual, zero, x));
    }
    if let Some(y) = arena.inner(Op::SignExtend, b)
        && arena.is_constant(a)
    {
        let zero = arena.zero(arena.width(y));
        return Some(arena.compare(Op::SignedLess, y, zero));
    }
    None
}

/// Where all but one number are on one side.
fn at_the_end(arena: &mut Arena, op: Op, a: Expr, b: Expr) -> Option<Expr> {
    let width = arena.width(a);
    let number = |bits: u64| match op {
        Op::SignedLess => i128::from(sign_extend(width, bits)),
        _ => i128::from(bits),
    };
    let (x, constant, below) = match (arena.as_word(a), arena.as_word(b)) {
        (None, Some(constant)) => (a, constant, true),
        (Some(constant), None) => (b, constant, false),
        _ => return None,
    };
    let facts = arena.facts(x);
    let (least, most) = match op {
        Op::SignedLess => (i128::from(facts.signed_min), i128::from(facts.signed_max)),
        _ => (i128::from(facts.min), i128::from(facts.max)),
    };
    let bound = number(constant);
    // The number that decides, and whether being it makes the comparison true.
    let (decisive, equal) = match below {
        true if least == bound - 1 => (constant.wrapping_sub(1), true),
        true if most == bound => (constant, false),
        false if most == bound + 1 => (constant.wrapping_add(1), true),
        false if least == bound => (constant, false),
        _ => return None,
    };
    let decisive = arena.word(width, decisive);
    let is_equal = arena.compare(Op::Equal, x, decisive);
    Some(if equal { is_equal } else { arena.not(is_equal) })
}

/// Joined parts: the low one does not count where nothing or everything of its range is on one side; equal high ones do not.
fn joined(arena: &mut Arena, op: Op, a: Expr, b: Expr) -> Option<Expr> {
    let part = arena.operands_of(Op::Concat, a).or_else(|| arena.operands_of(Op::Concat, b))?;
    let low_width = arena.width(part.1);
    let (high_a, low_a) = split(arena, a, low_width)?;
    let (high_b, low_b) = split(arena, b, low_width)?;
    if high_a == high_b {
        let op = match op {
            Op::SignedLess => Op::UnsignedLess,
            Op::SignedLessEqual => Op::UnsignedLessEqual,
            op => op,
        };
        return Some(arena.compare(op, low_a, low_b));
    }
    let strict = matches!(op, Op::UnsignedLess | Op::SignedLess);
    // With equal high parts this decides: x < 0 and -1 < x never hold, 0 <= x and x <= -1 always do.
    let decided = match strict {
        true => arena.is_zero(low_b) || arena.is_ones(low_a) || low_a == low_b,
        false => arena.is_zero(low_a) || arena.is_ones(low_b) || low_a == low_b,
    };
    decided.then(|| arena.compare(op, high_a, high_b))
}

/// The parts of something that was joined there, or of a constant.
pub(super) fn split(arena: &mut Arena, expr: Expr, low_width: u32) -> Option<(Expr, Expr)> {
    let node = arena.node(expr);
    match node.op {
        Op::Concat if arena.width(node.second()) == low_width => Some((node.first(), node.second())),
        Op::Constant => {
            let high = arena.extract(expr, low_width, node.width - low_width);
            Some((high, arena.extract(expr, 0, low_width)))
        }
        _ => None,
    }
}

/// x + c against a constant is x against another, where the sum never wraps and the difference does not either.
fn without_offset(arena: &mut Arena, op: Op, a: Expr, b: Expr) -> Option<Expr> {
    let width = arena.width(a);
    let signed = op == Op::SignedLess;
    let (sum, constant, below) = if arena.is_constant(b) { (a, b, true) } else { (b, a, false) };
    let (x, offset) = arena.offset(sum)?;
    let (offset, constant) = (arena.as_word(offset)?, arena.as_word(constant)?);
    let facts = arena.facts(x);
    let (least, most, smallest, largest) = match signed {
        true => {
            let smallest = i128::from(sign_extend(width, sign_bit(width)));
            (i128::from(facts.signed_min), i128::from(facts.signed_max), smallest, -smallest - 1)
        }
        false => (i128::from(facts.min), i128::from(facts.max), 0, i128::from(mask(width))),
    };
    let bound = if signed { i128::from(sign_extend(width, constant)) } else { i128::from(constant) };
    // As unsigned, a large constant that is added is a small one that is taken away.
    let downward = i128::from(sign_extend(width, offset));
    let offset = if signed || downward < 0 { downward } else { i128::from(offset) };
    let fits = |number: i128| (smallest..=largest).contains(&number);
    if !fits(least + offset) || !fits(most + offset) || !fits(bound - offset) {
        return None;
    }
    let bound = arena.word(width, (bound - offset) as u64);
    Some(if below { arena.compare(op, x, bound) } else { arena.compare(op, bound, x) })
}

/// x + c < n of a zero-extended x is such a check of x itself, or a single comparison.
fn range_check(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    let count = arena.as_word(b)?;
    let (sum, offset) = arena.offset(a)?;
    let x = arena.inner(Op::ZeroExtend, sum)?;
    let (whole, width) = (arena.width(a), arena.width(x));
    let first = truncate(whole, arena.as_word(offset)?.wrapping_neg());
    let last = truncate(whole, first.wrapping_add(count - 1));
    let most = mask(width);
    if first <= last {
        // Facts do not see that none is in reach.
        if first > most {
            return Some(arena.boolean(false));
        }
        let from = arena.word(width, first);
        if last >= most {
            return Some(arena.compare(Op::UnsignedLessEqual, from, x));
        }
        let distance = arena.binary(Op::Sub, x, from);
        let count = arena.word(width, count);
        return Some(arena.compare(Op::UnsignedLess, distance, count));
    }
    // From `first` up and from 0 to `last`.
    if first <= most {
        return None;
    }
    if last >= most {
        return Some(arena.boolean(true));
    }
    let to = arena.word(width, last);
    Some(arena.compare(Op::UnsignedLessEqual, x, to))
}

/// The sign of a difference that does not wrap.
fn difference_sign(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    let width = arena.width(a);
    let (difference, zero, below) = if arena.is_constant(b) { (a, b, true) } else { (b, a, false) };
    if !arena.is_zero(zero) {
        return None;
    }
    let (x, y) = arena.operands_of(Op::Sub, difference)?;
    let (first, second) = (arena.facts(x), arena.facts(y));
    let smallest = i128::from(sign_extend(width, sign_bit(width)));
    let least = i128::from(first.signed_min) - i128::from(second.signed_max);
    let most = i128::from(first.signed_max) - i128::from(second.signed_min);
    if least < smallest || most > -smallest - 1 {
        return None;
    }
    Some(if below { arena.compare(Op::SignedLess, x, y) } else { arena.compare(Op::SignedLess, y, x) })
}
