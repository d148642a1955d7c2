//! The bytes of one granule of an allocation, and which of their bits are undefined; which of them are parts of
//! expressions is in `symbolic`. Nothing outside of these two files knows how a page stores them. Whose page it is and
//! when it must be copied is decided in `contents`.
//!
//! A page is written through a shared reference: the tree that holds it and the cache in front of the tree both refer
//! to it. The owner says which memory may do so (see [`Owner`]).

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::words;

mod symbolic;

/// Bytes in a page, and in a granule of the address space. Pages of 512 bytes were measured to be no faster, those of
/// 1024 only for scattered reads in large arrays; a small page makes a write after a fork cheap and leaves room for
/// more allocations.
pub const PAGE_BYTES: u64 = 1 << PAGE_BITS;
pub const PAGE_BITS: u32 = 8;
const PAGE_WORDS: usize = PAGE_BYTES as usize / 8;

/// Who may write to a page: the memory that currently goes by this number. When a memory is cloned, both it and the
/// clone take new numbers, which makes every page that they share read-only for either at no cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner(pub u64);

/// What was read: up to eight bytes in the low bits, little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Defined(u64),
    /// A set bit in `undefined` says that the bit was never given a value; it is zero in `bits`.
    Partial {
        bits: u64,
        undefined: u64,
    },
    /// At least one of the bytes is a part of an expression. Which, and what the others are, is for `read_run` and
    /// `read_cells` to say.
    Symbolic,
}

impl Word {
    pub fn new(bits: u64, undefined: u64) -> Word {
        if undefined == 0 { Word::Defined(bits) } else { Word::Partial { bits: bits & !undefined, undefined } }
    }

    /// The bits, zero where undefined. A symbolic word has none.
    #[inline]
    pub fn bits(self) -> u64 {
        match self {
            Word::Defined(bits) | Word::Partial { bits, .. } => bits,
            Word::Symbolic => 0,
        }
    }

    /// The mask of undefined bits. To who does not ask further, a symbolic word is undefined.
    #[inline]
    pub fn undefined(self) -> u64 {
        match self {
            Word::Defined(_) => 0,
            Word::Partial { undefined, .. } => undefined,
            Word::Symbolic => u64::MAX,
        }
    }
}

/// A page of a kind of its own for each number of words; they are all used as [`Page`].
pub struct PageOf<Words: ?Sized> {
    owner: Cell<Owner>,
    /// No bit is undefined, no byte is symbolic, and all masks are zero or missing.
    plain: Cell<bool>,
    /// The contents that this page belongs to know that it may have symbolic bytes.
    noted: Cell<bool>,
    /// How many words there are, masks not counted.
    length: u8,
    /// What a page has beside its words while it is not plain. First the masks of a large page, one for each word; a
    /// small page, most often a local variable that is written once or twice, has them behind its words and so needs no
    /// second allocation. Then, if any byte is symbolic, a part for each byte; see `symbolic`.
    beside: RefCell<Box<[Cell<u64>]>>,
    words: Words,
}

pub type Page = PageOf<[Cell<u64>]>;

/// Space for `WORDS` words and, if that is twice `length`, their masks.
fn make<const WORDS: usize>(owner: Owner, length: u8) -> Rc<Page> {
    Rc::new(PageOf {
        owner: Cell::new(owner),
        plain: Cell::new(true),
        noted: Cell::new(false),
        length,
        beside: RefCell::default(),
        words: [const { Cell::new(0) }; WORDS],
    })
}

impl PageOf<[Cell<u64>]> {
    /// A page for `length` bytes, all zero.
    pub fn zeroed(owner: Owner, length: usize) -> Rc<Page> {
        match length.div_ceil(8) {
            0..=1 => make::<2>(owner, 1),
            2 => make::<4>(owner, 2),
            3..=4 => make::<8>(owner, 4),
            5..=8 => make::<16>(owner, 8),
            9..=16 => make::<16>(owner, 16),
            _ => make::<PAGE_WORDS>(owner, PAGE_WORDS as u8),
        }
    }

    /// A page for `length` bytes, all undefined.
    pub fn undefined(owner: Owner, length: usize) -> Rc<Page> {
        let page = Page::zeroed(owner, length);
        page.with_masks(|masks| words::fill(masks, 0, length, 0xff));
        page
    }

    /// A copy for `length` bytes. What it has beyond the length of this page is zero.
    pub fn copied(&self, owner: Owner, length: usize) -> Rc<Page> {
        let page = Page::zeroed(owner, length);
        page.words().iter().zip(self.words()).for_each(|(to, from)| to.set(from.get()));
        page.noted.set(self.noted.get());
        if !self.plain.get() {
            self.with_masks(|from| {
                page.with_masks(|to| to.iter().zip(from).for_each(|(to, from)| to.set(from.get())));
            });
            page.copy_parts_from(self);
        }
        page
    }

    #[inline]
    pub fn owner(&self) -> Owner {
        self.owner.get()
    }

    /// Only for a page that nothing else refers to.
    pub fn adopt(&self, owner: Owner) {
        self.owner.set(owner);
    }

    #[inline(always)]
    fn words(&self) -> &[Cell<u64>] {
        &self.words[..usize::from(self.length)]
    }

    /// Makes the masks if need be; the page is not plain from then on.
    fn with_masks<R>(&self, action: impl FnOnce(&[Cell<u64>]) -> R) -> R {
        let length = usize::from(self.length);
        let was_plain = self.plain.replace(false);
        if self.words.len() > length {
            return action(&self.words[length..]);
        }
        if was_plain {
            self.beside.replace(vec![Cell::new(0); length].into_boxed_slice());
        }
        action(&self.beside.borrow()[..length])
    }

    #[inline(always)]
    pub fn read(&self, offset: usize, size: usize) -> Word {
        let bits = words::read(&self.words, offset, size);
        if self.plain.get() { Word::Defined(bits) } else { self.with_mask(offset, size, bits) }
    }

    #[cold]
    fn with_mask(&self, offset: usize, size: usize, bits: u64) -> Word {
        let undefined = self.with_masks(|masks| words::read(masks, offset, size));
        if undefined != 0 && self.is_symbolic(offset, size) { Word::Symbolic } else { Word::new(bits, undefined) }
    }

    #[inline(always)]
    pub fn write(&self, offset: usize, size: usize, bits: u64) {
        words::write(&self.words, offset, size, bits);
        if !self.plain.get() {
            self.clear_mask(offset, size);
        }
    }

    fn clear_mask(&self, offset: usize, size: usize) {
        let settled = self.with_masks(|masks| {
            words::write(masks, offset, size, 0);
            // A look at the neighbours spares a look at all masks while an array is filled in either direction.
            let (first, last) = (offset / 8, (offset + size - 1) / 8);
            let is_zero = |at: usize| masks.get(at).is_none_or(|mask| mask.get() == 0);
            is_zero(first) && is_zero(last + 1) && is_zero(first.wrapping_sub(1)) && (0..masks.len()).all(is_zero)
        });
        if settled {
            self.become_plain();
        }
    }

    /// All masks must be zero.
    fn become_plain(&self) {
        self.beside.take();
        self.plain.set(true);
    }

    /// Fills `bytes`; undefined bits and symbolic bytes are zero.
    pub fn read_bytes(&self, offset: usize, bytes: &mut [u8]) {
        words::read_bytes(self.words(), offset, bytes);
    }

    /// Fills `masks` with the undefined bits, which all bits of symbolic bytes are.
    pub fn read_masks(&self, offset: usize, masks: &mut [u8]) {
        match self.plain.get() {
            true => masks.fill(0),
            false => self.with_masks(|own| words::read_bytes(own, offset, masks)),
        }
    }

    /// Whether none of `length` bytes has an undefined bit or is symbolic.
    pub fn is_defined(&self, offset: usize, length: usize) -> bool {
        self.plain.get() || self.with_masks(|masks| words::is_zero(masks, offset, length))
    }

    pub fn write_bytes(&self, offset: usize, bytes: &[u8]) {
        words::write_bytes(self.words(), offset, bytes);
        self.mark_defined(offset, bytes.len());
    }

    /// As `write_bytes`, where the bits set in `masks` become undefined.
    pub fn write_masked(&self, offset: usize, bytes: &[u8], masks: &[u8]) {
        words::write_bytes(self.words(), offset, bytes);
        self.with_masks(|own| {
            words::write_bytes(own, offset, masks);
            // Undefined bits are zero, here and everywhere.
            self.words().iter().zip(own).for_each(|(word, mask)| word.set(word.get() & !mask.get()));
        });
        self.clear_parts(offset, bytes.len());
    }

    pub fn fill(&self, offset: usize, length: usize, byte: u8) {
        words::fill(self.words(), offset, length, byte);
        self.mark_defined(offset, length);
    }

    /// Takes over `length` bytes from another page with their masks and parts.
    pub fn copy_from(&self, offset: usize, source: &Page, source_offset: usize, length: usize) {
        words::copy(self.words(), offset, source.words(), source_offset, length);
        if source.is_defined(source_offset, length) {
            self.mark_defined(offset, length);
        } else {
            source.with_masks(|from| self.with_masks(|to| words::copy(to, offset, from, source_offset, length)));
            self.copy_run_of_parts(offset, source, source_offset, length);
        }
    }

    fn mark_defined(&self, offset: usize, length: usize) {
        if self.plain.get() {
            return;
        }
        let settled = self.with_masks(|masks| {
            words::fill(masks, offset, length, 0);
            masks.iter().all(|mask| mask.get() == 0)
        });
        if settled {
            self.become_plain();
        }
    }

    pub fn mark_undefined(&self, offset: usize, length: usize) {
        if length > 0 {
            words::fill(self.words(), offset, length, 0);
            self.with_masks(|masks| words::fill(masks, offset, length, 0xff));
            self.clear_parts(offset, length);
        }
    }

    /// The bytes that this page takes beside itself.
    pub fn bytes_beside(&self) -> usize {
        size_of_val(&**self.beside.borrow())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWNER: Owner = Owner(1);

    #[test]
    fn a_page_without_undefined_bits_has_no_masks() {
        let page = Page::undefined(OWNER, 256);
        assert_eq!(page.beside.borrow().len(), 32);
        (0..64).for_each(|at| page.write(at * 4, 4, 7));
        assert!(page.plain.get() && page.beside.borrow().is_empty());
        assert_eq!(page.read(4, 8), Word::Defined(7 << 32 | 7));
    }

    #[test]
    fn settles_in_any_order() {
        for length in [1, 4, 24, 40, 60, 100, 256] {
            for step in [1, 3, 7] {
                let page = Page::undefined(OWNER, length);
                for at in 0..length {
                    assert!(!page.plain.get());
                    page.write(if length % step == 0 { at } else { at * step % length }, 1, 1);
                }
                assert!(page.plain.get(), "{length} bytes in steps of {step}");
            }
        }
    }

    #[test]
    fn masks_are_kept_bit_by_bit() {
        let page = Page::zeroed(OWNER, 64);
        page.write_masked(3, &[0xff, 0xff], &[0x0f, 0]);
        assert_eq!(page.read(3, 2), Word::Partial { bits: 0xfff0, undefined: 0x0f });
        assert_eq!(page.read(4, 1), Word::Defined(0xff));
        let copy = Page::zeroed(OWNER, 100);
        copy.copy_from(50, &page, 3, 2);
        assert_eq!(copy.read(50, 2), page.read(3, 2));
        assert_eq!(page.copied(OWNER, 200).read(3, 2), page.read(3, 2));
    }

    #[test]
    fn small_pages_are_small() {
        assert!(size_of::<PageOf<[Cell<u64>; 2]>>() <= 56);
        assert!(size_of::<PageOf<[Cell<u64>; PAGE_WORDS]>>() <= 256 + 48);
    }
}
