//! When all code is covered: how much further a search goes that nobody asked to follow every path. What remains can only show faults that
//! depend on values, so it gets a bounded share of work, renewed whenever something new comes of it. Work is counted, never timed.
//!
//! Such faults are behind whole paths: each path that the strategy chooses then is followed to its end, at random, before it chooses again.

use rustc_hash::FxHashSet;
use symcrete_exec::coverage::Mark;
use symcrete_exec::{Class, Ended};
use symcrete_ir::{Block, CallGraph, Cfg, EdgeId, FuncId, LocId, Program, Terminator};

use crate::path::strategy::{PathId, Random};
use crate::session::Session;

/// What the search may do at least after the last thing that was new: some seconds where conditions are simple.
const LEAST_SHARE: u64 = 60_000;

/// What the tests cover, compared with what there is.
pub struct Saturation {
    /// Marks that no test is known to have; looked at from the end.
    open: Vec<Mark>,
    /// Marks of paths that the program discards by its assumptions.
    discarded: FxHashSet<Mark>,
    /// Faults by kind and place.
    faults: FxHashSet<(&'static str, LocId)>,
    /// The path to go on with, whatever the strategy would choose.
    dive: Option<PathId>,
    random: Random,
    /// What was known when the share was renewed, and the work at which it is used up.
    news: u64,
    until: u64,
}

impl Saturation {
    /// Of the program's own code that may run when these functions are called.
    pub fn new(program: &Program, graph: &CallGraph, roots: impl IntoIterator<Item = FuncId>) -> Saturation {
        let mut open = Vec::new();
        for function in graph.reachable_from(roots).keys() {
            let data = &program.functions[function];
            let Some(body) = data.body.as_ref().filter(|_| !data.runtime) else { continue };
            open.push(Mark::Entered(function));
            let cfg = Cfg::new(body);
            // Where execution cannot be, by the compiler's word, there is nothing to cover.
            let is_nowhere = |block: Block| {
                let data = &body.blocks[block];
                data.insts.is_empty() && matches!(data.terminator, Terminator::Unreachable)
            };
            let real = body.edges.iter().filter(|(_, edge)| cfg.is_reachable(edge.source) && !is_nowhere(edge.target));
            open.extend(real.map(|(edge, _): (EdgeId, _)| Mark::Taken(function, edge)));
        }
        Saturation {
            open,
            discarded: FxHashSet::default(),
            faults: FxHashSet::default(),
            dive: None,
            random: Random::new(0),
            news: 0,
            until: 0,
        }
    }

    /// A path ended.
    pub fn learn(&mut self, ended: &Ended, loc: LocId) {
        if ended.class() == Class::Finding {
            self.faults.insert((ended.name(), loc));
        }
    }

    /// A path with these marks was discarded.
    pub fn discard(&mut self, marks: impl Iterator<Item = Mark>) {
        self.discarded.extend(marks);
    }

    /// Whether the tests execute all code and take all branches, as far as it may run at all.
    fn is_complete(&mut self, is_covered: impl Fn(Mark) -> bool) -> bool {
        while let Some(mark) = self.open.last() {
            if !is_covered(*mark) && !self.discarded.contains(mark) {
                return false;
            }
            self.open.pop();
        }
        true
    }
}

impl Session {
    /// The path to run next.
    pub(crate) fn choose(&mut self) -> Option<PathId> {
        let dive = self.suite.saturation.dive.take().filter(|path| self.worklist.frontier.contains(*path));
        dive.or_else(|| self.worklist.frontier.select(&mut self.worklist.board.metrics(&self.machine.executor)))
    }

    /// A path became these.
    pub(crate) fn dive(&mut self, children: &[PathId]) {
        if self.suite.saturation.until > 0 && !children.is_empty() {
            let at = self.suite.saturation.random.below(children.len() as u64) as usize;
            self.suite.saturation.dive = Some(children[at]);
        }
    }

    /// Whether all code is covered and the share of work beyond that is used up.
    pub(crate) fn is_saturated(&mut self) -> bool {
        if !self.config.ends_when_covered {
            return false;
        }
        let suite = &self.suite.covered;
        if suite.marks() == 0 || !self.suite.saturation.is_complete(|mark| suite.is_marked(mark)) {
            return false;
        }
        let news = suite.marks() + self.suite.saturation.faults.len() as u64;
        let done = self.work();
        if news != self.suite.saturation.news {
            self.suite.saturation.news = news;
            self.suite.saturation.until = done + (done / 4).max(LEAST_SHARE);
        }
        done >= self.suite.saturation.until
    }
}
