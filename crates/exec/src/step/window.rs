//! Accesses at addresses that depend on inputs. Which allocation is meant has been decided (`Fact::Within`) or is asked for; within it
//! the bytes become an array, read and written at an index.

use smallvec::SmallVec;
use symcrete_expr::dag::Op;
use symcrete_expr::{Expr, Value};
use symcrete_ir::{Block, Inst, Operand, Type};
use symcrete_memory::{AllocationId, Cell, Fault, Part};

use super::general::General;
use super::{Stop, access};
use crate::outcome::{Fact, Purpose};
use crate::state::Frame;

/// A part of an allocation seen as an array.
struct Window {
    array: Expr,
    /// The element in question.
    index: Expr,
    /// Where the part begins, and its bytes; which byte of the array's elements is the first of it.
    start: u64,
    bytes: u64,
    first: u32,
    element_bytes: u32,
}

/// Stores take the whole allocation if it is not larger than this, so that the array of one store serves the next.
const WHOLE: u64 = 4096;
/// Larger parts than this do not become arrays: the address is decided value by value.
const LARGEST: u64 = 1 << 16;

impl General<'_> {
    /// Loads from where an expression points.
    pub(super) fn load_at(&mut self, frame: &Frame, operand: Operand, address: Expr, ty: Type) -> Result<Value, Stop> {
        let pointer_bits = self.image.pointer_bits();
        let (width, bytes) = (u32::from(ty.bits(pointer_bits)), ty.store_bytes(pointer_bits));
        let allocation = self.allocation(frame, operand, address, bytes, false)?;
        let Some(window) = self.window(allocation, address, bytes, false)? else {
            return Err(word_wanted(address, operand));
        };
        let element = self.element(&window, bytes);
        let whole = self.symbolic.resize(element, width, false);
        Ok(self.symbolic.value(whole))
    }

    /// Stores to where an expression points.
    pub(super) fn store_at(
        &mut self,
        frame: &Frame,
        operand: Operand,
        address: Expr,
        ty: Type,
        value: &Value,
    ) -> Result<(), Stop> {
        let pointer_bits = self.image.pointer_bits();
        let (width, bytes) = (u32::from(ty.bits(pointer_bits)), ty.store_bytes(pointer_bits));
        let allocation = self.allocation(frame, operand, address, bytes, true)?;
        let Some(window) = self.window(allocation, address, bytes, true)? else {
            return Err(word_wanted(address, operand));
        };
        let value = self.symbolic.expr(width, value);
        let value = self.symbolic.resize(value, bytes * 8, false);
        let array = self.with_element(&window, value, bytes);
        Ok(self.memory.write_run(window.start, window.bytes, Part { expr: array, index: window.first })?)
    }

    /// The allocation in which an access is known to be; asks if it is not.
    fn allocation(
        &mut self,
        frame: &Frame,
        operand: Operand,
        address: Expr,
        bytes: u32,
        write: bool,
    ) -> Result<AllocationId, Stop> {
        for fact in self.known.iter() {
            if let Fact::Within { address: known, allocation } = fact
                && *known == address
            {
                return Ok(*allocation);
            }
        }
        let object = self.object_of(frame, operand);
        let register = operand.as_reg();
        Err(Stop::ask(address, Purpose::Address { bytes: u64::from(bytes), write, object, register }))
    }

    /// The object that an address was made from, where the program says so: what an index was added to.
    fn object_of(&self, frame: &Frame, mut operand: Operand) -> Option<u64> {
        let body = self.image.body(frame.function);
        loop {
            let register = match self.get(frame, operand) {
                Value::Word(bits) => return Some(bits),
                _ => operand.as_reg()?,
            };
            // At -O0 the address was computed just before; elsewhere it may be far.
            let here = frame.position(self.image).0;
            let blocks = std::iter::once(here).chain(body.blocks.keys().filter(|block: &Block| *block != here));
            let defined = blocks.flat_map(|block| &body.blocks[block].insts).find(|inst| inst.dst() == Some(register));
            operand = match defined? {
                Inst::Address { base, .. } => *base,
                Inst::Copy { src, .. } | Inst::Freeze { src, .. } => *src,
                _ => return None,
            };
        }
    }

    /// The bytes of the allocation that the access may touch, as an array; `None` if they are too many.
    fn window(
        &mut self,
        allocation: AllocationId,
        address: Expr,
        bytes: u32,
        write: bool,
    ) -> Result<Option<Window>, Stop> {
        let Some(info) = self.memory.info(allocation) else { return Ok(None) };
        if info.elastic && self.sizes.get(allocation).is_some() {
            // That the access is inside was decided by the size's expression.
            self.memory.allow_elastic(allocation, info.size);
        }
        let arena = &mut *self.symbolic.arena;
        let pointer_width = arena.width(address);
        let base = arena.word(pointer_width, info.base);
        let offset = arena.binary(Op::Sub, address, base);
        let facts = arena.facts(offset);
        // Elements as large as the access, if it can only be at multiples of its size.
        let aligned = bytes.is_power_of_two() && facts.zeros & u64::from(bytes - 1) == u64::from(bytes - 1);
        let element_bytes = if aligned && info.size >= u64::from(bytes) { bytes } else { 1 };
        let unit = u64::from(element_bytes);
        let usable = info.size / unit * unit;
        let (mut start, mut end) = (0, usable);
        if !write || usable > WHOLE {
            start = facts.min.min(usable.saturating_sub(unit)) / unit * unit;
            end = facts.max.saturating_add(u64::from(bytes)).min(usable).max(start + unit);
        }
        if end - start > LARGEST {
            return Ok(None);
        }
        let noted = self.symbolic.notes.len();
        let (array, first, defined) = self.array(info.base + start, end - start, element_bytes)?;
        // Bytes that nobody wrote are a warning only where the access cannot but meet them.
        if write || defined {
            self.symbolic.notes.truncate(noted);
        }
        let arena = &mut *self.symbolic.arena;
        // The number of the element: within the allocation, so that the high bits are zero.
        let skipped = arena.word(pointer_width, start.wrapping_sub(u64::from(first)));
        let within = arena.binary(Op::Sub, offset, skipped);
        let shift = arena.word(pointer_width, u64::from(element_bytes.trailing_zeros()));
        let number = arena.binary(Op::LShr, within, shift);
        let index_width = arena.index_width(array);
        let index = self.symbolic.resize(number, index_width, false);
        Ok(Some(Window { array, index, start: info.base + start, bytes: end - start, first, element_bytes }))
    }

    /// Bytes of memory as an array of elements of this size, and which byte of the array the first one is. What a store has
    /// made an array of is used again. Last, whether somebody wrote any of them.
    fn array(&mut self, start: u64, bytes: u64, element_bytes: u32) -> Result<(Expr, u32, bool), Fault> {
        let mut cells: Vec<Cell> = Vec::with_capacity(bytes as usize);
        self.memory.read_cells(start, bytes, &mut cells)?;
        let unit = element_bytes as usize;
        if let Some((origin, first)) = self.known_array(&cells, element_bytes) {
            let mut array = origin;
            for (number, element) in cells.chunks(unit).enumerate() {
                let position = first + (number * unit) as u32;
                let kept = element.iter().enumerate().all(|(at, cell)| is_of(cell, origin, position + at as u32));
                if !kept {
                    let value = access::join_cells(&mut self.symbolic, element);
                    let index_width = self.symbolic.arena.index_width(array);
                    let at = self.symbolic.arena.word(index_width, u64::from(position / element_bytes));
                    array = self.symbolic.arena.store(array, at, value);
                }
            }
            return Ok((array, first, true));
        }
        let elements: Vec<Expr> =
            cells.chunks(unit).map(|element| access::join_cells(&mut self.symbolic, element)).collect();
        let index_width = (u64::BITS - (elements.len() as u64 - 1).leading_zeros()).max(1);
        let defined = cells.iter().any(|cell| !matches!(cell, Cell::Byte { undefined: 1.., .. }));
        Ok((self.symbolic.arena.table(index_width, element_bytes * 8, &elements), 0, defined))
    }

    /// The array that most of these cells come from, each at its own place, if there is one with elements of this size.
    fn known_array(&self, cells: &[Cell], element_bytes: u32) -> Option<(Expr, u32)> {
        let placed = |at: usize, cell: &Cell| match cell {
            Cell::Part { expr, index } if self.symbolic.arena.is_array(*expr) => {
                let first = index.checked_sub(at as u32)?;
                let fits = self.symbolic.arena.width(*expr) == element_bytes * 8 && first % element_bytes == 0;
                fits.then_some((*expr, first))
            }
            _ => None,
        };
        // Boyer and Moore's vote: the one that more than half of the cells name.
        let (mut favourite, mut lead) = (None, 0usize);
        for (at, cell) in cells.iter().enumerate() {
            let vote = placed(at, cell);
            match lead {
                0 => (favourite, lead) = (vote, 1),
                _ if vote == favourite => lead += 1,
                _ => lead -= 1,
            }
        }
        let (array, first) = favourite?;
        // Every place must exist in it.
        let room = 1u64.checked_shl(self.symbolic.arena.index_width(array)).unwrap_or(u64::MAX);
        let needed = u64::from(first) / u64::from(element_bytes) + cells.len() as u64 / u64::from(element_bytes);
        (needed <= room).then_some((array, first))
    }

    fn element(&mut self, window: &Window, bytes: u32) -> Expr {
        if window.element_bytes == bytes {
            return self.symbolic.arena.select(window.array, window.index);
        }
        let parts: SmallVec<[Expr; 16]> = (0..bytes)
            .map(|at| {
                let index = self.shifted(window.index, at);
                self.symbolic.arena.select(window.array, index)
            })
            .collect();
        self.symbolic.join(&parts)
    }

    fn with_element(&mut self, window: &Window, value: Expr, bytes: u32) -> Expr {
        if window.element_bytes == bytes {
            return self.symbolic.arena.store(window.array, window.index, value);
        }
        let mut array = window.array;
        for at in 0..bytes {
            let index = self.shifted(window.index, at);
            let byte = self.symbolic.byte(value, at);
            array = self.symbolic.arena.store(array, index, byte);
        }
        array
    }

    fn shifted(&mut self, index: Expr, by: u32) -> Expr {
        let width = self.symbolic.arena.width(index);
        let by = self.symbolic.arena.word(width, u64::from(by));
        self.symbolic.arena.binary(Op::Add, index, by)
    }
}

/// Whether a cell is this byte of an array.
fn is_of(cell: &Cell, array: Expr, byte: u32) -> bool {
    matches!(cell, Cell::Part { expr, index } if *expr == array && *index == byte)
}

/// The address must become a word, if it can: it stands in a register.
fn word_wanted(address: Expr, operand: Operand) -> Stop {
    match operand.as_reg() {
        Some(register) => Stop::ask(address, Purpose::Word(register)),
        None => unreachable!("a constant is not an expression"),
    }
}
