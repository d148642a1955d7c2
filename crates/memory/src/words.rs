//! Rows of 64-bit words addressed by bytes, little-endian: how pages store their bytes and their masks. Nothing here
//! knows which of the two it is.

use std::cell::Cell;

type Words = [Cell<u64>];

/// The low `bytes` bytes set; `bytes` is at least 1 and at most 8.
#[inline(always)]
fn low_bytes(bytes: usize) -> u64 {
    u64::MAX >> (64 - 8 * bytes as u32)
}

/// Up to eight bytes at `offset`.
#[inline(always)]
pub fn read(words: &Words, offset: usize, size: usize) -> u64 {
    let (index, shift) = (offset / 8, 8 * (offset % 8));
    let low = words[index].get() >> shift;
    if shift + 8 * size <= 64 {
        return low & low_bytes(size);
    }
    // Across two words, so `shift` is not zero.
    (low | words[index + 1].get() << (64 - shift)) & low_bytes(size)
}

/// Sets up to eight bytes at `offset`.
#[inline(always)]
pub fn write(words: &Words, offset: usize, size: usize, bits: u64) {
    let (index, shift) = (offset / 8, 8 * (offset % 8));
    let mask = low_bytes(size);
    let bits = bits & mask;
    let low = &words[index];
    low.set(low.get() & !(mask << shift) | bits << shift);
    if shift + 8 * size > 64 {
        let high = &words[index + 1];
        high.set(high.get() & !(mask >> (64 - shift)) | bits >> (64 - shift));
    }
}

/// A run of bytes, cut at the boundaries of words.
struct Run {
    /// Bytes before the first whole word.
    head: usize,
    first_whole: usize,
    whole: usize,
    /// Bytes after the last whole word.
    tail: usize,
}

impl Run {
    #[inline]
    fn new(offset: usize, length: usize) -> Run {
        let head = (offset.next_multiple_of(8) - offset).min(length);
        let rest = length - head;
        Run { head, first_whole: (offset + head) / 8, whole: rest / 8, tail: rest % 8 }
    }

    #[inline]
    fn words<'a>(&self, words: &'a Words) -> &'a Words {
        &words[self.first_whole..self.first_whole + self.whole]
    }

    /// Where the tail begins.
    #[inline]
    fn tail_offset(&self) -> usize {
        8 * (self.first_whole + self.whole)
    }
}

fn from_le_bytes(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

pub fn read_bytes(words: &Words, offset: usize, bytes: &mut [u8]) {
    let run = Run::new(offset, bytes.len());
    let (head, rest) = bytes.split_at_mut(run.head);
    if run.head > 0 {
        head.copy_from_slice(&read(words, offset, run.head).to_le_bytes()[..run.head]);
    }
    let (whole, tail) = rest.as_chunks_mut::<8>();
    for (bytes, word) in whole.iter_mut().zip(run.words(words)) {
        *bytes = word.get().to_le_bytes();
    }
    if run.tail > 0 {
        tail.copy_from_slice(&read(words, run.tail_offset(), run.tail).to_le_bytes()[..run.tail]);
    }
}

pub fn write_bytes(words: &Words, offset: usize, bytes: &[u8]) {
    let run = Run::new(offset, bytes.len());
    let (head, rest) = bytes.split_at(run.head);
    if run.head > 0 {
        write(words, offset, run.head, from_le_bytes(head));
    }
    let (whole, tail) = rest.as_chunks::<8>();
    for (bytes, word) in whole.iter().zip(run.words(words)) {
        word.set(u64::from_le_bytes(*bytes));
    }
    if run.tail > 0 {
        write(words, run.tail_offset(), run.tail, from_le_bytes(tail));
    }
}

/// Sets `length` bytes to the same value.
pub fn fill(words: &Words, offset: usize, length: usize, byte: u8) {
    let run = Run::new(offset, length);
    let repeated = u64::from_le_bytes([byte; 8]);
    if run.head > 0 {
        write(words, offset, run.head, repeated);
    }
    run.words(words).iter().for_each(|word| word.set(repeated));
    if run.tail > 0 {
        write(words, run.tail_offset(), run.tail, repeated);
    }
}

/// Copies `length` bytes between rows that do not overlap.
pub fn copy(to: &Words, to_offset: usize, from: &Words, from_offset: usize, length: usize) {
    let run = Run::new(to_offset, length);
    if run.head > 0 {
        write(to, to_offset, run.head, read(from, from_offset, run.head));
    }
    let begin = from_offset + run.head;
    let (index, shift) = (begin / 8, 8 * (begin % 8));
    let targets = run.words(to);
    if shift == 0 {
        targets.iter().zip(&from[index..]).for_each(|(to, from)| to.set(from.get()));
    } else if !targets.is_empty() {
        let mut low = from[index].get();
        for (to, high) in targets.iter().zip(&from[index + 1..]) {
            let high = high.get();
            to.set(low >> shift | high << (64 - shift));
            low = high;
        }
    }
    if run.tail > 0 {
        write(to, run.tail_offset(), run.tail, read(from, begin + 8 * run.whole, run.tail));
    }
}

/// Whether `length` bytes are all zero.
pub fn is_zero(words: &Words, offset: usize, length: usize) -> bool {
    let run = Run::new(offset, length);
    (run.head == 0 || read(words, offset, run.head) == 0)
        && run.words(words).iter().all(|word| word.get() == 0)
        && (run.tail == 0 || read(words, run.tail_offset(), run.tail) == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(seed: u64, length: usize) -> Vec<Cell<u64>> {
        (0..length as u64).map(|at| Cell::new((at + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect()
    }

    fn bytes(words: &Words) -> Vec<u8> {
        words.iter().flat_map(|word| word.get().to_le_bytes()).collect()
    }

    /// Every offset and length, against slices of bytes.
    #[test]
    fn agrees_with_slices() {
        for (offset, length) in (0..20).flat_map(|offset| (0..30).map(move |length| (offset, length))) {
            let range = offset..offset + length;
            let words = row(1, 8);
            let mut expected = bytes(&words);
            let mut found = vec![0; length];
            read_bytes(&words, offset, &mut found);
            assert_eq!(found, expected[range.clone()]);
            if (1..=8).contains(&length) {
                assert_eq!(read(&words, offset, length).to_le_bytes()[..length], found);
            }
            let new: Vec<u8> = (1..=length as u8).collect();
            write_bytes(&words, offset, &new);
            expected[range.clone()].copy_from_slice(&new);
            assert_eq!(bytes(&words), expected);
            assert_eq!(is_zero(&words, offset, length), length == 0);
            fill(&words, offset, length, 0);
            expected[range.clone()].fill(0);
            assert_eq!(bytes(&words), expected);
            assert!(is_zero(&words, offset, length));
            for from_offset in 0..20 {
                let source = row(9, 8);
                copy(&words, offset, &source, from_offset, length);
                expected[range.clone()].copy_from_slice(&bytes(&source)[from_offset..from_offset + length]);
                assert_eq!(bytes(&words), expected);
            }
        }
    }
}
