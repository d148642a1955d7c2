//! Who decides where a path goes on: one concrete run, or forward exploration of all paths under a strategy.
#![forbid(unsafe_code)]

pub mod aside;
pub mod assumptions;
pub mod backward;
pub mod board;
pub mod burst;
pub mod checkpoint;
pub mod climb;
mod common_marks;
mod concolic;
pub mod concrete;
mod confirm;
pub mod coverage;
mod crowds;
pub mod decisions;
pub mod distance;
mod failures;
mod finish;
pub mod forward;
pub mod journal;
pub mod lazy;
pub mod limits;
mod memory;
mod onward;
mod packing;
pub mod partition;
pub mod passage;
pub mod path;
mod pool;
pub mod report;
mod saturation;
pub mod saved;
pub mod sides;
pub mod strategy;
pub mod targets;
mod trials;
pub mod workers;
