//! A path as a string of decisions: what was chosen wherever inputs decide, from the entry on. Executing the program along it
//! rebuilds the state; a fork shares the string with its parent.

use std::rc::Rc;

use smallvec::SmallVec;

use crate::path::packing::Unpacker;

/// Numbers, seven bits to a byte as in `packing`.
#[derive(Clone, Default)]
pub struct Decisions {
    newest: Option<Rc<Chunk>>,
}

/// Bytes in one piece before the next one is begun, if they do not repeat themselves.
const CHUNK: usize = 128;

#[derive(Clone)]
struct Chunk {
    bytes: SmallVec<[u8; 16]>,
    /// So many bytes follow that say the same again, and again: a loop may go round very often.
    again: usize,
    older: Option<Rc<Chunk>>,
}

impl Chunk {
    /// Whether a byte can be added.
    fn takes(&self, byte: u8) -> bool {
        match self.again {
            0 => self.bytes.len() < CHUNK,
            again => self.bytes[again % self.bytes.len()] == byte,
        }
    }

    fn push(&mut self, byte: u8) {
        if self.again > 0 {
            self.again += 1;
            return;
        }
        self.bytes.push(byte);
        if self.bytes.len() == CHUNK {
            let repeats = |period: &usize| self.bytes[*period..] == self.bytes[..CHUNK - period];
            if let Some(period) = (1..=CHUNK / 2).find(repeats) {
                self.bytes.truncate(period);
                self.bytes.shrink_to_fit();
                self.again = CHUNK - period;
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = u8> + '_ {
        self.bytes.iter().cycle().take(self.bytes.len() + self.again).copied()
    }
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
            Some(chunk) if chunk.takes(byte) => chunk.push(byte),
            _ => {
                let older = self.newest.take();
                self.newest = Some(Rc::new(Chunk { bytes: SmallVec::from_slice(&[byte]), again: 0, older }));
            }
        }
    }

    fn chunks(&self) -> impl Iterator<Item = &Chunk> {
        std::iter::successors(self.newest.as_deref(), |chunk| chunk.older.as_deref())
    }

    /// The first of the numbers.
    pub fn first(&self) -> Option<u64> {
        let oldest = self.chunks().last()?;
        Unpacker::new(&oldest.bytes).number()
    }

    /// All of it, for keeping and sending.
    pub fn to_bytes(&self) -> Vec<u8> {
        let chunks: Vec<&Chunk> = self.chunks().collect();
        let mut bytes = Vec::with_capacity(chunks.iter().map(|chunk| chunk.bytes.len() + chunk.again).sum());
        chunks.into_iter().rev().for_each(|chunk| bytes.extend(chunk.all()));
        bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Decisions {
        let mut decisions = Decisions::default();
        bytes.iter().for_each(|byte| decisions.push_byte(*byte));
        decisions
    }
}

/// Notes what was chosen: the proposal if there was one, then the alternative and whether its condition was added.
pub fn decide(decisions: &mut Decisions, proposal: Option<u64>, at: usize, added: bool) {
    if let Some(bits) = proposal {
        decisions.push(bits);
    }
    decisions.push((at as u64) << 1 | u64::from(added));
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn what_repeats_itself_takes_little_room() {
        for period in [1, 2, 3, 7, 60] {
            let mut decisions = Decisions::default();
            let mut expected = vec![200u64, 9];
            expected.extend((0..100_000).map(|at| at % period));
            expected.extend([5, 5, 4]);
            expected.iter().for_each(|number| decisions.push(*number));
            assert!(decisions.chunks().count() < 5, "{period}");
            let bytes = decisions.to_bytes();
            let mut reader = Unpacker::new(&bytes);
            let read: Vec<u64> = std::iter::from_fn(|| reader.number()).collect();
            assert_eq!((read, decisions.first()), (expected, Some(200)), "{period}");
        }
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
