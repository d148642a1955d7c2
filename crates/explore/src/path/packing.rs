//! Numbers and strings as few bytes, and back: seven bits of a number to a byte, a length before a string. What they mean is for others
//! to know.

pub fn pack_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

pub fn pack_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    pack_number(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Reads from the start. Everything is `None` once the bytes are at their end or make no sense.
pub struct Unpacker<'a> {
    bytes: &'a [u8],
}

impl<'a> Unpacker<'a> {
    pub fn new(bytes: &'a [u8]) -> Unpacker<'a> {
        Unpacker { bytes }
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn number(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            number |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    pub fn number_32(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    pub fn raw(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let count = usize::try_from(self.number()?).ok()?;
        self.raw(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_bytes_end() {
        assert_eq!(Unpacker::new(&[0x80]).number(), None);
        assert_eq!(Unpacker::new(&[0xFF; 20]).number(), None);
        assert_eq!(Unpacker::new(&[]).number(), None);
        assert_eq!(Unpacker::new(&[3, 1, 2]).bytes(), None);
    }
}
