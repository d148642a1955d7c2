//! Constraints as straight-line code that says how far a valuation is from satisfying each of them. `build` makes a tape of the
//! expressions, `score` what the distances are; `interpret` executes it. Nothing here knows how valuations are chosen.
#![forbid(unsafe_code)]

mod build;
mod distance;
mod interpret;
mod score;
mod tape;

pub use build::Refused;
pub use interpret::Interpreter;
pub use score::Metric;
pub use tape::{General, Input, Instruction, Operation, Slot, Tape, View};
