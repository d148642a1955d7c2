//! What calls see, as a number of 128 bits: the same for the same, and different ones for different things, as far as chance can be relied on. Made for
//! speed: whole buffers go through here at every call that may read them.

use std::hash::{Hash, Hasher};

use symcrete_exec::State;
use symcrete_ir::FuncId;
use symcrete_memory::Cell as Content;

/// Two numbers that are the same for the same context.
pub type Context = (u64, u64);

/// What was noted, in two lanes with different multipliers, so that one tells apart what the other does not.
pub struct Noted {
    lanes: [u64; 2],
}

const MULTIPLIERS: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93];
/// Stands before bytes that are not just numbers.
const MIXED: u64 = 0xA076_1D64_78BD_642F;

impl Default for Noted {
    fn default() -> Noted {
        Noted { lanes: [0, 1] }
    }
}

impl Noted {
    pub fn new(function: FuncId) -> Noted {
        let mut noted = Noted::default();
        noted.note(u64::from(function.as_u32()));
        noted
    }

    pub fn note(&mut self, word: u64) {
        let [first, second] = &mut self.lanes;
        *first = (first.rotate_left(5) ^ word).wrapping_mul(MULTIPLIERS[0]);
        *second = (second.rotate_left(23) ^ word).wrapping_mul(MULTIPLIERS[1]);
    }

    /// What memory contains.
    pub fn note_contents(&mut self, contents: &[Content]) {
        for word in contents.chunks(8) {
            let mut bits = 0u64;
            let mut is_number = word.len() == 8;
            for (at, content) in word.iter().enumerate() {
                match *content {
                    Content::Byte { bits: byte, undefined: 0 } => bits |= u64::from(byte) << (8 * at),
                    _ => is_number = false,
                }
            }
            if is_number {
                self.note(bits);
                continue;
            }
            self.note(MIXED);
            for content in word {
                self.note(match *content {
                    Content::Byte { bits, undefined } => u64::from(bits) | u64::from(undefined) << 8,
                    Content::Part { expr, index } => 1 << 63 | u64::from(expr.as_u32()) << 16 | u64::from(index),
                });
            }
        }
    }

    /// What a function may see that is not in memory: where new memory will be, and the world outside.
    pub fn note_world(&mut self, state: &State) {
        state.memory.frontier().hash(self);
        state.inputs.len().hash(self);
        state.posix.note(self);
    }

    pub fn context(&self) -> Context {
        // The high bits know more than the low ones.
        let [first, second] = self.lanes.map(|lane| lane ^ lane >> 32);
        (first, second)
    }
}

impl Hasher for Noted {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.note(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.note(word);
    }

    fn finish(&self) -> u64 {
        self.context().0
    }
}
