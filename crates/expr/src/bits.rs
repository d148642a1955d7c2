//! Bit-vectors of any width with their arithmetic: the meaning of integer operations past 64 bits.

use smallvec::SmallVec;

/// A bit-vector: `width` bits in little-endian 64-bit limbs. Bits past the width are zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    width: u32,
    limbs: SmallVec<[u64; 2]>,
}
