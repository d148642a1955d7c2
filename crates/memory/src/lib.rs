//! Allocations, their contents, and what an access to an address means. Cannot end a path: a misuse is a [`Fault`],
//! and the executor decides what becomes of it.
//!
//! The address space is flat and a pointer is a plain `u64`. It is cut into *granules* of 256 bytes, each of which
//! belongs to one allocation at most, with unused bytes around the allocation as redzones. A granule is also the unit
//! in which contents are stored and copied when two memories that share them part ways (a [`page::Page`]).
//!
//! The layers, from the bottom:
//!
//! - `words`: rows of words addressed by bytes; `page`: the bytes of one granule, with masks of undefined bits;
//!   `contents`: the pages of one allocation, sparse.
//! - `tree`, made of `row`s: the persistent ordered map from granule to allocation, one for each kind of memory.
//! - `region`: where addresses come from; `quarantine`: what is remembered of the dead.
//! - `cache`: the pages used last, by address, in front of all of the above.
//! - `memory`: allocation and release; `access`: reading and writing words; `blocks`: bytes, copies, fills;
//!   `diagnose`: what a bad access hit.
#![forbid(unsafe_code)]

mod access;
mod allocation;
mod blocks;
mod cache;
mod contents;
mod diagnose;
mod fault;
mod memory;
mod page;
mod quarantine;
mod region;
mod row;
mod tree;
mod words;

pub use allocation::{AllocationId, AllocationInfo, AllocationState, Kind, Site};
pub use fault::{Access, Fault, FaultKind, InvalidFreeReason, OutOfMemory, ReallocMisuseReason};
pub use memory::{Config, Memory, Statistics};
pub use page::Word;
