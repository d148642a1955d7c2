//! What the runs covered, as data: read from what `llvm-cov` and `gcov` print, and joined. Starts no process.

mod gcov;
mod llvm;

use std::collections::BTreeMap;
use std::ops::Add;
use std::path::{Component, Path, PathBuf};

use super::driver::ORIGINAL_MAIN;

pub use gcov::from_gcov;
pub use llvm::from_lcov;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// In the order of paths.
    pub files: Vec<FileCoverage>,
    /// The tool that counted: `llvm-cov` or `gcov`.
    pub tool: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileCoverage {
    pub path: PathBuf,
    /// How often each line with code was executed.
    pub counts: BTreeMap<u32, u64>,
    /// How often each side of the branches of a line was taken, in the order of the source.
    pub sides: BTreeMap<u32, Vec<u64>>,
    /// How often each function was called, by its name in the object file.
    pub calls: BTreeMap<String, u64>,
    pub lines: Tally,
    /// Each side of a branch counts for itself.
    pub branches: Tally,
    pub functions: Tally,
    /// The line and the name of each function, where the tool tells.
    pub starts: Vec<(u32, String)>,
}

#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub covered: u64,
    pub total: u64,
}

impl Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        Tally { covered: self.covered + other.covered, total: self.total + other.total }
    }
}

impl Tally {
    fn of<'a>(counts: impl Iterator<Item = &'a u64>) -> Tally {
        counts.fold(Tally::default(), |tally, count| tally + Tally { covered: u64::from(*count > 0), total: 1 })
    }
}

impl Coverage {
    pub fn lines(&self) -> Tally {
        self.files.iter().map(|file| file.lines).fold(Tally::default(), Tally::add)
    }

    pub fn branches(&self) -> Tally {
        self.files.iter().map(|file| file.branches).fold(Tally::default(), Tally::add)
    }

    pub fn functions(&self) -> Tally {
        self.files.iter().map(|file| file.functions).fold(Tally::default(), Tally::add)
    }

    /// How often a line was executed; `None` if there is no code on it. The file is found by the end of its path.
    pub fn count(&self, file: &str, line: u32) -> Option<u64> {
        let matching = self.files.iter().filter(|candidate| is_same_file(&candidate.path, Path::new(file)));
        matching.filter_map(|file| file.counts.get(&line)).max().copied()
    }

    /// Adds other counts of the same program: of another of its objects, of another build of it, or by another tool. A file
    /// that both know (a header, say) is one file, and what was executed is the sum.
    pub fn merge(&mut self, other: Coverage) {
        for file in other.files {
            match self.files.iter_mut().find(|known| known.path == file.path) {
                Some(known) => known.merge(file),
                None => self.files.push(file),
            }
        }
        self.files.sort_by(|left, right| left.path.cmp(&right.path));
    }
}

impl FileCoverage {
    fn merge(&mut self, other: FileCoverage) {
        for (line, count) in other.counts {
            add(self.counts.entry(line).or_default(), count);
        }
        for (line, sides) in other.sides {
            add_all(self.sides.entry(line).or_default(), &sides);
        }
        for (function, count) in other.calls {
            add(self.calls.entry(function).or_default(), count);
        }
        self.starts.extend(other.starts);
        self.tally();
    }

    /// Counts what is covered; to be called after every change of what was executed.
    fn tally(&mut self) {
        self.lines = Tally::of(self.counts.values());
        self.branches = Tally::of(self.sides.values().flatten());
        self.functions = Tally::of(self.calls.values());
    }
}

/// The name of a function in the program: where a driver has the name `main`, the program's own bears another one.
fn plain_name(name: &str) -> &str {
    if name == ORIGINAL_MAIN { "main" } else { name }
}

fn add(count: &mut u64, more: u64) {
    *count = count.saturating_add(more);
}

/// Side by side; where one list is longer (other macros, say), the rest stands for itself.
fn add_all(sides: &mut Vec<u64>, more: &[u64]) {
    sides.resize(sides.len().max(more.len()), 0);
    sides.iter_mut().zip(more).for_each(|(count, more)| add(count, *more));
}

/// Whether two paths can name the same file. A relative one is relative to who knows what; of two absolute ones, one
/// may come from another machine, so that only their last names count.
pub fn is_same_file(left: &Path, right: &Path) -> bool {
    let (left_tail, right_tail) = (tail(left), tail(right));
    match (left.is_absolute(), right.is_absolute()) {
        (true, true) => left.file_name() == right.file_name(),
        (true, false) => left.ends_with(&right_tail),
        (false, true) => right.ends_with(&left_tail),
        (false, false) => left_tail.ends_with(&right_tail) || right_tail.ends_with(&left_tail),
    }
}

/// A relative path without the dots it begins with.
fn tail(path: &Path) -> PathBuf {
    path.components().skip_while(|part| matches!(part, Component::CurDir | Component::ParentDir)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_file_in_two_objects_is_counted_once() {
        let of = |counts: &[(u32, u64)], sides: &[u64], calls: &[(&str, u64)]| {
            let mut file = FileCoverage { path: "/w/h.h".into(), ..FileCoverage::default() };
            file.counts = counts.iter().copied().collect();
            file.sides = [(2, sides.to_vec())].into();
            file.calls = calls.iter().map(|(name, count)| (name.to_string(), *count)).collect();
            file.tally();
            Coverage { files: vec![file], tool: "gcov".to_owned() }
        };
        let mut coverage = of(&[(1, 0), (2, 0)], &[0, 0], &[("f", 0)]);
        coverage.merge(of(&[(1, 3), (2, 3), (4, 0)], &[3, 0], &[("f", 3), ("g", 0)]));
        coverage.merge(of(&[(1, 1), (2, 1)], &[0, 1, 0], &[("f", 1)]));
        let tally = |covered, total| Tally { covered, total };
        assert_eq!(coverage.files.len(), 1);
        assert_eq!(coverage.files[0].counts, [(1, 4), (2, 4), (4, 0)].into());
        assert_eq!(
            (coverage.lines(), coverage.branches(), coverage.functions()),
            (tally(2, 3), tally(2, 3), tally(1, 2))
        );
    }

    #[test]
    fn paths_match_by_their_ends() {
        assert!(is_same_file(Path::new("/p/src/a.c"), Path::new("src/a.c")));
        assert!(is_same_file(Path::new("./a.c"), Path::new("/p/a.c")));
        assert!(is_same_file(Path::new("../src/a.c"), Path::new("/p/src/a.c")));
        assert!(is_same_file(Path::new("src/a.c"), Path::new("a.c")));
        assert!(!is_same_file(Path::new("/p/ba.c"), Path::new("a.c")));
    }
}
