//! The pages used last, found by address in a few instructions. Shared by all copies of a memory, as only one of them
//! runs at a time: an idle copy costs nothing here. Never holds what a lookup in the trees would not find.

use std::rc::Rc;

use crate::contents::Span;
use crate::page::{Owner, PAGE_BITS, PAGE_BYTES, Page};
use crate::walk::Walker;

const SLOTS: usize = 4096;

/// The part of an allocation that lies in one page, as one memory sees it. Memories go by their owner numbers here,
/// which change when a memory is cloned; so entries of other memories, and those from before a clone, never match.
struct Entry {
    start: u64,
    owner: Owner,
    /// Bytes that may be read.
    readable: u16,
    /// The same if the page may be written by its owner, else zero.
    writable: u16,
    page: Option<Rc<Page>>,
}

pub struct Cache {
    entries: [Entry; SLOTS],
    /// Stand-ins for pages that were never written.
    pub zero_page: Rc<Page>,
    pub undefined_page: Rc<Page>,
}

/// Granules that follow each other, and granules a power of two apart, get different slots.
#[inline(always)]
fn slot_of(address: u64) -> usize {
    let granule = address >> PAGE_BITS;
    (granule ^ granule >> 12) as usize % SLOTS
}

impl Entry {
    const EMPTY: Entry = Entry { start: 0, owner: Owner(0), readable: 0, writable: 0, page: None };

    #[inline(always)]
    fn hit(&self, owner: Owner, address: u64, size: u32, limit: u16) -> Option<(&Page, usize)> {
        let offset = address.wrapping_sub(self.start);
        let limit = u64::from(limit);
        if offset < limit && offset + u64::from(size) <= limit && self.owner == owner {
            self.page.as_deref().map(|page| (page, offset as usize))
        } else {
            None
        }
    }
}

impl Cache {
    pub fn new() -> Cache {
        Cache {
            entries: [const { Entry::EMPTY }; SLOTS],
            zero_page: Page::zeroed(Owner(0), PAGE_BYTES as usize),
            undefined_page: Page::undefined(Owner(0), PAGE_BYTES as usize),
        }
    }

    /// The page for reading `size` bytes at `address`, and the offset there.
    #[inline(always)]
    pub fn for_reading(&self, owner: Owner, address: u64, size: u32) -> Option<(&Page, usize)> {
        let entry = &self.entries[slot_of(address)];
        entry.hit(owner, address, size, entry.readable)
    }

    #[inline(always)]
    pub fn for_writing(&self, owner: Owner, address: u64, size: u32) -> Option<(&Page, usize)> {
        let entry = &self.entries[slot_of(address)];
        entry.hit(owner, address, size, entry.writable)
    }

    /// The page at `address` itself, if it may be written.
    #[inline]
    pub fn page_for_writing(&self, owner: Owner, address: u64) -> Option<Rc<Page>> {
        self.for_writing(owner, address, 1)?;
        self.entries[slot_of(address)].page.clone()
    }

    /// `writable`: the allocation is not read-only and the page belongs to `owner`.
    pub fn remember(&mut self, owner: Owner, span: Span, page: Rc<Page>, writable: bool) {
        let readable = span.length as u16;
        let writable = if writable { readable } else { 0 };
        self.entries[slot_of(span.start)] = Entry { start: span.start, owner, readable, writable, page: Some(page) };
    }

    /// Drops what is known about the granule of `address`, by any memory.
    #[inline]
    pub fn forget(&mut self, address: u64) {
        let entry = &mut self.entries[slot_of(address)];
        if entry.start >> PAGE_BITS == address >> PAGE_BITS {
            *entry = Entry::EMPTY;
        }
    }

    /// Hands the pages that only the cache still holds to the walker.
    pub fn walk(&self, walker: &mut impl Walker) {
        let cached = self.entries.iter().filter_map(|entry| entry.page.as_ref());
        for page in cached.chain([&self.zero_page, &self.undefined_page]) {
            if Rc::strong_count(page) == 1 && walker.enter(page) {
                walker.holds(page.bytes_beside());
            }
        }
    }

    /// How many calls of `forget` cost about as much as filling the cache anew.
    pub const WORTH_FORGETTING: u32 = 64;
}
