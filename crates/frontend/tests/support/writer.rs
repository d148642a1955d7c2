//! Writes bitstreams: for tests that need files which no compiler would make.

/// Bits, least significant first, with blocks and records.
#[derive(Default)]
pub struct BitWriter {
    pub bytes: Vec<u8>,
    bits: usize,
    open: Vec<Open>,
}

/// A block that has begun.
struct Open {
    /// The byte of its length.
    start: usize,
    next_abbreviation: u64,
    id_width: u32,
}

impl BitWriter {
    /// A stream that begins like bitcode.
    pub fn bitcode() -> BitWriter {
        let mut writer = BitWriter::default();
        b"BC\xC0\xDE".iter().for_each(|&byte| writer.fixed(byte.into(), 8));
        writer
    }

    pub fn fixed(&mut self, value: u64, width: u32) {
        for bit in 0..width {
            if self.bits.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((value >> bit & 1) as u8) << (self.bits % 8);
            }
            self.bits += 1;
        }
    }

    pub fn variable(&mut self, mut value: u64, width: u32) {
        let more = 1 << (width - 1);
        while value >= more {
            self.fixed(value & (more - 1) | more, width);
            value >>= width - 1;
        }
        self.fixed(value, width);
    }

    pub fn align(&mut self) {
        while !self.bits.is_multiple_of(32) {
            self.fixed(0, 1);
        }
    }

    /// The id that tells what comes next.
    pub fn id(&mut self, id: u64) {
        let width = self.open.last().map_or(2, |open| open.id_width);
        self.fixed(id, width);
    }

    pub fn begin(&mut self, block: u32) {
        self.begin_with(block, 12);
    }

    /// Begins a block with abbreviation ids of some width.
    pub fn begin_with(&mut self, block: u32, id_width: u32) {
        self.id(1);
        self.variable(block.into(), 8);
        self.variable(id_width.into(), 4);
        self.align();
        self.open.push(Open { start: self.bytes.len(), next_abbreviation: 4, id_width });
        self.fixed(0, 32);
    }

    pub fn end(&mut self) {
        self.id(0);
        self.align();
        let start = self.open.pop().unwrap().start;
        let words = (self.bytes.len() - start - 4) / 4;
        self.bytes[start..start + 4].copy_from_slice(&(words as u32).to_le_bytes());
    }

    pub fn record(&mut self, code: u32, values: &[u64]) {
        self.id(3);
        self.variable(code.into(), 6);
        self.variable(values.len() as u64, 6);
        values.iter().for_each(|&value| self.variable(value, 6));
    }

    /// A record with bytes, which needs an abbreviation of its own.
    pub fn record_with_blob(&mut self, code: u32, values: &[u64], blob: &[u8]) {
        self.id(2);
        self.variable(values.len() as u64 + 2, 5);
        self.fixed(1, 1);
        self.variable(code.into(), 8);
        for _ in values {
            self.fixed(0, 1);
            self.fixed(2, 3);
            self.variable(6, 5);
        }
        self.fixed(0, 1);
        self.fixed(5, 3);
        let next = &mut self.open.last_mut().unwrap().next_abbreviation;
        *next += 1;
        let id = *next - 1;
        self.id(id);
        values.iter().for_each(|&value| self.variable(value, 6));
        self.variable(blob.len() as u64, 6);
        self.align();
        blob.iter().for_each(|&byte| self.fixed(byte.into(), 8));
        self.align();
    }

    /// The finished stream.
    pub fn finish(mut self) -> Vec<u8> {
        self.align();
        self.bytes
    }
}
