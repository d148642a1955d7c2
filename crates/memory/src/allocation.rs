//! What identifies and describes an allocation. Its bytes are in `contents`, its place in the address space in
//! `region`.

use std::fmt;

use cranelift_entity::entity_impl;

use crate::contents::{Contents, Extent};

/// The identity of an allocation. Ids are sparse (they follow from the address), so a map keyed by them should be a
/// hash map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AllocationId(u32);
entity_impl!(AllocationId, "alloc");

/// The low bits of an id say which kind of memory it is, the others which granule of that kind's region.
const KIND_BITS: u32 = 3;

/// How many granules a region may have so that every granule has an id.
pub(crate) const MAX_GRANULES: u32 = 1 << (32 - KIND_BITS);

impl AllocationId {
    pub(crate) fn new(kind: Kind, granule: u32) -> AllocationId {
        debug_assert!(granule < MAX_GRANULES);
        AllocationId(granule << KIND_BITS | kind as u32)
    }

    /// None for the reserved value, which no allocation has.
    pub(crate) fn parts(self) -> Option<(Kind, u32)> {
        let kind = *Kind::ALL.get((self.0 & ((1 << KIND_BITS) - 1)) as usize)?;
        Some((kind, self.0 >> KIND_BITS))
    }
}

/// What an allocation is for, and with it the part of the address space where it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Global,
    Stack,
    Heap,
    /// Thread-local variables.
    Thread,
    /// What the environment hands to the program: arguments, environment variables.
    Environment,
}

impl Kind {
    pub const ALL: [Kind; 5] = [Kind::Global, Kind::Stack, Kind::Heap, Kind::Thread, Kind::Environment];
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Global => "global",
            Kind::Stack => "stack",
            Kind::Heap => "heap",
            Kind::Thread => "thread",
            Kind::Environment => "environment",
        })
    }
}

/// Where in the program something was allocated or freed: a number whose meaning only the executor knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AllocationState {
    Live,
    Freed,
    /// A stack allocation whose function has returned.
    Returned,
}

/// An allocation as others see it: everything but its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllocationInfo {
    pub id: AllocationId,
    pub base: u64,
    pub size: u64,
    pub kind: Kind,
    pub allocated_at: Site,
    pub freed_at: Option<Site>,
    pub state: AllocationState,
    pub read_only: bool,
    /// Its size is not known but for an upper bound, which `size` is; see `Memory::set_elastic`.
    pub elastic: bool,
}

/// A live allocation, as the tree of its region holds it; the granule where it begins is the key.
#[derive(Clone)]
pub(crate) struct Record {
    pub base: u64,
    pub size: u64,
    pub allocated_at: Site,
    /// How many granules it occupies, redzones included.
    pub granules: u32,
    pub read_only: bool,
    pub elastic: bool,
    pub contents: Contents,
}

/// Copied eight at a time when a tree changes after a fork.
const _: () = assert!(size_of::<Record>() <= 64);

impl Record {
    pub fn extent(&self) -> Extent {
        Extent { base: self.base, size: self.size }
    }

    /// One past its last byte.
    pub fn end(&self) -> u64 {
        self.base + self.size
    }

    pub fn contains(&self, address: u64) -> bool {
        address.wrapping_sub(self.base) < self.size
    }

    pub fn info(&self, kind: Kind, granule: u32) -> AllocationInfo {
        AllocationInfo {
            id: AllocationId::new(kind, granule),
            base: self.base,
            size: self.size,
            kind,
            allocated_at: self.allocated_at,
            freed_at: None,
            state: AllocationState::Live,
            read_only: self.read_only,
            elastic: self.elastic,
        }
    }
}
