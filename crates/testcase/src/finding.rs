//! A bug in the program under test as data, and which of two findings are the same one.

use std::collections::BTreeSet;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The name of the ending, as in `Ends::kind`.
    pub kind: String,
    #[serde(default)]
    pub message: String,
    #[serde(default)]
    pub file: String,
    #[serde(default)]
    pub line: u32,
    #[serde(default)]
    pub column: u32,
    /// Innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<Frame>,
    /// The function of the C library in which it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inside: Option<String>,
    /// Which memory it was about, and where that was allocated and freed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
    /// The test that shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<PathBuf>,
}

/// A function on the stack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Frame {
    pub function: String,
    #[serde(default)]
    pub file: String,
    #[serde(default)]
    pub line: u32,
    #[serde(default)]
    pub column: u32,
}

impl Finding {
    /// Two findings with the same key are one bug. Without a place, the function that it happened in stands for it.
    pub fn key(&self) -> (String, String, u32, u32) {
        let place = match (self.file.is_empty(), self.stack.first()) {
            (true, Some(frame)) => format!("in {}", frame.function),
            _ => self.file.clone(),
        };
        (self.kind.clone(), place, self.line, self.column)
    }
}

/// Remembers what was found already.
#[derive(Default)]
pub struct Seen(BTreeSet<(String, String, u32, u32)>);

impl Seen {
    /// Whether this is the first finding of its kind at its place.
    pub fn is_new(&mut self, finding: &Finding) -> bool {
        self.0.insert(finding.key())
    }
}

/// Keeps the first finding of each kind at each place, in order.
pub fn deduplicate(findings: Vec<Finding>) -> Vec<Finding> {
    let mut seen = Seen::default();
    findings.into_iter().filter(|finding| seen.is_new(finding)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(kind: &str, line: u32, message: &str) -> Finding {
        let (kind, message, file) = (kind.to_owned(), message.to_owned(), "a.c".to_owned());
        Finding { kind, message, file, line, column: 3, ..Finding::default() }
    }

    #[test]
    fn one_finding_for_each_kind_and_place() {
        let all = vec![at("abort", 1, "first"), at("abort", 2, ""), at("leak", 1, ""), at("abort", 1, "again")];
        let kept: Vec<_> =
            deduplicate(all).into_iter().map(|finding| (finding.kind, finding.line, finding.message)).collect();
        let expected = [("abort", 1, "first"), ("abort", 2, ""), ("leak", 1, "")];
        let expected: Vec<_> = expected.map(|(kind, line, text)| (kind.to_owned(), line, text.to_owned())).to_vec();
        assert_eq!(kept, expected);
    }
}
