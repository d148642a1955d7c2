//! Executes states: concrete runs, runs on given inputs, and the interpretation of the executor's outcomes.

pub mod concrete;
pub mod confirm;
pub mod follow;
pub mod onward;
pub mod trials;
