//! How far a search is, and what there is at its end.

use std::collections::BTreeSet;
use std::time::Duration;

use symcrete_exec::coverage::Mark;
use symcrete_ir::LocId;

use crate::engines::{backward, lazy};
use crate::path::Parked;
use crate::path::aside::Aside;
use crate::path::journal::Log;
use crate::path::saved::Saved;
use crate::report::partition::Partition;
use crate::session::coverage::Tally;
use crate::session::meter::Counts;

#[derive(Clone, Debug, Default)]
pub struct Progress {
    pub counts: Counts,
    /// Those of climbs included.
    pub concrete_runs: u64,
    /// Instructions of those that are no climbs.
    pub run_instructions: u64,
    /// Sides of branches that climbs reached.
    pub climbed: u64,
    pub live: usize,
    pub aside: usize,
    /// The most paths that were pending at a time.
    pub most_states: usize,
    pub parked: usize,
    pub queries: u64,
    pub solver_time: Duration,
    /// Blocks of the program's own code that were executed, and all of them.
    pub blocks: Tally,
    /// Bytes that a state takes on average, where there were enough states to measure it; of several workers the most.
    pub state_bytes: Option<usize>,
    pub backward: BackwardProgress,
    pub lazy: lazy::Counts,
}

/// How far the backward search is, for all targets together.
#[derive(Clone, Debug, Default)]
pub struct BackwardProgress {
    pub segments: u64,
    pub depth: usize,
    pub traces: u64,
    pub evaluations: u64,
    /// How far the nearest run was from a target.
    pub nearest: Option<f64>,
}

/// What there is at the end.
#[derive(Default)]
pub struct Summary {
    pub progress: Progress,
    pub time: Duration,
    /// Nothing is left: every path was followed to its end.
    pub exhausted: bool,
    /// Somebody or something stopped the search before that.
    pub stopped: Option<Stopped>,
    /// How long it took to stop, once the time was up or somebody wanted to.
    pub stopping: Duration,
    /// How many paths were pending; those of them that are in no log, and the logs.
    pub pending: usize,
    pub frontier: Vec<Aside>,
    pub logs: Vec<Log>,
    /// What was pending of a search that nobody goes on with.
    pub dropped: usize,
    /// What nobody could decide.
    pub undecided: Vec<Parked>,
    /// What was executed, and what of it the tests execute.
    pub covered: Vec<Mark>,
    pub suite: Vec<Mark>,
    pub solver: Vec<symcrete_solver::Statistics>,
    /// Wrong models, as SMT-LIB.
    pub wrong_models: Vec<symcrete_solver::InternalError>,
    /// Workers that could not start or broke down.
    pub failures: Vec<String>,
    /// Which path claims which input, where that is asked for.
    pub partition: Option<Partition>,
    /// What the backward search came to, for each target.
    pub backward: Vec<backward::Outcome>,
    /// What became of functions in lazy expansion.
    pub functions: Option<lazy::Functions>,
    /// Errors in which paths ended that might come to a target if the real program continues behind them.
    pub survivable: BTreeSet<(LocId, &'static str)>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    Interrupted,
    Time,
    Steps,
    Paths,
    /// All code is covered, and nobody asked for every path.
    Covered,
}

impl Summary {
    /// What is needed to go on.
    pub fn saved(&self) -> Saved {
        let progress = &self.progress;
        Saved {
            frontier: self.frontier.clone(),
            logs: self.logs.clone(),
            undecided: self.undecided.clone(),
            counts: progress.counts,
            concrete_runs: progress.concrete_runs,
            queries: progress.queries,
            solver_time: progress.solver_time,
            time: self.time,
            covered: self.covered.clone(),
            suite: self.suite.clone(),
        }
    }

    pub(crate) fn add(&mut self, mut done: Summary) {
        self.pending += done.pending;
        self.frontier.append(&mut done.frontier);
        self.logs.append(&mut done.logs);
        self.dropped += done.dropped;
        self.undecided.append(&mut done.undecided);
        self.solver.append(&mut done.solver);
        self.wrong_models.append(&mut done.wrong_models);
        self.failures.append(&mut done.failures);
        self.suite.append(&mut done.suite);
        self.backward.append(&mut done.backward);
        self.functions = self.functions.take().or(done.functions);
        self.survivable.append(&mut done.survivable);
        if let Some(partition) = done.partition {
            self.partition.get_or_insert_default().add(partition);
        }
    }
}

impl Progress {
    /// Of a search that was stopped.
    pub(crate) fn of(saved: &Saved) -> Progress {
        let Saved { counts, concrete_runs, queries, solver_time, .. } = *saved;
        Progress { counts, concrete_runs, queries, solver_time, ..Progress::default() }
    }

    pub(crate) fn sum(before: &Progress, all: &[Progress]) -> Progress {
        let mut sum = before.clone();
        for one in all {
            sum.counts.add(&one.counts);
            sum.concrete_runs += one.concrete_runs;
            sum.run_instructions += one.run_instructions;
            sum.climbed += one.climbed;
            sum.live += one.live;
            sum.most_states += one.most_states;
            sum.aside += one.aside;
            sum.parked += one.parked;
            sum.queries += one.queries;
            sum.solver_time += one.solver_time;
            // All know what any of them covered.
            if one.blocks.covered >= sum.blocks.covered {
                sum.blocks = one.blocks;
            }
            sum.state_bytes = sum.state_bytes.max(one.state_bytes);
            // One worker expands, one goes backward.
            if one.lazy != lazy::Counts::default() {
                sum.lazy = one.lazy;
            }
            if one.backward.segments > 0 {
                sum.backward = one.backward.clone();
            }
        }
        sum
    }
}
