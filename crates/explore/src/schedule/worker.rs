//! One worker: a session with its engines, on a thread of its own. What moves between workers is decision strings, and what was covered.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use symcrete_solver::Chain;

use crate::engines::engine::Turn;
use crate::path::board::Pending;
use crate::path::journal::{Log, Place, read_log};
use crate::path::pool::Next;
use crate::path::strategy::{self, Frontier};
use crate::report::summary::{Progress, Summary};
use crate::schedule::checkpoint::Part;
use crate::schedule::common_marks::Acquaintance;
use crate::schedule::options::Options;
use crate::schedule::policy::{self, Making, Role, Seat};
use crate::schedule::shared::{Shared, locked};
use crate::schedule::workers::{FromWorker, TICK};
use crate::session::Session;
use crate::session::event::Event;
use crate::session::machine::Machine;
use crate::session::meter::Counts;

/// Events that are told before it is time to.
const MANY_EVENTS: usize = 64;

/// How often workers tell each other what they covered.
const EXCHANGE: Duration = Duration::from_millis(5);

/// How many paths may be given away at once: a path is rebuilt from the beginning by who gets it.
const LARGEST_GIFT: usize = 16;

/// Paths that are written down at once, however long it is until the next checkpoint: a search that is stopped has no more to write.
const MANY_FRESH: usize = 8192;

pub struct Worker<'a> {
    number: usize,
    session: Session,
    engines: Vec<Seat<'a>>,
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
    pub fn new(making: &Making<'a>, shared: &'a Shared, sender: SyncSender<FromWorker>) -> Result<Worker<'a>, String> {
        let Making { worker: number, options, setup, stop, .. } = *making;
        let (executor, roots) = setup.make()?;
        let seed = options.seed.wrapping_add((number as u64) << 32);
        let strategy = strategy::parse(&options.search, seed).map_err(|error| error.to_string())?;
        let mut solver = options.solver.clone();
        solver.limits.interrupt = stop.flag().clone();
        let mut chain = Chain::new(solver);
        if let Some(log) = options.log.clone() {
            chain.set_log(Some(Box::new(move |query| log(number, query))));
        }
        let frontier = Frontier::new(strategy);
        let machine = Machine { executor, chain, roots };
        let mut session = Session::new(machine, options.forward.clone(), frontier, stop.clone());
        session.worklist.board.keep_journal(place(options, number));
        let engines = policy::engines(making, &session)?;
        match shared.continued {
            _ if options.lazy.is_some() => {}
            true => {
                let share = shared.share(number);
                adopt(&mut session, &share.logs, number, options)?;
                session.resume(share);
            }
            false if number == 0 => session.begin(),
            false => {}
        }
        Ok(Worker {
            number,
            session,
            engines,
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

    pub fn run(mut self) -> Summary {
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
                        self.session.add(Pending::Aside(Arc::unwrap_or_clone(path)));
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
        } else if self.session.worklist.board.fresh() >= MANY_FRESH {
            self.session.worklist.write_down(&self.session.machine.executor.arena);
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
            undecided: self.session.worklist.parked.to_vec(),
            suite: self.session.suite.covered.marked().collect(),
            replaced: self.session.worklist.board.journal().take_replaced(),
        };
        let _ = self.sender.send(FromWorker::Part(self.number, epoch, Box::new(part)));
    }

    /// All that is pending, as a log, if anything is; whether it could not be written.
    fn write_log(&mut self) -> (Option<Log>, bool) {
        self.session.worklist.write_down(&self.session.machine.executor.arena);
        let stop = self.shared.stop_signal();
        self.session.worklist.board.tidy_journal(&mut || stop.is_set());
        if self.session.worklist.board.pending() == 0 {
            return (None, false);
        }
        let log = self.session.worklist.board.journal().log();
        let is_lost = log.is_none();
        (log, is_lost)
    }

    /// Works until nothing is pending here: the engines have their turns in the order of the table.
    fn search(&mut self) {
        self.count();
        while !self.shared.stopped() {
            if self.work_beside() {
                self.shared.stop();
                break;
            }
            let Some(ends_when_covered) = self.work_on() else {
                let is_open = self.session.leaves_open();
                let staying = self.engines.iter_mut().filter_map(|seat| seat.engine.stays(is_open).then_some(()));
                if staying.count() > 0 && !self.shared.stopped() {
                    self.tell();
                    continue;
                }
                return;
            };
            self.count();
            self.tell();
            self.keep_checkpoints();
            if self.is_there() {
                self.shared.stop();
            }
            if ends_when_covered && self.session.is_saturated() {
                self.shared.saturated.store(true, Ordering::Relaxed);
                self.shared.stop();
            }
        }
    }

    /// The engines beside the search have their turns. Whether nothing is left to search for.
    fn work_beside(&mut self) -> bool {
        for at in 0..self.engines.len() {
            let Role::Beside { ends_at_targets } = self.engines[at].role else { continue };
            while self.engines[at].engine.turn(&mut self.session) == Turn::Progress {
                if self.session.is_there() || self.shared.stopped() {
                    break;
                }
                self.tell();
            }
            if ends_at_targets && self.is_there() {
                return true;
            }
        }
        false
    }

    /// One step of the first search that has anything to do: whether covering all code ends the search behind it. `None` if nothing is
    /// pending.
    fn work_on(&mut self) -> Option<bool> {
        for seat in &mut self.engines {
            let Role::Search { ends_when_covered } = seat.role else { continue };
            if seat.engine.turn(&mut self.session) == Turn::Progress {
                return Some(ends_when_covered);
            }
        }
        None
    }

    /// Whether all targets are reached or refuted, and nothing more is to be known of them.
    fn is_there(&mut self) -> bool {
        self.session.is_there() && !self.looks_for_errors()
    }

    /// Whether a target was refuted, and it is worth looking for errors behind which the real program might come there all the same. That the
    /// search comes to no end of it is no reason to doubt the proof.
    fn looks_for_errors(&mut self) -> bool {
        const MOST_SEGMENTS: u64 = 100;
        const MOST_INSTRUCTIONS: u64 = 1_000_000;
        if !self.session.has_refuted() || !self.session.suite.survivable.is_empty() {
            return false;
        }
        let counts = self.session.meter.counts;
        let (segments, instructions) = *self.refuted_at.get_or_insert((counts.segments, counts.instructions));
        self.session.config.slice = self.session.config.slice.min(MOST_INSTRUCTIONS / 10);
        counts.segments < segments + MOST_SEGMENTS && counts.instructions < instructions + MOST_INSTRUCTIONS
    }

    /// Stops all workers when the instructions or the paths are used up. Nothing else decides that, so that one worker stops at the same
    /// place always.
    fn count(&mut self) {
        let counts = self.session.meter.counts;
        if let Some(steps) = self.steps {
            let spent = self.shared.steps.add(counts.instructions - self.counted.instructions);
            if spent >= steps {
                self.shared.stop();
            }
            self.session.config.slice = self.slice.min(steps.saturating_sub(spent)).max(1);
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
        self.events.extend(self.session.events());
        for seat in &mut self.engines {
            self.events[told..].iter().for_each(|event| seat.engine.notify(event));
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
        self.events.extend(self.session.events());
        if !self.events.is_empty() {
            let _ = self.sender.send(FromWorker::Events(std::mem::take(&mut self.events)));
        }
    }

    fn progress(&self) -> Progress {
        let statistics = self.session.machine.chain.statistics();
        let mut progress = Progress {
            counts: self.session.meter.counts,
            live: self.session.worklist.board.live(),
            aside: self.session.worklist.board.aside(),
            most_states: self.session.worklist.board.most(),
            parked: self.session.worklist.parked.len(),
            queries: statistics.queries,
            solver_time: statistics.time(),
            blocks: self.session.blocks,
            state_bytes: self.session.worklist.budget.state_bytes(),
            ..Progress::default()
        };
        // The proof took what was done before it; what looks for errors afterwards is no part of it.
        if let Some((segments, _)) = self.refuted_at {
            progress.counts.segments = segments;
        }
        self.engines.iter().for_each(|seat| seat.engine.progress(&mut progress));
        progress
    }

    /// Gives work to those who have none, and learns what others covered.
    fn exchange(&mut self, now: Instant) {
        if self.shared.pool.hungry() > 0 && self.session.worklist.pending() > 1 {
            let gift = (self.session.worklist.pending() / 4).clamp(1, LARGEST_GIFT);
            let work =
                (0..gift).map_while(|_| self.session.worklist.donate(&self.session.machine.executor.arena)).collect();
            self.shared.pool.give(work, self.epoch);
        }
        if now.duration_since(self.exchanged) >= EXCHANGE {
            self.exchanged = now;
            self.exchange_marks();
        }
    }

    fn exchange_marks(&mut self) {
        locked(&self.shared.covered).exchange(&self.session.machine.executor.coverage, &mut self.known_covered);
        locked(&self.shared.suite).exchange(&self.session.suite.covered, &mut self.known_suite);
    }

    fn finish(mut self) -> Summary {
        let is_stopped = self.shared.stopped();
        for seat in &mut self.engines {
            seat.engine.leave(&mut self.session, is_stopped);
        }
        self.tell_events();
        self.exchange_marks();
        let progress = self.progress();
        let suite = self.session.suite.covered.marked().collect();
        let partition = self.session.partition();
        let mut pending = self.session.worklist.board.pending();
        let mut dropped = 0;
        let (mut frontier, mut logs) = (Vec::new(), Vec::new());
        match self.write_log() {
            _ if self.goes_nowhere => dropped += std::mem::take(&mut pending),
            (None, true) => frontier = self.session.worklist.pack(&self.session.machine.executor.arena),
            (log, _) => logs.extend(log),
        }
        let mut summary = Summary {
            progress,
            pending,
            frontier,
            logs,
            dropped,
            undecided: self.session.worklist.parked.to_vec(),
            suite,
            solver: vec![self.session.machine.chain.statistics().clone()],
            wrong_models: self.session.machine.chain.take_errors(),
            partition,
            survivable: std::mem::take(&mut self.session.suite.survivable),
            ..Summary::default()
        };
        for seat in &mut self.engines {
            seat.engine.summarize(&self.session, &mut summary);
        }
        if self.is_last && self.shared.stopped() {
            // Taking hundreds of thousands of states apart takes a second and more.
            std::mem::forget(self.session);
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
fn adopt(session: &mut Session, logs: &[Log], worker: usize, options: &Options) -> Result<(), String> {
    let Some(folder) = &options.scratch else { return Ok(()) };
    for log in logs {
        let path = folder.join(&log.name);
        let (mut number, mut is_damaged) = (0, false);
        let read = read_log(&path, log.length, |bytes| {
            if number % options.jobs == worker {
                is_damaged |= !session.adopt(&bytes);
            }
            number += 1;
        });
        if is_damaged || read.is_err() {
            return Err(format!("{} is damaged", path.display()));
        }
    }
    Ok(())
}
