//! What may be set for a search.

use crate::path::limits::PathLimits;
use crate::session::targets::Targets;

/// What may be set.
#[derive(Clone, Debug)]
pub struct Config {
    /// Instructions that a path may execute before others get a turn. Default: a million.
    pub slice: u64,
    /// Where paths are given up; they count as partial.
    pub limits: PathLimits,
    /// Bytes that states and expressions of one worker may take before states are put aside. Default: 2 GiB.
    pub memory: usize,
    /// How many workers the process has. Default: one.
    pub workers: usize,
    /// Whether paths are reported that end well and add nothing to what the suite covers. Default: yes.
    pub every_path: bool,
    /// Keep the conditions of all paths, for the partition of inputs. Default: no.
    pub keep_conditions: bool,
    /// Forks of a path at one branch after which it goes both ways as one there, if they only compute; `None`: it never does.
    /// Default: 12.
    pub join_after: Option<u32>,
    /// What the search is for, if it is not for everything: it goes where these are near, and gives up paths that cannot come to them.
    pub targets: Targets,
    /// Whether paths are given up that cannot come to a target. Default: yes.
    pub prune: bool,
    /// Default: forward.
    pub mode: Mode,
    /// Whether concolic runs keep only what is linear of their conditions. Default: no.
    pub simplifies: bool,
    /// Whether the search ends some work after all code is covered, though paths are pending. Default: no.
    pub ends_when_covered: bool,
}

/// How the program is explored.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// Paths fork where inputs decide.
    #[default]
    Forward,
    /// Whole runs, one after the other.
    Concolic,
    /// Abstract paths, each made a path of the program afterwards.
    Lazy,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            slice: 1_000_000,
            limits: PathLimits::default(),
            memory: 2 << 30,
            workers: 1,
            every_path: true,
            keep_conditions: false,
            join_after: Some(12),
            targets: Targets::default(),
            prune: true,
            mode: Mode::default(),
            simplifies: false,
            ends_when_covered: false,
        }
    }
}
