//! Float operations that are choices and bit patterns rather than arithmetic: signs, classes, comparisons, extremes, saturating
//! conversions.

use crate::FloatKind;
use crate::dag::arena::Arena;
use crate::dag::node::{Expr, FloatOperation, Op, Rounding};
use crate::float::convert;

/// Which operand an extreme prefers.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Extreme {
    Least,
    Most,
}

impl Arena {
    fn pattern(&mut self, kind: FloatKind, pattern: u128) -> Expr {
        self.constant(&crate::Bits::from_u128(kind.bits(), pattern))
    }

    /// The sign flipped, of NaNs too.
    pub fn float_neg(&mut self, kind: FloatKind, a: Expr) -> Expr {
        let sign = self.pattern(kind, kind.sign_mask());
        self.binary(Op::Xor, a, sign)
    }

    pub fn float_abs(&mut self, kind: FloatKind, a: Expr) -> Expr {
        let magnitude = self.pattern(kind, kind.mask() & !kind.sign_mask());
        self.binary(Op::And, a, magnitude)
    }

    pub fn float_copysign(&mut self, kind: FloatKind, a: Expr, sign: Expr) -> Expr {
        let bits = kind.bits();
        let (sign, magnitude) = (self.extract(sign, bits - 1, 1), self.extract(a, 0, bits - 1));
        self.concat(sign, magnitude)
    }

    /// The exponent field, and the fraction below it.
    fn fields(&mut self, kind: FloatKind, a: Expr) -> (Expr, Expr) {
        let fraction_bits = kind.fraction_bits();
        let exponent = self.extract(a, fraction_bits, kind.bits() - 1 - fraction_bits);
        (exponent, self.extract(a, 0, fraction_bits))
    }

    fn is_zero_value(&mut self, a: Expr) -> Expr {
        let zero = self.zero(self.width(a));
        self.compare(Op::Equal, a, zero)
    }

    /// x87 only: the exponent is not zero and the leading bit is.
    fn is_unsupported(&mut self, kind: FloatKind, exponent: Expr, fraction: Expr) -> Expr {
        if !kind.stores_leading_bit() {
            return self.boolean(false);
        }
        let leading = self.extract(fraction, kind.precision() - 1, 1);
        let (denormal, absent) = (self.is_zero_value(exponent), self.not(leading));
        let with_exponent = self.not(denormal);
        self.binary(Op::And, with_exponent, absent)
    }

    /// Whether the pattern is a NaN, or an x87 pattern that is treated as one.
    pub fn float_is_nan(&mut self, kind: FloatKind, a: Expr) -> Expr {
        // Signalling and quiet NaNs; unsupported patterns count as signalling.
        self.float_is_class(kind, a, 0b11)
    }

    /// LLVM's `is.fpclass`; the mask is that of `FloatKind::is_class`.
    pub fn float_is_class(&mut self, kind: FloatKind, a: Expr, mask: u32) -> Expr {
        let (exponent, fraction) = self.fields(kind, a);
        let negative = self.extract(a, kind.bits() - 1, 1);
        let below_leading = match kind.stores_leading_bit() {
            true => self.extract(fraction, 0, kind.precision() - 1),
            false => fraction,
        };
        let unsupported = self.is_unsupported(kind, exponent, fraction);
        let supported = self.not(unsupported);
        let full = self.ones(self.width(exponent));
        let (is_full, is_empty) = (self.compare(Op::Equal, exponent, full), self.is_zero_value(exponent));
        let special = self.binary(Op::And, is_full, supported);
        let (no_payload, no_fraction) = (self.is_zero_value(below_leading), self.is_zero_value(fraction));
        let quiet = self.extract(a, kind.quiet_bit().trailing_zeros(), 1);
        let has_payload = self.not(no_payload);
        let nan = self.binary(Op::And, special, has_payload);
        let not_quiet = self.not(quiet);
        let signalling = self.binary(Op::And, nan, not_quiet);
        let between = self.binary(Op::Or, is_full, is_empty);
        let ordinary = self.not(between);
        let has_fraction = self.not(no_fraction);
        let classes = [
            (0b00_0000_0001, 0b00_0000_0001, self.binary(Op::Or, signalling, unsupported)),
            (0b00_0000_0010, 0b00_0000_0010, self.binary(Op::And, nan, quiet)),
            (0b00_0000_0100, 0b10_0000_0000, self.binary(Op::And, special, no_payload)),
            (0b00_0000_1000, 0b01_0000_0000, self.binary(Op::And, ordinary, supported)),
            (0b00_0001_0000, 0b00_1000_0000, self.binary(Op::And, is_empty, has_fraction)),
            (0b00_0010_0000, 0b00_0100_0000, self.binary(Op::And, is_empty, no_fraction)),
        ];
        let mut result = self.boolean(false);
        for (negative_bit, positive_bit, class) in classes {
            let (if_negative, if_positive) =
                (self.boolean(mask & negative_bit != 0), self.boolean(mask & positive_bit != 0));
            let wanted = self.ite(negative, if_negative, if_positive);
            let belongs = self.binary(Op::And, class, wanted);
            result = self.binary(Op::Or, result, belongs);
        }
        result
    }

    fn ordered(&mut self, operation: FloatOperation, kind: FloatKind, a: Expr, b: Expr) -> Expr {
        self.float(operation, kind, Rounding::NearestEven, 1, &[a, b])
    }

    /// LLVM's `fcmp`; the predicate is a set as in `Relation::within`: 1 equal, 2 greater, 4 less, 8 unordered.
    pub fn float_compare(&mut self, kind: FloatKind, predicate: u8, a: Expr, b: Expr) -> Expr {
        use FloatOperation::{Equal, Less, LessEqual};
        match predicate & 15 {
            0 => self.boolean(false),
            1 => self.ordered(Equal, kind, a, b),
            2 => self.ordered(Less, kind, b, a),
            3 => self.ordered(LessEqual, kind, b, a),
            4 => self.ordered(Less, kind, a, b),
            5 => self.ordered(LessEqual, kind, a, b),
            6 => {
                let (less, greater) = (self.ordered(Less, kind, a, b), self.ordered(Less, kind, b, a));
                self.binary(Op::Or, less, greater)
            }
            8 => {
                let (first, second) = (self.float_is_nan(kind, a), self.float_is_nan(kind, b));
                self.binary(Op::Or, first, second)
            }
            // The others are complements of these.
            other => {
                let complement = self.float_compare(kind, 15 - other, a, b);
                self.not(complement)
            }
        }
    }

    /// The operand with the quiet bit, as operations give back NaNs of formats of up to 64 bits.
    fn quieted(&mut self, kind: FloatKind, a: Expr) -> Expr {
        let quiet = self.pattern(kind, kind.quiet_bit());
        self.binary(Op::Or, a, quiet)
    }

    /// `llvm.minnum`: the other operand where one is a quiet NaN.
    pub fn float_minnum(&mut self, kind: FloatKind, a: Expr, b: Expr) -> Expr {
        self.extreme_number(kind, Extreme::Least, a, b)
    }

    /// `llvm.maxnum`: the other operand where one is a quiet NaN.
    pub fn float_maxnum(&mut self, kind: FloatKind, a: Expr, b: Expr) -> Expr {
        self.extreme_number(kind, Extreme::Most, a, b)
    }

    fn extreme_number(&mut self, kind: FloatKind, extreme: Extreme, a: Expr, b: Expr) -> Expr {
        if !matches!(kind, FloatKind::Single | FloatKind::Double) {
            return self.library_extreme(kind, extreme, a, b);
        }
        let (nan, beyond) = (self.float_is_nan(kind, a), self.is_beyond(kind, extreme, b, a));
        let second = self.binary(Op::Or, nan, beyond);
        self.ite(second, b, a)
    }

    /// Whether the first is strictly less, or strictly more.
    fn is_beyond(&mut self, kind: FloatKind, extreme: Extreme, a: Expr, b: Expr) -> Expr {
        match extreme {
            Extreme::Least => self.ordered(FloatOperation::Less, kind, a, b),
            Extreme::Most => self.ordered(FloatOperation::Less, kind, b, a),
        }
    }

    /// C's `fmin` as the library has it.
    pub fn float_fmin(&mut self, kind: FloatKind, a: Expr, b: Expr) -> Expr {
        self.library_extreme(kind, Extreme::Least, a, b)
    }

    /// C's `fmax` as the library has it.
    pub fn float_fmax(&mut self, kind: FloatKind, a: Expr, b: Expr) -> Expr {
        self.library_extreme(kind, Extreme::Most, a, b)
    }

    /// Half and bfloat are widened to single precision, computed there and rounded back, as the machine's code does.
    fn through_single(
        &mut self,
        kind: FloatKind,
        a: Expr,
        b: Expr,
        compute: impl FnOnce(&mut Arena, Expr, Expr) -> Expr,
    ) -> Expr {
        let nearest = Rounding::NearestEven;
        let a = self.float_convert(kind, FloatKind::Single, nearest, a);
        let b = self.float_convert(kind, FloatKind::Single, nearest, b);
        let result = compute(self, a, b);
        self.float_convert(FloatKind::Single, kind, nearest, result)
    }

    fn library_extreme(&mut self, kind: FloatKind, extreme: Extreme, a: Expr, b: Expr) -> Expr {
        match kind {
            FloatKind::Half | FloatKind::BFloat => {
                self.through_single(kind, a, b, |arena, a, b| arena.library_extreme(FloatKind::Single, extreme, a, b))
            }
            FloatKind::Single | FloatKind::Double => self.library_extreme_word(kind, extreme, a, b),
            FloatKind::X87 | FloatKind::Quad => self.library_extreme_wide(kind, extreme, a, b),
        }
    }

    /// A signalling NaN spoils the result; of two zeros the second.
    fn library_extreme_word(&mut self, kind: FloatKind, extreme: Extreme, a: Expr, b: Expr) -> Expr {
        let (nan_a, nan_b) = (self.float_is_nan(kind, a), self.float_is_nan(kind, b));
        let quiet_a = self.float_is_class(kind, a, 0b10);
        let quiet_b = self.float_is_class(kind, b, 0b10);
        let beyond = self.is_beyond(kind, extreme, a, b);
        let numbers = self.ite(beyond, a, b);
        let (first, second) = (self.quieted(kind, a), self.quieted(kind, b));
        let number_b = self.not(nan_b);
        let forgiven = self.binary(Op::And, quiet_a, number_b);
        let with_first = self.ite(forgiven, b, first);
        let with_second = self.ite(quiet_b, a, second);
        let without_first = self.ite(nan_b, with_second, numbers);
        self.ite(nan_a, with_first, without_first)
    }

    /// Of two zeros the first, except the least of x87; NaNs as a sum chooses them where none is forgiven.
    fn library_extreme_wide(&mut self, kind: FloatKind, extreme: Extreme, a: Expr, b: Expr) -> Expr {
        let (nan_a, nan_b) = (self.float_is_nan(kind, a), self.float_is_nan(kind, b));
        let quiet_a = self.float_is_class(kind, a, 0b10);
        let quiet_b = self.float_is_class(kind, b, 0b10);
        let equal_gives_second = kind == FloatKind::X87 && extreme == Extreme::Least;
        let numbers = if equal_gives_second {
            let beyond = self.is_beyond(kind, extreme, a, b);
            self.ite(beyond, a, b)
        } else {
            let beyond = self.is_beyond(kind, extreme, b, a);
            self.ite(beyond, b, a)
        };
        let sum = self.float(FloatOperation::Add, kind, Rounding::NearestEven, kind.bits(), &[a, b]);
        let both_quiet = self.binary(Op::And, quiet_a, quiet_b);
        let spoiled = if kind == FloatKind::Quad { self.ite(both_quiet, a, sum) } else { sum };
        let (number_a, number_b) = (self.not(nan_a), self.not(nan_b));
        let gives_b = self.binary(Op::And, quiet_a, number_b);
        let gives_a = self.binary(Op::And, quiet_b, number_a);
        let rest = self.ite(gives_a, a, spoiled);
        let unordered = self.ite(gives_b, b, rest);
        let either = self.binary(Op::Or, nan_a, nan_b);
        self.ite(either, unordered, numbers)
    }

    /// `llvm.minimum`: NaNs win, and -0 is less than +0.
    pub fn float_minimum(&mut self, kind: FloatKind, a: Expr, b: Expr) -> Expr {
        self.strict_extreme(kind, Extreme::Least, a, b)
    }

    /// `llvm.maximum`: NaNs win, and +0 is greater than -0.
    pub fn float_maximum(&mut self, kind: FloatKind, a: Expr, b: Expr) -> Expr {
        self.strict_extreme(kind, Extreme::Most, a, b)
    }

    fn strict_extreme(&mut self, kind: FloatKind, extreme: Extreme, a: Expr, b: Expr) -> Expr {
        let negative = self.extract(a, self.width(a) - 1, 1);
        match kind {
            FloatKind::Half | FloatKind::BFloat => {
                self.through_single(kind, a, b, |arena, a, b| arena.strict_extreme(FloatKind::Single, extreme, a, b))
            }
            FloatKind::Single | FloatKind::Double => {
                // The processor gives its second operand for equal ones: there the one of the right sign belongs.
                let swap = if extreme == Extreme::Least { negative } else { self.not(negative) };
                let (first, second) = (self.ite(swap, b, a), self.ite(swap, a, b));
                let (nan, beyond) = (self.float_is_nan(kind, first), self.is_beyond(kind, extreme, first, second));
                let takes_first = self.binary(Op::Or, nan, beyond);
                self.ite(takes_first, first, second)
            }
            FloatKind::X87 | FloatKind::Quad => {
                let nan = self.float_compare(kind, 8, a, b);
                let sum = self.float(FloatOperation::Add, kind, Rounding::NearestEven, kind.bits(), &[a, b]);
                let equal = self.ordered(FloatOperation::Equal, kind, a, b);
                let prefers_a = if extreme == Extreme::Least { negative } else { self.not(negative) };
                let same = self.ite(prefers_a, a, b);
                let beyond = self.is_beyond(kind, extreme, a, b);
                let strict = self.ite(beyond, a, b);
                let numbers = self.ite(equal, same, strict);
                self.ite(nan, sum, numbers)
            }
        }
    }

    /// `llvm.fptosi.sat` into 1 to 128 bits: the nearest limit where the result does not fit, 0 for NaN.
    pub fn float_to_signed_saturating(&mut self, kind: FloatKind, a: Expr, width: u32) -> Expr {
        let bound = convert::ldexp(kind, kind.one(), width as i32 - 1);
        let (above, below) = (self.pattern(kind, bound), self.pattern(kind, bound ^ kind.sign_mask()));
        let mut smallest = crate::Bits::zero(width);
        smallest.set_bit(width - 1, true);
        let (least, most) = (self.constant(&smallest), self.constant(&smallest.not()));
        // Infinity stands for limits that the format does not reach.
        let too_small = self.ordered(FloatOperation::LessEqual, kind, a, below);
        self.saturated(kind, FloatOperation::ToSigned, a, width, (too_small, least), (above, most))
    }

    /// `llvm.fptoui.sat` into 1 to 128 bits: the nearest limit where the result does not fit, 0 for NaN.
    pub fn float_to_unsigned_saturating(&mut self, kind: FloatKind, a: Expr, width: u32) -> Expr {
        let above = convert::ldexp(kind, kind.one(), width as i32);
        let (above, zero) = (self.pattern(kind, above), self.pattern(kind, 0));
        let (least, most) = (self.zero(width), self.ones(width));
        let too_small = self.ordered(FloatOperation::Less, kind, a, zero);
        self.saturated(kind, FloatOperation::ToUnsigned, a, width, (too_small, least), (above, most))
    }

    fn saturated(
        &mut self,
        kind: FloatKind,
        operation: FloatOperation,
        a: Expr,
        width: u32,
        (too_small, least): (Expr, Expr),
        (bound, most): (Expr, Expr),
    ) -> Expr {
        let plain = self.float(operation, kind, Rounding::Zero, width, &[a]);
        let too_large = self.ordered(FloatOperation::LessEqual, kind, bound, a);
        let (nan, zero) = (self.float_is_nan(kind, a), self.zero(width));
        let bounded = self.ite(too_large, most, plain);
        let bounded = self.ite(too_small, least, bounded);
        self.ite(nan, zero, bounded)
    }
}
