//! Which locations are the same place of the source: equal in file, line and column, whatever function they were inlined in.

use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;

use crate::LocId;
use crate::debug::DebugInfo;

pub(super) struct Places {
    /// The place of each location; 0 if it has no line.
    of_loc: Vec<u32>,
    /// The last block in which each place was seen, by the number of the call to `next_block`.
    seen: Vec<u32>,
    block: u32,
}

impl Places {
    pub(super) fn new(debug: &DebugInfo) -> Self {
        let mut known = FxHashMap::default();
        let mut of_loc = Vec::with_capacity(debug.locs.len());
        for loc in debug.locs.values() {
            let next = known.len() as u32 + 1;
            let place = match loc.line {
                0 => 0,
                line => *known.entry((loc.file, line, loc.column)).or_insert(next),
            };
            of_loc.push(place);
        }
        Places { of_loc, seen: vec![0; known.len() + 1], block: 0 }
    }

    /// Forgets the places seen so far.
    pub(super) fn next_block(&mut self) {
        self.block += 1;
    }

    /// Notes a location; whether its line is new in this block.
    pub(super) fn see(&mut self, loc: LocId) -> bool {
        let place = self.of_loc[loc.index()] as usize;
        place != 0 && std::mem::replace(&mut self.seen[place], self.block) != self.block
    }
}
