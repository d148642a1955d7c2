//! What `symcrete replay --json` prints.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use super::Coverage;

/// The result of `symcrete replay`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReplayDocument {
    pub version: u32,
    pub tests: Vec<ReplayRow>,
    /// Number of tests that did what they claim.
    pub confirmed: usize,
    pub diverged: usize,
    pub not_replayed: usize,
    /// Number of tests that claim nothing and came to an end.
    pub ran: usize,
    /// Number of tests that claim nothing and did not.
    pub crashed: usize,
    pub coverage: Option<Coverage>,
    /// Why there is no coverage.
    pub no_coverage: Option<String>,
    pub findings: Vec<ReplayFinding>,
    pub stats: ReplayStats,
}

/// One test.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReplayRow {
    pub test: PathBuf,
    pub name: String,
    pub entry: String,
    /// What the test claims; null if nothing.
    pub claims: Option<String>,
    pub outcome: ReplayOutcome,
    /// What the program did.
    pub did: Option<String>,
    /// Why the test was not run.
    pub reason: Option<String>,
    /// The exit status of the program.
    pub status: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Whether the program executed the line that the test is for.
    pub reached: Option<bool>,
    pub time_s: f64,
}

#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReplayOutcome {
    Confirmed,
    Diverged,
    NotReplayed,
    Ran,
    Crashed,
}

/// A fault that native runs show.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReplayFinding {
    pub kind: String,
    pub message: String,
    pub file: String,
    pub line: u32,
    pub test: Option<PathBuf>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ReplayStats {
    pub time_s: f64,
    pub compile_s: f64,
}
