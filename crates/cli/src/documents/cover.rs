//! What `symcrete cover --json` prints, and its report while a search goes on.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Coverage, Finding};

/// The result of `symcrete cover`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CoverDocument {
    pub version: u32,
    /// Number of tests that were written.
    pub tests: usize,
    /// Number of tests that are not written as C or Rust, though that was asked for.
    pub only_as_json: usize,
    pub paths: Paths,
    /// Every path was followed to its end, and nothing was approximated.
    pub exhausted: bool,
    /// Functions that were assumed to return.
    pub assumed_to_return: BTreeSet<String>,
    /// Assumptions about the program's surroundings.
    pub taken_for_granted: Vec<String>,
    /// Why the search ended early; null if it did not.
    pub stopped: Option<&'static str>,
    /// Number of sides of branches that no solver could decide.
    pub undecided: usize,
    /// Number of paths that were not followed.
    pub pending: usize,
    pub coverage: Coverage,
    pub findings: Vec<Confirmed>,
    /// Findings that their native runs contradict.
    pub unconfirmed: Vec<Unconfirmed>,
    pub warnings: Vec<String>,
    /// Calls whose arguments were fixed.
    pub concretised: Vec<Call>,
    /// Limits at which paths were abandoned.
    pub limits: Vec<Limit>,
    /// Native runs of the tests; null with --no-replay.
    pub replay: Option<Replay>,
    pub stats: CoverStats,
}

/// `report.json` of a search that goes on.
#[derive(Debug, Serialize)]
pub struct SoFarDocument {
    pub version: u32,
    pub tests: usize,
    pub paths: Paths,
    pub exhausted: bool,
    pub pending: usize,
    pub coverage: Coverage,
    pub findings: Vec<Finding>,
    pub warnings: Vec<String>,
}

/// How many paths ended in which way.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Paths {
    /// At the program's own end.
    pub completed: u64,
    /// At a limit.
    pub partial: u64,
    /// In a fault.
    pub failed: u64,
    /// At an assumption of the program that does not hold.
    pub discarded: u64,
}

/// A finding that counts.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Confirmed {
    #[serde(flatten)]
    pub finding: Finding,
    pub confirmed_by: ConfirmedBy,
    /// Why no native run confirms it; null if one does.
    pub not_replayed: Option<String>,
}

#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ConfirmedBy {
    Engine,
    Replay,
}

/// A finding that its native run contradicts.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Unconfirmed {
    #[serde(flatten)]
    pub finding: Finding,
    /// What the native run did instead.
    pub reason: String,
}

/// A call whose arguments were fixed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Call {
    pub file: String,
    pub line: u32,
    pub function: String,
    pub count: u64,
}

/// A place at which paths were abandoned.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Limit {
    pub file: String,
    pub line: u32,
    pub function: String,
    pub what: String,
    pub count: u64,
}

/// Native runs of the tests.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Replay {
    /// Number of tests that did what they claim.
    pub confirmed: usize,
    pub diverged: Vec<Diverged>,
    pub not_replayed: Vec<NotReplayed>,
}

/// A test that did something else than it claims.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Diverged {
    pub test: usize,
    pub expected: String,
    pub got: String,
}

/// A test that was not run.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NotReplayed {
    pub test: usize,
    pub reason: String,
}

/// What the search did.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CoverStats {
    pub instructions: u64,
    pub segments: u64,
    pub iterations: u64,
    pub divergences: u64,
    pub simplified: u64,
    pub lazy: LazyStats,
    pub concrete_runs: u64,
    pub climbed: u64,
    pub forks: u64,
    pub queries: u64,
    pub solver_s: f64,
    pub time_s: f64,
    pub stopping_s: f64,
    pub compile_s: f64,
    pub replay_s: f64,
    pub peak_mib: u64,
    pub state_bytes: Option<usize>,
    pub most_states: usize,
    /// Equal for runs that follow the same paths.
    pub path_digest: String,
}

/// What lazy expansion did.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LazyStats {
    pub abstract_paths: u64,
    pub concretised: u64,
    pub refuted: u64,
    pub open: u64,
    pub expansions: u64,
    pub reused: u64,
    pub answered_backward: u64,
    pub suspicions: Suspicions,
    pub undecided: u64,
    pub whole_paths: u64,
    pub deeper: Deeper,
    /// Null in other modes.
    pub functions: Option<LazyFunctions>,
}

/// Faults that depend on what calls return.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Suspicions {
    pub all: u64,
    pub real: u64,
    pub refuted: u64,
    pub iterations: u64,
    pub open: Vec<Place>,
}

/// Paths below the function under test.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Deeper {
    pub paths: u64,
    pub iterations: u64,
}

/// A line.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Place {
    pub file: String,
    pub line: u32,
}

/// Which functions lazy expansion follows and which it abstracts.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LazyFunctions {
    pub entry: String,
    pub followed: Vec<String>,
    pub deeper: Vec<String>,
    pub needed: Vec<String>,
    pub passed_over: Vec<String>,
    pub unbounded: Vec<String>,
    pub never_called: Vec<String>,
    pub follows_all: bool,
    pub leaves_out: bool,
    pub overruled: Vec<Overruled>,
}

/// A function of --abstract that was followed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Overruled {
    pub function: String,
    pub why: String,
}
