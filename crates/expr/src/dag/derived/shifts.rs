//! Shifts as machines do them, funnel shifts and rotations.

use crate::dag::arena::Arena;
use crate::dag::node::{Expr, Op};

impl Arena {
    /// The count that x86-64 code uses for operands of this width (see `word::machine_shift_count` and `Bits::machine_shl`).
    fn machine_count(&mut self, count: Expr) -> Expr {
        let width = self.width(count);
        let mask = match width {
            ..=32 => 31,
            33..=64 => 63,
            65..=128 => 127,
            _ => return count,
        };
        if width < 64 && mask >= crate::word::mask(width) {
            return count;
        }
        let mask = self.small(width, mask);
        self.binary(Op::And, count, mask)
    }

    /// `shl` as x86-64 code does it for any count.
    pub fn machine_shl(&mut self, a: Expr, count: Expr) -> Expr {
        let count = self.machine_count(count);
        self.binary(Op::Shl, a, count)
    }

    /// `lshr` as x86-64 code does it for any count.
    pub fn machine_lshr(&mut self, a: Expr, count: Expr) -> Expr {
        let count = self.machine_count(count);
        self.binary(Op::LShr, a, count)
    }

    /// `ashr` as x86-64 code does it for any count.
    pub fn machine_ashr(&mut self, a: Expr, count: Expr) -> Expr {
        let count = self.machine_count(count);
        self.binary(Op::AShr, a, count)
    }

    /// The count modulo the width, and the width less that. Both fit: 2^width is more than the width.
    fn funnel_counts(&mut self, count: Expr) -> (Expr, Expr) {
        let width = self.width(count);
        let modulus = self.small(width, u64::from(width));
        let count = self.binary(Op::URem, count, modulus);
        (count, self.binary(Op::Sub, modulus, count))
    }

    /// The high half of `high:low` shifted left by the count modulo the width.
    pub fn funnel_shift_left(&mut self, high: Expr, low: Expr, count: Expr) -> Expr {
        let (count, rest) = self.funnel_counts(count);
        // With a count of 0 the other half is shifted out.
        let (upper, lower) = (self.binary(Op::Shl, high, count), self.binary(Op::LShr, low, rest));
        self.binary(Op::Or, upper, lower)
    }

    /// The low half of `high:low` shifted right by the count modulo the width.
    pub fn funnel_shift_right(&mut self, high: Expr, low: Expr, count: Expr) -> Expr {
        let (count, rest) = self.funnel_counts(count);
        let (upper, lower) = (self.binary(Op::Shl, high, rest), self.binary(Op::LShr, low, count));
        self.binary(Op::Or, upper, lower)
    }

    pub fn rotate_left(&mut self, a: Expr, count: Expr) -> Expr {
        self.funnel_shift_left(a, a, count)
    }

    pub fn rotate_right(&mut self, a: Expr, count: Expr) -> Expr {
        self.funnel_shift_right(a, a, count)
    }
}
