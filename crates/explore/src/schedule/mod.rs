//! Who works when: workers on threads, and the checkpoints that they take together.

pub mod checkpoint;
mod common_marks;
pub mod workers;
