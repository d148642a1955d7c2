//! What a model says of a term, as bits.

/// Little-endian, as many as the width needs.
pub type Limbs = Vec<u64>;

/// The value of an array: what is not listed has the default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayValue {
    pub default: Limbs,
    /// Indices and elements; where an index comes twice, the first counts.
    pub entries: Vec<(Limbs, Limbs)>,
}

/// From binary digits, or from the words for truth values.
pub(crate) fn parse(text: &[u8]) -> Limbs {
    match text {
        b"true" => vec![1],
        b"false" => vec![0],
        digits => digits
            .rchunks(64)
            .map(|chunk| chunk.iter().fold(0, |limb, digit| limb << 1 | u64::from(*digit == b'1')))
            .collect(),
    }
}

/// Binary digits of the lowest `width` bits.
pub(crate) fn digits(width: u32, limbs: &[u64]) -> Vec<u8> {
    let bit = |index: u32| limbs.get((index / 64) as usize).is_some_and(|limb| limb >> (index % 64) & 1 == 1);
    (0..width).rev().map(|index| if bit(index) { b'1' } else { b'0' }).collect()
}
