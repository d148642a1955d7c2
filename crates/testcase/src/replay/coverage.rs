//! What the runs covered, as data: read from what `llvm-cov` and `gcov` print. Starts no process.

use std::collections::BTreeMap;
use std::ops::Add;
use std::path::{Component, Path, PathBuf};

use serde_json::Value;

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
    pub lines: Tally,
    /// Each side of a branch counts for itself.
    pub branches: Tally,
    pub functions: Tally,
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
    fn count(&mut self, is_covered: bool) {
        self.total += 1;
        self.covered += u64::from(is_covered);
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

    /// Sets right what `llvm-cov` says of lines that begin in a gap between two statements, from its segments.
    ///
    /// After a statement that may not return, clang makes a gap that counts nothing; a line that begins in it has the
    /// gap's count, although the statement on it may be executed. That befalls every line after an `assert` in C++.
    pub fn mend_gaps(&mut self, segments: &str) {
        let exported: Value = serde_json::from_str(segments).unwrap_or_default();
        for file in
            exported["data"].as_array().into_iter().flatten().flat_map(|part| part["files"].as_array()).flatten()
        {
            let name = Path::new(file["filename"].as_str().unwrap_or_default());
            let segments: Vec<Segment> =
                file["segments"].as_array().into_iter().flatten().filter_map(Segment::read).collect();
            if let Some(known) = self.files.iter_mut().find(|known| known.path == name) {
                known.mend_gaps(&segments);
            }
        }
    }

    /// Joins what two tools counted in the same program.
    pub fn merge(&mut self, other: Coverage) {
        for file in other.files {
            if !self.files.iter().any(|known| known.path == file.path) {
                self.files.push(file);
            }
        }
        self.files.sort_by(|left, right| left.path.cmp(&right.path));
    }
}

/// What `llvm-cov` says from a place in a file on.
struct Segment {
    line: u32,
    count: u64,
    /// Neither the begin of a region nor a gap: what went on before a gap goes on.
    goes_on: bool,
    is_gap: bool,
}

impl Segment {
    fn read(value: &Value) -> Option<Segment> {
        let is = |index: usize| value.get(index).and_then(Value::as_bool).unwrap_or(false);
        let (has_count, is_entry, is_gap) = (is(3), is(4), is(5));
        Some(Segment {
            line: value.get(0)?.as_u64()?.try_into().ok()?,
            count: value.get(2)?.as_u64()?,
            goes_on: has_count && !is_entry && !is_gap,
            is_gap,
        })
    }
}

impl FileCoverage {
    fn mend_gaps(&mut self, segments: &[Segment]) {
        for pair in segments.windows(2) {
            let [gap, next] = pair else { continue };
            if !gap.is_gap || gap.count != 0 || gap.line >= next.line {
                continue;
            }
            // There is nothing on the lines between.
            self.counts.retain(|line, count| *count != 0 || *line <= gap.line || *line >= next.line);
            if let Some(count) = self.counts.get_mut(&next.line).filter(|count| **count == 0 && next.goes_on) {
                *count = next.count;
            }
        }
        *self = finish(std::mem::take(self));
    }
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

/// From `llvm-cov export -format=lcov`.
pub fn from_lcov(text: &str) -> Coverage {
    let mut files = Vec::new();
    let mut file = FileCoverage::default();
    for line in text.lines() {
        let (key, rest) = line.split_once(':').unwrap_or((line, ""));
        let numbers: Vec<&str> = rest.split(',').collect();
        match (key, numbers.as_slice()) {
            ("SF", _) => file.path = PathBuf::from(rest),
            ("FNDA", [count, ..]) => file.functions.count(*count != "0"),
            ("DA", [number, count, ..]) => {
                if let (Ok(number), Ok(count)) = (number.parse(), count.parse::<u64>()) {
                    file.counts.insert(number, count);
                }
            }
            ("BRDA", [_, _, _, taken]) => file.branches.count(*taken != "-" && *taken != "0"),
            ("end_of_record", _) => files.push(finish(std::mem::take(&mut file))),
            _ => {}
        }
    }
    files.sort_by(|left: &FileCoverage, right| left.path.cmp(&right.path));
    Coverage { files, tool: "llvm-cov".to_owned() }
}

fn finish(mut file: FileCoverage) -> FileCoverage {
    file.lines = Tally {
        covered: file.counts.values().filter(|&&count| count > 0).count() as u64,
        total: file.counts.len() as u64,
    };
    file
}

/// From the text that `gcov -t -b -c` and `llvm-cov gcov -t -b -c` print.
pub fn from_gcov(text: &str, folder: &Path) -> Coverage {
    let mut files: Vec<FileCoverage> = Vec::new();
    for line in text.lines() {
        let number_after = |word: &str| line.split(word).nth(1).and_then(|rest| rest.split_whitespace().next());
        let is_some = |number: Option<&str>| number.is_some_and(|number| number != "0");
        if line.starts_with("function ") {
            files.last_mut().into_iter().for_each(|file| file.functions.count(is_some(number_after(" called "))));
        } else if line.starts_with("branch ") {
            files.last_mut().into_iter().for_each(|file| file.branches.count(is_some(number_after(" taken "))));
        } else if let [count, number, source] = line.splitn(3, ':').map(str::trim).collect::<Vec<_>>()[..] {
            match (number.parse::<u32>(), source.strip_prefix("Source:")) {
                (Ok(0), Some(path)) => files.push(FileCoverage { path: folder.join(path), ..FileCoverage::default() }),
                (Ok(number @ 1..), _) if count != "-" => {
                    let count = count.trim_end_matches('*').parse().unwrap_or(0);
                    let Some(file) = files.last_mut() else { continue };
                    *file.counts.entry(number).or_insert(0) += count;
                }
                _ => {}
            }
        }
    }
    let mut files: Vec<_> = files.into_iter().map(finish).collect();
    files.sort_by(|left, right| left.path.cmp(&right.path));
    Coverage { files, tool: "gcov".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lcov_is_read() {
        let text = "SF:/a/x.c\nFN:1,f\nFNDA:3,f\nFNDA:0,g\nFNF:2\nDA:1,3\nDA:2,0\nBRDA:1,0,0,2\nBRDA:1,0,1,-\nLF:2\nend_of_record\n";
        let coverage = from_lcov(text);
        let file = &coverage.files[0];
        assert_eq!((file.lines, file.branches, file.functions), (half(), half(), half()));
        assert_eq!(
            (coverage.count("x.c", 1), coverage.count("./x.c", 2), coverage.count("x.c", 9)),
            (Some(3), Some(0), None)
        );
    }

    #[test]
    fn lines_that_begin_in_a_gap_are_counted() {
        let text = "SF:/a/x.c\nDA:1,3\nDA:2,3\nDA:3,0\nDA:4,0\nDA:5,3\nDA:7,0\nend_of_record\n";
        let segments = "{\"data\":[{\"files\":[{\"filename\":\"/a/x.c\",\"segments\":[[1,9,3,true,true,false],\
            [2,14,0,true,false,true],[4,3,3,true,false,false],[6,1,0,true,false,true],[7,3,0,true,false,false]]}]}]}";
        let mut coverage = from_lcov(text);
        coverage.mend_gaps(segments);
        let counts: Vec<_> = coverage.files[0].counts.iter().map(|(line, count)| (*line, *count)).collect();
        assert_eq!(counts, [(1, 3), (2, 3), (4, 3), (5, 3), (7, 0)]);
        assert_eq!(coverage.lines(), Tally { covered: 4, total: 5 });
        coverage.mend_gaps("no JSON");
    }

    #[test]
    fn gcov_is_read() {
        let text = "        -:    0:Source:x.c\n        -:    0:Runs:1\nfunction f called 1 returned 100% blocks executed 75%\n        \
                    1*:    2:int f(int x){\nbranch  0 taken 1\nbranch  1 taken 0 (fallthrough)\n    #####:    3:  a:b;\nfunction g called 0 returned 0%\n";
        let coverage = from_gcov(text, Path::new("/a"));
        let file = &coverage.files[0];
        assert_eq!(file.path, Path::new("/a/x.c"));
        assert_eq!((file.lines, file.branches, file.functions), (half(), half(), half()));
    }

    fn half() -> Tally {
        Tally { covered: 1, total: 2 }
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
