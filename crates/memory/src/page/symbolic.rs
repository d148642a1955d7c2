//! The symbolic bytes of a page. Which expressions there are is not known here.
//!
//! A symbolic byte is stored as an undefined one with a part beside it: a byte is symbolic if all of its bits are masked
//! and its part is not none. So what writes numbers need only clear masks as ever, what does not know of parts sees
//! undefined bits, and a page without masks has no symbolic bytes. A part whose byte is not fully masked is left over
//! from before and means nothing; whoever masks all bits of a byte must set or clear its part.

use std::cell::Cell;

use super::Page;
use crate::cell::{Cell as MemoryCell, PackedPart, Part};
use crate::words;

type Row = [Cell<u64>];

/// The part of the byte at `offset` if that is symbolic, else none.
#[inline]
fn part_at(masks: &Row, parts: &Row, offset: usize) -> PackedPart {
    match words::read(masks, offset, 1) {
        0xff => PackedPart(parts[offset].get()),
        _ => PackedPart::NONE,
    }
}

impl Page {
    /// Whether the contents know of symbolic bytes here, so that some may be written.
    #[inline]
    pub fn is_noted(&self) -> bool {
        self.noted.get()
    }

    pub fn note(&self) {
        self.noted.set(true);
    }

    /// How many words of `beside` are masks.
    fn masks_beside(&self) -> usize {
        if self.words.len() > usize::from(self.length) { 0 } else { usize::from(self.length) }
    }

    fn has_parts(&self) -> bool {
        self.beside.borrow().len() > self.masks_beside()
    }

    /// Gives masks and parts to `action`. There must be parts.
    fn with_parts<R>(&self, action: impl FnOnce(&Row, &Row) -> R) -> R {
        let beside = self.beside.borrow();
        match self.masks_beside() {
            0 => action(&self.words[usize::from(self.length)..], &beside),
            masks => action(&beside[..masks], &beside[masks..]),
        }
    }

    /// As `with_parts`, with parts that are made if need be; the page is not plain from then on.
    fn with_new_parts<R>(&self, action: impl FnOnce(&Row, &Row) -> R) -> R {
        if !self.has_parts() {
            debug_assert!(self.is_noted(), "symbolic bytes that nobody would find");
            let mut row = Vec::with_capacity(self.masks_beside() + 8 * usize::from(self.length));
            self.with_masks(|masks| row.extend_from_slice(&masks[..self.masks_beside()]));
            row.resize(row.capacity(), Cell::new(0));
            self.beside.replace(row.into_boxed_slice());
        }
        self.with_parts(action)
    }

    /// Whether any of `length` bytes is symbolic.
    #[inline]
    pub fn is_symbolic(&self, offset: usize, length: usize) -> bool {
        !self.plain.get() && self.first_symbolic(offset, length).is_some()
    }

    /// How far from `offset` the first symbolic byte is.
    #[inline(never)]
    pub fn first_symbolic(&self, offset: usize, length: usize) -> Option<usize> {
        if self.plain.get() || !self.has_parts() {
            return None;
        }
        self.with_parts(|masks, parts| (0..length).find(|at| part_at(masks, parts, offset + at) != PackedPart::NONE))
    }

    /// The first of `length` bytes if all of them are parts of one expression that follow each other.
    pub fn read_run(&self, offset: usize, length: usize) -> Option<Part> {
        if self.plain.get() || !self.has_parts() {
            return None;
        }
        self.with_parts(|masks, parts| {
            let first = part_at(masks, parts, offset);
            let follows = |at| part_at(masks, parts, offset + at) == first.plus(at);
            if (1..length).all(follows) { first.unpack() } else { None }
        })
    }

    /// Makes `length` bytes parts of one expression, beginning with `first`.
    pub fn write_run(&self, offset: usize, length: usize, first: Part) {
        words::fill(self.words(), offset, length, 0);
        let first = PackedPart::new(first);
        self.with_new_parts(|masks, parts| {
            words::fill(masks, offset, length, 0xff);
            let targets = &parts[offset..offset + length];
            targets.iter().enumerate().for_each(|(at, part)| part.set(first.plus(at).0));
        });
    }

    pub fn read_cells(&self, offset: usize, length: usize, mut each: impl FnMut(MemoryCell)) {
        let byte =
            |at: usize, undefined: u8| MemoryCell::Byte { bits: words::read(self.words(), at, 1) as u8, undefined };
        let range = offset..offset + length;
        if self.plain.get() {
            range.for_each(|at| each(byte(at, 0)));
        } else if !self.has_parts() {
            self.with_masks(|masks| range.for_each(|at| each(byte(at, words::read(masks, at, 1) as u8))));
        } else {
            self.with_parts(|masks, parts| {
                range.for_each(|at| match part_at(masks, parts, at).unpack() {
                    Some(Part { expr, index }) => each(MemoryCell::Part { expr, index }),
                    None => each(byte(at, words::read(masks, at, 1) as u8)),
                });
            });
        }
    }

    pub fn write_cells(&self, offset: usize, cells: &[MemoryCell]) {
        for (at, cell) in (offset..).zip(cells) {
            match *cell {
                MemoryCell::Byte { bits, undefined: 0 } => self.write(at, 1, u64::from(bits)),
                MemoryCell::Byte { bits, undefined } => self.write_masked(at, &[bits], &[undefined]),
                MemoryCell::Part { expr, index } => self.write_run(at, 1, Part { expr, index }),
            }
        }
    }

    /// For bytes whose masks were just set: they are not symbolic.
    pub(super) fn clear_parts(&self, offset: usize, length: usize) {
        if self.has_parts() {
            self.with_parts(|_, parts| parts[offset..offset + length].iter().for_each(|part| part.set(0)));
        }
    }

    /// For bytes whose masks were just copied from another page: their parts, too.
    pub(super) fn copy_run_of_parts(&self, offset: usize, source: &Page, source_offset: usize, length: usize) {
        if !source.is_symbolic(source_offset, length) {
            return self.clear_parts(offset, length);
        }
        source.with_parts(|_, from| {
            self.with_new_parts(|_, to| {
                let targets = &to[offset..offset + length];
                targets.iter().zip(&from[source_offset..]).for_each(|(to, from)| to.set(from.get()));
            });
        });
    }

    /// For a new page that has the bytes and the masks of another one, shorter or longer: its parts, too.
    pub(super) fn copy_parts_from(&self, source: &Page) {
        let length = 8 * usize::from(self.length.min(source.length));
        if source.is_symbolic(0, length) {
            self.copy_run_of_parts(0, source, 0, length);
        }
    }

    /// Calls `visit` with every expression that a byte of this page is a part of, at least once.
    pub fn visit_exprs(&self, visit: &mut impl FnMut(symcrete_expr::Expr)) {
        if self.plain.get() || !self.has_parts() {
            return;
        }
        self.with_parts(|masks, parts| {
            let mut last = None;
            for (mask, parts) in masks.iter().zip(parts.chunks(8)).filter(|(mask, _)| mask.get() != 0) {
                for (byte, part) in mask.get().to_le_bytes().into_iter().zip(parts) {
                    if byte == 0xff
                        && let Some(Part { expr, .. }) = PackedPart(part.get()).unpack()
                        && last.replace(expr) != Some(expr)
                    {
                        visit(expr);
                    }
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use cranelift_entity::EntityRef;
    use symcrete_expr::Expr;

    use super::super::{Owner, Word};
    use super::*;

    const OWNER: Owner = Owner(1);
    const LENGTHS: [usize; 7] = [1, 4, 24, 40, 60, 100, 256];

    fn expr(number: usize) -> Part {
        Part { expr: Expr::new(number), index: 0 }
    }

    fn noted(page: std::rc::Rc<Page>) -> std::rc::Rc<Page> {
        page.note();
        page
    }

    #[test]
    fn the_greatest_numbers_fit() {
        for number in [0, u32::MAX as usize - 1] {
            let part = Part { expr: Expr::new(number), index: u32::MAX };
            assert_eq!(PackedPart::new(part).unpack(), Some(part));
        }
        assert_eq!(PackedPart::NONE.unpack(), None);
    }

    #[test]
    fn a_page_whose_symbolic_bytes_are_overwritten_is_plain_again() {
        for length in LENGTHS {
            let page = noted(Page::zeroed(OWNER, length));
            page.write_run(0, length, expr(7));
            assert!(page.has_parts() && page.read_run(0, length) == Some(expr(7)));
            for at in (0..length).rev() {
                assert_eq!(page.read(0, 1), Word::Symbolic);
                assert!(!page.plain.get());
                page.write(at, 1, 1);
            }
            assert!(page.plain.get() && page.beside.borrow().is_empty() && page.is_noted(), "{length} bytes");
            page.write_run(0, length, expr(8));
            page.fill(0, length, 3);
            assert!(page.plain.get() && page.beside.borrow().is_empty());
        }
    }

    #[test]
    fn an_undefined_byte_is_not_the_symbolic_one_that_it_was() {
        for length in LENGTHS {
            for undefine in [
                |page: &Page| page.mark_undefined(0, 1),
                |page: &Page| page.write_masked(0, &[0], &[0xff]),
                |page: &Page| page.copy_from(0, &Page::undefined(OWNER, 8), 3, 1),
            ] {
                let page = noted(Page::undefined(OWNER, length));
                page.write_run(0, 1, expr(7));
                page.write(0, 1, 5);
                undefine(&page);
                assert_eq!(page.read(0, 1), Word::Partial { bits: 0, undefined: 0xff });
                page.visit_exprs(&mut |expr| panic!("{expr} is gone"));
            }
        }
    }

    #[test]
    fn copies_have_parts_only_if_a_byte_is_symbolic() {
        let page = noted(Page::undefined(OWNER, 100));
        page.write_run(90, 4, expr(7));
        for length in [94, 100, 130, 256] {
            let copy = page.copied(OWNER, length);
            assert!(copy.is_noted() && copy.has_parts());
            assert_eq!(copy.read_run(90, 4), Some(expr(7)));
            assert_eq!(copy.read_run(91, 2), Some(Part { index: 1, ..expr(7) }));
        }
        page.write(90, 4, 0);
        assert!(page.has_parts() && !page.copied(OWNER, 100).has_parts());
    }
}
