//! Reading and writing words: the hot path. Also how any access gets at the page that it needs. Runs of bytes are in
//! `blocks`.

use std::rc::Rc;

use crate::allocation::{AllocationId, Kind, Record};
use crate::contents::{Extent, Found};
use crate::fault::{Access, Fault, FaultKind};
use crate::memory::Memory;
use crate::page::{Page, Word};

/// A live allocation, found by an address in it.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    pub kind: Kind,
    /// Key of the record in its region.
    pub granule: u32,
    pub extent: Extent,
    pub elastic: bool,
}

impl Memory {
    /// Reads up to eight bytes, little-endian.
    #[inline]
    pub fn read_word(&mut self, address: u64, size: u32) -> Result<Word, Fault> {
        debug_assert!((1..=8).contains(&size));
        if let Some((page, offset)) = self.cache.borrow().for_reading(self.owner(), address, size) {
            return Ok(page.read(offset, size as usize));
        }
        self.read_uncached_word(address, size)
    }

    /// Writes the low `size` bytes of `bits`, up to eight, little-endian.
    #[inline]
    pub fn write_word(&mut self, address: u64, size: u32, bits: u64) -> Result<(), Fault> {
        debug_assert!((1..=8).contains(&size));
        if let Some((page, offset)) = self.cache.borrow().for_writing(self.owner(), address, size) {
            page.write(offset, size as usize, bits);
            return Ok(());
        }
        self.write_uncached_word(address, size, bits)
    }

    #[inline(never)]
    fn read_uncached_word(&mut self, address: u64, size: u32) -> Result<Word, Fault> {
        let (target, record) = self.locate(address, u64::from(size), Access::Read)?;
        let span = target.extent.span_at(address);
        let offset = (address - span.start) as usize;
        if offset + size as usize > span.length {
            return self.read_word_across_pages(address, size);
        }
        Ok(self.page_for_reading(record, address).read(offset, size as usize))
    }

    #[cold]
    fn read_word_across_pages(&mut self, address: u64, size: u32) -> Result<Word, Fault> {
        let (mut bytes, mut masks) = ([0; 8], [0; 8]);
        let length = size as usize;
        self.read_bytes_masked(address, &mut bytes[..length], &mut masks[..length])?;
        let word = Word::new(u64::from_le_bytes(bytes), u64::from_le_bytes(masks));
        if word.undefined() != 0 && self.is_symbolic(address, u64::from(size)) {
            return Ok(Word::Symbolic);
        }
        Ok(word)
    }

    #[inline(never)]
    fn write_uncached_word(&mut self, address: u64, size: u32, bits: u64) -> Result<(), Fault> {
        let target = self.locate(address, u64::from(size), Access::Write)?.0;
        let span = target.extent.span_at(address);
        let offset = (address - span.start) as usize;
        if offset + size as usize > span.length {
            return self.write_bytes(address, &bits.to_le_bytes()[..size as usize]);
        }
        self.page_for_writing(target, address, size as usize == span.length).write(offset, size as usize, bits);
        Ok(())
    }

    /// The live allocation where `size` bytes at `address` may be accessed.
    pub(crate) fn locate(&self, address: u64, size: u64, access: Access) -> Result<(Target, &Record), Fault> {
        match self.find(address, size, access) {
            Some((target, record)) if !target.elastic => Ok((target, record)),
            Some((target, record))
                if self.is_elastic_allowed(
                    AllocationId::new(target.kind, target.granule),
                    address + size - record.base,
                ) =>
            {
                Ok((target, record))
            }
            Some((target, record)) => Err(elastic_access(record, target, address, size, access)),
            None => Err(self.bad_access(address, size, access)),
        }
    }

    /// As `locate`, no matter whether it is elastic.
    #[inline(always)]
    pub(crate) fn find(&self, address: u64, size: u64, access: Access) -> Option<(Target, &Record)> {
        if let Some((kind, granule)) = self.layout.find(address)
            && let Some((granule, record)) = self.regions[kind as usize].live.floor(granule)
            && record.contains(address)
            && size <= record.end() - address
            && !(access == Access::Write && record.read_only)
        {
            return Some((Target { kind, granule, extent: record.extent(), elastic: record.elastic }, record));
        }
        None
    }

    /// The page of an allocation at `address`, which the cache knows from then on, unless the allocation is elastic: no
    /// access to that may be fast.
    pub(crate) fn page_for_reading(&self, record: &Record, address: u64) -> Rc<Page> {
        let owner = self.owner();
        let span = record.extent().span_at(address);
        let mut cache = self.cache.borrow_mut();
        let (page, writable) = match record.contents.page(span.index) {
            Found::Page(page) => (page.clone(), page.owner() == owner && !record.read_only),
            Found::Zero => (cache.zero_page.clone(), false),
            Found::Undefined => (cache.undefined_page.clone(), false),
        };
        if !record.elastic {
            cache.remember(owner, span, page.clone(), writable);
        }
        page
    }

    /// The page of `target` at `address`, which this memory may write to, and which the cache knows from then on as in
    /// `page_for_reading`.
    /// `overwritten` says that the caller is about to write all of it.
    pub(crate) fn page_for_writing(&mut self, target: Target, address: u64, overwritten: bool) -> Rc<Page> {
        let owner = self.owner();
        let mut cache = self.cache.borrow_mut();
        if let Some(page) = cache.page_for_writing(owner, address) {
            return page;
        }
        // What the cache holds may be a page that is to be replaced, or one more reference to a page that is ours
        // otherwise.
        cache.forget(address);
        let span = target.extent.span_at(address);
        let page = match self.regions[target.kind as usize].live.get_mut(target.granule) {
            Some(record) => record.contents.page_for_writing(span, owner, overwritten).clone(),
            None => unreachable!("located, and gone without a change"),
        };
        if !target.elastic {
            cache.remember(owner, span, page.clone(), true);
        }
        page
    }
}

/// An access that may be out of bounds.
#[cold]
fn elastic_access(record: &Record, target: Target, address: u64, size: u64, access: Access) -> Fault {
    let info = record.info(target.kind, target.granule);
    let offset = (address - info.base) as i64;
    Fault { kind: FaultKind::OutOfBounds, access, address, size, allocation: Some((info, offset)) }
}
