//! What was named as a target, and where in the program that is.

use std::path::Path;

use symcrete_exec::coverage::Mark;
use symcrete_ir::{Block, Callee, FuncId, Function, Inst, LocId, Program};

use super::source_lines::SourceLines;
use crate::error::Error;
use crate::suggest;

/// As it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    Line {
        file: String,
        line: u32,
        column: Option<u32>,
    },
    /// The beginning of a function.
    Function(String),
    /// Calls that say that they are targets, or assertions that fail.
    Marked,
}

/// Functions whose calls are targets, wherever they are.
const MARKS: [&str; 3] = ["symcrete_target", "reach_error", "__VERIFIER_error"];
/// Functions that a failing assertion calls.
const FAILURES: [&str; 3] = ["symcrete_assertion_failed", "__assert_fail", "klee_report_error"];

/// A target, found.
#[derive(Clone, Debug)]
pub struct Target {
    pub wanted: Wanted,
    /// In words.
    pub title: String,
    /// Of the line, where there is one.
    pub file: String,
    pub line: u32,
    /// The line that was asked for, if the next one with code is taken instead.
    pub moved_from: Option<u32>,
    /// Before each of these instructions; one of them is enough. None if the line has no code.
    pub places: Vec<Place>,
    /// Of a line without code: the lines with code around it.
    pub around: Vec<u32>,
    /// Whether the compiler may have moved or removed a part of the line's code.
    pub optimised: bool,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub function: FuncId,
    pub block: Block,
    /// The number of instructions stands for the terminator.
    pub instruction: usize,
}

impl Wanted {
    /// `FILE:LINE`, `FILE:LINE:COLUMN`, or the name of a function. `None` for the name of a file or directory.
    pub fn parse(word: &str) -> Option<Wanted> {
        if Path::new(word).exists() {
            return None;
        }
        let number = |text: &str| text.parse::<u32>().ok();
        if let Some((rest, last)) = word.rsplit_once(':')
            && let Some(last) = number(last)
        {
            if let Some((file, line)) = rest.rsplit_once(':')
                && let Some(line) = number(line)
            {
                return Some(Wanted::Line { file: file.to_owned(), line, column: Some(last) });
            }
            return Some(Wanted::Line { file: rest.to_owned(), line: last, column: None });
        }
        let is_name = word.chars().all(|c| c.is_alphanumeric() || "_:~<>".contains(c)) && !word.is_empty();
        is_name.then(|| Wanted::Function(word.to_owned()))
    }

    pub fn find(&self, program: &Program) -> Result<Target, Error> {
        match self {
            Wanted::Line { file, line, column } => line_target(program, self, file, *line, *column),
            Wanted::Function(name) => function_target(program, self, name),
            Wanted::Marked => marked_target(program, self),
        }
    }
}

impl Target {
    /// Nothing is known of it yet.
    fn of(wanted: &Wanted) -> Target {
        Target {
            wanted: wanted.clone(),
            title: String::new(),
            file: String::new(),
            line: 0,
            moved_from: None,
            places: Vec::new(),
            around: Vec::new(),
            optimised: false,
        }
    }
}

/// Gives each place of the targets an edge of its own; for each target, its edges.
pub fn split(targets: &[Target], program: &mut Program) -> Vec<Vec<Mark>> {
    let places =
        targets.iter().enumerate().flat_map(|(number, target)| target.places.iter().map(move |place| (*place, number)));
    let mut places: Vec<(Place, usize)> = places.collect();
    // Later ones first: what stands before them keeps its place.
    places.sort_by_key(|(place, _)| (place.function, place.block, std::cmp::Reverse(place.instruction)));
    let mut marks = vec![Vec::new(); targets.len()];
    for (place, number) in places {
        if let Some(body) = &mut program.functions[place.function].body {
            marks[number].push(Mark::Taken(place.function, body.split(place.block, place.instruction)));
        }
    }
    marks
}

fn own(program: &Program) -> impl Iterator<Item = (FuncId, &Function)> {
    program.functions.iter().filter(|(_, function)| !function.runtime && function.body.is_some())
}

/// All instructions and terminators of the program's own, with their locations.
fn located(program: &Program) -> impl Iterator<Item = (Place, LocId)> + '_ {
    own(program).flat_map(|(function, data)| {
        let blocks = data.body.iter().flat_map(|body| body.blocks.iter());
        blocks.flat_map(move |(block, data)| {
            let locs = data.locs.iter().copied().chain([data.terminator_loc]);
            locs.enumerate().map(move |(instruction, loc)| (Place { function, block, instruction }, loc))
        })
    })
}

fn line_target(
    program: &Program,
    wanted: &Wanted,
    file: &str,
    line: u32,
    column: Option<u32>,
) -> Result<Target, Error> {
    if line == 0 {
        return Err(Error::Usage(format!("{file}:0 is no line; lines are counted from 1")));
    }
    let is_file = |loc: LocId| {
        let known = &program.debug.files[program.debug.locs[loc].file];
        is_same_file(file, &known.directory, &known.name)
    };
    let of_file: Vec<(Place, LocId)> =
        located(program).filter(|(_, loc)| program.debug.locs[*loc].line != 0 && is_file(*loc)).collect();
    if of_file.is_empty() {
        return Err(no_such_file(program, file));
    }
    let line_of = |loc: LocId| program.debug.locs[loc].line;
    let lines = || of_file.iter().map(|(_, loc)| line_of(*loc));
    let source = of_file.first().and_then(|(_, loc)| source_of(program, *loc));
    let next = lines().filter(|other| *other >= line).min();
    let is_inside = source.as_ref().is_some_and(|source| line <= source.count());
    let Some(found) =
        next.filter(|next| *next == line || may_stand_for(program, &of_file, source.as_ref(), line, *next))
    else {
        let last = lines().max().unwrap_or(0);
        if next.is_none() && !is_inside {
            return Err(Error::Usage(format!(
                "{file} has no code at or after line {line}; the last line with code is {last}"
            )));
        }
        let before = lines().filter(|other| *other < line).max();
        let around = before.into_iter().chain(next).collect();
        let optimised = of_file.iter().any(|(place, _)| is_optimised(program, place.function));
        let title = format!("{file}:{line}");
        return Ok(Target { title, file: file.to_owned(), line, around, optimised, ..Target::of(wanted) });
    };
    let column_of = |loc: LocId| program.debug.locs[loc].column;
    let on_line: Vec<&(Place, LocId)> = of_file.iter().filter(|(_, loc)| line_of(*loc) == found).collect();
    // A column means what begins there or, if nothing does, the first thing behind it.
    let column = column.filter(|_| found == line);
    let from =
        column.and_then(|column| on_line.iter().map(|(_, loc)| column_of(*loc)).filter(|at| *at >= column).min());
    let mut places: Vec<Place> = Vec::new();
    for (place, loc) in on_line {
        let fits = from.is_none_or(|from| column_of(*loc) == from);
        let is_known = places.iter().any(|known| (known.function, known.block) == (place.function, place.block));
        if fits && !is_known {
            places.push(*place);
        }
    }
    Ok(Target {
        title: format!("{file}:{found}"),
        file: file.to_owned(),
        line: found,
        moved_from: (found != line).then_some(line),
        optimised: places.iter().any(|place| is_optimised(program, place.function)),
        places,
        ..Target::of(wanted)
    })
}

fn source_of(program: &Program, loc: LocId) -> Option<SourceLines> {
    let known = &program.debug.files[program.debug.locs[loc].file];
    let text = std::fs::read(Path::new(&known.directory).join(&known.name)).ok()?;
    Some(SourceLines::new(&String::from_utf8_lossy(&text)))
}

/// Whether a line without code may stand for the next one that has some: a blank one or a comment in the same block.
fn may_stand_for(
    program: &Program,
    located: &[(Place, LocId)],
    source: Option<&SourceLines>,
    line: u32,
    next: u32,
) -> bool {
    let is_inside = begins_at(program, located, next).is_some_and(|begin| begin <= line);
    is_inside && source.is_some_and(|source| source.stands_for(line, next))
}

fn is_optimised(program: &Program, function: FuncId) -> bool {
    program.functions[function].debug.as_ref().is_some_and(|debug| debug.optimised)
}

/// Where the function begins in whose text a line with code stands.
fn begins_at(program: &Program, located: &[(Place, LocId)], line: u32) -> Option<u32> {
    let locs = || located.iter().map(|(_, loc)| &program.debug.locs[*loc]).filter(|loc| loc.line == line);
    let is_around = |debug: &symcrete_ir::debug::FunctionDebug| {
        locs().any(|loc| *loc.function == *debug.name && debug.file.is_none_or(|file| file == loc.file))
    };
    let known = program.functions.values().filter_map(|function| function.debug.as_ref());
    known.filter(|debug| debug.line <= line && is_around(debug)).map(|debug| debug.line).max()
}

fn is_same_file(given: &str, directory: &str, name: &str) -> bool {
    let known = Path::new(directory).join(name);
    if let (Ok(given), Ok(known)) = (Path::new(given).canonicalize(), known.canonicalize()) {
        return given == known;
    }
    given == name || known.ends_with(given)
}

fn no_such_file(program: &Program, file: &str) -> Error {
    let mut names: Vec<&str> = (located(program).map(|(_, loc)| loc))
        .filter(|loc| program.debug.locs[*loc].line != 0)
        .map(|loc| &*program.debug.files[program.debug.locs[loc].file].name)
        .collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return Error::Usage(
            "the program has no debug information, so its lines are not known; compile it with -g, or name a function"
                .to_owned(),
        );
    }
    let nearest = suggest::nearest(file, names.iter().copied()).map(str::to_owned);
    names.truncate(10);
    let sentence = format!("no code of the program comes from {file}; it comes from {}", names.join(", "));
    Error::UnknownName { sentence, nearest }
}

fn function_target(program: &Program, wanted: &Wanted, name: &str) -> Result<Target, Error> {
    let Some(function) = crate::program::defined(program, name) else {
        let calls = calls_of(program, &[name]);
        if !calls.is_empty() {
            return Ok(target_of_calls(program, wanted, format!("a call of `{name}`"), calls));
        }
        let known = crate::program::functions(program);
        let sentence = format!(
            "`{name}` is neither a file nor FILE:LINE nor a function of the program; its functions are {known}"
        );
        return Err(Error::UnknownName { sentence, nearest: suggest::function(program, name) });
    };
    let debug = program.functions[function].debug.as_ref();
    let file = debug.and_then(|debug| debug.file).map_or("", |file| &program.debug.files[file].name);
    Ok(Target {
        title: format!("`{name}`"),
        file: file.to_owned(),
        line: debug.map_or(0, |debug| debug.line),
        places: vec![Place { function, block: Block::ENTRY, instruction: 0 }],
        ..Target::of(wanted)
    })
}

fn marked_target(program: &Program, wanted: &Wanted) -> Result<Target, Error> {
    for (names, what) in [(MARKS, "a target that the program marks"), (FAILURES, "an assertion that fails")] {
        let calls = calls_of(program, &names);
        if !calls.is_empty() {
            return Ok(target_of_calls(program, wanted, what.to_owned(), calls));
        }
    }
    Err(Error::Usage(
        "no target is named: give FILE:LINE or a function, or mark the place with symcrete_target() (#include <symcrete.h>), \
         reach_error() or an assertion"
            .to_owned(),
    ))
}

/// Where functions of these names are called.
fn calls_of(program: &Program, names: &[&str]) -> Vec<(Place, LocId)> {
    let calls = |(place, loc): (Place, LocId)| {
        let body = program.functions[place.function].body.as_ref()?;
        let Inst::Call { call } = body.blocks[place.block].insts.get(place.instruction)? else { return None };
        let Callee::Direct(callee) = body.calls[*call].callee else { return None };
        names.contains(&&*program.functions[callee].name).then_some((place, loc))
    };
    located(program).filter_map(calls).collect()
}

fn target_of_calls(program: &Program, wanted: &Wanted, what: String, calls: Vec<(Place, LocId)>) -> Target {
    let loc = &program.debug.locs[calls[0].1];
    let file = if loc.line == 0 { "" } else { &program.debug.files[loc.file].name };
    Target {
        title: what,
        file: file.to_owned(),
        line: loc.line,
        places: calls.into_iter().map(|(place, _)| place).collect(),
        ..Target::of(wanted)
    }
}
