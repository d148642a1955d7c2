//! What workers have in common: the pool of paths, marks of coverage, totals, and what a continued search begins with.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::path::pool::Pool;
use crate::path::saved::Saved;
use crate::report::summary::Summary;
use crate::schedule::common_marks::CommonMarks;
use crate::schedule::options::Options;
use crate::session::stop::Stop;

/// What workers have in common.
pub struct Shared {
    pub pool: Pool,
    /// What was executed, and what of it the tests so far execute.
    pub covered: Mutex<CommonMarks>,
    pub suite: Mutex<CommonMarks>,
    /// Instructions that all workers executed, and paths that are over.
    pub steps: Total,
    pub paths: Total,
    /// Whether a worker stopped because all code is covered.
    pub saturated: AtomicBool,
    /// What each worker begins with, where a search is continued.
    begin: Mutex<Vec<Saved>>,
    pub continued: bool,
}

/// What all workers add to.
#[derive(Default)]
pub struct Total(AtomicU64);

impl Total {
    /// The sum, with what is added.
    pub fn add(&self, more: u64) -> u64 {
        self.0.fetch_add(more, Ordering::Relaxed) + more
    }

    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Shared {
    pub fn new(options: &Options, begin: Option<Saved>) -> Shared {
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
    pub fn share(&self, number: usize) -> Saved {
        let mut shares = self.begin.lock().unwrap_or_else(PoisonError::into_inner);
        shares.get_mut(number).map(std::mem::take).unwrap_or_default()
    }

    /// What no worker has, at the end.
    pub fn give_back(&self, summary: &mut Summary) {
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

    pub fn stop(&self) {
        self.pool.stop();
    }

    pub fn stopped(&self) -> bool {
        self.pool.stopped()
    }

    pub fn stop_signal(&self) -> &Stop {
        self.pool.stop_signal()
    }
}

pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
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
