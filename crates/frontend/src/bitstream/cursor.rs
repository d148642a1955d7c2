//! Reading single numbers from a slice of bits. No structure above that.

use crate::decode::Problem;

/// A position in a slice of bits, with an end before which every read must stop.
#[derive(Debug, Clone)]
pub(crate) struct BitCursor<'a> {
    bytes: &'a [u8],
    /// Next bit to read; never beyond `end`.
    position: usize,
    /// The bit that must not be read any more; never beyond the bytes.
    end: usize,
}

impl<'a> BitCursor<'a> {
    /// Starts at a bit, which is moved back to the end if it lies beyond.
    pub fn new(bytes: &'a [u8], position: usize) -> Self {
        let end = bytes.len() * 8;
        BitCursor { bytes, position: position.min(end), end }
    }

    /// The next bit.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Number of bits left.
    pub fn remaining(&self) -> usize {
        self.end - self.position
    }

    /// Sets another end, which is cut to what is there and never before the position. Returns the old one.
    pub fn set_end(&mut self, end: usize) -> usize {
        let end = end.clamp(self.position, self.bytes.len() * 8);
        std::mem::replace(&mut self.end, end)
    }

    /// Goes on at another bit.
    pub fn jump(&mut self, position: usize) -> Result<(), Problem> {
        if position > self.end {
            return Err(Problem::Truncated);
        }
        self.position = position;
        Ok(())
    }

    /// Reads a number of 0 to 64 bits, least significant bit first.
    #[inline]
    pub fn read(&mut self, width: u32) -> Result<u64, Problem> {
        debug_assert!(width <= 64);
        if width as usize > self.remaining() {
            return Err(Problem::Truncated);
        }
        if width == 0 {
            return Ok(0);
        }
        let byte = self.position / 8;
        let shift = (self.position % 8) as u32;
        let mut value = self.eight_bytes(byte) >> shift;
        if shift + width > 64 {
            // The number ends in a ninth byte, which exists because the bits up to the end do; the shift is not zero.
            value |= u64::from(self.bytes.get(byte + 8).copied().unwrap_or(0)) << (64 - shift);
        }
        self.position += width as usize;
        Ok(value & (u64::MAX >> (64 - width)))
    }

    /// Eight bytes from a place on, those beyond the end being zero.
    #[inline]
    fn eight_bytes(&self, byte: usize) -> u64 {
        if let Some(chunk) = self.bytes.get(byte..byte + 8).and_then(|chunk| chunk.first_chunk::<8>()) {
            return u64::from_le_bytes(*chunk);
        }
        let rest = self.bytes.get(byte..).unwrap_or(&[]);
        rest.iter().rev().fold(0, |value, &next| value << 8 | u64::from(next))
    }

    /// Reads a number in chunks of `width` bits (2 to 32), whose highest bit says that another chunk follows.
    #[inline]
    pub fn read_variable(&mut self, width: u32) -> Result<u64, Problem> {
        debug_assert!((2..=32).contains(&width));
        let more = 1u64 << (width - 1);
        let first = self.read(width)?;
        if first & more == 0 {
            return Ok(first);
        }
        let mut value = first & (more - 1);
        let mut shift = width - 1;
        loop {
            let chunk = self.read(width)?;
            let bits = chunk & (more - 1);
            if bits != 0 {
                if shift >= 64 || bits.leading_zeros() < shift {
                    return Err(Problem::NumberTooWide);
                }
                value |= bits << shift;
            }
            if chunk & more == 0 {
                return Ok(value);
            }
            shift = shift.saturating_add(width - 1);
        }
    }

    /// Moves to the next multiple of 32 bits.
    pub fn align_to_word(&mut self) -> Result<(), Problem> {
        self.jump(self.position.next_multiple_of(32))
    }

    /// Takes whole bytes; the position must be on a byte boundary.
    pub fn read_bytes(&mut self, length: u64) -> Result<&'a [u8], Problem> {
        let start = self.position.div_ceil(8);
        let length = usize::try_from(length).map_err(|_| Problem::Truncated)?;
        if length > self.remaining() / 8 {
            return Err(Problem::Truncated);
        }
        let bytes = self.bytes.get(start..start + length).ok_or(Problem::Truncated)?;
        self.position = (start + length) * 8;
        Ok(bytes)
    }

    /// Refuses a number of elements that the remaining bits cannot hold, if each takes at least `width` bits.
    pub fn check_elements(&self, count: u64, width: u32) -> Result<(), Problem> {
        let room = (self.remaining() / width.max(1) as usize) as u64;
        if count > room { Err(Problem::Truncated) } else { Ok(()) }
    }
}
