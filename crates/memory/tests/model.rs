//! Random operations on several memories that are clones of each other, compared step by step with a naive model that
//! copies everything. Single faults and their reports are in `faults.rs`.
#![allow(clippy::unwrap_used)]

use symcrete_memory::{AllocationId, AllocationState, Config, FaultKind, Kind, Memory, Site};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn bytes(&mut self, length: u64) -> Vec<u8> {
        (0..length).map(|_| self.next() as u8).collect()
    }

    /// Mostly defined.
    fn masks(&mut self, length: u64) -> Vec<u8> {
        (0..length).map(|_| if self.below(3) == 0 { self.next() as u8 } else { 0 }).collect()
    }

    /// Small as a rule, at times many pages.
    fn size(&mut self) -> u64 {
        match self.below(10) {
            0 => 0,
            1..=5 => self.below(40) + 1,
            6..=7 => self.below(600) + 1,
            8 => 256 * (self.below(4) + 1),
            _ => self.below(9000) + 1,
        }
    }
}

#[derive(Clone)]
struct Allocation {
    id: AllocationId,
    base: u64,
    kind: Kind,
    state: AllocationState,
    read_only: bool,
    bytes: Vec<u8>,
    masks: Vec<u8>,
}

#[derive(Clone)]
struct World {
    memory: Memory,
    allocations: Vec<Allocation>,
}

impl World {
    fn new(config: Config) -> World {
        World { memory: Memory::new(config), allocations: Vec::new() }
    }

    fn add(&mut self, (id, base): (AllocationId, u64), kind: Kind, bytes: Vec<u8>, masks: Vec<u8>) {
        for other in self.allocations.iter().filter(|other| other.state == AllocationState::Live) {
            let (end, other_end) = (base + bytes.len() as u64, other.base + other.bytes.len() as u64);
            assert!(end + 16 <= other.base || other_end + 16 <= base, "{base:#x} is too near to {:#x}", other.base);
        }
        self.allocations.push(Allocation {
            id,
            base,
            kind,
            state: AllocationState::Live,
            read_only: false,
            bytes,
            masks,
        });
    }

    fn allocate(&mut self, random: &mut Random) {
        let kind = Kind::ALL[random.below(5) as usize];
        let (size, align) = (random.size(), 1 << random.below(11));
        let made = if random.below(3) == 0 {
            let prefix = random.below(size + 1);
            let mut bytes = random.bytes(prefix);
            let made = self.memory.allocate_initialised(size, align, kind, Site(1), &bytes).unwrap();
            bytes.resize(size as usize, 0);
            self.add(made, kind, bytes, vec![0; size as usize]);
            made
        } else {
            let made = self.memory.allocate(size, align, kind, Site(1)).unwrap();
            self.add(made, kind, vec![0; size as usize], vec![0xff; size as usize]);
            made
        };
        assert_eq!(made.1 % align, 0);
        if random.below(20) == 0 {
            self.memory.protect(made.1);
            self.allocations.last_mut().unwrap().read_only = true;
        }
    }

    /// What an access to `length` bytes at an offset of an allocation must give: nothing, or a fault.
    fn expected(&self, index: usize, offset: i64, length: u64, write: bool) -> Option<FaultKind> {
        let allocation = &self.allocations[index];
        let inside = offset >= 0 && (offset as u64) < allocation.bytes.len() as u64;
        match allocation.state {
            _ if !inside => Some(FaultKind::OutOfBounds),
            AllocationState::Freed => Some(FaultKind::UseAfterFree),
            AllocationState::Returned => Some(FaultKind::UseAfterReturn),
            _ if offset as u64 + length > allocation.bytes.len() as u64 => Some(FaultKind::OutOfBounds),
            _ if write && allocation.read_only => Some(FaultKind::WriteToReadOnly),
            _ => None,
        }
    }

    /// A random place in or a little outside of a random allocation. Not every dead one is remembered.
    fn aim(&self, random: &mut Random) -> Option<(usize, i64)> {
        let recent = self.allocations.len().saturating_sub(60);
        let index = recent + random.below((self.allocations.len() - recent).max(1) as u64) as usize;
        let allocation = self.allocations.get(index)?;
        let slack = if random.below(6) == 0 { 8 } else { 0 };
        let offset = random.below((allocation.bytes.len() as u64 + 2 * slack).max(1)) as i64 - slack as i64;
        Some((index, offset))
    }

    fn access(&mut self, random: &mut Random) {
        let Some((index, offset)) = self.aim(random) else { return };
        let address = self.allocations[index].base.wrapping_add(offset as u64);
        let room = (self.allocations[index].bytes.len() as u64).saturating_sub(offset.max(0) as u64);
        let is_word = random.below(3) != 0;
        let most = match random.below(4) {
            _ if is_word => 8,
            0 => 3000,
            _ => room + 1,
        };
        let length = random.below(most) + 1;
        let write = random.below(2) == 0;
        let expected = self.expected(index, offset, length, write);
        let at = offset.max(0) as usize;
        let range = at..at + length as usize;
        match (write, is_word) {
            (false, true) => {
                let word = self.memory.read_word(address, length as u32);
                assert_eq!(word.as_ref().err().map(|fault| fault.kind), expected);
                let Ok(word) = word else { return };
                let allocation = &self.allocations[index];
                assert_eq!(word.bits().to_le_bytes()[..length as usize], allocation.bytes[range.clone()]);
                assert_eq!(word.undefined().to_le_bytes()[..length as usize], allocation.masks[range]);
            }
            (false, false) => {
                let (mut bytes, mut masks) = (vec![1; length as usize], vec![1; length as usize]);
                let read = self.memory.read_bytes_masked(address, &mut bytes, &mut masks);
                assert_eq!(read.as_ref().err().map(|fault| fault.kind), expected);
                let all_defined = self.memory.read_bytes(address, &mut vec![0; length as usize]);
                assert_eq!(all_defined.as_ref().err().map(|fault| fault.kind), expected);
                let Ok(all_defined) = all_defined else { return };
                assert_eq!(bytes, self.allocations[index].bytes[range.clone()]);
                assert_eq!(masks, self.allocations[index].masks[range]);
                assert_eq!(all_defined, masks.iter().all(|mask| *mask == 0));
            }
            (true, _) => {
                let bytes = random.bytes(length);
                let masks =
                    if is_word || random.below(2) == 0 { vec![0; length as usize] } else { random.masks(length) };
                let written = if is_word {
                    let mut word = random.next().to_le_bytes();
                    word[..length as usize].copy_from_slice(&bytes);
                    self.memory.write_word(address, length as u32, u64::from_le_bytes(word))
                } else if masks.iter().all(|mask| *mask == 0) {
                    self.memory.write_bytes(address, &bytes)
                } else {
                    self.memory.write_bytes_masked(address, &bytes, &masks)
                };
                assert_eq!(written.as_ref().err().map(|fault| fault.kind), expected);
                if written.is_ok() {
                    let allocation = &mut self.allocations[index];
                    let visible: Vec<u8> = bytes.iter().zip(&masks).map(|(byte, mask)| byte & !mask).collect();
                    allocation.bytes[range.clone()].copy_from_slice(&visible);
                    allocation.masks[range].copy_from_slice(&masks);
                }
            }
        }
    }

    fn copy(&mut self, random: &mut Random) {
        let (Some((from, from_offset)), Some((to, to_offset))) = (self.aim(random), self.aim(random)) else { return };
        // Overlaps are likely only within one allocation.
        let to = if random.below(2) == 0 { from } else { to };
        let to_offset =
            if to == from { random.below(self.allocations[to].bytes.len() as u64 + 1) as i64 } else { to_offset };
        let room = |index: usize, offset: i64| self.allocations[index].bytes.len() as i64 - offset;
        let most = room(from, from_offset).min(room(to, to_offset)).max(0) as u64;
        let length = if random.below(8) == 0 { most + 1 } else { most - random.below(most + 1) };
        let address = |index: usize, offset: i64| self.allocations[index].base.wrapping_add(offset as u64);
        let expected = if length == 0 {
            None
        } else {
            let read = self.expected(from, from_offset, length, false);
            read.or(self.expected(to, to_offset, length, true))
        };
        let copied = self.memory.copy(address(to, to_offset), address(from, from_offset), length);
        assert_eq!(copied.as_ref().err().map(|fault| fault.kind), expected);
        if copied.is_ok() && length > 0 {
            let source = from_offset as usize..from_offset as usize + length as usize;
            let target = to_offset as usize..to_offset as usize + length as usize;
            let (bytes, masks) = (&self.allocations[from].bytes, &self.allocations[from].masks);
            let (bytes, masks) = (bytes[source.clone()].to_vec(), masks[source].to_vec());
            self.allocations[to].bytes[target.clone()].copy_from_slice(&bytes);
            self.allocations[to].masks[target].copy_from_slice(&masks);
        }
    }

    fn fill(&mut self, random: &mut Random) {
        let Some((index, offset)) = self.aim(random) else { return };
        let size = self.allocations[index].bytes.len() as u64;
        let (offset, length) = match random.below(3) {
            0 => (0, size),
            _ => (offset, random.below(size + 1)),
        };
        let byte = if random.below(2) == 0 { 0 } else { random.next() as u8 };
        let expected = if length == 0 { None } else { self.expected(index, offset, length, true) };
        let filled = self.memory.fill(self.allocations[index].base.wrapping_add(offset as u64), byte, length);
        assert_eq!(filled.as_ref().err().map(|fault| fault.kind), expected);
        if filled.is_ok() && length > 0 {
            let range = offset as usize..offset as usize + length as usize;
            self.allocations[index].bytes[range.clone()].fill(byte);
            self.allocations[index].masks[range].fill(0);
        }
    }

    fn end_life(&mut self, random: &mut Random) {
        let Some((index, _)) = self.aim(random) else { return };
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
                assert_eq!((old.kind, old.state), (Kind::Heap, AllocationState::Live));
                self.allocations[index].state = AllocationState::Freed;
                let (mut bytes, mut masks) = (old.bytes, old.masks);
                bytes.resize(size as usize, 0);
                masks.resize(size as usize, 0xff);
                self.add(made, Kind::Heap, bytes, masks);
            }
            Err(fault) => {
                assert!(matches!(fault.kind, FaultKind::ReallocMisuse { .. }));
                assert!(old.kind != Kind::Heap || old.state != AllocationState::Live);
            }
        }
    }

    fn step(&mut self, random: &mut Random) {
        match random.below(40) {
            0..=3 => self.allocate(random),
            4..=6 => self.end_life(random),
            7..=9 => self.copy(random),
            10..=12 => self.fill(random),
            _ => self.access(random),
        }
    }

    /// Everything, read at the end.
    fn check(&mut self) {
        for allocation in &self.allocations {
            let info = self.memory.info(allocation.id).unwrap();
            assert_eq!((info.base, info.size), (allocation.base, allocation.bytes.len() as u64));
            assert_eq!((info.kind, info.state), (allocation.kind, allocation.state));
            if allocation.state == AllocationState::Live {
                let (mut bytes, mut masks) = (allocation.bytes.clone(), allocation.bytes.clone());
                self.memory.read_bytes_masked(allocation.base, &mut bytes, &mut masks).unwrap();
                assert_eq!(bytes, allocation.bytes);
                assert_eq!(masks, allocation.masks);
            }
        }
        for kind in Kind::ALL {
            let listed: Vec<AllocationId> = self.memory.live(kind).map(|info| info.id).collect();
            let alive = |a: &&Allocation| a.kind == kind && a.state == AllocationState::Live;
            let mut expected: Vec<&Allocation> = self.allocations.iter().filter(alive).collect();
            expected.sort_by_key(|allocation| allocation.base);
            assert_eq!(listed, expected.iter().map(|allocation| allocation.id).collect::<Vec<_>>());
        }
        let alive = |a: &&Allocation| a.state == AllocationState::Live;
        assert_eq!(self.memory.statistics().live, self.allocations.iter().filter(alive).count() as u64);
    }
}

fn run(seed: u64, config: Config, steps: u32) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut worlds = vec![World::new(config)];
    for _ in 0..steps {
        let index = random.below(worlds.len() as u64) as usize;
        match random.below(60) {
            0 if worlds.len() < 6 => worlds.push(worlds[index].clone()),
            1 if worlds.len() > 1 => worlds.swap_remove(index).check(),
            _ => worlds[index].step(&mut random),
        }
    }
    worlds.iter_mut().for_each(World::check);
}

#[test]
fn agrees_with_the_model_64_bit() {
    (1..=40).for_each(|seed| run(seed, Config { pointer_bits: 64 }, 2500));
}

#[test]
fn agrees_with_the_model_32_bit() {
    (1..=20).for_each(|seed| run(seed, Config { pointer_bits: 32 }, 2500));
}
