//! The engines: each explores the program in its own way.

pub mod backward;
pub mod burst;
pub mod climb;
pub mod concolic;
pub mod forward;
pub mod lazy;
