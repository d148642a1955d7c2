//! What can go wrong with an access, as values. Finding out which allocation was meant is in `diagnose`.

use std::fmt;

use crate::allocation::{AllocationInfo, AllocationState, Kind};

/// An access that the program must not make: what, where, and next to which allocation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {access} of {size} bytes at {address:#x}")]
pub struct Fault {
    pub kind: FaultKind,
    pub access: Access,
    pub address: u64,
    pub size: u64,
    /// The allocation that was hit or narrowly missed, and the offset of `address` from its base.
    pub allocation: Option<(AllocationInfo, i64)>,
}

impl Fault {
    /// The elastic allocation that was accessed, if all of the access lies within its greatest possible size: whether it
    /// is in bounds is for the executor to find out. If it is, the access is to be repeated; see
    /// `Memory::with_elastic_access`.
    pub fn elastic(&self) -> Option<&AllocationInfo> {
        let (info, offset) = self.allocation.as_ref()?;
        let end = u64::try_from(*offset).ok()?.checked_add(self.size)?;
        let undecided = info.elastic && info.state == AllocationState::Live && end <= info.size;
        (self.kind == FaultKind::OutOfBounds && undecided).then_some(info)
    }
}

/// Why bytes cannot be read as numbers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The first byte that is a part of an expression.
    #[error("the byte at {address:#x} is symbolic")]
    Symbolic { address: u64 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    Read,
    Write,
    Free,
    Reallocate,
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Access::Read => "read",
            Access::Write => "write",
            Access::Free => "free",
            Access::Reallocate => "reallocation",
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum FaultKind {
    #[error("null dereference")]
    NullDereference,
    #[error("out-of-bounds access")]
    OutOfBounds,
    #[error("use after free")]
    UseAfterFree,
    #[error("use after return")]
    UseAfterReturn,
    #[error("write to read-only memory")]
    WriteToReadOnly,
    #[error("double free")]
    DoubleFree,
    #[error("invalid free ({reason})")]
    InvalidFree { reason: InvalidFreeReason },
    #[error("misuse of realloc ({reason})")]
    ReallocMisuse { reason: ReallocMisuseReason },
    /// No allocation is anywhere near.
    #[error("access through a wild pointer")]
    Wild,
}

/// Why what an address points to is not a block that can be freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum InvalidFreeReason {
    #[error("it points to {0} memory, which did not come from malloc")]
    NotHeap(Kind),
    #[error("it does not point to the start of a block")]
    NotAtStart,
    #[error("there is no block at or near that address")]
    NothingThere,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum ReallocMisuseReason {
    #[error("the block was freed before")]
    AlreadyFreed,
    #[error(transparent)]
    NotABlock(InvalidFreeReason),
}

/// The address space of the asked kind is used up. Nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no room for {bytes} bytes of {kind} memory")]
pub struct OutOfMemory {
    pub kind: Kind,
    pub bytes: u64,
}
