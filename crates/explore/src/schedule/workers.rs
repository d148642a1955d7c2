//! Explorers on several threads. Each has a program, expressions and caches of its own; what moves between them is decision strings, and
//! what was covered.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use symcrete_exec::coverage::Mark;
use symcrete_exec::{Executor, Image, State};
use symcrete_ir::{CallGraph, LocId};
use symcrete_solver::{Chain, LoggedQuery};

use crate::engines::backward::{self, Backward};
use crate::engines::burst::{self, Burst};
use crate::engines::climb::{self, Climb};
use crate::engines::forward::{self, Counts, Event, Explorer, Parked};
use crate::engines::lazy::{self, Lazy};
use crate::path::aside::Aside;
use crate::path::board::Pending;
use crate::path::journal::{Log, Place, read_log};
use crate::path::pool::{Next, Pool};
use crate::path::saved::Saved;
use crate::path::strategy::{self, Frontier};
use crate::report::partition::Partition;
use crate::schedule::checkpoint::{self, Checkpoint, Checkpoints, Part};
use crate::schedule::common_marks::{Acquaintance, CommonMarks};
use crate::session::coverage::Tally;

/// What all workers do.
#[derive(Clone)]
pub struct Options {
    pub jobs: usize,
    /// The name of a strategy, or of several.
    pub search: String,
    pub seed: u64,
    /// Stop after this time.
    pub time: Option<Duration>,
    /// Stop after so many instructions, of all workers together.
    pub steps: Option<u64>,
    /// Stop after so many paths, of all workers together.
    pub paths: Option<u64>,
    pub forward: forward::Config,
    pub solver: symcrete_solver::Config,
    /// Concrete runs before and beside the symbolic search.
    pub burst: Option<burst::Config>,
    /// Concrete runs that come nearer and nearer to what is not covered.
    pub climb: Option<climb::Config>,
    /// Lazy expansion in place of the search of a strategy.
    pub lazy: Option<lazy::Config>,
    /// The search backward from the targets, and where it has to come to.
    pub backward: Option<(backward::Config, backward::Entry)>,
    /// Where paths go that were put aside. Without it they stay in memory.
    pub scratch: Option<PathBuf>,
    /// Whether what is pending is kept there, so that the search goes on from there when it is stopped or killed, and how.
    pub checkpoints: Option<checkpoint::Config>,
    /// Whether the process ends soon after the search: then it leaves what a worker holds when it is stopped to the system.
    pub is_last: bool,
    /// Told every query that comes to a decision procedure, with the number of the worker.
    pub log: Option<Arc<QueryLog>>,
}

pub type QueryLog = dyn Fn(usize, &LoggedQuery) + Send + Sync;

/// Makes what a worker begins with; called on the worker's own thread.
pub trait Setup: Sync {
    fn make(&self) -> Result<(Executor, Vec<State>), String>;

    /// The program alone.
    fn image(&self) -> Result<Rc<Image>, String> {
        self.make().map(|(executor, _)| executor.image)
    }
}

/// What the caller is told while the workers work.
pub enum Message {
    Event(Event),
    /// Nothing happened for a while, or much did: a moment to show progress.
    Tick(Progress),
    /// What the search would go on from if it were killed: all that was told before is in it.
    Checkpoint(Box<Checkpoint>),
}

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

/// How often progress is told.
const TICK: Duration = Duration::from_millis(50);

/// Events that are told before it is time to.
const MANY_EVENTS: usize = 64;

/// How far workers may be ahead of who listens, in messages: what is told must be written down before a run can end.
const UNHEARD: usize = 16;

/// How often workers tell each other what they covered.
const EXCHANGE: Duration = Duration::from_millis(5);

/// How many paths may be given away at once: a path is rebuilt from the beginning by who gets it.
const LARGEST_GIFT: usize = 16;

/// Paths that are written down at once, however long it is until the next checkpoint: a search that is stopped has no more to write.
const MANY_FRESH: usize = 8192;

/// Explores until nothing is left, or the time is up, or `interrupt` is set. `begin` continues a search that was stopped.
pub fn explore(
    setup: &dyn Setup,
    options: &Options,
    interrupt: &Arc<AtomicBool>,
    mut begin: Option<Saved>,
    mut receive: impl FnMut(Message),
) -> Summary {
    let began = Instant::now();
    let before = begin.as_ref().map(Progress::of).unwrap_or_default();
    let time_before = begin.as_ref().map_or(Duration::ZERO, |begin| begin.time);
    let shared = Shared::new(options, begin.take());
    let (sender, messages) = mpsc::sync_channel(UNHEARD);
    let mut summary = Summary::default();
    let mut progress = vec![Progress::default(); options.jobs];
    let mut checkpoints = Checkpoints::new(options.checkpoints.as_ref(), options.jobs);
    let mut stopped_at = None;
    std::thread::scope(|scope| {
        for number in 0..options.jobs {
            let (sender, shared) = (sender.clone(), &shared);
            // Deep expressions and programs are walked without recursion; what recursion there is gets room.
            let worker = std::thread::Builder::new().stack_size(64 << 20);
            let started = worker.spawn_scoped(scope, move || work(number, setup, options, shared, &sender));
            if let Err(error) = started {
                shared.pool.leave();
                summary.failures.push(error.to_string());
            }
        }
        drop(sender);
        loop {
            if interrupt.load(Ordering::Relaxed) && summary.stopped.is_none() {
                summary.stopped = Some(Stopped::Interrupted);
                shared.stop();
            }
            if options.time.is_some_and(|time| began.elapsed() >= time) && summary.stopped.is_none() {
                summary.stopped = Some(Stopped::Time);
                shared.stop();
            }
            if shared.stopped() {
                stopped_at.get_or_insert_with(Instant::now);
            } else if let Some(epoch) = checkpoints.due() {
                shared.pool.begin_epoch(epoch);
            }
            match messages.recv_timeout(TICK) {
                Ok(FromWorker::Events(events)) => {
                    events.into_iter().for_each(|event| receive(Message::Event(event)));
                }
                Ok(FromWorker::Progress(number, now)) => progress[number] = *now,
                Ok(FromWorker::Part(number, epoch, part)) => {
                    let Some(parts) = checkpoints.add(number, epoch, *part) else { continue };
                    let on_the_way = shared.pool.on_the_way(epoch);
                    let all: Vec<Progress> = parts.iter().map(|part| part.progress.clone()).collect();
                    let sum = Progress::sum(&before, &all);
                    let covered = locked(&shared.covered).marks().to_vec();
                    let time = time_before + began.elapsed();
                    let complete = checkpoint::join(parts, on_the_way, sum, covered, time);
                    complete.into_iter().for_each(|complete| receive(Message::Checkpoint(Box::new(complete))));
                }
                Ok(FromWorker::Done(number, done)) => {
                    progress[number] = done.progress.clone();
                    summary.add(*done);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            receive(Message::Tick(Progress::sum(&before, &progress)));
        }
    });
    summary.stopping = stopped_at.map_or(Duration::ZERO, |at| at.elapsed());
    summary.progress = Progress::sum(&before, &progress);
    shared.give_back(&mut summary);
    if options.steps.is_some_and(|steps| shared.steps.get() >= steps) {
        summary.stopped.get_or_insert(Stopped::Steps);
    }
    if options.paths.is_some_and(|paths| shared.paths.get() >= paths) {
        summary.stopped.get_or_insert(Stopped::Paths);
    }
    if shared.saturated.load(Ordering::Relaxed) {
        summary.stopped.get_or_insert(Stopped::Covered);
    }
    summary.time = time_before + began.elapsed();
    let nothing_is_left = summary.pending == 0 && summary.dropped == 0 && summary.undecided.is_empty();
    summary.exhausted = nothing_is_left && summary.failures.is_empty();
    if summary.exhausted {
        summary.stopped = None;
    }
    summary
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

    fn add(&mut self, mut done: Summary) {
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
    fn of(saved: &Saved) -> Progress {
        let Saved { counts, concrete_runs, queries, solver_time, .. } = *saved;
        Progress { counts, concrete_runs, queries, solver_time, ..Progress::default() }
    }

    fn sum(before: &Progress, all: &[Progress]) -> Progress {
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

enum FromWorker {
    Events(Vec<Event>),
    Progress(usize, Box<Progress>),
    /// Of a checkpoint.
    Part(usize, u64, Box<Part>),
    Done(usize, Box<Summary>),
}

/// What workers have in common.
struct Shared {
    pool: Pool,
    /// What was executed, and what of it the tests so far execute.
    covered: Mutex<CommonMarks>,
    suite: Mutex<CommonMarks>,
    /// Instructions that all workers executed, and paths that are over.
    steps: Total,
    paths: Total,
    /// Whether a worker stopped because all code is covered.
    saturated: AtomicBool,
    /// What each worker begins with, where a search is continued.
    begin: Mutex<Vec<Saved>>,
    continued: bool,
}

/// What all workers add to.
#[derive(Default)]
struct Total(AtomicU64);

impl Total {
    /// The sum, with what is added.
    fn add(&self, more: u64) -> u64 {
        self.0.fetch_add(more, Ordering::Relaxed) + more
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Shared {
    fn new(options: &Options, begin: Option<Saved>) -> Shared {
        Shared {
            pool: Pool::new(options.jobs),
            covered: Mutex::default(),
            suite: Mutex::default(),
            steps: Total::default(),
            paths: Total::default(),
            saturated: AtomicBool::new(false),
            continued: begin.is_some(),
            begin: Mutex::new(begin.map_or(Vec::new(), |begin| shares(begin, options.jobs))),
        }
    }

    /// What a worker begins with.
    fn share(&self, number: usize) -> Saved {
        let mut shares = self.begin.lock().unwrap_or_else(PoisonError::into_inner);
        shares.get_mut(number).map(std::mem::take).unwrap_or_default()
    }

    /// What no worker has, at the end.
    fn give_back(&self, summary: &mut Summary) {
        let left = self.pool.drain();
        summary.pending += left.len();
        summary.frontier.extend(left.into_iter().map(Arc::unwrap_or_clone));
        for share in self.begin.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            summary.pending += share.frontier.len();
            summary.frontier.extend(share.frontier);
            summary.undecided.extend(share.undecided);
            summary.suite.extend(share.suite);
        }
        summary.covered = locked(&self.covered).marks().to_vec();
        let mut known = rustc_hash::FxHashSet::default();
        summary.suite.retain(|mark| known.insert(*mark));
    }

    fn stop(&self) {
        self.pool.stop();
    }

    fn stopped(&self) -> bool {
        self.pool.stopped()
    }

    fn stop_flag(&self) -> &Arc<AtomicBool> {
        self.pool.stop_flag()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Divides what is pending evenly, but for what is in logs, of which each reads its share; what was covered all know.
fn shares(begin: Saved, jobs: usize) -> Vec<Saved> {
    let Saved { frontier, logs, undecided, covered, suite, .. } = begin;
    let mut shares = vec![Saved { logs, covered, suite, ..Saved::default() }; jobs];
    for (at, aside) in frontier.into_iter().enumerate() {
        shares[at % jobs].frontier.push(aside);
    }
    for (at, parked) in undecided.into_iter().enumerate() {
        shares[at % jobs].undecided.push(parked);
    }
    shares
}

/// One worker, from its setup to its summary.
fn work(number: usize, setup: &dyn Setup, options: &Options, shared: &Shared, sender: &SyncSender<FromWorker>) {
    let run = || match prepare(number, setup, options, shared, sender) {
        Ok(summary) => summary,
        Err(failure) => Summary { failures: vec![failure], ..Summary::default() },
    };
    let summary = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().cloned();
        let words = words.or_else(|| panic.downcast_ref::<&str>().map(|words| (*words).to_owned()));
        Summary { failures: vec![words.unwrap_or_else(|| "a worker broke down".to_owned())], ..Summary::default() }
    });
    shared.pool.leave();
    // Nobody listens any more only when the caller itself broke down.
    let _ = sender.send(FromWorker::Done(number, Box::new(summary)));
}

/// Makes what a worker looks at while it works, and lets it work.
fn prepare(
    number: usize,
    setup: &dyn Setup,
    options: &Options,
    shared: &Shared,
    sender: &SyncSender<FromWorker>,
) -> Result<Summary, String> {
    let mut worker = Worker::new(number, setup, options, shared, sender.clone())?;
    let targets = options.forward.targets.0.len();
    let Some((config, entry)) = options.backward.as_ref().filter(|_| number == 0 && targets > 0) else {
        return Ok(worker.run());
    };
    let image = setup.image()?;
    let graph = CallGraph::new(&image.program);
    let mut config = config.clone();
    config.solver.limits.interrupt = shared.stop_flag().clone();
    worker.backward = Some(Backward::new(&image, &graph, *entry, targets, config, options.seed));
    Ok(worker.run())
}

struct Worker<'a> {
    number: usize,
    explorer: Explorer,
    burst: Option<Burst>,
    climb: Option<Climb>,
    backward: Option<Backward<'a>>,
    lazy: Option<Lazy>,
    shared: &'a Shared,
    sender: SyncSender<FromWorker>,
    known_covered: Acquaintance,
    known_suite: Acquaintance,
    exchanged: Instant,
    /// What happened and was not told yet.
    events: Vec<Event>,
    jobs: usize,
    /// The latest checkpoint that it wrote its part of.
    epoch: u64,
    is_last: bool,
    /// Nobody goes on with what is pending at the end.
    goes_nowhere: bool,
    told: Instant,
    /// Instructions that all workers may execute, paths that they may follow, and what of this one's was counted.
    steps: Option<u64>,
    paths: Option<u64>,
    counted: Counts,
    slice: u64,
    /// Segments and instructions by the time at which the last target was refuted.
    refuted_at: Option<(u64, u64)>,
}

impl<'a> Worker<'a> {
    fn new(
        number: usize,
        setup: &dyn Setup,
        options: &Options,
        shared: &'a Shared,
        sender: SyncSender<FromWorker>,
    ) -> Result<Worker<'a>, String> {
        let (executor, roots) = setup.make()?;
        let seed = options.seed.wrapping_add((number as u64) << 32);
        let strategy = strategy::parse(&options.search, seed).map_err(|error| error.to_string())?;
        let mut solver = options.solver.clone();
        solver.limits.interrupt = shared.stop_flag().clone();
        let mut chain = Chain::new(solver);
        if let Some(log) = options.log.clone() {
            chain.set_log(Some(Box::new(move |query| log(number, query))));
        }
        let burst =
            options.burst.as_ref().filter(|_| number == 0).map(|config| Burst::new(config.clone(), options.seed));
        let climb =
            options.climb.as_ref().filter(|_| number == 0).map(|config| Climb::new(config.clone(), options.seed));
        let mut explorer = Explorer::new(executor, chain, options.forward.clone(), Frontier::new(strategy), roots);
        explorer.board.keep_journal(place(options, number));
        let lazy = options.lazy.clone().filter(|_| number == 0).map(|config| Lazy::new(&explorer, config));
        match shared.continued {
            _ if options.lazy.is_some() => {}
            true => {
                let share = shared.share(number);
                adopt(&mut explorer, &share.logs, number, options)?;
                explorer.resume(share);
            }
            false if number == 0 => explorer.begin(),
            false => {}
        }
        Ok(Worker {
            number,
            explorer,
            burst,
            climb,
            backward: None,
            lazy,
            shared,
            sender,
            known_covered: Acquaintance::default(),
            known_suite: Acquaintance::default(),
            exchanged: Instant::now(),
            events: Vec::new(),
            jobs: options.jobs,
            epoch: 0,
            is_last: options.is_last,
            goes_nowhere: options.scratch.is_some() && options.checkpoints.is_none(),
            told: Instant::now(),
            steps: options.steps,
            paths: options.paths,
            counted: Counts::default(),
            slice: options.forward.slice,
            refuted_at: None,
        })
    }

    fn run(mut self) -> Summary {
        loop {
            self.search();
            if self.shared.stopped() {
                break;
            }
            // Waiting may be long.
            self.tell_events();
            match self.shared.pool.wait(self.epoch) {
                Next::Nothing => break,
                Next::Checkpoint(epoch) => self.write_part(epoch),
                Next::Paths(paths, latest) => {
                    if latest > self.epoch {
                        self.write_part(latest);
                    }
                    for path in paths {
                        self.explorer.add(Pending::Aside(Arc::unwrap_or_clone(path)));
                    }
                }
            }
        }
        self.finish()
    }

    /// Writes down what is pending if a checkpoint is called for, or if it became much.
    fn keep_checkpoints(&mut self) {
        let epoch = self.shared.pool.epoch();
        if epoch > self.epoch {
            self.write_part(epoch);
        } else if self.explorer.board().fresh() >= MANY_FRESH {
            self.explorer.write_down();
        }
    }

    /// Its part of a checkpoint.
    fn write_part(&mut self, epoch: u64) {
        self.epoch = epoch;
        // What it found by then is told before.
        self.tell_events();
        self.exchange_marks();
        let (log, is_lost) = self.write_log();
        let part = Part {
            progress: self.progress(),
            log,
            is_lost,
            undecided: self.explorer.undecided().to_vec(),
            suite: self.explorer.suite.marked().collect(),
            replaced: self.explorer.board.journal().take_replaced(),
        };
        let _ = self.sender.send(FromWorker::Part(self.number, epoch, Box::new(part)));
    }

    /// All that is pending, as a log, if anything is; whether it could not be written.
    fn write_log(&mut self) -> (Option<Log>, bool) {
        self.explorer.write_down();
        let stop = self.shared.stop_flag().clone();
        self.explorer.board.tidy_journal(&mut || stop.load(Ordering::Relaxed));
        if self.explorer.board.pending() == 0 {
            return (None, false);
        }
        let log = self.explorer.board.journal().log();
        let is_lost = log.is_none();
        (log, is_lost)
    }

    /// Works until nothing is pending here.
    fn search(&mut self) {
        let stop = self.shared.stop_flag().clone();
        self.count();
        while !self.shared.stopped() {
            while let Some(burst) = &mut self.burst
                && burst.turn(&mut self.explorer, &stop)
            {
                self.tell();
            }
            while let Some(backward) = &mut self.backward {
                if !backward.turn(&mut self.explorer, &stop) || self.explorer.is_there() || self.shared.stopped() {
                    break;
                }
                self.tell();
            }
            if self.backward.is_some() && self.explorer.is_there() && !self.looks_for_errors() {
                self.shared.stop();
                break;
            }
            if let Some(climb) = &mut self.climb {
                climb.turn(&mut self.explorer, &stop);
            }
            let mut stops = || stop.load(Ordering::Relaxed);
            let is_lazy = self.lazy.as_mut().is_some_and(|lazy| lazy.step(&mut self.explorer, &mut stops));
            if !is_lazy
                && !self.explorer.step(&mut || stop.load(Ordering::Relaxed))
                && !self.explorer.retry(&mut || stop.load(Ordering::Relaxed))
            {
                let is_open = self.explorer.leaves_open();
                if self.backward.as_mut().is_some_and(|backward| backward.stays(is_open)) && !self.shared.stopped() {
                    self.tell();
                    continue;
                }
                return;
            }
            self.count();
            self.tell();
            self.keep_checkpoints();
            if self.explorer.is_there() && !self.looks_for_errors() {
                self.shared.stop();
            }
            if !is_lazy && self.explorer.is_saturated() {
                self.shared.saturated.store(true, Ordering::Relaxed);
                self.shared.stop();
            }
        }
    }

    /// Whether a target was refuted, and it is worth looking for errors behind which the real program might come there all the same. That the
    /// search comes to no end of it is no reason to doubt the proof.
    fn looks_for_errors(&mut self) -> bool {
        const MOST_SEGMENTS: u64 = 100;
        const MOST_INSTRUCTIONS: u64 = 1_000_000;
        if !self.explorer.has_refuted() || !self.explorer.survivable.is_empty() {
            return false;
        }
        let counts = self.explorer.counts;
        let (segments, instructions) = *self.refuted_at.get_or_insert((counts.segments, counts.instructions));
        self.explorer.config.slice = self.explorer.config.slice.min(MOST_INSTRUCTIONS / 10);
        counts.segments < segments + MOST_SEGMENTS && counts.instructions < instructions + MOST_INSTRUCTIONS
    }

    /// Stops all workers when the instructions or the paths are used up. Nothing else decides that, so that one worker stops at the same
    /// place always.
    fn count(&mut self) {
        let counts = self.explorer.counts;
        if let Some(steps) = self.steps {
            let spent = self.shared.steps.add(counts.instructions - self.counted.instructions);
            if spent >= steps {
                self.shared.stop();
            }
            self.explorer.config.slice = self.slice.min(steps.saturating_sub(spent)).max(1);
        }
        if let Some(paths) = self.paths
            && self.shared.paths.add(counts.paths() - self.counted.paths()) >= paths
        {
            self.shared.stop();
        }
        self.counted = counts;
    }

    /// Tells what happened, if it is time to or much did: each telling wakes the caller.
    fn tell(&mut self) {
        let told = self.events.len();
        self.events.extend(self.explorer.events());
        if let Some(climb) = &mut self.climb {
            self.events[told..].iter().for_each(|event| climb.learn(event));
        }
        let now = Instant::now();
        let due = now.duration_since(self.told) >= TICK;
        if due || self.events.len() >= MANY_EVENTS {
            self.tell_events();
        }
        if due {
            self.told = now;
            let _ = self.sender.send(FromWorker::Progress(self.number, Box::new(self.progress())));
        }
        if self.jobs > 1 {
            self.exchange(now);
        }
    }

    fn tell_events(&mut self) {
        self.events.extend(self.explorer.events());
        if !self.events.is_empty() {
            let _ = self.sender.send(FromWorker::Events(std::mem::take(&mut self.events)));
        }
    }

    fn progress(&self) -> Progress {
        let statistics = self.explorer.chain.statistics();
        Progress {
            counts: self.explorer.counts,
            concrete_runs: self.burst.as_ref().map_or(0, Burst::runs) + self.climb.as_ref().map_or(0, Climb::runs),
            run_instructions: self.burst.as_ref().map_or(0, Burst::instructions),
            climbed: self.climb.as_ref().map_or(0, Climb::reached),
            live: self.explorer.board().live(),
            aside: self.explorer.board().aside(),
            most_states: self.explorer.board().most(),
            parked: self.explorer.parked(),
            queries: statistics.queries,
            solver_time: statistics.time(),
            blocks: self.explorer.blocks(),
            state_bytes: self.explorer.budget.state_bytes(),
            backward: self.backward.as_ref().map_or(BackwardProgress::default(), Backward::progress),
            lazy: self.lazy.as_ref().map_or(lazy::Counts::default(), Lazy::all_counts),
        }
    }

    /// Gives work to those who have none, and learns what others covered.
    fn exchange(&mut self, now: Instant) {
        if self.shared.pool.hungry() > 0 && self.explorer.pending() > 1 {
            let gift = (self.explorer.pending() / 4).clamp(1, LARGEST_GIFT);
            let work = (0..gift).map_while(|_| self.explorer.donate()).collect();
            self.shared.pool.give(work, self.epoch);
        }
        if now.duration_since(self.exchanged) >= EXCHANGE {
            self.exchanged = now;
            self.exchange_marks();
        }
    }

    fn exchange_marks(&mut self) {
        locked(&self.shared.covered).exchange(&self.explorer.executor.coverage, &mut self.known_covered);
        locked(&self.shared.suite).exchange(&self.explorer.suite, &mut self.known_suite);
    }

    fn finish(mut self) -> Summary {
        if let Some(lazy) = &mut self.lazy {
            lazy.leave_whole_paths(&mut self.explorer);
        }
        if self.shared.stopped() {
            self.explorer.report_unfinished();
        }
        if let Some(lazy) = &mut self.lazy {
            lazy.report_unfinished(&mut self.explorer);
        }
        self.tell_events();
        self.exchange_marks();
        let progress = self.progress();
        let suite = self.explorer.suite.marked().collect();
        let partition = self.explorer.partition();
        let backward = self.backward.take().map_or(Vec::new(), |backward| backward.outcomes);
        let mut pending = self.explorer.board().pending();
        let mut dropped = self.lazy.as_ref().map_or(0, Lazy::pending);
        let (mut frontier, mut logs) = (Vec::new(), Vec::new());
        match self.write_log() {
            _ if self.goes_nowhere => dropped += std::mem::take(&mut pending),
            (None, true) => frontier = self.explorer.pack(),
            (log, _) => logs.extend(log),
        }
        let summary = Summary {
            progress,
            pending,
            frontier,
            logs,
            dropped,
            undecided: self.explorer.undecided().to_vec(),
            suite,
            solver: vec![self.explorer.chain.statistics().clone()],
            wrong_models: self.explorer.chain.take_errors(),
            partition,
            backward,
            functions: self.lazy.as_ref().map(|lazy| lazy.functions(&self.explorer)),
            survivable: std::mem::take(&mut self.explorer.survivable),
            ..Summary::default()
        };
        if self.is_last && self.shared.stopped() {
            // Taking hundreds of thousands of states apart takes a second and more.
            std::mem::forget(self.explorer);
        }
        summary
    }
}

/// Where a worker keeps its journal.
fn place(options: &Options, worker: usize) -> Place {
    match (&options.scratch, &options.checkpoints) {
        (None, _) => Place::None,
        (Some(folder), None) => Place::Hidden(folder.clone()),
        (Some(folder), Some(config)) => Place::Named { folder: folder.clone(), worker, number: config.first_log },
    }
}

/// A worker's share of what an earlier search left in logs.
fn adopt(explorer: &mut Explorer, logs: &[Log], worker: usize, options: &Options) -> Result<(), String> {
    let Some(folder) = &options.scratch else { return Ok(()) };
    for log in logs {
        let path = folder.join(&log.name);
        let (mut number, mut is_damaged) = (0, false);
        let read = read_log(&path, log.length, |bytes| {
            if number % options.jobs == worker {
                is_damaged |= !explorer.adopt(&bytes);
            }
            number += 1;
        });
        if is_damaged || read.is_err() {
            return Err(format!("{} is damaged", path.display()));
        }
    }
    Ok(())
}
