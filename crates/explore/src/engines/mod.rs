//! The engines: each explores the program in its own way (`engine.rs` has the contract).

pub mod backward;
pub mod burst;
pub mod climb;
pub mod concolic;
pub mod engine;
pub mod forward;
pub mod lazy;
pub mod random;
