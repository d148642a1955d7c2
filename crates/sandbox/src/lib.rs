//! Runs other people's programs on inputs of our own invention, and keeps them from doing harm: what a program under test
//! may change is its scratch directory, and nothing else on the machine.
//!
//! A `Sandbox` is a supervisor process (`supervisor/`) that is started once and runs one `Job` after the other. How strong
//! it is says its `Level`. `Policy::choose` takes the strongest level that the machine offers, after trying to break out
//! of it (`probe.rs`). The caller's side is `client.rs`; what the two sides say to each other is `protocol.rs`.

mod client;
mod level;
mod policy;
mod probe;
mod protocol;
mod supervisor;
mod sys;

pub use client::{Error, Sandbox, Service};
pub use level::{Attempt, Level};
pub use policy::{Launcher, Policy, Refused};
pub use protocol::{Done, End, Exceeded, File, Job, Limits, Place, Shared};

use std::ffi::OsString;

/// The words by which a program that uses this crate starts itself as a supervisor, and as a probe.
pub const SUPERVISOR: &str = "sandbox-supervisor";
pub const PROBE: &str = "sandbox-probe";

/// The whole work of a process that was started with one of these words.
pub fn serve(word: &str, arguments: &[OsString]) -> Option<i32> {
    match word {
        SUPERVISOR => Some(supervisor::run()),
        PROBE => Some(probe::run(arguments)),
        _ => None,
    }
}
