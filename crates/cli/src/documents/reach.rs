//! What `symcrete reach --json` prints.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

/// The result of `symcrete reach`: the answer for one target, or a list of answers in `targets`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReachDocument {
    pub version: u32,
    #[serde(flatten)]
    pub answer: Answer,
    pub warnings: Vec<String>,
    pub stats: ReachStats,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Answer {
    One(Box<TargetAnswer>),
    Several { targets: Vec<TargetAnswer> },
}

/// The verdict on one target.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TargetAnswer {
    pub target: TargetLine,
    pub verdict: VerdictName,
    /// What proves the verdict or hinders one; null if the real program executed the line.
    pub reason: Option<String>,
    /// Which search found it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found_by: Option<String>,
    /// Inputs that reach the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Vec<ReachedInput>>,
    /// The test that reaches it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<PathBuf>,
    /// Branches on the way to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Vec<PathPart>>,
    /// The real program was run and executed the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replayed: Option<bool>,
}

#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictName {
    Reached,
    Unreachable,
    /// The line has no code.
    NoCode,
    Unknown,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct TargetLine {
    pub file: String,
    pub line: u32,
    /// The line that was asked for; `line` is the next one with code.
    pub asked_line: u32,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ReachedInput {
    pub name: String,
    #[serde(rename = "type")]
    pub of_type: String,
    pub value: String,
}

/// Branches that are taken one after the other, so many times.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PathPart {
    pub times: usize,
    pub branches: Vec<Branch>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Branch {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub to_line: u32,
}

/// What the search did.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReachStats {
    pub traces: u64,
    pub evaluation_s: f64,
    pub segments: u64,
    pub forward_segments: u64,
    pub paths: u64,
    pub queries: u64,
    pub evaluations: u64,
    pub instructions: u64,
    pub solver_s: f64,
    pub time_s: f64,
    pub compile_s: f64,
    pub replay_s: f64,
}
