//! Decides which paths of a program are explored, and reports them. The folders are the pipeline: `schedule/` gives engines their turns, `engines/`
//! explore, `drive/` executes states, `path/` holds pending paths, `session/` what engines share, `report/` the results.
#![forbid(unsafe_code)]

pub mod assumptions;
mod drive;
mod engines;
mod local_search;
mod path;
pub mod report;
mod schedule;
mod session;

pub use drive::concrete;
pub use engines::{backward, burst, climb, forward, lazy, random};
pub use path::{aside, board, decisions, distance, journal, limits, saved, strategy};
pub use report::{partition, passage};
pub use schedule::{checkpoint, workers};
pub use session::{coverage, meter, sides, targets};
