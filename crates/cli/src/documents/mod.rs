//! The documents that `--json` prints, as types: what is here is written, and `symcrete schema` describes it.

mod cover;
mod doctor;
mod reach;
mod replay;
pub mod schema;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use symcrete_testcase::Frame;

pub use cover::{
    Call, Confirmed, ConfirmedBy, CoverDocument, CoverStats, Deeper, Diverged, LazyFunctions, LazyStats, Limit,
    NotReplayed, Overruled, Paths, Place, Replay, SoFarDocument, Suspicions, Unconfirmed,
};
pub use doctor::{DoctorDocument, FoundCompiler, Sandbox};
pub use reach::{
    Answer, Branch, PathPart, ReachDocument, ReachStats, ReachedInput, TargetAnswer, TargetLine, VerdictName,
};
pub use replay::{ReplayDocument, ReplayFinding, ReplayOutcome, ReplayRow, ReplayStats};

/// The version of all documents. It grows when a field is renamed, removed or given another meaning.
pub const VERSION: u32 = 1;

/// A document as JSON, its keys in the order of the alphabet.
pub fn json(document: &impl Serialize) -> Value {
    // No type here has a map with other keys than texts, and none fails.
    serde_json::to_value(document).unwrap_or_default()
}

/// How much of something was executed.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Tally {
    pub covered: u64,
    pub total: u64,
}

/// Coverage of a program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Coverage {
    pub lines: Tally,
    pub branches: Tally,
    pub functions: Tally,
    /// Who counted: a tool that read the counters of native runs, or the engine.
    pub by: String,
    pub files: Vec<FileCoverage>,
    /// Functions with lines that no test executes; only `cover` knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncovered: Option<Vec<UncoveredLines>>,
    /// Functions that no call from the entry reaches; their lines are not in `uncovered`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreached_functions: Option<Vec<FunctionName>>,
}

/// Coverage of one file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FileCoverage {
    pub file: String,
    pub lines: Tally,
    pub branches: Tally,
    pub functions: Tally,
}

/// Lines of one function that no test executes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UncoveredLines {
    pub file: String,
    pub function: String,
    pub lines: Vec<u32>,
    /// First and last lines; no line between them is executed.
    pub ranges: Vec<(u32, u32)>,
}

/// A function and its file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FunctionName {
    pub file: String,
    pub function: String,
}

/// A fault of the program under test.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Finding {
    /// What kind of fault: `heap-overflow`, `assertion`, `division-by-zero` and so on.
    pub kind: String,
    pub message: String,
    pub file: String,
    pub line: u32,
    /// The function of the C library in which it happens.
    pub inside: Option<String>,
    /// Innermost first.
    pub stack: Vec<Frame>,
    /// Which memory it is about, and where that was allocated and freed.
    pub details: Vec<String>,
    /// The test that shows it.
    pub test: Option<PathBuf>,
}

impl From<&symcrete_testcase::Finding> for Finding {
    fn from(finding: &symcrete_testcase::Finding) -> Finding {
        Finding {
            kind: finding.kind.clone(),
            message: finding.message.clone(),
            file: finding.file.clone(),
            line: finding.line,
            inside: finding.inside.clone(),
            stack: finding.stack.clone(),
            details: finding.details.clone(),
            test: finding.test.clone(),
        }
    }
}
