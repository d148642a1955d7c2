//! What was executed, by any path: edges between blocks, functions, and sides of choices. Which lines that is, is for whoever reports it.

use std::cell::Cell;

use cranelift_entity::EntityRef;
use symcrete_ir::{Block, EdgeId, FuncId, Program};

use crate::image::Image;

/// Marks only ever get set.
pub struct Coverage {
    functions: Vec<FunctionCoverage>,
    /// Two for each choice: its condition does not hold, and does.
    sides: Vec<Cell<bool>>,
    /// How many marks were set so far; a path that raises it covered something new.
    marks: Cell<u64>,
}

#[derive(Default)]
struct FunctionCoverage {
    entered: Cell<bool>,
    edges: Vec<Cell<bool>>,
}

/// The edges of one function, and the choices of all, for the loop that executes it.
#[derive(Copy, Clone)]
pub struct EdgeCoverage<'a> {
    edges: &'a [Cell<bool>],
    sides: &'a [Cell<bool>],
    marks: &'a Cell<u64>,
}

impl EdgeCoverage<'_> {
    #[inline(always)]
    pub fn mark(self, edge: u32) {
        set(&self.edges[edge as usize], self.marks);
    }

    #[inline(always)]
    pub fn choose(self, choice: u32, side: bool) {
        set(&self.sides[place_of(choice, side)], self.marks);
    }
}

#[inline(always)]
fn set(mark: &Cell<bool>, marks: &Cell<u64>) {
    if !mark.get() {
        mark.set(true);
        marks.set(marks.get() + 1);
    }
}

#[inline(always)]
fn place_of(choice: u32, side: bool) -> usize {
    choice as usize * 2 + usize::from(side)
}

impl Coverage {
    pub fn new(image: &Image) -> Coverage {
        let function = |function: &symcrete_ir::Function| FunctionCoverage {
            entered: Cell::new(false),
            edges: vec![Cell::new(false); function.body.as_ref().map_or(0, |body| body.edges.len())],
        };
        Coverage {
            functions: image.program.functions.values().map(function).collect(),
            sides: vec![Cell::new(false); image.choices.len() * 2],
            marks: Cell::new(0),
        }
    }

    #[inline]
    pub fn edges(&self, function: FuncId) -> EdgeCoverage<'_> {
        EdgeCoverage { edges: &self.functions[function.index()].edges, sides: &self.sides, marks: &self.marks }
    }

    #[inline]
    pub fn enter(&self, function: FuncId) {
        set(&self.functions[function.index()].entered, &self.marks);
    }

    /// How many marks are set; grows when something is executed for the first time.
    pub fn marks(&self) -> u64 {
        self.marks.get()
    }

    pub fn entered(&self, function: FuncId) -> bool {
        self.functions[function.index()].entered.get()
    }

    pub fn taken(&self, function: FuncId, edge: EdgeId) -> bool {
        self.functions[function.index()].edges[edge.index()].get()
    }

    /// The blocks that were entered, for each function.
    pub fn blocks(&self, program: &Program, function: FuncId) -> Vec<bool> {
        let Some(body) = &program.functions[function].body else { return Vec::new() };
        let mut blocks = vec![false; body.blocks.len()];
        if self.entered(function) {
            blocks[Block::ENTRY.index()] = true;
        }
        for (edge, data) in body.edges.iter() {
            if self.taken(function, edge) {
                blocks[data.target.index()] = true;
            }
        }
        blocks
    }

    /// Sets what another one has set; for workers that share what they covered.
    pub fn merge(&self, marked: impl IntoIterator<Item = Mark>) {
        for mark in marked {
            match mark {
                Mark::Entered(function) => self.enter(function),
                Mark::Taken(function, edge) => self.edges(function).mark(edge.as_u32()),
                Mark::Chosen(choice, side) => {
                    // A number from a file may be anything.
                    if let Some(mark) = self.sides.get(place_of(choice, side)) {
                        set(mark, &self.marks);
                    }
                }
            }
        }
    }

    /// All that is set.
    pub fn marked(&self) -> impl Iterator<Item = Mark> {
        let chosen = self.sides.iter().enumerate().filter(|(_, mark)| mark.get());
        let chosen = chosen.map(|(place, _)| Mark::Chosen(place as u32 / 2, place % 2 == 1));
        let executed = self.functions.iter().enumerate().flat_map(|(number, coverage)| {
            let function = FuncId::new(number);
            let entered = coverage.entered.get().then_some(Mark::Entered(function));
            let taken = coverage.edges.iter().enumerate().filter(|(_, mark)| mark.get());
            entered.into_iter().chain(taken.map(move |(edge, _)| Mark::Taken(function, EdgeId::new(edge))))
        });
        executed.chain(chosen)
    }

    pub fn is_marked(&self, mark: Mark) -> bool {
        match mark {
            Mark::Entered(function) => self.entered(function),
            Mark::Taken(function, edge) => self.taken(function, edge),
            Mark::Chosen(choice, side) => self.sides[place_of(choice, side)].get(),
        }
    }
}

/// One thing that was executed.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    Entered(FuncId),
    Taken(FuncId, EdgeId),
    /// A choice by its number, and whether its condition held.
    Chosen(u32, bool),
}
