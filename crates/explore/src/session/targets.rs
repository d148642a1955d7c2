//! Places that a search is to come to, instead of covering everything. Each stands behind an edge of its own, so that coverage tells whether
//! a run came there.

use rustc_hash::FxHashSet;
use symcrete_exec::coverage::{Coverage, Mark};
use symcrete_ir::{Block, CallGraph, FuncId, Program};

/// What is wanted: for each target, edges of which one must be taken.
#[derive(Clone, Debug, Default)]
pub struct Targets(pub Vec<Vec<Mark>>);

/// Which targets a search came to.
#[derive(Clone, Debug)]
pub struct Reached(Vec<bool>);

impl Targets {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether something comes to all of them, but for those to which nothing can.
    pub fn are_covered(&self, coverage: &Coverage, refuted: &[bool]) -> bool {
        let mut targets = self.0.iter().zip(refuted);
        targets.all(|(marks, refuted)| *refuted || marks.iter().any(|mark| coverage.is_marked(*mark)))
    }

    pub fn none_reached(&self) -> Reached {
        Reached(vec![false; self.0.len()])
    }

    /// The blocks that the edges lead to.
    pub fn blocks<'a>(&'a self, program: &'a Program) -> impl Iterator<Item = (FuncId, Block)> + 'a {
        self.0.iter().flatten().filter_map(|mark| match mark {
            Mark::Taken(function, edge) => {
                Some((*function, program.functions[*function].body.as_ref()?.edges[*edge].target))
            }
            _ => None,
        })
    }
}

/// Whether the static graph of blocks and calls tells which paths cannot come to these blocks. It does not know of jumps out of functions, nor
/// of calls by the world outside: of handlers, and of what runs at the exit.
pub fn graph_is_complete(program: &Program, graph: &CallGraph, blocks: impl IntoIterator<Item = FuncId>) -> bool {
    let jumps =
        program.functions.values().filter_map(|function| function.body.as_ref()).any(|body| body.calls_returns_twice);
    let outside: FxHashSet<FuncId> = graph.address_taken().iter().chain(&program.destructors).copied().collect();
    let mut pending: Vec<FuncId> = blocks.into_iter().collect();
    let mut seen: FxHashSet<FuncId> = pending.iter().copied().collect();
    while let Some(function) = pending.pop() {
        if outside.contains(&function) {
            return false;
        }
        pending.extend(graph.callers(function).into_iter().filter(|caller| seen.insert(*caller)));
    }
    !jumps
}

impl Reached {
    /// Whether something covers a target that was not reached.
    pub fn is_new(&self, targets: &Targets, coverage: &Coverage) -> bool {
        let open = self.0.iter().zip(&targets.0).filter(|(reached, _)| !**reached);
        open.into_iter().any(|(_, marks)| marks.iter().any(|mark| coverage.is_marked(*mark)))
    }

    /// The targets that the tests come to and did not before.
    pub fn learn(&mut self, targets: &Targets, suite: &Coverage) -> Vec<usize> {
        let mut new = Vec::new();
        for (at, (reached, marks)) in self.0.iter_mut().zip(&targets.0).enumerate() {
            if !*reached && marks.iter().any(|mark| suite.is_marked(*mark)) {
                *reached = true;
                new.push(at);
            }
        }
        new
    }
}
