//! Workers on several threads: starts them, passes on what they tell, and puts their results together.

use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use crate::path::saved::Saved;
pub use crate::report::summary::{BackwardProgress, Progress, Stopped, Summary};
use crate::schedule::checkpoint::{self, Checkpoint, Checkpoints, Part};
pub use crate::schedule::options::{Options, QueryLog, Setup};
use crate::schedule::policy::Making;
use crate::schedule::shared::{Shared, locked};
use crate::schedule::worker::Worker;
use crate::session::event::Event;

/// What the caller is told while the workers work.
pub enum Message {
    Event(Event),
    /// Nothing happened for a while, or much did: a moment to show progress.
    Tick(Box<Progress>),
    /// What the search would go on from if it were killed: all that was told before is in it.
    Checkpoint(Box<Checkpoint>),
}

/// How often progress is told.
pub(super) const TICK: Duration = Duration::from_millis(50);

/// How far workers may be ahead of who listens, in messages: what is told must be written down before a run can end.
const UNHEARD: usize = 16;

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
            receive(Message::Tick(Box::new(Progress::sum(&before, &progress))));
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

pub(super) enum FromWorker {
    Events(Vec<Event>),
    Progress(usize, Box<Progress>),
    /// Of a checkpoint.
    Part(usize, u64, Box<Part>),
    Done(usize, Box<Summary>),
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

/// Makes what a worker needs for as long as it works, and lets it work.
fn prepare(
    number: usize,
    setup: &dyn Setup,
    options: &Options,
    shared: &Shared,
    sender: &SyncSender<FromWorker>,
) -> Result<Summary, String> {
    let program = OnceCell::new();
    let making = Making { worker: number, options, setup, stop: shared.stop_signal(), program: &program };
    Ok(Worker::new(&making, shared, sender.clone())?.run())
}
