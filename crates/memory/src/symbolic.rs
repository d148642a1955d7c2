//! Reading and writing bytes that may be parts of expressions, and refusing to take such for numbers. How a page stores
//! them is in `page`.

use std::rc::Rc;

use symcrete_expr::Expr;

use crate::access::Target;
use crate::blocks::{SHORT, stretches};
use crate::cell::{Cell, Part};
use crate::fault::{Access, Fault, ReadError};
use crate::memory::Memory;
use crate::page::{PAGE_BYTES, Page};

impl Memory {
    /// Appends `length` bytes from `address` on to `cells`; nothing if there is a fault.
    pub fn read_cells(&self, address: u64, length: u64, cells: &mut impl Extend<Cell>) -> Result<(), Fault> {
        self.each_part_read(address, length as usize, |page, offset, _, length| {
            page.read_cells(offset, length, |cell| cells.extend([cell]));
        })
    }

    /// If `length` bytes from `address` on are parts of one expression that follow each other, the first of them.
    /// Otherwise the way to read them is `read_cells`.
    pub fn read_run(&self, address: u64, length: u64) -> Result<Option<Part>, Fault> {
        let mut first: Option<Part> = None;
        let mut unbroken = true;
        self.each_part_read(address, length as usize, |page, offset, at, length| {
            match (page.read_run(offset, length), first) {
                (here, None) if at == 0 => first = here,
                (Some(here), Some(first)) => {
                    unbroken &= here.expr == first.expr && here.index.wrapping_sub(first.index) as usize == at;
                }
                _ => unbroken = false,
            }
        })?;
        Ok(first.filter(|_| unbroken))
    }

    /// The expression of which the bytes from `address` on are parts 0 to `length`, if that is so. How many bytes the
    /// expression has is not known here. Otherwise the way to read them is `read_run`, then `read_cells`.
    pub fn read_expr(&self, address: u64, length: u32) -> Result<Option<Expr>, Fault> {
        Ok(self.read_run(address, u64::from(length))?.filter(|first| first.index == 0).map(|first| first.expr))
    }

    /// Whether any of `length` bytes from `address` on is symbolic. Bytes that cannot be read are not.
    pub fn is_symbolic(&self, address: u64, length: u64) -> bool {
        match self.find(address, length, Access::Read) {
            Some((target, record)) if length > 0 && record.contents.is_symbolic() => stretches(target, address, length)
                .any(|stretch| {
                    self.page_for_reading(record, stretch.address).is_symbolic(stretch.offset, stretch.length)
                }),
            _ => false,
        }
    }

    pub fn write_cells(&mut self, address: u64, cells: &[Cell]) -> Result<(), Fault> {
        let write = |page: &Page, offset: usize, at: usize, length: usize| {
            page.write_cells(offset, &cells[at..at + length]);
        };
        match cells.iter().any(|cell| matches!(cell, Cell::Part { .. })) {
            true => self.each_part_made_symbolic(address, cells.len() as u64, write),
            false => self.each_part_written(address, cells.len() as u64, write),
        }
    }

    /// Makes `length` bytes from `address` on parts of one expression, beginning with `first`.
    pub fn write_run(&mut self, address: u64, length: u64, first: Part) -> Result<(), Fault> {
        self.each_part_made_symbolic(address, length, |page, offset, at, length| {
            page.write_run(offset, length, Part { expr: first.expr, index: first.index + at as u32 });
        })
    }

    /// Makes the bytes from `address` on parts 0 to `length` of an expression.
    pub fn write_expr(&mut self, address: u64, expr: Expr, length: u32) -> Result<(), Fault> {
        self.write_run(address, u64::from(length), Part { expr, index: 0 })
    }

    /// As `each_part_written`, for actions that may write symbolic bytes.
    fn each_part_made_symbolic(
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
            && page.is_noted()
        {
            action(page, offset, 0, length as usize);
            return Ok(());
        }
        let target = self.locate(address, length, Access::Write)?.0;
        for stretch in stretches(target, address, length) {
            let page = self.page_for_symbols(target, stretch.address, stretch.covers_span());
            action(&page, stretch.offset, stretch.at, stretch.length);
        }
        Ok(())
    }

    /// As `page_for_writing`, for a page that may be given symbolic bytes: whoever looks for those will find it.
    pub(crate) fn page_for_symbols(&mut self, target: Target, address: u64, overwritten: bool) -> Rc<Page> {
        let page = self.page_for_writing(target, address, overwritten);
        if !page.is_noted() {
            self.symbolic = true;
            if let Some(record) = self.regions[target.kind as usize].live.get_mut(target.granule) {
                record.contents.note_symbolic();
            }
            page.note();
        }
        page
    }

    /// Fills `bytes` from `address` on if none of them is symbolic, undefined bits as zero. Whether all were defined.
    pub fn read_concrete_bytes(&mut self, address: u64, bytes: &mut [u8]) -> Result<bool, ReadError> {
        let mut all_defined = true;
        let mut symbolic = None;
        self.each_part_read(address, bytes.len(), |page, offset, at, length| {
            page.read_bytes(offset, &mut bytes[at..at + length]);
            if !page.is_defined(offset, length) {
                all_defined = false;
                symbolic = symbolic.or(page.first_symbolic(offset, length).map(|first| at + first));
            }
        })?;
        match symbolic {
            Some(at) => Err(ReadError::Symbolic { address: address + at as u64 }),
            None => Ok(all_defined),
        }
    }

    /// As `read_c_string`, but it is an error if a byte before the first zero is symbolic.
    pub fn read_concrete_c_string(&mut self, address: u64, limit: usize) -> Result<Vec<u8>, ReadError> {
        let mut text = Vec::new();
        while text.len() < limit {
            let at = address.wrapping_add(text.len() as u64);
            let extent = self.locate(at, 1, Access::Read)?.0.extent;
            let here = (PAGE_BYTES - at % PAGE_BYTES).min(extent.base + extent.size - at);
            let here = (here as usize).min(limit - text.len());
            let mut bytes = [0; PAGE_BYTES as usize];
            let mut symbolic = None;
            self.each_part_read(at, here, |page, offset, _, length| {
                page.read_bytes(offset, &mut bytes[..length]);
                symbolic = page.first_symbolic(offset, length);
            })?;
            // A symbolic byte reads as zero, so none comes before the first zero.
            let end = bytes[..here].iter().position(|byte| *byte == 0);
            text.extend_from_slice(&bytes[..end.unwrap_or(here)]);
            match end {
                Some(end) if symbolic == Some(end) => return Err(ReadError::Symbolic { address: at + end as u64 }),
                Some(_) => break,
                None => {}
            }
        }
        Ok(text)
    }
}
