//! The rules that make expressions simpler while they are built, by family. Each is given the operands of a node and returns an equal
//! expression that is simpler, or `None`. Rules build what they return with the same functions as everyone else, so that it is
//! simplified in turn. That each holds is proved in `tests/rules/`.
//!
//! What the forms look like that come out, so that rules need not know all ways to say a thing:
//! constants stand second where the order is free; a subtracted constant is an added one, and stands outermost; comparisons with
//! constants are strict, and none stands under a `Not` but `Equal`; shifts by constants, masks of adjacent bits and products with
//! powers of two are cut (`Extract`), joined (`Concat`) and extended; chains of `Concat` nest in the low part; leading zeros are
//! a `ZeroExtend`.

mod arithmetic;
mod arrays;
mod bitwise;
mod boolean;
mod comparison;
mod divisions;
mod equality;
mod floats;
mod interval;
mod shifts;
mod structure;

pub(super) use arrays::{select, store};
pub(super) use boolean::{ite, not};
pub(super) use floats::{call, float, float_convert};
pub(super) use structure::{concat, extract, sign_extend, zero_extend};

use super::arena::Arena;
use super::node::{Expr, Op};
use super::semantics;
use crate::Bits;

/// Operations on two vectors of one width that have a result of that width.
pub(super) fn binary(arena: &mut Arena, op: Op, a: Expr, b: Expr) -> Option<Expr> {
    if let Some(folded) = fold(arena, op, a, b) {
        return Some(folded);
    }
    if let Some(lifted) = lift_choices(arena, a, b, |arena, a, b| arena.binary(op, a, b)) {
        return Some(lifted);
    }
    match op {
        Op::And | Op::Or | Op::Xor => bitwise::simplify(arena, op, a, b),
        Op::Add => arithmetic::add(arena, a, b),
        Op::Sub => arithmetic::sub(arena, a, b),
        Op::Mul => arithmetic::mul(arena, a, b),
        Op::UDiv => divisions::unsigned_quotient(arena, a, b),
        Op::URem => divisions::unsigned_remainder(arena, a, b),
        Op::SDiv => divisions::signed_quotient(arena, a, b),
        Op::SRem => divisions::signed_remainder(arena, a, b),
        Op::Shl => shifts::left(arena, a, b),
        Op::LShr => shifts::right(arena, a, b),
        Op::AShr => shifts::right_signed(arena, a, b),
        _ => None,
    }
}

pub(super) fn compare(arena: &mut Arena, op: Op, a: Expr, b: Expr) -> Option<Expr> {
    if let Some(folded) = fold(arena, op, a, b) {
        return Some(folded);
    }
    if let Some(lifted) = lift_choices(arena, a, b, |arena, a, b| arena.compare(op, a, b)) {
        return Some(lifted);
    }
    comparison::simplify(arena, op, a, b)
}

/// Both operands are constants.
fn fold(arena: &mut Arena, op: Op, a: Expr, b: Expr) -> Option<Expr> {
    if !arena.is_constant(a) || !arena.is_constant(b) {
        return None;
    }
    let width = arena.width(a);
    let result_width = if op.is_comparison() { 1 } else { width };
    match (arena.as_word(a), arena.as_word(b)) {
        (Some(x), Some(y)) => Some(arena.word(result_width, semantics::word::binary(op, width, x, y))),
        _ => {
            let (x, y) = (arena.as_constant(a)?, arena.as_constant(b)?);
            Some(arena.constant(&semantics::wide::binary(op, &x, &y)))
        }
    }
}

/// One operand is a constant, the other a choice between two: then the result is such a choice.
fn lift_choices(arena: &mut Arena, a: Expr, b: Expr, apply: impl Fn(&mut Arena, Expr, Expr) -> Expr) -> Option<Expr> {
    if arena.is_constant(b) {
        return lift_choice(arena, a, |arena, a| apply(arena, a, b));
    }
    if arena.is_constant(a) {
        return lift_choice(arena, b, |arena, b| apply(arena, a, b));
    }
    None
}

/// `f(c ? k1 : k2)` is `c ? f(k1) : f(k2)` for constants.
fn lift_choice(arena: &mut Arena, choice: Expr, apply: impl Fn(&mut Arena, Expr) -> Expr) -> Option<Expr> {
    let node = arena.node(choice);
    if node.op != Op::Ite || !arena.is_constant(node.second()) || !arena.is_constant(node.third()) {
        return None;
    }
    let (x, y) = (apply(arena, node.second()), apply(arena, node.third()));
    Some(arena.ite(node.first(), x, y))
}

/// How rules look at expressions.
impl Arena {
    #[inline]
    pub(super) fn is_constant(&self, expr: Expr) -> bool {
        self.node(expr).op == Op::Constant
    }

    /// A constant of any width.
    fn constant_is(&self, expr: Expr, word: impl Fn(u32, u64) -> bool, wide: impl Fn(&Bits) -> bool) -> bool {
        let node = self.node(expr);
        match self.as_word(expr) {
            Some(bits) => word(node.width, bits),
            None => node.op == Op::Constant && wide(self.wide.get(node.a)),
        }
    }

    pub(super) fn is_zero(&self, expr: Expr) -> bool {
        self.constant_is(expr, |_, bits| bits == 0, Bits::is_zero)
    }

    pub(super) fn is_ones(&self, expr: Expr) -> bool {
        self.constant_is(expr, |width, bits| bits == crate::word::mask(width), Bits::is_ones)
    }

    pub(super) fn is_one(&self, expr: Expr) -> bool {
        self.constant_is(expr, |_, bits| bits == 1, |bits| bits.to_u64() == Some(1))
    }

    pub(super) fn zero(&mut self, width: u32) -> Expr {
        if width <= 64 { self.word(width, 0) } else { self.constant(&Bits::zero(width)) }
    }

    pub(super) fn ones(&mut self, width: u32) -> Expr {
        if width <= 64 { self.word(width, u64::MAX) } else { self.constant(&Bits::ones(width)) }
    }

    /// A small number in any width.
    pub(super) fn small(&mut self, width: u32, number: u64) -> Expr {
        self.constant(&Bits::from_u64(width, number))
    }

    /// The operands of a node of this operation.
    #[inline]
    fn operands_of(&self, op: Op, expr: Expr) -> Option<(Expr, Expr)> {
        let node = self.node(expr);
        (node.op == op).then(|| (node.first(), node.second()))
    }

    /// What is extended, if this is an extension of this kind.
    #[inline]
    fn inner(&self, op: Op, expr: Expr) -> Option<Expr> {
        let node = self.node(expr);
        (node.op == op).then(|| node.first())
    }

    /// A sum with a constant: what the constant is added to, and the constant.
    fn offset(&self, expr: Expr) -> Option<(Expr, Expr)> {
        self.operands_of(Op::Add, expr).filter(|(_, constant)| self.is_constant(*constant))
    }

    /// A constant less something: the constant, and what is taken from it.
    fn distance(&self, expr: Expr) -> Option<(Expr, Expr)> {
        self.operands_of(Op::Sub, expr).filter(|(constant, _)| self.is_constant(*constant))
    }

    /// What is negated, if this is zero less something.
    fn negated(&self, expr: Expr) -> Option<Expr> {
        self.distance(expr).filter(|(constant, _)| self.is_zero(*constant)).map(|(_, negated)| negated)
    }

    /// Whether the one is the complement of the other.
    fn are_complements(&self, a: Expr, b: Expr) -> bool {
        self.inner(Op::Not, a) == Some(b) || self.inner(Op::Not, b) == Some(a)
    }

    /// Whether the bits from `from` on are known to be zero.
    fn is_zero_above(&self, expr: Expr, from: u32) -> bool {
        let node = self.node(expr);
        if node.width <= 64 {
            return from >= 64 || self.facts(expr).max >> from == 0;
        }
        match node.op {
            Op::ZeroExtend => self.width(node.first()) <= from || self.is_zero_above(node.first(), from),
            Op::Constant => self.wide.get(node.a).leading_zeros() + from >= node.width,
            _ => false,
        }
    }

    /// Whether a constant is what its low `width` bits are when extended with their sign.
    fn is_sign_extension(&self, constant: Expr, width: u32) -> bool {
        let fits = |bits: &Bits| bits.trunc(width).sext(bits.width()) == *bits;
        let word = |whole, bits| crate::word::sign_extend_to(width, whole, crate::word::truncate(width, bits)) == bits;
        self.constant_is(constant, word, fits)
    }
}
