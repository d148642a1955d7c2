//! The lines that no test executes, by file and function, as far as the entry can reach the function.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use symcrete_ir::{CallGraph, FuncId, Program};

use crate::documents::{FunctionName, UncoveredLines};

/// The lines with code of one file.
pub struct FileLines {
    /// As it is shown.
    pub name: String,
    pub path: PathBuf,
    /// Whether a line was executed.
    pub lines: BTreeMap<u32, bool>,
    /// Where functions begin, and their names, as far as whoever counted knows.
    pub starts: Vec<(u32, String)>,
}

#[derive(Default)]
pub struct Uncovered {
    rows: Vec<Row>,
    /// Functions that the entry does not reach, by file and name.
    unreached: BTreeSet<(String, String)>,
}

/// A function with lines that were not executed.
struct Row {
    file: String,
    function: String,
    lines: Vec<u32>,
    /// First and last lines; no line between them was executed.
    ranges: Vec<(u32, u32)>,
}

/// How much of it is printed.
const MOST_ROWS: usize = 20;
const MOST_RANGES: usize = 10;
const MOST_FILES: usize = 4;

/// A function of the source, and whether the entry can reach it.
#[derive(Clone)]
struct Owner {
    name: String,
    is_reached: bool,
}

/// The text of a function: its first and last line.
struct Extent {
    first: u32,
    last: u32,
    owner: Owner,
}

/// What the program's debug information says of one file.
#[derive(Default)]
struct FileOwners {
    lines: BTreeMap<u32, Owner>,
    extents: Vec<Extent>,
}

impl Uncovered {
    /// Functions can be reached by calls from the roots; those whose address is taken, from anywhere.
    pub fn new(program: &Program, roots: &[FuncId], files: &[FileLines]) -> Uncovered {
        let graph = CallGraph::new(program);
        let roots = roots.iter().chain(graph.address_taken()).copied();
        let reached = graph.reachable_from(roots);
        let is_reached = |function: FuncId| reached.contains(function);
        let owners = owners(program, is_reached);
        let mut uncovered = Uncovered::default();
        for file in files {
            let none = FileOwners::default();
            let known = owners.get(&normalised(&file.path)).unwrap_or(&none);
            uncovered.add(file, known);
        }
        uncovered
    }

    fn add(&mut self, file: &FileLines, known: &FileOwners) {
        let starts = unknown_starts(&file.starts, known);
        let mut rows: BTreeMap<String, Row> = BTreeMap::new();
        let mut order: Vec<String> = Vec::new();
        // The function whose lines were missed last, while none of its lines was executed since.
        let mut open: Option<String> = None;
        for (line, is_covered) in &file.lines {
            let Some(owner) = known.owner(*line).or_else(|| owner_by_start(&starts, *line)) else { continue };
            if !owner.is_reached {
                self.unreached.insert((file.name.clone(), owner.name));
                continue;
            }
            if *is_covered {
                open = None;
                continue;
            }
            let row = rows.entry(owner.name.clone()).or_insert_with(|| {
                order.push(owner.name.clone());
                Row { file: file.name.clone(), function: owner.name.clone(), lines: Vec::new(), ranges: Vec::new() }
            });
            row.lines.push(*line);
            match row.ranges.last_mut().filter(|_| open.as_ref() == Some(&owner.name)) {
                Some(range) => range.1 = *line,
                None => row.ranges.push((*line, *line)),
            }
            open = Some(owner.name);
        }
        self.rows.extend(order.into_iter().filter_map(|name| rows.remove(&name)));
    }

    pub fn lines(&self) -> Vec<UncoveredLines> {
        let lines = |row: &Row| UncoveredLines {
            file: row.file.clone(),
            function: row.function.clone(),
            lines: row.lines.clone(),
            ranges: row.ranges.clone(),
        };
        self.rows.iter().map(lines).collect()
    }

    pub fn unreached_functions(&self) -> Vec<FunctionName> {
        let name =
            |(file, function): &(String, String)| FunctionName { file: file.clone(), function: function.clone() };
        self.unreached.iter().map(name).collect()
    }

    pub fn text(&self, entry: &str) -> String {
        let mut text = String::new();
        if !self.rows.is_empty() {
            let shown = &self.rows[..self.rows.len().min(MOST_ROWS)];
            let width = |pick: fn(&Row) -> &str| shown.iter().map(|row| pick(row).chars().count()).max().unwrap_or(0);
            let (file, function) = (width(|row| &row.file), width(|row| &row.function));
            text.push_str("not covered:\n");
            for row in shown {
                let _ = writeln!(text, "  {:file$}  {:function$}  {}", row.file, row.function, ranges(row));
            }
            self.rest(&mut text, &self.rows[shown.len()..]);
        }
        let count = self.unreached.len();
        if count > 0 {
            let (functions, are) = if count == 1 { ("function", "is") } else { ("functions", "are") };
            let _ = writeln!(
                text,
                "({count} {functions} that no call from `{entry}` reaches {are} counted above, but not listed)"
            );
        }
        text
    }

    /// How much more there is than was printed, and in which files.
    fn rest(&self, text: &mut String, rows: &[Row]) {
        let lines: usize = rows.iter().map(|row| row.lines.len()).sum();
        if lines == 0 {
            return;
        }
        let mut files: BTreeMap<&str, usize> = BTreeMap::new();
        for row in rows {
            *files.entry(&row.file).or_default() += row.lines.len();
        }
        let mut files: Vec<(&str, usize)> = files.into_iter().collect();
        files.sort_by_key(|(_, lines)| std::cmp::Reverse(*lines));
        let count = files.len();
        files.truncate(MOST_FILES);
        let names: Vec<String> = files.iter().map(|(file, lines)| format!("{file} ({lines})")).collect();
        let others = if count > MOST_FILES { " and others" } else { "" };
        let _ = writeln!(
            text,
            "  and {lines} more lines in {} more functions, of {}{others}; --json lists them all",
            rows.len(),
            names.join(", ")
        );
    }
}

fn ranges(row: &Row) -> String {
    let range = |(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    let text = row.ranges.iter().take(MOST_RANGES).map(range).collect::<Vec<String>>().join(", ");
    match row.ranges.get(MOST_RANGES) {
        None => text,
        Some((next, _)) => {
            let more = row.lines.iter().filter(|line| *line >= next).count();
            format!("{text} and {more} more lines")
        }
    }
}

impl FileOwners {
    fn owner(&self, line: u32) -> Option<Owner> {
        // Of functions within each other, as lambdas are, the inner one.
        let extent = || {
            let around = self.extents.iter().filter(|extent| (extent.first..=extent.last).contains(&line));
            around.max_by_key(|extent| extent.first).map(|extent| extent.owner.clone())
        };
        self.lines.get(&line).cloned().or_else(extent)
    }
}

/// Which function each line belongs to, by file.
fn owners(program: &Program, is_reached: impl Fn(FuncId) -> bool) -> BTreeMap<PathBuf, FileOwners> {
    let debug = &program.debug;
    let path = |file| {
        let file: &symcrete_ir::debug::SourceFile = &debug.files[file];
        normalised(&Path::new(&file.directory).join(&file.name))
    };
    let mut paths = BTreeMap::new();
    let mut files: BTreeMap<PathBuf, FileOwners> = BTreeMap::new();
    for (id, function) in program.functions.iter().filter(|(_, function)| !function.runtime) {
        let Some(body) = &function.body else { continue };
        let own = function.debug.as_ref().and_then(|known| Some((known.file?, known.line)));
        let mut last = own.map_or(0, |(_, line)| line);
        let locs = body.blocks.values().flat_map(|block| block.locs.iter().copied().chain([block.terminator_loc]));
        for loc in locs.map(|loc| &debug.locs[loc]).filter(|loc| loc.line != 0) {
            let path = paths.entry(loc.file).or_insert_with(|| path(loc.file));
            let name = if loc.function.is_empty() { function.source_name() } else { &loc.function };
            if name == function.source_name() && own.is_some_and(|(file, _)| file == loc.file) {
                last = last.max(loc.line);
            }
            let lines = &mut files.entry(path.clone()).or_default().lines;
            let owner = lines.entry(loc.line).or_insert_with(|| Owner { name: name.to_owned(), is_reached: false });
            owner.is_reached |= is_reached(id);
        }
        if let Some((file, first)) = own {
            let owner = Owner { name: function.source_name().to_owned(), is_reached: is_reached(id) };
            files.entry(path(file)).or_default().extents.push(Extent { first, last, owner });
        }
    }
    files
}

/// The beginnings of functions that the program in the engine does not have, since nothing refers to them.
fn unknown_starts(starts: &[(u32, String)], known: &FileOwners) -> BTreeMap<u32, Option<Owner>> {
    let start = |(line, name): &(u32, String)| {
        let is_known = known.extents.iter().any(|extent| (extent.first..=extent.last).contains(line));
        (*line, (!is_known).then(|| Owner { name: name.clone(), is_reached: false }))
    };
    starts.iter().map(start).collect()
}

fn owner_by_start(starts: &BTreeMap<u32, Option<Owner>>, line: u32) -> Option<Owner> {
    starts.range(..=line).next_back().and_then(|(_, owner)| owner.clone())
}

/// A path without `.` and `..`, for comparisons.
fn normalised(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut normalised = PathBuf::new();
    for part in absolute.components() {
        match part {
            Component::ParentDir => {
                normalised.pop();
            }
            other => normalised.push(other),
        }
    }
    normalised
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(name: &str, is_reached: bool) -> Owner {
        Owner { name: name.to_owned(), is_reached }
    }

    fn uncovered(missed: &[u32], covered: &[u32]) -> Uncovered {
        let lines = missed.iter().map(|line| (*line, false)).chain(covered.iter().map(|line| (*line, true)));
        let starts = vec![(40, "never".to_owned())];
        let file = FileLines { name: "a.c".to_owned(), path: "/a.c".into(), lines: lines.collect(), starts };
        let extent = |first, last, owner| Extent { first, last, owner };
        let extents = vec![
            extent(1, 20, owner("f", true)),
            extent(5, 7, owner("lambda", true)),
            extent(21, 30, owner("alone", false)),
        ];
        let mut uncovered = Uncovered::default();
        uncovered.add(&file, &FileOwners { lines: BTreeMap::new(), extents });
        uncovered
    }

    #[test]
    fn lines_are_told_by_function() {
        let uncovered = uncovered(&[2, 4, 6, 10, 12, 22, 23, 41], &[1, 3, 11, 20]);
        let rows = uncovered.lines();
        assert_eq!(rows[0].lines, [2, 4, 10, 12]);
        assert_eq!(rows[0].ranges, [(2, 2), (4, 4), (10, 10), (12, 12)]);
        assert_eq!(rows[1].function, "lambda");
        let text = uncovered.text("f");
        assert!(text.contains("a.c  f       2, 4, 10, 12\n"), "{text}");
        assert!(
            text.ends_with("(2 functions that no call from `f` reaches are counted above, but not listed)\n"),
            "{text}"
        );
    }

    #[test]
    fn ranges_end_where_something_was_executed() {
        let rows = uncovered(&[2, 4, 9, 12], &[10]).lines();
        assert_eq!(rows[0].ranges, [(2, 9), (12, 12)]);
    }

    #[test]
    fn long_lists_are_cut_and_say_so() {
        let missed: Vec<u32> = (0..14).map(|number| 100 + 2 * number).collect();
        let mut uncovered = Uncovered::default();
        for number in 0..30 {
            let owner = owner(&format!("f{number}"), true);
            let extents = vec![Extent { first: 1, last: 1000, owner }];
            let lines = missed.iter().flat_map(|line| [(*line, false), (line + 1, true)]).collect();
            let name = format!("{}.c", number / 10);
            let file = FileLines { name, path: "/a.c".into(), lines, starts: Vec::new() };
            uncovered.add(&file, &FileOwners { lines: BTreeMap::new(), extents });
        }
        let text = uncovered.text("main");
        assert!(
            text.contains("0.c  f0   100, 102, 104, 106, 108, 110, 112, 114, 116, 118 and 4 more lines\n"),
            "{text}"
        );
        assert!(
            text.contains("  and 140 more lines in 10 more functions, of 2.c (140); --json lists them all\n"),
            "{text}"
        );
    }
}
