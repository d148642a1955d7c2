//! What `llvm-cov export` prints: lines and functions as lcov, branches and segments as JSON.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Coverage, FileCoverage, add, plain_name};

/// From `llvm-cov export -format=lcov`.
pub fn from_lcov(text: &str) -> Coverage {
    let mut files = Vec::new();
    let mut file = FileCoverage::default();
    for line in text.lines() {
        let (key, rest) = line.split_once(':').unwrap_or((line, ""));
        let numbers: Vec<&str> = rest.split(',').collect();
        match (key, numbers.as_slice()) {
            ("SF", _) => file.path = PathBuf::from(rest),
            ("FN", [number, name @ ..]) => {
                if let Ok(number) = number.parse() {
                    file.starts.push((number, function_name(&name.join(","))));
                }
            }
            ("FNDA", [count, name @ ..]) => {
                add(file.calls.entry(function_name(&name.join(","))).or_default(), count.parse().unwrap_or(0));
            }
            ("DA", [number, count, ..]) => {
                if let (Ok(number), Ok(count)) = (number.parse(), count.parse::<u64>()) {
                    file.counts.insert(number, count);
                }
            }
            ("BRDA", [number, _, _, taken]) => {
                if let Ok(number) = number.parse() {
                    file.sides.entry(number).or_default().push(taken.parse().unwrap_or(0));
                }
            }
            ("end_of_record", _) => {
                file.tally();
                files.push(std::mem::take(&mut file));
            }
            _ => {}
        }
    }
    files.sort_by(|left: &FileCoverage, right| left.path.cmp(&right.path));
    Coverage { files, tool: "llvm-cov".to_owned() }
}

/// A static function bears the name of the file that was compiled, `a.c:f` or `a.c;f`: in a header it is one function.
fn function_name(name: &str) -> String {
    plain_name(name.rsplit([':', ';']).next().unwrap_or(name)).to_owned()
}

impl Coverage {
    /// Adds what only the JSON of `llvm-cov export` tells.
    ///
    /// After a statement that may not return, clang makes a gap that counts nothing; a line that begins in it has the
    /// gap's count in lcov, although the statement on it may be executed. That befalls every line after an `assert` in C++.
    /// And lcov lists the branches of a header once for each source that includes it, without a place to know them by.
    pub fn refine(&mut self, exported: &str) {
        let exported: Value = serde_json::from_str(exported).unwrap_or_default();
        for file in
            exported["data"].as_array().into_iter().flatten().flat_map(|part| part["files"].as_array()).flatten()
        {
            let name = Path::new(file["filename"].as_str().unwrap_or_default());
            let segments: Vec<Segment> =
                file["segments"].as_array().into_iter().flatten().filter_map(Segment::read).collect();
            if let Some(known) = self.files.iter_mut().find(|known| known.path == name) {
                known.mend_gaps(&segments);
                if let Some(branches) = file["branches"].as_array() {
                    known.sides = sides(branches);
                }
                known.tally();
            }
        }
    }
}

/// The sides of branches by line. What is compiled several times has several branches at one place, which count as one.
fn sides(branches: &[Value]) -> BTreeMap<u32, Vec<u64>> {
    let mut at_places: BTreeMap<[u64; 4], [u64; 2]> = BTreeMap::new();
    for branch in branches {
        let Some(numbers) = branch.as_array() else { continue };
        let numbers: Vec<u64> = numbers.iter().take(6).map(|number| number.as_u64().unwrap_or(0)).collect();
        if let [line, column, last_line, last_column, taken, not_taken] = numbers[..] {
            let sides = at_places.entry([line, column, last_line, last_column]).or_default();
            add(&mut sides[0], taken);
            add(&mut sides[1], not_taken);
        }
    }
    let mut lines: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    for ([line, ..], counts) in at_places {
        lines.entry(u32::try_from(line).unwrap_or(0)).or_default().extend(counts);
    }
    lines
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
    }
}

#[cfg(test)]
mod tests {
    use super::super::Tally;
    use super::*;

    #[test]
    fn lcov_is_read() {
        let text = "SF:/a/x.c\nFN:1,f\nFNDA:3,f\nFNDA:0,g\nFNF:2\nDA:1,3\nDA:2,0\nBRDA:1,0,0,2\nBRDA:1,0,1,-\nLF:2\nend_of_record\n";
        let coverage = from_lcov(text);
        let file = &coverage.files[0];
        assert_eq!((file.lines, file.branches, file.functions), (half(), half(), half()));
        assert_eq!(file.starts, [(1, "f".to_owned())]);
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
        coverage.refine(segments);
        let counts: Vec<_> = coverage.files[0].counts.iter().map(|(line, count)| (*line, *count)).collect();
        assert_eq!(counts, [(1, 3), (2, 3), (4, 3), (5, 3), (7, 0)]);
        assert_eq!(coverage.lines(), Tally { covered: 4, total: 5 });
        coverage.refine("no JSON");
    }

    #[test]
    fn a_header_that_two_sources_include_is_one() {
        let text = "SF:/a/h.h\nFN:1,a.c:f\nFN:1,b.c:f\nFNDA:1,a.c:f\nFNDA:0,b.c:f\nDA:2,1\nBRDA:2,0,0,0\nBRDA:2,0,1,1\n\
                    BRDA:2,1,2,1\nBRDA:2,1,3,0\nend_of_record\n";
        let exported = "{\"data\":[{\"files\":[{\"filename\":\"/a/h.h\",\"segments\":[],\
            \"branches\":[[2,7,2,13,0,1,0,0,4],[2,7,2,13,1,0,0,0,4]]}]}]}";
        let mut coverage = from_lcov(text);
        coverage.refine(exported);
        assert_eq!(coverage.branches(), Tally { covered: 2, total: 2 });
        assert_eq!(coverage.functions(), Tally { covered: 1, total: 1 });
    }

    fn half() -> Tally {
        Tally { covered: 1, total: 2 }
    }
}
