//! Float operations, as `symcrete_expr::float::word` has them. Single and double precision are the machine's own, NaNs
//! included: the first operand that is one, made quiet, or else the negative one without payload. This holds as the
//! code generator keeps the operands of what it emits in order; tests compare the bits.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use symcrete_expr::FloatKind;
use symcrete_expr::dag::{FloatOperation, Rounding};

use super::NotCompilable;
use super::calls::helper;
use super::translate::{Form, Translator};
use crate::tape::Slot;

/// What a conversion to an integer of 64 bits gives where that does not fit.
const INDEFINITE: u64 = 1 << 63;

/// The formats that the machine computes in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Precision {
    Single,
    Double,
}

impl Precision {
    pub fn of(kind: FloatKind) -> Result<Precision, NotCompilable> {
        match kind {
            FloatKind::Single => Ok(Precision::Single),
            FloatKind::Double => Ok(Precision::Double),
            _ => Err(NotCompilable::Float),
        }
    }

    fn form(self, value: Value) -> Form {
        match self {
            Precision::Single => Form::Single(value),
            Precision::Double => Form::Double(value),
        }
    }
}

impl Translator<'_, '_> {
    pub(super) fn operand(&mut self, precision: Precision, slot: Slot) -> Value {
        match precision {
            Precision::Single => self.single(slot),
            Precision::Double => self.double(slot),
        }
    }

    /// The widths are those of the result and of the first operand.
    pub(super) fn float(
        &mut self,
        operation: FloatOperation,
        kind: FloatKind,
        rounding: Rounding,
        (width, operand): (u32, u32),
        operands: [Slot; 3],
    ) -> Result<Form, NotCompilable> {
        use FloatOperation::*;
        let precision = Precision::of(kind)?;
        let [a, b, _] = operands;
        let rounds = matches!(operation, Add | Sub | Mul | Div | SquareRoot | MultiplyAdd | FromSigned | FromUnsigned);
        if rounds && rounding != Rounding::NearestEven {
            return Err(NotCompilable::Float);
        }
        Ok(match operation {
            Add | Sub | Mul | Div => self.float_arithmetic(operation, precision, a, b),
            SquareRoot => {
                let a = self.operand(precision, a);
                precision.form(self.builder.ins().sqrt(a))
            }
            Rem | MultiplyAdd => self.by_helper(helper(operation, precision), operands),
            RoundToIntegral if rounding == Rounding::NearestAway => {
                self.by_helper(helper(operation, precision), operands)
            }
            RoundToIntegral => self.round_to_integral(precision, rounding, a),
            Equal | Less | LessEqual => {
                let condition = match operation {
                    Equal => FloatCC::Equal,
                    Less => FloatCC::LessThan,
                    _ => FloatCC::LessThanOrEqual,
                };
                let (a, b) = (self.operand(precision, a), self.operand(precision, b));
                Form::Truth(self.builder.ins().fcmp(condition, a, b))
            }
            ToSigned => self.signed_integer(precision, width, a),
            ToUnsigned => self.unsigned_integer(precision, width, a),
            FromSigned => {
                let word = self.word(a);
                let integer = self.sign_extend(operand, word);
                self.float_of_integer(precision, true, integer)
            }
            FromUnsigned => {
                let integer = self.word(a);
                // Below 64 bits, the signed number is the same one.
                self.float_of_integer(precision, operand < 64, integer)
            }
        })
    }

    fn float_arithmetic(&mut self, operation: FloatOperation, precision: Precision, a: Slot, b: Slot) -> Form {
        let (a, b) = (self.operand(precision, a), self.operand(precision, b));
        let ins = self.builder.ins();
        precision.form(match operation {
            FloatOperation::Add => ins.fadd(a, b),
            FloatOperation::Sub => ins.fsub(a, b),
            FloatOperation::Mul => ins.fmul(a, b),
            _ => ins.fdiv(a, b),
        })
    }

    fn round_to_integral(&mut self, precision: Precision, rounding: Rounding, a: Slot) -> Form {
        let a = self.operand(precision, a);
        let ins = self.builder.ins();
        precision.form(match rounding {
            Rounding::Up => ins.ceil(a),
            Rounding::Down => ins.floor(a),
            Rounding::Zero => ins.trunc(a),
            _ => ins.nearest(a),
        })
    }

    fn float_of_integer(&mut self, precision: Precision, signed: bool, integer: Value) -> Form {
        let kind = match precision {
            Precision::Single => types::F32,
            Precision::Double => types::F64,
        };
        precision.form(match signed {
            true => self.builder.ins().fcvt_from_sint(kind, integer),
            false => self.builder.ins().fcvt_from_uint(kind, integer),
        })
    }

    /// 2^63, from which on numbers do not fit.
    fn limit(&mut self, precision: Precision) -> Value {
        match precision {
            Precision::Single => self.builder.ins().f32const(9_223_372_036_854_775_808.0f32),
            Precision::Double => self.builder.ins().f64const(9_223_372_036_854_775_808.0f64),
        }
    }

    /// Toward zero into 64 bits; "integer indefinite" for what does not fit, which is also the limit below.
    fn in_register(&mut self, precision: Precision, value: Value) -> Value {
        let saturated = self.builder.ins().fcvt_to_sint_sat(types::I64, value);
        let limit = self.limit(precision);
        let fits = self.builder.ins().fcmp(FloatCC::LessThan, value, limit);
        let indefinite = self.number(INDEFINITE);
        self.builder.ins().select(fits, saturated, indefinite)
    }

    fn signed_integer(&mut self, precision: Precision, width: u32, a: Slot) -> Form {
        let value = self.operand(precision, a);
        let wide = self.in_register(precision, value);
        if width > 32 {
            return Form::Word(self.truncate(width, wide));
        }
        // What does not fit a register of 32 bits is the indefinite of these.
        let narrow = self.sign_extend(32, wide);
        let fits = self.builder.ins().icmp(IntCC::Equal, narrow, wide);
        let indefinite = self.number(1 << 31);
        let value = self.builder.ins().select(fits, wide, indefinite);
        Form::Word(self.truncate(width, value))
    }

    /// Up to 31 bits through a signed register of 32, up to 63 through one of 64, and 64 bits in two steps around 2^63.
    fn unsigned_integer(&mut self, precision: Precision, width: u32, a: Slot) -> Form {
        if width <= 31 {
            return self.signed_integer(precision, width, a);
        }
        let value = self.operand(precision, a);
        let small = self.in_register(precision, value);
        if width < 64 {
            return Form::Word(self.truncate(width, small));
        }
        let limit = self.limit(precision);
        let moved = self.builder.ins().fsub(value, limit);
        let large = self.in_register(precision, moved);
        let sign = self.number(63);
        let negative = self.builder.ins().sshr(small, sign);
        let large = self.builder.ins().band(large, negative);
        Form::Word(self.builder.ins().bor(small, large))
    }

    pub(super) fn convert(
        &mut self,
        from: FloatKind,
        to: FloatKind,
        rounding: Rounding,
        a: Slot,
    ) -> Result<Form, NotCompilable> {
        if rounding != Rounding::NearestEven {
            return Err(NotCompilable::Float);
        }
        Ok(match (Precision::of(from)?, Precision::of(to)?) {
            (Precision::Single, Precision::Double) => {
                let a = self.single(a);
                Form::Double(self.builder.ins().fpromote(types::F64, a))
            }
            (Precision::Double, Precision::Single) => {
                let a = self.double(a);
                Form::Single(self.builder.ins().fdemote(types::F32, a))
            }
            _ => Form::Word(self.word(a)),
        })
    }
}
