//! Runs of bytes: reading, writing, copying, filling, strings. Goes page by page.

use std::rc::Rc;

use crate::access::Target;
use crate::contents::{Contents, Span};
use crate::fault::{Access, Fault};
use crate::memory::Memory;
use crate::page::{PAGE_BYTES, Page};

/// From this many pages on, a block that is set to zero gives its pages back: most of them are not written again soon.
const WORTH_DROPPING: u32 = 64;

/// Blocks up to this length, structs mostly, are first looked for in the cache.
pub(crate) const SHORT: usize = 64;

/// What lies in one page of a run of bytes.
pub(crate) struct Stretch {
    span: Span,
    pub address: u64,
    /// From the start of the span.
    pub offset: usize,
    /// From the start of the run.
    pub at: usize,
    pub length: usize,
}

impl Stretch {
    pub fn covers_span(&self) -> bool {
        self.length == self.span.length
    }
}

/// `length` bytes at `address`, all of them in `target`.
pub(crate) fn stretches(target: Target, address: u64, length: u64) -> impl Iterator<Item = Stretch> {
    let mut at = 0;
    std::iter::from_fn(move || {
        if at == length {
            return None;
        }
        let address = address + at;
        let span = target.extent.span_at(address);
        let offset = (address - span.start) as usize;
        let here = ((span.length - offset) as u64).min(length - at);
        let stretch = Stretch { span, address, offset, at: at as usize, length: here as usize };
        at += here;
        Some(stretch)
    })
}

/// Bytes from `address` on that lie in the same page.
fn room_after(target: Target, address: u64) -> u64 {
    let span = target.extent.span_at(address);
    span.start + span.length as u64 - address
}

/// Bytes before `address` that lie in the same page.
fn room_before(target: Target, address: u64) -> u64 {
    address - target.extent.span_at(address - 1).start
}

impl Memory {
    /// Fills `bytes` from `address` on, undefined bits and symbolic bytes as zero. Whether all of them were defined,
    /// which symbolic ones are not.
    pub fn read_bytes(&mut self, address: u64, bytes: &mut [u8]) -> Result<bool, Fault> {
        let mut all_defined = true;
        self.each_part_read(address, bytes.len(), |page, offset, at, length| {
            page.read_bytes(offset, &mut bytes[at..at + length]);
            all_defined &= page.is_defined(offset, length);
        })?;
        Ok(all_defined)
    }

    /// Fills `bytes` and their masks of undefined bits, which are of the same length. Symbolic bytes are undefined here.
    pub fn read_bytes_masked(&mut self, address: u64, bytes: &mut [u8], masks: &mut [u8]) -> Result<(), Fault> {
        assert_eq!(bytes.len(), masks.len());
        self.each_part_read(address, bytes.len(), |page, offset, at, length| {
            page.read_bytes(offset, &mut bytes[at..at + length]);
            page.read_masks(offset, &mut masks[at..at + length]);
        })
    }

    /// For each page: the page, the offset there, the position in the run, the length there.
    pub(crate) fn each_part_read(
        &self,
        address: u64,
        length: usize,
        mut action: impl FnMut(&Page, usize, usize, usize),
    ) -> Result<(), Fault> {
        if length == 0 {
            return Ok(());
        }
        if length <= SHORT
            && let Some((page, offset)) = self.cache.borrow().for_reading(self.owner(), address, length as u32)
        {
            action(page, offset, 0, length);
            return Ok(());
        }
        let (target, record) = self.locate(address, length as u64, Access::Read)?;
        for stretch in stretches(target, address, length as u64) {
            let page = self.page_for_reading(record, stretch.address);
            action(&page, stretch.offset, stretch.at, stretch.length);
        }
        Ok(())
    }

    /// Writes bytes that are fully defined.
    pub fn write_bytes(&mut self, address: u64, bytes: &[u8]) -> Result<(), Fault> {
        self.each_part_written(address, bytes.len() as u64, |page, offset, at, length| {
            page.write_bytes(offset, &bytes[at..at + length]);
        })
    }

    /// Writes bytes of which the bits set in `masks` are undefined.
    pub fn write_bytes_masked(&mut self, address: u64, bytes: &[u8], masks: &[u8]) -> Result<(), Fault> {
        assert_eq!(bytes.len(), masks.len());
        self.each_part_written(address, bytes.len() as u64, |page, offset, at, length| {
            page.write_masked(offset, &bytes[at..at + length], &masks[at..at + length]);
        })
    }

    /// As `each_part_read`; the action must write all of the part that it is given, and only numbers.
    pub(crate) fn each_part_written(
        &mut self,
        address: u64,
        length: u64,
        mut action: impl FnMut(&Page, usize, usize, usize),
    ) -> Result<(), Fault> {
        if length == 0 {
            return Ok(());
        }
        if length <= SHORT as u64
            && let Some((page, offset)) = self.cache.borrow().for_writing(self.owner(), address, length as u32)
        {
            action(page, offset, 0, length as usize);
            return Ok(());
        }
        let target = self.locate(address, length, Access::Write)?.0;
        for stretch in stretches(target, address, length) {
            let page = self.page_for_writing(target, stretch.address, stretch.covers_span());
            action(&page, stretch.offset, stretch.at, stretch.length);
        }
        Ok(())
    }

    /// `memmove` of C. Undefined bits stay undefined, bit by bit, and symbolic bytes symbolic.
    pub fn copy(&mut self, to: u64, from: u64, length: u64) -> Result<(), Fault> {
        if length == 0 || length <= SHORT as u64 && self.copy_cached(to, from, length as usize) {
            return Ok(());
        }
        self.copy_uncached(to, from, length)
    }

    /// Copies if both blocks lie in pages that were used lately, and no news of symbolic bytes need be spread.
    fn copy_cached(&mut self, to: u64, from: u64, length: usize) -> bool {
        let (owner, cache) = (self.owner(), self.cache.borrow());
        let Some((source, source_offset)) = cache.for_reading(owner, from, length as u32) else { return false };
        let Some((target, target_offset)) = cache.for_writing(owner, to, length as u32) else { return false };
        if !source.is_defined(source_offset, length) {
            let apart = !std::ptr::eq(source, target);
            let known = target.is_noted() || !source.is_symbolic(source_offset, length);
            if apart && known {
                target.copy_from(target_offset, source, source_offset, length);
            }
            return apart && known;
        }
        // By way of a buffer, because the blocks may overlap.
        let mut bytes = [0; SHORT];
        source.read_bytes(source_offset, &mut bytes[..length]);
        target.write_bytes(target_offset, &bytes[..length]);
        true
    }

    fn copy_uncached(&mut self, to: u64, from: u64, length: u64) -> Result<(), Fault> {
        let source = self.locate(from, length, Access::Read)?.0;
        let target = self.locate(to, length, Access::Write)?.0;
        // Towards lower addresses if going up would overwrite what is still to be read.
        let downwards = to > from && to - from < length;
        let mut done = 0;
        while done < length {
            let left = length - done;
            let step = match downwards {
                false => room_after(source, from + done).min(room_after(target, to + done)).min(left),
                true => room_before(source, from + left).min(room_before(target, to + left)).min(left),
            };
            let at = if downwards { left - step } else { done };
            self.copy_within_pages(target, to + at, source, from + at, step as usize);
            done += step;
        }
        Ok(())
    }

    /// Both blocks lie in one page each.
    fn copy_within_pages(&mut self, target: Target, to: u64, source: Target, from: u64, length: usize) {
        let target_span = target.extent.span_at(to);
        let source_span = source.extent.span_at(from);
        let (offset, source_offset) = ((to - target_span.start) as usize, (from - source_span.start) as usize);
        let covered = length == target_span.length;
        let mut page = self.page_at(source, from);
        if target_span.start == source_span.start {
            page = page.copied(self.owner(), source_span.length);
        }
        let target_page = if page.is_symbolic(source_offset, length) {
            self.page_for_symbols(target, to, covered)
        } else {
            self.page_for_writing(target, to, covered)
        };
        target_page.copy_from(offset, &page, source_offset, length);
    }

    fn page_at(&self, target: Target, address: u64) -> Rc<Page> {
        match self.regions[target.kind as usize].live.get(target.granule) {
            Some(record) => self.page_for_reading(record, address),
            None => unreachable!("located, and gone without a change"),
        }
    }

    /// `memset` of C.
    pub fn fill(&mut self, address: u64, byte: u8, length: u64) -> Result<(), Fault> {
        if length == 0 {
            return Ok(());
        }
        if byte == 0 && length > SHORT as u64 {
            let target = self.locate(address, length, Access::Write)?.0;
            if target.extent.size == length && self.clear(target) {
                return Ok(());
            }
        }
        self.each_part_written(address, length, |page, offset, _, length| page.fill(offset, length, byte))
    }

    /// Makes a whole allocation zero by dropping its pages, if that is cheaper than filling them.
    fn clear(&mut self, target: Target) -> bool {
        let Some(record) = self.regions[target.kind as usize].live.get_mut(target.granule) else { return false };
        if !record.contents.is_untouched() && target.extent.pages() < WORTH_DROPPING {
            return false;
        }
        record.contents = Contents::zeroed(target.extent);
        let granules = record.granules;
        self.forget_cached(target.kind, target.granule, granules);
        true
    }

    /// The bytes from `address` to the first zero, which is left out, or `limit` bytes if none of those is zero. Undefined
    /// and symbolic bytes count as zero; see `read_concrete_c_string`.
    pub fn read_c_string(&mut self, address: u64, limit: usize) -> Result<Vec<u8>, Fault> {
        let mut text = Vec::new();
        while text.len() < limit {
            let at = address.wrapping_add(text.len() as u64);
            let target = self.locate(at, 1, Access::Read)?.0;
            let span = target.extent.span_at(at);
            let here = (span.length - (at - span.start) as usize).min(limit - text.len());
            let mut bytes = [0; PAGE_BYTES as usize];
            self.read_bytes(at, &mut bytes[..here])?;
            match bytes[..here].iter().position(|byte| *byte == 0) {
                Some(end) => {
                    text.extend_from_slice(&bytes[..end]);
                    break;
                }
                None => text.extend_from_slice(&bytes[..here]),
            }
        }
        Ok(text)
    }
}
