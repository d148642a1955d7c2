//! What was executed, by any path: edges between blocks, and functions. Which lines that is, is for whoever reports it.

use std::cell::Cell;

use cranelift_entity::EntityRef;
use symcrete_ir::{Block, EdgeId, FuncId, Program};

/// Marks only ever get set.
pub struct Coverage {
    functions: Vec<FunctionCoverage>,
    /// How many marks were set so far; a path that raises it covered something new.
    marks: Cell<u64>,
}

#[derive(Default)]
struct FunctionCoverage {
    entered: Cell<bool>,
    edges: Vec<Cell<bool>>,
}

/// The edges of one function, for the loop that executes it.
#[derive(Copy, Clone)]
pub struct EdgeCoverage<'a> {
    edges: &'a [Cell<bool>],
    marks: &'a Cell<u64>,
}

impl EdgeCoverage<'_> {
    #[inline(always)]
    pub fn mark(self, edge: u32) {
        let mark = &self.edges[edge as usize];
        if !mark.get() {
            mark.set(true);
            self.marks.set(self.marks.get() + 1);
        }
    }
}

impl Coverage {
    pub fn new(program: &Program) -> Coverage {
        let function = |function: &symcrete_ir::Function| FunctionCoverage {
            entered: Cell::new(false),
            edges: vec![Cell::new(false); function.body.as_ref().map_or(0, |body| body.edges.len())],
        };
        Coverage { functions: program.functions.values().map(function).collect(), marks: Cell::new(0) }
    }

    #[inline]
    pub fn edges(&self, function: FuncId) -> EdgeCoverage<'_> {
        EdgeCoverage { edges: &self.functions[function.index()].edges, marks: &self.marks }
    }

    #[inline]
    pub fn enter(&self, function: FuncId) {
        let entered = &self.functions[function.index()].entered;
        if !entered.get() {
            entered.set(true);
            self.marks.set(self.marks.get() + 1);
        }
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
            }
        }
    }

    /// All that is set.
    pub fn marked(&self) -> impl Iterator<Item = Mark> {
        self.functions.iter().enumerate().flat_map(|(number, coverage)| {
            let function = FuncId::new(number);
            let entered = coverage.entered.get().then_some(Mark::Entered(function));
            let taken = coverage.edges.iter().enumerate().filter(|(_, mark)| mark.get());
            entered.into_iter().chain(taken.map(move |(edge, _)| Mark::Taken(function, EdgeId::new(edge))))
        })
    }
}

/// One thing that was executed.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    Entered(FuncId),
    Taken(FuncId, EdgeId),
}
