//! Float instructions and intrinsics: words by the short way, the rest through 128 bits. What an operation does to bits is in `expr`.

use symcrete_expr::float::{self, convert};
use symcrete_expr::{Bits, FloatKind, Value};
use symcrete_ir::{FloatOp, FloatPredicate, Intrinsic, Type};

/// The same kind, as the crate that computes with it knows it.
pub fn kind_of(ty: Type) -> Option<FloatKind> {
    use symcrete_ir::FloatKind as Kind;
    Some(match ty.float_kind()? {
        Kind::Half => FloatKind::Half,
        Kind::BFloat => FloatKind::BFloat,
        Kind::Single => FloatKind::Single,
        Kind::Double => FloatKind::Double,
        Kind::X87 => FloatKind::X87,
        Kind::Quad => FloatKind::Quad,
    })
}

/// A type that the verifier has checked to be a float.
pub fn float_kind(ty: Type) -> FloatKind {
    kind_of(ty).unwrap_or(FloatKind::Double)
}

fn pattern(kind: FloatKind, value: &Value) -> u128 {
    match value {
        Value::Word(bits) => u128::from(*bits),
        other => other.to_bits(kind.bits()).low_u128(),
    }
}

/// A result; undefined if an operand is.
fn result(width: u32, bits: u128, operands: &[&Value]) -> Value {
    match operands.iter().find(|operand| matches!(operand, Value::Partial(_))) {
        Some(operand) => Value::tainted(Bits::from_u128(width, bits), operand.origin()),
        None if width <= 64 => Value::Word(bits as u64),
        None => Value::from_bits(Bits::from_u128(width, bits)),
    }
}

pub fn binary(op: FloatOp, ty: Type, a: &Value, b: &Value) -> Value {
    let kind = float_kind(ty);
    let (x, y) = (pattern(kind, a), pattern(kind, b));
    let bits = match op {
        FloatOp::Add => float::add(kind, x, y),
        FloatOp::Sub => float::sub(kind, x, y),
        FloatOp::Mul => float::mul(kind, x, y),
        FloatOp::Div => float::div(kind, x, y),
        FloatOp::Rem => float::rem(kind, x, y),
    };
    result(kind.bits(), bits, &[a, b])
}

pub fn compare(predicate: FloatPredicate, ty: Type, a: &Value, b: &Value) -> Value {
    let kind = float_kind(ty);
    let outcome = float::compare(kind, predicate.0, pattern(kind, a), pattern(kind, b));
    result(1, u128::from(outcome), &[a, b])
}

pub fn negate(ty: Type, a: &Value) -> Value {
    let kind = float_kind(ty);
    result(kind.bits(), float::neg(kind, pattern(kind, a)), &[a])
}

/// Casts from, to and between floats.
pub fn to_integer(from: Type, signed: bool, width: u32, a: &Value) -> Value {
    let kind = float_kind(from);
    let x = pattern(kind, a);
    let bits = if signed { convert::to_signed(kind, x, width) } else { convert::to_unsigned(kind, x, width) };
    result(width, bits, &[a])
}

pub fn from_integer(to: Type, signed: bool, width: u32, a: &Value) -> Value {
    let kind = float_kind(to);
    let x = a.to_bits(width.min(128)).low_u128();
    let bits = if signed { convert::from_signed(kind, x, width.min(128)) } else { convert::from_unsigned(kind, x) };
    result(kind.bits(), bits, &[a])
}

pub fn between(from: Type, to: Type, a: &Value) -> Value {
    let (from, to) = (float_kind(from), float_kind(to));
    result(to.bits(), convert::convert(from, to, pattern(from, a)), &[a])
}

/// The value of a float intrinsic; `None` if it is not one.
pub fn intrinsic(intrinsic: Intrinsic, ty: Type, args: &[Value], result_type: Option<Type>) -> Option<Value> {
    let kind = kind_of(ty)?;
    let operand = |at: usize| args.get(at).map_or(0, |arg| pattern(kind, arg));
    let (x, y) = (operand(0), operand(1));
    let width = result_type.filter(|ty| ty.is_int()).map_or(kind.bits(), |ty| u32::from(ty.int_bits()));
    let bits = match intrinsic {
        Intrinsic::Sqrt => float::sqrt(kind, x),
        Intrinsic::FloatAbs => float::abs(kind, x),
        Intrinsic::CopySign => float::copysign(kind, x, y),
        Intrinsic::Floor => float::floor(kind, x),
        Intrinsic::Ceil => float::ceil(kind, x),
        Intrinsic::Truncate => float::trunc(kind, x),
        Intrinsic::Round => float::round(kind, x),
        Intrinsic::RoundEven | Intrinsic::RoundCurrent => float::roundeven(kind, x),
        Intrinsic::FusedMultiplyAdd => float::fma(kind, x, y, operand(2)),
        Intrinsic::MinNum => float::minnum(kind, x, y),
        Intrinsic::MaxNum => float::maxnum(kind, x, y),
        Intrinsic::Minimum => float::minimum(kind, x, y),
        Intrinsic::Maximum => float::maximum(kind, x, y),
        Intrinsic::IsClass => u128::from(kind.is_class(x, args.get(1).map_or(0, Value::low_word) as u32)),
        Intrinsic::FloatToSignedSaturating => convert::to_signed_saturating(kind, x, width),
        Intrinsic::FloatToUnsignedSaturating => convert::to_unsigned_saturating(kind, x, width),
        _ => return None,
    };
    let operands: Vec<&Value> = args.iter().collect();
    Some(result(width, bits, &operands))
}
