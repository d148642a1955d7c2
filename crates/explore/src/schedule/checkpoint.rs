//! Checkpoints of a search that goes on: each worker writes down what is pending with it, and says what it had done by then. Nobody waits for
//! anybody, so workers are at different places; a checkpoint is consistent all the same, as in Chandy and Lamport's snapshots (1985). Each path that
//! moves between workers says in which epoch it was given away, and
//!
//! - who gets a path of a later epoch than his own writes his part first: the path is still pending with whoever gave it,
//! - a path of an earlier epoch was on its way when the parts were written, and belongs to the checkpoint itself.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;
use symcrete_exec::coverage::Mark;

use crate::path::Parked;
use crate::path::aside::Aside;
use crate::path::journal::Log;
use crate::path::saved::Saved;
use crate::report::summary::Progress;

/// How checkpoints are kept.
#[derive(Clone, Debug)]
pub struct Config {
    /// From one to the next. Default: 5 s.
    pub interval: Duration,
    /// The number of the first file that a worker writes. Default: 0.
    pub first_log: u32,
}

impl Default for Config {
    fn default() -> Config {
        Config { interval: Duration::from_secs(5), first_log: 0 }
    }
}

/// A checkpoint that is complete.
pub struct Checkpoint {
    pub saved: Saved,
    pub progress: Progress,
    /// Files that nobody needs once it is written.
    pub replaced: Vec<PathBuf>,
}

/// What one worker has, and did.
pub(crate) struct Part {
    pub progress: Progress,
    /// Where its paths are; nothing without any, or if they could not be written.
    pub log: Option<Log>,
    pub is_lost: bool,
    pub undecided: Vec<Parked>,
    pub suite: Vec<Mark>,
    pub replaced: Vec<PathBuf>,
}

/// Calls for checkpoints and puts them together.
pub(crate) struct Checkpoints {
    interval: Option<Duration>,
    latest: Instant,
    epoch: u64,
    parts: Vec<Option<Part>>,
}

/// Before it a search is quickly made again; most are over by then.
const FIRST: Duration = Duration::from_millis(500);

impl Checkpoints {
    pub fn new(config: Option<&Config>, jobs: usize) -> Checkpoints {
        let parts = std::iter::repeat_with(|| None).take(jobs).collect();
        Checkpoints { interval: config.map(|config| config.interval), latest: Instant::now(), epoch: 0, parts }
    }

    /// The number of a checkpoint that all workers are to write their part of, if it is time for one and the one before is complete.
    pub fn due(&mut self) -> Option<u64> {
        let interval = self.interval?;
        let interval = if self.epoch == 0 { interval.min(FIRST) } else { interval };
        let is_underway = self.parts.iter().any(Option::is_some);
        if is_underway || self.latest.elapsed() < interval {
            return None;
        }
        self.latest = Instant::now();
        self.epoch += 1;
        Some(self.epoch)
    }

    /// A worker wrote its part. All parts, if that was the last one.
    pub fn add(&mut self, worker: usize, epoch: u64, part: Part) -> Option<Vec<Part>> {
        debug_assert_eq!(epoch, self.epoch);
        self.parts[worker] = Some(part);
        if self.parts.iter().any(Option::is_none) {
            return None;
        }
        Some(self.parts.iter_mut().filter_map(Option::take).collect())
    }
}

/// Puts a checkpoint together; `progress` is that of the parts and of what was before them. Nothing, if a part could not be written.
pub(crate) fn join(
    parts: Vec<Part>,
    on_the_way: Vec<Arc<Aside>>,
    progress: Progress,
    covered: Vec<Mark>,
    time: Duration,
) -> Option<Checkpoint> {
    if parts.iter().any(|part| part.is_lost) {
        return None;
    }
    let mut saved = Saved {
        frontier: on_the_way.into_iter().map(|aside| Aside::clone(&aside)).collect(),
        counts: progress.counts,
        concrete_runs: progress.concrete_runs,
        queries: progress.queries,
        solver_time: progress.solver_time,
        time,
        covered,
        ..Saved::default()
    };
    let (mut known, mut replaced) = (FxHashSet::default(), Vec::new());
    for part in parts {
        saved.logs.extend(part.log);
        saved.undecided.extend(part.undecided);
        saved.suite.extend(part.suite.into_iter().filter(|mark| known.insert(*mark)));
        replaced.extend(part.replaced);
    }
    Some(Checkpoint { saved, progress, replaced })
}
