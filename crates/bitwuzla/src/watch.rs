//! When a solver gives up: it asks now and then whether it should.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How long one check may take.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// How often the solver may ask. It asks at points that depend on the query and on what the solver did before, but not on
    /// the machine or the clock.
    pub polls: Option<u64>,
    pub deadline: Option<Instant>,
    /// Set by whoever wants to stop.
    pub interrupt: Option<Arc<AtomicBool>>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    Satisfiable,
    Unsatisfiable,
    Stopped(Stop),
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    Polls,
    Deadline,
    Interrupt,
    /// The solver gave up by itself.
    Unknown,
}

/// The limits of the check that runs, and what became of them.
#[derive(Default)]
pub(crate) struct Watch {
    pub limits: Limits,
    pub polls: Cell<u64>,
    pub stop: Cell<Option<Stop>>,
}

impl Watch {
    pub fn new(limits: Limits) -> Watch {
        Watch { limits, ..Watch::default() }
    }

    /// Called by the solver: whether it should stop. Once it should, it always should.
    pub fn poll(&self) -> bool {
        let polls = self.polls.get() + 1;
        self.polls.set(polls);
        if self.stop.get().is_none() {
            self.stop.set(self.reason(polls));
        }
        self.stop.get().is_some()
    }

    fn reason(&self, polls: u64) -> Option<Stop> {
        if self.limits.interrupt.as_ref().is_some_and(|interrupt| interrupt.load(Ordering::Relaxed)) {
            return Some(Stop::Interrupt);
        }
        if self.limits.polls.is_some_and(|limit| polls > limit) {
            return Some(Stop::Polls);
        }
        self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Stop::Deadline)
    }
}
