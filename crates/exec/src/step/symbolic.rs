//! Operations on values that depend on inputs: each builds the expression of what the machine would compute. What is concrete stays
//! with `arithmetic` and `floats`; whether a value may be used at all (division by zero, addresses) is decided in `general`.

use smallvec::{SmallVec, smallvec};
use symcrete_expr::dag::{Arithmetic, FloatOperation, Op, Rounding};
use symcrete_expr::{Arena, Bits, Expr, FloatKind, Value};
use symcrete_ir::{BinaryOp, CastOp, FloatOp, FloatPredicate, IntPredicate, Intrinsic, LocId, Type};
use symcrete_memory::Part;

use super::floats;
use crate::coverage::Mark;

/// What happened on the way that a report should mention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// Bits that nobody wrote entered an expression; they count as the zeros that stand there.
    UndefinedInExpression { origin: u32 },
    /// A choice between two values, which depends on this condition and did not fork: what its sides are called, the one where the
    /// condition does not hold first.
    Choice { sides: [Mark; 2], condition: Expr },
    /// Arguments of a call were fixed to values that they can have; others are not followed.
    Concretised { function: String, loc: LocId },
}

/// The arena with what exec needs around it.
pub(crate) struct Symbolic<'a> {
    pub arena: &'a mut Arena,
    pub notes: &'a mut Vec<Note>,
}

pub(crate) fn any(values: &[&Value]) -> bool {
    values.iter().any(|value| matches!(value, Value::Expr(_)))
}

impl Symbolic<'_> {
    /// A value of any shape as an expression.
    pub fn expr(&mut self, width: u32, value: &Value) -> Expr {
        match value {
            Value::Expr(expr) => *expr,
            Value::Word(bits) => self.arena.word(width, *bits),
            Value::Wide(bits) => self.arena.constant(bits),
            Value::Partial(partial) => {
                self.notes.push(Note::UndefinedInExpression { origin: partial.origin });
                self.arena.constant(&partial.bits)
            }
        }
    }

    /// What a register gets: constants are not kept as expressions.
    pub fn value(&self, expr: Expr) -> Value {
        match self.arena.as_constant(expr) {
            Some(bits) => Value::from_bits(bits),
            None => Value::Expr(expr),
        }
    }

    /// Integer arithmetic. The divisor is known not to be zero, and the quotient to fit.
    pub fn binary(&mut self, op: BinaryOp, width: u32, a: &Value, b: &Value) -> Value {
        let (a, b) = (self.expr(width, a), self.expr(width, b));
        let arena = &mut *self.arena;
        let expr = match op {
            BinaryOp::Add => arena.binary(Op::Add, a, b),
            BinaryOp::Sub => arena.binary(Op::Sub, a, b),
            BinaryOp::Mul => arena.binary(Op::Mul, a, b),
            BinaryOp::UDiv => arena.binary(Op::UDiv, a, b),
            BinaryOp::SDiv => arena.binary(Op::SDiv, a, b),
            BinaryOp::URem => arena.binary(Op::URem, a, b),
            BinaryOp::SRem => arena.binary(Op::SRem, a, b),
            BinaryOp::Shl => arena.machine_shl(a, b),
            BinaryOp::LShr => arena.machine_lshr(a, b),
            BinaryOp::AShr => arena.machine_ashr(a, b),
            BinaryOp::And => arena.binary(Op::And, a, b),
            BinaryOp::Or => arena.binary(Op::Or, a, b),
            BinaryOp::Xor => arena.binary(Op::Xor, a, b),
        };
        self.value(expr)
    }

    /// One where a signed operation that promised not to wrap keeps its promise.
    pub fn keeps_sign(&mut self, op: BinaryOp, width: u32, a: &Value, b: &Value) -> Option<Expr> {
        let (a, b) = (self.expr(width, a), self.expr(width, b));
        let arena = &mut *self.arena;
        let wraps = match op {
            BinaryOp::Add => arena.overflow_signed(Arithmetic::Add, a, b).1,
            BinaryOp::Sub => arena.overflow_signed(Arithmetic::Sub, a, b).1,
            BinaryOp::Mul => arena.overflow_signed(Arithmetic::Mul, a, b).1,
            BinaryOp::Shl => {
                let limit = arena.word(width, u64::from(width));
                let too_far = arena.compare(Op::UnsignedLessEqual, limit, b);
                let there = arena.binary(Op::Shl, a, b);
                let back = arena.binary(Op::AShr, there, b);
                let same = arena.compare(Op::Equal, back, a);
                let lost = arena.not(same);
                arena.binary(Op::Or, too_far, lost)
            }
            _ => return None,
        };
        Some(self.arena.not(wraps))
    }

    pub fn compare(&mut self, predicate: IntPredicate, width: u32, a: &Value, b: &Value) -> Value {
        let (a, b) = (self.expr(width, a), self.expr(width, b));
        let arena = &mut *self.arena;
        let expr = match predicate {
            IntPredicate::Eq => arena.compare(Op::Equal, a, b),
            IntPredicate::Ne => {
                let equal = arena.compare(Op::Equal, a, b);
                arena.not(equal)
            }
            IntPredicate::Ugt => arena.compare(Op::UnsignedLess, b, a),
            IntPredicate::Uge => arena.compare(Op::UnsignedLessEqual, b, a),
            IntPredicate::Ult => arena.compare(Op::UnsignedLess, a, b),
            IntPredicate::Ule => arena.compare(Op::UnsignedLessEqual, a, b),
            IntPredicate::Sgt => arena.compare(Op::SignedLess, b, a),
            IntPredicate::Sge => arena.compare(Op::SignedLessEqual, b, a),
            IntPredicate::Slt => arena.compare(Op::SignedLess, a, b),
            IntPredicate::Sle => arena.compare(Op::SignedLessEqual, a, b),
        };
        self.value(expr)
    }

    pub fn select(&mut self, width: u32, condition: &Value, a: &Value, b: &Value) -> Value {
        let condition = self.expr(1, condition);
        let (a, b) = (self.expr(width, a), self.expr(width, b));
        let expr = self.arena.ite(condition, a, b);
        self.value(expr)
    }

    /// To another width: cut, or extended with zeros or signs.
    pub fn resize(&mut self, expr: Expr, width: u32, signed: bool) -> Expr {
        let from = self.arena.width(expr);
        match from.cmp(&width) {
            std::cmp::Ordering::Equal => expr,
            std::cmp::Ordering::Greater => self.arena.extract(expr, 0, width),
            std::cmp::Ordering::Less if signed => self.arena.sign_extend(expr, width),
            std::cmp::Ordering::Less => self.arena.zero_extend(expr, width),
        }
    }

    pub fn cast(&mut self, op: CastOp, from: Type, to: Type, pointer_bits: u16, value: &Value) -> Value {
        use FloatOperation::{FromSigned, FromUnsigned, ToSigned, ToUnsigned};
        let width = u32::from(to.bits(pointer_bits));
        let a = self.expr(u32::from(from.bits(pointer_bits)), value);
        let near = Rounding::NearestEven;
        let expr = match op {
            CastOp::Trunc | CastOp::ZeroExtend | CastOp::PointerToInt | CastOp::IntToPointer => {
                self.resize(a, width, false)
            }
            CastOp::SignExtend => self.resize(a, width, true),
            CastOp::Bitcast => a,
            CastOp::FloatToUnsigned => {
                self.arena.float(ToUnsigned, floats::float_kind(from), Rounding::Zero, width, &[a])
            }
            CastOp::FloatToSigned => self.arena.float(ToSigned, floats::float_kind(from), Rounding::Zero, width, &[a]),
            CastOp::UnsignedToFloat => self.arena.float(FromUnsigned, floats::float_kind(to), near, width, &[a]),
            CastOp::SignedToFloat => self.arena.float(FromSigned, floats::float_kind(to), near, width, &[a]),
            CastOp::FloatTruncate | CastOp::FloatExtend => {
                self.arena.float_convert(floats::float_kind(from), floats::float_kind(to), near, a)
            }
        };
        self.value(expr)
    }

    pub fn float_binary(&mut self, op: FloatOp, ty: Type, a: &Value, b: &Value) -> Value {
        let kind = floats::float_kind(ty);
        let operation = match op {
            FloatOp::Add => FloatOperation::Add,
            FloatOp::Sub => FloatOperation::Sub,
            FloatOp::Mul => FloatOperation::Mul,
            FloatOp::Div => FloatOperation::Div,
            FloatOp::Rem => FloatOperation::Rem,
        };
        let (a, b) = (self.expr(kind.bits(), a), self.expr(kind.bits(), b));
        let expr = self.arena.float(operation, kind, Rounding::NearestEven, kind.bits(), &[a, b]);
        self.value(expr)
    }

    pub fn float_compare(&mut self, predicate: FloatPredicate, ty: Type, a: &Value, b: &Value) -> Value {
        let kind = floats::float_kind(ty);
        let (a, b) = (self.expr(kind.bits(), a), self.expr(kind.bits(), b));
        let expr = self.arena.float_compare(kind, predicate.0, a, b);
        self.value(expr)
    }

    pub fn float_negate(&mut self, ty: Type, a: &Value) -> Value {
        let kind = floats::float_kind(ty);
        let a = self.expr(kind.bits(), a);
        let expr = self.arena.float_neg(kind, a);
        self.value(expr)
    }

    /// An intrinsic that computes; its results.
    pub fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        ty: Type,
        pointer_bits: u16,
        args: &[Value],
        result: Option<Type>,
    ) -> SmallVec<[Value; 2]> {
        if let Some(kind) = floats::kind_of(ty) {
            let width = result.filter(|ty| ty.is_int()).map_or(kind.bits(), |ty| u32::from(ty.int_bits()));
            if let Some(expr) = self.float_intrinsic(intrinsic, kind, width, args) {
                return smallvec![self.value(expr)];
            }
        }
        let width = u32::from(ty.bits(pointer_bits));
        let operands: SmallVec<[Expr; 3]> = args.iter().map(|arg| self.expr(width, arg)).collect();
        self.integer_intrinsic(intrinsic, width, &operands, result).into_iter().map(|expr| self.value(expr)).collect()
    }

    fn float_intrinsic(&mut self, intrinsic: Intrinsic, kind: FloatKind, width: u32, args: &[Value]) -> Option<Expr> {
        use FloatOperation::{MultiplyAdd, RoundToIntegral, SquareRoot};
        let bits = kind.bits();
        let operands: SmallVec<[Expr; 3]> = match intrinsic {
            Intrinsic::IsClass => smallvec![self.expr(bits, args.first()?)],
            _ => args.iter().map(|arg| self.expr(bits, arg)).collect(),
        };
        let x = *operands.first()?;
        let y = operands.get(1).copied().unwrap_or(x);
        let arena = &mut *self.arena;
        let mut round = |rounding| arena.float(RoundToIntegral, kind, rounding, bits, &[x]);
        Some(match intrinsic {
            Intrinsic::Floor => round(Rounding::Down),
            Intrinsic::Ceil => round(Rounding::Up),
            Intrinsic::Truncate => round(Rounding::Zero),
            Intrinsic::Round => round(Rounding::NearestAway),
            Intrinsic::RoundEven | Intrinsic::RoundCurrent => round(Rounding::NearestEven),
            Intrinsic::Sqrt => arena.float(SquareRoot, kind, Rounding::NearestEven, bits, &[x]),
            Intrinsic::FusedMultiplyAdd => arena.float(MultiplyAdd, kind, Rounding::NearestEven, bits, &operands),
            Intrinsic::FloatAbs => arena.float_abs(kind, x),
            Intrinsic::CopySign => arena.float_copysign(kind, x, y),
            Intrinsic::MinNum => arena.float_minnum(kind, x, y),
            Intrinsic::MaxNum => arena.float_maxnum(kind, x, y),
            Intrinsic::Minimum => arena.float_minimum(kind, x, y),
            Intrinsic::Maximum => arena.float_maximum(kind, x, y),
            Intrinsic::IsClass => arena.float_is_class(kind, x, args.get(1).map_or(0, Value::low_word) as u32),
            Intrinsic::FloatToSignedSaturating => arena.float_to_signed_saturating(kind, x, width),
            Intrinsic::FloatToUnsignedSaturating => arena.float_to_unsigned_saturating(kind, x, width),
            _ => return None,
        })
    }

    fn integer_intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        width: u32,
        operands: &[Expr],
        result: Option<Type>,
    ) -> SmallVec<[Expr; 2]> {
        let a = operands[0];
        let b = operands.get(1).copied().unwrap_or(a);
        let c = operands.get(2).copied().unwrap_or(b);
        let arena = &mut *self.arena;
        let pair = |(value, flag): (Expr, Expr)| smallvec![value, flag];
        let expr = match intrinsic {
            Intrinsic::AddOverflowSigned => return pair(arena.overflow_signed(Arithmetic::Add, a, b)),
            Intrinsic::AddOverflowUnsigned => return pair(arena.overflow_unsigned(Arithmetic::Add, a, b)),
            Intrinsic::SubOverflowSigned => return pair(arena.overflow_signed(Arithmetic::Sub, a, b)),
            Intrinsic::SubOverflowUnsigned => return pair(arena.overflow_unsigned(Arithmetic::Sub, a, b)),
            Intrinsic::MulOverflowSigned => return pair(arena.overflow_signed(Arithmetic::Mul, a, b)),
            Intrinsic::MulOverflowUnsigned => return pair(arena.overflow_unsigned(Arithmetic::Mul, a, b)),
            Intrinsic::AddSaturateSigned => arena.saturate_signed(Arithmetic::Add, a, b),
            Intrinsic::AddSaturateUnsigned => arena.saturate_unsigned(Arithmetic::Add, a, b),
            Intrinsic::SubSaturateSigned => arena.saturate_signed(Arithmetic::Sub, a, b),
            Intrinsic::SubSaturateUnsigned => arena.saturate_unsigned(Arithmetic::Sub, a, b),
            Intrinsic::ShlSaturateSigned => arena.shl_saturate_signed(a, b),
            Intrinsic::ShlSaturateUnsigned => arena.shl_saturate_unsigned(a, b),
            Intrinsic::MinSigned => arena.min_signed(a, b),
            Intrinsic::MaxSigned => arena.max_signed(a, b),
            Intrinsic::MinUnsigned => arena.min_unsigned(a, b),
            Intrinsic::MaxUnsigned => arena.max_unsigned(a, b),
            Intrinsic::Abs => arena.abs(a),
            Intrinsic::CountOnes => arena.count_ones(a),
            Intrinsic::LeadingZeros => arena.leading_zeros(a),
            Intrinsic::TrailingZeros => arena.trailing_zeros(a),
            Intrinsic::SwapBytes => arena.swap_bytes(a),
            Intrinsic::ReverseBits => arena.reverse_bits(a),
            Intrinsic::FunnelShiftLeft => arena.funnel_shift_left(a, b, c),
            Intrinsic::FunnelShiftRight => arena.funnel_shift_right(a, b, c),
            Intrinsic::CompareSigned | Intrinsic::CompareUnsigned => {
                let less = if intrinsic == Intrinsic::CompareSigned { Op::SignedLess } else { Op::UnsignedLess };
                let bits = result.map_or(width, |ty| u32::from(ty.int_bits()));
                let (below, above) = (arena.compare(less, a, b), arena.compare(less, b, a));
                let (below, above) = (arena.zero_extend(below, bits), arena.zero_extend(above, bits));
                arena.binary(Op::Sub, above, below)
            }
            other => unreachable!("{other:?} is not an integer intrinsic"),
        };
        smallvec![expr]
    }

    /// The conjunction of bytes that stand one after another in memory, the lowest first; each an expression of 8 bits.
    pub fn join(&mut self, bytes: &[Expr]) -> Expr {
        let mut whole = bytes[0];
        for byte in &bytes[1..] {
            whole = self.arena.concat(*byte, whole);
        }
        whole
    }

    /// Byte `index` of an expression, or of the elements of an array one after another.
    pub fn byte(&mut self, expr: Expr, index: u32) -> Expr {
        if !self.arena.is_array(expr) {
            return self.arena.extract(expr, index * 8, 8);
        }
        let element_bytes = self.arena.width(expr) / 8;
        let index_width = self.arena.index_width(expr);
        let at = self.arena.word(index_width, u64::from(index / element_bytes));
        let element = self.arena.select(expr, at);
        self.arena.extract(element, index % element_bytes * 8, 8)
    }

    /// Whole bytes as what they are part of, as `byte` took them: what is copied byte by byte is the same memory as what it was copied from.
    pub fn as_part(&self, expr: Expr) -> Part {
        let node = self.arena.node(expr);
        match node.op {
            Op::Extract if node.b.is_multiple_of(8) => Part { expr: node.first(), index: node.b / 8 },
            Op::Select if node.width == 8 => match self.arena.as_word(node.second()).map(u32::try_from) {
                Some(Ok(index)) => Part { expr: node.first(), index },
                _ => Part { expr, index: 0 },
            },
            _ => Part { expr, index: 0 },
        }
    }

    pub fn constant_byte(&mut self, bits: u8) -> Expr {
        self.arena.word(8, u64::from(bits))
    }

    pub fn equals(&mut self, expr: Expr, bits: u64) -> Expr {
        let constant = match self.arena.width(expr) {
            width @ 0..=64 => self.arena.word(width, bits),
            width => self.arena.constant(&Bits::from_u64(width, bits)),
        };
        self.arena.compare(Op::Equal, expr, constant)
    }
}
