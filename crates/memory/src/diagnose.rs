//! What a bad address hit: finds the allocation, alive or dead, that the program most likely meant. Only runs after a
//! fault.

use crate::allocation::{AllocationId, AllocationInfo, AllocationState, Kind};
use crate::fault::{Access, Fault, FaultKind, InvalidFreeReason, ReallocMisuseReason};
use crate::memory::Memory;
use crate::page::PAGE_BYTES;
use crate::quarantine::Tombstone;
use crate::region::NULL_PAGE;

/// How far `address` is outside of an allocation; zero if inside.
fn distance(info: &AllocationInfo, address: u64) -> u64 {
    if address < info.base {
        return info.base - address;
    }
    // The first byte past the end is at distance one.
    (address - info.base + 1).saturating_sub(info.size)
}

impl Memory {
    /// What an access is that cannot be made. For when this is known without trying it.
    pub fn fault(&self, address: u64, size: u64, access: Access) -> Fault {
        match access {
            Access::Read | Access::Write => self.bad_access(address, size, access),
            Access::Free | Access::Reallocate => self.bad_block(address, access),
        }
    }

    /// Why `size` bytes at `address` cannot be read or written.
    #[cold]
    pub(crate) fn bad_access(&self, address: u64, size: u64, access: Access) -> Fault {
        let fault = |kind, allocation: Option<AllocationInfo>| Fault {
            kind,
            access,
            address,
            size,
            allocation: allocation.map(|info| (info, address.wrapping_sub(info.base) as i64)),
        };
        if address < NULL_PAGE {
            return fault(FaultKind::NullDereference, None);
        }
        let Some(info) = self.nearest(address) else { return fault(FaultKind::Wild, None) };
        let kind = match info.state {
            _ if distance(&info, address) > 0 => FaultKind::OutOfBounds,
            AllocationState::Freed => FaultKind::UseAfterFree,
            AllocationState::Returned => FaultKind::UseAfterReturn,
            AllocationState::Live
                if access == Access::Write && info.read_only && size <= info.base + info.size - address =>
            {
                FaultKind::WriteToReadOnly
            }
            AllocationState::Live => FaultKind::OutOfBounds,
        };
        fault(kind, Some(info))
    }

    /// Why the block at `address` cannot be freed or reallocated.
    #[cold]
    pub(crate) fn bad_block(&self, address: u64, access: Access) -> Fault {
        let nearest = self.nearest(address);
        let kind = match &nearest {
            None => no_block(access, InvalidFreeReason::NothingThere),
            Some(info) if info.kind != Kind::Heap => no_block(access, InvalidFreeReason::NotHeap(info.kind)),
            Some(info) if info.base == address && info.state != AllocationState::Live => freed_before(access),
            Some(_) => no_block(access, InvalidFreeReason::NotAtStart),
        };
        let allocation = nearest.map(|info| (info, address.wrapping_sub(info.base) as i64));
        Fault { kind, access, address, size: 0, allocation }
    }

    /// The allocation that contains `address`, or else the nearest one whose redzone does. The living come before the
    /// dead, those who died last before the others.
    fn nearest(&self, address: u64) -> Option<AllocationInfo> {
        let (kind, granule) = self.layout.find(address)?;
        let live = &self.regions[kind as usize].live;
        let before = live.floor(granule).map(|(granule, record)| record.info(kind, granule));
        let after = live.iter_from(granule + 1).next().map(|(granule, record)| record.info(kind, granule));
        let dead = self.quarantine.iter().filter(|stone| in_kind(stone.id, kind)).map(Tombstone::info);
        let candidates = before.into_iter().chain(after).chain(dead);
        candidates.filter(|info| self.is_plausible(info, address)).min_by_key(|info| distance(info, address))
    }

    fn is_plausible(&self, info: &AllocationInfo, address: u64) -> bool {
        distance(info, address) <= self.layout.redzone(info.size).max(PAGE_BYTES)
    }
}

fn no_block(access: Access, reason: InvalidFreeReason) -> FaultKind {
    match access {
        Access::Reallocate => FaultKind::ReallocMisuse { reason: ReallocMisuseReason::NotABlock(reason) },
        _ => FaultKind::InvalidFree { reason },
    }
}

fn freed_before(access: Access) -> FaultKind {
    match access {
        Access::Reallocate => FaultKind::ReallocMisuse { reason: ReallocMisuseReason::AlreadyFreed },
        _ => FaultKind::DoubleFree,
    }
}

fn in_kind(id: AllocationId, kind: Kind) -> bool {
    id.parts().is_some_and(|(found, _)| found == kind)
}
