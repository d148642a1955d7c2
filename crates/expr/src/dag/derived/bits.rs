//! Negation, extremes, and counting and permuting bits.

use crate::dag::arena::Arena;
use crate::dag::node::{Expr, Op};

impl Arena {
    /// Two's complement.
    pub fn neg(&mut self, a: Expr) -> Expr {
        let zero = self.zero(self.width(a));
        self.binary(Op::Sub, zero, a)
    }

    /// Whether the operands differ.
    pub fn not_equal(&mut self, a: Expr, b: Expr) -> Expr {
        let equal = self.compare(Op::Equal, a, b);
        self.not(equal)
    }

    /// Whether the number is negative: the highest bit.
    pub fn is_negative(&mut self, a: Expr) -> Expr {
        let top = self.width(a) - 1;
        self.extract(a, top, 1)
    }

    pub fn min_unsigned(&mut self, a: Expr, b: Expr) -> Expr {
        let less = self.compare(Op::UnsignedLess, b, a);
        self.ite(less, b, a)
    }

    pub fn max_unsigned(&mut self, a: Expr, b: Expr) -> Expr {
        let less = self.compare(Op::UnsignedLess, a, b);
        self.ite(less, b, a)
    }

    pub fn min_signed(&mut self, a: Expr, b: Expr) -> Expr {
        let less = self.compare(Op::SignedLess, b, a);
        self.ite(less, b, a)
    }

    pub fn max_signed(&mut self, a: Expr, b: Expr) -> Expr {
        let less = self.compare(Op::SignedLess, a, b);
        self.ite(less, b, a)
    }

    /// The smallest number is its own absolute value.
    pub fn abs(&mut self, a: Expr) -> Expr {
        let zero = self.zero(self.width(a));
        let negative = self.compare(Op::SignedLess, a, zero);
        let negated = self.neg(a);
        self.ite(negative, negated, a)
    }

    /// -1, 0 or 1 in the given width: how the operands compare as signed numbers.
    pub fn order_signed(&mut self, a: Expr, b: Expr, width: u32) -> Expr {
        self.order(Op::SignedLess, a, b, width)
    }

    /// -1, 0 or 1 in the given width: how the operands compare as unsigned numbers.
    pub fn order_unsigned(&mut self, a: Expr, b: Expr, width: u32) -> Expr {
        self.order(Op::UnsignedLess, a, b, width)
    }

    fn order(&mut self, less: Op, a: Expr, b: Expr, width: u32) -> Expr {
        let (less, more) = (self.compare(less, a, b), self.compare(less, b, a));
        let (minus_one, positive) = (self.ones(width), self.zero_extend(more, width));
        self.ite(less, minus_one, positive)
    }

    /// How many bits are set, in the width of the operand.
    pub fn count_ones(&mut self, a: Expr) -> Expr {
        let width = self.width(a);
        let count = self.count_ones_narrow(a);
        // Counts of up to `width` always fit.
        self.zero_extend(count, width)
    }

    /// The count in as many bits as the largest one needs: halves are counted and added.
    fn count_ones_narrow(&mut self, a: Expr) -> Expr {
        let width = self.width(a);
        if width == 1 {
            return a;
        }
        let half = width / 2;
        let (low, high) = (self.extract(a, 0, half), self.extract(a, half, width - half));
        let (low, high) = (self.count_ones_narrow(low), self.count_ones_narrow(high));
        let bits = u32::BITS - width.leading_zeros();
        let (low, high) = (self.zero_extend(low, bits), self.zero_extend(high, bits));
        self.binary(Op::Add, high, low)
    }

    /// The width for zero.
    pub fn leading_zeros(&mut self, a: Expr) -> Expr {
        let width = self.width(a);
        self.zeros_before(a, width, true)
    }

    /// The width for zero.
    pub fn trailing_zeros(&mut self, a: Expr) -> Expr {
        let width = self.width(a);
        self.zeros_before(a, width, false)
    }

    /// Zeros before the first one, from the top or from the bottom, as a number of `result` bits: by halves.
    fn zeros_before(&mut self, a: Expr, result: u32, from_top: bool) -> Expr {
        let width = self.width(a);
        if width == 1 {
            let zero = self.not(a);
            return self.zero_extend(zero, result);
        }
        let half = width / 2;
        let (low, high) = (self.extract(a, 0, half), self.extract(a, half, width - half));
        let (first, second) = if from_top { (high, low) } else { (low, high) };
        let passed = self.small(result, u64::from(self.width(first)));
        let none = self.zero(self.width(first));
        let first_is_zero = self.compare(Op::Equal, first, none);
        let (in_first, in_second) =
            (self.zeros_before(first, result, from_top), self.zeros_before(second, result, from_top));
        let beyond = self.binary(Op::Add, in_second, passed);
        self.ite(first_is_zero, beyond, in_first)
    }

    /// The bytes in opposite order; the width is a multiple of 8.
    pub fn swap_bytes(&mut self, a: Expr) -> Expr {
        self.reverse(a, 8)
    }

    pub fn reverse_bits(&mut self, a: Expr) -> Expr {
        self.reverse(a, 1)
    }

    /// Pieces of `size` bits in opposite order.
    fn reverse(&mut self, a: Expr, size: u32) -> Expr {
        let width = self.width(a);
        debug_assert_eq!(width % size, 0);
        // The highest piece becomes the lowest: it is built first.
        let mut result = self.extract(a, width - size, size);
        for low in (0..width - size).step_by(size as usize).collect::<Vec<_>>().into_iter().rev() {
            let piece = self.extract(a, low, size);
            result = self.concat(piece, result);
        }
        result
    }
}
