//! What `symcrete doctor --json` prints.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

/// What the machine offers.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DoctorDocument {
    pub version: u32,
    /// Null if none was found.
    pub compiler: Option<FoundCompiler>,
    /// The tool that reads coverage counters, or why there is none; null without a compiler.
    pub coverage: Option<String>,
    /// All that were tried, the strongest first.
    pub sandboxes: Vec<Sandbox>,
    /// Programs can be compiled and run in a sandbox.
    pub complete: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct FoundCompiler {
    pub path: PathBuf,
    /// Its major version.
    pub major: u32,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Sandbox {
    pub level: String,
    /// Why it cannot be used; null if it can.
    pub trouble: Option<String>,
}
