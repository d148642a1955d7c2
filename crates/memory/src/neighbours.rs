//! What lies around an address: for pointers that are not known exactly. What a bad access hit is in `diagnose`.

use crate::allocation::{AllocationId, Kind, Record};
use crate::memory::Memory;

impl Memory {
    /// Base and size of a live allocation.
    pub fn window(&self, id: AllocationId) -> Option<(u64, u64)> {
        let (kind, granule) = id.parts()?;
        self.regions[kind as usize].live.get(granule).map(|record| (record.base, record.size))
    }

    /// The first and the last address of the largest range around `address` that has no byte of a live allocation. If
    /// `address` lies in one, the range is `address` alone.
    pub fn gap_around(&self, address: u64) -> (u64, u64) {
        self.bad_range_around(address, 1)
    }

    /// The first and the last address of the largest range around `address` such that from nowhere in it `bytes` bytes
    /// lie all in one live allocation. If they do from `address`, the range is `address` alone.
    pub fn bad_range_around(&self, address: u64, bytes: u64) -> (u64, u64) {
        let bytes = bytes.max(1);
        let large_enough = |record: &&Record| record.size >= bytes;
        let (mut first, mut last) = (0, self.layout.last_address());
        for kind in Kind::ALL {
            for record in self.downwards_from(kind, address).filter(large_enough) {
                let last_good = record.end() - bytes;
                if (record.base..=last_good).contains(&address) {
                    return (address, address);
                }
                if record.base < address {
                    first = first.max(last_good + 1);
                    break;
                }
                // In the granule of `address`, but after it.
                last = last.min(record.base - 1);
            }
            let above = self.layout.last_granule_up_to(kind, address).map_or(0, |granule| granule + 1);
            let mut later = self.regions[kind as usize].live.iter_from(above).map(|(_, record)| record);
            if let Some(record) = later.find(large_enough) {
                last = last.min(record.base - 1);
            }
        }
        (first, last)
    }

    /// The live allocations of a kind that begin in the granule of `address` or before it, from the last one on.
    fn downwards_from(&self, kind: Kind, address: u64) -> impl Iterator<Item = &Record> {
        let live = &self.regions[kind as usize].live;
        let start = self.layout.last_granule_up_to(kind, address).and_then(|granule| live.floor(granule));
        let before = move |(granule, _): &(u32, _)| live.floor(granule.checked_sub(1)?);
        std::iter::successors(start, before).map(|(_, record)| record)
    }

    /// The live allocation that a pointer to `address` most likely comes from, with its base and its size: the one that
    /// `address` lies in, or else in whose redzone, or else the nearest one before, or else the first one after. None
    /// where memory of no kind lies.
    pub fn resolve_nearby(&self, address: u64) -> Option<(AllocationId, u64, u64)> {
        let (kind, granule) = self.layout.find(address)?;
        let live = &self.regions[kind as usize].live;
        let (granule, record) = live.floor(granule).or_else(|| live.iter().next())?;
        Some((AllocationId::new(kind, granule), record.base, record.size))
    }
}
