//! A memory, a naive model of it, and operations on both.

use std::collections::BTreeSet;

use symcrete_expr::Expr;
use symcrete_memory::{
    AllocationId, AllocationState, Cell, Config, FaultKind, Kind, Memory, Part, ReadError, Seen, Site, Word,
};

use crate::random::Random;

#[derive(Clone)]
struct Allocation {
    id: AllocationId,
    base: u64,
    kind: Kind,
    state: AllocationState,
    read_only: bool,
    elastic: bool,
    cells: Vec<Cell>,
}

impl Allocation {
    fn size(&self) -> u64 {
        self.cells.len() as u64
    }

    fn is_live(&self) -> bool {
        self.state == AllocationState::Live
    }
}

#[derive(Clone)]
pub struct World {
    pub memory: Memory,
    allocations: Vec<Allocation>,
    /// What stood in bytes that `realloc` cut off. May still lie in a page with others.
    cut_off: BTreeSet<Expr>,
}

/// An access: where, and whether it is known to be in bounds of what is elastic.
#[derive(Clone, Copy)]
struct Aim {
    index: usize,
    offset: i64,
    vouched: bool,
}

fn defined(bytes: &[u8]) -> Vec<Cell> {
    bytes.iter().map(|bits| Cell::Byte { bits: *bits, undefined: 0 }).collect()
}

/// What those see who do not know of expressions.
fn bits_and_mask(cell: &Cell) -> (u8, u8) {
    match *cell {
        Cell::Byte { bits, undefined } => (bits, undefined),
        Cell::Part { .. } => (0, 0xff),
    }
}

fn is_part(cell: &Cell) -> bool {
    matches!(cell, Cell::Part { .. })
}

/// As memory gives it back: undefined bits are zero.
fn normal(cell: &Cell) -> Cell {
    match *cell {
        Cell::Byte { bits, undefined } => Cell::Byte { bits: bits & !undefined, undefined },
        part => part,
    }
}

fn exprs<'a>(cells: impl Iterator<Item = &'a Cell>) -> impl Iterator<Item = Expr> {
    cells.filter_map(|cell| match *cell {
        Cell::Part { expr, .. } => Some(expr),
        Cell::Byte { .. } => None,
    })
}

fn expected_word(cells: &[Cell]) -> Word {
    if cells.iter().any(is_part) {
        return Word::Symbolic;
    }
    let (bits, masks): (Vec<u8>, Vec<u8>) = cells.iter().map(bits_and_mask).unzip();
    let word = |bytes: Vec<u8>| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    Word::new(word(bits), word(masks))
}

fn expected_run(cells: &[Cell]) -> Option<Part> {
    let Cell::Part { expr, index } = *cells.first()? else { return None };
    let follows = |(at, cell): (usize, &Cell)| *cell == Cell::Part { expr, index: index + at as u32 };
    cells.iter().enumerate().all(follows).then_some(Part { expr, index })
}

fn kind_of<T, E: Clone + Into<ReadError>>(result: &Result<T, E>) -> Option<FaultKind> {
    match result.as_ref().err().cloned().map(Into::into) {
        Some(ReadError::Fault(fault)) => Some(fault.kind),
        _ => None,
    }
}

impl World {
    pub fn new(config: Config) -> World {
        World { memory: Memory::new(config), allocations: Vec::new(), cut_off: BTreeSet::new() }
    }

    fn add(&mut self, (id, base): (AllocationId, u64), kind: Kind, cells: Vec<Cell>) {
        for other in self.allocations.iter().filter(|other| other.is_live()) {
            let (end, other_end) = (base + cells.len() as u64, other.base + other.size());
            assert!(end + 16 <= other.base || other_end + 16 <= base, "{base:#x} is too near to {:#x}", other.base);
        }
        let state = AllocationState::Live;
        self.allocations.push(Allocation { id, base, kind, state, read_only: false, elastic: false, cells });
    }

    fn allocate(&mut self, random: &mut Random) {
        let kind = Kind::ALL[random.below(5) as usize];
        let (size, align) = (random.size(), 1 << random.below(11));
        let made = if random.below(3) == 0 {
            let prefix = random.below(size + 1);
            let mut bytes = random.bytes(prefix);
            let made = self.memory.allocate_initialised(size, align, kind, Site(1), &bytes).unwrap();
            bytes.resize(size as usize, 0);
            self.add(made, kind, defined(&bytes));
            made
        } else {
            let made = self.memory.allocate(size, align, kind, Site(1)).unwrap();
            self.add(made, kind, vec![Cell::Byte { bits: 0, undefined: 0xff }; size as usize]);
            made
        };
        assert_eq!(made.1 % align, 0);
        if random.below(20) == 0 {
            self.memory.protect(made.1);
            self.allocations.last_mut().unwrap().read_only = true;
        }
    }

    fn change_elasticity(&mut self, random: &mut Random) {
        let Some(Aim { index, .. }) = self.aim(random) else { return };
        let (id, elastic) = (self.allocations[index].id, random.below(3) > 0);
        match elastic {
            true => self.memory.set_elastic(id),
            false => self.memory.set_rigid(id),
        }
        self.allocations[index].elastic = elastic && self.allocations[index].is_live();
    }

    /// What an access to `length` bytes at an offset of an allocation must give: nothing, or a fault.
    fn expected(&self, aim: Aim, length: u64, write: bool) -> Option<FaultKind> {
        let allocation = &self.allocations[aim.index];
        let inside = aim.offset >= 0 && (aim.offset as u64) < allocation.size();
        match allocation.state {
            _ if length == 0 => None,
            _ if !inside => Some(FaultKind::OutOfBounds),
            AllocationState::Freed => Some(FaultKind::UseAfterFree),
            AllocationState::Returned => Some(FaultKind::UseAfterReturn),
            _ if aim.offset as u64 + length > allocation.size() => Some(FaultKind::OutOfBounds),
            _ if write && allocation.read_only => Some(FaultKind::WriteToReadOnly),
            _ if allocation.elastic && !aim.vouched => Some(FaultKind::OutOfBounds),
            _ => None,
        }
    }

    /// Makes an access, and checks that it is a fault if it must be one.
    fn attempt<T, E: Clone + Into<ReadError>>(
        &mut self,
        aim: Aim,
        expected: Option<FaultKind>,
        access: impl FnOnce(&mut Memory) -> Result<T, E>,
    ) -> Option<Result<T, E>> {
        let result = if aim.vouched { self.memory.with_elastic_access(access) } else { access(&mut self.memory) };
        assert_eq!(kind_of(&result), expected);
        expected.is_none().then_some(result)
    }

    /// A random place in or a little outside of a random allocation. Not every dead one is remembered.
    fn aim(&self, random: &mut Random) -> Option<Aim> {
        let recent = self.allocations.len().saturating_sub(60);
        let index = recent + random.below((self.allocations.len() - recent).max(1) as u64) as usize;
        let allocation = self.allocations.get(index)?;
        let slack = if random.below(6) == 0 { 8 } else { 0 };
        let offset = random.below((allocation.size() + 2 * slack).max(1)) as i64 - slack as i64;
        Some(Aim { index, offset, vouched: random.below(2) == 0 })
    }

    fn address(&self, aim: Aim) -> u64 {
        self.allocations[aim.index].base.wrapping_add(aim.offset as u64)
    }

    fn access(&mut self, random: &mut Random) {
        let Some(aim) = self.aim(random) else { return };
        let room = self.allocations[aim.index].size().saturating_sub(aim.offset.max(0) as u64);
        let is_word = random.below(3) != 0;
        let most = match random.below(4) {
            _ if is_word => 8,
            0 => 3000,
            _ => room + 1,
        };
        let length = random.below(most) + 1;
        match (random.below(2) == 0, is_word) {
            (true, true) => self.write_word(random, aim, length),
            (true, false) => self.write_block(random, aim, length),
            (false, true) => self.read_word(aim, length),
            (false, false) => self.read_block(aim, length),
        }
    }

    fn cells_at(&self, aim: Aim, length: u64) -> Vec<Cell> {
        self.allocations[aim.index].cells[aim.offset as usize..][..length as usize].to_vec()
    }

    fn read_word(&mut self, aim: Aim, length: u64) {
        let (address, expected) = (self.address(aim), self.expected(aim, length, false));
        let word = self.attempt(aim, expected, |memory| memory.read_word(address, length as u32));
        let expr = self.attempt(aim, expected, |memory| memory.read_expr(address, length as u32));
        let run = self.attempt(aim, expected, |memory| memory.read_run(address, length));
        let (Some(word), Some(expr), Some(run)) = (word, expr, run) else { return };
        let cells = self.cells_at(aim, length);
        assert_eq!(word, Ok(expected_word(&cells)));
        assert_eq!(run, Ok(expected_run(&cells)));
        assert_eq!(expr, Ok(expected_run(&cells).filter(|part| part.index == 0).map(|part| part.expr)));
        assert_eq!(self.memory.is_symbolic(address, length), cells.iter().any(is_part));
    }

    fn read_block(&mut self, aim: Aim, length: u64) {
        let (address, expected) = (self.address(aim), self.expected(aim, length, false));
        let (mut bytes, mut masks) = (vec![1; length as usize], vec![1; length as usize]);
        let read = self.attempt(aim, expected, |memory| memory.read_bytes_masked(address, &mut bytes, &mut masks));
        let mut same_bytes = bytes.clone();
        let all_defined = self.attempt(aim, expected, |memory| memory.read_bytes(address, &mut same_bytes));
        let concrete = self.attempt(aim, expected, |memory| memory.read_concrete_bytes(address, &mut same_bytes));
        let mut found = Vec::new();
        let cells_read = self.attempt(aim, expected, |memory| memory.read_cells(address, length, &mut found));
        let run = self.attempt(aim, expected, |memory| memory.read_run(address, length));
        let string = self.attempt_string(aim, expected, length as usize);
        if read.is_none() {
            return;
        }
        let cells = self.cells_at(aim, length);
        assert_eq!(cells_read, Some(Ok(())));
        assert_eq!(found, cells);
        assert_eq!((bytes, masks), cells.iter().map(bits_and_mask).unzip());
        let defined = cells.iter().all(|cell| bits_and_mask(cell).1 == 0);
        assert_eq!(all_defined, Some(Ok(defined)));
        let first_part = cells.iter().position(is_part).map(|at| address + at as u64);
        let symbolic = |address| ReadError::Symbolic { address };
        assert_eq!(concrete, Some(first_part.map_or(Ok(defined), |address| Err(symbolic(address)))));
        assert_eq!(run, Some(Ok(expected_run(&cells))));
        let end = cells.iter().position(|cell| bits_and_mask(cell).0 == 0);
        let text = cells[..end.unwrap_or(cells.len())].iter().map(|cell| bits_and_mask(cell).0).collect();
        let text = match end {
            Some(end) if is_part(&cells[end]) => Err(symbolic(address + end as u64)),
            _ => Ok(text),
        };
        assert_eq!(string, Some(text));
    }

    /// Reads a string of at most `limit` bytes. It may end before a bad address.
    fn attempt_string(
        &mut self,
        aim: Aim,
        expected: Option<FaultKind>,
        limit: usize,
    ) -> Option<Result<Vec<u8>, ReadError>> {
        if expected.is_some() {
            return None;
        }
        let address = self.address(aim);
        self.attempt(aim, expected, |memory| memory.read_concrete_c_string(address, limit))
    }

    fn put(&mut self, aim: Aim, cells: &[Cell]) {
        let target = &mut self.allocations[aim.index].cells[aim.offset as usize..][..cells.len()];
        target.iter_mut().zip(cells).for_each(|(target, cell)| *target = normal(cell));
    }

    fn write_word(&mut self, random: &mut Random, aim: Aim, length: u64) {
        let (address, expected) = (self.address(aim), self.expected(aim, length, true));
        let (expr, bits) = (random.expr(), random.next());
        let written = match random.below(4) {
            0 => self.attempt(aim, expected, |memory| memory.write_expr(address, expr, length as u32)).map(|_| {
                let parts = 0..length as u32;
                parts.map(|index| Cell::Part { expr, index }).collect()
            }),
            _ => self
                .attempt(aim, expected, |memory| memory.write_word(address, length as u32, bits))
                .map(|_| defined(&bits.to_le_bytes()[..length as usize])),
        };
        if let Some(cells) = written {
            self.put(aim, &cells);
        }
    }

    fn write_block(&mut self, random: &mut Random, aim: Aim, length: u64) {
        let (address, expected) = (self.address(aim), self.expected(aim, length, true));
        let cells = match random.below(4) {
            0 => {
                let bytes = random.bytes(length);
                self.attempt(aim, expected, |memory| memory.write_bytes(address, &bytes)).map(|_| defined(&bytes))
            }
            1 => {
                let (bytes, masks) = (random.bytes(length), random.masks(length));
                let cells = bytes.iter().zip(&masks);
                let cells = cells.map(|(bits, undefined)| Cell::Byte { bits: *bits, undefined: *undefined }).collect();
                self.attempt(aim, expected, |memory| memory.write_bytes_masked(address, &bytes, &masks)).map(|_| cells)
            }
            2 => {
                let first = Part { expr: random.expr(), index: random.below(20) as u32 };
                let cells = first.index..first.index + length as u32;
                let cells = cells.map(|index| Cell::Part { expr: first.expr, index }).collect();
                self.attempt(aim, expected, |memory| memory.write_run(address, length, first)).map(|_| cells)
            }
            _ => {
                let cells = random.cells(length);
                self.attempt(aim, expected, |memory| memory.write_cells(address, &cells)).map(|_| cells)
            }
        };
        if let Some(cells) = cells {
            self.put(aim, &cells);
        }
    }

    fn copy(&mut self, random: &mut Random) {
        let (Some(from), Some(mut to)) = (self.aim(random), self.aim(random)) else { return };
        to.vouched = from.vouched;
        // Overlaps are likely only within one allocation.
        if random.below(2) == 0 {
            to.index = from.index;
            to.offset = random.below(self.allocations[to.index].size() + 1) as i64;
        }
        let room = |aim: Aim| self.allocations[aim.index].size() as i64 - aim.offset;
        let most = room(from).min(room(to)).max(0) as u64;
        let length = match random.below(8) {
            0 => most + 1,
            1..=3 => random.below(most.min(64) + 1),
            _ => most - random.below(most + 1),
        };
        let expected = self.expected(from, length, false).or(self.expected(to, length, true));
        let (source, target) = (self.address(from), self.address(to));
        if self.attempt(to, expected, |memory| memory.copy(target, source, length)).is_some() && length > 0 {
            let cells = self.cells_at(from, length);
            self.put(to, &cells);
        }
    }

    fn fill(&mut self, random: &mut Random) {
        let Some(mut aim) = self.aim(random) else { return };
        let size = self.allocations[aim.index].size();
        let length = match random.below(3) {
            0 => {
                aim.offset = 0;
                size
            }
            _ => random.below(size + 1),
        };
        let byte = if random.below(2) == 0 { 0 } else { random.next() as u8 };
        let (address, expected) = (self.address(aim), self.expected(aim, length, true));
        if self.attempt(aim, expected, |memory| memory.fill(address, byte, length)).is_some() && length > 0 {
            self.put(aim, &defined(&vec![byte; length as usize]));
        }
    }

    fn end_life(&mut self, random: &mut Random) {
        let Some(Aim { index, .. }) = self.aim(random) else { return };
        let Allocation { id, base, kind, state, .. } = self.allocations[index];
        if kind == Kind::Stack {
            self.memory.release(id, Site(2));
            if state == AllocationState::Live {
                self.allocations[index].state = AllocationState::Returned;
            }
            return;
        }
        if random.below(3) == 0 {
            self.reallocate(index, random);
            return;
        }
        let freed = self.memory.free(base, Site(2));
        match (kind, state, freed.map_err(|fault| fault.kind)) {
            (Kind::Heap, AllocationState::Live, Ok(())) => self.allocations[index].state = AllocationState::Freed,
            (Kind::Heap, AllocationState::Freed, Err(FaultKind::DoubleFree)) => {}
            (_, AllocationState::Live, Err(FaultKind::InvalidFree { .. })) if kind != Kind::Heap => {}
            other => panic!("{other:?}"),
        }
    }

    fn reallocate(&mut self, index: usize, random: &mut Random) {
        let size = random.size();
        let old = self.allocations[index].clone();
        match self.memory.reallocate(old.base, size, Site(3)) {
            Ok(made) => {
                assert!(old.kind == Kind::Heap && old.is_live());
                self.allocations[index].state = AllocationState::Freed;
                let mut cells = old.cells;
                self.cut_off.extend(exprs(cells.iter().skip(size as usize)));
                cells.resize(size as usize, Cell::Byte { bits: 0, undefined: 0xff });
                self.add(made, Kind::Heap, cells);
            }
            Err(fault) => {
                assert!(matches!(fault.kind, FaultKind::ReallocMisuse { .. }));
                assert!(old.kind != Kind::Heap || !old.is_live());
            }
        }
    }

    /// What is around a place, found by looking at everything.
    fn look_around(&mut self, random: &mut Random) {
        let Some(aim) = self.aim(random) else { return };
        let allocation = &self.allocations[aim.index];
        let window = allocation.is_live().then_some((allocation.base, allocation.size()));
        assert_eq!(self.memory.window(allocation.id), window);
        let address = self.address(aim).wrapping_add(random.below(1000)).wrapping_sub(500);
        let bytes = 1 + random.below(12);
        let (first, last) = self.memory.bad_range_around(address, bytes);
        let good = self.allocations.iter().filter(|other| other.is_live() && other.size() >= bytes);
        let good: Vec<(u64, u64)> = good.map(|other| (other.base, other.base + other.size() - bytes)).collect();
        if good.iter().any(|(start, end)| (*start..=*end).contains(&address)) {
            assert_eq!((first, last), (address, address));
        } else {
            assert!((first..=last).contains(&address));
            assert!(good.iter().all(|(start, end)| *end < first || *start > last));
            assert!(first == 0 || good.iter().any(|(_, end)| *end == first - 1));
            assert!(last >= u64::from(u32::MAX) || good.iter().any(|(start, _)| *start == last + 1));
        }
        let before = self.allocations.iter().filter(|other| other.is_live() && other.base <= address);
        if let Some(before) = before.max_by_key(|other| other.base)
            && address - before.base < before.size() + 16
        {
            let nearby = (before.id, before.base, before.size());
            assert_eq!(self.memory.resolve_nearby(address), Some(nearby));
        }
    }

    pub fn step(&mut self, random: &mut Random) {
        match random.below(40) {
            0..=3 => self.allocate(random),
            4..=6 => self.end_life(random),
            7..=9 => self.copy(random),
            10..=12 => self.fill(random),
            13 => self.look_around(random),
            14 if random.below(4) == 0 => self.change_elasticity(random),
            _ => self.access(random),
        }
    }

    /// The expressions in live allocations.
    pub fn exprs(&self) -> BTreeSet<Expr> {
        exprs(self.allocations.iter().filter(|allocation| allocation.is_live()).flat_map(|live| &live.cells)).collect()
    }

    /// The expressions of which it does not matter whether they are found.
    pub fn cut_off(&self) -> &BTreeSet<Expr> {
        &self.cut_off
    }

    /// Bytes without which the contents cannot be stored: numbers that are not zero, and parts.
    pub fn least_bytes(&self) -> usize {
        let cells = self.allocations.iter().filter(|allocation| allocation.is_live()).flat_map(|live| &live.cells);
        cells.map(|cell| if is_part(cell) { 8 } else { usize::from(bits_and_mask(cell).0 != 0) }).sum()
    }

    /// Everything, read at the end.
    pub fn check(&mut self) {
        for allocation in &self.allocations {
            let info = self.memory.info(allocation.id).unwrap();
            assert_eq!((info.base, info.size), (allocation.base, allocation.size()));
            assert_eq!((info.kind, info.state), (allocation.kind, allocation.state));
            if allocation.is_live() {
                assert_eq!(info.elastic, allocation.elastic);
                let mut cells = Vec::new();
                let read = |memory: &mut Memory| memory.read_cells(info.base, info.size, &mut cells);
                self.memory.with_elastic_access(read).unwrap();
                assert_eq!(cells, allocation.cells);
            }
        }
        for kind in Kind::ALL {
            let listed: Vec<AllocationId> = self.memory.live(kind).map(|info| info.id).collect();
            let alive = |a: &&Allocation| a.kind == kind && a.is_live();
            let mut expected: Vec<&Allocation> = self.allocations.iter().filter(alive).collect();
            expected.sort_by_key(|allocation| allocation.base);
            assert_eq!(listed, expected.iter().map(|allocation| allocation.id).collect::<Vec<_>>());
        }
        assert_eq!(self.memory.statistics().live, self.allocations.iter().filter(|a| a.is_live()).count() as u64);
        let mut found = BTreeSet::new();
        self.memory.visit_exprs(&mut Seen::new(), &mut |expr| {
            found.insert(expr);
        });
        assert_eq!(&found - &self.cut_off, &self.exprs() - &self.cut_off);
        assert!(found.is_superset(&self.exprs()));
    }
}
