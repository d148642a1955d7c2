//! Operations on values of up to 64 bits, total as SMT-LIB has them.

use crate::dag::node::Op;
use crate::word;

/// `width` is that of the operands; comparisons give 0 or 1.
#[inline]
pub fn binary(op: Op, width: u32, a: u64, b: u64) -> u64 {
    match op {
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Add => word::add(width, a, b),
        Op::Sub => word::sub(width, a, b),
        Op::Mul => word::mul(width, a, b),
        Op::UDiv => word::udiv(width, a, b).unwrap_or(word::mask(width)),
        Op::SDiv => word::sdiv(width, a, b).unwrap_or(match word::is_negative(width, a) {
            true => 1,
            false => word::mask(width),
        }),
        Op::URem => word::urem(width, a, b).unwrap_or(a),
        Op::SRem => word::srem(width, a, b).unwrap_or(a),
        // The machine's shifts mask their counts, these do not.
        Op::Shl => match b < u64::from(width) {
            true => word::truncate(width, a << b),
            false => 0,
        },
        Op::LShr => match b < u64::from(width) {
            true => a >> b,
            false => 0,
        },
        Op::AShr => word::truncate(width, (word::sign_extend(width, a) >> b.min(63)) as u64),
        Op::Equal => u64::from(a == b),
        Op::UnsignedLess => u64::from(a < b),
        Op::UnsignedLessEqual => u64::from(a <= b),
        Op::SignedLess => u64::from(word::signed_less(width, a, b)),
        Op::SignedLessEqual => u64::from(word::signed_less_or_equal(width, a, b)),
        _ => unreachable!("{op:?} is not an operation on two vectors"),
    }
}
