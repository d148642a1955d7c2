//! What operations on floats become: those of SMT-LIB where these are the machine's, and more where the machine does more, as
//! `symcrete_expr::float` has it.

use symcrete_bitwuzla::{Kind, Rounding, Sort, Term};
use symcrete_expr::dag::{self, FloatOperation, Node, Op};
use symcrete_expr::float::convert;
use symcrete_expr::{Arena, Expr, FloatKind};

use super::translate::{Translator, View};
use crate::answer::Reason;

/// The formats of SMT-LIB: bits of the exponent, and of the significand with its hidden one. x87 is one of them but for its stored
/// leading bit.
pub fn format(kind: FloatKind) -> [u32; 2] {
    let exponent = kind.bits() - 1 - kind.fraction_bits();
    [exponent, kind.precision()]
}

fn sort(kind: FloatKind) -> Sort {
    let [exponent, significand] = format(kind);
    Sort::Float(exponent, significand)
}

/// Patterns and numbers.
impl Translator {
    pub fn float_of_bits(&mut self, expr: Expr, kind: FloatKind) -> Term {
        let pattern = self.seen(expr, View::Plain);
        match kind {
            FloatKind::X87 => self.float_of_x87(pattern),
            _ => self.float_of_pattern(pattern, kind),
        }
    }

    pub fn float_of_pattern(&mut self, pattern: Term, kind: FloatKind) -> Term {
        self.context.term_indexed(Kind::FloatFromPattern, &[pattern], &format(kind))
    }

    /// From the 80 bits with the leading one stored. Where that contradicts the exponent, the processor sees no number; a
    /// denormal that has it is the normal number that it equals.
    fn float_of_x87(&mut self, pattern: Term) -> Term {
        let sign = self.extract(pattern, 79, 1);
        let exponent = self.extract(pattern, 64, 15);
        let leading = self.extract(pattern, 63, 1);
        let fraction = self.extract(pattern, 0, 63);
        let no_exponent = self.context.bits(15, &[0]);
        let is_denormal = self.context.term(Kind::Equal, &[exponent, no_exponent]);
        let of_leading = self.context.term_indexed(Kind::BitsZeroExtend, &[leading], &[14]);
        let effective = self.context.term(Kind::Ite, &[is_denormal, of_leading, exponent]);
        let pattern = self.context.term(Kind::BitsConcat, &[sign, effective, fraction]);
        let number = self.float_of_pattern(pattern, FloatKind::X87);
        let one = self.context.bits(1, &[1]);
        let has_leading = self.context.term(Kind::Equal, &[leading, one]);
        let is_supported = self.context.term(Kind::Or, &[is_denormal, has_leading]);
        let nan = self.context.bits(79, &[u64::MAX, u64::MAX]);
        let nan = self.float_of_pattern(nan, FloatKind::X87);
        self.context.term(Kind::Ite, &[is_supported, number, nan])
    }

    /// Bits that are open, and the number that they mean. Only bits that an operation can give.
    pub fn fresh_pattern(&mut self, kind: FloatKind) -> (Term, Term) {
        if kind != FloatKind::X87 {
            let bits = self.context.fresh(Sort::Bits(kind.bits()));
            return (bits, self.float_of_pattern(bits, kind));
        }
        let compact = self.context.fresh(Sort::Bits(79));
        let number = self.float_of_pattern(compact, kind);
        let (top, fraction) = (self.extract(compact, 63, 16), self.extract(compact, 0, 63));
        let exponent = self.extract(compact, 63, 15);
        let (none, zero, one) = (self.context.bits(15, &[0]), self.context.bits(1, &[0]), self.context.bits(1, &[1]));
        let is_denormal = self.context.term(Kind::Equal, &[exponent, none]);
        let leading = self.context.term(Kind::Ite, &[is_denormal, zero, one]);
        (self.context.term(Kind::BitsConcat, &[top, leading, fraction]), number)
    }

    /// What is known of the bits of a NaN that an operation gave: all of them where no operand is a NaN, otherwise only that it is
    /// quiet, because to say more takes the bits of the operands.
    pub fn nan_rule(&mut self, node: &Node, kind: FloatKind, float: Term, bits: Term) -> Option<Term> {
        let Op::Float(operation, ..) = node.op else { return None };
        if matches!(operation, FloatOperation::Rem | FloatOperation::FromSigned | FloatOperation::FromUnsigned) {
            return None;
        }
        let operands = [node.first(), node.second(), node.third()];
        let nan_operands: Vec<Term> = operands[..operation.operands()]
            .iter()
            .map(|operand| {
                let operand = self.seen(*operand, View::Float(kind));
                self.context.term(Kind::FloatIsNan, &[operand])
            })
            .collect();
        let inherited = match nan_operands[..] {
            [only] => only,
            _ => self.context.term(Kind::Or, &nan_operands),
        };
        let default = kind.default_nan();
        let default = self.context.bits(kind.bits(), &[default as u64, (default >> 64) as u64]);
        let is_default = self.context.term(Kind::Equal, &[bits, default]);
        let quiet = self.extract(bits, kind.quiet_bit().trailing_zeros(), 1);
        let one = self.context.bits(1, &[1]);
        let is_quiet = self.context.term(Kind::Equal, &[quiet, one]);
        let rule = self.context.term(Kind::Ite, &[inherited, is_quiet, is_default]);
        let is_nan = self.context.term(Kind::FloatIsNan, &[float]);
        Some(self.context.term(Kind::Implies, &[is_nan, rule]))
    }

    pub fn extract(&mut self, term: Term, low: u32, width: u32) -> Term {
        self.context.term_indexed(Kind::BitsExtract, &[term], &[low + width - 1, low])
    }

    /// A number that the format has exactly.
    pub fn integral(&mut self, kind: FloatKind, value: i128) -> Term {
        let pattern = convert::from_signed(kind, value as u128, 128);
        // Without the leading bit, where that is stored.
        let pattern = match kind {
            FloatKind::X87 => (pattern >> 64) << 63 | pattern & (u128::MAX >> 65),
            _ => pattern,
        };
        let width = format(kind).iter().sum();
        let bits = self.context.bits(width, &[pattern as u64, (pattern >> 64) as u64]);
        self.float_of_pattern(bits, kind)
    }

    /// A power of two that the format has.
    fn power(&mut self, kind: FloatKind, power: u32) -> Term {
        let [exponent, significand] = format(kind);
        let pattern = (kind.max_exponent() as u128 + u128::from(power)) << (significand - 1);
        let bits = self.context.bits(exponent + significand, &[pattern as u64, (pattern >> 64) as u64]);
        self.float_of_pattern(bits, kind)
    }

    fn convert_kind(&mut self, float: Term, from: FloatKind, to: FloatKind, rounding: Rounding) -> Term {
        let ([from_exponent, from_significand], [to_exponent, to_significand]) = (format(from), format(to));
        // SymFPU is wrong where one part grows and the other shrinks. Single precision has room for both such formats.
        let is_mixed = (from_exponent > to_exponent) != (from_significand > to_significand)
            && from_exponent != to_exponent
            && from_significand != to_significand;
        let float = if is_mixed { self.convert(float, FloatKind::Single, rounding) } else { float };
        self.convert(float, to, rounding)
    }

    fn convert(&mut self, float: Term, to: FloatKind, rounding: Rounding) -> Term {
        let mode = self.rounding(rounding);
        self.context.term_indexed(Kind::FloatFromFloat, &[mode, float], &format(to))
    }
}

/// Arithmetic.
impl Translator {
    /// Of an operation that gives a float of this kind.
    pub fn float(&mut self, arena: &Arena, expr: Expr, node: &Node, kind: FloatKind) -> Term {
        let (operation, rounding) = match node.op {
            Op::FloatConvert(from, to, rounding) => {
                let operand = self.seen(node.first(), View::Float(from));
                return self.convert_kind(operand, from, to, mode(rounding));
            }
            Op::Float(FloatOperation::Rem, ..) => return self.leave_open(expr, sort(kind), Reason::Inexpressible),
            Op::Float(FloatOperation::FromSigned, _, rounding) => {
                return self.float_from_integer(arena, node, kind, mode(rounding), true);
            }
            Op::Float(FloatOperation::FromUnsigned, _, rounding) => {
                return self.float_from_integer(arena, node, kind, mode(rounding), false);
            }
            Op::Float(operation, _, rounding) => (operation, mode(rounding)),
            op => unreachable!("{op:?} gives no float"),
        };
        let operands = [node.first(), node.second(), node.third()];
        let operands = operands[..operation.operands()].iter().map(|operand| self.seen(*operand, View::Float(kind)));
        let mut operands: Vec<Term> = operands.collect();
        if operation == FloatOperation::SquareRoot {
            return self.square_root(expr, operands[0], kind, rounding);
        }
        // The machine's code computes this one in a larger format and rounds twice. For the others that makes no difference: a
        // quotient or a root of the small formats is never so near to the middle between two of their numbers.
        let detour = match (operation, rounding, kind) {
            (FloatOperation::MultiplyAdd, Rounding::NearestEven, FloatKind::Half) => Some(FloatKind::Double),
            (FloatOperation::MultiplyAdd, Rounding::NearestEven, FloatKind::BFloat) => Some(FloatKind::Single),
            _ => None,
        };
        if let Some(larger) = detour {
            operands = operands.into_iter().map(|operand| self.convert(operand, larger, rounding)).collect();
        }
        operands.insert(0, self.rounding(rounding));
        let result = self.context.term(arithmetic_of(operation), &operands);
        if detour.is_some() { self.convert(result, kind, rounding) } else { result }
    }

    fn float_from_integer(
        &mut self,
        arena: &Arena,
        node: &Node,
        kind: FloatKind,
        rounding: Rounding,
        signed: bool,
    ) -> Term {
        let mut integer = self.seen(node.first(), View::Plain);
        let width = arena.width(node.first());
        if width > 128 {
            integer = self.extract(integer, 0, 128);
        }
        let (operation, extend) = match signed {
            true => (Kind::FloatFromSigned, Kind::BitsSignExtend),
            false => (Kind::FloatFromUnsigned, Kind::BitsZeroExtend),
        };
        // SymFPU is wrong for integers of about as many bits as the significand has.
        let enough = kind.precision().max(FloatKind::Single.precision()) + 3;
        if width < enough {
            integer = self.context.term_indexed(extend, &[integer], &[enough - width]);
        }
        let mode = self.rounding(rounding);
        match (kind, rounding) {
            // Rounded twice, as the machine's code does it.
            (FloatKind::Half | FloatKind::BFloat, Rounding::NearestEven) => {
                let single = self.context.term_indexed(operation, &[mode, integer], &format(FloatKind::Single));
                self.convert(single, kind, rounding)
            }
            _ => self.context.term_indexed(operation, &[mode, integer], &format(kind)),
        }
    }
}

/// Conversions to integers; see `convert::to_signed` and `convert::to_unsigned`, whose cases these are.
impl Translator {
    pub fn float_to_integer(&mut self, expr: Expr, float: Term, kind: FloatKind, width: u32, signed: bool) -> Term {
        use FloatKind::{BFloat, Double, Half, Quad, Single, X87};
        if width > 128 {
            let most = self.float_to_integer(expr, float, kind, 128, signed);
            let extend = if signed { Kind::BitsSignExtend } else { Kind::BitsZeroExtend };
            return self.context.term_indexed(extend, &[most], &[width - 128]);
        }
        match (kind, width) {
            (Quad, _) | (Half, 65..) => self.library_saturated(expr, float, kind, width, signed),
            (Half | BFloat, _) => {
                let single = self.convert(float, Single, Rounding::NearestEven);
                self.float_to_integer(expr, single, Single, width, signed)
            }
            (Single, 65..) => {
                let double = self.convert(float, Double, Rounding::NearestEven);
                self.float_to_integer(expr, double, Double, width, signed)
            }
            (_, 65..) => self.library_128(expr, float, kind, width, signed),
            (X87, 64) if !signed => self.around_sign_bit(float, kind),
            (_, 64) if !signed => self.both_sides_of_sign_bit(float, kind),
            _ => {
                // An unsigned number goes through a register whose signed numbers contain it.
                let bits = if signed { width } else { width + 1 };
                let register = match kind {
                    X87 if bits <= 16 => 16,
                    _ if bits <= 32 => 32,
                    _ => 64,
                };
                let value = self.register_value(float, kind, register);
                self.extract(value, 0, width)
            }
        }
    }

    /// Toward zero, for numbers that were found to fit.
    fn truncated(&mut self, float: Term, width: u32, signed: bool) -> Term {
        let mode = self.rounding(Rounding::Zero);
        let kind = if signed { Kind::FloatToSigned } else { Kind::FloatToUnsigned };
        self.context.term_indexed(kind, &[mode, float], &[width])
    }

    /// Whether a number, cut to an integer, fits a width. Not so for NaN.
    fn fits(&mut self, float: Term, kind: FloatKind, width: u32, signed: bool) -> Term {
        let power = if signed { width - 1 } else { width };
        let above = match signed {
            // The first number that does not fit is that of the next integer, where the format has that.
            true if width > kind.precision() && power as i32 <= kind.max_exponent() => {
                let least = self.integral(kind, i128::MIN >> (128 - width));
                self.context.term(Kind::FloatLessEqual, &[least, float])
            }
            true if power as i32 <= kind.max_exponent() => {
                let beyond = self.integral(kind, (i128::MIN >> (128 - width)) - 1);
                self.context.term(Kind::FloatLess, &[beyond, float])
            }
            true => self.is_finite(float),
            false => {
                let beyond = self.integral(kind, -1);
                self.context.term(Kind::FloatLess, &[beyond, float])
            }
        };
        let below = if power as i32 > kind.max_exponent() {
            self.is_finite(float)
        } else {
            let limit = self.power(kind, power);
            self.context.term(Kind::FloatLess, &[float, limit])
        };
        self.context.term(Kind::And, &[above, below])
    }

    pub fn is_finite(&mut self, float: Term) -> Term {
        let [infinite, nan] = [Kind::FloatIsInfinite, Kind::FloatIsNan].map(|kind| self.context.term(kind, &[float]));
        let special = self.context.term(Kind::Or, &[infinite, nan]);
        self.context.term(Kind::Not, &[special])
    }

    fn power_of_two(&mut self, width: u32, power: u32) -> Term {
        let value = 1u128 << power;
        self.context.bits(width, &[value as u64, (value >> 64) as u64])
    }

    /// What `cvtt…2si` and `fistp` do: a one and zeros where the result does not fit.
    fn register_value(&mut self, float: Term, kind: FloatKind, register: u32) -> Term {
        let fits = self.fits(float, kind, register, true);
        let value = self.truncated(float, register, true);
        let indefinite = self.power_of_two(register, register - 1);
        self.context.term(Kind::Ite, &[fits, value, indefinite])
    }

    fn less_half_range(&mut self, float: Term, kind: FloatKind) -> Term {
        let half = self.integral(kind, 1 << 63);
        let mode = self.rounding(Rounding::NearestEven);
        self.context.term(Kind::FloatSub, &[mode, float, half])
    }

    /// x87 to 64 unsigned bits: numbers from 2^63 upward are moved down first, and back after.
    fn around_sign_bit(&mut self, float: Term, kind: FloatKind) -> Term {
        let half = self.integral(kind, 1 << 63);
        let is_large = self.context.term(Kind::FloatLessEqual, &[half, float]);
        let small = self.register_value(float, kind, 64);
        let rest = self.less_half_range(float, kind);
        let rest = self.register_value(rest, kind, 64);
        let sign = self.power_of_two(64, 63);
        let large = self.context.term(Kind::BitsXor, &[rest, sign]);
        self.context.term(Kind::Ite, &[is_large, large, small])
    }

    /// SSE to 64 unsigned bits: both conversions, joined where the plain one has the sign bit.
    fn both_sides_of_sign_bit(&mut self, float: Term, kind: FloatKind) -> Term {
        let small = self.register_value(float, kind, 64);
        let rest = self.less_half_range(float, kind);
        let large = self.register_value(rest, kind, 64);
        let joined = self.context.term(Kind::BitsOr, &[small, large]);
        let zero = self.context.bits(64, &[0]);
        let is_negative = self.context.term(Kind::BitsSLess, &[small, zero]);
        self.context.term(Kind::Ite, &[is_negative, joined, small])
    }

    /// More than 64 bits by the compiler's library. What it makes of numbers that do not fit stays open.
    fn library_128(&mut self, expr: Expr, float: Term, kind: FloatKind, width: u32, signed: bool) -> Term {
        let fits = self.fits(float, kind, 128, signed);
        let value = self.truncated(float, 128, signed);
        let other = self.leave_open(expr, Sort::Bits(128), Reason::Inexpressible);
        let value = self.context.term(Kind::Ite, &[fits, value, other]);
        self.extract(value, 0, width)
    }

    /// The library's conversions by integer arithmetic: the limit of the operand's sign where the result does not fit. The sign
    /// of a NaN stays open.
    fn library_saturated(&mut self, expr: Expr, float: Term, kind: FloatKind, width: u32, signed: bool) -> Term {
        let register = if width <= 32 { 32 } else { width.next_power_of_two() };
        let signed = signed || (width < register && register <= 64);
        let fits = self.fits(float, kind, register, signed);
        let value = self.truncated(float, register, signed);
        let open = self.leave_open(expr, Sort::Boolean, Reason::NanBits);
        let is_nan = self.context.term(Kind::FloatIsNan, &[float]);
        let is_negative = self.context.term(Kind::FloatIsNegative, &[float]);
        let takes_least = self.context.term(Kind::Ite, &[is_nan, open, is_negative]);
        let least = if signed { self.power_of_two(register, register - 1) } else { self.context.bits(register, &[0]) };
        let ones = self.context.bits(register, &[u64::MAX, u64::MAX]);
        let most = if signed { self.context.term(Kind::BitsXor, &[ones, least]) } else { ones };
        let limit = self.context.term(Kind::Ite, &[takes_least, least, most]);
        let value = self.context.term(Kind::Ite, &[fits, value, limit]);
        self.extract(value, 0, width)
    }
}

fn mode(rounding: dag::Rounding) -> Rounding {
    match rounding {
        dag::Rounding::NearestEven => Rounding::NearestEven,
        dag::Rounding::NearestAway => Rounding::NearestAway,
        dag::Rounding::Up => Rounding::Up,
        dag::Rounding::Down => Rounding::Down,
        dag::Rounding::Zero => Rounding::Zero,
    }
}

fn arithmetic_of(operation: FloatOperation) -> Kind {
    match operation {
        FloatOperation::Add => Kind::FloatAdd,
        FloatOperation::Sub => Kind::FloatSub,
        FloatOperation::Mul => Kind::FloatMul,
        FloatOperation::Div => Kind::FloatDiv,
        FloatOperation::MultiplyAdd => Kind::FloatMultiplyAdd,
        FloatOperation::RoundToIntegral => Kind::FloatRoundToIntegral,
        operation => unreachable!("{operation:?} is translated by itself"),
    }
}
