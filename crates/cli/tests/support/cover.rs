//! `symcrete cover` as the tests call it: the flags, the JSON that it prints, and the tests that it writes.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use symcrete_testcase::TestCase;

use super::{Shown, run, symcrete};

/// What one run of `symcrete cover --json` did.
pub struct Covered {
    pub shown: Shown,
    pub json: Value,
}

/// Covers with these flags, the program among them; everything goes to `out`.
pub fn cover<Flag: AsRef<OsStr>>(out: &Path, flags: impl IntoIterator<Item = Flag>) -> Result<Covered, String> {
    let mut command = symcrete();
    command.args(["cover", "--json", "--out"]).arg(out).args(flags);
    let shown = run(&mut command, b"");
    match serde_json::from_slice(&shown.stdout) {
        Ok(json) => Ok(Covered { shown, json }),
        Err(_) => Err(format!("status {}, no JSON, but\n{}", shown.status, shown.stderr)),
    }
}

impl Covered {
    pub fn count(&self, group: &str, name: &str) -> u64 {
        self.json[group][name].as_u64().unwrap_or_else(|| panic!("no number {group}.{name} in {}", self.json))
    }

    pub fn list(&self, name: &str) -> &[Value] {
        self.json[name].as_array().unwrap_or_else(|| panic!("no list {name} in {}", self.json))
    }

    /// Each path of the program, once.
    pub fn paths(&self) -> u64 {
        ["completed", "partial", "failed"].iter().map(|name| self.count("paths", name)).sum()
    }

    pub fn is_exhausted(&self) -> bool {
        self.json["exhausted"] == true
    }

    /// Line and kind of every finding, sorted.
    pub fn findings(&self) -> Vec<(u64, String)> {
        let finding = |finding: &Value| {
            let line = finding["line"].as_u64().unwrap_or(0);
            (line, finding["kind"].as_str().unwrap_or("").to_owned())
        };
        let mut findings: Vec<(u64, String)> = self.list("findings").iter().map(finding).collect();
        findings.sort();
        findings
    }

    /// What is wrong with the replay: a test that diverged, was not replayed, or is missing.
    pub fn replay_troubles(&self) -> Option<String> {
        let replay = &self.json["replay"];
        let is_empty = |name: &str| replay[name].as_array().is_some_and(Vec::is_empty);
        let all = replay["confirmed"] == self.json["tests"];
        let fine = is_empty("diverged") && is_empty("not_replayed") && all;
        (!fine).then(|| format!("{} tests, but replay: {replay}", self.json["tests"]))
    }

    /// Words of an engine that lost its way; no program may bring it there.
    pub fn internal_errors(&self) -> Option<String> {
        let shaken = ["internal error", "panicked", "RUST_BACKTRACE"];
        shaken.iter().any(|word| self.shown.stderr.contains(word)).then(|| self.shown.stderr.clone())
    }
}

/// The tests of an output directory in the order of their numbers, with their files.
pub fn written_tests(out: &Path) -> Vec<(PathBuf, TestCase)> {
    let folder = out.join("tests");
    let none = |folder: &Path| fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    if none(&folder) {
        return Vec::new();
    }
    symcrete_testcase::read_tests(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
}
