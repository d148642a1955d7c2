//! Which lines, branches and functions of the source were executed, from the marks that the executor set. Native replay counts better,
//! where the tools for it are there; this is what the engine knows by itself.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;
use symcrete_exec::coverage::Mark;
use symcrete_ir::{Block, Body, Callee, EdgeId, FuncId, Inst, LocId, Program, Terminator};

/// Of one source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileCoverage {
    /// Every line with code, and whether it was executed.
    pub lines: BTreeMap<u32, bool>,
    pub branches: Tally,
    pub functions: Tally,
}

#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub covered: u64,
    pub total: u64,
}

impl Tally {
    pub(crate) fn count(&mut self, covered: bool) {
        self.total += 1;
        self.covered += u64::from(covered);
    }
}

impl FileCoverage {
    pub fn line_tally(&self) -> Tally {
        let mut tally = Tally::default();
        self.lines.values().for_each(|covered| tally.count(*covered));
        tally
    }
}

/// The coverage of the program's own files (not the runtime's), by name.
pub fn by_file(program: &Program, marks: &[Mark]) -> BTreeMap<String, FileCoverage> {
    let marks = Marks::new(program, marks);
    let mut files: BTreeMap<String, FileCoverage> = BTreeMap::new();
    for (id, function) in program.functions.iter().filter(|(_, function)| !function.runtime) {
        let Some(body) = &function.body else { continue };
        if let Some(file) = function.debug.as_ref().and_then(|debug| debug.file) {
            let name = program.debug.files[file].name.clone();
            files.entry(name).or_default().functions.count(marks.entered.contains(&id));
        }
        for (block, data) in body.blocks.iter() {
            let covered = marks.blocks.contains(&(id, block));
            let markers = body.markers.iter().filter(|marker| marker.0 == block).map(|marker| marker.2);
            for loc in data.locs.iter().copied().chain([data.terminator_loc]).chain(markers) {
                note_line(program, &mut files, loc, covered);
            }
            count_branches(program, &mut files, id, body, block, &marks);
        }
    }
    files
}

fn note_line(program: &Program, files: &mut BTreeMap<String, FileCoverage>, loc: LocId, covered: bool) {
    let loc = &program.debug.locs[loc];
    if loc.line != 0 {
        let name = &program.debug.files[loc.file].name;
        if !files.contains_key(name) {
            files.insert(name.clone(), FileCoverage::default());
        }
        if let Some(file) = files.get_mut(name) {
            *file.lines.entry(loc.line).or_default() |= covered;
        }
    }
}

/// Each side of a branch of the source counts, each target of a switch once.
fn count_branches(
    program: &Program,
    files: &mut BTreeMap<String, FileCoverage>,
    function: FuncId,
    body: &Body,
    block: Block,
    marks: &Marks,
) {
    let data = &body.blocks[block];
    let edges: Vec<EdgeId> = match &data.terminator {
        Terminator::Branch { if_true, if_false, .. } => vec![*if_true, *if_false],
        Terminator::Switch { table, .. } => {
            let table = &body.switches[*table];
            let mut edges: Vec<EdgeId> = table.cases.iter().map(|case| case.1).chain([table.default]).collect();
            let mut targets = BTreeSet::new();
            edges.retain(|edge| targets.insert(body.edges[*edge].target));
            edges
        }
        _ => return,
    };
    let loc = &program.debug.locs[data.terminator_loc];
    if loc.line == 0 {
        return;
    }
    let file = files.entry(program.debug.files[loc.file].name.clone()).or_default();
    for edge in edges {
        let target = body.edges[edge].target;
        let same_way = |other: &EdgeId| body.edges[*other].source == block && body.edges[*other].target == target;
        let covered = marks.edges.contains(&(function, edge))
            || matches!(data.terminator, Terminator::Switch { .. })
                && body.edges.keys().filter(same_way).any(|edge| marks.edges.contains(&(function, edge)));
        file.branches.count(covered);
    }
}

/// Marks, with what follows from them.
struct Marks {
    entered: FxHashSet<FuncId>,
    edges: FxHashSet<(FuncId, EdgeId)>,
    blocks: FxHashSet<(FuncId, Block)>,
}

impl Marks {
    fn new(program: &Program, marks: &[Mark]) -> Marks {
        let mut all =
            Marks { entered: FxHashSet::default(), edges: FxHashSet::default(), blocks: FxHashSet::default() };
        for mark in marks {
            match mark {
                Mark::Entered(function) => all.enter(program, *function),
                // They are no branches of their own in the counts.
                Mark::Chosen(..) => {}
                Mark::Taken(function, edge) => {
                    all.edges.insert((*function, *edge));
                    if let Some(body) = &program.functions[*function].body {
                        all.cover(program, *function, body.edges[*edge].target);
                    }
                }
            }
        }
        all
    }

    fn enter(&mut self, program: &Program, function: FuncId) {
        if self.entered.insert(function) && program.functions[function].body.is_some() {
            self.cover(program, function, Block::ENTRY);
        }
    }

    /// A block was entered. Small functions that it calls may have been executed in its place, without a mark of their own.
    fn cover(&mut self, program: &Program, function: FuncId, block: Block) {
        if !self.blocks.insert((function, block)) {
            return;
        }
        let Some(body) = &program.functions[function].body else { return };
        for inst in &body.blocks[block].insts {
            if let Inst::Call { call } = inst
                && let Callee::Direct(callee) = body.calls[*call].callee
                && program.functions[callee].body.as_ref().is_some_and(|body| body.blocks.len() == 1)
            {
                self.enter(program, callee);
            }
        }
    }
}
