//! The bytes of /dev/urandom: a stream that the seed fixes. Not fit for secrets.

/// A position in the stream. A clone goes on with the same bytes.
#[derive(Clone, Copy, Hash)]
pub(super) struct RandomBytes {
    key: u64,
    position: u64,
}

impl RandomBytes {
    pub fn new(seed: u64) -> RandomBytes {
        RandomBytes { key: mix(seed), position: 0 }
    }

    pub fn next(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(count);
        for position in self.position..self.position + count as u64 {
            let word = mix(self.key.wrapping_add(position / 8));
            bytes.push(word.to_le_bytes()[(position % 8) as usize]);
        }
        self.position += count as u64;
        bytes
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014): the output of step `step` of its sequence.
fn mix(step: u64) -> u64 {
    let mut word = step.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
