//! Whether the result of arithmetic fits its width, and the operations that stop at the limit instead of wrapping.

use crate::dag::arena::Arena;
use crate::dag::node::{Expr, Op};

/// Arithmetic that can overflow.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    Add,
    Sub,
    Mul,
}

impl Arithmetic {
    fn op(self) -> Op {
        match self {
            Arithmetic::Add => Op::Add,
            Arithmetic::Sub => Op::Sub,
            Arithmetic::Mul => Op::Mul,
        }
    }
}

impl Arena {
    /// The wrapped result, and whether the signed one did not fit.
    pub fn overflow_signed(&mut self, arithmetic: Arithmetic, a: Expr, b: Expr) -> (Expr, Expr) {
        let result = self.binary(arithmetic.op(), a, b);
        if arithmetic == Arithmetic::Mul {
            let width = self.width(a);
            let (wide_a, wide_b) = (self.sign_extend(a, 2 * width), self.sign_extend(b, 2 * width));
            let exact = self.binary(Op::Mul, wide_a, wide_b);
            let extended = self.sign_extend(result, 2 * width);
            return (result, self.not_equal(exact, extended));
        }
        let (sign_a, sign_b) = (self.is_negative(a), self.is_negative(b));
        let sign = self.is_negative(result);
        // A sum overflows if its operands agree in sign, a difference if they do not, and its sign is not that of the first.
        let mut may = self.binary(Op::Xor, sign_a, sign_b);
        if arithmetic == Arithmetic::Add {
            may = self.not(may);
        }
        let differs = self.binary(Op::Xor, sign_a, sign);
        (result, self.binary(Op::And, may, differs))
    }

    /// The wrapped result, and whether the unsigned one did not fit.
    pub fn overflow_unsigned(&mut self, arithmetic: Arithmetic, a: Expr, b: Expr) -> (Expr, Expr) {
        let result = self.binary(arithmetic.op(), a, b);
        let overflow = match arithmetic {
            Arithmetic::Add => self.compare(Op::UnsignedLess, result, a),
            Arithmetic::Sub => self.compare(Op::UnsignedLess, a, b),
            Arithmetic::Mul => {
                let width = self.width(a);
                let (wide_a, wide_b) = (self.zero_extend(a, 2 * width), self.zero_extend(b, 2 * width));
                let exact = self.binary(Op::Mul, wide_a, wide_b);
                let (high, zero) = (self.extract(exact, width, width), self.zero(width));
                self.not_equal(high, zero)
            }
        };
        (result, overflow)
    }

    /// Whether a signed division is out of range: the smallest number divided by -1.
    pub fn sdiv_overflows(&mut self, a: Expr, b: Expr) -> Expr {
        let width = self.width(a);
        let (smallest, minus_one) = (self.signed_limit(width, true), self.ones(width));
        let (first, second) = (self.compare(Op::Equal, a, smallest), self.compare(Op::Equal, b, minus_one));
        self.binary(Op::And, first, second)
    }

    /// The largest signed number, or the smallest.
    fn signed_limit(&mut self, width: u32, negative: bool) -> Expr {
        let mut bits = crate::Bits::zero(width);
        bits.set_bit(width - 1, true);
        self.constant(&if negative { bits } else { bits.not() })
    }

    /// The limit of the operand's sign.
    fn limit_of_sign(&mut self, a: Expr) -> Expr {
        let width = self.width(a);
        let (smallest, largest) = (self.signed_limit(width, true), self.signed_limit(width, false));
        let negative = self.is_negative(a);
        self.ite(negative, smallest, largest)
    }

    /// A sum or a difference that stops at the limits of signed numbers.
    pub fn saturate_signed(&mut self, arithmetic: Arithmetic, a: Expr, b: Expr) -> Expr {
        debug_assert_ne!(arithmetic, Arithmetic::Mul, "no such instruction");
        let (result, overflow) = self.overflow_signed(arithmetic, a, b);
        let limit = self.limit_of_sign(a);
        self.ite(overflow, limit, result)
    }

    /// A sum or a difference that stops at the limits of unsigned numbers.
    pub fn saturate_unsigned(&mut self, arithmetic: Arithmetic, a: Expr, b: Expr) -> Expr {
        debug_assert_ne!(arithmetic, Arithmetic::Mul, "no such instruction");
        let (result, overflow) = self.overflow_unsigned(arithmetic, a, b);
        let width = self.width(a);
        let limit = if arithmetic == Arithmetic::Add { self.ones(width) } else { self.zero(width) };
        self.ite(overflow, limit, result)
    }

    /// A value that changes when shifted back gives the limit of its sign.
    pub fn shl_saturate_signed(&mut self, a: Expr, count: Expr) -> Expr {
        let count = self.saturating_count(a, count);
        let shifted = self.binary(Op::Shl, a, count);
        let back = self.binary(Op::AShr, shifted, count);
        let (kept, limit) = (self.compare(Op::Equal, back, a), self.limit_of_sign(a));
        self.ite(kept, shifted, limit)
    }

    pub fn shl_saturate_unsigned(&mut self, a: Expr, count: Expr) -> Expr {
        let count = self.saturating_count(a, count);
        let shifted = self.binary(Op::Shl, a, count);
        let back = self.binary(Op::LShr, shifted, count);
        let (kept, limit) = (self.compare(Op::Equal, back, a), self.ones(self.width(a)));
        self.ite(kept, shifted, limit)
    }

    /// Words mask the count as the machine does; of a wider count the low 64 bits are taken.
    fn saturating_count(&mut self, a: Expr, count: Expr) -> Expr {
        let width = self.width(a);
        let mask = match width {
            ..=5 => return count,
            6..=32 => 31,
            33..=64 => 63,
            _ => u64::MAX,
        };
        let mask = self.small(width, mask);
        self.binary(Op::And, count, mask)
    }
}
