//! Two comparisons of one expression with constants, joined by `And` or `Or`. Each says that the expression lies in an interval of
//! numbers that may wrap around; what both say together is often less than two comparisons.

use crate::dag::arena::Arena;
use crate::dag::node::{Expr, Op};
use crate::word::{mask, sign_bit, truncate};

/// The numbers from `start` on, `span` more after it, modulo 2^width. Never all numbers.
#[derive(Copy, Clone)]
struct Interval {
    of: Expr,
    width: u32,
    start: u64,
    span: u64,
}

impl Interval {
    fn from_to(of: Expr, width: u32, first: u64, last: u64) -> Interval {
        let start = truncate(width, first);
        Interval { of, width, start, span: truncate(width, last.wrapping_sub(start)) }
    }

    fn offset(&self, number: u64) -> u64 {
        truncate(self.width, number.wrapping_sub(self.start))
    }

    fn contains(&self, other: &Interval) -> bool {
        let offset = self.offset(other.start);
        offset <= self.span && other.span <= self.span - offset
    }

    fn is_disjoint(&self, other: &Interval) -> bool {
        self.offset(other.start) > self.span && other.offset(self.start) > other.span
    }

    fn complement(&self) -> Interval {
        let start = truncate(self.width, self.start.wrapping_add(self.span).wrapping_add(1));
        Interval { start, span: mask(self.width) - self.span - 1, ..*self }
    }

    /// The only number in both, if there is one and no other.
    fn common_number(&self, other: &Interval) -> Option<u64> {
        let (into_self, into_other) = (self.offset(other.start), other.offset(self.start));
        match (into_self <= self.span, into_other <= other.span) {
            (true, false) if self.span == into_self => Some(other.start),
            (false, true) if other.span == into_other => Some(self.start),
            _ => None,
        }
    }
}

/// What a comparison with a constant says.
fn interval_of(arena: &Arena, comparison: Expr) -> Option<Interval> {
    let node = arena.node(comparison);
    if node.op == Op::Not {
        let inner = arena.node(node.first());
        return if inner.op == Op::Equal { interval_of(arena, node.first()).map(|of| of.complement()) } else { None };
    }
    if !node.op.is_comparison() {
        return None;
    }
    let (a, b) = (node.first(), node.second());
    let width = arena.width(a);
    if width == 1 || width > 64 {
        return None;
    }
    let (of, constant, below) = match (arena.as_word(a), arena.as_word(b)) {
        (None, Some(constant)) => (a, constant, true),
        (Some(constant), None) => (b, constant, false),
        _ => return None,
    };
    let (smallest, largest) = match node.op {
        Op::SignedLess => (sign_bit(width), sign_bit(width) - 1),
        _ => (0, mask(width)),
    };
    // No bound is the last number of its kind: such a comparison is decided.
    let (first, last) = match (node.op, below) {
        (Op::Equal, _) => (constant, constant),
        (Op::UnsignedLess | Op::SignedLess, true) if constant != smallest => (smallest, constant.wrapping_sub(1)),
        (Op::UnsignedLess | Op::SignedLess, false) if constant != largest => (constant.wrapping_add(1), largest),
        _ => return None,
    };
    let interval = Interval::from_to(of, width, first, last);
    Some(match arena.offset(of) {
        Some((base, offset)) => {
            let start = truncate(width, interval.start.wrapping_sub(arena.as_word(offset)?));
            Interval { of: base, start, ..interval }
        }
        None => interval,
    })
}

pub fn combine(arena: &mut Arena, op: Op, a: Expr, b: Expr) -> Option<Expr> {
    let (x, y) = (interval_of(arena, a)?, interval_of(arena, b)?);
    if x.of != y.of {
        return None;
    }
    // a or b is not (not a and not b).
    let (first, second) = if op == Op::And { (x, y) } else { (x.complement(), y.complement()) };
    if second.contains(&first) {
        return Some(a);
    }
    if first.contains(&second) {
        return Some(b);
    }
    if first.is_disjoint(&second) {
        return Some(arena.boolean(op != Op::And));
    }
    let number = first.common_number(&second)?;
    let number = arena.word(x.width, number);
    let equal = arena.compare(Op::Equal, x.of, number);
    Some(if op == Op::And { equal } else { arena.not(equal) })
}
