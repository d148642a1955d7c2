//! The way to a target, for people: the branches that a test takes and where they lead, with the text of their lines, and what is gone round
//! again and again shown once.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use symcrete_explore::passage::Turn;
use symcrete_ir::Program;

use crate::documents;

/// A branch, as the source has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    file: String,
    line: u32,
    column: u32,
    /// The line on which it goes on.
    to: u32,
}

/// Branches that are taken one after the other, so many times.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    branches: Vec<Branch>,
    times: usize,
}

/// The longest piece that is recognised as repeated.
const LONGEST: usize = 12;
/// Parts that are shown at the beginning and at the end of a long way.
const SHOWN: usize = 12;
/// Characters of a line that are shown.
const WIDTH: usize = 72;

/// The way in parts.
pub fn parts(program: &Program, turns: &[Turn]) -> Vec<Part> {
    let debug = &program.debug;
    let branch = |turn: &Turn| {
        let loc = &debug.locs[turn.loc];
        let file = || debug.files[loc.file].name.clone();
        (loc.line != 0).then(|| Branch {
            file: file(),
            line: loc.line,
            column: loc.column,
            to: debug.locs[turn.to].line,
        })
    };
    fold(&turns.iter().filter_map(branch).collect::<Vec<_>>())
}

fn fold(branches: &[Branch]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut at = 0;
    while at < branches.len() {
        let rest = &branches[at..];
        let times = |period: usize| rest.chunks_exact(period).take_while(|chunk| *chunk == &rest[..period]).count();
        let periods = (1..=LONGEST.min(rest.len() / 2)).map(|period| (period, times(period)));
        let best =
            periods.filter(|(_, times)| *times > 1).max_by_key(|(period, times)| (period * times, usize::MAX - period));
        let (period, times) = best.unwrap_or((1, 1));
        parts.push(Part { branches: rest[..period].to_vec(), times });
        at += period * times;
    }
    parts
}

pub fn documents(parts: &[Part]) -> Vec<documents::PathPart> {
    let branch = |branch: &Branch| documents::Branch {
        file: branch.file.clone(),
        line: branch.line,
        column: branch.column,
        to_line: branch.to,
    };
    let part =
        |part: &Part| documents::PathPart { times: part.times, branches: part.branches.iter().map(branch).collect() };
    parts.iter().map(part).collect()
}

/// The list that a person reads.
pub fn text(parts: &[Part], file: &str, line: u32) -> String {
    let mut sources = Sources::default();
    let mut text = String::new();
    let hidden = SHOWN..parts.len().saturating_sub(SHOWN).max(SHOWN);
    for (number, part) in parts.iter().enumerate() {
        if number == hidden.start && !hidden.is_empty() {
            let _ = writeln!(text, "        ... {} more ...", hidden.len());
        }
        if hidden.contains(&number) {
            continue;
        }
        for branch in &part.branches {
            // A line may have several conditions.
            let is_other = |other: &&Branch| {
                (&other.file, other.line) == (&branch.file, branch.line) && other.column != branch.column
            };
            let column = match parts.iter().flat_map(|part| &part.branches).find(is_other) {
                Some(_) => format!(":{}", branch.column),
                None => String::new(),
            };
            let place = format!("{}:{}{column}", name(&branch.file), branch.line);
            let source = sources.line(&branch.file, branch.line);
            let to = format!("to {}", branch.to);
            let _ = writeln!(text, "        {place:<24} {to:<8} {source}");
        }
        if part.times > 1 {
            let these =
                if part.branches.len() == 1 { "this".to_owned() } else { format!("these {}", part.branches.len()) };
            let _ = writeln!(text, "        {:<24} {these}, {} times in all", "", part.times);
        }
    }
    let place = format!("{}:{line}", name(file));
    let _ = writeln!(text, "        {place:<24} {:<8} {}", "here", sources.line(file, line));
    text
}

fn name(file: &str) -> &str {
    Path::new(file).file_name().and_then(|name| name.to_str()).unwrap_or(file)
}

/// The lines of files; nothing for those that cannot be read.
#[derive(Default)]
struct Sources(HashMap<String, Vec<String>>);

impl Sources {
    fn line(&mut self, file: &str, line: u32) -> String {
        let read = || {
            let text = std::fs::read_to_string(file).unwrap_or_default();
            text.lines().map(|line| line.trim().to_owned()).collect()
        };
        let lines = self.0.entry(file.to_owned()).or_insert_with(read);
        let text = lines.get(line as usize - 1).cloned().unwrap_or_default();
        match text.char_indices().nth(WIDTH) {
            Some((end, _)) => format!("{}...", &text[..end]),
            None => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branches(text: &str) -> Vec<Branch> {
        let branch = |byte: u8| Branch { file: String::new(), line: u32::from(byte), column: 0, to: 0 };
        text.bytes().map(branch).collect()
    }

    #[test]
    fn what_is_repeated_is_shown_once() {
        let shown = |text: &str| {
            let letters =
                |part: &Part| part.branches.iter().map(|branch| branch.line as u8 as char).collect::<String>();
            fold(&branches(text)).iter().map(|part| format!("{}{}", letters(part), part.times)).collect::<Vec<_>>()
        };
        assert_eq!(shown("aaab"), ["a3", "b1"]);
        assert_eq!(shown("xababab"), ["x1", "ab3"]);
        assert_eq!(shown("abacabacd"), ["abac2", "d1"]);
        assert_eq!(shown(""), [""; 0]);
    }
}
