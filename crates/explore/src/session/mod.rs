//! What the engines of one worker share: what the tests cover, the targets, and what becomes of finished paths.

pub mod coverage;
mod finish;
pub mod saturation;
pub mod sides;
pub mod stop;
pub mod targets;
