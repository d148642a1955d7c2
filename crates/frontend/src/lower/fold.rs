//! Arithmetic on constants: computed where the bits are known, kept as a constant expression where addresses are in it.

use symcrete_ir::{BinaryOp, CastOp, Const, Constant, ConstantExpression, IntPredicate, Operand, Type, TypeKind};

use super::lanes::Arithmetic;
use super::{Lowering, Result, malformed};

impl Arithmetic for Lowering<'_> {
    fn binary(&mut self, op: BinaryOp, ty: Type, lhs: Operand, rhs: Operand) -> Result<Operand> {
        let (lhs, rhs) = (as_constant(lhs)?, as_constant(rhs)?);
        if !ty.is_int() {
            return Err(malformed("integer arithmetic on another type"));
        }
        if let (Some(a), Some(b)) = (self.known_word(lhs), self.known_word(rhs))
            && let Some(bits) = fold_binary(op, ty.bits(64).into(), a, b)
        {
            return Ok(self.program.word(ty, bits).into());
        }
        Ok(self.expression(ConstantExpression::Binary { op, ty, lhs, rhs }))
    }

    fn cast(&mut self, op: CastOp, from: Type, to: Type, src: Operand) -> Result<Operand> {
        let src = as_constant(src)?;
        if from == to && op == CastOp::Bitcast {
            return Ok(src.into());
        }
        let pointer_bits = self.program.layout.pointer_bits;
        if let Some(bits) = self.known_word(src)
            && let Some(bits) = fold_cast(op, from.bits(pointer_bits).into(), to.bits(pointer_bits).into(), bits)
        {
            return Ok(self.program.word(to, bits).into());
        }
        match &self.program.constants[src] {
            Constant::Undefined { .. } => {
                Ok(self.program.constant(Constant::Undefined { ty: to, variable: None }).into())
            }
            // An address that was an integer for a moment.
            Constant::Expression(ConstantExpression::Cast {
                op: CastOp::PointerToInt, to: middle, src: inner, ..
            }) if op == CastOp::IntToPointer && middle.bits(pointer_bits) >= pointer_bits => Ok((*inner).into()),
            _ => Ok(self.expression(ConstantExpression::Cast { op, from, to, src })),
        }
    }

    fn type_of(&self, operand: Operand) -> Type {
        operand.as_const().map_or(Type::BOOL, |constant| self.program.constants[constant].ty())
    }

    fn word(&mut self, ty: Type, bits: u64) -> Operand {
        zero_extended(self, ty, bits)
    }

    fn pointer_bits(&self) -> u16 {
        self.program.layout.pointer_bits
    }
}

impl Lowering<'_> {
    fn expression(&mut self, expression: ConstantExpression) -> Operand {
        self.program.constant(Constant::Expression(expression)).into()
    }

    /// The bits of a constant of at most 64 bits that is no address.
    pub fn known_word(&self, constant: Const) -> Option<u64> {
        match self.program.constants[constant] {
            Constant::Word { bits, .. } => Some(bits),
            _ => None,
        }
    }

    /// The value of a constant integer, sign-extended.
    pub fn known_integer(&self, operand: Operand) -> Option<i64> {
        match &self.program.constants[operand.as_const()?] {
            Constant::Word { ty, bits } => match ty.kind() {
                TypeKind::Int(width) => Some(sign_extend(width.into(), *bits)),
                _ => None,
            },
            // Addresses have at most 64 bits, so the rest does not matter.
            Constant::Wide { limbs, .. } => limbs.first().map(|limb| *limb as i64),
            _ => None,
        }
    }

    pub fn constant_compare(&mut self, predicate: IntPredicate, lhs: Operand, rhs: Operand) -> Result<Operand> {
        let ty = self.type_of(lhs);
        let (lhs, rhs) = (as_constant(lhs)?, as_constant(rhs)?);
        if let (Some(a), Some(b)) = (self.known_word(lhs), self.known_word(rhs)) {
            let width = ty.bits(self.program.layout.pointer_bits).into();
            let holds = compare(predicate, width, a, b);
            return Ok(self.program.word(Type::BOOL, holds.into()).into());
        }
        Ok(self.expression(ConstantExpression::IntCompare { predicate, ty, lhs, rhs }))
    }

    pub fn constant_select(&mut self, condition: Operand, if_true: Operand, if_false: Operand) -> Result<Operand> {
        let ty = self.type_of(if_true);
        let (condition, if_true, if_false) = (as_constant(condition)?, as_constant(if_true)?, as_constant(if_false)?);
        match self.known_word(condition) {
            Some(0) => Ok(if_false.into()),
            Some(_) => Ok(if_true.into()),
            None => Ok(self.expression(ConstantExpression::Select { ty, condition, if_true, if_false })),
        }
    }

    /// The sign of a float turned.
    pub fn constant_negate(&mut self, src: Operand) -> Result<Operand> {
        let ty = self.type_of(src);
        let width = ty.bits(self.program.layout.pointer_bits);
        let integer = Type::int(width);
        let bits = self.cast(CastOp::Bitcast, ty, integer, src)?;
        let one = self.word(integer, 1);
        let distance = self.word(integer, u64::from(width) - 1);
        let sign = self.binary(BinaryOp::Shl, integer, one, distance)?;
        let turned = self.binary(BinaryOp::Xor, integer, bits, sign)?;
        self.cast(CastOp::Bitcast, integer, ty, turned)
    }

    pub fn undefined(&mut self, ty: Type) -> Operand {
        self.program.constant(Constant::Undefined { ty, variable: None }).into()
    }

    pub fn zero(&mut self, ty: Type) -> Operand {
        zero_extended(self, ty, 0)
    }
}

/// A constant of any width whose low bits are these.
fn zero_extended(lowering: &mut Lowering, ty: Type, bits: u64) -> Operand {
    let width = ty.bits(lowering.program.layout.pointer_bits);
    if width <= 64 {
        return lowering.program.word(ty, truncate(width.into(), bits)).into();
    }
    let mut limbs = vec![0; usize::from(width).div_ceil(64)];
    limbs[0] = bits;
    lowering.program.constant(Constant::Wide { ty, limbs: limbs.into() }).into()
}

fn as_constant(operand: Operand) -> Result<Const> {
    operand.as_const().ok_or_else(|| malformed("a constant made of something that is none"))
}

/// The low `width` bits.
pub(crate) fn truncate(width: u32, bits: u64) -> u64 {
    if width >= 64 { bits } else { bits & ((1 << width) - 1) }
}

pub(crate) fn sign_extend(width: u32, bits: u64) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    ((bits << unused) as i64) >> unused
}

fn fold_binary(op: BinaryOp, width: u32, a: u64, b: u64) -> Option<u64> {
    let bits = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl if b < u64::from(width) => a << b,
        BinaryOp::LShr if b < u64::from(width) => a >> b,
        BinaryOp::AShr if b < u64::from(width) => (sign_extend(width, a) >> b) as u64,
        _ => return None,
    };
    Some(truncate(width, bits))
}

/// Conversions between integers and pointers; those of floats are left to whoever evaluates expressions.
fn fold_cast(op: CastOp, from: u32, to: u32, bits: u64) -> Option<u64> {
    match op {
        _ if to > 64 => None,
        CastOp::Trunc | CastOp::ZeroExtend | CastOp::PointerToInt | CastOp::IntToPointer | CastOp::Bitcast => {
            Some(truncate(to, bits))
        }
        CastOp::SignExtend => Some(truncate(to, sign_extend(from, bits) as u64)),
        _ => None,
    }
}

fn compare(predicate: IntPredicate, width: u32, a: u64, b: u64) -> bool {
    let (signed_a, signed_b) = (sign_extend(width, a), sign_extend(width, b));
    match predicate {
        IntPredicate::Eq => a == b,
        IntPredicate::Ne => a != b,
        IntPredicate::Ugt => a > b,
        IntPredicate::Uge => a >= b,
        IntPredicate::Ult => a < b,
        IntPredicate::Ule => a <= b,
        IntPredicate::Sgt => signed_a > signed_b,
        IntPredicate::Sge => signed_a >= signed_b,
        IntPredicate::Slt => signed_a < signed_b,
        IntPredicate::Sle => signed_a <= signed_b,
    }
}
