//! Constraints as straight-line code that says how far a valuation is from satisfying each of them. `build` makes a
//! tape of the expressions, `score` what the distances are; `interpret` executes it, `compile` makes machine code of
//! it, and `machine` chooses between the two. Nothing here knows how valuations are chosen.
#![deny(unsafe_code)]

mod build;
mod compile;
mod distance;
mod interpret;
mod machine;
mod score;
mod tape;

pub use build::Refused;
pub use compile::{Compiled, NotCompilable};
pub use interpret::Interpreter;
pub use machine::{Machine, points_before_compiling};
pub use score::Metric;
pub use tape::{General, Input, Instruction, Operation, Slot, Tape, View};
