//! Who works when: the table of engines and the order of their turns, workers on threads, and the checkpoints that they take together.

pub mod checkpoint;
mod common_marks;
pub mod options;
mod policy;
mod shared;
mod worker;
pub mod workers;
