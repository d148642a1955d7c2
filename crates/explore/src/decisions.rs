//! A path as a string of decisions: what was chosen wherever inputs decide, from the entry on. Executing the program along it
//! rebuilds the state; a fork shares the string with its parent.

use std::rc::Rc;

use smallvec::SmallVec;

/// Numbers, seven bits to a byte as in `packing`.
#[derive(Clone, Default)]
pub struct Decisions {
    newest: Option<Rc<Chunk>>,
}

/// Bytes in one piece before the next one is begun.
const CHUNK: usize = 64;

#[derive(Clone)]
struct Chunk {
    bytes: SmallVec<[u8; 16]>,
    older: Option<Rc<Chunk>>,
}

/// Piece by piece: a string may be millions of decisions long.
impl Drop for Chunk {
    fn drop(&mut self) {
        let mut next = self.older.take();
        while let Some(Ok(mut chunk)) = next.map(Rc::try_unwrap) {
            next = chunk.older.take();
        }
    }
}

impl Decisions {
    pub fn push(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.push_byte(number as u8 | 0x80);
            number >>= 7;
        }
        self.push_byte(number as u8);
    }

    fn push_byte(&mut self, byte: u8) {
        match self.newest.as_mut().and_then(Rc::get_mut) {
            Some(chunk) if chunk.bytes.len() < CHUNK => chunk.bytes.push(byte),
            _ => {
                let older = self.newest.take();
                self.newest = Some(Rc::new(Chunk { bytes: SmallVec::from_slice(&[byte]), older }));
            }
        }
    }

    /// All of it, for keeping and sending.
    pub fn to_bytes(&self) -> Vec<u8> {
        let chunks = std::iter::successors(self.newest.as_deref(), |chunk| chunk.older.as_deref());
        let chunks: Vec<&[u8]> = chunks.map(|chunk| &chunk.bytes[..]).collect();
        chunks.into_iter().rev().flatten().copied().collect()
    }

    pub fn from_bytes(bytes: &[u8]) -> Decisions {
        let mut decisions = Decisions::default();
        bytes.iter().for_each(|byte| decisions.push_byte(*byte));
        decisions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packing::Unpacker;

    #[test]
    fn what_was_pushed_is_read() {
        let numbers = [0, 1, 127, 128, 300, u64::MAX, 5, 1 << 63];
        let mut decisions = Decisions::default();
        let mut expected = Vec::new();
        for round in 0..50 {
            numbers.iter().for_each(|number| decisions.push(number ^ round));
            expected.extend(numbers.iter().map(|number| number ^ round));
        }
        let bytes = Decisions::from_bytes(&decisions.to_bytes()).to_bytes();
        let mut reader = Unpacker::new(&bytes);
        let read: Vec<u64> = std::iter::from_fn(|| reader.number()).collect();
        assert_eq!(read, expected);
        assert!(reader.is_empty());
    }

    #[test]
    fn a_fork_leaves_its_parent_alone() {
        let mut parent = Decisions::default();
        parent.push(7);
        let mut child = parent.clone();
        child.push(8);
        parent.push(9);
        assert_eq!(child.to_bytes(), [7, 8]);
        assert_eq!(parent.to_bytes(), [7, 9]);
    }

    #[test]
    fn a_long_string_is_dropped_without_recursion() {
        let mut decisions = Decisions::default();
        let mut shared = Vec::new();
        for number in 0..200_000 {
            decisions.push(number);
            if number % 3 == 0 {
                shared.push(decisions.clone());
            }
        }
        drop(shared);
        drop(decisions);
    }
}
