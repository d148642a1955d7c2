//! Paths that workers give each other, and the end of the search when nobody has any.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::path::aside::Aside;
use crate::session::stop::Stop;

/// A path, and the epoch in which it was given away.
type Gift = (u64, Arc<Aside>);

pub(crate) struct Pool {
    work: Mutex<Work>,
    /// Told when there is work, or none will come.
    changed: Condvar,
    /// How many wait for work that is not there; changed under the lock, asked without.
    hungry: AtomicUsize,
    /// The latest checkpoint that was called for.
    epoch: AtomicU64,
    stop: Stop,
}

struct Work {
    queue: VecDeque<Gift>,
    /// Paths that were given away before a checkpoint and taken after it, while it is not complete.
    crossed: Vec<Arc<Aside>>,
    /// The latest checkpoint that is complete.
    complete: u64,
    idle: usize,
    workers: usize,
}

/// What a worker that waits is to do.
pub(crate) enum Next {
    /// Paths, and the latest epoch in which one of them was given away.
    Paths(Vec<Arc<Aside>>, u64),
    /// Write a part of the checkpoint.
    Checkpoint(u64),
    /// Nothing will come.
    Nothing,
}

const TICK: Duration = Duration::from_millis(50);

impl Pool {
    pub fn new(workers: usize) -> Pool {
        let work = Work { queue: VecDeque::new(), crossed: Vec::new(), complete: 0, idle: 0, workers };
        Pool {
            work: Mutex::new(work),
            changed: Condvar::new(),
            hungry: AtomicUsize::new(0),
            epoch: AtomicU64::new(0),
            stop: Stop::default(),
        }
    }

    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn stop_signal(&self) -> &Stop {
        &self.stop
    }

    pub fn stop(&self) {
        self.stop.set();
        self.changed.notify_all();
    }

    pub fn stopped(&self) -> bool {
        self.stop.is_set()
    }

    /// Calls for a checkpoint.
    pub fn begin_epoch(&self, epoch: u64) {
        self.epoch.store(epoch, Ordering::Release);
        self.changed.notify_all();
    }

    pub fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }

    /// All workers wrote their parts of a checkpoint: what was on its way between them.
    pub fn on_the_way(&self, epoch: u64) -> Vec<Arc<Aside>> {
        let mut work = self.work();
        work.complete = epoch;
        let mut paths = std::mem::take(&mut work.crossed);
        paths.extend(work.queue.iter().filter(|(given, _)| *given < epoch).map(|(_, path)| path.clone()));
        paths
    }

    /// What nobody took.
    pub fn drain(&self) -> Vec<Arc<Aside>> {
        self.work().queue.drain(..).map(|(_, path)| path).collect()
    }

    /// A worker will not come back.
    pub fn leave(&self) {
        self.work().workers -= 1;
        self.changed.notify_all();
    }

    /// How many others wait for work that is not there.
    pub fn hungry(&self) -> usize {
        self.hungry.load(Ordering::Relaxed)
    }

    /// To be called by whoever changed the work.
    fn count_hungry(&self, work: &Work) {
        self.hungry.store(work.idle.saturating_sub(work.queue.len()), Ordering::Relaxed);
    }

    /// Gives paths away, in the epoch of a worker.
    pub fn give(&self, paths: Vec<Aside>, epoch: u64) {
        let mut work = self.work();
        work.queue.extend(paths.into_iter().map(|path| (epoch, Arc::new(path))));
        self.count_hungry(&work);
        self.changed.notify_all();
    }

    /// Waits for work, in the epoch of a worker. Nothing comes if all wait, or somebody wants to stop.
    pub fn wait(&self, epoch: u64) -> Next {
        let mut work = self.work();
        work.idle += 1;
        loop {
            let called = self.epoch();
            if called > epoch && !self.stopped() {
                work.idle -= 1;
                return Next::Checkpoint(called);
            }
            if !work.queue.is_empty() && !self.stopped() {
                // An equal share for all who wait.
                let share = work.queue.len().div_ceil(work.idle);
                let gifts: Vec<Gift> = work.queue.drain(..share).collect();
                if epoch > work.complete {
                    let earlier = gifts.iter().filter(|(given, _)| *given < epoch);
                    work.crossed.extend(earlier.map(|(_, path)| path.clone()));
                }
                work.idle -= 1;
                self.count_hungry(&work);
                let latest = gifts.iter().map(|(given, _)| *given).max().unwrap_or(0);
                return Next::Paths(gifts.into_iter().map(|(_, path)| path).collect(), latest);
            }
            self.count_hungry(&work);
            if work.idle >= work.workers || self.stopped() {
                self.changed.notify_all();
                return Next::Nothing;
            }
            work = self.changed.wait_timeout(work, TICK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(number: u32) -> Aside {
        Aside { decisions: vec![number as u8], model: Vec::new(), depth: number }
    }

    fn depths(paths: &[Arc<Aside>]) -> Vec<u32> {
        paths.iter().map(|path| path.depth).collect()
    }

    /// A path belongs to a checkpoint exactly if it was given away before and taken after it, or not taken at all.
    #[test]
    fn what_is_on_its_way_belongs_to_the_checkpoint() {
        let pool = Pool::new(3);
        pool.give(vec![path(1)], 0);
        pool.give(vec![path(2)], 0);
        pool.begin_epoch(1);
        pool.give(vec![path(3)], 1);
        assert!(matches!(pool.wait(0), Next::Checkpoint(1)));
        // Somebody takes all in the new epoch.
        let Next::Paths(taken, latest) = pool.wait(1) else { panic!("there is work") };
        assert_eq!((depths(&taken), latest), (vec![1, 2, 3], 1));
        pool.give(vec![path(4)], 0);
        pool.give(vec![path(5)], 1);
        assert_eq!(depths(&pool.on_the_way(1)), [1, 2, 4]);
        // It is complete: what is taken from now on belongs to the next one, if it is still under way then.
        assert!(matches!(pool.wait(1), Next::Paths(..)));
        assert!(pool.on_the_way(2).is_empty());
    }
}
