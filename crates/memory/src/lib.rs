//! Allocations, their contents, and what an access to an address means. Cannot end a path: a misuse is a [`Fault`],
//! and the executor decides what becomes of it.
//!
//! The address space is flat and a pointer is a plain `u64`. It is cut into *granules* of 256 bytes, each of which
//! belongs to one allocation at most, with unused bytes around the allocation as redzones. A granule is also the unit
//! in which contents are stored and copied when two memories that share them part ways (a [`page::Page`]).
//!
//! The layers, from the bottom:
//!
//! - `cell`: what a byte can be, a number or a part of an expression, of which nothing but its number is known here.
//! - `words`: rows of words addressed by bytes; `page`: the bytes of one granule, with masks of undefined bits and parts
//!   of expressions; `contents`: the pages of one allocation, sparse.
//! - `tree`, made of `row`s: the persistent ordered map from granule to allocation, one for each kind of memory.
//! - `region`: where addresses come from; `quarantine`: what is remembered of the dead.
//! - `cache`: the pages used last, by address, in front of all of the above.
//! - `memory`: allocation and release; `access`: reading and writing words; `blocks`: bytes, copies, fills; `symbolic`:
//!   parts of expressions; `diagnose`: what a bad access hit; `neighbours`: what lies around an address; `walk`: what
//!   many memories consist of together.
#![forbid(unsafe_code)]

mod access;
mod allocation;
mod blocks;
mod cache;
mod cell;
mod contents;
mod diagnose;
mod fault;
mod memory;
mod neighbours;
mod page;
mod quarantine;
mod region;
mod row;
mod symbolic;
mod tree;
mod walk;
mod words;

pub use allocation::{AllocationId, AllocationInfo, AllocationState, Kind, Site};
pub use cell::{Cell, Part};
pub use fault::{Access, Fault, FaultKind, InvalidFreeReason, OutOfMemory, ReadError, ReallocMisuseReason};
pub use memory::{Config, Frontier, Memory, Statistics};
pub use page::Word;
pub use walk::Seen;
