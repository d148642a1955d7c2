//! Operations on values of any width, total as SMT-LIB has them.

use crate::Bits;
use crate::dag::node::Op;

/// Comparisons give one bit.
pub fn binary(op: Op, a: &Bits, b: &Bits) -> Bits {
    let boolean = |value: bool| Bits::from_u64(1, u64::from(value));
    let width = a.width();
    match op {
        Op::And => a.and(b),
        Op::Or => a.or(b),
        Op::Xor => a.xor(b),
        Op::Add => a.add(b),
        Op::Sub => a.sub(b),
        Op::Mul => a.mul(b),
        Op::UDiv => a.udiv(b).unwrap_or_else(|| Bits::ones(width)),
        Op::SDiv => a.sdiv(b).unwrap_or_else(|| match a.is_negative() {
            true => Bits::from_u64(width, 1),
            false => Bits::ones(width),
        }),
        Op::URem => a.urem(b).unwrap_or_else(|| a.clone()),
        Op::SRem => a.srem(b).unwrap_or_else(|| a.clone()),
        Op::Shl => a.shl(count(b)),
        Op::LShr => a.lshr(count(b)),
        Op::AShr => a.ashr(count(b)),
        Op::Equal => boolean(a == b),
        Op::UnsignedLess => boolean(a.unsigned_less(b)),
        Op::UnsignedLessEqual => boolean(a.unsigned_less_or_equal(b)),
        Op::SignedLess => boolean(a.signed_less(b)),
        Op::SignedLessEqual => boolean(a.signed_less_or_equal(b)),
        _ => unreachable!("{op:?} is not an operation on two vectors"),
    }
}

/// A count that does not fit shifts everything out.
fn count(bits: &Bits) -> u64 {
    bits.to_u64().unwrap_or(u64::MAX)
}
