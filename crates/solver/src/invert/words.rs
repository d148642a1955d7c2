//! Operations on words: what one operand must be for a result, the other one given.

use symcrete_expr::dag::{Node, Op};
use symcrete_expr::word::{mask, sign_extend, sign_extend_to, truncate};

use super::{Descent, Inverter};

impl Inverter<'_> {
    pub(super) fn word(&mut self, descent: &mut Descent, node: &Node, target: u64) -> Option<()> {
        let (a, b, width) = (node.first(), node.second(), node.width);
        let from = self.arena.width(a);
        match node.op {
            Op::Not => self.number(descent, a, truncate(width, !target)),
            Op::ZeroExtend => self.number(descent, a, (target <= mask(from)).then_some(target)?),
            Op::SignExtend => {
                let narrow = truncate(from, target);
                (sign_extend_to(from, width, narrow) == target).then_some(())?;
                self.number(descent, a, narrow)
            }
            Op::Extract => {
                let old = self.value(a)?;
                let hole = mask(width) << node.b;
                self.number(descent, a, old & !hole | target << node.b)
            }
            Op::Concat => {
                let low = self.arena.width(b);
                self.number(descent, b, truncate(low, target))?;
                self.number(descent, a, target >> low)
            }
            op => self.one_operand(descent, [a, b], |this, at| {
                let other = this.value([b, a][at])?;
                // Both operands change together where they are the same one.
                if a == b {
                    return this.of_itself(op, width, target);
                }
                this.needed(op, width, at, other, target)
            }),
        }
    }

    /// The operand in place `at` of an operation on words, where the other one is given.
    fn needed(&mut self, op: Op, width: u32, at: usize, other: u64, target: u64) -> Option<u64> {
        let ones = mask(width);
        let any = self.random.bits() & ones;
        match (op, at) {
            (Op::Add, _) => Some(truncate(width, target.wrapping_sub(other))),
            (Op::Sub, 0) => Some(truncate(width, target.wrapping_add(other))),
            (Op::Sub, _) => Some(truncate(width, other.wrapping_sub(target))),
            (Op::Xor, _) => Some(target ^ other),
            // What the other one lets through is the target's, the rest is free.
            (Op::And, _) => (target & !other == 0).then_some(target | any & !other & ones),
            (Op::Or, _) => (other & !target == 0).then_some(target & !other | any & other),
            (Op::Mul, _) => factor(width, other, target, any),
            (Op::Shl, 0) if other < width.into() => {
                let fits = truncate(width, target >> other << other) == target;
                fits.then(|| target >> other | truncate(width, any & !(ones >> other)))
            }
            (Op::LShr, 0) if other < width.into() => {
                let fits = target <= ones >> other;
                fits.then(|| truncate(width, target << other) | any & ((1 << other) - 1))
            }
            (Op::AShr, 0) if other < width.into() => {
                let moved = truncate(width, target << other);
                let fits = truncate(width, (sign_extend(width, moved) >> other) as u64) == target;
                fits.then(|| moved | any & ((1 << other) - 1))
            }
            // Few counts are worth a look.
            (Op::Shl | Op::LShr | Op::AShr, 1) => (0..u64::from(width))
                .find(|count| symcrete_expr::dag::semantics::word::binary(op, width, other, *count) == target),
            (Op::UDiv | Op::SDiv, 0) => {
                let smallest = truncate(width, target.wrapping_mul(other));
                let rest = if other > 1 { any % other.min(1 << 16) } else { 0 };
                Some(truncate(width, smallest.wrapping_add(if any & 1 == 0 { 0 } else { rest })))
            }
            (Op::UDiv, _) => other.checked_div(target),
            (Op::SDiv, _) => {
                let (dividend, quotient) = (sign_extend(width, other), sign_extend(width, target));
                Some(truncate(width, dividend.checked_div(quotient)? as u64))
            }
            (Op::URem, 0) => {
                let multiple = (any % 1024).wrapping_mul(other);
                Some(truncate(width, target.wrapping_add(multiple)))
            }
            (Op::SRem, 0) => {
                let multiple = (any % 16).wrapping_mul(other);
                let negative = sign_extend(width, target) < 0;
                let moved = if negative { target.wrapping_sub(multiple) } else { target.wrapping_add(multiple) };
                Some(truncate(width, moved))
            }
            // What leaves this rest divides the difference.
            (Op::URem | Op::SRem, _) => Some(truncate(width, other.wrapping_sub(target))),
            _ => None,
        }
    }

    /// The operand that stands on both sides.
    fn of_itself(&mut self, op: Op, width: u32, target: u64) -> Option<u64> {
        match op {
            Op::Mul => square_root(width, target, self.random.bits()),
            Op::Add if target & 1 == 0 => Some(target >> 1 | (self.random.bits() & 1) << (width - 1)),
            Op::And | Op::Or => Some(target),
            _ => None,
        }
    }

    /// An index at which a table has the value; the index is what can be changed about a table of constants.
    pub(super) fn element(&mut self, descent: &mut Descent, node: &Node, target: u64) -> Option<()> {
        let (array, index) = (node.first(), node.second());
        if self.arena.node(array).op != Op::Table {
            return None;
        }
        let elements = self.arena.elements(array).to_vec();
        let now = usize::try_from(self.value(index)?).ok()?;
        if let Some(element) = elements.get(now)
            && self.may_change(*element)
            && !(self.may_change(index) && self.random.once_in(3))
        {
            let done = self.attempt(descent, |this, descent| this.number(descent, *element, target));
            if done.is_some() {
                return done;
            }
        }
        let fitting: Vec<usize> = (0..elements.len()).filter(|at| self.value(elements[*at]) == Some(target)).collect();
        if fitting.is_empty() {
            return None;
        }
        let at = *self.random.one_of(&fitting);
        self.number(descent, index, at as u64)
    }
}

/// The inverse of an odd number modulo 2^64, by Newton's method: each round doubles the bits that are right.
pub fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

/// What times `other` is the target, modulo 2^width. Bits that do not matter are taken from `any`.
fn factor(width: u32, other: u64, target: u64, any: u64) -> Option<u64> {
    if other == 0 {
        return (target == 0).then_some(any);
    }
    let zeros = other.trailing_zeros();
    if target & ((1 << zeros) - 1) != 0 {
        return None;
    }
    let exact = truncate(width - zeros, (target >> zeros).wrapping_mul(inverse(other >> zeros)));
    Some(if zeros == 0 { exact } else { exact | truncate(width, any << (width - zeros)) })
}

/// A root of a square modulo 2^width, found bit by bit from the lowest: the square's lowest bits depend on the root's lowest alone.
fn square_root(width: u32, target: u64, any: u64) -> Option<u64> {
    if target == 0 {
        return Some(0);
    }
    let zeros = target.trailing_zeros();
    let odd = target >> zeros;
    if !zeros.is_multiple_of(2) || odd & 7 & mask((width - zeros).min(3)) != 1 {
        return None;
    }
    // If r*r agrees with an odd number in n bits, so does r or r + 2^(n-1) in n + 1.
    let mut root = 1u64;
    for bit in 3..width - zeros {
        if root.wrapping_mul(root) >> bit & 1 != odd >> bit & 1 {
            root |= 1 << (bit - 1);
        }
    }
    let root = truncate(width, root << (zeros / 2));
    // The four roots differ in sign and in the highest bit that matters.
    let root = if any & 1 == 0 { root } else { truncate(width, root.wrapping_neg()) };
    let has_other = width - zeros >= 2;
    Some(if has_other && any & 2 != 0 { root ^ 1 << (width - 1 - zeros / 2) } else { root })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn factors_give_their_products() {
        let mut random = Random::new(1);
        for _ in 0..10_000 {
            let width = 1 + random.below(64) as u32;
            let [a, b] = [random.bits(), random.bits()].map(|bits| truncate(width, bits >> random.below(64)));
            let product = truncate(width, a.wrapping_mul(b));
            let found = factor(width, a, product, truncate(width, random.bits())).expect("there is a factor");
            assert_eq!(truncate(width, found.wrapping_mul(a)), product, "{a} in {width} bits");
        }
    }

    #[test]
    fn roots_give_their_squares() {
        let mut random = Random::new(2);
        for _ in 0..10_000 {
            let width = 8 + random.below(57) as u32;
            let root = truncate(width, random.bits() >> random.below(64));
            let square = truncate(width, root.wrapping_mul(root));
            let found = square_root(width, square, random.bits()).expect("there is a root");
            assert_eq!(truncate(width, found.wrapping_mul(found)), square, "{root} in {width} bits");
        }
    }
}
