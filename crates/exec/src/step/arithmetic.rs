//! Integer arithmetic off the short way: wide values, undefined bits, casts, findings.

use symcrete_expr::partial::wide::{self, Masked};
use symcrete_expr::{Bits, Value, word};
use symcrete_ir::{BinaryOp, CastOp, IntPredicate, Type};

use super::floats;
use crate::outcome::Ended;

/// The low bits of an address, as many as a pointer has.
#[inline(always)]
pub fn truncate(bits: u16, value: u64) -> u64 {
    word::truncate(u32::from(bits), value)
}

/// Whether a signed operation that promised not to wrap does.
pub fn wraps_signed(op: BinaryOp, width: u16, a: &Value, b: &Value) -> bool {
    let width = u32::from(width);
    let (a, b) = (a.to_bits(width), b.to_bits(width));
    match op {
        BinaryOp::Add => a.add_overflow_signed(&b).1,
        BinaryOp::Sub => a.sub_overflow_signed(&b).1,
        BinaryOp::Mul => a.mul_overflow_signed(&b).1,
        BinaryOp::Shl => b.low_u64() >= u64::from(width) || a.shl(b.low_u64()).ashr(b.low_u64()) != a,
        _ => false,
    }
}

/// The origin of what is undefined in a result.
fn origin(a: &Value, b: &Value) -> u32 {
    if a.is_defined() { b.origin() } else { a.origin() }
}

/// A binary operation on values of any shape.
pub fn binary(op: BinaryOp, width: u16, a: &Value, b: &Value) -> Result<Value, Ended> {
    let width = u32::from(width);
    let (x, y) = (a.to_bits(width), b.to_bits(width));
    let bits = match op {
        BinaryOp::Add => x.add(&y),
        BinaryOp::Sub => x.sub(&y),
        BinaryOp::Mul => x.mul(&y),
        BinaryOp::UDiv => x.udiv(&y).ok_or(Ended::DivisionByZero)?,
        BinaryOp::URem => x.urem(&y).ok_or(Ended::DivisionByZero)?,
        BinaryOp::SDiv | BinaryOp::SRem if width <= 64 && x.sdiv_overflows(&y) => return Err(Ended::DivisionOverflow),
        BinaryOp::SDiv => x.sdiv(&y).ok_or(Ended::DivisionByZero)?,
        BinaryOp::SRem => x.srem(&y).ok_or(Ended::DivisionByZero)?,
        BinaryOp::Shl => x.machine_shl(&y),
        BinaryOp::LShr => x.machine_lshr(&y),
        BinaryOp::AShr => x.machine_ashr(&y),
        BinaryOp::And => x.and(&y),
        BinaryOp::Or => x.or(&y),
        BinaryOp::Xor => x.xor(&y),
    };
    if a.is_defined() && b.is_defined() {
        return Ok(Value::from_bits(bits));
    }
    let (undefined_x, undefined_y) = (a.undefined_bits(width), b.undefined_bits(width));
    let left = Masked { bits: &x, undefined: &undefined_x };
    let right = Masked { bits: &y, undefined: &undefined_y };
    let undefined = match op {
        BinaryOp::Add | BinaryOp::Sub => wide::add(left, right),
        BinaryOp::Mul => wide::mul(left, right),
        BinaryOp::And => wide::and(left, right),
        BinaryOp::Or => wide::or(left, right),
        BinaryOp::Xor => wide::xor(left, right),
        BinaryOp::Shl => wide::shl(left, right),
        BinaryOp::LShr => wide::lshr(left, right),
        BinaryOp::AShr => wide::ashr(left, right),
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => Bits::ones(width),
    };
    Ok(Value::from_parts(bits, undefined, origin(a, b)))
}

/// An integer comparison of values of any shape.
pub fn compare(predicate: IntPredicate, width: u16, a: &Value, b: &Value) -> Value {
    let width = u32::from(width);
    let (x, y) = (a.to_bits(width), b.to_bits(width));
    let holds = match predicate {
        IntPredicate::Eq => x == y,
        IntPredicate::Ne => x != y,
        IntPredicate::Ugt => y.unsigned_less(&x),
        IntPredicate::Uge => y.unsigned_less_or_equal(&x),
        IntPredicate::Ult => x.unsigned_less(&y),
        IntPredicate::Ule => x.unsigned_less_or_equal(&y),
        IntPredicate::Sgt => y.signed_less(&x),
        IntPredicate::Sge => y.signed_less_or_equal(&x),
        IntPredicate::Slt => x.signed_less(&y),
        IntPredicate::Sle => x.signed_less_or_equal(&y),
    };
    if a.is_defined() && b.is_defined() {
        return Value::Word(u64::from(holds));
    }
    let (undefined_x, undefined_y) = (a.undefined_bits(width), b.undefined_bits(width));
    let left = Masked { bits: &x, undefined: &undefined_x };
    let right = Masked { bits: &y, undefined: &undefined_y };
    let undefined = match predicate {
        IntPredicate::Eq | IntPredicate::Ne => wide::equality(left, right),
        IntPredicate::Ugt => wide::unsigned_less(right, left),
        IntPredicate::Uge => wide::unsigned_less_or_equal(right, left),
        IntPredicate::Ult => wide::unsigned_less(left, right),
        IntPredicate::Ule => wide::unsigned_less_or_equal(left, right),
        IntPredicate::Sgt => wide::signed_less(right, left),
        IntPredicate::Sge => wide::signed_less_or_equal(right, left),
        IntPredicate::Slt => wide::signed_less(left, right),
        IntPredicate::Sle => wide::signed_less_or_equal(left, right),
    };
    Value::from_masked_word(1, u64::from(holds), u64::from(undefined), origin(a, b))
}

/// A select whose condition is not a word.
pub fn select(width: u32, condition: &Value, if_true: &Value, if_false: &Value) -> Value {
    let (choice, undefined_choice) = (condition.to_bits(1), condition.undefined_bits(1));
    let (x, y) = (if_true.to_bits(width), if_false.to_bits(width));
    let (undefined_x, undefined_y) = (if_true.undefined_bits(width), if_false.undefined_bits(width));
    let undefined = wide::select(
        Masked { bits: &choice, undefined: &undefined_choice },
        Masked { bits: &x, undefined: &undefined_x },
        Masked { bits: &y, undefined: &undefined_y },
    );
    let bits = if choice.is_zero() { y } else { x };
    Value::from_parts(bits, undefined, condition.origin())
}

/// A cast of a value of any shape.
pub fn cast(op: CastOp, from: Type, to: Type, pointer_bits: u16, value: &Value) -> Value {
    let (from_width, width) = (u32::from(from.bits(pointer_bits)), u32::from(to.bits(pointer_bits)));
    let through = |move_bits: &dyn Fn(&Bits) -> Bits| {
        let bits = move_bits(&value.to_bits(from_width));
        let undefined = move_bits(&value.undefined_bits(from_width));
        Value::from_parts(bits, undefined, value.origin())
    };
    match op {
        CastOp::Trunc => through(&|bits| bits.trunc(width)),
        CastOp::ZeroExtend => through(&|bits| bits.zext(width)),
        CastOp::SignExtend => through(&|bits| bits.sext(width)),
        CastOp::Bitcast => value.clone(),
        CastOp::PointerToInt | CastOp::IntToPointer if width < from_width => through(&|bits| bits.trunc(width)),
        CastOp::PointerToInt | CastOp::IntToPointer => through(&|bits| bits.zext(width)),
        CastOp::FloatToUnsigned => floats::to_integer(from, false, width, value),
        CastOp::FloatToSigned => floats::to_integer(from, true, width, value),
        CastOp::UnsignedToFloat => floats::from_integer(to, false, from_width, value),
        CastOp::SignedToFloat => floats::from_integer(to, true, from_width, value),
        CastOp::FloatTruncate | CastOp::FloatExtend => floats::between(from, to, value),
    }
}
