//! `Memory` itself: making, releasing and looking up allocations. Reading and writing them is in `access` and
//! `blocks`, what a bad address means in `diagnose`.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use cranelift_entity::packed_option::ReservedValue;

use crate::allocation::{AllocationId, AllocationInfo, Kind, Record, Site};
use crate::cache::Cache;
use crate::contents::{Contents, Extent};
use crate::fault::{Access, Fault, OutOfMemory};
use crate::page::{Owner, PAGE_BITS, PAGE_BYTES};
use crate::quarantine::{Quarantine, Tombstone};
use crate::region::{Layout, Region, Request};

/// What a memory is like from the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Width of a pointer: 64 or 32. Default: 64.
    pub pointer_bits: u16,
}

impl Default for Config {
    fn default() -> Self {
        Config { pointer_bits: 64 }
    }
}

/// What a path has done with its memory so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Allocations ever made, and their bytes.
    pub allocations: u64,
    pub allocated_bytes: u64,
    /// Those that are alive now.
    pub live: u64,
    pub live_bytes: u64,
}

/// Up to where regions were used from which memory is taken: see [`Memory::frontier`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frontier([u32; 2]);

impl Frontier {
    /// That of the heap.
    pub fn heap(self) -> u32 {
        self.0[1]
    }
}

/// The memory of one path. A clone shares everything with its original until one of the two writes.
pub struct Memory {
    pub(crate) layout: &'static Layout,
    pub(crate) regions: [Region; 5],
    pub(crate) quarantine: Quarantine,
    /// The number by which this memory goes now; see [`Owner`].
    owner: Cell<Owner>,
    /// The last number given out to this memory or to any that it has a common ancestor with.
    last_owner: Rc<Cell<u64>>,
    pub(crate) cache: Rc<RefCell<Cache>>,
    /// Some byte may be symbolic, or was once.
    pub(crate) symbolic: bool,
    /// Accesses to elastic allocations are known to be in bounds.
    elastic_access: bool,
    /// Elastic allocations that may be accessed up to an offset.
    elastic_allowed: Vec<(AllocationId, u64)>,
    statistics: Statistics,
}

/// What a clone costs before it writes anything.
const _: () = assert!(size_of::<Memory>() <= 384);

impl Clone for Memory {
    fn clone(&self) -> Self {
        self.owner.set(self.new_owner());
        Memory {
            layout: self.layout,
            regions: self.regions.clone(),
            quarantine: self.quarantine.clone(),
            owner: Cell::new(self.new_owner()),
            last_owner: self.last_owner.clone(),
            cache: self.cache.clone(),
            symbolic: self.symbolic,
            elastic_access: false,
            elastic_allowed: Vec::new(),
            statistics: self.statistics,
        }
    }
}

impl Memory {
    pub fn new(config: Config) -> Memory {
        Memory {
            layout: Layout::for_pointers(config.pointer_bits),
            regions: Default::default(),
            quarantine: Quarantine::default(),
            owner: Cell::new(Owner(1)),
            last_owner: Rc::new(Cell::new(1)),
            cache: Rc::new(RefCell::new(Cache::new())),
            symbolic: false,
            elastic_access: false,
            elastic_allowed: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    fn new_owner(&self) -> Owner {
        let number = self.last_owner.get() + 1;
        self.last_owner.set(number);
        Owner(number)
    }

    #[inline(always)]
    pub(crate) fn owner(&self) -> Owner {
        self.owner.get()
    }

    /// Makes an allocation whose contents are undefined. `align` is a power of two; zero counts as one.
    pub fn allocate(
        &mut self,
        size: u64,
        align: u64,
        kind: Kind,
        site: Site,
    ) -> Result<(AllocationId, u64), OutOfMemory> {
        self.place(Request { size, align, colour: None }, kind, site, Contents::undefined)
    }

    /// Makes an allocation that begins with `prefix`; the rest is zero and takes no room until written.
    pub fn allocate_initialised(
        &mut self,
        size: u64,
        align: u64,
        kind: Kind,
        site: Site,
        prefix: &[u8],
    ) -> Result<(AllocationId, u64), OutOfMemory> {
        let (id, base) = self.place(Request { size, align, colour: None }, kind, site, Contents::zeroed)?;
        let length = prefix.len().min(usize::try_from(size).unwrap_or(usize::MAX));
        // Zeros at the end are there already.
        let length = prefix[..length].iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let written = self.write_bytes(base, &prefix[..length]);
        debug_assert!(written.is_ok(), "the prefix fits into what was just allocated");
        Ok((id, base))
    }

    fn place(
        &mut self,
        request: Request,
        kind: Kind,
        site: Site,
        contents: impl FnOnce(Extent) -> Contents,
    ) -> Result<(AllocationId, u64), OutOfMemory> {
        let region = &mut self.regions[kind as usize];
        let size = request.size;
        let place = region.place(self.layout, kind, request).ok_or(OutOfMemory { kind, bytes: size })?;
        let record = Record {
            base: place.base,
            size,
            allocated_at: site,
            granules: place.granules,
            read_only: false,
            elastic: false,
            contents: contents(Extent { base: place.base, size }),
        };
        region.live.insert(place.granule, record);
        self.statistics.allocations += 1;
        self.statistics.allocated_bytes += size;
        self.statistics.live += 1;
        self.statistics.live_bytes += size;
        Ok((AllocationId::new(kind, place.granule), place.base))
    }

    /// Makes the live allocation that begins at `base` read-only.
    pub fn protect(&mut self, base: u64) {
        let Some((kind, granule)) = self.layout.find(base) else { return };
        if let Some(record) = self.regions[kind as usize].live.get_mut(granule) {
            record.read_only = true;
            let granules = record.granules;
            self.forget_cached(kind, granule, granules);
        }
    }

    /// Declares the size of a live allocation to be unknown but for the upper bound with which it was made. From then on
    /// every access to it is a fault (see [`Fault::elastic`]) unless made by way of `with_elastic_access`.
    pub fn set_elastic(&mut self, id: AllocationId) {
        let Some((kind, granule)) = id.parts() else { return };
        if let Some(record) = self.regions[kind as usize].live.get_mut(granule) {
            record.elastic = true;
            let granules = record.granules;
            self.forget_cached(kind, granule, granules);
        }
    }

    /// Ends what `set_elastic` began: the size is the upper bound.
    pub fn set_rigid(&mut self, id: AllocationId) {
        let Some((kind, granule)) = id.parts() else { return };
        // Nothing of it is cached as long as it is elastic.
        if let Some(record) = self.regions[kind as usize].live.get_mut(granule) {
            record.elastic = false;
        }
    }

    /// Makes accesses for which the caller vouches: where they hit elastic allocations, they are in bounds.
    pub fn with_elastic_access<R>(&mut self, access: impl FnOnce(&mut Memory) -> R) -> R {
        let before = std::mem::replace(&mut self.elastic_access, true);
        let result = access(self);
        self.elastic_access = before;
        result
    }

    /// Lets accesses to an elastic allocation through that end at this offset or before, until `forbid_elastic`.
    pub fn allow_elastic(&mut self, id: AllocationId, end: u64) {
        self.elastic_allowed.push((id, end));
    }

    pub fn forbid_elastic(&mut self) {
        self.elastic_allowed.clear();
    }

    /// Whether an access to an elastic allocation that ends at this offset is let through.
    pub(crate) fn is_elastic_allowed(&self, id: AllocationId, end: u64) -> bool {
        self.elastic_access || self.elastic_allowed.iter().any(|(allowed, most)| *allowed == id && end <= *most)
    }

    /// `free` of C. Freeing null does nothing.
    pub fn free(&mut self, address: u64, site: Site) -> Result<(), Fault> {
        if address == 0 {
            return Ok(());
        }
        let granule = self.heap_block(address).ok_or_else(|| self.bad_block(address, Access::Free))?;
        self.bury(Kind::Heap, granule, site, false);
        Ok(())
    }

    /// `realloc` of C: the contents move to a new address, the old one is freed. A null address is an allocation. If
    /// there is no room, nothing changes, and the answer is a null address with the reserved id.
    pub fn reallocate(&mut self, address: u64, new_size: u64, site: Site) -> Result<(AllocationId, u64), Fault> {
        let none = (AllocationId::reserved_value(), 0);
        if address == 0 {
            return Ok(self.allocate(new_size, 1, Kind::Heap, site).unwrap_or(none));
        }
        let granule = self.heap_block(address).ok_or_else(|| self.bad_block(address, Access::Reallocate))?;
        // The same place within a granule, so that the pages can move as they are.
        let request = Request { size: new_size, align: 1, colour: Some(address % PAGE_BYTES) };
        let Ok((id, base)) = self.place(request, Kind::Heap, site, Contents::undefined) else { return Ok(none) };
        if let Some(old) = self.bury(Kind::Heap, granule, site, false)
            && let Some((_, new_granule)) = id.parts()
        {
            let owner = self.owner();
            if let Some(record) = self.regions[Kind::Heap as usize].live.get_mut(new_granule) {
                let (old_extent, new_extent) = (old.extent(), record.extent());
                record.contents = old.contents;
                record.contents.resize(old_extent, new_extent, owner);
            }
        }
        Ok((id, base))
    }

    /// The live heap block that begins at `address`.
    fn heap_block(&self, address: u64) -> Option<u32> {
        let (kind, granule) = self.layout.find(address)?;
        let record = self.regions[kind as usize].live.get(granule)?;
        (kind == Kind::Heap && record.base == address).then_some(granule)
    }

    /// Ends the life of a stack allocation whose function returns. Ids of what is already dead are ignored.
    pub fn release(&mut self, id: AllocationId, site: Site) {
        if let Some((kind, granule)) = id.parts() {
            self.bury(kind, granule, site, true);
        }
    }

    /// Turns a live allocation into a tombstone. Returns what it was.
    fn bury(&mut self, kind: Kind, granule: u32, site: Site, returned: bool) -> Option<Record> {
        let record = self.regions[kind as usize].live.remove(granule)?;
        self.quarantine.push(Tombstone {
            base: record.base,
            size: record.size,
            id: AllocationId::new(kind, granule),
            allocated_at: record.allocated_at,
            freed_at: site,
            returned,
        });
        self.statistics.live -= 1;
        self.statistics.live_bytes -= record.size;
        self.forget_cached(kind, granule, record.granules);
        Some(record)
    }

    /// Nothing about these granules is to be found in the cache any more.
    pub(crate) fn forget_cached(&mut self, kind: Kind, granule: u32, granules: u32) {
        if granules > Cache::WORTH_FORGETTING {
            self.owner.set(self.new_owner());
            return;
        }
        let start = self.layout.address(kind, granule);
        let mut cache = self.cache.borrow_mut();
        (0..u64::from(granules)).for_each(|at| cache.forget(start + (at << PAGE_BITS)));
    }

    /// How many bytes may be used from `address` on if that is the base of a live heap block.
    pub fn usable_size(&self, address: u64) -> Option<u64> {
        let granule = self.heap_block(address)?;
        self.regions[Kind::Heap as usize].live.get(granule).map(|record| record.size)
    }

    /// All live allocations of a kind, in the order of their addresses.
    pub fn live(&self, kind: Kind) -> impl Iterator<Item = AllocationInfo> {
        self.regions[kind as usize].live.iter().map(move |(granule, record)| record.info(kind, granule))
    }

    /// What is known about an allocation: always if it is alive, for some time if it is dead.
    pub fn info(&self, id: AllocationId) -> Option<AllocationInfo> {
        let (kind, granule) = id.parts()?;
        match self.regions[kind as usize].live.get(granule) {
            Some(record) => Some(record.info(kind, granule)),
            None => self.quarantine.iter().find(|stone| stone.id == id).map(Tombstone::info),
        }
    }

    /// The live allocation that `address` lies in, and the offset there.
    pub fn resolve(&self, address: u64) -> Option<(AllocationId, u64)> {
        let (kind, granule) = self.layout.find(address)?;
        let (start, record) = self.regions[kind as usize].live.floor(granule)?;
        record.contains(address).then(|| (AllocationId::new(kind, start), address - record.base))
    }

    /// Up to where the stack and the heap were used: what is allocated next comes behind.
    pub fn frontier(&self) -> Frontier {
        Frontier([Kind::Stack, Kind::Heap].map(|kind| self.regions[kind as usize].cursor()))
    }

    /// Leaves out addresses, so that what is allocated next comes so many granules behind a frontier, whatever was allocated
    /// since. Whether that is possible.
    pub fn leave_out(&mut self, from: Frontier, granules: u32) -> bool {
        let mut is_possible = true;
        for (kind, cursor) in [Kind::Stack, Kind::Heap].into_iter().zip(from.0) {
            let upto = cursor.saturating_add(granules);
            is_possible &= self.regions[kind as usize].leave_out(self.layout, kind, upto);
        }
        is_possible
    }

    pub fn statistics(&self) -> Statistics {
        self.statistics
    }
}
