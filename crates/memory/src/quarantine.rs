//! What is remembered of allocations that are gone, so that a report can name them: a bounded number, in the order in
//! which they died. Only looked at after a fault, by going through all of it.

use std::rc::Rc;

use crate::allocation::{AllocationId, AllocationInfo, AllocationState, Kind, Site};
use crate::walk::Walker;

/// How many are remembered at least; at most it is twice as many.
const GENERATION: u32 = 32_768;
const CHUNK: usize = 16;

/// A dead allocation.
#[derive(Clone, Copy)]
pub struct Tombstone {
    pub base: u64,
    pub size: u64,
    pub id: AllocationId,
    pub allocated_at: Site,
    pub freed_at: Site,
    pub returned: bool,
}

impl Tombstone {
    pub fn info(&self) -> AllocationInfo {
        AllocationInfo {
            id: self.id,
            base: self.base,
            size: self.size,
            kind: self.id.parts().map_or(Kind::Heap, |(kind, _)| kind),
            allocated_at: self.allocated_at,
            freed_at: Some(self.freed_at),
            state: if self.returned { AllocationState::Returned } else { AllocationState::Freed },
            read_only: false,
            elastic: false,
        }
    }
}

/// A list from the newest chunk to the oldest; only the newest grows.
#[derive(Clone)]
struct Chunk {
    stones: Vec<Tombstone>,
    older: Option<Rc<Chunk>>,
}

impl Drop for Chunk {
    /// A loop: the list may be longer than the stack is deep.
    fn drop(&mut self) {
        let mut next = self.older.take();
        while let Some(mut chunk) = next.and_then(|chunk| Rc::try_unwrap(chunk).ok()) {
            next = chunk.older.take();
        }
    }
}

/// Two generations. When the younger is full, the older is forgotten as a whole and the younger takes its place, which
/// needs no list that can be cut at its far end while others share it.
#[derive(Clone, Default)]
pub struct Quarantine {
    young: Option<Rc<Chunk>>,
    old: Option<Rc<Chunk>>,
    young_count: u32,
}

impl Quarantine {
    pub fn push(&mut self, stone: Tombstone) {
        if self.young_count == GENERATION {
            self.old = self.young.take();
            self.young_count = 0;
        }
        self.young_count += 1;
        if let Some(chunk) = &mut self.young
            && chunk.stones.len() < CHUNK
        {
            Rc::make_mut(chunk).stones.push(stone);
            return;
        }
        let mut stones = Vec::with_capacity(CHUNK);
        stones.push(stone);
        self.young = Some(Rc::new(Chunk { stones, older: self.young.take() }));
    }

    /// Hands every list of tombstones to the walker, which stops at what it does not enter.
    pub fn walk(&self, walker: &mut impl Walker) {
        for newest in [&self.young, &self.old] {
            let mut next = newest.as_ref();
            while let Some(chunk) = next.filter(|chunk| walker.enter(chunk)) {
                walker.holds(chunk.stones.capacity() * size_of::<Tombstone>());
                next = chunk.older.as_ref();
            }
        }
    }

    /// From the last to die to the first.
    pub fn iter(&self) -> impl Iterator<Item = &Tombstone> {
        list(self.young.as_deref()).chain(list(self.old.as_deref()))
    }
}

fn list(newest: Option<&Chunk>) -> impl Iterator<Item = &Tombstone> {
    std::iter::successors(newest, |chunk| chunk.older.as_deref()).flat_map(|chunk| chunk.stones.iter().rev())
}
