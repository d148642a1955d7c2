//! Coverage by file, for people and as JSON, from wherever it is known.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use symcrete_testcase::Coverage;
use symcrete_testcase::replay::{FileCoverage, Tally};

use crate::documents;

/// Coverage of one file.
pub struct FileLine {
    pub name: String,
    pub lines: Tally,
    pub branches: Tally,
    pub functions: Tally,
}

/// Coverage of a program, and who counted.
pub struct CoverageTable {
    pub files: Vec<FileLine>,
    pub counted_by: String,
}

impl CoverageTable {
    /// What native runs covered.
    pub fn of_replay(coverage: &Coverage) -> CoverageTable {
        let line = |file: &FileCoverage| FileLine {
            name: shortened(&file.path),
            lines: file.lines,
            branches: file.branches,
            functions: file.functions,
        };
        CoverageTable { files: coverage.files.iter().map(line).collect(), counted_by: coverage.tool.clone() }
    }

    pub fn document(&self) -> documents::Coverage {
        let tally = |tally: Tally| documents::Tally { covered: tally.covered, total: tally.total };
        let sum = |pick: fn(&FileLine) -> Tally| {
            tally(self.files.iter().map(pick).fold(Tally::default(), |sum, tally| sum + tally))
        };
        let file = |file: &FileLine| documents::FileCoverage {
            file: file.name.clone(),
            lines: tally(file.lines),
            branches: tally(file.branches),
            functions: tally(file.functions),
        };
        documents::Coverage {
            lines: sum(|file| file.lines),
            branches: sum(|file| file.branches),
            functions: sum(|file| file.functions),
            by: self.counted_by.clone(),
            files: self.files.iter().map(file).collect(),
            uncovered: None,
            unreached_functions: None,
        }
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        let width = self.files.iter().map(|file| file.name.len()).max().unwrap_or(4).max(4);
        let _ = writeln!(text, "{:width$}  {:>18}  {:>18}  {:>16}", "file", "lines", "branches", "functions");
        for file in &self.files {
            let _ = writeln!(
                text,
                "{:width$}  {:>18}  {:>18}  {:>16}",
                file.name,
                shown(file.lines),
                shown(file.branches),
                shown(file.functions),
            );
        }
        let _ = writeln!(text, "(counted by {})", self.counted_by);
        text
    }
}

fn shown(tally: Tally) -> String {
    match tally.total {
        0 => "-".to_owned(),
        // Rounded down: only all of it is 100 %.
        total => format!("{}/{total} {:>4} %", tally.covered, tally.covered * 100 / total),
    }
}

/// A path as seen from here.
pub fn shortened(path: &Path) -> String {
    let here: PathBuf = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path).display().to_string()
}
