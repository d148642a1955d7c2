//! Square roots, digit by digit. SymFPU would multiply once for each digit, which makes circuits that are fifty times as large.

use symcrete_bitwuzla::{Kind, Rounding, Sort, Term};
use symcrete_expr::{Expr, FloatKind};

use super::floats::format;
use super::translate::Translator;

impl Translator {
    pub fn square_root(&mut self, expr: Expr, operand: Term, kind: FloatKind, rounding: Rounding) -> Term {
        let [exponent_bits, significand_bits] = format(kind);
        // With a larger exponent, all numbers but zero are normal.
        let wide = [exponent_bits + 2, significand_bits];
        let mode = self.rounding(rounding);
        let number = self.context.term_indexed(Kind::FloatFromFloat, &[mode, operand], &wide);
        let pattern = self.context.fresh(Sort::Bits(wide[0] + wide[1]));
        let meaning = self.context.term_indexed(Kind::FloatFromPattern, &[pattern], &wide);
        let definition = self.context.term(Kind::Equal, &[meaning, number]);
        self.define(expr, definition);
        let fraction = self.extract(pattern, 0, significand_bits - 1);
        let exponent = self.extract(pattern, significand_bits - 1, wide[0]);

        // The bias is odd, so that a field with a one at its end is an even exponent.
        let is_even = self.bit_is_set(exponent, 0);
        let radicand = self.radicand(fraction, significand_bits, is_even);
        let digits = self.root_digits(radicand, significand_bits);
        let root = self.packed_root(exponent, digits, wide[0], significand_bits);
        let root = self.context.term_indexed(Kind::FloatFromFloat, &[mode, root], &[exponent_bits, significand_bits]);

        // Negative numbers have none; zeros, infinity and NaN are their own.
        let zero = self.integral(kind, 0);
        let nan = self.context.bits(exponent_bits + significand_bits, &[u64::MAX, u64::MAX]);
        let nan = self.float_of_pattern(nan, kind);
        let is_negative = self.context.term(Kind::FloatLess, &[operand, zero]);
        let special = self.context.term(Kind::Ite, &[is_negative, nan, operand]);
        let is_positive = self.context.term(Kind::FloatLess, &[zero, operand]);
        let is_finite = self.is_finite(operand);
        let is_regular = self.context.term(Kind::And, &[is_positive, is_finite]);
        self.context.term(Kind::Ite, &[is_regular, root, special])
    }

    fn bit_is_set(&mut self, term: Term, bit: u32) -> Term {
        let (digit, one) = (self.extract(term, bit, 1), self.context.bits(1, &[1]));
        self.context.term(Kind::Equal, &[digit, one])
    }

    /// The significand as a number from 1 to below 4: two digits before the point, as many pairs behind it as there are digits of the
    /// root to come. An odd exponent lends one factor of two.
    fn radicand(&mut self, fraction: Term, significand_bits: u32, is_even: Term) -> Term {
        let behind = significand_bits + 3;
        let (zeros, one, zero) =
            (self.context.bits(behind, &[0]), self.context.bits(1, &[1]), self.context.bits(1, &[0]));
        let plain = self.context.term(Kind::BitsConcat, &[zero, one, fraction, zeros]);
        let doubled = self.context.term(Kind::BitsConcat, &[one, fraction, zero, zeros]);
        self.context.term(Kind::Ite, &[is_even, plain, doubled])
    }

    /// The leading one, the digits of the significand behind it, one more for rounding, and a last one that says whether anything is
    /// left: school method, two digits of the radicand for each of the root.
    fn root_digits(&mut self, radicand: Term, significand_bits: u32) -> Term {
        let steps = significand_bits + 2;
        let width = significand_bits + 5;
        let mut root = self.context.bits(width, &[0]);
        let mut rest = self.context.bits(width, &[0]);
        let (zero, one) = (self.context.bits(1, &[0]), self.context.bits(1, &[1]));
        let end = self.context.bits(2, &[1]);
        for step in 0..steps {
            let pair = self.extract(radicand, 2 * (steps - 1 - step), 2);
            let kept = self.extract(rest, 0, width - 2);
            rest = self.context.term(Kind::BitsConcat, &[kept, pair]);
            let kept = self.extract(root, 0, width - 2);
            let trial = self.context.term(Kind::BitsConcat, &[kept, end]);
            let fits = self.context.term(Kind::BitsULessEqual, &[trial, rest]);
            let less = self.context.term(Kind::BitsSub, &[rest, trial]);
            rest = self.context.term(Kind::Ite, &[fits, less, rest]);
            let digit = self.context.term(Kind::Ite, &[fits, one, zero]);
            let kept = self.extract(root, 0, width - 1);
            root = self.context.term(Kind::BitsConcat, &[kept, digit]);
        }
        let nothing = self.context.bits(width, &[0]);
        let is_exact = self.context.term(Kind::Equal, &[rest, nothing]);
        let sticky = self.context.term(Kind::Ite, &[is_exact, zero, one]);
        let root = self.extract(root, 0, steps);
        self.context.term(Kind::BitsConcat, &[root, sticky])
    }

    /// A float with all the digits, and half the exponent.
    fn packed_root(&mut self, exponent: Term, digits: Term, exponent_bits: u32, significand_bits: u32) -> Term {
        // Half of (field - bias), plus the bias, is half of (field + bias), rounded down for odd ones as the radicand wants it.
        let bias = (1u64 << (exponent_bits - 1)) - 1;
        let bias = self.context.bits(exponent_bits + 1, &[bias]);
        let field = self.context.term_indexed(Kind::BitsZeroExtend, &[exponent], &[1]);
        let sum = self.context.term(Kind::BitsAdd, &[field, bias]);
        let half = self.extract(sum, 1, exponent_bits);
        let sign = self.context.bits(1, &[0]);
        // Without the leading one: the rest of the significand, a digit for rounding, and the last one.
        let fraction = self.extract(digits, 0, significand_bits + 2);
        let pattern = self.context.term(Kind::BitsConcat, &[sign, half, fraction]);
        self.context.term_indexed(Kind::FloatFromPattern, &[pattern], &[exponent_bits, significand_bits + 3])
    }
}
