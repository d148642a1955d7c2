//! The data layout string: byte order, pointer width, alignments of scalar types. Sizes of whole types are in `types`.

use super::{Problem, Result, malformed};

/// What a module's data layout string says; widths and alignments in bits.
#[derive(Debug, Clone)]
pub(crate) struct DataLayout {
    pub little_endian: bool,
    pointers: Vec<PointerLayout>,
    integers: Vec<(u32, u32)>,
    floats: Vec<(u32, u32)>,
    vectors: Vec<(u32, u32)>,
    aggregate_align: u32,
}

#[derive(Debug, Clone, Copy)]
struct PointerLayout {
    address_space: u32,
    bits: u32,
    align: u32,
}

/// What clang writes for x86-64, for files that name the target but not the layout.
const X86_64: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";
const X86_32: &str = "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128";

impl DataLayout {
    /// LLVM's own defaults, before the string adds to them.
    fn unspecified() -> DataLayout {
        DataLayout {
            little_endian: true,
            pointers: vec![PointerLayout { address_space: 0, bits: 64, align: 64 }],
            integers: vec![(1, 8), (8, 8), (16, 16), (32, 32), (64, 32)],
            floats: vec![(16, 16), (32, 32), (64, 64), (128, 128)],
            vectors: vec![(64, 64), (128, 128)],
            aggregate_align: 8,
        }
    }

    /// Reads a layout string; an empty one is completed from the target's name.
    pub fn parse(text: &str, triple: &str) -> Result<DataLayout> {
        let text = match text {
            "" if triple.starts_with("x86_64") => X86_64,
            "" if is_32_bit_x86(triple) => X86_32,
            _ => text,
        };
        let mut layout = DataLayout::unspecified();
        for specification in text.split('-').filter(|specification| !specification.is_empty()) {
            layout.read(specification)?;
        }
        Ok(layout)
    }

    fn read(&mut self, specification: &str) -> Result<()> {
        let mut fields = specification.split(':');
        let head = fields.next().unwrap_or_default();
        let Some(letter) = head.chars().next() else { return Ok(()) };
        let number = &head[letter.len_utf8()..];
        match letter {
            'e' => self.little_endian = true,
            'E' => self.little_endian = false,
            'p' => {
                let address_space = if number.is_empty() { 0 } else { digits(number, specification)? };
                let bits = digits(fields.next().unwrap_or_default(), specification)?;
                let align = fields.next().map_or(Ok(bits), |field| digits(field, specification))?;
                self.pointers.retain(|known| known.address_space != address_space);
                self.pointers.push(PointerLayout { address_space, bits, align });
            }
            'i' | 'f' | 'v' => {
                let bits = digits(number, specification)?;
                let align = digits(fields.next().unwrap_or_default(), specification)?;
                set(self.table(letter), bits, align);
            }
            'a' => {
                let align = digits(fields.next().unwrap_or("0"), specification)?;
                self.aggregate_align = align.max(8);
            }
            // Mangling, native widths, stack alignment, address spaces of globals, function pointers: of no effect here.
            _ => {}
        }
        Ok(())
    }

    fn table(&mut self, letter: char) -> &mut Vec<(u32, u32)> {
        match letter {
            'i' => &mut self.integers,
            'f' => &mut self.floats,
            _ => &mut self.vectors,
        }
    }

    /// Width of the pointers of an address space; those not named are like the default one.
    pub fn pointer_bits(&self, address_space: u32) -> u32 {
        self.pointer(address_space).bits
    }

    pub fn pointer_align(&self, address_space: u32) -> u64 {
        bytes(self.pointer(address_space).align)
    }

    fn pointer(&self, address_space: u32) -> PointerLayout {
        let of = |space| self.pointers.iter().find(|known| known.address_space == space);
        let fallback = PointerLayout { address_space: 0, bits: 64, align: 64 };
        of(address_space).or_else(|| of(0)).copied().unwrap_or(fallback)
    }

    /// An integer that is not named is aligned like the next wider one, or else like the widest.
    pub fn integer_align(&self, width: u32) -> u64 {
        let wider = self.integers.iter().filter(|known| known.0 >= width).min_by_key(|known| known.0);
        let widest = || self.integers.iter().max_by_key(|known| known.0);
        bytes(wider.or_else(widest).map_or(8, |known| known.1))
    }

    pub fn float_align(&self, width: u32) -> u64 {
        let known = self.floats.iter().find(|known| known.0 == width);
        known.map_or_else(|| u64::from(width.div_ceil(8)).next_power_of_two(), |known| bytes(known.1))
    }

    /// `width` is that of the whole vector, in bits.
    pub fn vector_align(&self, width: u64) -> Option<u64> {
        let known = self.vectors.iter().find(|known| u64::from(known.0) == width);
        match known {
            Some(known) => Some(bytes(known.1)),
            None => width.div_ceil(8).checked_next_power_of_two(),
        }
    }

    pub fn aggregate_align(&self) -> u64 {
        bytes(self.aggregate_align)
    }
}

/// `i386` to `i686`.
pub(crate) fn is_32_bit_x86(triple: &str) -> bool {
    let name = triple.as_bytes();
    name.len() >= 4 && name[0] == b'i' && (b'3'..=b'6').contains(&name[1]) && &name[2..4] == b"86"
}

fn set(table: &mut Vec<(u32, u32)>, bits: u32, align: u32) {
    match table.iter_mut().find(|known| known.0 == bits) {
        Some(known) => known.1 = align,
        None => table.push((bits, align)),
    }
}

fn bytes(align_bits: u32) -> u64 {
    u64::from((align_bits / 8).max(1)).next_power_of_two()
}

fn digits(text: &str, specification: &str) -> Result<u32> {
    let bad = || -> Problem { malformed(format!("the data layout says `{specification}`")) };
    let value: u32 = text.parse().map_err(|_| bad())?;
    if value < 1 << 24 { Ok(value) } else { Err(bad()) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn x86_64_before_and_since_llvm_18() {
        let old = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128";
        let layout = DataLayout::parse(old, "").unwrap();
        assert!(layout.little_endian);
        assert_eq!(layout.pointer_bits(0), 64);
        assert_eq!(layout.pointer_bits(270), 32);
        assert_eq!(layout.integer_align(64), 8);
        assert_eq!(layout.integer_align(128), 8);
        assert_eq!(layout.integer_align(24), 4);
        assert_eq!(layout.float_align(80), 16);
        let new = DataLayout::parse(X86_64, "").unwrap();
        assert_eq!(new.integer_align(128), 16);
        assert_eq!(new.vector_align(96), Some(16));
    }

    #[test]
    fn i386() {
        let layout = DataLayout::parse("", "i686-pc-linux-gnu").unwrap();
        assert_eq!(layout.pointer_bits(0), 32);
        assert_eq!(layout.integer_align(64), 4);
        assert_eq!(layout.float_align(64), 4);
        assert_eq!(layout.float_align(80), 4);
    }

    #[test]
    fn nonsense_is_an_error() {
        for text in ["p:x", "i:8", "p:99999999999", "i64"] {
            assert!(DataLayout::parse(text, "").is_err(), "{text}");
        }
        assert!(!DataLayout::parse("E-p:32:32", "").unwrap().little_endian);
    }
}
